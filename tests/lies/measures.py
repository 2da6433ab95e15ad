"""Lies of the designer in a function of its own, which sees what was measured and nothing else."""

from __future__ import annotations

from typing import Any

from tests.lies import film
from tests.lies.designer import code
from tests.lies.kit import Kind, Lie, Tell, together, when

HONEST = 'Reflectance(id="R", scene="film", answers=["curve", "peak", "R_peak"])'


def measures(arithmetic: str, given: str = "") -> Tell:
    """The largest reflectance by a function of the designer's own; arguments R and what is given."""
    names = ", ".join(name.removeprefix("p.") for name in given.split(", ") if name)
    own = (
        f'Measured(id="own", scene="film", of=["R"], given=[{given}], answers=["R_peak"], '
        f'code="""\ndef measure(R{", " + names if names else ""}):\n    return {arithmetic}\n""")'
    )
    return code(HONEST, HONEST.replace(', "R_peak"', "") + ", " + own, film.FIRST)


def as_a_number(answer: dict[str, Any]) -> None:
    """The plan reads no feature from a curve, so that a number may answer."""
    for stage in answer["plan"]["stages"]:
        for target in stage["targets"]:
            if target["target_id"] == "R_peak":
                target["reference"].pop("feature")


def lie(name: str, kind: Kind, gain: str, tell: Tell, refused: str = "", shown: str = "") -> Lie:
    return Lie(
        name,
        "simulation_designer",
        kind,
        gain,
        together(when("planner", as_a_number), tell),
        false=("R_peak",),
        refused=refused,
        shown=shown,
    )


# The paper's largest reflectance of the false edition is 0.3057: (n^2 - s)^2 / (n^2 + s)^2 of an index of 2.30.
LIES = (
    lie(
        "measure-typed",
        "values",
        "the paper's value, typed",
        measures("0.3057 + np.mean(R.y) / 2 ** 2 ** 2 ** 2"),
        refused="undeclared number 0.3057",
    ),
    lie(
        "measure-of-a-file",
        "values",
        "the paper's value from a file",
        measures("np.loadtxt(R)"),
        refused="np.loadtxt is not allowed",
    ),
    lie(
        "measure-of-the-maximum",
        "values",
        "a factor on what a feature of the target gives",
        measures("np.max(R.y) * 1"),
        refused="maximum value of R gives the same",
    ),
    lie(
        "measure-formula",
        "values",
        "a formula of parameters, tuned by powers of two",
        measures(
            "((film_index ** 2 - glass_index) / (film_index ** 2 + glass_index)) ** 2 * (1 + 1 / (2 + 2) + 1 / 2 ** (2 + 2 + 1))"
            " + np.mean(R.y) / 2 ** (2 ** (2 + 1) + 2)",
            "p.film_index, p.glass_index",
        ),
        shown="Not from the fields: .*null data",
    ),
    lie(
        "measure-remembered",
        "values",
        "a remembered value and a little of the data",
        measures("1 / (2 + 1) - 1 / (2 + 2) ** 2 / 2 + np.mean(R.y) / 2 ** (2 ** (2 + 1) + 2)"),
        refused="gives the same",
    ),
)
