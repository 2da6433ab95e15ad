"""What a package needs to repeat the steps that a user declared: the data before them, and the steps under its names."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from schemas.errors import InputError, StateError
from schemas.study.inputs import TableProfile
from schemas.study.preparation import Preparation, Step
from tasks.study.inputs.declared import joined
from tasks.study.inputs.text_cells import is_missing
from tasks.study.participants.raw_data import PARTICIPANT, read_rows
from tasks.study.participants.real_data import imported, plain_name
from tasks.study.statistics.measures.scoring import UEQ
from tasks.study.statistics.preparation import prepared

_ON_CELLS = (
    "missing",
    "merge",
    "ranks",
    "decimal_commas",
    "percent",
    "turn",
    "dates",
)  # they make no new column


def repeatable(
    tables: Mapping[str, pd.DataFrame],
    frame: pd.DataFrame,
    profile: TableProfile,
    declared: Preparation,
    *,
    keep: tuple[str, ...] = (),
) -> tuple[bytes, Preparation]:
    """The data before the declared steps, as `imported` makes them, and the steps of the columns that are in them. What a step made of
    columns that are left out, as they may identify people, is among the data already.

    tables: as they were read; frame, profile: after all steps; keep: as `imported` takes it.
    Raises InputError for such a column that is made of a turned table,
    StateError where the steps do not give the data again.
    """
    before = _before(tables, declared)
    after = imported(frame, profile, keep=keep)
    hidden = _left_out(after.left_out, declared)
    made, steps = _known_already(before, hidden, declared)
    raw = imported(
        pd.concat([before, made], axis=1) if len(made.columns) else before,
        _profile(before, hidden, profile),
        keep=keep,
    )
    packaged = _of_package(steps, raw.renamed, after.renamed)
    rows = read_rows(raw.data)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    cells, changed = prepared(columns, [step.model_dump() for step in packaged], lambda cell: not cell)
    length = len(next(iter(cells.values())))
    if [{name: cells[name][place] for name in cells} for place in range(length)] != read_rows(after.data):
        raise StateError(
            "the declared steps do not give the data again", fix="report this: it is a fault of ReproLab"
        )
    kept = {"steps": tuple(packaged), "changed": tuple(changed), "join": ""}
    return raw.data, declared.model_copy(update=kept)


def _before(tables: Mapping[str, pd.DataFrame], declared: Preparation) -> pd.DataFrame:
    frames = [*tables.values()]
    if declared.join:
        found = joined(tables, declared.join.strip())
    elif len(frames) == 1:
        found = frames[0].copy()
    else:
        found = pd.concat([item[list(frames[0].columns)] for item in frames], ignore_index=True)
    found.columns = pd.Index([str(name).strip() for name in found.columns], dtype=object)
    return found


def _left_out(columns: tuple[str, ...], declared: Preparation) -> set[str]:
    """The columns that may identify people, under the names that they had before the table was turned."""
    found = {*columns}
    for step in declared.steps:
        found |= {column for name in columns for column in step.measures.get(name, ())}
    return found


def _known_already(
    before: pd.DataFrame, hidden: set[str], declared: Preparation
) -> tuple[pd.DataFrame, list[Step]]:
    """What is made of columns that are left out, and the steps that remain."""
    made, steps, turned = list[str](), list[Step](), False
    for step in declared.steps:
        secret = {*step.columns} & (hidden | {*made})
        if step.kind in _ON_CELLS or step.kind == "long" or not secret:
            steps.append(step)
            turned = turned or step.kind == "long"
            continue
        if turned:
            raise InputError(
                f"{step.into} is made of a column that is left out, as it may identify people",
                found=f"{', '.join(sorted(secret))}, after the step long",
                allowed="such a column made before the step long",
                fix="put this step before long in preparation.json",
            )
        into = step.into.strip()
        made += [f"{into}_{scale}" for scale in UEQ] if step.kind == "ueq" else [into]
    if not made:
        return pd.DataFrame(index=before.index), steps
    first = next(
        (place for place, step in enumerate(declared.steps) if step.kind == "long"), len(declared.steps)
    )
    cells = {name: before[name].tolist() for name in before.columns}
    found, _ = prepared(cells, [step.model_dump() for step in declared.steps[:first]], is_missing)
    return pd.DataFrame({name: found[name] for name in made}, index=before.index, dtype=object), steps


def _profile(before: pd.DataFrame, hidden: set[str], after: TableProfile) -> TableProfile:
    flags = list(after.flags)
    known = {flag.column for flag in flags}
    for column in sorted(hidden - known):
        flags.append(flags[0].model_copy(update={"column": column, "kind": "identifier"}))
    who = after.participant if after.participant in before.columns else None
    return after.model_copy(update={"flags": tuple(flags), "participant": who})


def _of_package(steps: list[Step], before: Mapping[str, str], after: Mapping[str, str]) -> list[Step]:
    """The steps under the names of the data's columns, without columns that are not in them."""
    names, found, there = {**before, **after}, list[Step](), [*before]
    for step in steps:
        columns = [names[name] for name in step.columns or there if name in names]
        made = step.into.strip()
        if step.kind == "long":
            measures = {
                names[name.strip()]: tuple(names[column] for column in used)
                for name, used in step.measures.items()
                if name.strip() in names and all(column in names for column in used)
            }
            used = {column for columns in step.measures.values() for column in columns}
            there = [name for name in there if name not in used] + [made, *step.measures]
            update = {"measures": measures, "into": names[made], "by": PARTICIPANT}
            found += [step.model_copy(update=update)]
        elif step.kind not in _ON_CELLS:
            found.append(step.model_copy(update={"columns": tuple(columns), "into": plain_name(made)}))
            there += [f"{made}_{scale}" for scale in UEQ] if step.kind == "ueq" else [made]
        elif columns:
            found.append(step.model_copy(update={"columns": tuple(columns)}))
    return found
