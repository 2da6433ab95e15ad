"""What was simulated beside what the paper says, and what the numbers' uncertainty is made of.

Checks prove the solution of the described problem; only a reader can see that the description is the paper's.
"""

from __future__ import annotations

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.numerics import QuantityResult, SimulatedParameter, StudyResult
from tasks.reproduce.report.document import Block, Bullets, Cell, Code, Fold, Gallery, Notice, Table
from tasks.reproduce.report.embedded_pictures import load_picture
from tasks.reproduce.report.source import Source
from tasks.reproduce.report.text import NONE, number

_ORIGINS = {
    "paper": "the paper",
    "assumption": "assumed",
    "derived": "derived",
    "numerical": "a view, shapes nothing",
}
_MOST = 40  # computed numbers in the table


def described_blocks(source: Source) -> tuple[Block, ...]:
    """Tables of every described stage, and which stages rest on free scripts."""
    blocks: list[Block] = []
    for stage_id, study in source.facts.studies:
        blocks.append(_parameters(stage_id, study))
        if study.scenes:
            blocks.append(
                Bullets(study.scenes, f"{stage_id}: scenes, and what is measured in them for which target")
            )
        if study.counted:
            blocks.append(Bullets(study.counted, f"{stage_id}: equal parts side by side, counted by code"))
        if study.computed:
            blocks.append(_computed(stage_id, study))
        if study.drawings:
            said = f"{stage_id}: what was simulated, drawn by code from the description; compare it with the paper's drawing"
            blocks.append(
                Gallery(
                    tuple(
                        load_picture(source.run_dir, f"{stage_id}/study/{drawing.path}", said)
                        for drawing in study.drawings
                    )
                )
            )
        details: list[Block] = [_quantities(study)]
        blocks += _explanations(source, study)
        blocks += _own_functions(study)
        if ranked := _doubts(study):
            details.append(ranked)
        if study.findings:
            details.append(
                Bullets(
                    tuple(f"{f.level}: {f.where}: {f.text}" for f in study.findings), "Found by inspection"
                )
            )
        code = source.run_dir / stage_id / "code.py"
        if code.is_file():
            details.append(Code(code.read_text(encoding="utf-8", errors="replace")[:20_000]))
        blocks.append(
            Fold(f"{stage_id}: values, their uncertainty in parts, and the description", tuple(details))
        )
    if source.facts.scripted:
        blocks.append(
            Notice(
                "fair",
                "Computed by free scripts",
                (
                    f"{', '.join(source.facts.scripted)}: a script wrote these numbers in the process that ran Meep; no check can see "
                    "into it. Descriptions, which trusted code solves and measures, are the rule.",
                ),
            )
        )
    return tuple(blocks)


def _parameters(stage_id: str, study: StudyResult) -> Table:
    rows = tuple(
        (
            Cell(p.id, code=True),
            Cell(f"{p.value:.6g}" + (f" {p.unit}" if p.unit != "1" else "")),
            Cell(_ORIGINS.get(p.origin, p.origin)),
            Cell(_words(p)),
            Cell("" if p.used else "not used"),
        )
        for p in study.parameters
    )
    return Table(
        ("Parameter", "Simulated", "Origin", "Words of the paper, or why", ""),
        rows,
        f"{stage_id}: what was simulated beside what the paper says",
        empty="The description has no parameter.",
    )


def _computed(stage_id: str, study: StudyResult) -> Table:
    units: dict[float, str] = {0: "", 1: " um", -1: " c/um"}
    rows = tuple(
        (
            Cell(c.where, code=True),
            Cell(c.expression, code=True),
            Cell(f"{c.value:.6g}{units.get(c.power, f' um^{c.power:g}')}", number=True),
        )
        for c in study.computed[:_MOST]
    )
    more = f"; {len(study.computed) - _MOST} more in study.json" if len(study.computed) > _MOST else ""
    return Table(
        ("Number", "Is", "Value"),
        rows,
        f"{stage_id}: numbers that the description computes from these (um stands "
        f"for the free length where lengths are in a); a factor that the paper does not state would stand here{more}",
    )


def _words(p: SimulatedParameter) -> str:
    if p.origin == "paper":
        return f"“{p.quotation}”"
    return p.expression or " ".join(part for part in (p.assumption_id, p.meaning) if part) or NONE


def _value(q: QuantityResult) -> str:
    if q.value is None and q.curve:
        return "map" if q.axis == "point" else "curve"
    return number(q.value)


