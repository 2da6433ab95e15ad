"""Where a run's search_papers looks, when an agent chose it; never more than the user allows."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, ValidationError

from schemas.base import Model
from schemas.literature.found_works import Backend
from schemas.reading.beneath import Unopened, read_below

FILE = "retrieval_choice.json"


class Choice(Model):
    """retrieval_choice.json."""

    backends: tuple[Backend, ...] = Field(min_length=1)


def chosen(run: Path) -> tuple[Backend, ...]:
    """The chosen backends; none where nothing was chosen (then all that are allowed)."""
    try:
        return Choice.model_validate_json(read_below(run, FILE, 10_000)).backends
    except (Unopened, ValidationError):
        return ()
