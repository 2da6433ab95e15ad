"""Why a piece of evidence could not be computed. The message becomes a reason in the evidence itself."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.errors import ReproLabError
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.execution import Execution
from tasks.reproduce.evidence.rung import Rung


class EvidenceError(ReproLabError):
    """A value that should judge cannot be had; the target fails with this message."""


class OtherCurve(EvidenceError):
    """The curve was computed over all that the target looks at, and lacks the feature that the paper's has: a disagreement.

    rung: where it lacks it, if two resolutions say so.
    """

    rung: Rung | None = None


class TooCoarse(EvidenceError):
    """The paper's data have the feature, and too few samples to say where."""


class FileChanged(EvidenceError):
    """A collected file is missing, lies elsewhere, or is not the file that was hashed after the run."""


class UnitError(EvidenceError):
    """Two units that do not measure the same thing."""


def unanswered(executions: Sequence[Execution], target: Target, where: str = "") -> EvidenceError:
    """That no dataset answers a target: what to do differs for a description, which saves no columns itself, and a script."""
    return EvidenceError(
        f"no dataset answers target {target.target_id!r}{where}",
        found=", ".join(d.dataset_id for e in executions for d in e.datasets) or "no dataset at all",
        allowed=f'a dataset whose targets name "{target.target_id}"',
        fix="look at why its scene or sweep gave no value"
        if executions and all(e.described for e in executions)
        else f'save the column with targets={{column: "{target.target_id}"}}',
    )
