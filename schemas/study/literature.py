"""What a study found in the literature: searched by code before the plan, cited by key."""

from __future__ import annotations

from pydantic import Field

from schemas.literature.found_works import Backend, Bibliography
from schemas.study.document import Document


class Literature(Document):
    """literature.json: every query, what it found, what could not be searched.

    bibliography: all that plan and paper may cite; abstracts as agents were told of them. backends: what was asked.
    rounds: how often queries were written.
    """

    bibliography: Bibliography
    backends: tuple[Backend, ...] = Field(min_length=1)
    rounds: int = Field(ge=0, le=10)
