"""Which other tables exist for a material, and how far they are from the chosen one."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tasks.reproduce.materials.constants import Band, OpticalConstants, band_wavelengths, checked_band
from tasks.reproduce.materials.database import load_page, page_info, pages_of_book, search_pages, split_page
from tasks.reproduce.materials.errors import MaterialDataError, UnknownMaterial
from tasks.reproduce.materials.meep_library import library_candidates

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Alternative:
    """A candidate for a material: its table, how the source titles it, and what to know before using it."""

    page: str
    title: str
    constants: OpticalConstants
    valid_um: Band | None
    remarks: tuple[str, ...] = ()


def alternatives(
    book_or_page: str, band_um: Sequence[float], *, meep_python: str | None = None
) -> list[Alternative]:
    """Other pages of the same book that cover the band, then the entries of Meep's own library.

    Args:
        book_or_page: "main/Au/Johnson" (that page is left out), "main/Au", or a book of any shelf, "Au".
        band_um: (low, high) vacuum wavelengths, um.
        meep_python: interpreter with Meep; None leaves Meep's library out.

    Raises:
        UnknownMaterial: no such page or book.
        WavelengthOutOfRange: the band is malformed.
        MeepLibraryError: the library could not be read.
    """
    band = checked_band(band_um)
    shelf, book, page = _book(book_or_page)
    found = []
    for other in pages_of_book(shelf, book):
        if other == page:
            continue
        try:
            constants = load_page(other)
        except MaterialDataError as error:
            _LOG.debug("left out of the alternatives: %s", error)
            continue
        if constants.covers(band):
            info = page_info(other)
            title = f"{info.title} [{info.section}]" if info.section else info.title
            found.append(Alternative(other, title, constants, constants.valid_um, constants.remarks))
    for material in library_candidates(book, meep_python) if meep_python else ():
        constants = material.constants(band)
        found.append(
            Alternative(
                constants.page, constants.reference, constants, material.valid_um, material.remarks(band)
            )
        )
    return found


def comparison_table(
    page: str,
    candidates: Sequence[Alternative],
    band_um: Sequence[float],
    reference: OpticalConstants | None = None,
) -> list[dict[str, Any]]:
    """The chosen page and each candidate: range, n and k at the band's centre, difference from the chosen page.

    Args:
        page: the chosen page.
        candidates: from `alternatives`.
        band_um: (low, high) vacuum wavelengths, um.
        reference: constants to compare with; None loads `page`. Must cover the band.

    Returns:
        One JSON-ready row each, the chosen page first, then by difference: page, chosen, title, valid_um,
        coverage (fraction of the band's frequencies), mean_relative_difference (mean of |delta eps| / |eps|
        over the covered part; None where nothing is covered), reflectance_difference (the largest change of what its bare
        surface reflects at normal incidence from air, there), centre_um, n, k, remarks.
    """
    band = checked_band(band_um)
    chosen = reference if reference is not None else load_page(page)
    wavelength_um = band_wavelengths(band)
    epsilon = chosen.epsilon(wavelength_um)
    centre_um = float(2 / (1 / band[0] + 1 / band[1]))

    def row(
        name: str, title: str, constants: OpticalConstants, valid_um: Band | None, remarks: Sequence[str]
    ) -> dict[str, Any]:
        low, high = constants.valid_um
        inside = (wavelength_um >= low) & (wavelength_um <= high)
        difference = reflected = None
        if inside.any():
            own = constants.epsilon(wavelength_um[inside])
            difference = float(np.mean(np.abs(own - epsilon[inside]) / np.abs(epsilon[inside])))
            reflected = float(np.max(np.abs(_bare_surface(own) - _bare_surface(epsilon[inside]))))
        index = complex(constants.at(centre_um)) if low <= centre_um <= high else None
        return {
            "page": name,
            "chosen": name == page,
            "title": title,
            "valid_um": None if valid_um is None else [float(value) for value in valid_um],
            "coverage": float(inside.mean()),
            "mean_relative_difference": difference,
            "reflectance_difference": reflected,
            "centre_um": centre_um,
            "n": None if index is None else index.real,
            "k": None if index is None else index.imag,
            "remarks": list(remarks),
        }

    first = row(page, chosen.reference, chosen, chosen.valid_um, chosen.remarks)
    others = [
        row(other.page, other.title, other.constants, other.valid_um, other.remarks)
        for other in candidates
        if other.page != page
    ]
    others.sort(
        key=lambda item: (
            np.inf if item["mean_relative_difference"] is None else item["mean_relative_difference"]
        )
    )
    return [first, *others]


def comparison_markdown(rows: Sequence[dict[str, Any]], limit: int | None = None) -> str:
    """The rows of `comparison_table` as a Markdown table with units; "" without rows.

    Args:
        rows: from `comparison_table`.
        limit: at most this many database rows (entries of Meep's library are always shown); None shows all.
    """
    if not rows:
        return ""
    total = len(rows)
    if limit is not None:
        database = [item["page"] for item in rows if not item["page"].startswith("meep/")][: max(1, limit)]
        rows = [item for item in rows if item["page"] in database or item["page"].startswith("meep/")]
    centre = rows[0]["centre_um"]
    lines = [
        f"| page | difference of eps, % | of R of its bare surface, at most | n at {centre:.4g} um | k at {centre:.4g} um "
        "| range, um | source | remarks |",
        "|---|---:|---:|---:|---:|---|---|---|",
    ]
    for item in rows:
        difference = item["mean_relative_difference"]
        shown = "n/a" if difference is None else "chosen" if item["chosen"] else f"{100 * difference:.1f}"
        valid = "not stated" if item["valid_um"] is None else "{:.4g}-{:.4g}".format(*item["valid_um"])
        remarks = list(item["remarks"])
        if item["coverage"] < 1:
            remarks.append(f"covers {item['coverage']:.0%} of the band")
        cells = [
            item["page"],
            shown,
            "" if item["chosen"] else _number(item["reflectance_difference"]),
            _number(item["n"]),
            _number(item["k"]),
            valid,
            item["title"],
            "; ".join(remarks),
        ]
        lines.append("| " + " | ".join(_cell(cell) for cell in cells) + " |")
    if len(rows) < total:
        lines += [
            "",
            f"{total - len(rows)} further pages of the database, farther from the chosen one, are left out.",
        ]
    return "\n".join(lines) + "\n"


def _book(book_or_page: str) -> tuple[str, str, str | None]:
    """shelf, book and the page itself (None for a whole book)."""
    parts = book_or_page.strip().split("/")
    if len(parts) == 2 and pages_of_book(*parts):
        return parts[0], parts[1], None
    if len(parts) == 1 and parts[0]:
        for info in search_pages(parts[0]):
            shelf, book, _ = info.page.split("/")
            if book == parts[0]:
                return shelf, book, None
    if len(parts) == 2:
        near = tuple(dict.fromkeys(info.page.rsplit("/", 1)[0] for info in search_pages(parts[1])))[:5]
        raise UnknownMaterial(
            "no such book in the refractive-index database",
            found=repr(book_or_page[:200]),
            allowed='shelf/book, as in "main/Au"' + (f"; did you mean {' or '.join(near)}?" if near else ""),
            fix="search with search_pages",
            suggestions=near,
        )
    shelf, book, page = split_page(book_or_page)
    return shelf, book, f"{shelf}/{book}/{page}"


def _bare_surface(epsilon: np.ndarray) -> np.ndarray:
    """Reflectance from air at normal incidence."""
    index = np.sqrt(epsilon.astype(complex))
    return np.asarray(np.abs((index - 1) / (index + 1)) ** 2)


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.4g}"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
