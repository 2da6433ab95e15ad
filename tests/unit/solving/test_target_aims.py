"""What a target's verdict needs of its quantity, and when a ladder therefore ends. No Meep."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.features import CurveFeature
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.describing.in_sandbox import Description, declared, from_document
from tasks.reproduce.describing.lengths import lengths_of
from tasks.reproduce.judging.limits import limits_for, scalar_error
from tasks.reproduce.measuring import Curve, Scalar
from tasks.reproduce.references.paper_value import resolve
from tasks.reproduce.solving.whole_study import usual_aims
from tasks.reproduce.uncertainty.aims import (
    NO_TARGET,
    Aim,
    Demand,
    Pair,
    counts,
    heavy,
    joined,
    missed,
    told,
    within,
    worst,
)
from tasks.reproduce.uncertainty.error_parts import Variants
from tasks.reproduce.uncertainty.target_aims import SHARE, UNASKED, Judged, _asked_at, aims_of

pytestmark = pytest.mark.unit
FILM = """from simkit.describe import *


def describe(p):
    film = UnitCell(
        id="film",
        below=vacuum(),
        layers=(Film(medium=Medium(index=p.n), thickness=p.t),),
        above=vacuum(),
        light_from="below",
        polarization="x",
        band=Wavelengths(shortest=p.shortest, longest=p.longest),
    )
    return Problem(
        scenes=(film,),
        quantities=(Reflectance(id="R", scene="film", answers=(%s)), Transmittance(id="T", scene="film")),
    )
