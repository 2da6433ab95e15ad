"""Appendices A and B: where every number comes from, and what each execution used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from schemas.reproduce.simulations.execution import Execution, MeepRun
from tasks.reproduce.report.causes import cause_place, shortened
from tasks.reproduce.report.document import Block, Bullets, Cell, Code, Fold, Group, Paragraph, Section, Table
from tasks.reproduce.report.long_tables import CHECKS, EXECUTIONS, RUNS
from tasks.reproduce.report.report_files import file_cell
from tasks.reproduce.report.source import Source, stage_checks
from tasks.reproduce.report.text import NONE, badge, duration, num, number, short_hash


def provenance_section(source: Source) -> Section:
    """Appendix A: number -> file, column, sha256, execution, resolution scales."""
    rows = []
    for line, comparison in source.compared:
        e = comparison.evidence
        state = source.file_states[line.target_id]
        rows.append(
            (
                Cell(line.target_id, code=True),
                file_cell(source.run_dir, e.file),
                Cell(e.column or NONE),
                short_hash(e.sha256),
                Cell(state, tone="good" if state == "verified" else "bad"),
                short_hash(e.execution_id),
                Cell(", ".join(map(number, source.scales(comparison.evidence))) or NONE),
                Cell(e.reference_source or NONE),
            )
        )
    return Section(
        "A",
        "Provenance",
        (
            Table(
                (
                    "Target",
                    "File",
                    "Column",
                    "sha256",
                    "File now",
                    "Execution",
                    "Resolution scales",
                    "Reference from",
                ),
                tuple(rows),
                "Files were hashed again when this report was written",
                empty="No target was compared.",
            ),
        ),
    )


def executions_section(source: Source) -> Section:
    """Appendix B: what the simulations used and how they ended, a line for each stage and resolution."""
    groups: dict[tuple[str, float], list[Execution]] = {}
    for execution in source.executions:
        groups.setdefault((execution.stage_id, execution.resolution_scale), []).append(execution)
    blocks: list[Block] = [
        Table(
            (
                "Stage",
                "Scale",
                "Runs",
                "Sweep points",
                "Outcome",
                "Wall",
                "CPU",
                "Memory, MB",
                "Sandbox",
                "Program",
            ),
            tuple(_group(stage, scale, ran) for (stage, scale), ran in groups.items()),
            "Executions",
            empty="No simulation was run.",
        ),
        Table(
            (
                "Stage",
                "Scale",
                "Runs",
                "Dim.",
                "Resolution",
                "Courant factor",
                "Pixels",
                "Time steps",
                "Program time",
                "Stop criterion",
                "Met",
                "Largest field",
            ),
            tuple(
                _runs(stage, scale, runs)
                for (stage, scale), ran in groups.items()
                if (runs := [run for e in ran for run in e.meep_runs])
            ),
            "Runs of the field solver inside them, as they were recorded",
            empty="No run was recorded.",
        ),
        Paragraph(
            f"Every execution with its digest and folder, every run and every check stand in {EXECUTIONS}, {RUNS} and "
            f"{CHECKS} beside this report."
        ),
    ]
    failed = tuple(
        f"{e.stage_id}, scale {number(e.resolution_scale)}, {e.execution_id[:12]}: {e.failure.failure_class}: "
        f"{shortened(e.failure.reason)} {cause_place(e.failure.detail)}".strip()
        for e in source.executions
        if e.failure
    )
    if failed:
        blocks.append(Group("Executions that failed", (Bullets(failed),)))
        blocks.append(
            Fold(
                "Error output of failed executions",
                tuple(
                    Group(
                        f"{e.stage_id}, {e.execution_id[:12]}",
                        (Code(e.failure.detail or e.stderr_tail or NONE),),
                        level=4,
                    )
                    for e in source.executions
                    if e.failure
                ),
            )
        )
    refused = tuple(
        f"{e.stage_id}, {e.execution_id[:12]}: {text}" for e in source.executions for text in e.rejected
    )
    if refused:
        blocks.append(Group("Outputs that were refused", (Bullets(refused),)))
    return Section("B", "Executions", (*blocks, *_checks(source)))


def _group(stage: str, scale: float, ran: list[Execution]) -> tuple[Cell, ...]:
    good = sum(e.complete and e.failure is None for e in ran)
    outcome = (
        Cell("complete", tone="good")
        if good == len(ran)
        else Cell(f"{good} complete, {len(ran) - good} failed", tone="bad")
    )
    return (
        Cell(stage, code=True),
        num(scale),
        Cell(str(len(ran)), number=True),
        Cell(_points(ran)),
        outcome,
        Cell(duration(sum(e.wall_s for e in ran)), number=True),
        Cell(duration(sum(e.cpu_s for e in ran)), number=True),
        num(max(e.peak_memory_mb for e in ran)),
        Cell(_all(e.sandbox_level for e in ran)),
        Cell(_all(e.meep_version for e in ran)),
    )


def _points(ran: list[Execution]) -> str:
    values: dict[str, list[float]] = {}
    for execution in ran:
        for name, value in execution.point:
            values.setdefault(name, []).append(value)
    return "; ".join(f"{name} = {_range(found)}" for name, found in values.items()) or NONE


def _runs(stage: str, scale: float, runs: list[MeepRun]) -> tuple[Cell, ...]:
    met = sum(run.stop_met for run in runs)
    return (
        Cell(stage, code=True),
        num(scale),
        Cell(str(len(runs)), number=True),
        Cell(_range([r.dimensions for r in runs])),
        Cell(_range([r.resolution for r in runs])),
        Cell(_range([r.courant for r in runs])),
        Cell(_range([r.pixels for r in runs], 9)),
        Cell(_range([r.time_steps for r in runs], 9)),
        Cell(_range([r.meep_time for r in runs])),
        Cell(_all(r.stop_criterion for r in runs)),
        Cell(f"{met} of {len(runs)}", tone="good" if met == len(runs) else "bad"),
        Cell(_range([r.max_field for r in runs if r.max_field is not None], 3)),
    )


def _range(values: Sequence[float], digits: int = 4) -> str:
    if not values:
        return NONE
    low, high = number(min(values), digits), number(max(values), digits)
    return low if low == high else f"{low} to {high}"


def _all(texts: Iterable[str]) -> str:
    found = list(dict.fromkeys(text for text in texts if text))
    return ", ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "") or NONE


CONTROLS_SHOW = (
    "What negative controls show: answers that code made wrong on purpose from the paper's own reference (empty, echoed, "
    "shuffled, constant, displaced) are refused by this comparison, so it can tell them from the paper. What they cannot show: "
    "that the simulation is right, that the reference is the paper's, or that a wrong answer of another kind would be refused."
)
ECHO_SHOWS = (
    "What echo checks show: the reference was not typed in the code to four digits, and the value differs from it. What they "
    "cannot show: a reference that was rounded, split into parts, computed from other numbers, or guessed; a pass is no proof "
    "that the value comes from the fields."
)


def _checks(source: Source) -> tuple[Block, ...]:
    counts, shown = [], []
    for stage in source.stage_evidence:
        for kind, checks in stage_checks(stage):
            levels = Counter(check.level for check in checks)
            counts.append(
                (
                    Cell(stage.stage_id, code=True),
                    Cell(kind),
                    *(Cell(str(levels[level]), number=True) for level in ("pass", "warning", "fail")),
                )
            )
            shown += [
                (
                    Cell(stage.stage_id, code=True),
                    Cell(kind),
                    Cell(check.name),
                    badge(check.level),
                    Cell(check.measured),
                    Cell(check.allowed),
                    Cell(check.source or NONE),
                )
                for check in checks
                if check.level != "pass"
            ]
    silent = tuple(
        f"{stage.stage_id}: {', '.join(stage.not_asked)}: not asked: nothing to judge"
        for stage in source.stage_evidence
        if stage.not_asked
    )
    return (
        Table(
            ("Stage", "Kind", "Passed", "Warnings", "Failed"),
            tuple(counts),
            "Checks that code made on the files",
            empty="No check was recorded.",
        ),
        *(
            (
                Bullets(
                    silent,
                    "Agents that were not asked: code's checks decided, and an opinion could only be stricter",
                ),
            )
            if silent
            else ()
        ),
        Paragraph(CONTROLS_SHOW),
        Paragraph(ECHO_SHOWS),
        Table(
            ("Stage", "Kind", "Check", "Level", "Measured", "Allowed", "From"),
            tuple(shown),
            "Checks that did not pass",
            empty="Every check passed.",
        ),
    )
