"""A folder for results that all workers of a pool see."""

from __future__ import annotations

from prefect.blocks.core import Block
from pydantic import Field


class OutputsFolder(Block):
    """A folder for results. Used by a flow's parameter outputs = "block:<the block's name>"."""

    _block_type_name = "ReproLab outputs folder"
    _block_type_slug = "reprolab-outputs-folder"

    path: str = Field(
        description="Absolute path on the worker; shared between workers that continue each other's runs."
    )
