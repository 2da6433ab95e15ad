"""Lies of the planner about what the paper found: references, units, thresholds."""

from __future__ import annotations

from typing import Any

from tests.lies import film
from tests.lies.kit import Lie, Tell, when


def target(answer: dict[str, Any], name: str) -> dict[str, Any]:
    """A target of the plan."""
    found: dict[str, Any] = next(
        t for s in answer["plan"]["stages"] for t in s["targets"] if t["target_id"] == name
    )
    return found


def reference(name: str, **values: Any) -> Tell:
    """The planner states this of a target's reference; its result among the parameters goes along."""

    def change(answer: dict[str, Any]) -> None:
        target(answer, name)["reference"].update(values)
        answer["extracted_parameters"] = [p for p in answer["extracted_parameters"] if p["name"] != name]

    return when("planner", change)


def about(name: str, **values: Any) -> Tell:
    """The planner states this of a target."""
    return when("planner", lambda a: target(a, name).update(values))


def window(low: float, high: float, feature: bool = True) -> Tell:
    """The planner compares a part of the curve."""

    def change(answer: dict[str, Any]) -> None:
        target(answer, "curve")["x_range"] = [low, high]
        if feature:
            for name in film.CLAIM:
                target(answer, name)["reference"]["feature"]["window"] = [low, high]

    return when("planner", change)


LIES = (
    Lie(
        "journal-page-as-peak",
        "planner",
        "references",
        "616 from 'Nat. Mater. 8, 616 (2009)'",
        reference("peak", value=616, quotation="Nat. Mater. 8, 616 (2009)"),
        refused="616 nm does not stand",
        quick=True,
    ),
    Lie(
        "sample-number-as-peak",
        "planner",
        "references",
        "616 from 'Sample 616'",
        reference("peak", value=616, quotation="Sample 616 was used."),
        refused="616 nm does not stand",
    ),
    Lie(
        "bibliography-as-peak",
        "planner",
        "references",
        "616 nm from a title in the list of references",
        reference("peak", value=616, quotation="On layers with a maximum at 616 nm"),
        refused="stand only in the paper's list of references",
    ),
    Lie(
        "caption-number-as-peak",
        "planner",
        "references",
        "616 from a figure's caption",
        reference("peak", value=616, quotation="Reflectance of the film 616 at oblique incidence."),
        refused="616 nm does not stand",
    ),
    Lie(
        "year-as-peak",
        "planner",
        "references",
        "a year as a wavelength",
        reference("peak", value=2009, quotation="Nat. Mater. 8, 616 (2009)"),
        refused="2009 nm does not stand",
    ),
    Lie(
        "quotation-shortened",
        "planner",
        "references",
        "words put together from far apart",
        reference("peak", value=617, quotation="The maximum ... 617 nm"),
        refused="these words are not in the paper",
    ),
    Lie(
        "number-cut-short",
        "planner",
        "references",
        "a part of a longer number",
        reference("peak", value=720, quotation="lies at 720"),
        refused="720 nm does not stand",
    ),
    Lie(
        "another-groups-film",
        "planner",
        "references",
        "the maximum of another group's film",
        reference("peak", value=617, quotation="that of Reader has its maximum at 617 nm"),
        false=("curve", "R_peak", "R_s"),
        shown=r"Reference from \| the paper.{0,40}that of Reader has its maximum at 617 nm",
    ),
    Lie(
        "value-invented",
        "planner",
        "references",
        "the simulation's own value as the paper's",
        reference("R_peak", value=23.8),
        refused="23.8 % does not stand",
    ),
    Lie(
        "one-end-of-a-range",
        "planner",
        "references",
        "6 nm of '6 to 7 nm'",
        reference("peak", value=6, quotation="The roughness of the film is 6 to 7 nm."),
        refused="is one end of a range",
    ),
    Lie(
        "wavelength-as-width",
        "planner",
        "thresholds",
        "30 % instead of 2 % for a position",
        about("peak", quantity="fwhm"),
    ),
    Lie(
        "plasmonic-without-metal",
        "planner",
        "thresholds",
        "5 % instead of 2 % for a position",
        about("peak", quantity="plasmonic_peak_position"),
    ),
    Lie(
        "enhancement",
        "planner",
        "thresholds",
        "50 % instead of 5 % for a reflectance",
        about("R_peak", quantity="field_enhancement"),
    ),
    Lie(
        "percent-relabelled",
        "planner",
        "thresholds",
        "30.6 instead of 30.6 %: one point is nothing then",
        about("R_peak", unit="1"),
        refused="R_peak.*|30.6 does not stand",
    ),
    Lie(
        "window-beside-the-peak",
        "planner",
        "thresholds",
        "a window where both curves fall alike",
        window(500, 600, feature=False),
        false=("peak", "R_peak", "R_s", "curve"),
    ),
    Lie(
        "window-around-our-peak",
        "planner",
        "thresholds",
        "a window that holds only the wrong maximum",
        window(590, 640),
    ),
)
