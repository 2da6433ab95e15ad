"""A measure program that an agent wrote is tried before it is frozen: what holds nothing or what is wrong is not measured."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from schemas.explore.asked_by_skills import MetricSpecAnswer
from schemas.explore.evaluation import MetricSpec
from schemas.explore.goal import Goal
from schemas.explore.settings import MeasureSettings
from simkit.describe.syntax import parse
from tasks.explore.goals import read_goal_file
from tasks.explore.measuring.clocks import blind_words
from tasks.explore.measuring.once import PROGRAM, Harness, blind_to, drawn_seeds, run_once
from tasks.files.store import atomic_write
from tasks.sandbox import scratch

_NOISE = b"\x00 This is neither a program nor data. \xff\n"


def cannot_fail(
    goal: Goal,
    said: MetricSpecAnswer,
    settings: MeasureSettings,
    libraries: Mapping[str, Path],
    allow_degraded: bool = False,
) -> str:
    """Why the program measures nothing: it gives a candidate that holds nothing, or the goal's files with wrong content, a
    value with every check held; or its clock does not see where a candidate can work. '' where it holds."""
    raw, hint = said.program.encode(), goal.metric
    spec = MetricSpec(
        name=hint.name or said.name,
        unit=hint.unit or said.unit,
        direction=said.direction,
        kind=hint.kind or said.kind,
        program=PROGRAM,
        sha256=sha256(raw).hexdigest(),
    )
    provided = {file.path: read_goal_file(goal, file) for file in goal.provided}
    harness = Harness(
        program=raw, files=provided, settings=settings, libraries=libraries, allow_degraded=allow_degraded
    )
    for what, files in _candidates(provided):
        with scratch("reprolab-trial-") as folder:
            (folder / "wrong").mkdir()
            for path, content in files.items():
                atomic_write(folder / "wrong" / path, content)
            reading = run_once(harness, spec, folder / "wrong", drawn_seeds(1)[0]).reading
        if reading is not None and all(reading.checks.values()):
            return (
                f"measure.py gave {what} {spec.name} = {reading.metrics[spec.name][0]:g} with every check held; it must "
                "run what the candidate brings, and fail or fail a check where that is nothing or wrong"
            )
    return blind_words(blind_to(harness, spec, provided))


def _candidates(provided: Mapping[str, bytes]) -> Iterator[tuple[str, Mapping[str, bytes]]]:
    """Candidates that no measure program may pass, each with its words: known of no goal, so they hold for any."""
    yield "the empty folder candidate/", {}
    if not provided:
        return
    yield "a candidate of emptied files", dict.fromkeys(provided, b"")
    yield "a candidate whose files hold noise", dict.fromkeys(provided, _NOISE)
    hollow = {
        path: hollowed(content) if path.endswith(".py") else content for path, content in provided.items()
    }
    if hollow != provided:
        yield "a candidate whose functions all return nothing", hollow


def hollowed(program: bytes) -> bytes:
    """A Python module of functions with each body gone; what works by its own statements, or is no Python, as it was: what
    of it counts cannot be told."""
    try:
        tree = parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program
    kinds = (
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.ClassDef,
        ast.Import,
        ast.ImportFrom,
        ast.Assign,
        ast.AnnAssign,
    )
    if not all(isinstance(node, kinds) or _inert(node) for node in tree.body):
        return program
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in functions:
        node.body = [ast.Return(value=None)]
    try:
        return (ast.unparse(ast.fix_missing_locations(tree)) + "\n").encode() if functions else program
    except RecursionError:  # parsed, and too deep to be written
        return program


def _inert(node: ast.stmt) -> bool:
    """A docstring, or what runs only if the file is the program."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)
