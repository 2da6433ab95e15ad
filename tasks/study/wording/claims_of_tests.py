"""What sentences say of a study's tests (confirmed, significant, no difference, lower) beside what the tests show.

A statement belongs to the hypotheses that its clause names: by a number's name, by the hypothesis' own name or number, by its
outcome; else to the one that its paragraph names. "All hypotheses" and its like belong to all. A statement that belongs to none
is held against all and may stand if it is true of one. What is asked, expected or only possible is no statement.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tasks.prose.comparing import sentences
from tasks.study.results_file import slug
from tasks.study.test_findings import Finding
from tasks.study.wording.claim_words import (
    ALL,
    AT,
    FOR,
    HYPOTHESIS,
    MOST,
    NULL,
    ORDINALS,
    SOME,
    SPREAD,
    THAN,
    UNLIKE,
    UNREAD,
    Claim,
    Clause,
    claimed,
    clauses,
    stated_nothing,
)
from tasks.study.wording.escaping import escaped
from tasks.study.wording.labels import mislabelled
from tasks.study.wording.placeholders import NOTE, PLACEHOLDER, plain_text

_OF_LEVELS: tuple[Claim, ...] = ("lower", "higher", "differs")
_PART = re.compile(r"(pair|simple|factor|b)_")
_P = re.compile(r"\*p\* ([=<>]) (\.?\d[.\d]*)")


@dataclass(frozen=True)
class ResultsReader:
    """What a text is read against. values: name -> text of each number. everywhere: also what a section that tells no results
    says of an outcome by its name only."""

    findings: Sequence[Finding]
    values: Mapping[str, str]
    level: float = 0.05
    everywhere: bool = True

    def contradictions(self, text: str) -> list[str]:
        """Each sentence that says of a test what it does not show, with what it shows."""
        return [
            f"the tests say otherwise ({why}): ...{' '.join(sentence.split())[:200]}..."
            for sentence, why in self.marked(text)[1]
        ]

    def marked(self, text: str) -> tuple[str, list[tuple[str, str]]]:
        """The text with a note behind each such sentence; and these sentences, each with what the tests show. A sentence that
        may state something of an outcome and that code cannot read has a note, too: once in a paragraph for each hypothesis."""
        found, blocks = [], []
        for block in text.split("\n\n"):
            named, lines, told = self._named_in(block), [], set()
            for line in block.split("\n") if block.lstrip().startswith(("- ", "* ", "|", "#")) else [block]:
                parts = []
                for sentence in sentences(line):
                    if why := self._why(sentence, named):
                        found.append((sentence, why))
                        bare = sentence.rstrip()
                        sentence = f"{bare} [{NOTE}: {escaped(why)}.]{sentence[len(bare) :]}"
                    elif unread := [item for item in self._unread(sentence) if item.id not in told]:
                        told |= {item.id for item in unread}
                        bare, shown = (
                            sentence.rstrip(),
                            "; ".join(f"{item.id}: {item.words}" for item in unread),
                        )
                        sentence = (
                            f"{bare} [{NOTE}: {shown.replace('_', chr(92) + '_')}.]{sentence[len(bare) :]}"
                        )
                    parts.append(sentence)
                lines.append("".join(parts))
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks), found

    def _unread(self, sentence: str) -> list[Finding]:
        """The findings whose outcome a sentence names beside words that may state something of it, where no statement was read
        and no number of theirs stands."""
        if (
            not self.everywhere
            or "[@" in sentence
            or sentence.lstrip().startswith(("![", "#", "|"))
            or NOTE in sentence
        ):
            return []
        found: list[Finding] = []
        for clause in clauses(sentence):
            read = [*claimed(clause)]
            if (
                clause.names
                or any(kind not in _OF_LEVELS for kind, *_ in read)
                or not (match := UNREAD.search(clause.words))
                or stated_nothing(clause.words[: match.start()])
            ):
                continue
            found += [
                item
                for item in self._spoken_of(clause)
                if item not in found
                and not any(
                    kind != "differs"
                    and (
                        all(pair := _compared(before, after, item.levels))
                        or (pair[0] and MOST.search(before))
                    )
                    for kind, before, after in read
                )
            ]
        return found

    def _named_in(self, block: str) -> list[Finding]:
        names = PLACEHOLDER.findall(block)
        return [
            item
            for item in self.findings
            if any(self._of(item, name) is not None for name in names)
            or self._called(item, plain_text(PLACEHOLDER.sub(" ", block)))
        ]

    def _why(self, sentence: str, named: list[Finding]) -> str:
        parts = clauses(sentence)
        stated = [list(claimed(clause)) for clause in parts]
        admitted = any(kind == "not_shown" for claims in stated for kind, *_ in claims)
        last: list[Finding] = []
        for clause, claims in zip(parts, stated, strict=True):
            last = self._spoken_of(clause) or last
            if claims and (why := self._of_clause(clause, claims, last, named, admitted)):
                return why
        return mislabelled(sentence, self.findings, _spoken, _mentioned)

    def _of_clause(
        self,
        clause: Clause,
        claims: Sequence[tuple[Claim, str, str]],
        last: list[Finding],
        named: list[Finding],
        admitted: bool,
    ) -> str:
        about, all_of = self._about(clause, last, named)
        mixed = len({kind in ("not_shown", "refuted") for kind, *_ in claims}) > 1
        hypothesis = HYPOTHESIS.search(clause.words) or any(
            self._called(item, clause.words) for item in self.findings
        )
        null = NULL.search(clause.words)
        for kind, before, after in claims:
            if kind in ("confirmed", "refuted"):
                if not hypothesis:
                    continue
                if null:
                    kind = "not_shown" if kind == "confirmed" else "shown"
            if why := self._of_parts(clause, kind):
                return why
            judged = [item for item in about if not self._has_parts(item, clause, kind)]
            if not all_of and kind in _OF_LEVELS:
                judged = [item for item in judged if any(_compared(before, after, item.levels))]
            wrong = [
                (item, why) for item in judged if (why := self._wrong(item, kind, before, after, admitted))
            ]
            if wrong and (len(wrong) == len(judged) or (all_of and not mixed)):
                return "; ".join(f"{item.id}: {why}" for item, why in wrong[:4])
        return ""

    def _spoken_of(self, clause: Clause) -> list[Finding]:
        """The findings that a clause names: by a number, by the hypothesis, by the outcome."""
        words = UNLIKE.sub(" ", clause.words)
        own = [
            item
            for item in self.findings
            if any(self._of(item, name) is not None for name in clause.names) or self._called(item, words)
        ]
        if own or not self.everywhere or "[@" in clause.sentence:
            return own
        own = [item for item in self.findings if _spoken(item.test.outcome, words)]
        if len({item.test.outcome for item in own}) == 1:  # of several hypotheses about one outcome
            own = [item for item in own if any(_spoken(name, words) for name in item.test.predictors)] or own
        return own

    def _about(self, clause: Clause, last: list[Finding], named: list[Finding]) -> tuple[list[Finding], bool]:
        """The findings that a clause speaks of, and whether what it says has to be true of all of them."""
        if own := self._spoken_of(clause):
            return own, True
        some = SOME.search(clause.words)
        if ALL.search(clause.words) and not some:
            return [*self.findings], True
        if some and HYPOTHESIS.search(clause.words):
            return [*self.findings], False
        if last or not self.everywhere or "[@" in clause.sentence:
            return last, len(last) == 1
        return (named, True) if len(named) == 1 else (named or [*self.findings], len(self.findings) == 1)

    def _of(self, item: Finding, name: str) -> str | None:
        """What follows the hypothesis in a number's name; None where the number is not of it."""
        stem = slug(item.id) + "_"
        others = (slug(other.id) + "_" for other in self.findings)
        longer = any(other.startswith(stem) and other != stem and name.startswith(other) for other in others)
        return name[len(stem) :] if name.startswith(stem) and not longer else None

    def _has_parts(self, item: Finding, clause: Clause, kind: Claim) -> bool:
        """Whether the clause speaks of a part of the test, for which the whole does not speak: a coefficient, a simple effect,
        whether a pair differs."""
        parts = [_PART.match(self._of(item, name) or "") for name in clause.names if name in self.values]
        return any(part and (part[1] in ("simple", "b") or kind not in _OF_LEVELS) for part in parts)

    def _called(self, item: Finding, words: str) -> bool:
        """Whether words call the hypothesis by its name or its number."""
        place = next(at for at, other in enumerate(self.findings) if other.id == item.id)
        called = (
            [
                re.escape(item.id).replace("_", r"[\s_-]?"),
                rf"hypothes[ei]s\s+(?:no\.?\s*)?{place + 1}\b",
                rf"{ORDINALS[place]}\s+(?:\w+\s+)?hypothesis",
            ]
            if place < len(ORDINALS)
            else [re.escape(item.id)]
        )
        if not any(re.fullmatch(r"h\d+", other.id) for other in self.findings):
            called.append(rf"H{place + 1}")
        return bool(re.search(rf"\b(?:{'|'.join(called)})\b", words, re.IGNORECASE))

    def _of_parts(self, clause: Clause, kind: Claim) -> str:
        """A statement about pairs, effects or coefficients, which the clause names."""
        texts = [
            self.values[name]
            for name in clause.names
            if name in self.values and any(_PART.match(self._of(item, name) or "") for item in self.findings)
        ]
        shown = [_below(text, self.level) for text in texts]
        if not shown or None in shown:
            return ""
        if kind in ("not_shown", "refuted"):
            return "the comparison that is named was shown" if all(shown) else ""
        return "the comparison that is named was not shown" if not any(shown) else ""

    def _wrong(self, item: Finding, kind: Claim, before: str, after: str, admitted: bool) -> str:
        """What the test shows instead; '' where the statement may stand. admitted: the sentence says that nothing was shown,
        and only describes values."""
        words = item.words.replace("\\", "")
        if kind in _OF_LEVELS:
            return self._of_levels(item, kind, before, after, admitted, words)
        pair = {*_mentioned(f"{before} {after}", item.levels)}
        if kind in ("shown", "not_shown") and len(pair) == 2 < len(item.levels):
            apart = any({*two} == pair for two in item.apart())
            return words if item.test.pairs and apart != (kind == "shown") else ""
        if kind in ("not_shown", "refuted"):
            return words if item.shown and not (kind == "refuted" and self._other_way(item)) else ""
        if kind == "confirmed":
            return words if not item.shown or self._other_way(item) else ""
        if kind == "shown":
            return "" if item.shown else words
        if item.hypothesis.relation != "association":  # positive or negative
            return ""
        return (
            words
            if not (item.shown or admitted) or (item.sign and (item.sign > 0) != (kind == "positive"))
            else ""
        )

    def _other_way(self, item: Finding) -> bool:
        """Whether the hypothesis itself says what its test does not show."""
        if item.test.direction:
            return False
        own = ResultsReader((item,), self.values, self.level)
        return any(
            kind in (*_OF_LEVELS, "positive", "negative") and own._wrong(item, kind, before, after, False)
            for clause in clauses(item.hypothesis.statement)
            for kind, before, after in claimed(clause)
        )

    def _of_levels(
        self, item: Finding, kind: Claim, before: str, after: str, admitted: bool, words: str
    ) -> str:
        """A level that is said to lie lower or higher than another. A comparison whose direction cannot be told says that they
        differ; one that names no level says nothing of the test."""
        if kind == "differs":
            kind = _like(item.test.outcome, before)
        if SPREAD.search(before):
            return ""
        subject, reference = _compared(before, after, item.levels)
        if not reference and subject in item.centres and MOST.search(before):
            reference = (min if kind == "lower" else max)(item.centres, key=item.centres.__getitem__)
        if not subject or not reference or subject == reference:
            return ""
        if not item.shown and not admitted:
            return words
        if kind == "differs" or subject not in item.centres or reference not in item.centres:
            return ""
        order = item.order(subject, reference)
        if order and (order > 0) != (kind == "higher"):
            return words
        apart = any({*pair} == {subject, reference} for pair in item.apart())
        if len(item.centres) > 2 and item.test.pairs and not admitted and not apart:
            return f"{words}; no difference of {subject} and {reference} was shown"
        return ""


