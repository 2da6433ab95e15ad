"""Pictures shown to agents."""

from __future__ import annotations

from pydantic import Field

from schemas.base import Model


class RequestImage(Model):
    """A picture shown to the agent."""

    path: str = Field(description="absolute path; not part of the digest")
    sha256: str
    media_type: str
    caption: str
