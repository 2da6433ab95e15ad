"""The program in the sandbox: one PDF in, result.json and pictures out."""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium

from .found import FIGURE, TABLE, block_from, is_equation, region_of, rows_of
from .layout import Line, gutter, reading_order
from .page import MIN_UNSEEN, drawn, picture, pieces_of, unseen

MAX_PAGES, MAX_FIGURES = 200, 100
METADATA = ("Title", "Author", "Subject", "Keywords", "Creator", "Producer")


def read(path: str, wanted: list[int]) -> dict[str, Any]:
    """Everything found, as plain JSON. wanted: page numbers from 1; empty for all."""
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        return {
            "error": "encrypted" if "password" in str(error).lower() else "damaged",
            "detail": str(error)[:200],
        }
    count = len(document)
    result: dict[str, Any] = {
        "pages": count,
        "read": [],
        "text": [],
        "figures": [],
        "tables": [],
        "equations": [],
        "notes": [],
        "metadata_title": document.get_metadata_value("Title")[:300],
        "metadata": {key: document.get_metadata_value(key)[:2000] for key in METADATA},
    }
    if not wanted and count > MAX_PAGES:
        return {"error": "huge", "detail": f"{count} pages"}
    missing = [number for number in wanted if number > count]
    if missing:
        return {"error": "pages", "detail": f"pages {', '.join(map(str, missing[:10]))} of {count}"}
    for number in wanted or range(1, count + 1):
        try:
            _page(document[number - 1], number, result)
        except pdfium.PdfiumError as error:
            result["notes"].append(f"page {number} could not be read: {str(error)[:100]}")
    return result


def _page(page: Any, number: int, result: dict[str, Any]) -> None:
    page.set_rotation(0) if page.get_rotation() % 180 == 0 else None
    pieces, unknown = pieces_of(page)
    boxes, covered, all_seen = drawn(page)
    letters = sum(len(piece.text.strip()) for piece in pieces)
    notes = result["notes"]
    if letters < 20:
        kind = "is a scanned picture without a text layer" if covered > 0.4 else "holds no text"
        notes.append(f"page {number} {kind}; nothing was read from it")
        return
    if not all_seen:
        notes.append(f"page {number}: too many objects; figures may be missing")
    if unknown:
        notes.append(
            f"page {number}: {unknown} characters have no known meaning (shown as \ufffd): compare with the PDF"
        )
    if covered > 0.8:
        notes.append(
            f"page {number} is a scanned picture with a text layer: its text comes from recognition, check numbers"
        )
    if len(hidden := unseen(page)) >= MIN_UNSEEN:
        notes.append(
            f"page {number}: {len(hidden)} letters can hardly be seen (white or tiny) and are in the text: "
            f"{hidden[:200]!r}"
        )
    result["read"].append(number)
    width = page.get_width()
    lines = reading_order(pieces, width)
    body = statistics.median([line.size for line in lines for _ in range(len(line.text) // 10 + 1)])
    middle = gutter(pieces, width) or width / 2
    labels: set[int] = set()
    for place, line in enumerate(lines):
        if FIGURE.match(line.text) and len(result["figures"]) < MAX_FIGURES:
            labels |= _figure(page, number, place, lines, boxes, middle, result)
        elif TABLE.match(line.text):
            rows = rows_of(lines, place + 1)
            result["tables"].append({"page": number, "caption": line.text[:300], "rows": rows[:100]})
        elif is_equation(line):
            result["equations"].append({"page": number, "text": line.text[:300]})
    result["text"].append(
        {
            "page": number,
            "body": body,
            "columns": 2 if any(line.column for line in lines) else 1,
            "lines": [
                [line.text, line.size, *_gap(lines, place)]
                for place, line in enumerate(lines)
                if id(line) not in labels
            ],
        }
    )


def _gap(lines: list[Line], place: int) -> tuple[float, int]:
    """Space above a line, 99 where a column begins; and its column."""
    if place == 0 or lines[place - 1].column != lines[place].column:
        return 99.0, lines[place].column
    return round(lines[place].box[1] - lines[place - 1].box[3], 1), lines[place].column


def _figure(
    page: Any,
    number: int,
    place: int,
    lines: list[Line],
    boxes: list[Any],
    middle: float,
    result: dict[str, Any],
) -> set[int]:
    """Adds a figure; returns the lines that are labels inside its picture."""
    caption = block_from(lines, place)
    words = " ".join(line.text for line in caption)
    entry = {"page": number, "caption": words[:4000], "file": ""}
    region = region_of(caption, lines, boxes, page.get_width(), middle)
    result["figures"].append(entry)
    if region is None:
        return set()
    entry["file"] = f"figure-{len(result['figures'])}.png"
    Path(str(entry["file"])).write_bytes(picture(page, region))
    return {
        id(line)
        for line in lines
        if line not in caption
        and len(line.text) < 60
        and region[0] <= (line.box[0] + line.box[2]) / 2 <= region[2]
        and region[1] <= (line.box[1] + line.box[3]) / 2 <= region[3]
    }


if __name__ == "__main__":
    Path("result.json").write_text(
        json.dumps(read(sys.argv[1], [int(n) for n in sys.argv[2].split(",") if n]))
    )
