"""Appendices A and B: where every number comes from, and what each execution used."""

from __future__ import annotations

from schemas.execution import Execution
from tasks.report.document import Block, Bullets, Cell, Group, Section, Table
from tasks.report.files import file_cell
from tasks.report.source import Source
from tasks.report.text import NONE, badge, duration, num, number, short_hash


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
    """Appendix B: what every simulation used and how it ended."""
    executions = source.executions
    blocks: list[Block] = [
        Table(
            (
                "Execution",
                "Stage",
                "Scale",
                "Sweep point",
                "Outcome",
                "Exit",
                "Wall",
                "CPU",
                "Memory, MB",
                "Sandbox",
                "Meep",
            ),
            tuple(_execution(e) for e in executions),
            "Executions",
            empty="No simulation was run.",
        ),
        Table(
            (
                "Execution",
                "Run",
                "Dim.",
                "Resolution",
                "Courant factor",
                "Pixels",
                "Time steps",
                "Meep time",
                "Stop criterion",
                "Reached",
                "Met",
                "Largest field",
            ),
            tuple(
                (
                    Cell(e.execution_id[:12], code=True),
                    Cell(r.label or NONE),
                    num(r.dimensions),
                    num(r.resolution),
                    num(r.courant),
                    num(r.pixels, 9),
                    num(r.time_steps, 9),
                    num(r.meep_time),
                    Cell(r.stop_criterion or NONE),
                    num(r.stop_reached, 3),
                    Cell("yes" if r.stop_met else "no", tone="good" if r.stop_met else "bad"),
                    num(r.max_field, 3),
                )
                for e in executions
                for r in e.meep_runs
            ),
            "Meep runs inside them, as simkit recorded them",
            empty="No Meep run was recorded.",
        ),
    ]
    refused = tuple(f"{e.stage_id}, {e.execution_id[:12]}: {text}" for e in executions for text in e.rejected)
    if refused:
        blocks.append(Group("Outputs that were refused", (Bullets(refused),)))
    blocks.append(_checks(source))
    return Section("B", "Executions", tuple(blocks))


def _execution(e: Execution) -> tuple[Cell, ...]:
    if e.failure:
        outcome = Cell(f"{e.failure.failure_class}: {e.failure.reason}", tone="bad")
    else:
        outcome = Cell("complete", tone="good") if e.complete else Cell("incomplete", tone="bad")
    ended = e.stop_reason or (
        f"signal {e.signal}" if e.signal is not None else NONE if e.exit_code is None else str(e.exit_code)
    )
    return (
        short_hash(e.execution_id),
        Cell(e.stage_id),
        num(e.resolution_scale),
        Cell(", ".join(f"{name} = {number(value)}" for name, value in e.point) or NONE),
        outcome,
        Cell(ended),
        Cell(duration(e.wall_s), number=True),
        Cell(duration(e.cpu_s), number=True),
        num(e.peak_memory_mb),
        Cell(e.sandbox_level),
        Cell(e.meep_version or NONE),
    )


def _checks(source: Source) -> Table:
    rows = []
    for stage in source.stage_evidence:
        groups = [
            ("execution", stage.execution.checks),
            ("physics", stage.physics.checks if stage.physics else ()),
            ("negative control", stage.controls),
        ]
        rows += [
            (
                Cell(stage.stage_id),
                Cell(kind),
                Cell(check.name),
                badge(check.level),
                Cell(check.measured),
                Cell(check.allowed),
                Cell(check.source or NONE),
            )
            for kind, checks in groups
            for check in checks
        ]
    return Table(
        ("Stage", "Kind", "Check", "Level", "Measured", "Allowed", "From"),
        tuple(rows),
        "Checks that code made on the files",
        empty="No check was recorded.",
    )