"""
PARAMETERS = [
    {"id": "t", "value": 600, "unit": "nm", "origin": "paper", "quotation": "600 nm"},
    {"id": "n", "value": 2.0, "origin": "paper", "quotation": "an index of 2"},
    {"id": "shortest", "value": 500, "unit": "nm", "origin": "numerical"},
    {"id": "longest", "value": 900, "unit": "nm", "origin": "numerical"},
]
FEATURES: dict[str, dict[str, Any]] = {
    "peak": {
        "quantity": "peak_position",
        "unit": "nm",
        "feature": {"kind": "position", "extremum": "maximum"},
    },
    "height": {"quantity": "efficiency", "unit": "1", "feature": {"kind": "value", "extremum": "maximum"}},
}
DECIMALS = {"peak": 0, "height": 2}
QUOTED = {"peak": 650, "height": 0.36}


def _target(name: str, value: float) -> Target:
    own = FEATURES[name]
    return Target.model_validate(
        {
            "target_id": name,
            "figure_id": "text",
            "description": name,
            "kind": "scalar",
            "quantity": own["quantity"],
            "unit": own["unit"],
            "x_unit": "nm",
            "reference": {
                "kind": "quotation",
                "value": value,
                "quotation": f"a maximum of {value:.{DECIMALS[name]}f} {own['unit']}",
                "feature": own["feature"],
            },
        }
    )


def _film(*answers: str) -> Description:
    code = FILM % "".join(f'"{name}", ' for name in answers)
    return from_document(document(described(code, PARAMETERS)), declared(PARAMETERS), code)


def _aims(found: Description, *targets: Target) -> dict[str, Aim]:
    return aims_of(
        found,
        targets,
        lengths_of(found.parameters, (), targets),
        paper_dir=Path("/nowhere"),
        profile="default",
        metal=False,
        usual=usual_aims(found.problem),
    )


def _line(place_um: float, width: float = 0.02, height: float = 1.0) -> Curve:
    """A Lorentzian over frequency with its maximum at a wavelength."""
    f = np.linspace(1 / 0.9, 1 / 0.5, 201)
    return Curve(f, height / (1 + ((f - 1 / place_um) / width) ** 2), "frequency", 0)


def _ladder(*places: float, width: float = 0.02) -> Variants:
    return Variants([(20.0 * 1.5**n, _line(place, width)) for n, place in enumerate(places)])


def test_a_peak_is_known_when_its_place_is_however_far_its_flanks_move() -> None:
    """A narrow line that shifts by a tenth of a per cent changes its curve by its whole height."""
    (demand,) = _aims(_film("peak"), _target("peak", 650))["R"]
    still = _ladder(0.6500, 0.6512, 0.6515, width=0.008)
    assert worst((demand,), still)[0] < 0.5 and worst(within(0.01), still)[0] > 1.5
    doubt, enough = demand.miss(still) or (math.inf, 0.0)
    assert enough == pytest.approx(SHARE * 0.02 * 651.5, rel=1e-3) and doubt < enough  # in the target's nm
    assert worst((demand,), _ladder(0.62, 0.64, 0.65))[0] > 1


def test_what_counts_for_no_verdict_waits_for_what_does() -> None:
    found, major = _film("peak", "height"), _target("peak", 650)
    minor = _target("height", 0.36).model_copy(update={"major": False})
    own, both = _aims(found, minor), _aims(found, major.model_copy(update={"major": True}), minor)
    assert [demand.light for demand in both["R"]] == [False, True]
    assert counts(both, ["R"]) and not counts(own, ["R"])
    assert [demand.light for demand in heavy(both)["R"]] == [False]
    assert all(demand.words == NO_TARGET for demand in heavy(own)["R"])


def test_two_grids_that_agree_by_chance_on_a_place_do_not_end_a_ladder() -> None:
    (demand,) = _aims(_film("peak"), _target("peak", 650))["R"]
    chance = Variants([(20.0, _line(0.65, height=0.5)), (30.0, _line(0.65))])
    assert worst((demand,), chance)[0] > 1
    assert worst((demand,), Variants([(20.0, _line(0.65, height=0.999)), (30.0, _line(0.65))]))[0] <= 1


def test_what_no_target_asks_for_is_known_as_well_as_a_balance_needs_it() -> None:
    aims = _aims(_film("peak"), _target("peak", 650))
    assert [demand.share for demand in aims["T"]] == [UNASKED] and len(aims["R"]) == 1
    # a fiftieth of the power: a small reflectance that nobody asked for was known to a fiftieth of itself, on ten times as fine a grid
    small = Variants([(20.0, Scalar(0.021, 1)), (28.0, Scalar(0.025, 1))])
    assert worst(aims["T"], small)[0] < 1 < worst(within(UNASKED), small)[0]
    large = Variants([(20.0, Scalar(0.85, 1)), (28.0, Scalar(0.9, 1))])
    assert worst(aims["T"], large)[0] > 1
    both = _aims(_film("peak", "height"), _target("peak", 650), _target("height", 0.36))
    assert len(both["R"]) == 2


def test_a_reference_that_cannot_be_had_leaves_the_usual_aim() -> None:
    lost = _target("peak", 650).model_copy(
        update={
            "reference": _target("peak", 650).reference.model_copy(
                update={"kind": "feature", "file": "none.csv", "x_column": "x", "y_column": "y"}
            )
        }
    )
    found = _film("peak")
    assert _aims(found, lost)["R"] == usual_aims(found.problem)["R"]


def test_a_curve_without_the_feature_is_refined_as_a_curve() -> None:
    (demand,) = _aims(_film("peak"), _target("peak", 650))["R"]
    flat = Variants(
        [(r, Curve(_line(0.6).x, np.full(201, 0.5 + 1 / r), "frequency", 0)) for r in (20.0, 30.0)]
    )
    assert demand.grid(flat)[0] == Demand(demand.share).grid(flat)[0] > 1
    assert missed((demand,), flat) is not None


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from(sorted(FEATURES)),
    theirs=st.floats(0.5, 2.0),
    places=st.lists(st.floats(0.6, 0.75), min_size=2, max_size=4),
    height=st.floats(0.2, 1.0),
)
def test_no_ladder_depends_on_whether_its_value_agrees_with_the_paper(
    name: str, theirs: float, places: list[float], height: float
) -> None:
    """Optional stopping: of two papers that state other numbers with as many digits, every grid asks for the same."""
    found = _shared()
    variants = Variants([(20.0 * 1.5**n, _line(place, height=height)) for n, place in enumerate(places)])
    asked = []
    for value in (QUOTED[name], round(QUOTED[name] * theirs, DECIMALS[name])):
        aim = _aims(found, _target(name, value))["R"]
        asked.append((worst(aim, variants), missed(aim, variants), told(aim)[0][0]))
    assert asked[0] == asked[1]


_MADE: list[Description] = []


def _shared() -> Description:
    if not _MADE:
        _MADE.append(_film("peak", "height"))
    return _MADE[0]


@settings(max_examples=100, deadline=None)
@given(
    quantity=st.sampled_from(["scalar", "efficiency", "quality_factor", "peak_position", "gap_ratio"]),
    number=st.floats(1e-3, 1e4),
    theirs=st.floats(1e-3, 1e4),
)
def test_what_is_good_enough_is_half_of_what_the_verdict_asks_for(
    quantity: str, number: float, theirs: float
) -> None:
    """A converged value at the paper's own number: uncertainty at most half the acceptable error, with room for as much."""
    unit = "%" if quantity == "gap_ratio" else "nm" if quantity == "peak_position" else "1"
    target = Target.model_validate(
        {
            "target_id": "t",
            "figure_id": "text",
            "description": "t",
            "kind": "scalar",
            "quantity": quantity,
            "unit": unit,
            "reference": {"kind": "quotation", "value": theirs, "quotation": f"{theirs!r} {unit}"},
        }
    )
    reference = resolve(target, Path("/nowhere"))
    judged = Judged(target, "default", reference, False)
    enough = judged.allowed(number)
    at_it = replace(
        reference, value=number
    )  # with the digits that the paper gives: fewer of them leave more open
    limits = limits_for(target, "default", at_it, False)
    error = scalar_error(number + enough, number, limits.value.measure, unit)
    assert error is not None and 0 < error <= limits.value.acceptable / 2 * (1 + 1e-9)
    assert not math.isclose(enough, 0)
    assert Demand(0.01, None, lambda value: (value.value, 0.0), judged.allowed).change(  # type: ignore[union-attr]
        Scalar(number), Scalar(number + enough)
    ) == pytest.approx(1, rel=1e-6)


