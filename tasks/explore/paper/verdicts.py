"""Words that compare (faster, worse, no difference) beside what the data say of the numbers named in the same sentence.

A sentence is judged where it names two values of one metric, a gain, or one value and what it is compared with ("the program it
was made from", "the first program"). Where the order of the two cannot be told from the sentence, it contradicts only if it
sees a difference where there is none, or none where there is one. Of a metric that is not the primary one nobody said in which
direction it is good: lower, higher and no difference are judged by the values, better and worse only where they do not differ.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from schemas.explore.science_data import Number, ScienceData
from schemas.text.addressed.fold import latin
from tasks.explore.data.derived import NOISE
from tasks.explore.nodes.provided import PROVIDED
from tasks.explore.paper.markup import inlines, words_of
from tasks.explore.search.measured_beside import coverage
from tasks.prose.comparing import THAN, WORDS, Compared, asked, denied, sentences

Relation = Literal["better", "worse", "no_difference"]
Claimed = Compared | Literal["not_better", "not_worse"]
_OTHER: dict[Relation, Relation] = {"better": "worse", "worse": "better", "no_difference": "no_difference"}
_SAME, _LEAST = 1e-9, 0.01
NOTE = "[By the data of this run"
_IN_ITS_NAME = latin(NOTE)
_TURNED = re.compile(
    r"\b(?:compared|against|versus|relative|unlike|while|whereas|from|than)\b", re.IGNORECASE
)
_OF_ANOTHER = re.compile(  # the other follows
    r"outperform|outd|beat|surpass|trump|eclipse|topp?[es]|undercut|exceed|(?:below|under|above|over|to|of|behind|against)\Z",
    re.IGNORECASE,
)
_PARENT = re.compile(
    r"\b(?:made from|its parent|the parent|derived from|difference beyond the noise|inside the noise|"
    r"within the noise|no difference)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(r"\b(?:first (?:program|one|version|candidate)|baseline)\b", re.IGNORECASE)
_PROVIDED = re.compile(
    r"\bas (?:it was |they were )?(?:provided|supplied|given)\b|\b(?:provided|supplied|unmodified|"
    r"untouched|given) "
    r"(?!(?:that|by|in|with|as|for|an?|the|to|from|at|on|and|or|here|beforehand)\b)[a-z]",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r";|,\s+(?:while|whereas|but|and)\s")
_MARK = "\x01"


@dataclass(frozen=True)
class _Clause:
    """Words with a mark for each number, and the numbers in their order."""

    words: str
    numbers: tuple[Number, ...]


def contradictions(text: str, data: ScienceData) -> list[str]:
    """Each sentence that says of two data what they do not show, with what they do."""
    return [
        f"the data contradict it ({why}): ...{sentence.strip()[:160]}..."
        for sentence in _sentences(text)
        if (why := contradiction(sentence, data))
    ]


def marked(text: str, data: ScienceData) -> tuple[str, list[str]]:
    """The text with a note behind each sentence that the data contradict, and these sentences."""
    found: list[str] = []
    blocks = []
    for block in text.split("\n\n"):
        lines = []
        for line in _lines(block):
            parts = sentences(line)
            out = []
            for at, part in enumerate(parts):
                note = _note(part, data)
                if note and not (at + 1 < len(parts) and parts[at + 1].strip() == note):
                    found.append(part.strip())
                    bare = part.rstrip()
                    end = "" if bare.endswith((".", "!", "?")) else "."  # else the note would be part of it
                    part = f"{bare}{end} {note}{part[len(bare) :]}"
                out.append(part)
            lines.append("".join(out))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks), found


def forged(text: str, data: ScienceData) -> list[str]:
    """Notes in the name of the data that are not, word for word, what code says of the sentence before them."""
    found = []
    for block in text.split("\n\n"):
        for line in _lines(block):
            parts, rest = sentences(line), ""
            for before, part in zip(["", *parts], parts, strict=False):
                if part.strip() != (_note(before, data) or None):
                    rest += part
            if _IN_ITS_NAME in latin(rest):
                found.append(
                    f"only code says what the data of this run say, in a note of its own: ...{rest.strip()[:160]}..."
                )
    return found


def _note(sentence: str, data: ScienceData) -> str:
    why = contradiction(sentence, data)
    return f"{NOTE}: {why}]." if why else ""


def contradiction(sentence: str, data: ScienceData) -> str:
    """What the data say instead, as markup with the numbers by name; '' where the sentence may stand."""
    if sentence.startswith(NOTE) and len(parts := sentence.rstrip().split("]")) == 2 and parts[1] == ".":
        return ""  # a note; that code wrote it is for `forged` to see
    for clause in _clauses(sentence, data):
        if clause.numbers and _PROVIDED.search(clause.words) and (why := _not_as_provided(clause, data)):
            return why
        for kind, pattern in WORDS:
            for match in pattern.finditer(clause.words):
                if why := _judged(clause, kind, match, data):
                    return why
    return ""


def _sentences(text: str) -> list[str]:
    return [part for block in text.split("\n\n") for line in _lines(block) for part in sentences(line)]


def _lines(block: str) -> list[str]:
    return block.split("\n") if block.lstrip().startswith("- ") else [block]


def _clauses(sentence: str, data: ScienceData) -> list[_Clause]:
    """The sentence, or its parts where each names a number of its own."""
    words, numbers = "", []
    for piece in inlines(sentence):
        number = data.numbers.get(piece.name) if piece.kind == "number" else None
        if number is not None and (
            number.kind == "measured" or number.kind == "derived" and number.derived_from
        ):
            words += _MARK
            numbers.append(number)
        else:
            words += words_of(piece) or " "
    if not numbers:
        return []
    parts = _CLAUSE.split(words)
    if len(parts) > 1 and all(_MARK in part for part in parts):
        found, at = [], 0
        for part in parts:
            count = part.count(_MARK)
            found.append(_Clause(part, tuple(numbers[at : at + count])))
            at += count
        return found
    return [_Clause(words, tuple(numbers))]


def _judged(clause: _Clause, kind: Claimed, match: re.Match[str], data: ScienceData) -> str:
    before, after = clause.words[: match.start()], clause.words[match.end() :]
    if asked(before):
        return ""
    if kind != "no_difference" and denied(before):
        if kind not in ("better", "worse"):
            return ""
        kind = "not_better" if kind == "better" else "not_worse"
    pairs = [number for number in clause.numbers if number.kind == "derived"]
    values = list({number.node_id: number for number in clause.numbers if number.kind == "measured"}.values())
    if len({number.key for number in clause.numbers}) != 1:
        return ""
    if len(pairs) == 1 and len(values) < 2:
        found = _of_gain(pairs[0], data)
        return "" if kind in ("lower", "higher") else _said(kind, found, pairs[0], None, certain=True)
    if len(values) == 2 and not pairs:
        first, second = values
        if first.key != data.summary_stats.primary_metric:
            return _said_of_another(kind, first, second, certain=_in_order(before, match[0], after))
        certain = _in_order(before, match[0], after)
        if certain or kind not in ("lower", "higher"):  # else what is lower need not be the value
            return _said(kind, relation(first, second, data), first, second, certain=certain)
    if len(values) == 1 and not pairs and kind not in ("lower", "higher"):
        other = _unnamed(clause.words, values[0], data)
        if other is not None:
            return _said(kind, relation(values[0], other, data), values[0], other, certain=True)
    return ""


def _in_order(before: str, said: str, after: str) -> bool:
    """Whether it is the first of two values that is said to be so beside the second."""
    return (
        before.count(_MARK) == 1
        and after.count(_MARK) == 1
        and not _TURNED.search(before)
        and bool(_OF_ANOTHER.search(said) or THAN.search(after[: after.index(_MARK)]))
    )


def _said_of_another(kind: Claimed, first: Number, second: Number, *, certain: bool) -> str:
    """`_said` for a metric that is not the primary one: by the values alone."""
    if first.unit != second.unit or first.node_id == second.node_id or kind in ("not_better", "not_worse"):
        return ""
    same = abs(first.value - second.value) <= _noise(first, second)
    if kind in ("lower", "higher"):
        wrong = certain and (same or (first.value < second.value) != (kind == "lower"))
    else:
        wrong = same != (kind == "no_difference")
    words = "no different beyond the noise" if same else "lower" if first.value < second.value else "higher"
    return f"{{{{{first.name}}}}} against {{{{{second.name}}}}} is {words}" if wrong else ""


def _not_as_provided(clause: _Clause, data: ScienceData) -> str:
    """A number that is said to be of the files as provided, where it is another's; '' where it may stand."""
    number = clause.numbers[0]
    of = {
        found.name.partition(".")[0]: found
        for found in data.numbers.values()
        if found.key == number.key
        and found.kind == "measured"
        and found.name.startswith(("baseline.", f"{PROVIDED}."))
    }
    if PROVIDED not in of:
        first = of.get("baseline")
        return (
            f"{{{{{first.name}}}}} is of the first program that a node made; the files as provided were not measured"
            if first
            else ""
        )
    before = clause.words[: clause.words.index(_MARK)]
    its = of[PROVIDED]
    if (
        len(clause.numbers) > 1
        or number.kind != "measured"
        or not _PROVIDED.search(before)
        or _TURNED.search(before)
        or abs(number.value - its.value) <= _noise(number, its)
    ):
        return ""
    return f"{{{{{number.name}}}}} is of node {number.node_id}; the files as provided have {{{{{its.name}}}}}"


