"""Sentences that may not stand, and that an agent kept to its last answer: taken out, and a note of code says so in their place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tasks.prose.comparing import sentences
from tasks.study.wording.placeholders import TAKEN_OUT, without_notes

Faults = Callable[[str], Sequence[tuple[str, str]]]
"""What may not stand in a text: each its kind, which the paper tells, and what it was, which the console tells."""


def struck(text: str, faults: Faults) -> tuple[str, list[tuple[str, str]]]:
    """The text without what `faults` finds, and each that was found: sentence by sentence, then by paragraphs, at last all."""
    if not (found := list(faults(text))):
        return text, []
    blocks = ["\n".join(_line(line, faults) for line in _lines(block)) for block in text.split("\n\n")]
    blocks = [_checked(block, faults, "a paragraph") for block in blocks]
    return _checked("\n\n".join(blocks), faults, "the text"), found


def _checked(text: str, faults: Faults, what: str) -> str:
    """The notes that are left are code's own: those of an agent went with their sentences."""
    return _note(1, wrong, what) if (wrong := faults(without_notes(text))) else text


def _lines(block: str) -> list[str]:
    return block.split("\n") if block.lstrip().startswith(("- ", "* ", "|", "#")) else [block]


def _line(line: str, faults: Faults) -> str:
    parts, out, wrong = list[str](), 0, list[tuple[str, str]]()
    for sentence in [*sentences(line), ""]:
        if sentence and (why := faults(sentence)):
            out, wrong = out + 1, [*wrong, *why]
            continue
        if out:
            parts.append(_note(out, wrong) + (" " if sentence else ""))
            out, wrong = 0, []
        parts.append(sentence)
    return "".join(parts)


def _note(count: int, wrong: Sequence[tuple[str, str]], what: str = "") -> str:
    kinds = ", ".join(dict.fromkeys(kind for kind, _ in wrong))
    return f"[{TAKEN_OUT}: {what or ('a sentence' if count == 1 else f'{count} sentences')}, for {kinds}]"
