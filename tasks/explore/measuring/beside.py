"""What a candidate computes before or behind the clock in the process that is timed: counted, whatever it looks like.

Before the search, with the goal's files: their functions are made to do all their work twice. What the value and the CPU time of the
run gain by that tells how much of a run is the work that is timed (`Beside`). A candidate that is timed at a tenth of their value may
then use that tenth of the work, and all that they use beside it; what its run uses more was done where the clock did not run:
at import, in a warm-up, when a result is looked at, in threads or processes that it does not see.

The sandbox counts CPU time, never wall time, and no candidate can write to that count.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from statistics import median

from schemas.reading.beneath import Unopened, read_below
from simkit.describe.syntax import parse
from tasks.explore.measuring.clocks import SLEEP_S, Timed
from tasks.explore.measuring.spread import standard_error
from tasks.explore.nodes.node_files import regular_files
from tasks.files.store import atomic_write

KEPT = "nodes/provided/beside.json"
TIMES, TRIES, _AT_LEAST = 2, 10, 3
"""So often the goal's files are measured as they are, and with their work doubled; and how often that is tried: at most and at least."""
_SURE, _REFUSES, _PAIRS = 2.0, 5, 16
"""So many standard errors work beside the clock must exceed what is allowed by, in so many pairs of runs at least (two or three
that a busy machine met alike would agree), of so many at most."""
_AGREE = 0.1
"""Where the two least times differ by no more, relative, the least one is that of the work, and not of other work on the machine."""
_LEAST, _MOST = 0.4, 2.0
"""What the value must gain, relative, when all work is done twice; else it is no time of that work."""
_STEADY = 0.3
"""What CPU time is the same to, relative, on a busy machine."""
_NOISE_S, _SHARE = 0.05, 0.1
"""CPU seconds that are noise, and the share of the timed work that it may vary by."""
_MAX_BYTES, _MOST_IMPORTS = 1_000_000, 40
_BEGIN = """from time import process_time as _now_
_deep_ = globals().setdefault('_deep_', [0])
_deep_[0] += 1
_began_ = _now_()
"""
_END = """_deep_[0] -= 1
if not _deep_[0]:
    _began_ = 2 * _now_() - _began_
    while _now_() < _began_:
        pass
"""


@dataclass(frozen=True)
class Beside:
    """What the goal's files cost. cpu_s, first_s: CPU seconds of their run, and of its first thread; value: their time by the clock.

    work_s: CPU seconds of the run that belong to that value. side: how many CPU seconds a second by the clock may hold: 1, or as many
    as there are processors where the clock is one of the wall.
    """

    cpu_s: float
    first_s: float
    value: float
    work_s: float
    side: int = 1

    def hidden_s(self, run: Timed) -> float:
        """CPU seconds of a run beside the clock that the goal's files do not account for."""
        timed = self.work_s * run.time / self.value
        every = run.result.cpu_s - (self.cpu_s - self.work_s) - self.side * timed
        if self.side == 1 or run.result.first is None:
            return every
        return max(every, run.result.first.thread_s - (self.first_s - self.work_s) - timed)

    def timed_s(self, runs: Iterable[Timed]) -> float:
        """CPU seconds that belong to the runs' time, in the middle of them."""
        return self.work_s * median(run.time for run in runs) / self.value

    def allowed_s(self, runs: Iterable[Timed], beside_s: float) -> float:
        """CPU seconds that may be hidden, so that no machine's noise is."""
        return beside_s + _SHARE * self.timed_s(runs)

    def noise_s(self, runs: Iterable[Timed]) -> float:
        """CPU seconds that are hidden in runs of honest candidates, too."""
        return self.allowed_s(runs, _NOISE_S)

    def worth(self, hidden_s: float) -> float:
        """The time by the clock that so many CPU seconds would have been."""
        return hidden_s * self.value / self.work_s

    def again(self, plain: Timed, importing: Timed | None) -> Beside:
        """The same of a later run of the goal's files, as they are and with imports: what the machine does now meets all alike."""
        more = importing or plain
        slower = plain.result.cpu_s / self.cpu_s  # a busy machine makes all work dearer, timed or not
        return replace(
            self,
            cpu_s=max(plain.result.cpu_s, more.result.cpu_s),
            first_s=max(_first_s(plain), _first_s(more)),
            value=plain.time,
            work_s=self.work_s * slower,
        )


