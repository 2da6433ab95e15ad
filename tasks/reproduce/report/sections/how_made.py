"""Appendix F: versions, settings with their limits, and how to make this report again."""

from __future__ import annotations

from schemas.reproduce.settings import Limits
from tasks.reproduce.describing.known_defects import concerning
from tasks.reproduce.report.document import Block, Cell, Code, Facts, Group, Paragraph, Section, Table
from tasks.reproduce.report.facts import ReportFacts
from tasks.reproduce.report.source import Source
from tasks.reproduce.report.text import NONE


def _told(facts: ReportFacts) -> tuple[Block, ...]:
    """What the command line does not show: settings from a file or a form, and which secrets it needs."""
    told: list[Block] = []
    if facts.secret_variables:
        told.append(Paragraph(f"Set in the environment, not shown: {', '.join(facts.secret_variables)}."))
    changed = tuple((Cell(name, code=True), Cell(value)) for name, value in facts.changed_settings)
    told.append(
        Table(
            ("Setting", "Value"),
            changed,
            "Settings that differ from their defaults",
            empty="All settings have their defaults.",
        )
    )
    return tuple(told)


def _isolation(facts: ReportFacts) -> tuple[Block, ...]:
    """What generated code could do when it tried, before anything of this run was executed."""
    rows = tuple(
        (Cell(against), Cell(how, tone=None if held else "bad"))
        for against, how, held in facts.sandbox_protections
    )
    return (
        Paragraph("; ".join(facts.sandbox_findings) or NONE),
        Table(
            ("Way around the limits", "What came of trying it"),
            rows,
            "Ways around the limits that a program tried",
            empty="Nothing was tried.",
        ),
    )


def _known_defects(facts: ReportFacts) -> tuple[Block, ...]:
    """What is wrong in the installed Meep, and which scenes of this report touch it."""
    version = facts.versions.get("meep", "")
    rows = []
    for defect in concerning(version):
        by = [
            f"{stage}: {finding.where}"
            for stage, study in facts.studies
            for finding in study.findings
            if finding.source == defect.source
        ]
        rows.append(
            (
                Cell(defect.feature),
                Cell(defect.consequence),
                Cell(f"{defect.reference}; {defect.versions}"),
                Cell(defect.here),
                Cell("; ".join(dict.fromkeys(by)) or NONE),
            )
        )
    told: list[Block] = [
        Table(
            ("What touches it", "What comes of it", "Where it is told; versions", "Here", "Touched by"),
            tuple(rows),
            f"Known defects of Meep {version or 'of an unknown version'}",
            empty="None that we know of.",
        )
    ]
    if facts.scripted:
        told.append(Paragraph(f"Not looked into: what free scripts ran ({', '.join(facts.scripted)})."))
    return tuple(told)


def environment_section(source: Source) -> Section:
    """Everything needed to run it again."""
    facts, settings = source.facts, source.settings
    model = settings.model
    sandbox = Cell(
        f"level {facts.sandbox_level}: {facts.sandbox_note}",
        tone="bad" if facts.sandbox_level == "C" else None,
    )
    limits = tuple(
        (
            Cell(name, code=True),
            Cell(NONE if value is None else str(value), number=True),
            Cell(Limits.model_fields[name].description or ""),
        )
        for name, value in settings.limits
    )
    blocks: list[Block] = [
        Facts(
            tuple((name, Cell(version or "unknown")) for name, version in facts.versions.items())
            + (
                ("source", Cell(facts.git or "unknown")),
                ("platform", Cell(facts.platform or "unknown")),
                ("isolation", sandbox),
                ("run", Cell(source.state.run_id, code=True)),
            )
        ),
        Facts(
            (
                ("who answered", Cell(facts.endpoint)),
                ("models", Cell(f"{model.kind}; {model.name}" if model.kind == "anthropic" else model.kind)),
                ("thresholds", Cell(settings.thresholds)),
                ("debug_mode", Cell(str(settings.debug_mode).lower())),
                ("non-interactive", Cell(str(settings.non_interactive).lower())),
                (
                    "answers given beforehand",
                    Cell("\n".join(f"{k}: {v}" for k, v in settings.answers) or NONE),
                ),
            )
        ),
        Table(("Limit", "Value", "Meaning"), limits, "Limits of the run"),
        Group("Known defects of the solver", _known_defects(facts)),
        Group("Isolation, tried on this computer", _isolation(facts)),
        Group(
            "How to reproduce this report",
            (
                Code(facts.command) if facts.command else Paragraph("The command line was not recorded."),
                *_told(facts),
                Paragraph(
                    "Simulations with the same code, parameters, inputs and Meep version are not run again; "
                    "what judges (evidence, comparisons, this report) is computed afresh every time."
                ),
            ),
        ),
        Group("The paper", (Paragraph(source.paper.citation),)),
    ]
    return Section("F", "Environment and Settings", tuple(blocks))
