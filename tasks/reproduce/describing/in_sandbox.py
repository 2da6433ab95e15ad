"""Run generated code that describes a simulation, once, in the sandbox; read what it wrote as a stranger's."""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

import simkit.describe as vocabulary
from schemas.base import digest
from schemas.errors import PrerequisiteError, ReproLabError
from simkit.describe.base import told
from simkit.describe.document import check, patterns_in, resolved, unusual, used
from simkit.describe.parameters import Parameters, parameters_from
from simkit.describe.problem import Problem, Sweep
from tasks.files.store import Store, atomic_write
from tasks.limited import limited
from tasks.reproduce.collect import UnsafeOutput, collect, read_json
from tasks.reproduce.describing.own_python import VOCABULARY, library, own_python
from tasks.reproduce.describing.recognising import AlreadyMeasured, refuse_known
from tasks.reproduce.patterns.pattern_files import HandedPattern
from tasks.reproduce.uncertainty.free import parted
from tasks.sandbox import Limits, SandboxResult, run_sandboxed, scratch

LIMITS = Limits(wall_s=120, cpu_s=5, memory_mb=512, processes=8, file_mb=8, disk_mb=16, files=20, output_mb=1)
MAX_BYTES = 4 << 20
READ_CPU_S = 20.0  # of our own process; honest ones take hundredths
Read = TypeVar("Read")
MOST_COUNTS = 16  # numbers that a sweep over a count computes
_INPUTS, _LIBRARY, _WORK = "/sandbox/inputs", "/sandbox/library", "/sandbox/work"
_WORDS = {name: getattr(vocabulary, name) for name in vocabulary.__all__}


class DescriptionRefused(ReproLabError):
    """The description, or its parameters, cannot be used; the text says what its writer has to change."""


@dataclass(frozen=True)
class Description:
    """A checked description. parametric: its document, with expressions of `parameters`.

    counted: of each count that a sweep varies the document for each whole number: a count shapes the document itself.
    patterns: the handed-in files that it may name; its document says the digest of each that it does.
    """

    parameters: Parameters
    problem: Problem
    parametric: Mapping[str, Any]
    code: str
    unusual: tuple[str, ...]
    counted: Mapping[str, Mapping[int, Mapping[str, Any]]] = field(default_factory=dict)
    patterns: Mapping[str, HandedPattern] = field(default_factory=dict)

    def resolved(self, changed: Mapping[str, float] | None = None) -> Problem:
        """The problem in plain numbers; `changed`: parameter values in base units. Raises DescriptionRefused."""
        try:
            drawings = {name: pattern.drawing for name, pattern in self.patterns.items()}
            return resolved(self._document(changed or {}), self.parameters.values(changed), drawings)
        except ValidationError as error:
            raise DescriptionRefused(
                "the description does not hold for these values", found=told(error, _WORDS)
            ) from error
        except Exception as error:
            raise DescriptionRefused(
                "the description does not hold for these values", found=_words(error)[:600]
            ) from error

    def shapes(self, name: str) -> bool:
        """Whether its code takes a parameter as a number of objects, though it may use it as a number as well."""
        taken = re.search(rf"\.count\(\s*['\"]{re.escape(name)}['\"]", self.code) is not None
        return self.parameters.items()[name].count or taken

    def whole(self, count: str) -> tuple[int, ...]:
        """The whole numbers that a sweep varies a count over."""
        return tuple(sorted(self.counted.get(count, ())))

    def _document(self, changed: Mapping[str, float]) -> Mapping[str, Any]:
        for name, documents in self.counted.items():
            if name in changed:
                return documents.get(round(changed[name]), self.parametric)
        return self.parametric


def describe(
    code: str,
    entries: Sequence[Mapping[str, Any]],
    *,
    store: Store,
    patterns: Sequence[HandedPattern] = (),
    allow_degraded: bool = False,
) -> Description:
    """The description that `code` gives for the parameters `entries` (plain dictionaries, as in parameters.json).

    patterns: the handed-in files that it may name; the code does not see them.
    The same code and parameters are not run twice. Raises DescriptionRefused with what is wrong in words.
    """
    more = (patterns,) if patterns else ()
    made = _described(code, entries, store, allow_degraded, *more)
    return replace(
        made,
        counted={
            sweep.parameter: {
                number: _alike(
                    made,
                    _described(code, _with(entries, sweep.parameter, number), store, allow_degraded, *more),
                )
                for number in _whole_numbers(sweep)
            }
            for sweep in made.resolved().sweeps
            if _counts(made, sweep.parameter)
        },
    )


