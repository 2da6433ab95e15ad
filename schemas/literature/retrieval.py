"""Where a run looks for literature, and how politely."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from schemas.base import Model
from schemas.literature.found_works import Backend

Address = Annotated[
    str,
    Field(
        pattern=r"^https?://[A-Za-z0-9.:\[\]-]+(/[A-Za-z0-9._~/-]*)?$",
        description="http(s)://host[:port][/path], no query and no password",
    ),
]


class RetrievalSettings(Model):
    """Where related work is sought; kept as `retrieval.json`. By default no network is asked."""

    backends: tuple[Backend, ...] = Field(("corpus",), min_length=1, description="which may be asked")
    corpus: str = Field(
        "", max_length=1000, description="folder of BibTeX, Markdown, PDF; else corpus beside the input"
    )
    max_references: int = Field(20, ge=1, le=200, description="kept of a survey")
    per_query: int = Field(10, ge=1, le=50, description="of one query")
    addresses: dict[Backend, Address] = Field(
        default_factory=dict, description="another server for a catalogue (a proxy)"
    )
    contact: str = Field(
        "", pattern=r"^([A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,190})?$", description="mail, for OpenAlex"
    )
    interval_s: float = Field(
        3.0, ge=0, le=60, description="between two requests to one host, over all processes"
    )
    timeout_s: float = Field(30.0, gt=0, le=300, description="of one request")
    retries: int = Field(3, ge=0, le=8)
    longest_wait_s: float = Field(
        60.0, ge=0, le=600, description="a server that asks to wait longer is given up"
    )
    max_bytes: int = Field(10_000_000, ge=1000, le=100_000_000, description="of one answer or page")
    cache_days: float = Field(30.0, ge=0, le=3650, description="how long answers are kept")
    web_search: Address | Literal[""] = Field(
        "", description="a SearXNG server that answers JSON; without one, no web search"
    )
    fetch: bool = Field(False, description="whether pages of the web may be read")
    fetch_loopback: bool = Field(False, description="also pages of this computer; for tests")

    @model_validator(mode="after")
    def _fits(self) -> RetrievalSettings:
        if len(set(self.backends)) != len(self.backends):
            raise ValueError("backends: each once")
        if "corpus" in self.addresses:
            raise ValueError("addresses: the corpus is a folder and has none; set corpus instead")
        return self
