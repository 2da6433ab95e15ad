"""Whether a timed metric sees work that a candidate does elsewhere, and how much of it a candidate did: both are measured.

Before the search, with the goal's files: the same program is measured with each function made to compute some tenths of a second
more by itself, then in a thread, in a child process, in a process that nobody waits for. A clock that sees the first and not
another one is blind to it (`time.process_time` to children, `time.thread_time` to threads). Nothing is said where the first
makes no difference either.

Of every measurement then: the sandbox's own account of CPU time (`SandboxResult.first`) tells what was spent where the clock
is blind. What exceeds the same of the goal's files by more than `ALLOWED_S` gives no measurement, however it was begun. Where the
clock sees too little of the goal's files for that, nor does any process or thread more than with them, by the kernel's own count.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from schemas.explore.evaluation import MetricSpec
from schemas.reading.beneath import Unopened, read_below
from simkit.describe.syntax import parse
from tasks.explore.measuring.reading import MeasuredFile
from tasks.files.store import atomic_write
from tasks.sandbox import SandboxResult

Where = Literal["thread", "child", "orphan"]
CLOCK = "nodes/provided/clock.json"
ALLOWED_S, ALLOWED_AMONG_OTHERS_S = 0.1, 0.5
"""CPU seconds of a run that may be spent out of the clock's sight: where nothing else is spent, and where the work that the clock
does see is spent there as well, with all that a program does before it is timed."""
SHORT = 2
"""So many times what is allowed the clock must see of the goal's files; else what begins another process or thread is not measured."""
_UNSURE, _TRIES = 0.2, 8
"""What two least times may differ by, as a share of what the kinds of work differ by, and how far work may be from being seen wholly
or not at all, as a share of it; and how often each is tried at most."""
_WALL = 2.0
"""So many times longer by the clock, where each call sleeps a while: it is one of the wall."""
_LEAST, _SEEN = 0.02, 0.3
"""A change of the value that counts as one, relative; the share of the own work's effect that work elsewhere must have."""
SLEEP_S = 1.0
"""So long a call waits where it is asked whether a clock is one of the wall."""
_BURN = "import time as t\ne = t.process_time() + 0.4\nwhile t.process_time() < e:\n    pass\n"
_ORPHAN = f"""import os
r, w = os.pipe()
child = os.fork()
if not child:
    if not os.fork():
        exec({_BURN!r}, {{}})
    os._exit(0)
os.close(w)
os.waitpid(child, 0)
os.read(r, 1)
os.close(r)
"""
_HOW = {
    "own": f"exec({_BURN!r}, {{}})",
    "thread": f"(lambda w: (w.start(), w.join()))(__import__('threading').Thread(target=exec, args=({_BURN!r}, {{}})))",
    "child": f"__import__('subprocess').run([__import__('sys').executable, '-c', {_BURN!r}])",
    "orphan": f"exec({_ORPHAN!r}, {{}})",
    "asleep": f"__import__('time').sleep({SLEEP_S})",
}
_CALLS = 10  # of one function; so that one which is called a million times ends
_SAYS: dict[Where, str] = {
    "thread": "threads",
    "child": "processes of its own",
    "orphan": "processes that it does not wait for",
}


class Timed(NamedTuple):
    """A time, the run that gave it, and how many processes and threads there were in it; 0 where nobody can tell."""

    time: float
    result: SandboxResult
    begun: int = 0


@dataclass(frozen=True)
class Blind:
    """A place where a clock does not look. spent_s: CPU seconds spent there with the goal's files; timed_s: those that the clock saw.

    begun: processes and threads that there were. value, per_value: their time by that clock, and the CPU seconds there that belong to
    one more of it; 0 where what the clock does see is not spent there.
    """

    where: Where
    spent_s: float
    timed_s: float = 0.0
    value: float = 0.0
    per_value: float = 0.0
    begun: int = 0

    def unseen_s(self, run: Timed) -> float:
        """CPU seconds of a run, at least, that were spent there and that neither the goal's files nor its time account for."""
        unlooked_s = run.result.first.unlooked_s if run.result.first else run.result.wall_s
        own = self.spent_s + self.per_value * (run.time - self.value)
        return spent_s(run.result, self.where) - unlooked_s - own

    def fault(self, run: Timed) -> str:
        """Why a run is no measurement; '' where it may be one."""
        unseen, allowed = self.unseen_s(run), ALLOWED_AMONG_OTHERS_S if self.per_value else ALLOWED_S
        if unseen <= allowed:
            if run.begun <= self.begun or self.timed_s > SHORT * allowed:
                return ""
            return (
                f"{run.begun - self.begun} processes or threads more than with the goal's files were begun, and the clock of the "
                f"measure program, which does not see {_SAYS[self.where]}, times too little to tell what they did"
            )
        return f"{unseen:.2f} CPU seconds were spent in {_SAYS[self.where]}, which the clock of the measure program does not see"