def _wavelengths(*pairs: tuple[float, float]) -> dict[str, Variants]:
    return {
        name: Variants([(20.0 * 1.4**n, Scalar(pair[side], 1)) for n, pair in enumerate(pairs)])
        for side, name in enumerate(("long", "short"))
    }


def test_a_difference_is_known_when_it_is_however_far_both_move() -> None:
    """A splitting of 8.0 of two wavelengths that fall by 2 together, and of two that fall apart by 0.2 of 1550."""
    pair = Pair(
        "long", "short", lambda one, other: one.value - other.value, lambda found: 0.0125 * abs(found)
    )
    aim = (Demand(0.005, pair=pair),)
    together = _wavelengths((1560.0, 1552.0), (1558.0, 1550.01))
    apart = _wavelengths((1560.0, 1552.0), (1559.9, 1552.1))
    for name in ("long", "short"):
        assert worst(joined(aim, together), together[name])[0] < 1 < worst(within(1e-4), together[name])[0]
        assert worst(within(0.005), apart[name])[0] < 1 < worst(joined(aim, apart), apart[name])[0]
        assert missed(joined(aim, together), together[name]) is not None


def test_each_of_a_pair_on_grids_of_its_own_has_half_of_what_is_good_enough() -> None:
    pair = Pair(
        "long", "short", lambda one, other: one.value - other.value, lambda found: 0.0125 * abs(found)
    )
    finest = {"long": Scalar(1560.0, 1), "short": Scalar(1552.0, 1)}
    own = Demand(0.005, pair=pair).apart("long", finest)
    assert own.share == pytest.approx(0.0125 * 8 / 2 / 1560, rel=1e-6) and own.pair is None
    alone = Demand(0.005, pair=pair).apart("long", {"long": finest["long"]})
    assert alone.share == 0.005


def test_variants_that_were_not_solved_alike_make_no_pair() -> None:
    found = _wavelengths((1560.0, 1552.0), (1558.0, 1550.0))
    found["short"].rungs.pop()
    aim = (Demand(0.005, pair=Pair("long", "short", lambda one, other: 0.0, abs)),)
    assert joined(aim, found) == aim and joined(aim, found)[0].both is None


@pytest.mark.parametrize(
    ("feature", "x_unit", "places"),
    [
        ({"kind": "value_at", "at": (450.0,)}, "nm", (0.45,)),
        ({"kind": "value_at", "at": (0.45,)}, "um", (0.45,)),
        (
            {
                "kind": "ratio",
                "of": ({"kind": "value_at", "at": (450,)}, {"kind": "value_at", "at": (500,)}),
            },
            "nm",
            (0.45, 0.5),
        ),
        ({"kind": "value", "extremum": "maximum"}, "nm", ()),
    ],
)
def test_a_sweep_is_asked_for_the_places_at_which_its_numbers_are(
    feature: dict[str, Any], x_unit: str, places: tuple[float, ...]
) -> None:
    """In its parameter's own unit: a number quoted at 450 nm was read between two points."""
    code = FILM.replace(
        "band=Wavelengths(shortest=p.shortest, longest=p.longest)", "band=Line(wavelength=p.at)"
    )
    code = code.replace(
        "        quantities",
        '        sweeps=(Sweep(id="S", of="R", parameter="t", low=p.low, high=p.high, answers=("height",)),),\n        quantities',
    )
    at = {"id": "at", "value": 700, "unit": "nm", "origin": "assumption", "assumption_id": "A1"}
    ends = [
        {"id": name, "value": value, "unit": "nm", "origin": "numerical"}
        for name, value in (("low", 400), ("high", 800))
    ]
    code, given_ = code % "", [*PARAMETERS[:2], at, *ends]
    found = from_document(document(described(code, given_)), declared(given_), code)
    target = _target("height", 0.36)
    reference = target.reference.model_copy(update={"feature": CurveFeature.model_validate(feature)})
    target = target.model_copy(update={"reference": reference, "x_unit": x_unit})
    assert _asked_at(found, "S", target, lengths_of(found.parameters, (), [target])) == pytest.approx(places)
    assert _asked_at(found, "R", target, lengths_of(found.parameters, (), [target])) == ()


def test_two_numbers_that_make_none_are_known_apart() -> None:
    """A ratio of an attenuation in dB and one without stopped the answer of the agent that had described them."""

    def made(one: Any, other: Any) -> float:
        raise ValueError("unit 'c/um' cannot be converted to 'dB/um'")

    pair = Pair("one", "other", made, lambda number: 0.01)
    known = {name: Variants([(20.0, Scalar(1.0)), (30.0, Scalar(1.1))]) for name in ("one", "other")}
    demand = Demand(0.01, pair=pair)
    assert pair.variants(known) is None and pair.share(Scalar(1.0), Scalar(2.0), "one") is None
    assert demand.joined(known) == demand and worst((demand,), known["one"])[0] > 1
    assert demand.apart("one", {"one": Scalar(1.0), "other": Scalar(2.0)}) is demand