def _unnamed(words: str, number: Number, data: ScienceData) -> Number | None:
    """The number of the program that a value is compared with by words only: its parent's, the first one's."""
    metric = number.name.partition(".")[2]
    if _PROVIDED.search(words):
        return data.numbers.get(f"{PROVIDED}.{metric}")
    if _FIRST.search(words):
        return data.numbers.get(f"baseline.{metric}")
    if _PARENT.search(words):
        parent = next(
            (found.parent_id for found in data.configurations if found.node_id == number.node_id), ""
        )
        return data.numbers.get(f"{parent}.{metric}") if parent else None
    return None


def _said(
    kind: Claimed, found: Relation | None, first: Number, second: Number | None, *, certain: bool
) -> str:
    """What the data say, where the claim contradicts it. certain: the claim is of the first beside the second."""
    if found is None:
        return ""
    if kind == "no_difference":
        wrong = found != "no_difference"
    elif kind == "differs":
        wrong = found == "no_difference"
    elif kind in ("not_better", "not_worse"):
        wrong = certain and found == kind.removeprefix("not_")
    elif not certain:
        wrong = found == "no_difference"
    elif kind in ("lower", "higher"):
        assert second is not None
        wrong = found == "no_difference" or (first.value < second.value) != (kind == "lower")
    else:
        wrong = found != kind
    if not wrong:
        return ""
    words = {"no_difference": "no difference beyond the noise", "better": "better", "worse": "worse"}[found]
    if second is None:
        return f"{{{{{first.name}}}}} means {words}"
    return f"{{{{{first.name}}}}} against {{{{{second.name}}}}} is {words}"


