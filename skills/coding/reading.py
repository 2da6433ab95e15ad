"""A file page by page, so that no answer is longer than a model should read."""

from __future__ import annotations

from pathlib import Path

from schemas.reading.beneath import Unopened, read_below
from skills.kit import Image

_MOST_BYTES, _PICTURE_BYTES = 64 << 20, 4_000_000
_PICTURES = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpeg"}
_LONGEST_LINE = 2000


def page(work: Path, name: str, first_line: int, lines: int, longest: int) -> str | Image:
    """Lines of a text file from `first_line` (counted from 1), with what is before and after; a picture as a picture.

    Raises Unopened for what is no readable file below `work`.
    """
    data = read_below(work, name, _MOST_BYTES, one_name=False)
    for start, kind in _PICTURES.items():
        if data.startswith(start) and len(data) <= _PICTURE_BYTES:
            return Image(data=data, format=kind)
    if b"\0" in data[:8192]:
        raise Unopened(f"is no text ({len(data)} bytes); read it with a program")
    rows = data.decode("utf-8", "replace").splitlines()
    if rows and not 1 <= first_line <= len(rows):
        raise Unopened(f"has {len(rows)} lines; first_line must be one of them")
    shown: list[str] = []
    size = 0
    for row in rows[first_line - 1 : first_line - 1 + lines]:
        row = (
            row
            if len(row) <= _LONGEST_LINE
            else f"{row[:_LONGEST_LINE]} [... {len(row) - _LONGEST_LINE} characters more]"
        )
        size += len(row) + 1
        if shown and size > longest:
            break
        shown.append(row)
    last = first_line - 1 + len(shown)
    more = f"; go on with first_line={last + 1}" if last < len(rows) else ""
    return "\n".join([f"[{name}: lines {min(first_line, last)} to {last} of {len(rows)}{more}]", *shown])