def read_direction(statement: str, outcome: str, levels: Sequence[str]) -> set[int]:
    """The directions that a statement names: 1 where it says that the first of two levels lies higher, or that an association
    (no levels) is positive; -1 for the opposite."""
    found = set()
    for clause in clauses(statement):
        for kind, before, after in claimed(clause):
            if not levels and kind in ("positive", "negative"):
                found.add(1 if kind == "positive" else -1)
            if len(levels) == 2 and kind in _OF_LEVELS:
                if kind == "differs":
                    kind = _like(outcome, before)
                subject, _ = _compared(before, after, levels)
                if subject and kind != "differs":
                    found.add(1 if (kind == "higher") == (subject == levels[0]) else -1)
    return found


def _compared(before: str, after: str, levels: Sequence[str]) -> tuple[str, str]:
    """The level that is said to be lower, higher or other, and the one beside it; '' where that cannot be told."""
    than = THAN.search(after)
    first = after[: than.start()] if than else after
    beside = _mentioned(after[than.end() :], levels)[:1] if than else []
    close = _mentioned(first, levels)[:1] if FOR.match(first) else []
    if than is None and not close and len({*_mentioned(f"{before} {after}", levels)}) > 1:
        return "", ""
    [subject] = close or _mentioned(before, levels)[-1:] or _mentioned(first, levels)[:1] or [""]
    [reference] = beside or [""]
    if len(levels) == 2:
        subject = subject or next((name for name in levels if reference and name != reference), "")
        reference = reference or next((name for name in levels if subject and name != subject), "")
    return (subject, reference) if subject != reference else ("", "")


