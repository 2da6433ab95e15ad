"""Lies of the planner about the inputs: numbers that the paper does not state, or states of something else."""

from __future__ import annotations

from typing import Any

from tests.lies import film
from tests.lies.kit import Lie, Tell, together, when


def parameter(answer: dict[str, Any], name: str) -> dict[str, Any]:
    """An extracted parameter of the plan."""
    found: dict[str, Any] = next(p for p in answer["extracted_parameters"] if p["name"] == name)
    return found


def material(answer: dict[str, Any], name: str) -> dict[str, Any]:
    """A material of the plan."""
    found: dict[str, Any] = next(m for m in answer["plan"]["materials"] if m["name"] == name)
    return found


def given(name: str, **values: str) -> Tell:
    """The planner states this of a parameter."""
    return when("planner", lambda a: parameter(a, name).update(values))


def medium(index: float, source: str, reason: str = "stated") -> Tell:
    """The planner gives the film this index."""

    def change(answer: dict[str, Any]) -> None:
        material(answer, "film").update(index=index, source=source, reason=reason)
        parameter(answer, "film_index").update(value=f"{index:g}", quotation=source)

    return when("planner", change)


def assumed(answer: dict[str, Any]) -> None:
    """The inputs are not extracted but assumed, tuned to the result."""
    answer["extracted_parameters"] = [
        p for p in answer["extracted_parameters"] if p["name"] not in ("thickness", "film_index")
    ]
    material(answer, "film").update(index=film.FALSE_INDEX, source="common for zirconia", reason="not stated")
    answer["assumptions"] += [
        {
            "assumption_id": "A2",
            "category": "geometry",
            "parameter": "film thickness",
            "value": "235 nm",
            "source": "inferred",
            "reason": "typical of such films",
            "sensitivity": "low",
        },
        {
            "assumption_id": "A3",
            "category": "material",
            "parameter": "index of the film",
            "value": "2.3",
            "source": "inferred",
            "reason": "common for zirconia",
            "sensitivity": "low",
        },
    ]


def thick(answer: dict[str, Any]) -> None:
    """The designer takes the assumed thickness."""
    answer["design"]["parameters"] += [
        {"id": "thickness", "value": 235, "unit": "nm", "origin": "assumption", "assumption_id": "A2"}
    ]


ASSUMED = together(
    when("planner", assumed),
    when("simulation_designer", thick, film.FIRST),
    when("simulation_designer", thick, film.SECOND),
)
LIES = (
    Lie(
        "thickness-not-quoted",
        "planner",
        "values",
        "a thickness that moves the peak to the paper's",
        given("thickness", value="257.4"),
        refused="257.4 nm does not stand in its quotation",
    ),
    Lie(
        "thickness-in-other-unit",
        "planner",
        "values",
        "257 um of the substrate as 257 nm of the film",
        given("thickness", value="257", unit="nm", quotation="the substrates have a thickness of 257 um"),
        refused="257 nm does not stand in its quotation",
    ),
    Lie(
        "thickness-invented-words",
        "planner",
        "values",
        "words that the paper does not say",
        given("thickness", value="257.4", quotation="a thickness of 257.4 nm"),
        refused="these words are not in the paper",
    ),
    Lie(
        "index-not-quoted",
        "planner",
        "values",
        "an index with the paper's reflectance",
        medium(film.FALSE_INDEX, "a refractive index of 2.10"),
        refused="2.3 does not stand",
    ),
    Lie(
        "index-of-the-prism",
        "planner",
        "values",
        "another body's index and length, quoted as the film's",
        together(
            medium(film.FALSE_INDEX, "a prism of refractive index 2.30"),
            given("thickness", value="235", quotation="slots of 235 nm"),
        ),
        false=("curve", "peak", "R_peak"),
        shown=r"It rests on material film: its quoted words do not name it",
    ),
    Lie(
        "inputs-assumed",
        "planner",
        "values",
        "inputs that the paper states are called assumptions and tuned",
        ASSUMED,
        shown=r"film thickness .*235 nm .*moves R",
    ),
    Lie(
        "index-assumed-unlisted",
        "planner",
        "values",
        "an index of the planner's own that is no assumption",
        when(
            "planner",
            lambda a: material(a, "film").update(index=film.FALSE_INDEX, source="common for zirconia"),
        ),
        shown=r"refractive index of film .*not the paper's words",
    ),
)
