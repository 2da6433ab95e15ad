"""Make a plan's materials ready: table, fit with its error, stability, plot, alternatives; kept by digest."""

from __future__ import annotations

from pathlib import Path

from schemas.base import FileRef, digest
from schemas.materials import MaterialChoice, MaterialRecord, Pole
from tasks.materials import (
    alternatives,
    comparison_markdown,
    comparison_table,
    fit_material,
    load_page,
    min_stable_resolution,
    pitfalls,
    plot_material,
)
from tasks.store import Store, atomic_write, copy_tree

_VERSION = "1"


def prepare_material(choice: MaterialChoice, *, store: Store, run_dir: Path, meep_python: str | None,
                     with_alternatives: bool = True) -> MaterialRecord:
    """The record of one material; its plot is copied to `run_dir/materials/<name>/`.

    Raises InputError (unknown page, band outside the table's range) with the fix.
    """
    folder = f"materials/{choice.name}"
    if choice.index is not None:
        return MaterialRecord(name=choice.name, index=choice.index, band_um=choice.band_um, reference=choice.source,
                              remarks=("constant index as stated; no dispersion, no loss",))
    name = digest(["material", _VERSION, choice, with_alternatives], 32)
    kept = store.entry("materials", name)
    if not (kept / "record.json").is_file():
        with store.building("materials", name) as draft:
            record = _prepare(choice, draft, meep_python, with_alternatives)
            atomic_write(draft / "record.json", record.model_dump_json(indent=1))
    copy_tree(kept, run_dir / folder)
    record = MaterialRecord.model_validate_json((kept / "record.json").read_text(encoding="utf-8"))
    plot = record.plot and record.plot.model_copy(update={"path": f"{folder}/{record.plot.path}"})
    return record.model_copy(update={"plot": plot})


def _prepare(choice: MaterialChoice, folder: Path, meep_python: str | None, with_alternatives: bool) -> MaterialRecord:
    assert choice.page is not None
    constants = load_page(choice.page)
    fit = fit_material(constants, choice.band_um)
    entry = fit.as_dict()
    picture = folder / f"{choice.name}.png"
    plot_material(choice.name, constants, fit, picture)
    stable = None if fit.index is not None else min_stable_resolution(fit)
    table = ""
    if with_alternatives:
        rows = comparison_table(choice.page, alternatives(choice.page, choice.band_um, meep_python=meep_python),
                                choice.band_um)
        table = comparison_markdown(rows, 12)
    remarks = [fit.summary(), *constants.remarks, *(() if fit.index is not None else pitfalls(fit))]
    if fit.index is None and stable is None:
        remarks.append("the fit is stable at no tested resolution with Courant factor 0.5 in 3D")
    return MaterialRecord(
        name=choice.name, page=choice.page, index=entry.get("index"), reference=constants.reference,
        valid_um=constants.valid_um, band_um=choice.band_um, eps_inf=entry.get("eps_inf"),
        poles=tuple(Pole(**pole) for pole in entry.get("poles", [])),
        rms_relative_error=fit.rms_relative_error, max_relative_error=fit.max_relative_error,
        min_stable_resolution=stable, remarks=tuple(remarks), plot=FileRef.of(picture, folder), comparison=table)
