"""An answer, its own columns, and the points of a sweep whose executions answer together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schemas.reproduce.simulations.execution import Column, Dataset, Execution
from tasks.reproduce.evidence.kept_files import Table
from tasks.reproduce.evidence.not_computed import EvidenceError
from tasks.reproduce.evidence.units import unit_of_name

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Answer:
    """One column of one dataset that answers a target."""

    execution: Execution
    dataset: Dataset
    column: Column
    table: Table


def own_columns(answer: Answer) -> tuple[np.ndarray, np.ndarray]:
    first = answer.dataset.columns[0].name
    if first == answer.column.name:
        raise EvidenceError(
            f"dataset {answer.dataset.dataset_id!r} names its abscissa as the answer",
            found=first,
            allowed="a column other than the first",
        )
    return answer.table.columns[first], answer.table.columns[answer.column.name]


def sweep_of(answers: Sequence[Answer]) -> tuple[np.ndarray, str | None]:
    points, [name] = varying_in(answers, 1)
    return points[name].to_numpy(dtype=float), unit_in(answers, name)


def varying_in(answers: Sequence[Answer], count: int) -> tuple[pd.DataFrame, list[str]]:
    """The sweep points as a table, and the `count` names that vary, in the design's order."""
    import pandas as pd  # slow to import, and most stages have no sweep

    points = pd.DataFrame([dict(answer.execution.point) for answer in answers])
    varying = [str(name) for name in points.columns if points[name].nunique(dropna=False) > 1]
    if len(varying) != count or points.duplicated(varying).any() or points[varying].isna().any().any():
        raise EvidenceError(
            f"the sweep points do not form one {'curve' if count == 1 else 'map'}",
            found=f"varying: {', '.join(varying) or 'none'}",
            allowed=f"{count} varying name{'s' if count > 1 else ''}, each point once",
            fix="one target for each curve or map of a sweep",
        )
    return points, varying


def unit_in(answers: Sequence[Answer], name: str) -> str | None:
    """The unit of a sweep parameter: of the column that repeats it, or as its name ends in it."""
    return next((c.unit for c in answers[0].dataset.columns if c.name == name), None) or unit_of_name(name)
