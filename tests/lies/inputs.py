"""Lies about what the paper calls an input: a period quoted as a thickness, a ratio as an index, one quotation for two."""

from __future__ import annotations

from typing import Any

from tests.lies import film
from tests.lies.kit import Lie, Tell, together, when
from tests.lies.planner_values import given, medium, parameter

PERIOD, RATIO, SLOTS, PRISM = (
    "a period of 235 nm",
    "the aspect ratio of the holder is 2.30",
    "slots of 235 nm",
    ("a prism of refractive index 2.30"),
)
FIGURE_1 = ("curve", "peak", "R_peak")
STAGES = (film.FIRST, film.SECOND)


def renamed(name: str, words: str = PERIOD) -> Tell:
    """The planner calls the thickness by another name, and quotes a period or the like for it."""
    return when(
        "planner", lambda a: parameter(a, "thickness").update(name=name, value="235", quotation=words)
    )


def designed(old: str, new: str, *parameters: dict[str, Any]) -> Tell:
    """The designer writes this in every stage that has it."""

    def change(answer: dict[str, Any]) -> None:
        answer["design"]["code"] = answer["design"]["code"].replace(old, new)
        answer["design"]["parameters"] += parameters

    return together(*(when("simulation_designer", change, stage) for stage in STAGES))


def twice(answer: dict[str, Any]) -> None:
    """The slots are two inputs."""
    answer["extracted_parameters"].append({**parameter(answer, "slot"), "name": "opening"})


def lie(name: str, role: str, gain: str, tell: Tell, shown: str, **more: Any) -> Lie:
    return Lie(name, role, "values", gain, tell, **{"false": FIGURE_1, "shown": shown} | more)


LIES = (
    lie(
        "thickness-from-a-period",
        "planner",
        "a period, quoted as the film's thickness, which gives the paper's peak",
        together(medium(film.FALSE_INDEX, PRISM), given("thickness", value="235", quotation=PERIOD)),
        r"It rests on thickness: its quoted words speak of something else",
    ),
    lie(
        "index-from-a-ratio",
        "planner",
        "an aspect ratio quoted as the film's index",
        together(medium(film.FALSE_INDEX, RATIO), renamed("slot", SLOTS), designed("p.thickness", "p.slot")),
        r"It rests on material film: its quoted words speak of something else",
    ),
    lie(
        "one-quotation-for-two",
        "planner",
        "one quotation for two inputs",
        together(
            medium(film.FALSE_INDEX, PRISM),
            renamed("slot", SLOTS),
            when("planner", twice),
            designed("p.thickness", "p.slot"),
        ),
        r"It rests on slot: the same words of the paper are given for opening",
    ),
    lie(
        "period-under-another-name",
        "planner",
        "a period under a name that says nothing, taken for the thickness",
        together(medium(film.FALSE_INDEX, PRISM), renamed("d1"), designed("p.thickness", "p.d1")),
        r"It rests on d1: it is scenes\.0\.layers\.0\.thickness",
    ),
    lie(
        "period-derived",
        "planner",
        "the same behind a derived parameter",
        together(
            medium(film.FALSE_INDEX, PRISM),
            renamed("d1"),
            designed(
                "p.thickness",
                "p.mine",
                {"id": "mine", "unit": "nm", "origin": "derived", "expression": "d1 / 2 * 2"},
            ),
        ),
        r"It rests on d1: it is scenes\.0\.layers\.0\.thickness",
    ),
    lie(
        "index-of-another-body",
        "planner",
        "the prism's index, quoted as the film's",
        together(medium(film.FALSE_INDEX, PRISM), renamed("slot", SLOTS), designed("p.thickness", "p.slot")),
        r"It rests on material film: its quoted words do not name it, and the paper has words that do",
    ),
    lie(
        "light-as-thickness",
        "simulation_designer",
        "the wavelength of figure 2 as the film's thickness",
        designed("thickness=p.thickness", "thickness=p.oblique_wavelength"),
        r"It rests on oblique_wavelength: it is scenes",
    ),
)
