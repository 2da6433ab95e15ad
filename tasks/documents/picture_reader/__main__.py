"""The program in the sandbox: a PNG or JPEG in, its pixels and their size out."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

from PIL import Image


def decode(path: str, kind: str, most: int, least: int) -> dict[str, Any]:
    """Write pixels.raw (rows of red, green, blue) and say its size, or why there is none."""
    try:
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(path, formats=(kind,)) as image:
            size = f"{image.width} x {image.height}"
            if image.width * image.height > most:
                return {"error": "large", "detail": size}
            if min(image.size) < least:
                return {"error": "small", "detail": size}
            plain = _on_white(image)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        return {"error": "large", "detail": str(error)[:200]}
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        return {"error": "damaged", "detail": str(error)[:200]}
    Path("pixels.raw").write_bytes(plain.tobytes())
    return {"width": plain.width, "height": plain.height}


def _on_white(image: Any) -> Any:
    """Without transparency, as three colours."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        layer = image.convert("RGBA")
        white = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(white, layer).convert("RGB")
    return image.convert("RGB")


if __name__ == "__main__":
    found = decode(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    Path("result.json").write_text(json.dumps(found))
