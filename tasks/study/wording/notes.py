"""Code's notes behind sentences of a paper: what the tests show, and that nothing held a sentence against them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.study.test_findings import Finding
from tasks.study.wording.placeholders import NOTE, PLACEHOLDER, UNCHECKED


def with_their_numbers(parts: Sequence[str]) -> list[str]:
    """Sentences, each with the numbers that stand alone behind it."""
    found: list[str] = []
    for sentence in parts:
        if found and PLACEHOLDER.search(sentence) and not re.search(r"\w", PLACEHOLDER.sub("", sentence)):
            found[-1] += sentence
        else:
            found.append(sentence)
    return found


def noted(sentence: str, note: str) -> str:
    """A sentence with a note behind it, before its space; '' for none."""
    bare = sentence.rstrip()
    return f"{bare} [{note}]{sentence[len(bare) :]}" if note else sentence


def unchecked(run: Sequence[Sequence[Finding]], told: set[str]) -> str:
    """The note behind sentences in a row that code cannot read. told: the findings that the paragraph's notes have, which grows."""
    shown = [f"{item.id}: {item.words}" for about in run for item in about if item.id not in told]
    told |= {item.id for about in run for item in about}
    note = f"the last {len(run)} sentences were {UNCHECKED}" if len(run) > 1 else UNCHECKED
    if not shown:
        return note
    what = "; ".join(dict.fromkeys(shown)).replace("_", "\\_")
    return f"{NOTE}: {what}." if len(run) == 1 else f"{NOTE}: {what}; {note}."
