"""What a run may search: its settings and its own copy of the corpus, both in its folder."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from schemas.errors import InputError
from schemas.literature.retrieval import RetrievalSettings
from schemas.reading.beneath import Unopened, read_below
from tasks.files.store import atomic_write, exchange, remove_tree
from tasks.literature.corpus import names_in
from tasks.literature.search import Library

SETTINGS, CORPUS = "retrieval.json", "corpus"
_MOST_BYTES = 500_000_000


def prepare_literature(settings: RetrievalSettings, beside: Path, run_dir: Path) -> None:
    """Copy the corpus into the run and write retrieval.json; done twice, the same. Raises InputError.

    beside: where the input lies (goal.md); the corpus is `corpus` there, or what the settings name (relative to it).
    """
    source = beside / (settings.corpus or CORPUS)
    if settings.corpus and not source.is_dir():
        raise InputError(
            "the corpus is no folder", found=str(source), fix="correct retrieval.corpus, or leave it out"
        )
    draft = run_dir / f".{CORPUS}"
    remove_tree(draft)
    draft.mkdir(parents=True)
    left = _MOST_BYTES
    for name in names_in(source) if source.is_dir() else ():
        try:
            content = read_below(source, name, left, one_name=False)  # installers link files out of a cache
        except Unopened as error:
            raise InputError(
                f"the corpus cannot be copied: {name} {error}",
                allowed=f"{_MOST_BYTES} bytes in all",
                fix="take the file out of the corpus",
            ) from None
        left -= len(content)
        (draft / name).parent.mkdir(parents=True, exist_ok=True)
        (draft / name).write_bytes(content)
    if (run_dir / CORPUS).exists():
        exchange(draft, run_dir / CORPUS)
        remove_tree(draft)
    else:
        draft.rename(run_dir / CORPUS)
    atomic_write(run_dir / SETTINGS, settings.model_dump_json(indent=1))


def literature_settings(run_dir: Path) -> RetrievalSettings:
    """The run's settings; those without any network where it has none. Raises InputError for a file that does not fit."""
    if not (run_dir / SETTINGS).exists():
        return RetrievalSettings()
    try:
        return RetrievalSettings.model_validate_json(read_below(run_dir, SETTINGS, 100_000))
    except (Unopened, ValidationError) as error:
        raise InputError(
            f"{SETTINGS} of the run does not fit", found=str(error)[:300], fix="start the run anew"
        ) from None


def library_of(run_dir: Path) -> Library:
    """What the run in outputs/<goal>/<run> may search; answers are kept for all runs of these outputs."""
    return Library(
        literature_settings(run_dir),
        run_dir / CORPUS,
        run_dir.resolve().parents[1] / ".reprolab" / "retrieval",
    )
