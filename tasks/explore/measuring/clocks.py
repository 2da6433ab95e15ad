"""Whether a timed metric sees work that a candidate does elsewhere: in a thread, in a process of its own.

Tried with the goal's files: the same program is measured with each function made to compute a tenth of a second more by itself,
then in a thread, then in a child process. A clock that sees the first and not another one is blind to it (`time.process_time`
to children, `time.thread_time` to threads). Nothing is said where the first makes no difference either.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from schemas.explore.evaluation import MetricSpec
from schemas.reading.beneath import Unopened, read_below
from simkit.describe.syntax import parse
from tasks.explore.measuring.once import Harness, drawn_seeds, run_once
from tasks.explore.nodes.node_files import is_source, regular_files
from tasks.files.store import atomic_write
from tasks.sandbox import scratch

Where = Literal["thread", "child"]
CLOCK = "nodes/provided/clock.json"
_MOST_BYTES = 1_000_000
_LEAST, _SEEN = 0.02, 0.3
"""A change of the value that counts as one, relative; the share of the own work's effect that work elsewhere must have."""
_BURN = "import time as t\ne = t.process_time() + 0.1\nwhile t.process_time() < e:\n    pass\n"
_HOW = {
    "own": f"exec({_BURN!r}, {{}})",
    "thread": f"(lambda w: (w.start(), w.join()))(__import__('threading').Thread(target=exec, args=({_BURN!r}, {{}})))",
    "child": f"__import__('subprocess').run([__import__('sys').executable, '-c', {_BURN!r}])",
}
_CALLS = 10  # of one function; so that one which is called a million times ends
_WORDS: dict[Where, re.Pattern[str]] = {
    "thread": re.compile(r"\b(?:threading|_thread|ThreadPool\w*|pthread_create|std::thread|omp parallel)\b"),
    "child": re.compile(
        r"\b(?:subprocess|multiprocessing|ProcessPoolExecutor|posix_spawn\w*|v?fork|spawn[lv]p?e?|popen|Popen|"
        r"create_subprocess\w*|ctypes|cffi)\b|\bos\s*\.\s*(?:system|exec\w+)\b|\bsystem\s*\(|__import__\s*\(|"
        r"\bimport_module\b"
    ),
}
_SAYS: dict[Where, str] = {"thread": "threads", "child": "processes of its own"}


def slowed(program: bytes, how: str) -> bytes:
    """A Python module whose functions do more work before their own; as it was where there is no function, or no Python."""
    try:
        tree = parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for node in functions:
        more = ast.parse(
            f"globals().setdefault('_s', [0])[0] += 1\nif globals()['_s'][0] <= {_CALLS}:\n    {_HOW[how]}\n"
        ).body
        at = 1 if ast.get_docstring(node, clean=False) is not None else 0
        node.body[at:at] = more
    try:
        return (ast.unparse(ast.fix_missing_locations(tree)) + "\n").encode() if functions else program
    except RecursionError:
        return program


def blind_to(harness: Harness, spec: MetricSpec, provided: Mapping[str, bytes]) -> tuple[Where, ...]:
    """Where a candidate could work unseen by a timed metric; () where it sees everything, or that cannot be told."""
    if spec.kind != "timed" or all(
        slowed(raw, "own") == raw for path, raw in provided.items() if path.endswith(".py")
    ):
        return ()
    seed = drawn_seeds(1)[0]
    first, own = (_value(harness, spec, provided, how, seed) for how in ("", "own"))
    if first is None or own is None:
        return ()
    effect = own - first
    if effect <= _LEAST * abs(first):
        return ()
    found: list[Where] = []
    for where in ("thread", "child"):
        value = _value(harness, spec, provided, where, seed)
        if value is not None and (value - first) / effect < _SEEN:
            found.append(where)
    return tuple(found)


def elsewhere(candidate: Path, blind: tuple[Where, ...]) -> tuple[str, ...]:
    """What of a candidate's sources may work where the metric's clock does not see it, one sentence each."""
    found = []
    for path in regular_files(candidate) if blind else ():
        if not is_source(path) or path.endswith(".md"):
            continue
        try:
            text = read_below(candidate, path, _MOST_BYTES).decode("utf-8", "replace")
        except Unopened:
            continue
        found += [
            f"{path} may work in {_SAYS[where]}, which the clock of the measure program does not see "
            f"({match[0].strip()})"
            for where in blind
            if (match := _WORDS[where].search(text))
        ]
    return tuple(found[:20])


def kept_blind(run_dir: Path) -> tuple[Where, ...]:
    """What a run found of its clock before the search; () where it did not look."""
    try:
        found = json.loads(read_below(run_dir, CLOCK, 10_000))["blind"]
    except Unopened:
        return ()
    return tuple(where for where in _SAYS if where in found)


def keep_blind(run_dir: Path, blind: tuple[Where, ...]) -> None:
    """Keep it for the measurements of the search."""
    atomic_write(run_dir / CLOCK, json.dumps({"blind": blind}))


def blind_words(blind: tuple[Where, ...]) -> str:
    """For the author of a measure program; '' where its clock sees everything."""
    if not blind:
        return ""
    unseen = " and in ".join(_SAYS[where] for where in blind)
    return (
        f"the time that measure.py takes does not see what a candidate does in {unseen}: with a tenth of a second of "
        f"work there "
        "the value stays; take time.perf_counter(), or add the CPU time of children (resource.RUSAGE_CHILDREN)"
    )


def _value(
    harness: Harness, spec: MetricSpec, provided: Mapping[str, bytes], how: str, seed: int
) -> float | None:
    """What is measured, of a rate the time that belongs to it; None where it is not."""
    with scratch("reprolab-clock-") as folder:
        (folder / "c").mkdir()
        for path, raw in provided.items():
            atomic_write(folder / "c" / path, slowed(raw, how) if how and path.endswith(".py") else raw)
        reading = run_once(harness, spec, folder / "c", seed).reading
    held = reading is not None and all(reading.checks.values())
    value = reading.metrics[spec.name][0] if reading is not None and held else None
    return value if value is None or spec.direction == "lower" else 1 / value if value else None
