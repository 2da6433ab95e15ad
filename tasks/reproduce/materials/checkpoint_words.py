"""A person's words at the material checkpoint, turned into materials: `gold=main/Ag/Johnson as silver because ...`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from schemas.errors import InputError
from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.reproduce.materials.stated import TERM_NUMBERS

FORMS = (
    "gold=main/Ag/Johnson (a page), film=table:data/film_nk.csv (a CSV of wavelength, n, k), film=1.45, "
    "film=2.1+0.3i@633nm (a complex index at a wavelength; without @ over the whole band), "
    "gold=eps_inf(9.5)+drude(plasma_frequency=9.03 eV, damping=0.053 eV), crystal=axes(x=a, y=a, z=b); "
    "several with ';', a new name with 'as silver', your reason after 'because'"
)
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_INDEX = re.compile(
    rf"(?P<n>{_NUMBER})(?:\s*\+\s*(?P<k>{_NUMBER})\s*[ij])?(?:\s*@\s*(?P<at>{_NUMBER})\s*(?P<unit>\S+))?"
)
_NEXT = re.compile(r"\s*[\w.-]+\s*=")
_TERM = re.compile(r"\s*(?P<kind>\w+)\s*\((?P<inside>[^()]*)\)\s*")
_AS = re.compile(r"\s+as\s+(?P<name>[A-Za-z0-9][\w.-]*)\s*$")
_QUANTITY = re.compile(rf"(?P<value>{_NUMBER})\s*(?P<unit>.*)")
# The one number of a term, where only one is to be named.
_ONLY = {"eps_inf": "value", "chi2": "value", "chi3": "value", "kerr": "value", "cauchy": "coefficient"}


@dataclass(frozen=True)
class Correction:
    """One material to be replaced: its name, what is used instead, whether the person named it, and why."""

    replaced: str
    choice: MaterialChoice
    named: bool
    reason: str


def corrections(text: str, materials: Mapping[str, MaterialChoice]) -> tuple[Correction, ...]:
    """What a person asks for. Forms are not looked up here: pages and tables are checked by `check_choice`.

    materials: those in use by name; a correction keeps the band of the one it replaces.
    Raises InputError naming the part that does not fit, and the forms there are.
    """
    words, _, reason = text.partition(" because ")
    found = []
    for part in _parts(words):
        name, equals, value = (item.strip() for item in part.partition("="))
        if name not in materials or not equals or not value:
            raise InputError(
                f"{name[:80]!r} is no material in use"
                if equals and value
                else "nothing is named to use instead",
                found=part.strip()[:200],
                allowed=f"{', '.join(materials)}; {FORMS}",
                fix="write material=what to use instead",
            )
        renamed = _AS.search(value)
        value = value[: renamed.start()].strip() if renamed else value
        old = materials[name]
        try:
            choice = MaterialChoice.model_validate(
                {
                    "name": renamed["name"] if renamed else name,
                    "band_um": old.band_um,
                    "source": "a person's choice",
                    "reason": reason.strip() or "chosen by a person at the material checkpoint",
                    **_form(value),
                }
            )
        except ValidationError as error:
            problem = "; ".join(str(item["msg"]).removeprefix("Value error, ") for item in error.errors()[:3])
            raise InputError(
                f"{value!r} describes no material",
                found=problem,
                allowed=FORMS,
                fix="correct the description",
            ) from error
        found.append(Correction(name, choice, renamed is not None, reason.strip()))
    double = {one.replaced for one in found if [other.replaced for other in found].count(one.replaced) > 1}
    if double:
        raise InputError(
            "a material is changed twice",
            found=", ".join(sorted(double)),
            allowed="each once",
            fix="leave one of them out",
        )
    return tuple(found)


def _parts(text: str) -> list[str]:
    """The changes of an answer: parted by ';', or by ',' before another `name=`, but not inside parentheses."""
    parts, depth, start = [], 0, 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and (letter == ";" or (letter == "," and _NEXT.match(text, position + 1))):
            parts.append(text[start:position])
            start = position + 1
    return [part for part in (*parts, text[start:]) if part.strip()]


def _form(value: str) -> dict[str, object]:
    """The fields of a MaterialChoice that a description means."""
    if value.startswith("table:"):
        return {"table": value.removeprefix("table:").strip()}
    if match := _INDEX.fullmatch(value):
        if match["k"] is None and match["at"] is None:
            return {"index": float(match["n"])}
        numbers = [{"name": "n", "value": float(match["n"])}, {"name": "k", "value": float(match["k"] or 0)}]
        if match["at"]:
            numbers.append({"name": "wavelength", "value": float(match["at"]), "unit": match["unit"]})
        return {"terms": [{"kind": "constant", "numbers": numbers}]}
    if "(" in value:
        return _terms(value)
    return {"page": value}


def _terms(value: str) -> dict[str, object]:
    terms, base, position = [], {}, 0
    while position < len(value):
        match = _TERM.match(value, position)
        if match is None:
            break
        if match["kind"] == "axes":
            names = dict(_named(item, "axes") for item in match["inside"].split(","))
            base = {"axes": [names.get(axis, "") for axis in ("x", "y", "z")]}
        else:
            terms.append(_term(match["kind"], match["inside"]))
        position = match.end()
        if position < len(value):
            if value[position] != "+":
                break
            position += 1
    if position < len(value):
        raise InputError(
            f"{value!r} cannot be read",
            found=value[position : position + 60],
            allowed=FORMS,
            fix="write terms as kind(number=value unit, ...), joined by +",
        )
    return {**base, "terms": terms} if terms else base


def _term(kind: str, inside: str) -> dict[str, object]:
    if kind not in TERM_NUMBERS:
        raise InputError(
            f"{kind!r} is no kind of term",
            found=kind,
            allowed=", ".join(TERM_NUMBERS),
            fix="use one of these",
        )
    numbers, flags = [], {}
    for item in inside.split(","):
        if item.strip() in ("half_damping", "exp_plus_iwt"):
            flags[item.strip()] = True
            continue
        name, text = _named(item, kind)
        match = _QUANTITY.fullmatch(text)
        if match is None:
            raise InputError(
                f"{text!r} is no number",
                found=item.strip(),
                allowed="a number and its unit, as 9.03 eV",
                fix="correct it",
            )
        numbers.append({"name": name, "value": float(match["value"]), "unit": match["unit"].strip() or "1"})
    return {"kind": kind, "numbers": numbers, **flags}


def _named(item: str, kind: str) -> tuple[str, str]:
    name, equals, text = (piece.strip() for piece in item.partition("="))
    if not equals and kind in _ONLY:
        return _ONLY[kind], name
    return name, text
