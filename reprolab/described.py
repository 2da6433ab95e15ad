"""`describe`: what a description says, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.reproduce.computing.by_hand import described_by_hand
from reprolab.places import outputs_folder
from reprolab.showing import paragraph, picture, table
from schemas.errors import InputError
from schemas.reproduce.simulations.numerics import Finding, RunCost, SimulatedParameter
from schemas.text.numbers import numbers_in
from tasks.reproduce.describing.folder import Given, read_given
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.lint import lint
from tasks.reproduce.describing.vocabulary import form_of
from tasks.reproduce.solving.whole_study import chosen_words, simulated

if TYPE_CHECKING:
    import pandas as pd

Short = float | int | str | Mapping[str, Any]
ParametersGiven = str | Path | Sequence[Mapping[str, Any]] | Mapping[str, Short]


@dataclass(frozen=True)
class Described:
    """A checked description.

    quantities: (id, kind, scene or what is swept, 'number', 'curve' or 'map'). scenes: in the words that were chosen for them.
    findings: by inspection; one of level 'error' keeps it from being solved. outputs: where its runs are kept.
    """

    name: str
    parameters: tuple[SimulatedParameter, ...]
    scenes: tuple[str, ...]
    quantities: tuple[tuple[str, str, str, str], ...]
    findings: tuple[Finding, ...]
    outputs: Path
    _given: Given = field(repr=False, compare=False)
    _made: Description = field(repr=False, compare=False)

    def costs(self) -> tuple[RunCost, ...]:
        """What each run will take at the coarsest grid, foreseen; a study is 5 to 20 times that."""
        from tasks.reproduce.solving.estimate import costs_before

        return tuple(costs_before(self._made, self._given.materials, None))

    def drawings(self) -> dict[str, bytes]:
        """Each scene with its dimensions, as PNG by file name."""
        from tasks.reproduce.solving.whole_study import drawings

        folder = self.outputs / "drawings" / self.name
        return {Path(ref.path).stem: (folder / ref.path).read_bytes() for ref in drawings(self._made, folder)}

    def to_dataframe(self) -> pd.DataFrame:
        """The parameters, one a row: value, unit, origin, and the words or the assumption behind it."""
        import pandas as pd

        rows = [
            (p.id, p.value, p.unit, p.origin, p.quotation or p.assumption_id or p.expression, p.used)
            for p in self.parameters
        ]
        return pd.DataFrame(rows, columns=["parameter", "value", "unit", "origin", "from", "used"])

    def __str__(self) -> str:
        said = [f"{self.name}: the description is sound"]
        said += [f"  {p.id} = {p.value:.6g} {p.unit}".removesuffix(" 1") for p in self.parameters]
        said += [
            f"  {name}: {kind.replace('_', ' ')} of {of}, a {form}"
            for name, kind, of, form in self.quantities
        ]
        said += [f"  {f.level}: {f.where}: {f.text}" for f in self.findings]
        return "\n".join(said)

    def _repr_html_(self) -> str:
        return (
            paragraph(self.name)
            + table(
                ("parameter", "value", "unit", "origin", "from"),
                [
                    (p.id, p.value, p.unit, p.origin, p.quotation or p.assumption_id or p.expression)
                    for p in self.parameters
                ],
            )
            + table(("quantity", "kind", "of", "gives"), self.quantities)
            + table(("finding", "where", "what"), [(f.level, f.where, f.text) for f in self.findings])
            + "".join(picture(png) for png in self.drawings().values())
        )


def describe(
    source: str | Path,
    parameters: ParametersGiven | None = None,
    materials: str | Path | Mapping[str, Any] | None = None,
    *,
    patterns: str | Path | Mapping[str, Any] | None = None,
    outputs: str | Path | None = None,
    allow_degraded: bool = False,
) -> Described:
    """What a description says, checked as `reprolab describe` checks it; its code runs once, in the sandbox.

    source: its text (a str of several lines), or the path of a folder with describe.py or of a Python file.
    parameters: of a path those beside it, where none are given. A file, a list as in parameters.json, or a mapping from names to
    values: a number, '100 nm', or an entry without its id. A value without an origin is an assumption of that name.
    materials: confirmed fits by name as in params.json, or such a file. patterns: files that draw patterns, by name as in
    patterns.json, beneath the folder of the description (of a text: the working one); or such a file.
    Raises InputError and DescriptionRefused, both ReproLabErrors: what is wrong, found, allowed, and the fix.
    """
    root = outputs_folder(outputs)
    given = read_given(_source(source), _entries(parameters), _file(materials), _file(patterns))
    made = described_by_hand(given, root, allow_degraded=allow_degraded)
    problem = made.resolved()
    items = (*problem.quantities, *problem.sweeps)
    return Described(
        name=given.name,
        parameters=simulated(made),
        scenes=chosen_words(made)[: len(problem.scenes)],
        quantities=tuple(
            (q.id, q.type, getattr(q, "scene", getattr(q, "of", "")), form_of(problem, q)) for q in items
        ),
        findings=tuple(lint(made, given.materials)),
        outputs=root,
        _given=given,
        _made=made,
    )


def _source(source: str | Path) -> str | Path:
    if isinstance(source, Path):
        return source
    return source if "\n" in source else Path(source)


def _file(given: Any) -> Any:
    return Path(given) if isinstance(given, str) else given


def _entries(given: ParametersGiven | None) -> Path | Sequence[Mapping[str, Any]] | None:
    if isinstance(given, str):
        return Path(given)
    if not isinstance(given, Mapping):
        return given
    if isinstance(listed := given.get("parameters"), (list, tuple)):
        return listed  # as a whole parameters.json
    return [_entry(name, value) for name, value in given.items()]


def _entry(name: str, value: object) -> Mapping[str, Any]:
    """A parameter of a short form. Without words of a paper it is an assumption, and `solve` says what its doubt is worth."""
    if isinstance(value, Mapping):
        return {"id": name, **({} if "origin" in value else _assumed(name)), **value}
    if isinstance(value, str):
        found = numbers_in(value)
        whole = len(found) == 1 and found[0].standing == "whole" and not value[: found[0].start].strip()
        if not whole or value[found[0].after :].strip():
            raise InputError(
                f"the parameter {name} is no number with a unit",
                found=repr(value),
                allowed="a number, '100 nm', or an entry as in parameters.json",
            )
        return {"id": name, "value": found[0].value, "unit": found[0].unit or "1", **_assumed(name)}
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(
            f"the parameter {name} is no number",
            found=type(value).__name__,
            allowed="a number, '100 nm', or an entry as in parameters.json",
        )
    return {"id": name, "value": value, **_assumed(name)}


def _assumed(name: str) -> dict[str, str]:
    return {"origin": "assumption", "assumption_id": name}
