"""Papers as people hand them in: found, read in either form, checked, and imported from Markdown or PDF."""

from tasks.papers.bundled import BUNDLED, bundled_ids, locate, recorded_ids, recording
from tasks.papers.files import data_columns, inside
from tasks.papers.load import Reading, check_paper, load_paper, read_paper
from tasks.papers.specification import own_form

__all__ = [
    "BUNDLED",
    "Reading",
    "bundled_ids",
    "check_paper",
    "data_columns",
    "inside",
    "load_paper",
    "locate",
    "own_form",
    "read_paper",
    "recorded_ids",
    "recording",
]
