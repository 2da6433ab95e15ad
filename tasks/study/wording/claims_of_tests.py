"""What sentences say of a study's tests (confirmed, significant, no difference, lower) beside what the tests show.

A statement belongs to the hypotheses that its clause names: by a number's name, by the hypothesis' name or number, by its
outcome; else to the one that its paragraph names. "All hypotheses" belong to all. A statement that belongs to none
is held against all and may stand if it is true of one. What is asked, expected or only possible is no statement.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from schemas.text.numbers import plain_numbers
from tasks.prose.comparing import sentences
from tasks.study.results_file import slug
from tasks.study.test_findings import Finding
from tasks.study.wording.claim_words import (
    ALL,
    HYPOTHESIS,
    MOST,
    NULL,
    ORDINALS,
    SOME,
    SPREAD,
    UNLIKE,
    Claim,
    Clause,
    Said,
    claimed,
    clauses,
)
from tasks.study.wording.equivalence_claims import of_equivalence
from tasks.study.wording.escaping import escaped
from tasks.study.wording.labels import mislabelled
from tasks.study.wording.named_levels import balanced, compared, like, mentioned, spoken
from tasks.study.wording.no_findings import (
    State,
    is_label,
    is_legend,
    is_noun,
    is_plain,
    is_question,
    of_others,
    state,
)
from tasks.study.wording.notes import noted, unchecked, with_their_numbers
from tasks.study.wording.placeholders import NOTE, PLACEHOLDER, plain_text, without_notes

_OF_LEVELS: tuple[Claim, ...] = ("lower", "higher", "differs")
_PART = re.compile(r"(pair|simple|factor|b)_")
_TELLS = re.compile(r"(?:apa|effect|statistic)\Z|(?:pair|simple|factor|b)_")
_SO_MANY = re.compile(
    r"\b(\w+) (?:of (?:the |our |these |all )?(?:\w+ )?)?(?:hypotheses|predictions|expectations)\b",
    re.IGNORECASE,
)
_PICTURE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_P = re.compile(r"\*p\* ([=<>]) (\.?\d[.\d]*)")


@dataclass(frozen=True)
class _Read:
    """Of a sentence. why: what the tests say against it; unread: whether it may state a finding that code did not read; about: of
    which tests."""

    why: str = ""
    unread: bool = False
    about: tuple[Finding, ...] = ()


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

    def marked(self, text: str, *, title: bool = False) -> tuple[str, list[tuple[str, str]]]:
        """The text with a note behind each such sentence; and these sentences, each with what the tests show. Where `everywhere`,
        sentences in a row that may state findings and that code cannot read have a note, too: once in a paragraph what the tests
        show of the outcomes that they name, else that they were not checked. title: the text is a caption."""
        found, blocks = [], []
        for block in text.split("\n\n"):
            named, lines, told = self._named_in(block), [], set[str]()
            for line in block.split("\n") if block.lstrip().startswith(("- ", "* ", "|", "#")) else [block]:
                parts, run = list[str](), list[tuple[Finding, ...]]()
                for sentence in with_their_numbers(sentences(line)):
                    own = not without_notes(sentence).strip()
                    read = _Read() if own else self._read(sentence, named, title)
                    if read.why:
                        found.append((sentence, read.why))
                    if run and not read.unread:
                        parts[-1] = noted(parts[-1], unchecked(run, told))
                        run = []
                    if read.unread:
                        run.append(read.about)
                    parts.append(noted(sentence, f"{NOTE}: {escaped(read.why)}." if read.why else ""))
                if run:
                    parts[-1] = noted(parts[-1], unchecked(run, told))
                lines.append("".join(parts))
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks), found

    def _named_in(self, block: str) -> list[Finding]:
        names = PLACEHOLDER.findall(block)
        return [
            item
            for item in self.findings
            if any(self._of(item, name) is not None for name in names)
            or self._called(item, plain_text(PLACEHOLDER.sub(" ", block)))
        ]

    def _read(self, sentence: str, named: list[Finding], title: bool) -> _Read:
        """What the tests say against a sentence; else whether any of it may state a finding that code did not read."""
        parts = clauses(_PICTURE.sub(r"\1", sentence))
        stated = [list(claimed(clause)) for clause in parts]
        admitted = any(one.kind == "not_shown" for claims in stated for one in claims)
        last: list[Finding] = []
        held: list[list[int]] = []
        for clause, claims in zip(parts, stated, strict=True):
            last = self._spoken_of(clause) or last
            why, borne_out = self._of_clause(clause, claims, last, named, admitted)
            if why:
                return _Read(why)
            held.append(borne_out)
        if why := mislabelled(sentence, self.findings, spoken, mentioned):
            return _Read(why)
        asks = is_question(sentence) and balanced(mentioned(sentence, self._levels(), bare=True))
        if (
            not self.everywhere
            or asks
            or of_others(sentence)
            or (title and is_legend(sentence, self._is_named))
        ):
            return _Read()
        states = [self._state(*pair) for pair in zip(parts, held, strict=True)]
        unread = [clause for clause, state in zip(parts, states, strict=True) if state == "unread"]
        title = title or bool(_PICTURE.search(sentence)) or sentence.lstrip().startswith("#")
        label = all(is_label(clause.words, self._is_named, title=title) for clause in parts)
        names = mentioned(sentence, self._levels(), bare=True)
        if (not unread and "none" in states) or (
            label
            and (title or not sentence.rstrip().endswith((".", "!")) or len(sentence.split()) < 4)
            and (not names or (title and balanced(names) and not re.search("[,;:]", sentence)))
        ):
            return _Read()
        return _Read("", True, self._spoken_in(unread or parts))

    def _spoken_in(self, parts: Sequence[Clause]) -> tuple[Finding, ...]:
        about = [item.id for clause in parts for item in self._spoken_of(clause)]
        return tuple(item for item in self.findings if item.id in about)

    def _state(self, clause: Clause, held: Sequence[int]) -> State:
        """Of a clause: a number that tells a whole test binds it where it names no level."""
        named = mentioned(clause.words, self._levels(), bare=True)
        tells = any(
            _TELLS.search(self._of(item, name) or "") for item in self.findings for name in clause.names
        )
        coded = any(name.startswith(("code_", "theme_")) and name in self.values for name in clause.names)
        if (tells or coded) and not named:
            return "none"
        numbered = any(name in self.values for name in clause.names)
        alone = frozenset() if balanced(named) else frozenset(re.findall(r"\w+", " ".join(named).lower()))
        return state(clause.words, self._is_named, held=held, alone=alone, numbered=numbered)

    def _levels(self) -> list[str]:
        return list(dict.fromkeys(name for item in self.findings for name in item.levels))

    def _is_named(self, word: str) -> bool:
        """Whether a word names a variable, a level or a hypothesis, or stands in a hypothesis' statement."""
        return word in self._words or any(
            spoken(name, word)
            for item in self.findings
            for name in (*item.hypothesis.variables, *item.levels)
        )

    @cached_property
    def _words(self) -> frozenset[str]:
        """What the hypotheses' statements call what they are about."""
        said = [
            word.lower()
            for item in self.findings
            for word in re.findall(r"[^\W\d_]{4,}", item.hypothesis.statement)
        ]
        names = [item.id.lower() for item in self.findings]
        return frozenset(
            [*names, *(word for word in said if is_noun(word) and not any(claimed(Clause(word, (), word))))]
        )

    def _of_clause(
        self,
        clause: Clause,
        claims: Sequence[Said],
        last: list[Finding],
        named: list[Finding],
        admitted: bool,
    ) -> tuple[str, list[int]]:
        """What the tests say against a clause; else where the statements begin that they bear out."""
        about, all_of = self._about(clause, last, named)
        mixed = len({one.kind in ("not_shown", "refuted") for one in claims}) > 1
        hypothesis = HYPOTHESIS.search(clause.words) or any(
            self._called(item, clause.words) for item in self.findings
        )
        null, held = NULL.search(clause.words), []
        for kind, before, after, at in claims:
            if kind in ("confirmed", "refuted"):
                if not hypothesis:
                    continue
                if null:
                    kind = "not_shown" if kind == "confirmed" else "shown"
            if why := self._of_parts(clause, kind):
                return why, []
            judged = [item for item in about if not self._has_parts(item, clause, kind)]
            if not all_of and kind in _OF_LEVELS:
                judged = [item for item in judged if any(compared(before, after, item.levels))]
            wrong = [
                (item, why) for item in judged if (why := self._wrong(item, kind, before, after, admitted))
            ]
            if wrong and (len(wrong) == len(judged) or (all_of and not mixed)):
                return "; ".join(f"{item.id}: {why}" for item, why in wrong[:4]), []
            true_of_all = not wrong or mixed or SOME.search(clause.words)
            if not true_of_all or self._miscounted(clause, kind, before, after):
                continue
            if any(self._has_parts(item, clause, kind) for item in about) or any(
                self._decided(item, Said(kind, before, after, at), clause) for item in judged
            ):
                held.append(at)
        return "", held

    def _miscounted(self, clause: Clause, kind: Claim, before: str, after: str) -> bool:
        """Whether a clause says of another number of hypotheses what is true of some."""
        match = _SO_MANY.search(clause.words)
        said = next(iter(plain_numbers(match[1])), None) if match else None
        right = sum(not self._wrong(item, kind, before, after, False) for item in self.findings)
        if kind in _OF_LEVELS or match is None:
            return False
        most = match[1].lower() == "most" and 2 * right <= len(self.findings)
        return most or (said is not None and said.value != right)

    def _decided(self, item: Finding, said: Said, clause: Clause) -> bool:
        """Whether a statement says something of a test that its result decides."""
        kind, before, after, at = said
        if kind in ("positive", "negative"):
            return item.signed
        if kind == "shown" and not is_plain(f"{clause.words[:at]} {after}", self._is_named):
            return False  # a difference, and in which direction no code reads
        if kind not in _OF_LEVELS:
            return (
                kind != "shown"
                or len({*(names := mentioned(f"{before} {after}", item.levels))}) != 1
                and len(names) < 3
            )
        if kind == "differs":
            kind = like(item.test.outcome, before)
        subject, reference = compared(before, after, item.levels)
        most = bool(subject in item.centres and MOST.search(before))
        return kind != "differs" and not SPREAD.search(before) and bool(subject and (reference or most))

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
        own = [item for item in self.findings if spoken(item.test.outcome, words)]
        if len({item.test.outcome for item in own}) == 1:  # of several hypotheses about one outcome
            own = [item for item in own if any(spoken(name, words) for name in item.test.predictors)] or own
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
        if (why := of_equivalence(item, kind, before, after, admitted)) is not None:
            return why
        words = item.words.replace("\\", "")
        if kind in _OF_LEVELS:
            return self._of_levels(item, kind, before, after, admitted, words)
        pair = {*mentioned(f"{before} {after}", item.levels)}
        if kind in ("shown", "not_shown") and len(pair) == 2 < len(item.levels):
            apart = any({*two} == pair for two in item.apart())
            return words if item.test.pairs and apart != (kind == "shown") else ""
        if kind in ("not_shown", "refuted"):
            return words if item.shown and not (kind == "refuted" and self._other_way(item)) else ""
        if kind == "confirmed":
            return words if not item.shown or self._other_way(item) else ""
        if kind == "shown":
            return "" if item.shown else words
        if not item.signed:  # positive or negative
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
            for kind, before, after, _ in claimed(clause)
        )

    def _of_levels(
        self, item: Finding, kind: Claim, before: str, after: str, admitted: bool, words: str
    ) -> str:
        """A level that is said to lie lower or higher than another. A comparison whose direction cannot be told says that they
        differ; one that names no level says nothing of the test."""
        if kind == "differs":
            kind = like(item.test.outcome, before)
        if SPREAD.search(before):
            return ""
        subject, reference = compared(before, after, item.levels)
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


def _below(text: str, level: float) -> bool | None:
    """Whether the last p value of code's own text lies below the level."""
    found = _P.findall(text)
    if not found:
        return None
    sign, value = found[-1]
    return sign == "<" or (sign == "=" and float(value) < level)
