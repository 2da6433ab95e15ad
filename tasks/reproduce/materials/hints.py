"""Which pages of the database fit the materials a paper names: for the planner, short."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.errors import InputError
from schemas.reproduce.simulations.spectral import to_wavelength_um
from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.clauses import sentence_of
from schemas.reproduce.words.input_nouns import kinds_in_words
from schemas.reproduce.words.varied import SIZES, is_varied_size
from schemas.reproduce.words.written import Written, numbers_in, readable
from tasks.reproduce.materials.constants import Band
from tasks.reproduce.materials.database import PageInfo, page_info, pages_of_book, search_pages
from tasks.reproduce.materials.names import books_named, words_of_page

MAX_MATERIALS, MAX_PAGES = 8, 8
# Tables that papers use where they name none, in this order.
_STAPLES = (
    "Johnson",
    "Malitson",
    "Green-2008",
    "Aspnes",
    "Rakic",
    "Olmon-ev",
    "McPeak",
    "Palik",
    "Philipp",
    "Luke",
    "Querry",
    "Devore-o",
    "Devore-e",
    "Zelmon-o",
    "Zelmon-e",
    "Dodge",
    "Salzberg",
    "Li-293K",
    "Li",
    "Hale",
    "SCHOTT",
    "Konig",
)
_SERIES = re.compile(r"-\d+(?:\.\d+)?(?:C|K|nm)$")
_ROOM = ("20C", "25C", "293K", "300K")
_RANGE = re.compile(r"(\d+(?:\.\d+)?)\s*[–-]\s*(\d+(?:\.\d+)?)\s*µm")
_SYMBOL, _OF_LIGHT = (
    re.compile(r"([A-Za-z\u0370-\u03ff]\w{0,5})\s*=\s*$"),
    re.compile(r"(?i)lambda|\u03bb|wave|wl|[fe](?:_|$)"),
)
_SPECTRAL = re.compile(
    r"wavelength|spectr|telecom|laser|photon energ|\blambda\b|λ|\d\s*(?:eV|THz)\b", re.IGNORECASE
)
_PLAUSIBLE = (0.15, 300.0)
# What others used, or what a paper begins with, names no material of its own.
_OF_OTHERS = re.compile(
    r"(?im)^(#{1,6})[ \t*]*(?:\d+\.?[ \t]+)?(?:introduction|background|motivation|related\s+work|state\s+of\s+the\s+art|outlook|"
    r"acknowledg\w+)\b.*$"
)
# Names of makers: N-SF11, S-LAH66, H-K9L; without a hyphen (SF11, F2) a word of glass stands in their sentence.
_TRADE = re.compile(r"(?<![\w-])(?:(?P<kind>[A-Z]{1,2})-)?[A-Z]{1,5}\d{1,3}[A-Z]{0,4}\d{0,2}(?![\w-])")
_GLASS = re.compile(
    r"(?i)\bglass|\b(?:flint|crown|prisms?|lens(?:es)?|substrates?|sellmeier|schott|ohara|hoya|sumita|cdgm|hikari|lzos)\b"
)
_GLASS_SHELVES, _MOST_TRIED, _MOST_FOUND = ("specs", "popular_glass", "glass"), 40, 500
_HYPHENS = str.maketrans({char: "-" for char in "\u2010\u2011\u2012\u2013\u2212"})


def database_hint(
    text: str,
    data_columns: Sequence[tuple[str, float, float]] = (),
    handed_in: Sequence[str] = (),
    own: str = "",
) -> str:
    """The pages of the database that fit what a paper names, as lines for the planner's request.

    text: the paper's words. data_columns: (name, smallest, largest) of its data's columns. handed_in: its own tables. own: its
    words without its list of references, in which alone materials count as named, and those of its introduction only where no
    other names one.
    """
    lines = [
        "A page is written shelf/book/page. "
        + (
            "Tables of n and k handed in with the paper (field `table`) come first: "
            + "; ".join(handed_in)
            + "."
            if handed_in
            else "The paper brings no table of n and k."
        )
    ]
    band = spectral_band(text, data_columns)
    if band:
        lines.append(f"The paper's wavelengths, as code reads them: {band[0]:.4g} to {band[1]:.4g} um.")
    own = own or text
    told = _without_others(own)
    named, glasses = books_named(told), glasses_named(told)
    if not named and not glasses:
        named, glasses = books_named(own), glasses_named(own)
    for name, pages in glasses.items():
        lines += [f"{name} (a maker's name of a glass):", *_listed(pages, band)]
    for book, names in list(named.items())[:MAX_MATERIALS]:
        pages, total = fitting_pages(book, names, text, band)
        lines.append(f"{', '.join(names)} ({book}, {total} pages):")
        lines += _listed(pages, band)
    if not named and not glasses:
        lines.append(
            "The paper names no material that the database is known to hold under a common name; pages look like "
            "main/Au/Johnson, main/SiO2/Malitson, main/Si/Green-2008."
        )
    return "\n".join(lines)


def _listed(pages: Sequence[PageInfo], band: Band | None) -> list[str]:
    return [
        f"- {info.page}: {info.title}"
        + ("" if _covers(info, band) else " (does not cover all of these wavelengths)")
        for info in pages
    ]


def _without_others(text: str) -> str:
    """A text without the sections that speak of others' work, up to the next heading of their level."""
    kept, place = [], 0
    for head in _OF_OTHERS.finditer(text):
        if head.start() >= place:
            kept.append(text[place : head.start()])
            after = re.compile(rf"(?m)^#{{1,{len(head[1])}}}[ \t]").search(text, head.end())
            place = after.start() if after else head.end()  # without one, nothing says where it ends
    return "".join((*kept, text[place:]))


