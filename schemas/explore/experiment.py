"""What a node's agent says when its experiment is done. Its numbers are claims: code resolves them or refuses them."""

from __future__ import annotations

from pydantic import Field

from schemas.base import Model
from schemas.explore.claims import Claim


class ExperimentAnswer(Model):
    """The end of a node's work."""

    summary: str = Field(
        min_length=1,
        max_length=4000,
        description="what was tried, what came out, what it means; no number "
        "that is not in a file of this node",
    )
    claims: tuple[Claim, ...] = Field(
        (),
        max_length=40,
        description="secondary metrics, each with the file that your own execution wrote and the place in it",
    )
    run_command: str = Field("", max_length=400, description="the command that runs the experiment again")
    memory: str = Field("", max_length=2000, description="the decisive finding, for the nodes that follow")
