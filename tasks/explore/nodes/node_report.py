"""node_report.json: built from what is on disk and what code computed; nothing in it is taken on a node's word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from schemas.explore.claims import NodeRecord
from schemas.explore.evaluation import AxisScore
from schemas.explore.node_report import Artifact, FilesChanged, NodeReport, SelfAssessment
from schemas.explore.tree import Node
from schemas.reading.beneath import Unopened, open_below, read_below
from schemas.text.visible import one_visible_line
from tasks.explore.nodes.node_files import role_of

CONCERN_BELOW, HINT_BELOW = 0.4, 0.7
_MOST_ARTIFACTS, _SCRIPT_BYTES = 500, 64_000
_SCRIPTS = ("run_job.sh", "run.sh", "reproduce.sh", "job.sh")
_BUILD = re.compile(
    r"\s*((?:gcc|g\+\+|clang|clang\+\+|nvcc|gfortran|mpicc|mpicxx|mpif90|cc|c\+\+|make|cmake|cargo build|"
    r"python3? setup\.py)\b[^\n]*)"
)
_RUN = re.compile(r"\s*((?:\./|python3?\s|mpirun\s|mpiexec\s|srun\s|julia\s|Rscript\s|bash\s)[^\n]*)")


def build_report(
    node: Node, work: Path, changed: FilesChanged, after: Mapping[str, str], record: NodeRecord | None = None
) -> NodeReport:
    """The report of a node that ended.

    changed, after: from `difference.files_changed` and `files.snapshot`. The direction is the one it was made with.
    """
    evaluation = node.evaluation
    axes = [axis for axis in evaluation.axes if axis.by == "model"] if evaluation else []
    build, run = _commands(work, record)
    return NodeReport(
        node_id=node.id,
        parent_id=node.parent,
        depth=node.depth,
        label=node.label,
        status=node.status,
        original_direction=node.direction,
        files_changed=changed,
        delta_vs_parent=evaluation.comparison if evaluation else None,
        has_real_data=bool(evaluation and evaluation.has_real_data),
        self_assessment=SelfAssessment(
            succeeded=node.works,
            headline=(evaluation.headline if evaluation else "") or one_visible_line(node.failure, 300),
            concerns=tuple(_words(axis) for axis in axes if axis.score < CONCERN_BELOW),
        ),
        next_steps_hints=tuple(_words(axis) for axis in axes if CONCERN_BELOW <= axis.score < HINT_BELOW),
        refused=evaluation.refused if evaluation else (),
        build_command=build,
        run_command=run,
        artifacts=_artifacts(work, after, record),
    )


def _words(axis: AxisScore) -> str:
    return f"{axis.axis} ({axis.score:.2f}): {one_visible_line(axis.reason, 300)}"


def _artifacts(work: Path, after: Mapping[str, str], record: NodeRecord | None) -> tuple[Artifact, ...]:
    typed: dict[str, bool] = {}
    for execution in record.executions if record else ():
        typed.update({file.path: execution.kind == "write" for file in execution.written})
    found = []
    for path in sorted(after)[:_MOST_ARTIFACTS]:
        try:
            with open_below(work, path, 4 << 30) as stream:
                start = stream.read(4)
                size = stream.seek(0, 2)
        except Unopened:
            continue
        role = role_of(path, typed=typed.get(path), start=start)
        found.append(Artifact(path=path, role=role, sha256=after[path], bytes=size))
    return tuple(found)


def _commands(work: Path, record: NodeRecord | None) -> tuple[str, str]:
    """How it is built and run: the last commands of executions that ended well, else lines of its scripts. Best effort."""
    build = run = ""
    for execution in record.executions if record else ():
        if execution.kind == "run" and execution.exit_code == 0:
            lines = execution.command.splitlines()
            build, run = _first(_BUILD, lines) or build, _first(_RUN, lines) or run
    for name in _SCRIPTS:
        if build and run:
            break
        try:
            lines = read_below(work, name, _SCRIPT_BYTES).decode("utf-8", "replace").splitlines()
        except Unopened:
            continue
        build, run = build or _first(_BUILD, lines), run or _first(_RUN, lines)
    if not build and any(
        (work / name).is_file() and not (work / name).is_symlink() for name in ("Makefile", "makefile")
    ):
        build = "make"
    return build, run


def _first(pattern: re.Pattern[str], lines: list[str]) -> str:
    for line in lines:
        found = pattern.match(line)
        if found:
            return one_visible_line(found[1], 300)
    return ""
