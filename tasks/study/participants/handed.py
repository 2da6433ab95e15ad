"""Data that are handed in after a study was designed: whether they fit the design, and their copy in input/."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from schemas.errors import InputError
from schemas.run.pasted import typed
from schemas.study.design import Variables
from schemas.study.exclusion import ExclusionRule
from schemas.study.graph import PhaseType
from schemas.study.inputs import InputReport
from schemas.study.pipeline import PipelineMode
from schemas.study.questionnaire import Item, Questionnaire
from tasks.files.store import atomic_write
from tasks.study.inputs import analyse
from tasks.study.participants.excluding import needed_by
from tasks.study.participants.raw_data import CONDITION, PARTICIPANT, SIMULATED, read_rows, write_rows
from tasks.study.participants.real_data import imported
from tasks.study.participants.responses import scale_mean, value_problem
from tasks.study.participants.study_table import one_table
from tasks.study.phases import latest
from tasks.study.workspace import Workspace
from tasks.study.workspace.file_steps import twice
from tasks.study.workspace.given import import_input
from tasks.study.workspace.places import INPUT, META


def wanted_columns(
    variables: Variables, questionnaire: Questionnaire | None, rules: Sequence[ExclusionRule] = ()
) -> tuple[str, ...]:
    """The columns that data of this design need: of a scale its items, or its mean; and what the rules of exclusion act upon."""
    scales: dict[str, list[str]] = {}
    for item in questionnaire.items if questionnaire else ():
        if item.scale:
            scales.setdefault(item.scale, []).append(item.id)
    found = [PARTICIPANT]
    for variable in variables.variables:
        found += scales.get(variable.name, [variable.name])
    for rule in rules:
        found += needed_by(rule, questionnaire)
    return tuple(dict.fromkeys(found))


def fitting_data(
    data: bytes, variables: Variables, questionnaire: Questionnaire | None, *, source: str = "the data"
) -> bytes:
    """Raw data with the means of scales added where only their items are there. Raises InputError for columns that lack, and
    for a value that its item does not allow. source: the file's name, for messages."""
    rows: list[dict[str, object]] = [dict(row) for row in read_rows(data)]
    columns = list(rows[0]) if rows else []
    items = {} if questionnaire is None else {item.id: item for item in questionnaire.items}
    _check_values(rows, items, source)
    for scale in sorted({item.scale for item in items.values() if item.scale} - {*columns}):
        own = [item for item in items.values() if item.scale == scale]
        if questionnaire is not None and all(item.id in columns for item in own):
            for place, row in enumerate(rows, 1):
                values = {item.id: _answer(row[item.id], item.id, place, source) for item in own}
                row[scale] = scale_mean(scale, values, questionnaire)
            columns.insert(columns.index(SIMULATED), scale)
    missing = [item.name for item in variables.variables if item.name not in columns]
    if missing:
        raise InputError(
            "the data lack columns that the design needs",
            found=f"missing {', '.join(missing)}; there are "
            f"{', '.join(name for name in columns if name != SIMULATED)}"[:600],
            allowed=", ".join(wanted_columns(variables, questionnaire)),
            fix="name the columns as the questionnaire and the protocol do; names are read in small letters",
        )
    known = next(
        (set(item.levels) for item in variables.variables if item.name == CONDITION and item.levels), set()
    )
    foreign = sorted({str(row[CONDITION]) for row in rows} - known - {""}) if known else []
    if foreign:
        raise InputError(
            "the data hold conditions that the design does not know",
            found=", ".join(foreign[:8]),
            allowed=", ".join(sorted(known)),
            fix="name the conditions as the protocol does",
        )
    return write_rows(columns, rows)


