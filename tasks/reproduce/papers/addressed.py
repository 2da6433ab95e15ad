"""Where a paper's folder addresses an AI: words, names of files, heads of tables, what pictures carry beside their pixels."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from schemas.reading.beneath import Unopened
from schemas.reproduce.paper import PaperInput
from schemas.text.addressed import addressed
from tasks.files.tables import PAPER
from tasks.reproduce.papers.paper_files import MAX_IMAGE_BYTES, taken

TITLE = "The paper contains text that addresses an AI; it is not followed"
_MOST, _OF_ONE_PART, _LONGEST_REMARKS = 30, 5, 200_000
_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8"


def addressed_in(paper: PaperInput, folder: Path) -> tuple[str, ...]:
    """Every place where the paper or a file that it names addresses an AI, with the words; at most 30 and how many more.

    Code reads no words in the pixels of a picture.
    """
    found = [*_told("text", paper.text, True), *_told("supplement", paper.supplementary_text or "", True)]
    parts = [*_short_parts(paper), *_in_files(paper, folder)]
    if addressed("\n\n".join(text for _, text in parts)):  # one look at all; hardly a paper needs more
        found += [line for place, text in parts for line in _told(place, text, False)]
    found = list(dict.fromkeys(found))
    return (*found[:_MOST], *([f"and {len(found) - _MOST} places more"] if len(found) > _MOST else []))


def _told(place: str, text: str, lines: bool) -> list[str]:
    """What is found in one part, its first few places: one part that is full of them must not hide the others."""
    found = addressed(text)
    told = [
        f"{place}{f', line {entry.line}' if lines else ''}{f' ({entry.how})' if entry.how else ''}: {entry.words}"
        for entry in found[:_OF_ONE_PART]
    ]
    return [
        *told,
        *(
            [f"{place}: {len(found) - len(told)} or more places beside these"]
            if len(found) > len(told)
            else []
        ),
    ]


def _short_parts(paper: PaperInput) -> Iterator[tuple[str, str]]:
    yield from (("title", paper.title), ("citation", paper.citation), ("domain", paper.domain))
    yield from (("scope", words) for words in (*paper.scope.sections, *paper.scope.claims))
    for figure in paper.figures:
        yield f"caption of {figure.figure_id}", figure.caption
        yield f"name of the picture of {figure.figure_id}", figure.image or ""
        for data in figure.data:
            yield f"source of data of {figure.figure_id}", data.source
            yield f"name of a data file of {figure.figure_id}", data.file
    for material in paper.materials:
        yield f"source of the table of {material.name}", material.source
        yield f"name of the table of {material.name}", material.file


def _in_files(paper: PaperInput, folder: Path) -> Iterator[tuple[str, str]]:
    from tasks.reproduce.materials.handed_tables import LIMITS  # what fits materials takes a second to import

    for figure in paper.figures:
        if figure.image and (words := _beside_pixels(_bytes(folder, figure.image, MAX_IMAGE_BYTES))):
            yield f"metadata of the picture of {figure.figure_id}", words
        for data in figure.data:
            yield (
                f"head or remarks of a data file of {figure.figure_id}",
                _head(_bytes(folder, data.file, PAPER.bytes)),
            )
    for material in paper.materials:
        yield (
            f"head or remarks of the table of {material.name}",
            _head(_bytes(folder, material.file, LIMITS.bytes)),
        )


def _bytes(folder: Path, name: str, most: int) -> bytes:
    try:
        return taken(folder, name, most)
    except Unopened:  # a paper that is used has all its files; one that is only looked at may not
        return b""


def _head(table: bytes) -> str:
    """The lines of a table that hold words: its head and its remarks; all others are numbers."""
    lines = table.split(b"\n")
    remarks = b"\n".join([*lines[:2], *(line for line in lines[2:] if line.lstrip().startswith(b"#"))])
    return remarks[:_LONGEST_REMARKS].decode("utf-8", "replace")


def _beside_pixels(picture: bytes) -> str:
    """Text of a PNG's or JPEG's parts that hold no pixels, and of what stands behind its end."""
    parts = (
        _png_parts(picture)
        if picture.startswith(_PNG)
        else _jpeg_parts(picture)
        if picture.startswith(_JPEG)
        else iter(())
    )
    found = b"\n".join(parts)[:_LONGEST_REMARKS]
    return "\n".join(
        found[start:].decode(form, "ignore")
        for form, start in (("utf-8", 0), ("utf-16-le", 0), ("utf-16-le", 1))
    )


def _png_parts(picture: bytes) -> Iterator[bytes]:
    place = len(_PNG)
    while place + 8 <= len(picture):
        size, kind = struct.unpack(">I4s", picture[place : place + 8])
        body = picture[place + 8 : place + 8 + size]
        place += size + 12
        if kind == b"IEND":
            yield picture[place:]
            return
        if kind in (b"zTXt", b"iTXt") and (packed := body.find(b"x", body.find(b"\0"))) > 0:  # zlib begins so
            yield _unpacked(body[packed:])
        if kind != b"IDAT":
            yield body


def _unpacked(packed: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(packed, _LONGEST_REMARKS)
    except zlib.error:
        return b""


def _jpeg_parts(picture: bytes) -> Iterator[bytes]:
    place = 2
    while (
        place + 4 <= len(picture) and picture[place] == 0xFF and picture[place + 1] != 0xDA
    ):  # until its pixels begin
        size = int.from_bytes(picture[place + 2 : place + 4], "big")
        yield picture[place + 4 : place + 2 + size]
        place += 2 + max(size, 2)
    yield picture[picture.rfind(b"\xff\xd9") + 2 :]
