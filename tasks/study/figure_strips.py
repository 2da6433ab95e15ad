"""Figures that say what they show: a strip of text below the picture, and the same words in its metadata."""

from __future__ import annotations

import io

from PIL import Image, ImageDraw, ImageFont, PngImagePlugin

MAX_PIXELS = 40_000_000
_KEY = "Description"


def opened(content: bytes) -> Image.Image:
    """A PNG as RGB. Raises ValueError for anything else, or one that is too large."""
    try:
        picture = Image.open(io.BytesIO(content), formats=["PNG"])
        if picture.width * picture.height > MAX_PIXELS:
            raise ValueError(
                f"{picture.width} x {picture.height} pixels are too many; at most {MAX_PIXELS} are read"
            )
        words = dict(picture.text) if isinstance(picture, PngImagePlugin.PngImageFile) else {}
        picture.load()
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise ValueError(f"no readable PNG: {error}") from None
    flat = Image.new("RGB", picture.size, "white")
    flat.paste(picture, mask=picture.convert("RGBA").getchannel("A"))
    flat.info["words"] = words
    return flat


def marked_picture(content: bytes, words: str) -> bytes:
    """The PNG with `words` in a strip below it and in its metadata."""
    picture = opened(content)
    strip = _strip(picture.width, words)
    whole = Image.new("RGB", (picture.width, picture.height + strip.height), "white")
    whole.paste(picture, (0, 0))
    whole.paste(strip, (0, picture.height))
    about = PngImagePlugin.PngInfo()
    about.add_text(_KEY, words)
    stream = io.BytesIO()
    whole.save(stream, "PNG", pnginfo=about)
    return stream.getvalue()


def picture_is_marked(content: bytes, words: str) -> bool:
    """Whether the strip with these very words is at the foot of the picture, and they are in its metadata."""
    try:
        picture = opened(content)
    except ValueError:
        return False
    strip = _strip(picture.width, words)
    foot = picture.crop((0, picture.height - strip.height, picture.width, picture.height))
    return (
        picture.height > strip.height
        and picture.info["words"].get(_KEY) == words
        and foot.tobytes() == strip.tobytes()
    )


def _strip(width: int, words: str) -> Image.Image:
    """The words in as many lines as the width needs, the same for the same width."""
    size = max(10, min(28, width // 45))
    font = ImageFont.load_default(size)
    lines, line = [], ""
    for word in words.split():
        longer = f"{line} {word}".strip()
        if line and font.getlength(longer) > width - 8:
            lines.append(line)
            line = word
        else:
            line = longer
    lines.append(line)
    step = size + 4
    strip = Image.new("RGB", (width, step * len(lines) + 6), "white")
    draw = ImageDraw.Draw(strip)
    for number, text in enumerate(lines):
        draw.text((4, 3 + number * step), text, fill=(150, 0, 0), font=font)
    return strip
