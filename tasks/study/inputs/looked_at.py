"""From a path to a report: kind and mode, tables read and profiled; and what of it a model may be told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from schemas.base import FileRef
from schemas.errors import InputError
from schemas.study.inputs import InputReport, TableProfile
from schemas.study.pipeline import PipelineMode
from schemas.study.preparation import Preparation
from tasks.study.inputs.declared import made_ready, read_preparation, told
from tasks.study.inputs.delimited import read_delimited
from tasks.study.inputs.input_files import (
    LIMITS,
    InputLimits,
    files_of,
    kind_of,
    notes_of,
    preparation_of,
    read_text,
)
from tasks.study.inputs.profiling import profile
from tasks.study.inputs.structured import read_structured
from tasks.study.inputs.unpacking import read_packed
from tasks.study.inputs.weights import refuse_weights

_SAMPLE = 5


def read_all(
    path: Path, limits: InputLimits = LIMITS, declared: Preparation | None = None
) -> dict[str, pd.DataFrame]:
    """All tables of a data file or folder, as text cells, by name. declared: how they are read; its steps are not taken. Raises
    InputError."""
    declared = declared or Preparation()
    found: dict[str, pd.DataFrame] = {}
    for file in files_of(path, limits)[1]:
        kind = kind_of(file)
        if kind in ("xlsx", "parquet"):
            for sheet, frame in read_packed(file, limits).items():
                found[f"{file.name} {sheet}".strip()] = frame
        else:
            found[file.name] = (
                read_delimited(file, limits, declared.delimiter)
                if kind in ("csv", "tsv")
                else read_structured(file, limits)
            )
    return {
        name: frame.iloc[declared.header_rows - 1 :].reset_index(drop=True) for name, frame in found.items()
    }


def read_declared(
    path: Path, limits: InputLimits = LIMITS
) -> tuple[dict[str, pd.DataFrame], Preparation | None]:
    """All tables, prepared as is declared beside them, and what was declared. Raises InputError."""
    file = preparation_of(path, limits)
    if file is None:
        return read_all(path, limits), None
    declared = read_preparation(file)
    return made_ready(read_all(path, limits, declared), declared)


def analyse(
    path: Path, *, mode: PipelineMode | None = None, allow_rows: bool = False, limits: InputLimits = LIMITS
) -> InputReport:
    """What a user handed in. Writes nothing.

    mode: the user's own word; data are real (B), a text is simulated (A) or waits for data (B). allow_rows: the profile may
    hold rows, without the flagged columns. Raises InputError: see the modules of this folder.
    """
    kind, files = files_of(path, limits)
    root = path if path.is_dir() else path.parent
    notes = notes_of(path, limits) if kind == "data" else []
    preparation = preparation_of(path, limits) if kind == "data" else None
    refs = tuple(FileRef.of(file, root) for file in (*files, *notes, *([preparation] if preparation else [])))
    if kind == "text":
        return InputReport(kind="text", mode=mode or PipelineMode.SIMULATED, files=refs, text=read_text(path))
    if mode is PipelineMode.SIMULATED:
        raise InputError(
            "real data and simulated participants do not go together",
            found=f"{path.name} with mode A",
            allowed="mode B with data, mode A with a topic or question",
            fix="leave the mode out",
        )
    tables = []
    read, declared = read_declared(path, limits)
    told_of = "\n\n".join(read_text(file).strip() for file in notes)
    refuse_weights([*dict.fromkeys(name for frame in read.values() for name in frame.columns)], told_of)
    for name, frame in read.items():
        table = profile(name, frame, declared.participant if declared is not None else "")
        if declared is not None:
            table = table.model_copy(update={"remarks": (*told(declared), *table.remarks)})
        tables.append(table.model_copy(update={"sample": _rows(frame, table)}) if allow_rows else table)
    return InputReport(
        kind="data",
        mode=PipelineMode.REAL_DATA,
        files=refs,
        tables=tuple(tables),
        preparation=declared,
        notes=told_of,
    )


def for_models(report: InputReport) -> dict[str, Any]:
    """What agents are told of data: no row unless it was allowed, no rare value, nothing of flagged columns but their kind."""
    return {"tables": [table.model_dump(mode="json", exclude_defaults=True) for table in report.tables]}


def _rows(frame: pd.DataFrame, table: TableProfile) -> tuple[dict[str, str], ...]:
    kept = [column.name for column in table.columns if not column.flagged]
    return tuple(frame[kept].head(_SAMPLE).to_dict("records"))
