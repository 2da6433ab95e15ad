"""Sentences that are recognisably no finding: what was done, asked or written down, what is unknown, only possible or left to do.

Nothing else is: a sentence that is in no form known here counts as stating something of the results.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from tasks.prose.no_finding_words import (
    ABOUT_US,
    ACTIVE,
    ADJECTIVES_FOLLOW,
    ASKING,
    AUXILIARY,
    IS,
    KNOWN,
    LOOSE,
    NAMING,
    OF_RESULTS,
    OPEN,
    OWN,
    PASSIVE,
    PASTS,
    POSSIBLE,
    PRONOUNS,
    QUESTION,
    QUESTION_WORDS,
    RESULTS,
    SEEN,
    SHOWN,
    SPLIT,
    SUBORDINATE,
    SUPPOSED,
    TELLING,
    TESTED,
    UNDER,
    VERBS,
)
from tasks.study.wording.placeholders import plain_text

_WORD = re.compile(r"[^\W_]+(?:[-.][^\W_]+)*")
State = Literal["none", "part", "unread"]
"""none: no finding; part: too little to be one, beside something else; unread: it may state something."""


def of_others(sentence: str) -> bool:
    """Whether a sentence speaks of cited work, not of this study."""
    return "[@" in sentence and not OWN.search(sentence)


def is_legend(sentence: str, named: Callable[[str], bool]) -> bool:
    """Whether a caption's sentence names nothing that was tested: what its lines and signs are."""
    words = _words(plain_text(sentence))
    return not any(named(word) for word in words) and OF_RESULTS.isdisjoint(words)


def is_question(sentence: str) -> bool:
    """Whether a sentence only asks."""
    return bool(QUESTION.match(plain_text(sentence)))


def state(
    words: str, named: Callable[[str], bool], *, held: Sequence[int], alone: frozenset[str], numbered: bool
) -> State:
    """What a clause is. named: whether a word is one of a variable, a level or a hypothesis. held: where statements begin that
    the tests bear out. alone: the words of levels, where it does not name
    several of them once each. numbered: whether it holds a number of the results by name."""
    found: State = "part"
    mode = ""
    for part in _pieces(words):
        if not _WORD.search(part.words):
            continue
        if any(part.start <= at < part.start + len(part.words) for at in held):
            mode = "held"
        elif part.joined in SUPPOSED or (part.joined == "that" and UNDER.search(part.before)):
            mode = "free"
        elif mode == "free" and (part.joined in ("when", "where") or _goes_on(part, named)):
            continue
        elif mode == "held" and part.joined in ("and", "or") and SEEN.match(part.words):
            continue
        else:
            mode, own = _of_part(part, named, alone.isdisjoint(part.tokens), numbered)
            if own == "unread":
                return "unread"
            if own == "part":
                continue
        found = "none"
    return found


def is_noun(word: str) -> bool:
    """Whether a word can only name a thing, as far as its form tells."""
    return word not in KNOWN | PASTS | AUXILIARY | SUBORDINATE and not word.endswith(
        ("er", "est", "ed", "ly")
    )


def is_label(words: str, named: Callable[[str], bool], *, title: bool = False) -> bool:
    """Whether words only name what they are about, without a verb. title: of a picture or a heading, where other nouns may
    stand, but none behind a name."""
    for part in _pieces(words):
        names = [named(token) or token in ABOUT_US for token in part.tokens]
        strange = [not (name or token in KNOWN) for token, name in zip(part.tokens, names, strict=True)]
        behind = any(name and after for name, after in zip(names, strange[1:], strict=False))
        if not is_plain(part.words, named, verbs=False) and (
            not title or behind or not any(names) or _verb(part.words, named)
        ):
            return False
    return True


@dataclass(frozen=True)
class _Piece:
    """Words between what parts a sentence. joined: what stands before them; before: the words before that; goes_on: whether a
    subordinate clause follows."""

    joined: str
    words: str
    start: int
    before: str
    goes_on: bool

    @property
    def tokens(self) -> list[str]:
        return _words(self.words)


