"""References to other people's work: what a search found, and the bibliography a run may cite from.

Titles, abstracts and names come from files and servers of others: they are data, shown escaped, and never followed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from itertools import count
from typing import Annotated, Literal

from pydantic import Field, model_validator

from schemas.base import Model

Backend = Literal["corpus", "arxiv", "semantic_scholar", "openalex"]
"""Where references are looked for: the local corpus, or one of three catalogues."""

CitationKey = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z][A-Za-z0-9_:-]{0,63}$",
        description="safe in BibTeX and LaTeX: letters, digits, _ : -, beginning with a letter",
    ),
]
Doi = Annotated[
    str, Field(pattern=r"^(10\.[0-9]{4,9}/[!-\[\]-z|~]{1,200})?$", description="10.1000/abc, or empty")
]
WebAddress = Annotated[
    str, Field(pattern=r"^(https?://[!-;=?-\[\]_a-z|~]{1,500})?$", description="http or https, or empty")
]
ArxivNumber = Annotated[
    str,
    Field(
        pattern=r"^([a-z-]+(\.[A-Z]{2})?/[0-9]{7}|[0-9]{4}\.[0-9]{4,5})?$",
        description="without version, or empty",
    ),
]

MAX_REFERENCES = 1000
_LITTLE_WORDS = frozenset(
    "a an the of on in for and to with from by at is are via der die das le la les des".split()
)


class Reference(Model):
    """One work. `key` is what a paper cites; `source` says who told us; `addressed`: words in it that address an AI."""

    key: CitationKey
    title: str = Field(min_length=1, max_length=500)
    authors: tuple[Annotated[str, Field(min_length=1, max_length=200)], ...] = Field(
        default=(), max_length=100, description="Given Family, in the work's order"
    )
    year: int | None = Field(default=None, ge=1000, le=2200)
    venue: str = Field(default="", max_length=300)
    abstract: str = Field(default="", max_length=8000)
    url: WebAddress = ""
    doi: Doi = ""
    arxiv: ArxivNumber = ""
    source: Backend
    entry_type: Literal["article", "book", "inproceedings", "phdthesis", "techreport", "misc"] = "misc"
    addressed: tuple[Annotated[str, Field(max_length=400)], ...] = Field(default=(), max_length=20)

    def identities(self) -> frozenset[str]:
        """What makes two entries the same work: DOI, arXiv number, or title with year (a year apart is a preprint's)."""
        title = title_words(self.title)
        found = {f"doi:{self.doi.lower()}"} if self.doi else set()
        found |= {f"arxiv:{self.arxiv}"} if self.arxiv else set()
        return frozenset(found | ({f"title:{title}"} if len(title) >= 12 else {f"title:{title}:{self.year}"}))

    def short(self) -> str:
        """A line for people and requests: names, year, title, venue."""
        names = ", ".join(self.authors[:3]) + (" et al" if len(self.authors) > 3 else "")
        return ". ".join(filter(None, (names, str(self.year or ""), self.title, self.venue)))


class QueryResult(Model):
    """Answer to one query: references best first, and what went wrong where (`failures`), in words."""

    query: str = Field(max_length=500)
    backends: tuple[Backend, ...]
    references: tuple[Reference, ...] = ()
    failures: tuple[str, ...] = ()
    cached: bool = False


class Bibliography(Model):
    """What a run may cite from; keys differ even to a program that does not tell case apart, as BibTeX."""

    references: tuple[Reference, ...] = Field(default=(), max_length=MAX_REFERENCES)
    queries: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _keys_differ(self) -> Bibliography:
        seen: set[str] = set()
        for reference in self.references:
            if reference.key.lower() in seen:
                raise ValueError(
                    f"two references have the key {reference.key!r}; keys must differ, whatever their case"
                )
            seen.add(reference.key.lower())
        return self

    def keys(self) -> frozenset[str]:
        """All keys that may be cited."""
        return frozenset(reference.key for reference in self.references)

    def get(self, key: str) -> Reference | None:
        """The reference with this key."""
        return next((reference for reference in self.references if reference.key == key), None)

    def with_results(self, results: Iterable[QueryResult]) -> Bibliography:
        """This bibliography with what is new in the results: known works keep their key, new ones get a free one."""
        merged, queries, failures = list(self.references), list(self.queries), list(self.failures)
        for result in results:
            queries += [result.query] if result.query not in queries else []
            failures += [words for words in result.failures if words not in failures]
            merged = merge(merged, result.references)
        return Bibliography(
            references=tuple(merged[:MAX_REFERENCES]), queries=tuple(queries), failures=tuple(failures)
        )


def merge(known: Iterable[Reference], new: Iterable[Reference]) -> list[Reference]:
    """Known references, completed by what a second entry of the same work tells, then the new ones, with keys that differ."""
    merged = list(known)
    keys = {reference.key.lower() for reference in merged}
    places: dict[str, list[int]] = {}
    for place, reference in enumerate(merged):
        for name in reference.identities():
            places.setdefault(name, []).append(place)
    for reference in new:
        names = reference.identities()
        alike = sorted({place for name in names for place in places.get(name, ())})
        same = next((place for place in alike if not _contradict(reference, merged[place])), None)
        if same is None:
            same = len(merged)
            merged.append(reference.model_copy(update={"key": free_key(reference.key, keys)}))
            keys.add(merged[same].key.lower())
        else:
            merged[same] = _completed(merged[same], reference)
        for name in merged[same].identities():
            if same not in (known_places := places.setdefault(name, [])):
                known_places.append(same)
    return merged


def _contradict(one: Reference, other: Reference) -> bool:
    """Same title, other work: two editions years apart (a preprint is a year or two older than its journal)."""
    if one.doi and other.doi:
        return one.doi.lower() != other.doi.lower()
    return bool(one.year and other.year and abs(one.year - other.year) > 2)


def _completed(known: Reference, other: Reference) -> Reference:
    gaps = {
        name: getattr(other, name)
        for name in ("authors", "year", "venue", "abstract", "url", "doi", "arxiv")
        if not getattr(known, name) and getattr(other, name)
    }
    found = tuple(dict.fromkeys((*known.addressed, *other.addressed)))[:20]
    return known.model_copy(update={**gaps, "addressed": found})


def title_words(title: str) -> str:
    """A title as compared: letters and digits only, without accents and case."""
    plain = unicodedata.normalize("NFKD", title).casefold()
    return " ".join(
        re.findall(r"[^\W_]+", "".join(letter for letter in plain if not unicodedata.combining(letter)))
    )


def citation_key(authors: Collection[str], year: int | None, title: str) -> str:
    """family1988word, in plain letters: the first author's family name, the year, the title's first telling word."""

    def letters(words: str) -> str:
        plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
        return re.sub(r"[^a-z]", "", plain.lower())[:20]

    family = next((letters(name.split(",")[0].split()[-1]) for name in authors if name.strip(" ,")), "")
    telling = [word for word in title_words(title).split() if word not in _LITTLE_WORDS]
    return f"{family or 'anonymous'}{year or ''}{next(filter(None, map(letters, telling)), '')}"


def free_key(key: str, taken: Collection[str]) -> str:
    """`key`, or with a, b, ..., x26, ... where another work has it."""
    lower = {other.lower() for other in taken}
    letters = (chr(97 + number) if number < 26 else f"x{number}" for number in count())
    return (
        key
        if key.lower() not in lower
        else next(longer for letter in letters if (longer := f"{key[:56]}{letter}").lower() not in lower)
    )
