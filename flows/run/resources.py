"""Names of Prefect blocks in settings become paths and addresses here, just before a run is opened."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.models.access import Access
from agents.models.address import without_credentials
from flows.calls.endpoint import access
from schemas.errors import PrerequisiteError
from schemas.run.settings import ModelSettings

if TYPE_CHECKING:
    from prefect.blocks.core import Block

BLOCK = "block:"


def outputs_root(given: str) -> Path:
    """The folder for results: a path, block:NAME (an OutputsFolder), or REPROLAB_OUTPUTS or ./outputs when empty."""
    if given.startswith(BLOCK):
        from blocks import OutputsFolder

        given = load_block(OutputsFolder, given.removeprefix(BLOCK)).path
    return Path(given or os.environ.get("REPROLAB_OUTPUTS") or "outputs").expanduser().resolve()


def with_model_block(model: ModelSettings) -> tuple[ModelSettings, Access]:
    """The model's settings with the block's name replaced by what it holds, and where the model is asked with which key."""
    block = None
    if model.block:
        from blocks import ModelEndpoint

        block = load_block(ModelEndpoint, model.block)
    chosen = access(model, block)
    if block is not None:
        model = model.model_copy(
            update={
                "base_url": without_credentials(chosen.address or "") or None,
                "name": block.model_name or model.name,
            }
        )
    return model, chosen


def load_block(kind: type[Block], name: str) -> Any:
    """A block of the run's Prefect server. Raises PrerequisiteError where there is none of that name."""
    slug = kind.get_block_type_slug()
    try:
        return kind.load(name)
    except ValueError as error:
        raise PrerequisiteError(
            f"there is no block {name!r} of the kind {kind.get_block_type_name()}",
            found=str(error).splitlines()[0],
            allowed=f"a block {slug}/{name} on the Prefect server of this run",
            fix="prefect block register -m blocks, then make the block on the page Blocks; "
            "`prefect block ls` lists them",
        ) from error