def relation(first: Number, second: Number, data: ScienceData) -> Relation | None:
    """The first beside the second, as it was compared in the search where it was; None where it cannot be told."""
    if first.key != second.key or first.unit != second.unit or first.node_id == second.node_id:
        return None
    if first.key != data.summary_stats.primary_metric:
        return None  # nobody said in which direction it is good
    parents = {found.node_id: found for found in data.configurations}
    for one, other, turned in ((first, second, False), (second, first, True)):
        mine = parents.get(one.node_id)
        if mine is not None and mine.parent_id == other.node_id and mine.against_parent:
            return _OTHER[mine.against_parent] if turned else mine.against_parent
        gain = data.numbers.get(f"best.{one.name.partition('.')[2]}.gain")
        if gain is not None and gain.derived_from == (_own(one), _own(other)):
            found = _of_gain(gain, data)
            return _OTHER[found] if turned and found else found
    return _by_values(first, second, data)


def _own(number: Number) -> str:
    """best.time and baseline.time are second names of a node's."""
    return f"{number.node_id}.{number.name.partition('.')[2]}"


def _of_gain(number: Number, data: ScienceData) -> Relation | None:
    """What a gain, a ratio or a change in percent says."""
    stem, _, kind = number.name.rpartition(".")
    gain = data.numbers.get(f"{stem}.gain")
    if gain is None or kind not in ("gain", "ratio", "change"):
        return None
    return "no_difference" if gain.what.endswith(NOISE) else "better" if gain.value > 1 else "worse"


def _by_values(first: Number, second: Number, data: ScienceData) -> Relation:
    distance = first.value - second.value
    if abs(distance) <= _noise(first, second):
        return "no_difference"
    return "better" if (distance > 0) == (data.summary_stats.direction == "higher") else "worse"


def _noise(first: Number, second: Number) -> float:
    """The difference of two values that is none."""
    scale = max(abs(first.value), abs(second.value))
    spread = ((first.uncertainty or 0.0) ** 2 + (second.uncertainty or 0.0) ** 2) ** 0.5
    return max(coverage(max(min(first.n, second.n), 2)) * spread, _LEAST * scale) if spread else _SAME * scale
