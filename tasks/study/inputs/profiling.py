"""The profile of a table: columns, types, missing values, ranges, and what must not leave the computer."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pandas as pd

from schemas.errors import InputError
from schemas.study.inputs import Category, ColumnProfile, Flag, TableProfile
from tasks.study.inputs.codes import missing_codes
from tasks.study.inputs.personal import flags_of
from tasks.study.inputs.text_cells import check_formulas, check_header, is_missing, number_in, type_of

SHARED_BY = 5  # rows that must share a value before it is told
_MOST_TOLD, _LONGEST_TOLD = 30, 60
_PARTICIPANT = re.compile(
    r"(participant|subject|respondent|worker|user|person|proband)?_?(id|no|nr|number|code)?\Z", re.IGNORECASE
)


def profile(name: str, frame: pd.DataFrame, who: str = "") -> TableProfile:
    """The profile of a table of text cells.

    who: the column that is declared to name participants. Raises InputError for a header, formula, type or identifier that cannot stand."""
    frame.columns = pd.Index(check_header(name, list(frame.columns)), dtype=object)
    check_formulas(name, frame)
    columns, flags, remarks = [], [], []
    for column in frame.columns:
        cells = frame[column].tolist()
        present = [cell for cell in cells if not is_missing(cell)]
        named = any(flag.kind == "identifier" for flag in flags_of(column, "category", present))
        kind = type_of(name, column, cells, may_mix=named)
        found = flags_of(column, kind, present)
        flags += found
        if kind in ("whole", "number") and not found:
            numbers = [number for cell in present if (number := number_in(cell)) is not None]
            remarks += [
                f"{column}: {numbers.count(code)} cells hold {code:g}, far from all others; if it says that there is "
                "no value, they should be empty (or the step missing be declared in preparation.json): tests take it as a number, "
                "and say what they give without it"
                for code in missing_codes(numbers)
            ]
        columns.append(_column(column, kind, cells, present, bool(found)))
        if nans := sum(cell.strip().lower() == "nan" for cell in cells):
            remarks.append(f"{column}: {nans} cells say NaN; they count as missing")
        if kind == "empty":
            remarks.append(f"{column} is empty")
    participant = who if who in frame.columns else _participant(frame, flags)
    repeated = participant is not None and _repeats(name, frame, participant)
    doubled = int(frame.duplicated().sum())
    if doubled and not participant:
        remarks.append(
            f"{doubled} rows are exact copies of others; without a column that names participants it cannot be told "
            "whether they are mistakes"
        )
    return TableProfile(
        name=name,
        rows=len(frame),
        columns=tuple(columns),
        flags=tuple(flags),
        remarks=tuple(remarks),
        participant=participant,
        repeated=repeated,
    )


def _column(name: str, kind: str, cells: list[str], present: list[str], flagged: bool) -> ColumnProfile:
    facts: dict[str, object] = {}
    if not flagged and kind in ("whole", "number"):
        values = np.array([number_in(cell) for cell in present], float)
        facts = {
            "minimum": float(values.min()),
            "maximum": float(values.max()),
            "mean": float(values.mean()),
            "sd": float(values.std(ddof=1)) if len(values) > 1 else None,
            "quartiles": tuple(float(item) for item in np.percentile(values, [25, 50, 75])),
        }
    elif not flagged and kind in ("category", "truth"):
        counts = Counter(cell.strip() for cell in present)
        told = [
            (value, count)
            for value, count in counts.most_common(_MOST_TOLD)
            if count >= SHARED_BY and len(value) <= _LONGEST_TOLD
        ]
        facts = {
            "categories": tuple(Category(value=value, count=count) for value, count in told),
            "rare": len(counts) - len(told),
        }
    return ColumnProfile.model_validate(
        {
            "name": name,
            "type": kind,
            "rows": len(cells),
            "missing": len(cells) - len(present),
            "distinct": len({cell.strip() for cell in present}),
            "flagged": flagged,
            **facts,
        }
    )


def _participant(frame: pd.DataFrame, flags: list[Flag]) -> str | None:
    """The column that names participants, by its own name."""
    named = [flag.column for flag in flags if flag.kind == "identifier" and flag.because == "its name"]
    plain = [column for column in named if _PARTICIPANT.match(column)]
    return next(iter(plain or named), None)


def _repeats(name: str, frame: pd.DataFrame, column: str) -> bool:
    """Whether participants have several rows by design. Raises InputError for those that are there twice by mistake.

    By design: at least half of the participants have several rows, and some other column tells those apart.
    """
    ids = frame[column].map(str.strip)
    if ids.map(is_missing).any():
        raise InputError(
            f"{name}: a participant has no {column}",
            found=f"row {int(ids.map(is_missing).to_numpy().argmax()) + 1}",
            fix="give every row its participant, or delete the row",
        )
    times = ids.value_counts()
    if times.max() == 1:
        return False
    tell = [
        other
        for other in frame.columns
        if other != column
        and frame[other].nunique() <= max(50, 2 * times.max())
        and not pd.DataFrame({"id": ids, "other": frame[other]}).duplicated().any()
    ]
    if (times > 1).mean() >= 0.5 and tell:
        return True
    rows = [str(place + 1) for place in np.flatnonzero(ids.duplicated(keep=False).to_numpy())[:6]]
    raise InputError(
        f"{name}: {column} names a participant twice",
        found=f"{int((times > 1).sum())} of {len(times)} are there more than once (rows {', '.join(rows)})",
        allowed="one row per participant, or per participant and condition",
        fix="delete the copies; for repeated measures add a column that names condition or trial",
    )
