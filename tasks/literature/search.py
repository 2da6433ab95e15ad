"""One way to ask every backend: a query in, references out; a backend that fails is said, the others' answers stay."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path

import httpx

from schemas.errors import InputError
from schemas.literature.found_works import Backend, QueryResult, Reference, merge
from schemas.literature.retrieval import RetrievalSettings
from schemas.text.visible import one_visible_line
from tasks.literature import arxiv, openalex, semantic_scholar
from tasks.literature.catalogue_hosts import ADDRESSES
from tasks.literature.corpus import Corpus, read_corpus
from tasks.literature.http import Fetcher, Unanswered

_CATALOGUES: Mapping[Backend, Callable[[str, int, Fetcher, str], tuple[list[Reference], bool]]] = {
    "arxiv": arxiv.search,
    "semantic_scholar": semantic_scholar.search,
    "openalex": openalex.search,
}


class Library:
    """The backends of a run. corpus: a folder; cache: folder of kept answers, shared by all runs."""

    def __init__(
        self, settings: RetrievalSettings, corpus: Path, cache: Path, client: httpx.Client | None = None
    ):
        self.settings, self._folder, self._cache = settings, corpus, cache
        self.fetcher = Fetcher(settings, cache, client=client)
        self._corpus: Corpus | None = None

    @property
    def corpus(self) -> Corpus:
        """The local corpus, read once."""
        if self._corpus is None:
            self._corpus = read_corpus(self._folder, self._cache)
        return self._corpus

    def search(self, query: str, most: int | None = None, backends: Sequence[Backend] = ()) -> QueryResult:
        """The best of each backend in turn, each work once. backends: some of those that the settings allow.

        Raises InputError for an empty query and for a backend that is not allowed.
        """
        query = one_visible_line(query, 400)
        if not any(letter.isalnum() for letter in query):
            raise InputError("the query holds no word", found=query[:60], fix="give a few technical words")
        if refused := [name for name in backends if name not in self.settings.backends]:
            raise InputError(
                "a backend is not switched on for this run",
                found=", ".join(refused),
                allowed=", ".join(self.settings.backends),
                fix="the person who starts the run allows it in the settings",
            )
        asked, most = tuple(backends or self.settings.backends), min(most or self.settings.per_query, 50)
        answers: list[list[Reference]] = []
        failures, kept = [], True
        for name in asked:
            try:
                found, cached = self._one(name, query, most)
                answers.append(found)
                kept = kept and cached
            except Unanswered as error:
                failures.append(f"{name}: {one_visible_line(error.text(), 300)}")
        failures += [f"corpus: {words}" for words in (self.corpus.faults if "corpus" in asked else ())]
        in_turn = filter(None, chain.from_iterable(zip_longest(*answers)))
        return QueryResult(
            query=query,
            backends=asked,
            references=tuple(merge([], in_turn)[:most]),
            failures=tuple(failures),
            cached=kept and bool(answers),
        )

    def _one(self, name: Backend, query: str, most: int) -> tuple[list[Reference], bool]:
        if name == "corpus":
            return self.corpus.search(query, most), True
        return _CATALOGUES[name](
            query, most, self.fetcher, self.settings.addresses.get(name) or ADDRESSES[name]
        )
