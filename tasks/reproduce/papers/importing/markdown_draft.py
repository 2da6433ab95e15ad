"""A Markdown file as a draft of a paper."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from schemas.errors import InputError
from tasks.reproduce.papers.importing.draft import Draft, Figure, figure_label, one_line, unique_id
from tasks.reproduce.papers.importing.html_tags import Picture
from tasks.reproduce.papers.importing.markdown_figures import Block, blocks_of, caption_of, captions
from tasks.reproduce.papers.importing.metadata import HEAD_CHARACTERS, citation_of, front_matter
from tasks.reproduce.papers.importing.remote import MAX_REMOTE, remote_picture
from tasks.reproduce.papers.importing.taken_pictures import PictureRefused, checked_picture, local_picture
from tasks.reproduce.papers.paper_files import MAX_IMAGE_BYTES, MAX_TEXT_BYTES

MAX_PICTURES = 200
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_DATA = re.compile(r"data:image/[a-z+.-]{1,20};base64,", re.IGNORECASE)


def read_markdown(
    path: Path,
    *,
    remote: bool = False,
    supplementary: bool = False,
    taken: Iterable[str] = (),
    say: Callable[[str], None] = lambda line: None,
) -> Draft:
    """Text, figures and head of a Markdown file. remote: whether pictures are fetched from http(s) addresses.
    supplementary: it is a supplement. taken: figure ids that are in use.

    Raises InputError if it cannot be read as text at all.
    """
    given, text, doubt = front_matter(_text(path))
    try:
        blocks, hidden = blocks_of(text)
    except RecursionError:
        raise InputError(f"{path} is nested too deeply", fix="flatten its lists and quotations") from None
    headings = [block for block in blocks if block.heading and block.text]
    title = (
        given.get("title")
        or next((b.text for b in headings if b.heading == 1), "")
        or (headings[0].text if headings else blocks[0].text if blocks else "")
    )
    draft = Draft(
        text=text, title=one_line(title, 300), head=text[:HEAD_CHARACTERS], domain=given.get("domain", "")
    )
    draft.doubts += [doubt] if doubt else []
    if not given.get("title") and not any(block.heading == 1 for block in headings):
        draft.doubts.append("no heading of the first level: the title was guessed")
    draft.citation, doubt = citation_of(draft.head, draft.title, given)
    if doubt and not supplementary:
        draft.doubts.append(doubt)
    _figures(draft, blocks, path.parent, remote, supplementary, set(taken), say)
    draft.text = _without(draft, hidden)
    return draft


def _text(path: Path) -> str:
    if path.stat().st_size > MAX_TEXT_BYTES + MAX_IMAGE_BYTES:  # pictures may stand in the text as data
        raise InputError(
            f"{path} is too large", found=f"{path.stat().st_size} bytes", allowed=f"{MAX_TEXT_BYTES} of text"
        )
    data = path.read_bytes()
    if b"\0" in data:
        raise InputError(f"{path} is no text file", found="NUL bytes", allowed="Markdown in UTF-8, or a PDF")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is no text file", found=str(error), allowed="Markdown in UTF-8, or a PDF"
        ) from error


def _figures(
    draft: Draft,
    blocks: list[Block],
    folder: Path,
    remote: bool,
    supplementary: bool,
    used: set[str],
    say: Callable[[str], None],
) -> None:
    beside, fetched = captions(blocks), 0
    found = [(number, block, picture) for number, block in enumerate(blocks) for picture in block.pictures]
    if len(found) > MAX_PICTURES:
        draft.doubts.append(f"{len(found)} pictures; only the first {MAX_PICTURES} were looked at")
    for number, block, picture in found[:MAX_PICTURES]:
        caption = one_line(caption_of(block, beside.get(number, ""), picture))
        label = figure_label(caption) or figure_label(picture.source.rpartition("/")[2])
        prefix = "figS" if supplementary else "fig"
        if supplementary and label and not label.startswith("figS"):
            label = f"figS{label.removeprefix('fig')}"
        name = unique_id(label, used, prefix=prefix)
        if label is None:
            draft.doubts.append(
                f"{name}: no figure number was found for {_shown(picture)}; it may be no figure"
            )
        elif name != label:
            draft.doubts.append(
                f"{name}: another picture of {label}; a figure has one picture, keep the right one"
            )
        figure = Figure(
            name, caption, supplementary=supplementary or name.startswith("figS"), certain=label is not None
        )
        is_remote = picture.source.lower().startswith(("http:", "https:", "//"))
        fetched += is_remote
        try:
            if is_remote and remote:
                say(f"fetching {one_line(picture.source, 100)}")
            figure.picture, figure.suffix = _picture(picture.source, folder, remote and fetched <= MAX_REMOTE)
        except PictureRefused as refused:
            draft.doubts.append(f"{name}: the picture {_shown(picture)} was not taken: {refused}")
        if _DATA.match(picture.source):
            draft.text = draft.text.replace(picture.source, f"figures/{name}{figure.suffix}")
        draft.figures.append(figure)


def _picture(source: str, folder: Path, remote: bool) -> tuple[bytes, str]:
    if _DATA.match(source):
        try:
            return checked_picture(base64.b64decode(source.partition(",")[2], validate=True))
        except binascii.Error as error:
            raise PictureRefused("its base64 data are broken") from error
    if source.lower().startswith(("http:", "https:", "//")):
        if not remote:
            raise PictureRefused(f"it is on the network; --remote fetches up to {MAX_REMOTE} pictures")
        return remote_picture("https:" + source if source.startswith("//") else source)
    if _SCHEME.match(source):
        raise PictureRefused(
            f"its address begins with {source.partition(':')[0][:20]}:, only files and http(s) are taken"
        )
    return local_picture(folder, source)


def _shown(picture: Picture) -> str:
    return repr(one_line(picture.source, 80))


def _without(draft: Draft, hidden: list[tuple[int, int]]) -> str:
    """The text without the lines of scripts, styles and comments."""
    if not hidden:
        return draft.text
    drop = {line for first, last in hidden for line in range(first, last)}
    draft.doubts.append(f"{len(drop)} lines of scripts, styles or HTML comments were left out of the text")
    return "\n".join(line for number, line in enumerate(draft.text.split("\n")) if number not in drop)
