"""The verification dossier: its page says what its data say, its cases are those that were drawn, its exact values have a second theory."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from benchmarks.dossier.__main__ import FAMILIES
from benchmarks.dossier.dossier_page import (
    DATA,
    PAGE,
    Dossier,
    failures,
    gaps,
    measured,
    page,
    read_dossier,
    summary,
)
from benchmarks.dossier.drawing_cases import FIXED_SEED, HALVES, Case, Family, cases, drawn
from benchmarks.dossier.judged_cases import beside, from_kept, judged
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.oracles import oracle

pytestmark = pytest.mark.unit
KEPT = read_dossier(DATA.read_text(encoding="utf-8"))
BY_NAME = {family.name: family for family in FAMILIES}
SHARED = {  # ReproLab has the same expansion: there the second theory shares code, and is settled to so much
    "grating, E along the bars": 2e-3,
    "grating, E across the bars": 2e-3,
    "grating, oblique": 2e-3,
    "lattice of rods": 1e-3,
}


def test_the_page_says_what_its_data_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(KEPT, FAMILIES), "run: make dossier"
    assert KEPT.written() == DATA.read_text(encoding="utf-8")


def test_every_case_is_the_one_that_its_seed_draws_and_none_is_left_out() -> None:
    """Nobody chose a case, and none that was solved is missing: those before it in the order are all there."""
    every = cases(FAMILIES, {"fixed": FIXED_SEED, "drawn": KEPT.seeds[-1]})
    names = [(one.family.name, one.half, one.number, one.seed, one.told()) for one in every]
    kept = [(e["family"], e["half"], e["number"], e["seed"], e["told"]) for e in KEPT.entries]
    assert kept == names[: len(kept)]
    assert len(every) >= 150 and {one.family.scene for one in every} == {
        "unit cell",
        "scatterer",
        "emitter",
        "resonator",
        "crystal",
        "waveguide",
        "device",
    }


def test_two_halves_of_a_family_are_drawn_apart_and_again_alike() -> None:
    for family in (one for one in FAMILIES if one.more is None):
        one, other, again = (drawn(family, "fixed", 0, seed) for seed in (1, 2, 1))
        assert one.key == again.key != other.key or len(family.ranges) == 1


def test_every_guide_that_is_drawn_has_the_second_mode_that_is_counted() -> None:
    for seed in range(60):
        p = drawn(BY_NAME["slab guide, two modes"], "fixed", 0, seed).base
        assert 2 * p["width"] * np.sqrt(p["n"] ** 2 - p["outside"] ** 2) > p["wavelength"]


def _entry(**changed: Any) -> dict[str, Any]:
    case = drawn(BY_NAME["slab guide, two modes"], "fixed", 0, 1)
    exact = [case.family.exact(case.base, case.words, name, None)[0] for name in ("n1", "n2")]  # type: ignore[misc]
    raw = [
        {
            "id": "n1",
            "kind": "effective_index",
            "status": "converged",
            "gap": "",
            "y": [exact[0] + 2e-4],
            "u": [1e-3],
        },
        {
            "id": "n2",
            "kind": "effective_index",
            "status": "converged",
            "gap": "",
            "y": [exact[1] + 4e-3],
            "u": [1e-3],
        },
        {"id": "ng", "kind": "group_index", "status": "no value", "gap": "cut off", "y": [], "u": []},
    ]
    raw = [{**one, "x": None, "grids": [20.0, 30.0], "order": None, "formal": 2.0} for one in raw]
    head = {
        "family": case.family.name,
        "half": "fixed",
        "number": 0,
        "seed": 1,
        "key": case.key,
        "told": case.told(),
        "refused": "",
        "cpu_s": 1.0,
        "meep": "1",
    }
    values = [vars(one) for one in judged(case, {"raw": raw})]
    return {**head, "values": values, **changed}


def test_what_fails_is_first_and_what_has_no_value_counts_as_missed() -> None:
    entry = _entry()
    found = Dossier("here", 60.0, (1,), (entry, _entry(number=1, values=[], refused="InputError: no")))
    n1, n2, ng = from_kept(entry)
    assert (n1.within, n2.within, ng.within) == (True, False, False)
    assert n1.ratio == pytest.approx(0.2) and n2.ratio == pytest.approx(4.0) and ng.ratio is None
    counted = measured([n1, n2, ng], refused=1)
    assert (counted.count, counted.stated, counted.within, counted.far) == (4, 2, 1, 1) and not found.met
    text = page(found, FAMILIES)
    assert text.index("## Failures") < text.index("## Gaps") < text.index("## In all")
    assert "n2 (effective_index)" in failures(found) and "n1 (" not in failures(found)
    assert "ng no value: cut off" in gaps(found, FAMILIES) and "refused: InputError: no" in gaps(
        found, FAMILIES
    )
    assert "1 of 4, 25.0 %" in summary(found, FAMILIES) and "not solved when this page was written" in text


def test_a_curve_is_held_at_nineteen_of_twenty_points_and_what_has_no_uncertainty_is_not() -> None:
    x, y = np.arange(20.0), np.ones(20)
    u, exact = np.full(20, 0.1), np.ones(20)
    exact[3] = 1.35
    one = beside(x, y, u, exact, 0.0, "reflectance")
    assert (one["points"], one["held"], one["far"], one["at"]) == (20, 19, 1, 3.0) and one[
        "ratio"
    ] == pytest.approx(3.5)
    assert beside(x, y, u, exact, 0.3, "reflectance")["held"] == 20  # what the theory itself leaves open
    assert beside(None, np.array([1.0]), np.array([np.nan]), np.array([1.0]), 0.0, "x")["ratio"] is None
    turned = beside(x, y, u, np.ones(20) - 4 * np.pi, 0.0, "phase")
    assert turned["held"] == 20 and turned["error"] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    "family", [one for one in FAMILIES if one.exact is not None], ids=lambda one: one.name
)
def test_two_theories_written_apart_agree_on_what_is_drawn(family: Family) -> None:
    """What the dossier computes from the numbers alone, beside what reads the scene: a mistake in either, or in the description, shows."""
    case = drawn(family, "fixed", 0, random.Random(family.name).randrange(1000))
    problem = _resolved(case)
    scene = problem.scenes[0]
    for quantity in problem.quantities:
        x = None
        if quantity.curve:
            ends = (
                (0, 2 * np.pi)
                if quantity.type in ("far_field", "radiation_pattern")
                else scene.band.frequencies()
            )
            x = np.unique(np.linspace(*ends, 5))
        found = oracle(scene, quantity, {}, x)
        if found is None:
            continue
        y = np.atleast_1d(getattr(found[1], "value", getattr(found[1], "y", None)))
        assert family.exact is not None
        exact, own = family.exact(case.base, case.words, quantity.id, x)
        told = beside(x, y, np.full(y.shape, 1.0), np.atleast_1d(exact), own, quantity.type)
        assert told["error"] < SHARED.get(family.name, 1e-6), (case.told(), quantity.id, y, exact)


def _resolved(case: Case) -> Any:
    entries = [dict(one) for one in case.entries]
    return from_document(document(described(case.code, entries)), declared(entries), case.code).resolved()


def test_ranges_are_kept_and_no_range_is_a_single_number_by_mistake() -> None:
    for family in FAMILIES:
        assert family.count >= 1 and HALVES == ("fixed", "drawn")
        for name, one in family.ranges.items():
            values = {one.drawn(random.Random(seed)) for seed in range(40)}
            assert all(one.low - 1e-9 <= value <= one.high + 1e-9 for value in values)
            assert one.view or one.count or len(values) > 3, (family.name, name)