def _quantities(study: StudyResult) -> Table:
    rows = tuple(
        (
            Cell(q.id, code=True),
            Cell(q.kind),
            Cell(_value(q), number=True),
            Cell(number(q.uncertainty), number=True),
            Cell(_parts(q)),
            Cell(_beside(q)),
            Cell(q.status + (f": {q.reason}" if q.reason else "")),
        )
        for q in study.quantities
    )
    return Table(
        ("Quantity", "Kind", "Value", "Uncertainty", "Its parts", "Theory or second solver", "Convergence"),
        rows,
        "Measured, in base units (um, c/um, radian); of a curve or map the largest over its points",
    )


def _own_functions(study: StudyResult) -> tuple[Block, ...]:
    """The arithmetic of what no trusted code measures, beside its value and what was tried on it."""
    out: list[Block] = []
    for q in study.quantities:
        if q.code:
            tried = ", ".join(
                f"{w.name}{f' {w.of}' if w.of else ''} "
                + {True: "passed", False: "REFUSED", None: "undecided"}[w.passed]
                + (f" ({w.response:.1e})" if w.response is not None else "")
                for w in q.witnesses
            )
            word = {
                True: "from the fields",
                False: "NOT FROM THE FIELDS",
                None: "not wholly examined: at most PARTIAL",
            }
            out += [
                Notice(
                    "fair",
                    f"{q.id}: measured by a function of the description's own",
                    (
                        f"measure({', '.join(q.made_of)}) gave {'a curve' if q.value is None and q.curve else number(q.value)}; "
                        f"{word[q.from_fields]}. Witnesses: {tried or NONE}. Whether this arithmetic is the paper's quantity, only a "
                        "reader can see.",
                    ),
                ),
                Code(q.code),
            ]
    return tuple(out)


def _parts(q: QuantityResult) -> str:
    return (
        ", ".join(
            f"{p.part} {p.value:.1e}" if p.value is not None else f"{p.part}: {p.state}"
            for p in q.parts
            if p.state != "nothing to vary"
        )
        or NONE
    )


def _beside(q: QuantityResult) -> str:
    if q.oracle is None:
        return NONE if q.second is None else q.second.words()
    inside = "within" if q.oracle.within else "outside"
    return f"{q.oracle.theory}: differs by {abs(q.oracle.difference):.2g}, {inside} the uncertainty"


def _explanations(source: Source, study: StudyResult) -> tuple[Block, ...]:
    """For each target that does not agree: what each doubt about the description is worth, against the difference."""
    rows = []
    for line in source.lines:
        quantity = next((q for q in study.quantities if line.target_id in q.answers), None)
        if quantity is None or line.comparison is None or line.classification == "SUCCESS":
            continue
        off = _off(line.comparison.evidence)
        for s in sorted(quantity.sensitivities, key=lambda s: -(s.relative or 0.0))[:5]:
            if off and s.relative is not None:
                share = s.relative / off
                said = (
                    "large enough, if it leads that way"
                    if 0.5 <= share <= 3
                    else "too small"
                    if share < 0.1
                    else ("a part of it at most" if share < 0.5 else "far more than it takes")
                )
                if quantity.curve is not None and line.comparison.evidence.simulated is not None:
                    said = "of the whole curve, not of the number read from it"
                rows.append(
                    (
                        Cell(line.target_id, code=True),
                        Cell(f"{100 * off:.2g} %", number=True),
                        Cell(s.parameter, code=True),
                        Cell(f"{s.tried} ({s.reason})"),
                        Cell(f"{100 * s.relative:.2g} %", number=True),
                        Cell(said),
                    )
                )
    return (
        (
            Table(
                ("Target", "Off by", "If", "were", "Change", "So it is"),
                tuple(rows),
                "What could explain the differences",
            ),
        )
        if rows
        else ()
    )


def _off(e: TargetEvidence) -> float:
    """The relative difference from the paper; of a curve the normalised one."""
    if e.simulated is not None and e.reference:
        return abs(e.simulated - e.reference) / abs(e.reference)
    return (e.nrms_percent or 0.0) / 100


def _doubts(study: StudyResult) -> Table | None:
    found = sorted(
        ((q.id, s) for q in study.quantities for s in q.sensitivities if s.relative is not None),
        key=lambda pair: -(pair[1].relative or 0.0),
    )[:20]
    if not found:
        return None
    rows = tuple(
        (
            Cell(name, code=True),
            Cell(s.parameter, code=True),
            Cell(s.tried),
            Cell(s.reason),
            Cell(f"{100 * (s.relative or 0.0):.2g} %", number=True),
        )
        for name, s in found
    )
    return Table(("Quantity", "Parameter", "Tried", "Because", "Change"), rows, "What each doubt is worth")
