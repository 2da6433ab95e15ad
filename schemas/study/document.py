"""What every JSON artifact of a study has in common."""

from __future__ import annotations

from pydantic import Field

from schemas.base import Model

MAX_TEXT = 20_000


class Document(Model):
    """A JSON artifact. notice: who the participants were; filled by code when they are simulated."""

    notice: str = Field("", max_length=400, description="filled by code; leave empty")
