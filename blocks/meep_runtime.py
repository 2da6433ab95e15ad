"""A Python interpreter that has Meep."""

from __future__ import annotations

from prefect.blocks.core import Block
from pydantic import Field


class MeepRuntime(Block):
    """A Python interpreter that has Meep. Used by the run setting meep_python = "block:<the block's name>"."""

    _block_type_name = "ReproLab Meep runtime"
    _block_type_slug = "reprolab-meep-runtime"

    interpreter: str = Field(
        description="Absolute path on the worker, for example /opt/conda/envs/meep/bin/python."
    )