def _described(
    code: str,
    entries: Sequence[Mapping[str, Any]],
    store: Store,
    allow_degraded: bool,
    patterns: Sequence[HandedPattern] = (),
) -> Description:
    parameters = declared(entries)
    name = digest({"code": code, "parameters": list(entries), "vocabulary": vocabulary_digest()}, 32)
    kept = store.entry("descriptions", name)
    if not kept.is_dir():
        with scratch("reprolab-describe-") as folder, store.building("descriptions", name) as draft:
            result = _run(code, entries, folder, allow_degraded)
            taken = collect(folder / "work", draft, ["problem.json", "error.json"])
            if not taken.files:
                atomic_write(draft / "error.json", json.dumps({"error": _ended(result)}))
            atomic_write(draft / "describe.py", code)
    if not (kept / "problem.json").is_file():
        raise DescriptionRefused("the description is refused", found=_told_error(kept / "error.json"))
    try:
        parametric = read_json(kept / "problem.json", MAX_BYTES)
    except UnsafeOutput as error:
        raise DescriptionRefused("the description is no document", found=str(error)[:600]) from error
    made = from_document(parametric, parameters, code, patterns)
    if parted(made.problem.quantities)[1]:
        try:
            refuse_known(made.resolved(), allow_degraded)
        except AlreadyMeasured as error:
            raise DescriptionRefused("the description is refused", found=str(error)) from error
    return made


def _counts(made: Description, name: str) -> bool:
    """Whether a parameter shapes the description as a number of objects: its code takes it as one, or no expression of the
    document holds it."""
    item = made.parameters.items()[name]
    return made.shapes(name) or (item.may_count and name not in used(made.parametric, made.parameters))


def _with(entries: Sequence[Mapping[str, Any]], count: str, number: int) -> list[dict[str, Any]]:
    return [{**entry, "value": number} if entry.get("id") == count else dict(entry) for entry in entries]


def _whole_numbers(sweep: Sweep) -> tuple[int, ...]:
    """The numbers of a sweep over a count; of a long one some, evenly. Raises DescriptionRefused."""
    low, high = sorted((float(sweep.low), float(sweep.high)))
    if low != round(low) or high != round(high) or low < 0 or high - low < 1:
        raise DescriptionRefused(
            f"sweep {sweep.id} varies the count {sweep.parameter}",
            found=f"{low:g} to {high:g}",
            allowed="two different whole numbers, 0 or more",
        )
    every = math.ceil((high - low + 1) / MOST_COUNTS)
    return tuple(range(round(low), round(high) + 1, every))


def _alike(made: Description, other: Description) -> Mapping[str, Any]:
    """The document for another count. Raises DescriptionRefused where it describes other scenes, quantities or sweeps."""

    def named(found: Description) -> list[tuple[str, str]]:
        problem = found.problem
        return [(item.id, item.type) for item in (*problem.scenes, *problem.quantities, *problem.sweeps)]

    if named(made) != named(other):
        raise DescriptionRefused(
            "a count that a sweep varies changes what is measured, not only the structure",
            found=f"{named(other)} instead of {named(made)}"[:600],
            fix="describe the same scenes, quantities and sweeps for every number",
        )
    return other.parametric


def from_document(
    parametric: Any, parameters: Parameters, code: str = "", patterns: Sequence[HandedPattern] = ()
) -> Description:
    """A parametric document read as a stranger's: every expression is computed anew, with units, from the parameters, and
    every pattern is the handed-in one of its name, whose digest it says from then on.

    Raises DescriptionRefused.
    """
    handed = {pattern.name: pattern for pattern in patterns}

    def read() -> Description:
        problem = Problem.model_validate(_named(parametric, handed), context={"parameters": parameters})
        checked = check(problem, parameters)
        for sweep in problem.sweeps:
            parameters.traced(sweep.parameter)  # refused if it is not declared
        own = {body["name"]: handed[body["name"]] for body in patterns_in(checked)}
        made = Description(parameters, problem, checked, code, unusual(checked), patterns=own)
        made.resolved()
        return made

    return _read("the description is refused", read)


