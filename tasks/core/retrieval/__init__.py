"""Literature: a local corpus and public catalogues behind one interface. What they say is data and never followed."""

from tasks.core.retrieval.bibtex import read_bibtex, to_bibtex
from tasks.core.retrieval.corpus import Corpus, read_corpus
from tasks.core.retrieval.http import Fetcher, Unanswered
from tasks.core.retrieval.of_run import library_of, literature_settings, prepare_literature
from tasks.core.retrieval.search import Library

__all__ = [
    "Corpus",
    "Fetcher",
    "Library",
    "Unanswered",
    "library_of",
    "literature_settings",
    "prepare_literature",
    "read_bibtex",
    "read_corpus",
    "to_bibtex",
]