def _mentioned(words: str, levels: Sequence[str]) -> list[str]:
    """The levels that words name, in their order; a bare number is none, unless a number's name holds it."""
    found = sorted(
        (match.start(), name)
        for name in levels
        for match in re.finditer(
            rf"{AT if name.isdigit() else ''}\b{re.escape(name).replace('_', '[ _-]')}\b",
            words,
            re.IGNORECASE,
        )
    )
    return [name for _, name in found]


def _like(outcome: str, before: str) -> Claim:
    """higher, where the comparing word is the outcome's own (easier of ease); else only that they differ."""
    last = re.search(r"(\w+)\W*\Z", before)
    return (
        "higher" if last and len(outcome) >= 3 and last[1].lower()[:3] == outcome.lower()[:3] else "differs"
    )


def _spoken(name: str, words: str) -> bool:
    """Whether words name a variable, also as trusted of trust and easier of ease."""
    spaced = re.escape(name).replace("_", "[ _-]")
    ends = rf"\w{{0,3}}|(?<=\b){re.escape(name[:3])}\w*(?:er|est)" if len(name) >= 4 else "(?:s|es)?"
    return bool(re.search(rf"\b(?:{spaced}{ends})\b", words, re.IGNORECASE))


def _below(text: str, level: float) -> bool | None:
    """Whether the last p value of code's own text lies below the level."""
    found = _P.findall(text)
    if not found:
        return None
    sign, value = found[-1]
    return sign == "<" or (sign == "=" and float(value) < level)
