"""Where everything of a study lies (source: the specification, directory structure).

A node of a phase works in the phase's folder; a participant's nodes share the participant's folder; other parts have a
folder each, so that none holds another's. Aggregating and compiling nodes work in the phase's output folder.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from schemas.errors import StateError
from schemas.study.graph import PhaseType

INPUT, PHASES, ARTIFACTS = "input", "phases", "artifacts"
PIPELINE, MANIFEST, STATUS, META = "pipeline.json", "manifest.json", "status.json", "meta.json"
PACKAGE = "package.json"  # of artifacts/: the sign that a study came to its end
_FOLDERS: dict[PhaseType, tuple[str, ...]] = {
    PhaseType.COLLECT: ("personas",),
    PhaseType.ANALYZE: ("scripts", "figures"),
    PhaseType.SYNTHESIZE: ("sections",),
}
_JOINING = ("aggregate", "compile", "import", "plan")  # parts that make the phase's own output


def phase_of(node_id: str) -> tuple[str, PhaseType]:
    """The folder of a node's phase and its type; a revision's has a number: analyze-2. Raises StateError."""
    top = PurePosixPath(node_id).parts[0]
    name, _, number = top.partition("-")
    if name not in set(PhaseType) or (number and not number.isdigit()):
        raise StateError("the node belongs to no phase", found=node_id, allowed=", ".join(PhaseType))
    return top, PhaseType(name)


def work_path(node_id: str) -> str:
    """A node's own folder, relative to the workspace."""
    top, kind = phase_of(node_id)
    parts = PurePosixPath(node_id).parts[1:]
    if not parts:
        return f"{PHASES}/{top}"
    if len(parts) == 1 and parts[0] in _JOINING:
        return f"{PHASES}/{top}/output"
    if kind is PhaseType.COLLECT and parts[0].startswith("persona-"):
        return f"{PHASES}/{top}/personas/{parts[0]}"
    return f"{PHASES}/{top}/{'sections' if kind is PhaseType.SYNTHESIZE else 'parts'}/{'-'.join(parts)}"


def output_path(node_id: str) -> str:
    """Where a node's results lie, relative to the workspace: output/ of a phase, a part's own folder."""
    own = work_path(node_id)
    return own if len(PurePosixPath(node_id).parts) > 1 else f"{own}/output"


def skeleton(phases: Iterable[str] = tuple(PhaseType)) -> list[str]:
    """All folders of a new workspace, or of more phases such as a revision's."""
    found = [INPUT, f"{ARTIFACTS}/figures", f"{ARTIFACTS}/data", f"{ARTIFACTS}/analysis_code"]
    for name in phases:
        top, kind = phase_of(name)
        found += [
            f"{PHASES}/{top}/output",
            *(f"{PHASES}/{top}/{folder}" for folder in _FOLDERS.get(kind, ())),
        ]
    return found


def below(root: Path, relative: str) -> Path:
    """A path in the workspace. Raises StateError for one that leaves it, links followed."""
    path = root / relative
    if not path.resolve().is_relative_to(root.resolve()) or path.resolve() != root.resolve() / relative:
        raise StateError("a path leaves the workspace or leads through a link", found=relative)
    return path
