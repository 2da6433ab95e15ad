"""Evidence: what code computes from the files a simulation wrote. It judges; log text never counts."""

from tasks.reproduce.evidence import record
from tasks.reproduce.evidence.against_data import words_against_data
from tasks.reproduce.evidence.called import as_called
from tasks.reproduce.evidence.choices import within_choices
from tasks.reproduce.evidence.controls import controls
from tasks.reproduce.evidence.doubts import lifted, lowered, open_doubts
from tasks.reproduce.evidence.echo import echo_checks
from tasks.reproduce.evidence.execution import announced_files, execution_evidence
from tasks.reproduce.evidence.free import examined
from tasks.reproduce.evidence.image import picture_evidence
from tasks.reproduce.evidence.inputs import within_inputs
from tasks.reproduce.evidence.overlay import draw_figure
from tasks.reproduce.evidence.physics import physics_evidence
from tasks.reproduce.evidence.readable import reference_findings
from tasks.reproduce.evidence.results import write_targets
from tasks.reproduce.evidence.scripted import capped
from tasks.reproduce.evidence.targets import has_metal, target_evidence
from tasks.reproduce.evidence.together import Stated, with_their_curves

__all__ = [
    "Stated",
    "announced_files",
    "as_called",
    "capped",
    "controls",
    "draw_figure",
    "echo_checks",
    "examined",
    "execution_evidence",
    "has_metal",
    "lifted",
    "lowered",
    "open_doubts",
    "physics_evidence",
    "picture_evidence",
    "record",
    "reference_findings",
    "target_evidence",
    "with_their_curves",
    "within_choices",
    "within_inputs",
    "words_against_data",
    "write_targets",
]