def _named(parametric: Any, handed: Mapping[str, HandedPattern]) -> Any:
    """The document with the digest of each handed-in file. Raises DescriptionRefused for a name that nobody handed in."""
    found = copy.deepcopy(parametric)
    for body in patterns_in(found):
        name, said = body.get("name"), body.get("sha256", "")
        pattern = handed.get(name) if isinstance(name, str) else None
        if pattern is None or said not in ("", pattern.sha256):
            raise DescriptionRefused(
                "a pattern is no file that was handed in",
                found=f"{str(name)[:80]!r}" + (" with the digest of another file" if pattern else ""),
                allowed=", ".join(sorted(handed)) or "none: this paper has no patterns",
                fix="name one of these, or draw it with plain bodies",
            )
        body["sha256"] = pattern.sha256
    return found


def declared(entries: Sequence[Mapping[str, Any]]) -> Parameters:
    """The parameters of plain dictionaries. Raises DescriptionRefused."""
    if not isinstance(entries, (list, tuple)):
        raise DescriptionRefused(
            "parameters are a list", found=type(entries).__name__, allowed="[{id, value, unit, origin}]"
        )

    def read() -> Parameters:
        made = parameters_from(entries)
        for item in made.items().values():
            made.closure(item.id)
        return made

    return _read("the parameters do not fit", read)


def _read(refused: str, work: Callable[[], Read]) -> Read:
    """What a stranger's text comes to, read under a limit. Whatever goes wrong is its fault: raises DescriptionRefused."""
    try:
        return limited(work, "reading it", cpu_s=READ_CPU_S)
    except DescriptionRefused:
        raise
    except ValidationError as error:
        raise DescriptionRefused(refused, found=told(error, _WORDS)[:4000]) from error
    except Exception as error:
        raise DescriptionRefused(refused, found=_words(error)[:4000]) from error


def _words(error: Exception) -> str:
    return (
        str(error) if isinstance(error, (ValueError, ReproLabError)) else f"{type(error).__name__}: {error}"
    )


@cache
def vocabulary_digest() -> str:
    """Digest of the vocabulary's sources: other words, other descriptions."""
    files = sorted(VOCABULARY.rglob("*.py"))
    return digest([(path.name, path.read_text(encoding="utf-8")) for path in files], 16)


def _run(
    code: str, entries: Sequence[Mapping[str, Any]], folder: Path, allow_degraded: bool
) -> SandboxResult:
    inputs = folder / "inputs"
    atomic_write(inputs / "describe.py", code)
    atomic_write(inputs / "parameters.json", json.dumps(list(entries)))
    inputs.chmod(0o755)
    python = own_python()
    result = run_sandboxed(
        [python.path, "-S", "-s", "-P", "-m", "simkit.describe"],
        folder / "work",
        readonly={inputs: _INPUTS, library(): _LIBRARY},
        prefixes=python.prefixes,
        env={
            "PYTHONPATH": _LIBRARY,
            "SIMKIT_INPUTS": _INPUTS,
            "SIMKIT_OUTPUT": _WORK,
            **dict(python.environment),
        },
        limits=LIMITS,
        allow_degraded=allow_degraded,
    )
    if "No module named 'pydantic" in result.stderr_tail or "No module named 'typing" in result.stderr_tail:
        raise PrerequisiteError(
            "descriptions cannot be run in the sandbox",
            found=result.stderr_tail[-400:],
            fix="make setup; start ReproLab with a Python that an ordinary user can read",
        )
    return result


def _ended(result: SandboxResult) -> str:
    if result.stop_reason:
        return (
            f"the description was stopped by its limit on {result.stop_reason}: it only builds objects, in "
            f"{LIMITS.cpu_s:g} s of CPU time and {LIMITS.memory_mb} MB"
        )
    if result.signal is not None:
        return f"the description's process died by signal {result.signal}; it only builds objects"
    last = (result.stderr_tail.strip().splitlines() or ["no message"])[-1]
    return f"the description ended without a document: {last[:300]}"


def _told_error(path: Path) -> str:
    try:
        text = str(read_json(path, 1 << 20).get("error", ""))
    except (UnsafeOutput, AttributeError, OSError):
        text = "it gave neither a document nor a readable message"
    return "".join(c for c in text[:4000] if c.isprintable() or c == "\n")
