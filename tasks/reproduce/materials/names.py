"""What materials are called in papers, and the books of the database they mean."""

from __future__ import annotations

import re

# Book of the database (shelf/book) -> names in papers; those with capitals count only as written, as the formula does.
BOOKS: dict[str, tuple[str, ...]] = {
    "main/Au": ("gold",),
    "main/Ag": ("silver",),
    "main/Al": ("aluminium", "aluminum"),
    "main/Cu": ("copper",),
    "main/Cr": ("chromium", "chrome"),
    "main/Ti": ("titanium",),
    "main/W": ("tungsten",),
    "main/Ni": ("nickel",),
    "main/Pt": ("platinum",),
    "main/Pd": ("palladium",),
    "main/Fe": ("iron",),
    "main/Mo": ("molybdenum",),
    "main/Ta": ("tantalum",),
    "main/Mg": ("magnesium",),
    "main/Co": ("cobalt",),
    "main/Na": ("sodium",),
    "main/Si": ("silicon", "crystalline silicon", "c-si", "silicon-on-insulator", "SOI"),
    "main/Ge": ("germanium",),
    "main/GaAs": ("gallium arsenide",),
    "main/InP": ("indium phosphide",),
    "main/GaP": ("gallium phosphide",),
    "main/GaN": ("gallium nitride",),
    "main/InAs": ("indium arsenide",),
    "main/AlAs": ("aluminium arsenide", "aluminum arsenide"),
    "main/AlN": ("aluminium nitride", "aluminum nitride"),
    "main/SiO2": (
        "silica",
        "fused silica",
        "silicon dioxide",
        "silicon oxide",
        "quartz glass",
        "buried oxide",
    ),
    "main/Si3N4": ("silicon nitride", "SiN", "SiNx"),
    "main/SiC": ("silicon carbide",),
    "main/TiO2": ("titania", "titanium dioxide", "titanium oxide", "rutile"),
    "main/Al2O3": ("alumina", "sapphire", "aluminium oxide", "aluminum oxide"),
    "main/HfO2": ("hafnia", "hafnium oxide"),
    "main/Ta2O5": ("tantala", "tantalum pentoxide"),
    "main/ZnO": ("zinc oxide",),
    "main/ZnS": ("zinc sulfide", "zinc sulphide"),
    "main/ZnSe": ("zinc selenide",),
    "main/MgF2": ("magnesium fluoride",),
    "main/CaF2": ("calcium fluoride",),
    "main/LiNbO3": ("lithium niobate",),
    "main/Nb2O5": ("niobia", "niobium pentoxide"),
    "main/TiN": ("titanium nitride",),
    "main/VO2": ("vanadium dioxide",),
    "main/MoS2": ("molybdenum disulfide",),
    "main/WS2": ("tungsten disulfide",),
    "main/BN": ("boron nitride", "hBN", "h-BN"),
    "main/C": ("graphene", "diamond", "graphite"),
    "main/H2O": ("water",),
    "other/In2O3-SnO2": ("indium tin oxide", "ITO", "indium-tin oxide", "indium-tin-oxide"),
    "popular_glass/BK7": ("borosilicate glass", "BK7", "N-BK7"),
    "organic/poly_methyl_methacrylate": ("PMMA", "poly(methyl methacrylate)", "polymethyl methacrylate"),
    "organic/polystyrene": ("polystyrene",),
    "organic/polydimethylsiloxane": ("PDMS", "polydimethylsiloxane"),
}
# Formulas that are also words, symbols or units of papers: only their names count.
_AMBIGUOUS = {"C", "Co", "Na", "W", "Mo", "Fe", "BN", "BK7", "H2O"}
_NAMES = tuple(
    (name, book)
    for book, names in BOOKS.items()
    for name in dict.fromkeys(
        (*names, *(() if book.partition("/")[2] in _AMBIGUOUS else (book.partition("/")[2],)))
    )
)
# Books that hold several materials: words of a page's section or title that belong to each.
_SEVERAL = {"graphene": "graphene", "diamond": "diamond", "graphite": "graphite"}


def books_named(text: str) -> dict[str, tuple[str, ...]]:
    """The books whose materials a text names -> the names found, most often named first.

    Names match whole words whatever their case; formulas and abbreviations only as they are written (Au, SiO2, ITO), also
    with a subscript's underscore or Unicode digits.
    """
    plain = re.sub(
        r"[_${}]|\\(?:mathrm|text|rm)", "", text.translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789"))
    )
    counts: dict[str, dict[str, int]] = {}
    # Longer names first, and what they cover is taken out: silicon nitride is no silicon.
    for name, book in sorted(_NAMES, key=lambda item: -len(item[0])):
        pattern = rf"(?<![\w-]){re.escape(name)}(?![\w])"
        plain, number = re.subn(pattern, " ", plain, flags=re.IGNORECASE if name.islower() else 0)
        if number:
            counts.setdefault(book, {})[name] = number
    order = sorted(counts, key=lambda book: -sum(counts[book].values()))
    return {book: tuple(sorted(counts[book], key=lambda name: -counts[book][name])) for book in order}


def common_name(page: str) -> str:
    """What papers call the material of a page: "main/Ag/Johnson" -> "silver"; a name simulations can use."""
    book = "/".join(page.split("/")[:2])
    name = BOOKS.get(book, (book.partition("/")[2] or book,))[0]
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", name).strip("_") or "material"


def words_of_page(names: tuple[str, ...]) -> tuple[str, ...]:
    """One of these words stands in the title of a page that fits, where a book holds several materials; else ()."""
    return tuple(_SEVERAL[name] for name in names if name in _SEVERAL)
