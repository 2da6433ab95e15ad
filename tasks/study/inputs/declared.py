"""Data as they are, made ready by the steps that the user declared in preparation.json; nothing is done to them otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
from pydantic import ValidationError

from schemas.errors import InputError
from schemas.reading.handed import misfits
from schemas.reading.strict_json import parse_json
from schemas.study.preparation import Preparation
from tasks.study.inputs.input_files import LIMITS, decoded
from tasks.study.inputs.text_cells import check_header, is_missing
from tasks.study.statistics.preparation import prepared


def read_preparation(path: Path) -> Preparation:
    """What was declared. Raises InputError for what is no JSON, or does not fit."""
    try:
        found = parse_json(decoded(path.name, path.read_bytes()))
        return Preparation.model_validate(found)
    except ValidationError as error:
        raise InputError(
            f"{path.name} does not fit", found=misfits(error), fix="see docs/guide/study.md, Input"
        ) from None
    except ValueError as error:
        raise InputError(
            f"{path.name} is no JSON that can be read", found=str(error)[:300], fix="correct it"
        ) from None


def made_ready(
    tables: Mapping[str, pd.DataFrame], declared: Preparation
) -> tuple[dict[str, pd.DataFrame], Preparation]:
    """The tables after all steps, and what was declared with how many cells each step changed, over all tables.

    Raises InputError for a column that a table has not, a cell that a step cannot read, or a step that changes nothing.
    """
    if declared.join:
        tables = {f"{len(tables)} tables": joined(tables, declared.join.strip())}
    found, total = {}, [0] * len(declared.steps)
    steps = [step.model_dump() for step in declared.steps]
    for name, frame in tables.items():
        names = check_header(name, list(frame.columns))
        _check_size(name, len(frame), len(names), declared)
        columns = {column: frame.iloc[:, place].tolist() for place, column in enumerate(names)}
        try:
            cells, changed = prepared(columns, steps, is_missing)
        except ValueError as error:
            raise InputError(
                f"{name} cannot be prepared as declared",
                found=str(error)[:600],
                allowed=f"columns: {', '.join(names)}"[:600],
                fix="correct the step in preparation.json, or the cell",
            ) from None
        total = [one + other for one, other in zip(total, changed, strict=True)]
        found[name] = pd.DataFrame(cells, columns=pd.Index([*cells], dtype=object), dtype=object)
    if idle := [str(place) for place, count in enumerate(total, 1) if not count]:
        raise InputError(
            "a declared step changes nothing",
            found=f"step {', '.join(idle)} of preparation.json",
            allowed="values as they are written in the cells, letter by letter",
            fix="correct its values or columns, or delete the step",
        )
    return found, declared.model_copy(update={"changed": tuple(total)})


def _check_size(name: str, rows: int, columns: int, declared: Preparation) -> None:
    """Raises InputError where turning a table would make more of it than is read."""
    for step in declared.steps:
        rows *= len(step.values) if step.kind == "long" else 1
        columns += 6
        if rows > LIMITS.rows or rows * columns > LIMITS.cells:
            raise InputError(
                f"{name} would be too large when it is prepared",
                found=f"{rows} rows of up to {columns} columns",
                allowed=f"{LIMITS.rows} rows, {LIMITS.cells} cells",
                fix="leave out columns that the study does not need",
            )


def joined(tables: Mapping[str, pd.DataFrame], key: str) -> pd.DataFrame:
    """The tables as one, by a column that all have: at most one of them has several rows of a key (trials, conditions); a key that a
    table lacks leaves its cells empty. Raises InputError for a table without the key, an empty key, a key in several rows of two tables,
    or two tables with another column of the same name."""
    plain: dict[str, pd.DataFrame] = {}
    for name, frame in tables.items():
        names = check_header(name, list(frame.columns))
        if key not in names:
            raise InputError(
                f"{name} has no column {key!r}, by which tables are joined",
                found=", ".join(names)[:600],
                fix="correct join in preparation.json, or name the column so",
            )
        cells = {column: [cell.strip() for cell in frame.iloc[:, at]] for at, column in enumerate(names)}
        plain[name] = pd.DataFrame(cells, columns=pd.Index(names, dtype=object), dtype=object)
        if empty := [row for row, cell in enumerate(plain[name][key], 1) if is_missing(cell)]:
            raise InputError(f"{name}: {key} is empty", found=f"row {empty[0]}", fix="name whose row it is")
    several = [name for name, frame in plain.items() if frame[key].duplicated().any()]
    if len(several) > 1:
        raise InputError(
            "two tables have several rows of one key, so that it cannot be told which belong together",
            found=", ".join(several[:5]),
            allowed="at most one such table",
            fix="bring the others to one row for each key",
        )
    first = next(iter(several), next(iter(plain)))
    found = plain.pop(first)
    for name, frame in plain.items():
        if both := sorted(({*found.columns} & {*frame.columns}) - {key}):
            raise InputError(
                "tables that are joined have columns of the same name",
                found=f"{', '.join(both[:5])} in {name} and in a table before it"[:300],
                fix="rename them, or delete all but one",
            )
        found = found.merge(frame, on=key, how="outer", sort=False)
        if len(found) * len(found.columns) > LIMITS.cells or len(found.columns) > LIMITS.columns:
            raise InputError(
                "the joined tables are too large",
                found=f"{len(found)} rows of {len(found.columns)} columns",
                allowed=f"{LIMITS.columns} columns, {LIMITS.cells} cells",
                fix="leave out columns that the study does not need",
            )
    return found.fillna("")


def told(declared: Preparation) -> tuple[str, ...]:
    """What was done, for people."""
    join = (f"tables joined by {declared.join}",) if declared.join else ()
    return join + tuple(
        f"prepared as declared: {step.kind.replace('_', ' ')}"
        + (f" of {', '.join(step.columns)}" if step.columns else "")
        + (f", {' / '.join(step.values)}" if step.values else "")
        + "".join(f", {name} from {' / '.join(found)}" for name, found in step.measures.items())
        + (f" into {step.into}" if step.into else "")
        + (f", {step.minimum:g} to {step.maximum:g}" if step.kind == "turn" else "")
        + (f", {step.order}" if step.order else "")
        + (f", of at least {step.at_least} answers" if step.at_least else "")
        + f": {count} {'rows' if step.kind == 'long' else 'cells'}"
        for step, count in zip(declared.steps, declared.changed, strict=True)
    )
