"""The public catalogues and where they answer; a setting may name another server (`RetrievalSettings.addresses`)."""

from __future__ import annotations

from schemas.literature.found_works import Backend

ADDRESSES: dict[Backend, str] = {
    "arxiv": "https://export.arxiv.org/api",
    "semantic_scholar": "https://api.semanticscholar.org/graph/v1",
    "openalex": "https://api.openalex.org",
}
AGENT = "ReproLab/0.1 (literature search; one request at a time)"