def _pieces(text: str) -> list[_Piece]:
    found, place, joined = [], 0, ""
    for match in (*SPLIT.finditer(text), None):
        end = match.start() if match else len(text)
        words = text[place:end].strip()
        found.append(
            _Piece(
                joined,
                words,
                text.index(words, place),
                text[max(0, place - 80) : place - len(joined)],
                bool(match and match[0].lower() in SUBORDINATE),
            )
        )
        if match:
            place, joined = match.end(), match[0].lower()
    return found


def _of_part(part: _Piece, named: Callable[[str], bool], balanced: bool, numbered: bool) -> tuple[str, State]:
    """What a part is; and `free` where what is joined to it is only possible, too."""
    if balanced and part.joined in QUESTION_WORDS and ASKING.search(part.before):
        return "free", "none"
    own = any(named(token) or token in TESTED for token in part.tokens)
    if form := _form(part, named, own, balanced):
        return form, "none"
    if not own and IS.match(part.words) and is_plain(part.words, named, verbs=True):
        return "", "none"
    if numbered and balanced and is_plain(part.words, named, verbs=True):
        return "", "none"
    if is_plain(part.words, named, verbs=False):
        return "", "part" if balanced and not (own and part.joined in SUBORDINATE) else "unread"
    if TELLING.match(part.words):
        return "", "part"
    if part.joined == "as" and not SHOWN.isdisjoint(part.tokens):
        return "", "unread"
    if part.joined == "(" and len(part.tokens) == 1 and not own:
        return "", "part"
    if (NAMING.fullmatch(part.words) and part.goes_on) or (
        part.joined == "as" and len(part.tokens) == 1 and not own
    ):
        return "", "part"
    if part.joined in ("who", "which", "that") and not own and not {*part.tokens} & ABOUT_US:
        return "", "part"
    if part.joined in (":", "\u2013", "\u2014"):
        return "", "unread"
    spoken = own or any(token in ABOUT_US for token in part.tokens)
    may_tell = spoken or {*part.tokens} & AUXILIARY or _verb(" ".join(part.tokens[:3]), named)
    return "", "unread" if may_tell else "part"


def _form(part: _Piece, named: Callable[[str], bool], own: bool, balanced: bool) -> str:
    """`free` for what is only possible, `stated` for what was done or is not known; '' for neither. own: whether it names what was
    tested, beside which only known words may then stand."""
    for pattern in (POSSIBLE, OPEN, PASSIVE, ACTIVE):
        for match in pattern.finditer(part.words):
            before, after = part.words[: match.start()], part.words[match.end() :]
            if pattern is not OPEN and _verb(before, named):
                break
            if pattern is POSSIBLE:
                return "free"
            if pattern is ACTIVE and not is_plain(before, _may_act):
                break
            subject = _words(before)
            strict = own or (subject or [part.joined])[-1] in PRONOUNS
            strict = strict or (pattern is ACTIVE and not RESULTS.isdisjoint(subject))
            known = balanced and not (own and LOOSE.search(match[0])) and is_plain(f"{before} {after}", named)
            if known or not (strict or {*_words(PASSIVE.sub(" ", after))} & AUXILIARY):
                return "stated"
    return ""


def _may_act(word: str) -> bool:
    return word in ABOUT_US or word.endswith("ly")


def _goes_on(part: _Piece, named: Callable[[str], bool]) -> bool:
    """Whether a part only goes on with what is joined to it: without a verb or a subject of its own."""
    return (
        part.joined in ("and", "or", ",", "(", ")")
        and part.tokens[0] not in ABOUT_US
        and not _verb(part.words, named)
        and not any(token.endswith("s") and token not in KNOWN and not named(token) for token in part.tokens)
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _verb(text: str, named: Callable[[str], bool]) -> bool:
    """Whether words hold what may be a verb in the past, or an auxiliary one; no participle before its noun (of ordered groups)."""
    before = ""
    for token in _words(text):
        past = (
            token.endswith("ed")
            and token not in KNOWN
            and before not in ADJECTIVES_FOLLOW
            and not named(token)
        )
        if token in AUXILIARY or token in PASTS or past:
            return True
        before = token
    return False


def is_plain(text: str, named: Callable[[str], bool], *, verbs: bool = True) -> bool:
    """Whether words only name what was studied, and how. verbs: whether "is" and its like may stand among them."""
    return all(named(token) or (token in KNOWN and (verbs or token not in VERBS)) for token in _words(text))
