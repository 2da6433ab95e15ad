"""What appears on the run's page in Prefect: Markdown artifacts with pictures as data addresses."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

from PIL import Image
from prefect.artifacts import create_markdown_artifact

from flows.context import Run
from schemas.base import FileRef
from schemas.inert import inert_markdown
from schemas.visible import visible

_WIDTH = 900
_PICTURE = re.compile(r"!\[(?P<text>[^]]*)]\((?P<path>[^():\s]+\.png)\)")


def publish_markdown(run: Run, name: str, markdown: str, description: str, pictures: tuple[FileRef, ...] = ()) -> None:
    """Create or replace the artifact `<run id>-<name>`; a failing server never stops a run."""
    shown = "".join(f"\n\n![{Path(ref.path).stem}]({data_address(run.run_dir / ref.path)})" for ref in pictures)
    key = re.sub(r"[^a-z0-9-]+", "-", f"{run.run_id}-{name}".lower()).strip("-")
    try:
        inert = inert_markdown(embedded(markdown, run.run_dir))
        create_markdown_artifact(markdown=inert + shown, key=key, description=visible(description))
    except Exception as error:  # noqa: BLE001  the page is a convenience, the run is not
        run.console.say(f"could not publish {name}: {type(error).__name__}: {error}")


def embedded(markdown: str, root: Path) -> str:
    """The text with its pictures below `root` as data addresses: the page cannot fetch files of the run."""

    def replaced(found: re.Match[str]) -> str:
        path = (root / found["path"]).resolve()
        if not path.is_relative_to(root.resolve()) or not path.is_file():
            return found[0]
        return f"![{found['text']}]({data_address(path)})"

    return _PICTURE.sub(replaced, markdown)


def data_address(path: Path) -> str:
    """A picture as a data address, at most 900 pixels wide."""
    with Image.open(path, formats=("PNG", "JPEG")) as image:
        image.thumbnail((_WIDTH, 4 * _WIDTH))
        buffer = io.BytesIO()
        image.convert("RGB").save(buffer, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
