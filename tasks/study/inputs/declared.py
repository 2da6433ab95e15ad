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
from tasks.study.inputs.input_files import decoded
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
    found, total = {}, [0] * len(declared.steps)
    steps = [step.model_dump() for step in declared.steps]
    for name, frame in tables.items():
        names = check_header(name, list(frame.columns))
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
        found[name] = pd.DataFrame(cells, columns=pd.Index(names, dtype=object), dtype=object)
    if idle := [str(place) for place, count in enumerate(total, 1) if not count]:
        raise InputError(
            "a declared step changes nothing",
            found=f"step {', '.join(idle)} of preparation.json",
            allowed="values as they are written in the cells, letter by letter",
            fix="correct its values or columns, or delete the step",
        )
    return found, declared.model_copy(update={"changed": tuple(total)})


def told(declared: Preparation) -> tuple[str, ...]:
    """What was done, for people."""
    return tuple(
        f"prepared as declared: {step.kind.replace('_', ' ')}"
        + (f" of {', '.join(step.columns)}" if step.columns else "")
        + (f", {' / '.join(step.values)}" if step.values else "")
        + (f" into {step.into}" if step.into else "")
        + f": {count} cells"
        for step, count in zip(declared.steps, declared.changed, strict=True)
    )
