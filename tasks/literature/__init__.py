"""Literature: a local corpus and public catalogues behind one interface. What they say is data and never followed."""

from tasks.literature.bibtex import read_bibtex, to_bibtex
from tasks.literature.corpus import Corpus, read_corpus
from tasks.literature.http import Fetcher, Unanswered
from tasks.literature.of_run import library_of, literature_settings, prepare_literature
from tasks.literature.search import Library

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