def spent_s(result: SandboxResult, where: Where) -> float:
    """CPU seconds of a run that were spent in such a place, or in one that is seen no better."""
    if result.first is None:
        return result.cpu_s
    seen = {
        "thread": result.first.thread_s,
        "child": result.first.process_s,
        "orphan": result.first.process_s + result.first.waited_s,
    }
    return result.cpu_s - seen[where]


def time_of(reading: MeasuredFile, spec: MetricSpec) -> float:
    """The value of a timed metric, of a rate the time that belongs to it."""
    value = reading.metrics[spec.name][0]
    return value if spec.direction == "lower" else 1 / value if value else 0.0


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


def blind_of(run: Callable[[str], Timed | None]) -> tuple[Blind, ...]:
    """Where a candidate could work unseen; () where everything is seen, or that cannot be told.

    run: measures the goal's files, their functions made to do more work as `slowed` names it, or `asleep`; None where that gives no
    value. What else a machine does only adds to a time: all are measured in turns, until the two least times of each agree.
    """
    first, own, asleep, *others = _least(run, ("", "own", "asleep", *_SAYS))
    if first is None or own is None or own.time - first.time <= _LEAST * abs(first.time):
        return ()
    if asleep is None or asleep.time > _WALL * first.time:
        return ()  # a clock that sees a call sleep sees all that the call waits for
    found: list[Blind] = []
    effect, more_s = own.time - first.time, own.result.cpu_s - first.result.cpu_s
    for where, more in zip(_SAYS, others, strict=True):
        if more is not None and (more.time - first.time) / effect < _SEEN:
            before = spent_s(first.result, where)
            there = spent_s(own.result, where) - before
            found.append(
                Blind(
                    where,
                    spent_s=before,
                    timed_s=first.time * more_s / effect,
                    begun=first.begun,
                    value=first.time,
                    per_value=there / effect if there > _SEEN * more_s else 0.0,
                )
            )
    return tuple(found)


def _least(run: Callable[[str], Timed | None], hows: Sequence[str]) -> list[Timed | None]:
    """The run of each kind with the least time, when it is steady against what they differ by; None for what gives no value."""
    runs: dict[str, list[Timed]] = {how: [] for how in hows}
    unsteady = list(hows)
    for _ in range(_TRIES):
        tried = {how: one for how in unsteady if (one := run(how)) is not None}
        for how, one in tried.items():
            runs[how] = sorted([*runs[how], one], key=lambda each: each.time)
        least = [found[0].time for found in runs.values() if found]
        differ = max(least, default=0.0) - min(least, default=0.0)
        if differ <= _LEAST * min(least, default=0.0):
            break
        in_part = [how for how in _SAYS if _seen_in_part(runs, how)]
        unsteady = [
            how
            for how, found in runs.items()
            if (found and (len(found) < 2 or found[1].time - found[0].time > _UNSURE * differ))
            or (in_part and how in ("", "own", *in_part))
        ]
    return [next(iter(found), None) for found in runs.values()]


def _seen_in_part(runs: Mapping[str, Sequence[Timed]], how: str) -> bool:
    """Whether the clock neither sees such work wholly nor not at all: it is the machine that it sees."""
    if not runs[""] or not runs["own"] or not runs[how]:
        return False
    least, own, found = (runs[each][0].time for each in ("", "own", how))
    return _UNSURE * (own - least) < found - least < (1 - _UNSURE) * (own - least)


def kept_blind(run_dir: Path) -> tuple[Blind, ...]:
    """What a run found of its clock before the search; () where it did not look."""
    try:
        found = json.loads(read_below(run_dir, CLOCK, 10_000))["blind"]
    except Unopened:
        return ()
    return tuple(Blind(**each) for each in found)


def keep_blind(run_dir: Path, blind: tuple[Blind, ...]) -> None:
    """Keep it for the measurements of the search."""
    atomic_write(run_dir / CLOCK, json.dumps({"blind": [asdict(each) for each in blind]}))


def blind_words(blind: tuple[Blind, ...]) -> str:
    """For the author of a measure program; '' where its clock sees all that a program waits for."""
    unseen = " and in ".join(_SAYS[each.where] for each in blind if each.where != "orphan")
    if not unseen:
        return ""
    return (
        f"the time that measure.py takes does not see what a candidate does in {unseen}: with some tenths of a second of "
        f"work there "
        "the value stays; take time.perf_counter(), or add the CPU time of children (resource.RUSAGE_CHILDREN)"
    )


def told_blind(blind: tuple[Blind, ...]) -> str:
    """For the person at the console; '' where the clock sees everything."""
    if not blind:
        return ""
    places = " or in ".join(_SAYS[each.where] for each in blind)
    return (
        f"the measure program's clock sees no work in {places}: a candidate that spends {ALLOWED_S:g} CPU seconds of a run "
        f"more there than the files as provided is not measured; the clock itself sees {blind[0].timed_s:.2g} s of them"
    )
