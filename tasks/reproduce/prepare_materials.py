"""Make a plan's materials ready: constants, fit with its error, stability, plot, alternatives; kept by digest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from schemas.base import FileRef, digest, file_sha256
from schemas.reproduce.materials.prepared_material import MaterialChoice, MaterialRecord, Pole
from tasks.files.store import Store, atomic_write, copy_tree
from tasks.reproduce.materials import (
    Alternative,
    OpticalConstants,
    alternatives,
    comparison_markdown,
    comparison_table,
    fit_like,
    min_stable_resolution,
    pitfalls,
    plot_material,
)
from tasks.reproduce.materials.drude_lorentz import MaterialFit
from tasks.reproduce.materials.errors import MaterialError
from tasks.reproduce.materials.names import books_named
from tasks.reproduce.materials.sources import (
    constants_of,
    constants_ref,
    fit_choice,
    save_constants,
    table_path,
)
from tasks.reproduce.materials.stated_formulas import nonlinear_coefficients

_VERSION = "2"
_OTHERS_ERROR, _OTHERS_SHARE = 0.01, 0.2  # of the permittivity; of the tables' difference


def prepare_material(
    choice: MaterialChoice,
    *,
    store: Store,
    run_dir: Path,
    meep_python: str | None,
    folders: Sequence[Path] = (),
    with_alternatives: bool = True,
) -> MaterialRecord:
    """The record of one material (but for one along axes, see `along_axes`); its files go to `run_dir/materials/<name>/`.

    folders: where tables handed in are looked for.
    Raises InputError (unknown page, unusable table or model, band outside its range) with the fix.
    """
    folder = f"materials/{choice.name}"
    if choice.index is not None:
        chi2, chi3 = nonlinear_coefficients(choice, choice.index)
        return MaterialRecord(
            name=choice.name,
            index=choice.index,
            band_um=choice.band_um,
            reference=choice.source,
            chi2=chi2,
            chi3=chi3,
            remarks=("constant index as stated; no dispersion, no loss", *nonlinear_remarks(chi2, chi3)),
        )
    table = (file_sha256(table_path(choice.table, folders)),) if choice.table else ()
    name = digest(["material", _VERSION, choice, with_alternatives, *table], 32)
    kept = store.entry("materials", name)
    if not (kept / "record.json").is_file():
        with store.building("materials", name) as draft:
            record = _prepare(choice, draft, meep_python, folders, with_alternatives)
            atomic_write(draft / "record.json", record.model_dump_json(indent=1))
    copy_tree(kept, run_dir / folder)
    record = MaterialRecord.model_validate_json((kept / "record.json").read_text(encoding="utf-8"))
    return record.model_copy(
        update={"plot": _moved(record.plot, folder), "constants": _moved(record.constants, folder)}
    )


def table_folders(paper_dir: Path, run_dir: Path) -> tuple[Path, Path]:
    """Where tables handed in are looked for: the paper's folder, and what people handed in to the run."""
    return paper_dir, run_dir / "materials"


def along_axes(choice: MaterialChoice, records: Sequence[MaterialRecord]) -> MaterialRecord:
    """The record of an anisotropic material from those of the plan's materials along x, y and z."""
    by_name = {record.name: record for record in records}
    axes = tuple(by_name[name].model_copy(update={"comparison": ""}) for name in choice.axes)
    stable = [record.min_stable_resolution for record in axes if record.index is None]
    chi2, chi3 = nonlinear_coefficients(choice, 1.0)
    return MaterialRecord(
        name=choice.name,
        description=choice.words(),
        band_um=choice.band_um,
        axes=axes,
        chi2=chi2,
        chi3=chi3,
        reference="; ".join(dict.fromkeys(f"{record.name}: {record.reference}" for record in axes)),
        rms_relative_error=max(record.rms_relative_error for record in axes),
        max_relative_error=max(record.max_relative_error for record in axes),
        min_stable_resolution=None
        if None in stable
        else max((value for value in stable if value), default=None),
        remarks=("anisotropic, principal axes along x, y, z of the cell", *nonlinear_remarks(chi2, chi3)),
    )


def nonlinear_remarks(chi2: tuple[float, ...], chi3: tuple[float, ...]) -> tuple[str, ...]:
    """What Meep is given for a nonlinear material, for people."""
    return tuple(
        f"{name} along x, y, z in Meep: {', '.join(f'{value:.4g}' for value in values)} (a field of 1 is 1 V/um); "
        "instantaneous, without dispersion"
        for name, values in (("chi2", chi2), ("chi3", chi3))
        if values
    )


