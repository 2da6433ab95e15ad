"""What a tool answered, checked: text cut and made visible, pictures that are pictures."""

from __future__ import annotations

import base64
import binascii
import json
import struct

from mcp.types import CallToolResult, ImageContent, TextContent

from schemas.talking.tools import ToolPicture, ToolResult
from schemas.text.visible import visible
from tasks.tools.tool_limits import ToolLimits

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # start of frame of JPEG, ITU T.81 table B.1


def result_of(answer: CallToolResult, limits: ToolLimits) -> ToolResult:
    """The checked result of a call; what was left out is said in its text."""
    texts: list[str] = []
    pictures: list[ToolPicture] = []
    for part in answer.content:
        if isinstance(part, TextContent):
            texts.append(part.text)
        elif isinstance(part, ImageContent):
            picture, fault = (
                _picture(part, limits)
                if len(pictures) < limits.pictures
                else (None, f"more than {limits.pictures} pictures")
            )
            texts += [f"[a picture was left out: {fault}]"] if fault else []
            pictures += [picture] if picture else []
        else:
            texts.append(f"[{part.type} was left out: only texts and pictures are taken]")
    if not texts and not pictures and answer.structuredContent is not None:
        texts.append(json.dumps(answer.structuredContent, ensure_ascii=False, indent=1))
    text = bounded("\n".join(texts), limits.text_chars)
    return ToolResult(text=text, pictures=tuple(pictures), is_error=bool(answer.isError))


def bounded(text: str, longest: int) -> str:
    """The text, visible; of a longer one its beginning and its end, with a note between."""
    if len(text) > longest:
        end = longest // 4
        left_out = len(text) - longest
        note = f"\n[... {left_out} characters were left out; ask for less, or page by page ...]\n"
        text = text[: longest - end] + note + text[-end:]
    return visible(text)


def _picture(part: ImageContent, limits: ToolLimits) -> tuple[ToolPicture | None, str]:
    if len(part.data) > limits.picture_bytes * 4 // 3 + 8:
        return None, f"larger than {limits.picture_bytes} bytes"
    try:
        data = base64.b64decode(part.data, validate=True)
    except (binascii.Error, ValueError):
        return None, "its data are no base64"
    return checked_picture(data, limits)


def checked_picture(data: bytes, limits: ToolLimits) -> tuple[ToolPicture | None, str]:
    """The picture, or why it is none: PNG or JPEG by its first bytes, of a bounded size in bytes and on each side."""
    if len(data) > limits.picture_bytes:
        return None, f"larger than {limits.picture_bytes} bytes"
    size = _png_size(data) if data.startswith(_PNG) else _jpeg_size(data) if data.startswith(_JPEG) else None
    if size is None:
        return None, "neither PNG nor JPEG"
    if not all(0 < side <= limits.picture_side for side in size):
        return None, f"{size[0]} x {size[1]} pixels; at most {limits.picture_side} on a side"
    kind = "image/png" if data.startswith(_PNG) else "image/jpeg"
    return ToolPicture(media_type=kind, data=base64.b64encode(data).decode()), ""


def _png_size(data: bytes) -> tuple[int, int] | None:
    if len(data) < 33 or data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        if data[at + 1] in _FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return None