def _check_values(rows: Sequence[Mapping[str, object]], items: Mapping[str, Item], source: str) -> None:
    """Raises InputError for the first cells that their items do not allow, as participants' answers are checked; an empty
    cell is a missing answer."""
    wrong = []
    for place, row in enumerate(rows, 1):
        for name, item in items.items():
            cell = str(row.get(name, "")).strip()
            if cell and (problem := value_problem(item, cell)):
                wrong.append(
                    f"{source}, row {place}, column {name}: {cell[:40]!r} ({problem[0]}; allowed: {problem[1]})"
                )
    ends: dict[str, list[float]] = {}
    for item in items.values():
        if item.scale and item.minimum is not None and item.maximum is not None:
            ends.setdefault(item.scale, []).extend((item.minimum, item.maximum))
    for place, row in enumerate(rows, 1):
        for scale, limits in ends.items():
            cell = str(row.get(scale, "")).strip()
            if cell and not (min(limits) <= _number(cell, scale, place, source) <= max(limits)):
                wrong.append(
                    f"{source}, row {place}, column {scale}: {cell[:40]!r} (out of range; allowed: {min(limits):g} to "
                    f"{max(limits):g})"
                )
    if wrong:
        more = f"; and {len(wrong) - 5} more" if wrong[5:] else ""
        raise InputError(
            "the data hold values that the questionnaire does not allow",
            found="; ".join(wrong[:5])[:1500] + more,
            allowed="values within each item's scale or options, or empty cells for missing answers",
            fix="correct the cells, or leave those of missing answers empty",
        )


def examined_data(
    source: Path,
    variables: Variables | None,
    questionnaire: Questionnaire | None,
    *,
    allow_rows: bool = False,
) -> InputReport:
    """Data with everything that can be wrong with them found, as far as the design is known. Raises InputError."""
    report = analyse(source, mode=PipelineMode.REAL_DATA, allow_rows=allow_rows)
    if report.kind != "data":
        raise InputError(
            "these are no data",
            found=source.name,
            allowed="csv, tsv, json, jsonl, xlsx, parquet, or a folder of them",
            fix="hand in the file with the participants' rows",
        )
    data = imported(*one_table(source)).data
    if variables is not None:
        fitting_data(data, variables, questionnaire, source=source.name)
    return report


def examined_for(space: Workspace, source: Path) -> None:
    """The same for a study that waits for these data. Raises InputError for one whose data cannot be handed in."""
    state = space.load()
    if space.mode is PipelineMode.SIMULATED:
        raise InputError(
            "this study has simulated participants",
            found=str(source),
            allowed="data for a study in mode B",
            fix=f"start one: {typed('study', 'INPUT', '--mode', 'B')}",
        )
    known = {item.id for item in space.manifest().artifacts}
    if any(item.rsplit("/", 1)[1] == "raw_data" for item in known):
        raise InputError(
            "this study has its data already", found=str(source), fix="start another study with these data"
        )
    top = latest(state.nodes, PhaseType.DESIGN).id if state else ""
    variables, questionnaire = (
        space.read(f"{top}/{name}") if f"{top}/{name}" in known else None
        for name in ("variables", "questionnaire")
    )
    assert variables is None or isinstance(variables, Variables)
    assert questionnaire is None or isinstance(questionnaire, Questionnaire)
    examined_data(source, variables, questionnaire)


def handed_in(
    root: Path,
    source: Path,
    before: InputReport,
    variables: Variables,
    questionnaire: Questionnaire | None,
    *,
    allow_rows: bool = False,
) -> InputReport:
    """Copy data into input/ after everything about them was found to fit; the report of the study's whole input.

    Raises InputError, with nothing written, for what does not fit.
    """
    report = examined_data(source, variables, questionnaire, allow_rows=allow_rows)
    import_input(root, source, report)
    whole = report.model_copy(update={"text": before.text, "files": (*before.files, *report.files)})
    text = json.dumps(whole.model_dump(mode="json"), indent=1, ensure_ascii=False)
    twice(lambda: atomic_write(root / INPUT / META, text), "writing meta.json")
    return whole


def _answer(value: object, column: str, row: int, source: str) -> float | None:
    return None if str(value).strip() == "" else _number(value, column, row, source)


def _number(value: object, column: str, row: int, source: str) -> float:
    try:
        return float(str(value))
    except ValueError:
        raise InputError(
            "an answer is no number",
            found=f"{source}, row {row}, column {column}: {str(value)[:40]!r}",
            allowed="a number, or nothing",
            fix="correct the cell",
        ) from None
