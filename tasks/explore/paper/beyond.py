"""What a sentence of a paper says beyond its numbers: a note tells that nothing was held against it.

Two kinds of sentences stand bare. Those whose measured numbers carry all that they say: besides the numbers they hold only words that
name what their programs did, the metric, and how two numbers compare (which the data are held against elsewhere). And those that are
recognisably no finding: what was asked, done or defined, what is open or only possible. Causes, generalisations, what everything or
nothing does, how something scales, properties that nobody measured, formulas and headings that state something are neither.

What a node tried is told in words of its agent: they may name what a number is of, and no claim.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from schemas.explore.science_data import Number, ScienceData
from tasks.explore.paper import verdicts
from tasks.explore.paper.beyond_words import (
    AS_MUCH,
    AS_NONE,
    ASKED,
    CARRIES,
    COMPARES,
    DEED,
    DEFINES,
    ENDED,
    FORMULA,
    LIKELY,
    LONGEST,
    MARKS,
    MEASURES,
    MORE_THAN_RUN,
    NODE,
    NUMBER,
    OF_ALL,
    OTHER,
    PLACE,
    PLACES,
    QUANTITIES,
    SHOWING,
    SHOWS,
    STATES,
    STATISTICS,
    UNTOLD,
    VALUING,
    WITH_ALONE,
    WORD,
)
from tasks.explore.paper.markup import Inline, inlines, words_of
from tasks.explore.paper.own_numbers import is_measured
from tasks.explore.paper.plain_words import DOING, GRAMMAR, LIKENESS, THINGS, known_words, stem_of
from tasks.explore.paper.unbound import asks_or_cites
from tasks.prose.comparing import sentences
from tasks.prose.no_finding_words import ACTIVE, AUXILIARY, OPEN, PASSIVE, POSSIBLE, SPLIT

NOTE = "[No measurement stands beside this]."
BEYOND = "[What this says beyond its numbers was not checked]."
NOTES = "[No measurement stands beside these sentences]."
BEYONDS = "[What these sentences say beyond their numbers was not checked]."
_DOING_STEMS = frozenset(stem_of(word) for word in DOING)


@dataclass(frozen=True)
class Reader:
    """Reads sentences against the data of a run. known: words of the goal and the references, which no agent wrote."""

    data: ScienceData
    known: Collection[str] = frozenset()

    def noted(self, text: str, *, caption: bool = False) -> tuple[str, list[str]]:
        """The text with a note behind each sentence, or several in a row, that says more than numbers carry; and these sentences.
        caption: names what a picture shows."""
        found: list[str] = []
        blocks = []
        for block in text.split("\n\n"):
            lines = block.split("\n") if block.lstrip().startswith(("- ", "#")) else [block]
            blocks.append("\n".join(self._noted_line(line, found, caption) for line in lines))
        return "\n\n".join(blocks), found

    def beyond(self, sentence: str, *, caption: bool = False) -> bool:
        """Whether a sentence says more than its numbers carry, and is not recognisably no finding."""
        bare = sentence.strip()
        if bare in (NOTE, NOTES, BEYOND, BEYONDS) or bare.startswith(verdicts.NOTE):
            return False
        pieces = inlines(sentence)
        words, numbers = self._marked(pieces)
        if len(words) > LONGEST:
            return True
        if asks_or_cites(pieces, words) or not (WORD.search(words) or FORMULA in words):
            return False
        title = caption or words.lstrip(" -").startswith("#") or sentence.lstrip().startswith("- ")
        defines = DEFINES.search(words) is not None
        if any(piece.kind == "math" and STATES.search(piece.text) and not defines for piece in pieces):
            return True
        return any(self._unread(clause, of, numbers, title) for clause, of in self._clauses(words, numbers))

    def _noted_line(self, line: str, found: list[str], caption: bool) -> str:
        parts, run = list[str](), list[str]()
        for sentence in [*sentences(line), ""]:
            if sentence and self.beyond(sentence, caption=caption):
                run.append(sentence)
            elif run and (not sentence or sentence.strip()):
                bare = parts[-1].rstrip()
                end = "" if bare.endswith((".", "!", "?", "]")) else "."
                parts[-1] = f"{bare}{end} {self._note(run)}{parts[-1][len(bare) :]}"
                found += [each.strip() for each in run]
                run = []
            parts.append(sentence)
        return "".join(parts)

    def _note(self, run: list[str]) -> str:
        beside = any(is_measured(number) for sentence in run for number in self._marked(inlines(sentence))[1])
        if len(run) == 1:
            return BEYOND if beside else NOTE
        return BEYONDS if beside else NOTES

    def _marked(self, pieces: Collection[Inline]) -> tuple[str, list[Number]]:
        """The words with a mark for each number, and the numbers."""
        words, numbers = "", []
        for piece in pieces:
            number = self.data.numbers.get(piece.name) if piece.kind == "number" else None
            if number is not None:
                numbers.append(number)
                words += NUMBER
            elif piece.kind == "reference":
                words += PLACE
            elif piece.kind == "math":
                words += FORMULA
            else:
                words += NODE.sub(OTHER, words_of(piece)) or OTHER
        return words, numbers

    def _clauses(self, words: str, numbers: list[Number]) -> Iterator[tuple[str, list[Number]]]:
        """The parts of a sentence that are neither asked nor only possible, each with its numbers."""
        words = AS_MUCH.sub(r"\1 than", PLACES.sub(PLACE, ASKED.sub(" ", words)))
        at, free, place, joined, before = len(numbers) - words.count(NUMBER), False, 0, "", ""
        for match in (*SPLIT.finditer(words), None):
            part = words[place : match.start() if match else len(words)]
            place, after = (match.end(), match[0].lower()) if match else (0, "")
            if after in (",", "and", "or") and NUMBER not in part and part.strip() and self._only_names(part):
                before, joined = f"{before} {part}", joined if before else joined
                continue
            part, before = f"{before} {part}", ""
            of = numbers[at : at + part.count(NUMBER)]
            at += len(of)
            reason = joined in ("because", "since", "as")
            may = (
                not of
                and not reason
                and (POSSIBLE.search(part) or LIKELY.search(part) or UNTOLD.search(part))
            )
            free = bool(may) or (free and joined in (",", "and", "or", "(", ")", "that") and not of)
            if not free and joined not in ("whether", "if"):
                yield (
                    (
                        f"{joined} {part}"
                        if reason
                        else f"{part}:"
                        if after == ":" and not words[place:].strip()
                        else part
                    ),
                    of,
                )
            joined = after

    def _only_names(self, part: str) -> bool:
        words = WORD.findall(MARKS.sub(" ", part).lower())
        return all(self._plain(word, self._names(())) for word in words)

    def _unread(self, clause: str, of: list[Number], every: list[Number], title: bool) -> bool:
        """of, every: the numbers of the clause, and of its sentence."""
        words = WORD.findall(MARKS.sub(" ", clause).lower())
        if (
            not words
            or (len(words) == 1 and {words[0], stem_of(words[0])} & (GRAMMAR | THINGS))
            or clause.strip().lower() in AS_NONE
        ):
            return False
        nodes = {number.node_id for number in of or every} - {""}
        names = self._names(nodes)
        called = {word for number in of or every for word in re.findall(r"[a-z]+", number.name)} - MEASURES
        told = WITH_ALONE.sub(r"\1", self._told(clause, nodes))
        told = " ".join(word for word in told.split() if word.strip(",;:()").lower() not in called)
        if (deed := DEED.match(told)) and not MORE_THAN_RUN.search(deed[0]) and self._deed(deed[0], names):
            told = told[deed.end() :]
        left = WORD.findall(MARKS.sub(" ", told).lower())
        if SHOWS.search(clause):
            return not all(self._plain(word, names) or word in SHOWING for word in left)
        if MORE_THAN_RUN.search(told):
            return True
        done = [
            match for pattern in (PASSIVE, ACTIVE, OPEN, ENDED, DEFINES) for match in pattern.finditer(told)
        ]
        measured = any(is_measured(number) for number in every)
        if not measured and any(
            all(self._plain(word, names) for word in _rest(told, match)) for match in done
        ):
            return False
        if not title and OF_ALL.search(told):
            return True
        if all(word in GRAMMAR or word in STATISTICS or word in AUXILIARY for word in left):
            return False
        carried = all(word in CARRIES or self._names_it(word, names) for word in left)
        if measured:
            return not carried or self._of_another(left, of or every)
        if not COMPARES.isdisjoint(left):
            return True
        if of or title:
            return not self._deed(ENDED.sub(" ", told), names)
        introduces = clause.rstrip().endswith(":")
        return not all(self._names_it(word, names) and (introduces or word not in AUXILIARY) for word in left)

    def _deed(self, phrase: str, names: Collection[str]) -> bool:
        """Whether words only tell what was done: nouns, and verbs that do not state."""
        words = WORD.findall(MARKS.sub(" ", phrase).lower())
        return all(
            self._plain(word, names) or (word.endswith("ed") and stem_of(word) in _DOING_STEMS)
            for word in words
        )

    def _told(self, clause: str, nodes: Collection[str]) -> str:
        """The clause without runs of words that tell what these nodes tried, as it was proposed."""
        tokens = clause.split()
        stems = [stem_of(token.strip("(),.;:").lower()) for token in tokens]
        tried = [
            tuple(stem_of(word) for word in WORD.findall(found.direction.lower()))
            for found in self.data.configurations
            if found.node_id in nodes
        ]
        pairs = {pair for words in tried for pair in zip(words, words[1:], strict=False)}
        out, at = [], 0
        while at < len(tokens):
            end = at
            while end + 1 < len(tokens) and (stems[end], stems[end + 1]) in pairs:
                end += 1
            out += [] if end > at else [tokens[at]]
            at = end + 1
        return " ".join(out)

    @cached_property
    def _given(self) -> frozenset[str]:
        """Words that name what the goal is about."""
        return (
            frozenset(known_words((self.data.title, self.data.question)))
            - DOING
            - GRAMMAR
            - VALUING
            - COMPARES
        )

    @cached_property
    def _names_of(self) -> dict[frozenset[str], frozenset[str]]:
        return {}

    def _names(self, nodes: Collection[str]) -> frozenset[str]:
        """Words and stems that name what these nodes (or all of them) tried, what the goal is about, and the metric."""
        key = frozenset(nodes)
        if key not in self._names_of:
            tried = [found.direction for found in self.data.configurations if not key or found.node_id in key]
            metric = re.findall(r"[a-z]+", self.data.summary_stats.primary_metric.lower())
            words = self._given | (frozenset(known_words(tried)) - GRAMMAR - LIKENESS) | frozenset(metric)
            self._names_of[key] = words | frozenset(map(stem_of, words))
        return self._names_of[key]

    def _names_it(self, word: str, names: Collection[str]) -> bool:
        return all(part in GRAMMAR or part in names or stem_of(part) in names for part in word.split("-"))

    def _plain(self, word: str, names: Collection[str]) -> bool:
        stem = stem_of(word)
        if word in CARRIES and word not in COMPARES:
            return True
        return (
            self._names_it(word, names)
            or word in THINGS
            or stem in THINGS
            or word in self.known
            or word.endswith("ing")
            or word in LIKENESS
        )

    def _of_another(self, left: Collection[str], of: Collection[Number]) -> bool:
        """Whether a clause speaks of a quantity that is not in the names of its numbers."""
        named = {
            stem_of(word)
            for number in of
            for word in re.findall(r"[a-z]+", f"{number.name} {number.key} {number.what}".lower())
        }
        return any(word in QUANTITIES and stem_of(word) not in named for word in left)


def _rest(clause: str, match: re.Match[str]) -> list[str]:
    return WORD.findall(MARKS.sub(" ", f"{clause[: match.start()]} {clause[match.end() :]}").lower())
