"""Literature: a local corpus and public catalogues behind one interface. What they say is data and never followed."""

from tasks.explore.retrieval.bibtex import read_bibtex, to_bibtex
from tasks.explore.retrieval.corpus import Corpus, read_corpus
from tasks.explore.retrieval.http import Fetcher, Unanswered
from tasks.explore.retrieval.of_run import library_of, literature_settings, prepare_literature
from tasks.explore.retrieval.search import Library

__all__ = ["Corpus", "Fetcher", "Library", "Unanswered", "library_of", "literature_settings", "prepare_literature",
           "read_bibtex", "read_corpus", "to_bibtex"]
