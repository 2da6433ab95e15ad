"""A server that speaks the Messages API, with its key."""

from __future__ import annotations

from prefect.blocks.core import Block
from pydantic import Field, SecretStr


class ModelEndpoint(Block):
    """A server that speaks the Messages API. Used by the run setting model.block = the block's name."""

    _block_type_name = "ReproLab model endpoint"
    _block_type_slug = "reprolab-model-endpoint"

    base_url: str | None = Field(None, title="Base URL",
                                 description="Address before /v1/messages; empty for the vendor's own.")
    api_key: SecretStr | None = Field(None, title="API key", description="Kept encrypted by Prefect; empty if none.")
    model_name: str | None = Field(None, title="Model name", description="Name sent to the API; empty for the run's.")
