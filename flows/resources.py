"""Names of Prefect blocks in settings become paths and addresses here, just before a run is opened."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.models.access import Access
from agents.models.address import without_credentials
from flows.endpoint import access
from schemas.errors import PrerequisiteError
from schemas.settings import RunSettings

if TYPE_CHECKING:
    from prefect.blocks.core import Block

BLOCK = "block:"


def outputs_root(given: str) -> Path:
    """The folder for results: a path, block:NAME (an OutputsFolder), or REPROLAB_OUTPUTS or ./outputs when empty."""
    if given.startswith(BLOCK):
        from blocks import OutputsFolder

        given = _load(OutputsFolder, given.removeprefix(BLOCK)).path
    return Path(given or os.environ.get("REPROLAB_OUTPUTS") or "outputs").expanduser().resolve()


def meep_python(setting: str | None) -> str | None:
    """The interpreter's path: as given, or of the MeepRuntime block NAME for block:NAME."""
    if setting is None or not setting.startswith(BLOCK):
        return setting
    from blocks import MeepRuntime

    return str(_load(MeepRuntime, setting.removeprefix(BLOCK)).interpreter)


def uses_blocks(settings: RunSettings) -> bool:
    """Whether the settings name a Prefect block, so that they can be checked only with a server."""
    return bool(settings.model.block) or (settings.meep_python or "").startswith(BLOCK)


def with_blocks(settings: RunSettings) -> tuple[RunSettings, Access]:
    """The settings with block names replaced by what the blocks hold, and where the model is asked with which key."""
    model, block = settings.model, None
    if model.block:
        from blocks import ModelEndpoint

        block = _load(ModelEndpoint, model.block)
    chosen = access(model, block)
    if block is not None:
        model = model.model_copy(update={"base_url": without_credentials(chosen.address or "") or None,
                                         "name": block.model_name or model.name})
    return settings.model_copy(update={"model": model, "meep_python": meep_python(settings.meep_python)}), chosen


def _load(kind: type[Block], name: str) -> Any:
    slug = kind.get_block_type_slug()
    try:
        return kind.load(name)
    except ValueError as error:
        raise PrerequisiteError(
            f"there is no block {name!r} of the kind {kind.get_block_type_name()}", found=str(error).splitlines()[0],
            allowed=f"a block {slug}/{name} on the Prefect server of this run",
            fix="prefect block register -m blocks, then make the block on the page Blocks; "
                "`prefect block ls` lists them") from error
