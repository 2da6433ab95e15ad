"""Which threshold a target deserves: by its unit, its kind, the feature code measures and the paper's words.

The planner's `quantity` is kept where it is one of those its target may have; elsewhere the derived one counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal, get_args

from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.reproduce.planning.plan import Plan, Target
from schemas.reproduce.planning.thresholds import Quantity
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.simulations.units import canonical, dimension
from schemas.reproduce.words.clauses import clause_of, governing, places_of

Meaning = Literal["width", "difference", "position"]
_KEYWORDS = re.compile(
    r"(?P<width>line-?\s?width|band-?\s?width|\bfwhm\b|full[ -]width|half[ -]maximum|\bwidths?\b|\bbroad(?:ening)?\b)"
    r"|(?P<difference>shift|splitting|spacing|separat|free[ -]spectral[ -]range|\bfsr\b|distance|(?<!wave)length|depth|focal|"
    r"\bspot|waist|thick|diamet|radius|\bsize|height|detun|mov(?:es?|ed|ing)\s+by|differ|decay|period|\bgap\b)"
    r"|(?P<position>wavelength|frequenc|resona(?:n|te)|peak|\bdips?\b|minim|maxim|\bmodes?\b|position|cent(?:er|re)|\blies\b|locat|"
    r"cut-?off|\benerg)",
    re.IGNORECASE,
)
_WIDTH_AFTER = re.compile(
    r"[\s-]*(?:\([^)]*\)\s*)?(?:wide\b|(?:line|band)?-?width|fwhm|full[ -]width)", re.IGNORECASE
)
_WIDTH_OF = re.compile(
    r"(?:width|fwhm|broadening)s?\)?\s+(?:\([^)]*\)\s*)?(?:of|for)\s+(?:\S+\s+){0,4}\S*$", re.IGNORECASE
)
_AT = re.compile(
    r"\b(?:at|(?P<to>to)|near|around|wavelengths? of)\s*(?:about|~|approximately)?\s*$", re.IGNORECASE
)
_MOVES = re.compile(r"shift|mov|detun", re.IGNORECASE)
_SAYS = {
    "quality_factor": re.compile(r"(?i:quality|finesse)|\bQ\b"),
    "effective_index": re.compile(r"(?i:index|indices|n_?\{?eff)|\bn_|(?<![A-Za-z])n\s*="),
    "field_enhancement": re.compile(r"(?i:enhancement|(?:field|intensity)[^.]{0,40}enhanced)"),
    "gap_ratio": re.compile(r"(?i:gap)"),
    "band_frequency": re.compile(r"(?i:frequenc|omega|c/a)|ω"),
}
_WORDS = {
    "gap_ratio": "a gap ('a gap of 31 %', 'gap-to-midgap ratio')",
    "quality_factor": "a quality factor ('Q = 300')",
    "effective_index": "an index ('an effective index of 1.85')",
    "band_frequency": "a frequency ('0.35 c/a')",
    "field_enhancement": "an enhancement ('enhanced 40 times', and no percentage)",
}
_NEVER_PERCENT = ("quality_factor", "field_enhancement")
_CALLED = {
    "quality_factor": "quality_factor",
    "field_enhancement": "field_enhancement",
    "effective_index": "effective_index",
    "index": "effective_index",
    "gap_ratio": "gap_ratio",
    "band_frequency": "band_frequency",
}
_SPECTRAL: tuple[Quantity, ...] = ("peak_position", "band_frequency", "plasmonic_peak_position")
# Metals whose database book is their symbol, and conductors that are used as such.
_METALS = frozenset(
    "Li Na K Rb Cs Be Mg Ca Sr Ba Sc Y Ti Zr Hf V Nb Ta Cr Mo W Mn Re Fe Ru Os Co Rh Ir Ni Pd Pt Cu Ag Au "
    "Zn Cd Hg Al Ga In Tl Sn Pb Bi".split()
)
_NO_METALS = frozenset(
    "Si Ge C Se Te S P As B SiO2 Si3N4 TiO2 Al2O3 MgF2 CaF2 GaAs GaP GaN InP AlAs AlN ZnO ZnS ZnSe HfO2 "
    "Ta2O5 Nb2O5 LiNbO3 BaTiO3 H2O H2 N2 air BK7 SCHOTT-BK PMMA".split()
)


def derived_quantity(target: Target, metal: bool = True) -> tuple[Quantity, str]:
    """The quantity whose threshold applies, and why it is not the planner's ('' if it is).

    metal: whether the stage uses a material that may carry plasmons.
    """
    allowed = _allowed(target)
    if target.kind == "image" or (
        target.quantity in allowed and (metal or target.quantity != "plasmonic_peak_position")
    ):
        return target.quantity, ""
    if target.quantity == "plasmonic_peak_position" and "peak_position" in allowed:
        return "peak_position", "no material of the stage is a metal, so nothing is plasmonic"
    what = f"a {target.kind} in unit {target.unit!r}"
    if target.quantity == "scalar" and _SPECTRAL[0] in allowed:
        what = f"no words say what this {dimension(target.unit)} is, so it counts as a place of light: it"
    if target.reference.feature is not None and target.kind == "scalar":
        what += f", the {as_feature(target.reference.feature).words()}"
    elif target.reference.kind == "quotation" and target.quantity == "fwhm":
        what += " whose words say no width, linewidth, bandwidth or FWHM of this number"
    elif target.reference.kind == "quotation" and target.quantity in _WORDS and target.kind == "scalar":
        what += f" whose words do not call this number {_WORDS[target.quantity]}"
    shown = [name for name in allowed if metal or name != "plasmonic_peak_position"]
    return allowed[0], f"{what} is no {target.quantity}; allowed: {', '.join(shown)}"


def quantity_faults(plan: Plan) -> tuple[tuple[str, str, str], ...]:
    """(where, what is wrong, fix) of every target whose quantity is not one that its unit, kind and words allow."""
    metals = {choice.name for choice in plan.materials if may_be_metal(choice, plan.materials)}
    found = []
    for stage, target in plan.targets():
        quantity, why = derived_quantity(target, bool(metals & set(stage.materials)))
        if why:
            found.append(
                (
                    f"{stage.stage_id}/{target.target_id}",
                    f"quantity {target.quantity!r}: {why}",
                    f"nothing, or {quantity!r}: its threshold counts in any case; mend unit, kind or reference where they are wrong",
                )
            )
    return tuple(found)


def may_be_metal(choice: MaterialChoice, others: Collection[MaterialChoice] = ()) -> bool:
    """Whether a material may have a negative permittivity; only what surely has none is ruled out."""
    if choice.axes:
        return any(may_be_metal(other) for other in others if other.name in choice.axes and not other.axes)
    if choice.page is not None:
        book = (choice.page.split("/") + ["", ""])[1]
        return book in _METALS or book not in _NO_METALS
    if choice.index is not None:
        return False
    if any(term.kind in ("drude", "lorentz") for term in choice.terms):
        return True
    constant = next((term for term in choice.terms if term.kind == "constant"), None)
    n, k = (constant.number("n"), constant.number("k")) if constant else (None, None)
    return bool(choice.table) or (n is not None and k is not None and abs(k.value) > n.value)


def _allowed(target: Target) -> tuple[Quantity, ...]:
    """The quantities a target may have, the one that counts otherwise first."""
    said = _said(target)
    kind = dimension(target.unit)
    spectral = kind in ("length", "frequency", "normalised")
    if target.kind == "map":
        return ("field_map", "curve")
    if target.kind == "curve":
        width: tuple[Quantity, ...] = (
            ("fwhm",) if re.search(r"(?i)width|fwhm", target.reference.y_column or "") else ()
        )
        if kind == "fraction":
            return ("curve", "efficiency", "scalar", *said)
        return ("curve", "scalar", *(_SPECTRAL if spectral else said), *width)
    if target.reference.feature is not None:
        return _of_feature(target, said, spectral)
    if target.reference.kind == "fresnel":
        return ("efficiency", "scalar")
    if kind == "fraction":
        if "effective_index" in said and target.reference.kind == "quotation":
            return ("effective_index",)
        return ("scalar", "efficiency", "peak_position", *said)
    meaning = "difference" if target.reference.made_of == "difference" else _meaning(target)
    if meaning == "width":
        return ("fwhm", "scalar", *_SPECTRAL)
    if not spectral:
        return ("scalar", "peak_position", *said)
    return ("scalar", *_SPECTRAL) if meaning == "difference" else _SPECTRAL


def _of_feature(target: Target, said: tuple[Quantity, ...], spectral: bool) -> tuple[Quantity, ...]:
    assert target.reference.feature is not None
    feature = as_feature(target.reference.feature)
    if feature.kind == "quality_factor":
        return ("quality_factor", "scalar")
    if feature.kind == "width":
        return ("fwhm", "scalar")
    if feature.kind == "band_gap":
        return {"ratio": ("gap_ratio", "scalar"), "width": ("scalar",)}.get(
            feature.measure, (*_SPECTRAL, "scalar")
        )  # type: ignore[return-value]
    if feature.on_x and not feature.of:
        return _SPECTRAL
    if feature.on_x or feature.kind in ("slope", "integral", "ratio"):
        return ("scalar", *said)
    if dimension(target.unit) == "fraction":
        return ("efficiency", "scalar", *said)
    return ("scalar", *(_SPECTRAL if spectral else said))


def _said(target: Target) -> tuple[Quantity, ...]:
    """The quantities that a quotation's own clause, or a data file's own column, calls the number. Words beside it, in another
    clause or of a quotation that stands at data, choose nothing; a percentage, or a number below 1, is no enhancement or Q.
    """
    reference = target.reference
    if reference.kind == "quotation":
        places = places_of(reference.quotation, reference.value, target.unit, reference.upper)
        names = {_CALLED.get(governing(reference.quotation, place), "") for place in places}
        named = tuple(name for name in get_args(Quantity) if {name} == names)
        percent = any(place.unit == "%" for place in places)
    else:
        column = reference.y_column or ""
        named = tuple(name for name in get_args(Quantity) if name in _SAYS and _SAYS[name].search(column))
        percent = column.lower().endswith(("_percent", "%"))
    small = reference.value is not None and abs(reference.value) < 1
    barred = _NEVER_PERCENT if small or percent or canonical(target.unit) == "%" else ()
    return tuple(name for name in named if name not in barred)


def _meaning(target: Target) -> Meaning:
    """What the quoted words say of the number: the keyword that governs it."""
    reference = target.reference
    text = reference.quotation
    places = places_of(text, reference.value, target.unit, reference.upper)
    place = (places[0].start, places[0].end) if places else (len(text), len(text))
    low, high = clause_of(text, *place)
    before, after = text[low : place[0]], text[place[1] : high]
    if _WIDTH_AFTER.match(after):
        return "width"
    place_said = _AT.search(before)
    if place_said and not place_said["to"]:
        return "position"
    found = tuple(_KEYWORDS.finditer(before))
    if not found:
        return "position"
    last = found[-1]
    if place_said and _MOVES.match(last[0]):  # "shifts to 720 nm", not "the splitting amounts to 7 nm"
        return "position"
    if last["position"] and _WIDTH_OF.search(before[: last.end()]):
        return "width"
    return "width" if last["width"] else "difference" if last["difference"] else "position"
