"""Figures of a Markdown text: its pictures with the captions that stand in, before or after them."""

from __future__ import annotations

from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tasks.reproduce.papers.importing.draft import figure_label
from tasks.reproduce.papers.importing.html_tags import Picture, Tags

_SCRIPTS = ("<script", "<style", "<!--")


@dataclass
class Block:
    """One block of the text: its words and its pictures. lines: where it stands in the source."""

    text: str
    pictures: list[Picture]
    heading: int = 0
    lines: tuple[int, int] = (0, 0)


def parser() -> MarkdownIt:
    """CommonMark with tables; links of every kind are kept, because they are checked where they are opened."""
    markdown = MarkdownIt("commonmark", {"html": True, "maxNesting": 40}).enable("table")
    markdown.validateLink = lambda url: True  # type: ignore[method-assign]
    return markdown


def blocks_of(text: str) -> tuple[list[Block], list[tuple[int, int]]]:
    """The blocks in their order, and the lines of scripts, styles and comments."""
    blocks: list[Block] = []
    hidden: list[tuple[int, int]] = []
    heading, tags = 0, Tags()
    for token in parser().parse(text):
        if token.type == "heading_open":
            heading = int(token.tag[1])
        elif token.type == "html_block" and token.content.lstrip().lower().startswith(_SCRIPTS):
            hidden.append(_lines(token))
        elif token.type in ("inline", "html_block"):
            _feed(token, tags)
            pictures, words = tags.taken()
            blocks.append(Block(words, pictures, heading if token.type == "inline" else 0, _lines(token)))
            heading = 0
    return blocks, hidden


def _lines(token: Token) -> tuple[int, int]:
    return (token.map[0], token.map[1]) if token.map else (0, 0)


def _feed(token: Token, tags: Tags) -> None:
    if token.type == "html_block":
        tags.feed(token.content)
    for child in token.children or []:
        if child.type == "image":
            tags.add(
                Picture(str(child.attrGet("src") or ""), child.content, str(child.attrGet("title") or ""))
            )
        elif child.type == "html_inline":
            tags.feed(child.content)
        else:
            tags.handle_data(" " if child.type in ("softbreak", "hardbreak") else child.content)


def captions(blocks: list[Block]) -> dict[int, str]:
    """Number of a block with pictures -> the paragraph beside it that names a figure.

    Captions stand all below their pictures or all above; of both ways the one that fits more pictures is taken.
    """
    below, above = _beside(blocks, 1), _beside(blocks, -1)
    return above if len(set(above.values())) > len(set(below.values())) else below


def _beside(blocks: list[Block], step: int) -> dict[int, str]:
    found = {}
    for number, block in enumerate(blocks):
        place = number
        while block.pictures and 0 <= place < len(blocks) and blocks[place].pictures:
            place += step
        if block.pictures and 0 <= place < len(blocks) and figure_label(blocks[place].text):
            found[number] = blocks[place].text
    return found


def caption_of(block: Block, beside: str, picture: Picture) -> str:
    """The best words for a picture: its figcaption, then words that name a figure (in its own paragraph, in the one beside
    it, as alternative text, as title), then any words."""
    own = block.text
    named = [
        words for words in (picture.caption, own, beside, picture.alt, picture.title) if figure_label(words)
    ]
    if picture.caption or named:
        return picture.caption or named[0]
    return max(picture.title, picture.alt, key=len) or own
