"""The table of a study, from the files that were handed in; and its profile under the names that the data will have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from schemas.errors import InputError
from schemas.study.inputs import InputReport, TableProfile
from schemas.study.pipeline import PipelineMode
from schemas.study.preparation import Preparation
from tasks.study.inputs import analyse, for_models, read_all, read_declared
from tasks.study.inputs.declared import made_ready
from tasks.study.inputs.input_files import DATA_KINDS, is_preparation, kind_of
from tasks.study.inputs.profiling import profile
from tasks.study.participants.packaged_steps import repeatable
from tasks.study.participants.real_data import imported, plain_name


def examined(source: Path, mode: PipelineMode | None, *, allow_rows: bool = False) -> InputReport:
    """An input with everything that can be wrong with it found: files, tables, rows. Raises InputError; writes nothing."""
    report = analyse(source, mode=mode, allow_rows=allow_rows)
    if report.kind == "data":
        imported(*one_table(source))
        if report.preparation is not None and report.preparation.steps:
            repeatable(read_all(source, declared=report.preparation), *one_table(source), report.preparation)
    return report


def one_table(path: Path) -> tuple[pd.DataFrame, TableProfile]:
    """The rows of a data file or folder as one table, with its profile. Raises InputError for tables of different columns."""
    return _joined(*read_declared(path))


def kept_table(folder: Path, report: InputReport) -> tuple[pd.DataFrame, TableProfile]:
    """The same from a study's own copy of its input."""
    tables = _as_collected(folder, report)
    if report.preparation is None:
        return _joined(tables, None)
    return _joined(*made_ready(tables, report.preparation))


def kept_preparation(
    folder: Path, report: InputReport, *, keep: tuple[str, ...] = ()
) -> tuple[bytes, Preparation] | None:
    """The same of `repeatable`; None where no steps were declared."""
    if report.preparation is None or not report.preparation.steps:
        return None
    return repeatable(
        _as_collected(folder, report), *kept_table(folder, report), report.preparation, keep=keep
    )


def _as_collected(folder: Path, report: InputReport) -> dict[str, pd.DataFrame]:
    tables: dict[str, pd.DataFrame] = {}
    for file in report.files:
        if kind_of(folder / file.path) in DATA_KINDS and not is_preparation(folder / file.path):
            tables |= read_all(folder / file.path, declared=report.preparation)
    return tables


def _joined(
    tables: dict[str, pd.DataFrame], declared: Preparation | None
) -> tuple[pd.DataFrame, TableProfile]:
    who = declared.participant if declared is not None else ""
    first = next(iter(tables))
    other = next(
        (name for name, frame in tables.items() if set(frame.columns) != set(tables[first].columns)), None
    )
    if other is not None:
        columns = "; ".join(f"{name}: {', '.join(tables[name].columns)}" for name in (first, other))
        raise InputError(
            "the tables of the input have different columns",
            found=columns[:600],
            allowed="one table, or several of the same columns",
            fix="join them into one with a row per participant (and condition), or name one of the files",
        )
    if len(tables) == 1:
        return tables[first], profile(first, tables[first], who)
    whole = pd.concat([frame[list(tables[first].columns)] for frame in tables.values()], ignore_index=True)
    return whole, profile(f"{len(tables)} tables", whole, who)


def told_profile(report: InputReport) -> dict[str, Any]:
    """What agents are told of data (`for_models`), with columns under the names that they will have in the raw data."""
    found = for_models(report)
    for table in found["tables"]:
        for column in table["columns"]:
            column["name"] = plain_name(column["name"])
        for flag in table.get("flags", ()):
            flag["column"] = plain_name(flag["column"])
        if "participant" in table:
            table["participant"] = "participant"
        if "sample" in table:
            table["sample"] = [
                {plain_name(name): value for name, value in row.items()} for row in table["sample"]
            ]
    return found
