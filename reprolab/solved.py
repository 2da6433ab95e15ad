"""`solve`: a description simulated; values with units and the parts of their uncertainty."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.reproduce.computing.by_hand import CPU_S, WANTED, solved_by_hand
from reprolab.described import Described, ParametersGiven, describe
from reprolab.quantities import Quantity, Source, quantities_of, row_of
from reprolab.showing import paragraph, table
from schemas.errors import InputError
from schemas.reproduce.simulations.numerics import StudyResult

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Solved:
    """What solving a description gave: `solved["R"]` is a Quantity.

    study: all that is known: parameters, findings, runs with their cost, Meep's version, digest. folder: study.json, curves.
    """

    name: str
    quantities: tuple[Quantity, ...]
    study: StudyResult
    folder: Path
    description: Described = field(repr=False)

    def __getitem__(self, name: str) -> Quantity:
        for quantity in self.quantities:
            if quantity.id == name:
                return quantity
        raise InputError(
            "no such quantity", found=repr(name), allowed=", ".join(q.id for q in self.quantities) or "none"
        )

    def __iter__(self) -> Iterator[Quantity]:
        return iter(self.quantities)

    def __len__(self) -> int:
        return len(self.quantities)

    def to_dataframe(self) -> pd.DataFrame:
        """One row a quantity: value, unit, uncertainty, its parts, theory, status."""
        import pandas as pd

        return pd.DataFrame([row_of(quantity) for quantity in self.quantities])

    def plot(self) -> Figure:
        """The only quantity's plot; of several each has its own. Raises InputError."""
        if len(self.quantities) != 1:
            raise InputError(
                "several quantities have no plot in common",
                found=", ".join(q.id for q in self.quantities),
                allowed="one",
                fix="plot one of them: solved[NAME].plot()",
            )
        return self.quantities[0].plot()

    def __str__(self) -> str:
        return "\n".join(str(quantity) for quantity in self.quantities)

    def _repr_html_(self) -> str:
        rows = [row_of(quantity) for quantity in self.quantities]
        head = list(dict.fromkeys(name for row in rows for name in row))
        return paragraph(self.name) + table(head, [[row.get(name) for name in head] for row in rows])


def solve(
    description: Described | str | Path,
    parameters: ParametersGiven | None = None,
    materials: str | Path | Mapping[str, Any] | None = None,
    *,
    budget: float = CPU_S,
    wanted: float = WANTED,
    coarse: bool = False,
    examine: bool = True,
    force: bool = False,
    outputs: str | Path | None = None,
    meep_python: str | None = None,
    allow_degraded: bool = False,
    say: Callable[[str], None] | None = None,
) -> Solved:
    """Simulate a description, as `reprolab solve` does: in the sandbox, each run once, kept in the outputs folder.

    description: what `describe` gave, or what it takes (with parameters and materials). budget: CPU seconds for everything; what
    is finished when they end stands. wanted: relative uncertainty to reach. coarse: one grid, nothing varied: a look, no
    evidence. examine: witnesses and sensitivities as well. force: whatever inspection says. say: told what is done, in words.
    Raises ReproLabErrors: InputError, DescriptionRefused, PrerequisiteError (no Meep, no sandbox).
    """
    if not isinstance(description, Described):
        description = describe(
            description, parameters, materials, outputs=outputs, allow_degraded=allow_degraded
        )
    elif parameters is not None or materials is not None or outputs is not None:
        raise InputError(
            "a description that was read has its parameters, materials and outputs folder already",
            found="others beside it",
            fix="give them to describe, or give solve the text or path instead",
        )
    made, given = description._made, description._given
    done = solved_by_hand(
        given,
        made,
        description.outputs,
        coarse=coarse,
        wanted=wanted,
        cpu_s=budget,
        examine=examine,
        meep_python=meep_python,
        allow_degraded=allow_degraded,
        force=force,
        say=say,
    )
    outputs_made = done.outputs(given.code, made.parameters.scale, allow_degraded=allow_degraded)
    source = Source(done.folder, done.folder, outputs_made)
    return Solved(
        name=description.name,
        quantities=quantities_of(source, made.parameters.scale),
        study=done.study,
        folder=done.folder,
        description=description,
    )
