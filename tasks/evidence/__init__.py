"""Evidence: what code computes from the files a simulation wrote. It judges; log text never counts."""

from tasks.evidence import record
from tasks.evidence.controls import controls
from tasks.evidence.echo import echo_checks
from tasks.evidence.execution import announced_files, execution_evidence
from tasks.evidence.free import examined
from tasks.evidence.image import picture_evidence
from tasks.evidence.overlay import draw_figure
from tasks.evidence.physics import physics_evidence
from tasks.evidence.readable import reference_findings
from tasks.evidence.results import write_targets
from tasks.evidence.scripted import capped
from tasks.evidence.targets import target_evidence
from tasks.evidence.together import with_their_curves

__all__ = ["announced_files", "capped", "controls", "draw_figure", "echo_checks", "examined", "execution_evidence",
           "physics_evidence", "picture_evidence", "record", "reference_findings", "target_evidence",
           "with_their_curves", "write_targets"]
