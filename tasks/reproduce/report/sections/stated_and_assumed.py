"""Part 2: what the paper states, what was assumed, and the materials."""

from __future__ import annotations

from schemas.reproduce.materials.prepared_material import MaterialRecord
from tasks.reproduce.report.document import (
    Block,
    Bullets,
    Cell,
    Fold,
    Gallery,
    Notice,
    Paragraph,
    Section,
    Table,
)
from tasks.reproduce.report.embedded_pictures import load_picture
from tasks.reproduce.report.sections.described import described_blocks
from tasks.reproduce.report.source import Source
from tasks.reproduce.report.text import NONE, badge, number


def assumptions_section(source: Source) -> Section:
    """Simulation Assumptions."""
    return Section(
        "2",
        "Simulation Assumptions",
        (_stated(source), _assumed(source), *described_blocks(source), *_materials(source)),
        evidence=True,
    )


def _stated(source: Source) -> Table:
    rows = tuple(
        (
            Cell(p.name, code=True),
            Cell(f"{p.value} {p.unit}".strip()),
            Cell(p.role),
            Cell(f"“{p.quotation}”"),
            Cell(p.place),
        )
        for p in source.state.extracted_parameters
    )
    return Table(
        ("Parameter", "Value", "Role", "Words of the paper", "Place"),
        rows,
        "Stated by the paper",
        empty="No parameter was extracted.",
    )


def _assumed(source: Source) -> Table:
    rows = tuple(
        (
            Cell(a.parameter),
            Cell(a.value),
            Cell(a.category),
            Cell(a.source),
            Cell(a.reason),
            badge(a.sensitivity),
            Cell(", ".join(a.stages) or "all"),
        )
        for a in source.state.assumptions
    )
    return Table(
        ("Assumption", "Value", "Category", "Source", "Reason", "Sensitivity", "Stages"),
        rows,
        "Assumed, because the paper does not say",
        empty="Nothing had to be assumed.",
    )


def _materials(source: Source) -> tuple[Block, ...]:
    state = source.state
    confirmed = state.validated_materials is not None
    records = state.validated_materials if confirmed else state.materials
    blocks: list[Block] = [
        Table(
            (
                "Material",
                "What it is",
                "Literature or words",
                "Band, um",
                "Model",
                "Fit error, rms / max",
                "Bare surface",
            ),
            tuple(_material_row(record) for record in records or ()),
            "Materials",
            empty="No material was prepared.",
        )
    ]
    if records and not confirmed:
        blocks.append(Notice("fair", "These materials were prepared but no person confirmed them"))
    folded: list[Block] = []
    remarks = tuple(f"{record.name}: {remark}" for record in records or () for remark in record.remarks)
    if remarks:
        folded.append(Bullets(remarks, "Remarks"))
    drawn = [(r.plot, f"{r.name}: table and fit") for r in records or ()]
    drawn += [
        (r.check.plot, f"{r.name}: bare surface, FDTD against Fresnel") for r in records or () if r.check
    ]
    plots = tuple(load_picture(source.run_dir, file.path, words) for file, words in drawn if file)
    if plots:
        folded.append(Gallery(plots))
    changed = tuple(
        f"{change.choice.name}: {change.choice.words()}, chosen by a person instead of {change.replaced} as planned "
        f"({change.planned}); reason: {change.reason}; stages: {', '.join(change.stages) or 'none'}"
        for change in state.material_changes
    )
    if changed:
        blocks.append(Notice("fair", "A person changed materials of the plan", changed))
    chosen = {choice.name: choice for choice in (state.plan.materials if state.plan else ())}
    reasons = tuple(
        f"{r.name}: {chosen[r.name].reason} (source: {chosen[r.name].source})"
        for r in records or ()
        if r.name in chosen
    )
    if reasons:
        folded.append(Bullets(reasons, "Why these entries"))
    if (others := _other_tables(source)) is not None:
        blocks.append(others)
    if folded:
        blocks.append(Fold("Materials: fits, remarks, reasons", tuple(folded)))
    if not records:
        blocks.append(
            Paragraph(
                "The run ended before its materials were prepared."
                if chosen or state.plan is None
                else "No material had to be prepared: every medium is a number that the paper states, vacuum or an ideal metal."
            )
        )
    return tuple(blocks)


def _other_tables(source: Source) -> Table | None:
    """What another table of a material does to what is measured, as it was simulated; the largest change first."""
    found = sorted(
        (
            (quantity, s)
            for _, study in source.facts.studies
            for quantity in study.quantities
            if quantity.answers
            for s in quantity.sensitivities
            if s.origin == "material"
        ),
        key=lambda pair: -(pair[1].relative or 0.0),
    )
    rows = tuple(
        (
            Cell(s.parameter, code=True),
            Cell(s.tried, code=True),
            Cell(f"the curve {quantity.id}" if quantity.curve else quantity.id),
            Cell(", ".join(quantity.answers)),
            Cell(
                s.remark if s.relative is None else f"{100 * s.relative:.2g} %", number=s.relative is not None
            ),
        )
        for quantity, s in found
    )
    return (
        Table(
            (
                "Material",
                "Table instead",
                "Measured",
                "For",
                "Change (of a curve the largest, over its largest value)",
            ),
            rows,
            "What another table would do to the targets (at the coarse grid)",
        )
        if rows
        else None
    )


def _material_row(record: MaterialRecord) -> tuple[Cell, ...]:
    band = f"{number(record.band_um[0])} to {number(record.band_um[1])}"
    if record.index is not None and not record.page:
        return (
            Cell(record.name, code=True),
            Cell(record.description or f"n = {number(record.index, 6)}"),
            Cell(record.reference or NONE),
            Cell(band),
            Cell("constant index"),
            Cell("exact"),
            _surface_cell(record),
        )
    valid = (
        f"\n(table: {number(record.valid_um[0])} to {number(record.valid_um[1])})" if record.valid_um else ""
    )
    kinds = [pole.kind for pole in record.all_poles()]
    drude, lorentz = kinds.count("drude"), kinds.count("lorentz")
    model = f"eps_inf {number(record.eps_inf)}; poles: {drude} Drude, {lorentz} Lorentz"
    if record.axes:
        model = f"x, y, z: {', '.join(axis.name for axis in record.axes)}"
    elif record.index is not None:
        model = f"index {number(record.index, 6)}"
    for name, values in (("chi2", record.chi2), ("chi3", record.chi3)):
        model += (
            f"; {name} {', '.join(number(value, 3) for value in values)} (fields in V/um)" if values else ""
        )
    return (
        Cell(record.name, code=True),
        Cell(record.words(), code=record.page is not None),
        Cell(record.reference or NONE),
        Cell(band + valid),
        Cell(model),
        Cell(
            f"{number(100 * record.rms_relative_error, 3)} % / {number(100 * record.max_relative_error, 3)} %"
        ),
        _surface_cell(record),
    )


def _surface_cell(record: MaterialRecord) -> Cell:
    """Reflectance of the bare surface by FDTD against Fresnel; the file it stands in."""
    if record.check is None:
        return Cell(NONE)
    where = f"\n{record.check.file.path} ({record.check.file.sha256[:12]})" if record.check.file else ""
    return Cell(record.check.words() + where)
