"""Papers as people hand them in: found, read in either form, checked, and imported from Markdown or PDF."""

from tasks.reproduce.papers.addressed import TITLE as ADDRESSED_TITLE
from tasks.reproduce.papers.addressed import addressed_in
from tasks.reproduce.papers.bundled_papers import BUNDLED, bundled_ids, locate, recorded_ids, recording
from tasks.reproduce.papers.keeping import keep_paper
from tasks.reproduce.papers.load import Reading, check_paper, load_paper, read_paper
from tasks.reproduce.papers.paper_files import MAX_TEXT_BYTES, data_columns, inside, taken
from tasks.reproduce.papers.specification import own_form

__all__ = [
    "ADDRESSED_TITLE",
    "BUNDLED",
    "MAX_TEXT_BYTES",
    "Reading",
    "addressed_in",
    "bundled_ids",
    "check_paper",
    "data_columns",
    "inside",
    "keep_paper",
    "load_paper",
    "locate",
    "own_form",
    "read_paper",
    "recorded_ids",
    "recording",
    "taken",
]
