"""Names of Prefect blocks in a reproduction's settings become paths and addresses here, just before the run is opened."""

from __future__ import annotations

from agents.models.access import Access
from flows.run.resources import BLOCK, load_block, outputs_root, with_model_block
from schemas.reproduce.settings import RunSettings

__all__ = ["BLOCK", "meep_python", "outputs_root", "uses_blocks", "with_blocks"]


def meep_python(setting: str | None) -> str | None:
    """The interpreter's path: as given, or of the MeepRuntime block NAME for block:NAME."""
    if setting is None or not setting.startswith(BLOCK):
        return setting
    from blocks import MeepRuntime

    return str(load_block(MeepRuntime, setting.removeprefix(BLOCK)).interpreter)


def uses_blocks(settings: RunSettings) -> bool:
    """Whether the settings name a Prefect block, so that they can be checked only with a server."""
    return bool(settings.model.block) or (settings.meep_python or "").startswith(BLOCK)


def with_blocks(settings: RunSettings) -> tuple[RunSettings, Access]:
    """The settings with block names replaced by what the blocks hold, and where the model is asked with which key."""
    model, chosen = with_model_block(settings.model)
    return settings.model_copy(
        update={"model": model, "meep_python": meep_python(settings.meep_python)}
    ), chosen
