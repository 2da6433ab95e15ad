"""A server that speaks the Messages API, and the name of its key."""

from __future__ import annotations

from prefect.blocks.core import Block
from pydantic import Field

from schemas.errors import PrerequisiteError


class ModelEndpoint(Block):
    """A server that speaks the Messages API. Used by the run setting model.block = the block's name.

    It holds no key: whoever reaches Prefect's API can read a block's secrets in clear.
    """

    _block_type_name = "ReproLab model endpoint"
    _block_type_slug = "reprolab-model-endpoint"

    base_url: str | None = Field(
        None,
        title="Base URL",
        description="Address before /v1/messages, no password in it; empty for the vendor's own.",
    )
    key_variable: str | None = Field(
        None,
        title="Key's variable",
        description="NAME of the worker's environment variable that "
        "holds the key, never the key; empty for the one its keeper gave this address.",
    )
    model_name: str | None = Field(
        None, title="Model name", description="Name sent to the API; empty for the run's."
    )

    def block_initialization(self) -> None:
        """Refuses, when it is made and when it is loaded, what an earlier version kept here."""
        if "api_key" in (self.model_extra or {}):
            raise PrerequisiteError(
                "a model endpoint block holds no key: all can read it who reach the Prefect server",
                found="api_key",
                allowed="key_variable, the name of a variable of the worker's environment",
                fix="make the block anew and set that variable on the worker (docs/guide/deployment.md); a key that was kept on "
                "the server is to be replaced",
            )