def doubled(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Python files whose functions use as much CPU time again as they did; the outermost ones, each where it ends."""
    trees = {path: tree for path, raw in files.items() if path.endswith(".py") and (tree := _tree(raw))}
    functions = [
        node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
    ]
    called = {name for node in functions for name in _names(node) if name != node.name}
    for node in functions:
        generates = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))
        if node.name in called or generates:
            continue
        begin, end = ast.parse(_BEGIN).body, ast.parse(_END).body
        at = 1 if ast.get_docstring(node, clean=False) is not None else 0
        held = ast.Try(body=node.body[at:] or [ast.Pass()], handlers=[], orelse=[], finalbody=end)
        node.body[at:] = [*begin, held]
    found = dict(files)
    for path, tree in trees.items():
        try:
            found[path] = (ast.unparse(ast.fix_missing_locations(tree)) + "\n").encode()
        except RecursionError:
            continue
    return found


def beside_of(run: Callable[[str], Timed | None]) -> Beside | None:
    """What the goal's files cost beside the clock; None where that cannot be told.

    run: measures them as they are (''), with all their work done `twice`, or `asleep` now and then; None where that gives no value.
    A busy machine blurs a clock of the wall: then they are measured again, until the least times agree.
    """
    plain, twice = list[Timed](), list[Timed]()
    for tries in range(1, TRIES + 1):
        for found, how in ((plain, ""), (twice, "twice")):
            found += [
                each for _ in range(TIMES) if (each := run(how)) and each.result.first and each.time > 0
            ]
        if not plain or not twice:
            return None
        once, again = (min(each.time for each in found) for found in (plain, twice))
        more_s = min(each.result.cpu_s for each in twice) - min(each.result.cpu_s for each in plain)
        if _LEAST <= again / once - 1 <= _MOST and more_s > 0:
            break
        if tries >= _AT_LEAST and _agree(plain) and _agree(twice):
            return None
    else:
        return None
    asleep = run("asleep")
    moved = None if asleep is None else asleep.time - once
    # a time that a busy machine moves as much is one of the wall, too
    wall = moved is None or moved > SLEEP_S / 4 * once / more_s or abs(moved) > _STEADY * once
    cpu_s = median(each.result.cpu_s for each in plain)
    first_s = median(each.result.first.thread_s for each in plain if each.result.first)
    processors = len(os.sched_getaffinity(0)) if wall else 1
    return Beside(cpu_s, first_s, once, min(more_s, cpu_s), processors)


def surely_hidden(
    again: Callable[[], float | None], allowed_s: float, first: tuple[float, float]
) -> tuple[float, float]:
    """CPU seconds that a candidate hid, and how far that may be off, of pairs of runs: its own and the goal's files' beside it.

    again: what is hidden by one more pair; None where a run gave no time, which ends them. Pairs run until what is hidden is allowed,
    or surely is not. first: what is told where there is no pair.
    """
    found = list[float]()
    hidden, error = first
    while len(found) < _PAIRS and (one := again()) is not None:
        found.append(one)
        hidden, error = median(found), _SURE * standard_error(found, "timed")[0]
        if len(found) >= (TIMES if hidden <= allowed_s else _REFUSES) and not (
            allowed_s < hidden <= allowed_s + error
        ):
            break
    return hidden, error


def imports_of(candidate: Path, entries: Iterable[str]) -> str:
    """Statements that import what a candidate's files surely import from outside, each on a line; '' for nothing.

    entries: files where an import begins, those that the goal provides. What stands in a function or behind a condition counts not.
    """
    there = frozenset(regular_files(candidate))
    local = {part.removesuffix(".py") for path in there for part in PurePosixPath(path).parts}
    left, seen, found = [path for path in entries if path.endswith(".py")], set[str](), dict[str, None]()
    while left:
        path = left.pop()
        if path in seen or path not in there:
            continue
        seen.add(path)
        try:
            tree = _tree(read_below(candidate, path, _MAX_BYTES))
        except Unopened:
            continue
        for statement in _imports(tree.body if tree else []):
            names = [alias.name for alias in statement.names]
            modules = names if isinstance(statement, ast.Import) else [statement.module or ""]
            relative = isinstance(statement, ast.ImportFrom) and statement.level > 0
            if relative or any(module.split(".")[0] in local for module in modules):
                stems = {part for name in (*modules, *names) for part in name.split(".")}
                left += [each for each in there if PurePosixPath(each).stem in stems]
            else:
                found[ast.unparse(statement)] = None
    return "".join(f"{statement}\n" for statement in list(found)[:_MOST_IMPORTS])


def imported_first(files: Mapping[str, bytes], statements: str) -> dict[str, bytes]:
    """The goal's Python files, which make these imports before anything else."""
    lines = "".join(f"try:\n    {line}\nexcept Exception:\n    pass\n" for line in statements.splitlines())
    made = f"exec({lines!r}, {{}})\n".encode()
    return {path: _after_future(raw, made) if path.endswith(".py") else raw for path, raw in files.items()}


def keep_beside(run_dir: Path, beside: Beside | None) -> None:
    """Keep it for the measurements of the search."""
    atomic_write(run_dir / KEPT, json.dumps(asdict(beside) if beside else None))


def kept_beside(run_dir: Path) -> Beside | None:
    """What a run found before the search; None where it did not look, or could not tell."""
    try:
        found = json.loads(read_below(run_dir, KEPT, 10_000))
    except Unopened:
        return None
    return Beside(**found) if found else None


def told_beside(beside: Beside | None, beside_s: float) -> str:
    """For the person at the console, of a timed metric; '' where a candidate can gain next to nothing by work beside the clock."""
    if beside is None:
        return "what a candidate computes before or behind the clock is not told here: the goal's files do not show what is timed"
    allowed_s = beside_s + _SHARE * beside.work_s
    if beside.work_s > 4 * allowed_s:
        return ""
    return (
        f"{beside.work_s:.2g} CPU seconds of a run are timed with the files as provided, and {allowed_s:.2g} may be spent before or behind "
        "the clock: let the measure program time more work"
    )


def _agree(runs: Sequence[Timed]) -> bool:
    least, *others = sorted(run.time for run in runs)
    return bool(others) and others[0] - least <= _AGREE * least


def _first_s(run: Timed) -> float:
    return run.result.first.thread_s if run.result.first else run.result.cpu_s


def _after_future(raw: bytes, made: bytes) -> bytes:
    tree = _tree(raw)
    last = 0
    for statement in tree.body if tree else []:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            last = statement.end_lineno or 0
    lines = raw.splitlines(keepends=True)
    return b"".join((*lines[:last], made, *lines[last:]))


def _tree(raw: bytes) -> ast.Module | None:
    try:
        return parse(raw)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _names(function: ast.FunctionDef) -> set[str]:
    inside = [node for statement in function.body for node in ast.walk(statement)]
    return {node.id for node in inside if isinstance(node, ast.Name)} | {
        node.attr for node in inside if isinstance(node, ast.Attribute)
    }


def _imports(body: Iterable[ast.stmt]) -> list[ast.Import | ast.ImportFrom]:
    """The statements that run for sure: those of the module itself, and those that a `try` begins with."""
    found: list[ast.Import | ast.ImportFrom] = []
    for statement in body:
        if isinstance(statement, ast.Try):
            for each in statement.body:
                if not isinstance(each, ast.Import | ast.ImportFrom):
                    break
                found.append(each)
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            if not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
                found.append(statement)
    return found