def glasses_named(text: str) -> dict[str, list[PageInfo]]:
    """The glasses that a text calls by a maker's name, in their order -> their pages, of a maker that the text names first."""
    found: dict[str, list[PageInfo]] = {}
    tried: set[str] = set()
    plain = text.translate(_HYPHENS)
    for match in _TRADE.finditer(plain):
        name = match[0]
        if name in tried or (not match["kind"] and not _GLASS.search(_sentence(plain, *match.span()))):
            continue
        tried.add(name)
        if len(tried) > _MOST_TRIED or len(found) == MAX_MATERIALS:
            break
        pages = [
            info
            for info in search_pages(name, limit=_MOST_FOUND)
            for shelf, book, page in [info.page.split("/")]
            if shelf in _GLASS_SHELVES and name in (book, page)
        ]
        if pages:
            found[name] = sorted(pages, key=lambda info: not _maker_named(info, name, plain))[:MAX_PAGES]
    return found


def _sentence(text: str, start: int, end: int) -> str:
    """The sentence around a place, at most 200 characters on either side."""
    before, after = text[max(0, start - 200) : start], text[end : end + 200]
    return re.split(r"[.!?]\s|\n\s*\n", before)[-1] + text[start:end] + re.split(r"[.!?]\s|\n\s*\n", after)[0]


def _maker_named(info: PageInfo, glass: str, text: str) -> bool:
    """Whether a text names the maker in whose catalogue a glass's page stands: specs/SCHOTT-optical/F2, popular_glass/BK7/CDGM."""
    _, book, page = info.page.split("/")
    maker = page if book == glass else book.split("-")[0]
    return re.search(rf"(?i)\b{re.escape(maker)}\b", text) is not None


def fitting_pages(
    book: str, names: tuple[str, ...], text: str, band: Band | None
) -> tuple[list[PageInfo], int]:
    """At most MAX_PAGES pages of a book, best first, and how many it has.

    First those whose author the paper names, then those that cover the band, then the tables in common use. Of a series of
    temperatures or thicknesses one is kept.
    """
    infos = [page_info(page) for page in pages_of_book(*book.split("/"))]
    words = words_of_page(names)
    fitting = [
        info
        for info in infos
        if not words or any(word in f"{info.title} {info.section}".lower() for word in words)
    ]

    def rank(item: tuple[int, PageInfo]) -> tuple[bool, bool, int, bool, int]:
        position, info = item
        name = info.page.rsplit("/", 1)[1]
        staple = _STAPLES.index(name) if name in _STAPLES else len(_STAPLES)
        return not _author_named(info, text), not _covers(info, band), staple, _not_at_room(name), position

    found: list[PageInfo] = []
    seen: set[str] = set()
    for _, info in sorted(enumerate(fitting), key=rank):
        stem = _SERIES.sub("", info.page)
        if stem not in seen or _author_named(info, text):
            seen.add(stem)
            found.append(info)
    return found[:MAX_PAGES], len(infos)


def spectral_band(text: str, data_columns: Sequence[tuple[str, float, float]] = ()) -> Band | None:
    """The vacuum wavelengths a paper speaks of, um: of its data, else of sentences about wavelengths or spectra; or None."""
    found: list[float] = []
    for name, low, high in data_columns:
        if match := re.fullmatch(
            r"(?:wavelength|lambda|wl|energy|frequency)[\s_(\[]*(\w+)[)\]]?", name, re.IGNORECASE
        ):
            found += _wavelengths((low, high), match[1])
    if not found:
        plain = readable(text)
        for number in numbers_in(plain):
            low, high = sentence_of(plain, number.start, number.end)
            if _is_light(plain, number) and _SPECTRAL.search(plain, low, high):
                found += _wavelengths((number.low, number.high), number.unit)
    return (min(found), max(found)) if found else None


def _is_light(plain: str, number: Written) -> bool:
    """Whether a number of a sentence on light may be a wavelength: no size, and no few hundred nanometres, which may be the structure's."""
    kinds = kinds_in_words(plain, number)
    symbol = _SYMBOL.search(plain[max(0, number.start - 16) : number.start])
    return not (
        number.label
        or number.in_range
        or dimension(number.unit) not in ("length", "frequency")
        or (kinds & SIZES and "light" not in kinds)
        or (symbol and not _OF_LIGHT.match(symbol[1]))
        or (number.low == number.high and number.unit == "nm" and number.low < 350 and "light" not in kinds)
        or is_varied_size(plain, number)
    )


def _wavelengths(values: Sequence[float], unit: str) -> list[float]:
    try:
        found = [to_wavelength_um(value, unit.replace("µ", "u").replace("μ", "u")) for value in values]
    except InputError:
        return []
    return [value for value in found if _PLAUSIBLE[0] <= value <= _PLAUSIBLE[1]]


def _not_at_room(name: str) -> bool:
    """Whether a page is one of a series at temperatures, and not at room temperature."""
    return re.search(r"-\d+(?:C|K)$", name) is not None and not name.endswith(_ROOM)


def _covers(info: PageInfo, band: Band | None) -> bool:
    """Whether a page's title says that it covers the band; True if either is not known."""
    ranges = [(float(low), float(high)) for low, high in _RANGE.findall(info.title)]
    return (
        not band
        or not ranges
        or any(low <= band[0] * 1.001 and band[1] <= high * 1.001 for low, high in ranges)
    )


def _author_named(info: PageInfo, text: str) -> bool:
    """Whether the paper names the author of a page (or the page itself)."""
    author = re.split(r"[\s,:]", info.title, maxsplit=1)[0]
    return info.page in text or (len(author) > 3 and re.search(rf"\b{re.escape(author)}\b", text) is not None)
