"""The long lists beside the report as CSV: executions, Meep-independent runs inside them, checks and comparisons."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.reproduce.judging.budget import SYMBOLS, Contribution
from schemas.reproduce.judging.comparison import ComparisonRecord
from tasks.reproduce.report.source import Source, stage_checks
from tasks.reproduce.report.text import clean

if TYPE_CHECKING:
    import pandas as pd

FOLDER = "report_data"
EXECUTIONS, RUNS, CHECKS = f"{FOLDER}/executions.csv", f"{FOLDER}/simulation_runs.csv", f"{FOLDER}/checks.csv"
COMPARISONS, BUDGETS = f"{FOLDER}/comparisons.csv", f"{FOLDER}/budgets.csv"


def write_tables(source: Source) -> None:
    """Write the tables below the run's directory; an empty one has its header only."""
    _write(source.run_dir / EXECUTIONS, _executions(source))
    _write(source.run_dir / RUNS, _runs(source))
    _write(source.run_dir / CHECKS, _checks(source))
    _write(source.run_dir / COMPARISONS, _comparisons(source))
    _write(source.run_dir / BUDGETS, _budgets(source))


def _executions(source: Source) -> pd.DataFrame:
    import pandas as pd

    columns = [
        "execution",
        "stage",
        "resolution_scale",
        "point",
        "complete",
        "outcome",
        "exit_code",
        "wall_s",
        "cpu_s",
        "peak_memory_mb",
        "sandbox_level",
        "program_version",
        "folder",
    ]
    return pd.DataFrame(
        [
            (
                e.execution_id,
                e.stage_id,
                e.resolution_scale,
                "; ".join(f"{name} = {value:g}" for name, value in e.point),
                e.complete,
                f"{e.failure.failure_class}: {e.failure.reason}" if e.failure else "",
                e.exit_code,
                e.wall_s,
                e.cpu_s,
                e.peak_memory_mb,
                e.sandbox_level,
                e.meep_version,
                e.directory,
            )
            for e in source.executions
        ],
        columns=columns,
    )


def _runs(source: Source) -> pd.DataFrame:
    import pandas as pd

    rows = [
        {"execution": e.execution_id, "stage": e.stage_id, "resolution_scale": e.resolution_scale}
        | run.model_dump(exclude={"cell"})
        | {"cell": " x ".join(f"{side:g}" for side in run.cell)}
        for e in source.executions
        for run in e.meep_runs
    ]
    return pd.DataFrame(rows, columns=list(rows[0]) if rows else ["execution", "stage", "resolution_scale"])


def _checks(source: Source) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(
        [
            (stage.stage_id, kind, check.name, check.level, check.measured, check.allowed, check.source)
            for stage in source.stage_evidence
            for kind, checks in stage_checks(stage)
            for check in checks
        ],
        columns=["stage", "kind", "check", "level", "measured", "allowed", "source"],
    )


def _comparisons(source: Source) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(
        [record.model_dump() for record in source.state.comparison_history],
        columns=list(ComparisonRecord.model_fields),
    )


def _budgets(source: Source) -> pd.DataFrame:
    """Each contribution in a line, and behind them the target's sums; an empty cell is not known."""
    import pandas as pd

    rows: list[dict[str, object]] = []
    for line, _ in source.compared:
        budget = source.budgets.get(line.target_id)
        if budget is None:
            continue
        of: dict[str, object] = {"target": budget.target_id, "unit": budget.unit}
        rows += [
            of | entry.model_dump(exclude={"alike"}) | {"u": entry.standard} for entry in budget.contributions
        ]
        sums = {
            "E": budget.error,
            **{symbol: budget.standard(side) for side, symbol in SYMBOLS.items()},
            "u_val": budget.u_val,
            "U_S": budget.expanded_simulation,
            "U_D": budget.expanded_reference,
            "E_n": budget.e_n,
        }
        rows += [
            of | {"side": "sum", "source": name, "u": value} | ({"unit": "1"} if name == "E_n" else {})
            for name, value in sums.items()
        ]
    columns = ["target", "unit", *(name for name in Contribution.model_fields if name != "alike"), "u"]
    return pd.DataFrame(rows, columns=columns)


def _harmless(value: object) -> object:
    """Text that a spreadsheet would run as a formula gets an apostrophe in front."""
    if not isinstance(value, str):
        return value
    text = " ".join(clean(value).split())
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def _write(path: Path, table: pd.DataFrame) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            table.map(_harmless).to_csv(out, index=False, lineterminator="\n")
            os.fchmod(out.fileno(), 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