def _prepare(
    choice: MaterialChoice,
    folder: Path,
    meep_python: str | None,
    folders: Sequence[Path],
    with_alternatives: bool,
) -> MaterialRecord:
    constants = constants_of(choice, folders)
    fit, notes = fit_choice(choice, constants)
    entry = fit.as_dict()
    picture = folder / f"{choice.name}.png"
    plot_material(choice.name, constants, fit, picture)
    saved = None
    if choice.page is None:
        save_constants(constants, folder / "constants.csv")
        saved = constants_ref(folder)
    stable = None if fit.index is not None else min_stable_resolution(fit)
    remarks = [fit.summary(), *notes, *constants.remarks, *(() if fit.index is not None else pitfalls(fit))]
    if fit.index is None and stable is None:
        remarks.append("the fit is stable at no tested resolution with Courant factor 0.5 in 3D")
    centre = complex(constants.at(2 / (1 / choice.band_um[0] + 1 / choice.band_um[1])))
    chi2, chi3 = nonlinear_coefficients(choice, centre.real)
    comparison, others = _compared(choice, constants, fit, meep_python) if with_alternatives else ("", ())
    return MaterialRecord(
        name=choice.name,
        page=choice.page,
        description="" if choice.page else choice.words(),
        index=entry.get("index"),
        reference=constants.reference or choice.source,
        valid_um=constants.valid_um,
        band_um=choice.band_um,
        eps_inf=entry.get("eps_inf"),
        poles=tuple(Pole(**pole) for pole in entry.get("poles", [])),
        chi2=chi2,
        chi3=chi3,
        rms_relative_error=fit.rms_relative_error,
        max_relative_error=fit.max_relative_error,
        min_stable_resolution=stable,
        remarks=(*remarks, *nonlinear_remarks(chi2, chi3)),
        plot=FileRef.of(picture, folder),
        constants=saved,
        comparison=comparison,
        others=others,
    )


def _compared(
    choice: MaterialChoice, constants: OpticalConstants, own: MaterialFit, meep_python: str | None
) -> tuple[str, tuple[MaterialRecord, ...]]:
    """The other tables there are, of the same book or of the book the material's name means; and those to be tried."""
    book = choice.page or next(iter(books_named(choice.name.replace("_", " "))), "")
    if not book:
        return "", ()
    try:
        candidates = alternatives(book, choice.band_um, meep_python=meep_python)
    except MaterialError:
        return "", ()
    rows = comparison_table(
        choice.page or constants.page, candidates, choice.band_um, None if choice.page else constants
    )
    stated = bool(choice.linear)  # the paper's own numbers: another table is another material
    return comparison_markdown(rows, 12), () if stated else _others(choice, own, candidates, rows)


def _others(
    choice: MaterialChoice,
    own: MaterialFit,
    candidates: Sequence[Alternative],
    rows: Sequence[dict[str, Any]],
) -> tuple[MaterialRecord, ...]:
    """Two other tables of the database over the whole band: the one in the middle by its difference, and the farthest.

    A coarse fit will do, as long as it is much nearer to its table than the tables are to each other.
    """
    fits: list[MaterialFit] = []
    constants = {other.page: other.constants for other in candidates if not other.page.startswith("meep/")}
    for row in rows:
        if row["page"] in constants and row["mean_relative_difference"]:
            try:
                fit = fit_like(
                    constants[row["page"]],
                    own,
                    tolerance=max(_OTHERS_ERROR, _OTHERS_SHARE * row["mean_relative_difference"]),
                )
            except MaterialError:
                continue
            fits += [fit] if fit.met else []
    chosen = dict.fromkeys((fits[len(fits) // 2].page, fits[-1].page)) if fits else {}
    return tuple(
        MaterialRecord(
            name=choice.name,
            page=fit.page,
            index=fit.index,
            band_um=choice.band_um,
            valid_um=fit.valid_um,
            reference=constants[fit.page].reference,
            eps_inf=None if fit.index is not None else fit.eps_inf,
            poles=tuple(Pole(**pole) for pole in fit.as_dict().get("poles", [])),
            rms_relative_error=fit.rms_relative_error,
            max_relative_error=fit.max_relative_error,
        )
        for fit in fits
        if fit.page in chosen
    )


def _moved(file: FileRef | None, folder: str) -> FileRef | None:
    return file and file.model_copy(update={"path": f"{folder}/{file.path}"})
