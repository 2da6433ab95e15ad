"""What inspection sees in a described problem before anything runs, with objects by name."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from flows.reproduce.designing import describing
from schemas.reproduce.planning.parameters import ExtractedParameter
from simkit.describe.__main__ import described
from simkit.describe.document import document
from simkit.runs import Layer, Monitor, Run, Source, Stop
from tasks.reproduce.describing.in_sandbox import Description, declared, from_document
from tasks.reproduce.describing.lint import lint
from tasks.reproduce.solving.groups import groups_of
from tasks.reproduce.solving.run_cost import dft_values, foresee
from tests.unit.agents.agents_fixture import FILM as FILM_STAGE
from tests.unit.agents.agents_fixture import LATE, PLAN
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.unit
GRATING = """from simkit.describe import *
def describe(p):
    bar = Bar(medium={bar}, x=(-p.w / 2, p.w / 2))
    cell = UnitCell(id="grating", below=vacuum(), above=Medium(index=p.n), light_from="below", polarization="y",
                    layers=(Film(medium={film}, thickness=p.t, pattern=(bar,)),), period=(p.period,),
                    band=Wavelengths(shortest=p.shortest, longest=p.longest))
    return Problem(scenes=(cell,), quantities=(Transmittance(id="T", scene="grating"),))
"""
MORE = [
    *FILM,
    {"id": "w", "value": 300, "unit": "nm", "origin": "assumption", "assumption_id": "A2"},
    {"id": "period", "value": 600, "unit": "nm", "origin": "assumption", "assumption_id": "A3"},
]
GOLD = {
    "gold": {
        "page": "main/Au/Johnson",
        "band_um": [0.55, 0.9],
        "eps_inf": 5.0,
        "rms_relative_error": 0.02,
        "poles": [{"kind": "drude", "f0": 1.0, "gamma": 0.06, "sigma": 50.0}],
    }
}


GUIDE = """from simkit.describe import *
def describe(p):
    core = Block(id="core", medium=Medium(index={core}), y=(-p.w / 2, p.w / 2))
    guide = Waveguide(id="guide", dimensions="2D", bodies=(core,), background=Medium(index={around}), wavelength=p.period,
                      polarization="Ez")
    return Problem(scenes=(guide,), quantities=(EffectiveIndex(id="n_eff", scene="guide"),){sweeps})
"""
OVER_N = ", sweeps=(Sweep(id='over', of='n_eff', parameter='w', low=p.t, high=p.w),)"


def _made(code: str, entries: list[dict[str, Any]]) -> Description:
    return from_document(document(described(code, entries)), declared(entries), code)


def _found(code: str, entries: list[dict[str, Any]], materials: dict[str, Any] | None = None) -> list[str]:
    return [f"{f.level}: {f.where}: {f.text}" for f in lint(_made(code, entries), materials or {})]


def _with(**values: float) -> list[dict[str, Any]]:
    return [{**entry, "value": values.get(entry["id"], entry["value"])} for entry in MORE]


def _grating(bar: str = "Medium(index=p.n)", film: str = "vacuum()") -> str:
    return GRATING.format(bar=bar, film=film)


@pytest.mark.parametrize("sweeps", ["", OVER_N], ids=["alone", "swept"])
def test_a_guide_that_guides_nothing_is_refused_before_it_is_solved(sweeps: str) -> None:
    told = "error: guide: waveguide guide guides nothing: its densest medium"
    exchanged = GUIDE.format(core="1", around="p.n", sweeps=sweeps)
    assert any(line.startswith(told) for line in _found(exchanged, MORE))
    honest = GUIDE.format(core="p.n", around="1", sweeps=sweeps)
    assert not [line for line in _found(honest, MORE) if line.startswith("error")]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            ("below=vacuum()", "below=Material('gold')"),
            "error: film.below: light comes from below, out of a metal",
        ),
        (
            ("above=vacuum()", "above=Material('gold')"),
            "error: film.above: T: transmitted into above, a metal",
        ),
        (("above=vacuum()", "above=Medium(index=p.n)"), ""),
        (("Transmittance", "Absorptance"), ""),
    ],
)
def test_light_out_of_a_metal_or_into_one_is_refused(change: tuple[str, str], told: str) -> None:
    code = CODE.replace("above=vacuum()", "above=Material('gold')") if change[1] == "Absorptance" else CODE
    found = [line for line in _found(code.replace(*change), FILM, GOLD) if "metal (index" in line]
    assert [line[: len(told)] for line in found] == ([told] if told else [])


def test_a_sound_film_has_no_errors_or_warnings() -> None:
    assert not [line for line in _found(CODE, FILM) if not line.startswith("note")]


@pytest.mark.parametrize(
    ("code", "entries", "materials", "told"),
    [
        (
            _grating(),
            _with(w=700),
            {},
            "error: grating layers[0] bar[0]: 0.7 wide along x, but the period is 0.6",
        ),
        (_grating("Medium(index=1)"), MORE, {}, "same medium as its layer"),
        (_grating("Material('gold')"), MORE, {}, "'gold' is not confirmed; confirmed: none"),
        (
            _grating("Material('gold')"),
            MORE,
            GOLD,
            "gold was fitted for 0.55 to 0.9 um, the scene's light covers 0.5 to 0.8",
        ),
        (CODE, MORE, {}, "warning: parameter period: nothing depends on it"),
        (
            CODE.replace("thickness=p.t", "thickness=p.t + p.t / 2 / 2 / 2 / 2 + p.t / 2 / 2 / 2 / 2 / 2"),
            FILM,
            {},
            "long or odd arithmetic",
        ),
        (
            _grating(),
            MORE,
            {},
            "note: grating: diffraction orders open within the band, with sharp features there: below 1 near",
        ),
    ],
)
def test_what_cannot_be_right_is_named(
    code: str, entries: list[dict[str, Any]], materials: dict[str, Any], told: str
) -> None:
    lines = _found(code, entries, materials)
    assert any(told in line for line in lines), lines


MIRROR = """from simkit.describe import *
def describe(p):
    slab = Resonator(id="slab", dimensions="2D", field="Ez", background=vacuum(), periodic=[Periodic(axis="y")],
                     bodies=[Block(id="mirror", medium=PerfectConductor(), x=(-inf, 0)),
                             Block(id="glass", medium=Medium(index=p.n), x=({start}, p.t))],
                     search=Wavelengths(shortest=p.shortest, longest=p.longest))
    return Problem(scenes=[slab], quantities=[QualityFactor(id="Q", scene="slab")])
"""


def test_neither_what_lies_on_an_ideal_metal_nor_an_opening_in_it_is_an_error() -> None:
    for start in ("0", "-p.t"):
        assert not [line for line in _found(MIRROR.format(start=start), FILM) if line.startswith("error")]
    assert not [
        line for line in _found(_grating("vacuum()", "PerfectConductor()"), MORE) if line.startswith("error")
    ]


def test_gain_is_an_error() -> None:
    gain = {
        "gold": {
            **GOLD["gold"],
            "band_um": [0.4, 1.0],
            "poles": [{**GOLD["gold"]["poles"][0], "sigma": -5.0}],
        }
    }
    assert any(
        "gain" in line and line.startswith("error")
        for line in _found(_grating("Material('gold')"), MORE, gain)
    )


def test_cost_is_foreseen_from_pixels_steps_and_monitors() -> None:
    from simkit.arrange import Numerics, arrange

    costs = []
    for code, entries in ((CODE, FILM), (_grating(), MORE)):
        group = groups_of(_made(code, entries), {})[0]
        problem = group.description.resolved()
        for resolution in (50.0, 100.0):
            made = arrange(group.scene(problem), group.quantities(problem), Numerics(resolution), {})
            costs.append(foresee(made.runs["structure"]))
    assert costs[1].pixels == pytest.approx(2 * costs[0].pixels, rel=0.1)
    assert (
        costs[3].pixels == pytest.approx(4 * costs[2].pixels, rel=0.1)
        and costs[3].steps > 1.9 * costs[2].steps
    )
    assert all(cost.cpu_s < cost.most_cpu_s for cost in costs)


def test_what_monitors_cost_is_counted_on_the_faces_of_boxes() -> None:
    """A box was counted as all that is in it: a memory of 365 MB was foreseen for a cylinder that needed 1."""
    run = Run(
        "2D",
        (4.0, 4.0, 0.0),
        50.0,
        (Layer("pml", "x", 0.5), Layer("pml", "y", 0.5)),
        (),
        (Source("current", "Ez", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, 0.5),),
        {},
        Stop("settled", 1e-9, 100.0, 4.0),
    )
    box = Monitor("flux_box", (0.0, 0.0, 0.0), (2.0, 1.0, 0.0), (0.9, 1.0, 1.1))
    line = Monitor("fields", (0.0, 0.0, 0.0), (0.0, 2.0, 0.0), (1.0,), components=("Ez",))
    assert dft_values(replace(run, monitors={"box": box})) == 3 * 2 * (100 + 50) * 2
    assert dft_values(replace(run, monitors={"probe": replace(box, kind="resonances")})) == 0
    assert dft_values(replace(run, monitors={"line": line})) == 100
    dark, watched = foresee(run), foresee(replace(run, monitors={"box": box}))
    assert watched.cpu_s > dark.cpu_s and 0 < watched.memory_mb - dark.memory_mb < 1
    decayed = replace(run, stop=replace(run.stop, kind="decayed"))
    assert foresee(decayed).steps < dark.steps


def test_what_no_reader_can_act_on_is_one_line() -> None:
    """Orders that open one by one, and pixels that the harness chose, filled a designer's findings."""
    entries = [
        {**entry, "value": {"shortest": 100, "period": 571.4285714}.get(entry["id"], entry["value"])}
        for entry in MORE
    ]
    lines = _found(_grating(), entries)
    [orders] = [line for line in lines if "diffraction order" in line]
    assert "below 1 near 0.5714, 2 near 0.2857, 3 near 0.1905 and 2 more; above 2" in orders
    assert not [line for line in lines if "pixels along" in line or line.startswith("warning")], lines


def test_an_input_that_another_stage_uses_is_no_finding_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The paper's inputs of all stages stand in every description; the designer of one cannot use those of another."""

    def unused(elsewhere: set[str]) -> list[str]:
        return [f.where for f in lint(_made(CODE, MORE), {}, elsewhere) if "nothing depends on it" in f.text]

    assert unused(set()) == ["parameter w", "parameter period"] and unused({"period"}) == ["parameter w"]

    inputs = tuple(
        ExtractedParameter(name=name, value="300", unit="nm", role="input", quotation="300 nm", place="text")
        for name in ("t", "w", "period")
    )
    run: Any = SimpleNamespace(
        designs={},
        state=SimpleNamespace(
            plan=PLAN.model_copy(
                update={"stages": (*PLAN.stages, LATE.model_copy(update={"stage_id": "stage3"}))}
            ),
            extracted_parameters=inputs,
        ),
    )
    assert describing.used_elsewhere(run, FILM_STAGE) == {
        "t",
        "w",
        "period",
    }  # the others have no description yet
    run.designs = dict.fromkeys(("stage2", "stage3"), SimpleNamespace(described=True))
    monkeypatch.setattr(describing, "described", lambda run, design: _made(_grating(), MORE))
    assert describing.used_elsewhere(run, FILM_STAGE) == {"t", "w", "period"}
    monkeypatch.setattr(describing, "described", lambda run, design: _made(CODE, MORE))
    assert describing.used_elsewhere(run, FILM_STAGE) == {
        "t"
    }  # period and w are used by no stage: now it is a finding


def test_what_the_plan_gives_the_stage_and_nothing_is_made_of_is_told() -> None:
    """A substrate left out, another material taken; a constant that is written as an index, or is that of vacuum, is there."""
    materials = {
        "gold": SimpleNamespace(index=None),
        "film": SimpleNamespace(index=1.5),
        "air": SimpleNamespace(index=1.0),
    }
    run: Any = SimpleNamespace(materials=lambda: materials)
    stage: Any = SimpleNamespace(materials=("gold", "film", "air"))

    def told(code: str) -> list[str]:
        return [issue.description for issue in describing._without_material(run, stage, _made(code, FILM))]

    assert told(CODE) == ["'gold' is a material of this stage, and nothing described is made of it"]
    assert told(CODE.replace("above=vacuum()", "above=Material('gold')")) == []
    stage.materials = ()
    assert told(CODE) == []


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("a film of thickness t with a period of its own", {"t", "period"}),
        ("a film, from shortest_wavelength on", set()),
        ("periods and widths are those of the stage before", set()),
    ],
)
def test_lengths_that_the_stage_names_are_missed_although_another_stage_uses_them(
    words: str, named: set[str]
) -> None:
    inputs = tuple(
        ExtractedParameter(name=name, value="300", unit="nm", role="input", quotation="300 nm", place="text")
        for name in ("t", "period", "shortest_wavelength")
    )
    run: Any = SimpleNamespace(state=SimpleNamespace(extracted_parameters=inputs))
    assert describing._named(run, FILM_STAGE.model_copy(update={"description": words})) == named


def test_arithmetic_of_one_shape_is_told_once() -> None:
    """A staircase of sixteen layers gave 97 findings that hid all others, of fifty layers 300."""
    stairs = GRATING.replace(
        "    cell =",
        "    n = p.count('slices')\n"
        "    stairs = [Film(medium=vacuum(), thickness=p.t / n, pattern=(Bar(medium=vacuum(), "
        "x=(-p.w / 2 * (i + 1) / n / 2 / 2 / 2, p.w / 2 * (i + 1) / n / 2 / 2 / 2)),)) for i in range(n)]\n    cell =",
    ).replace("layers=(Film(medium={film}, thickness=p.t, pattern=(bar,)),)", "layers=stairs")
    count = {"id": "slices", "value": 16, "origin": "assumption", "assumption_id": "A4", "count": True}
    text = stairs.format(bar="vacuum()", film="vacuum()")
    found = [line for line in _found(text, [*MORE, count]) if "odd arithmetic" in line]
    assert 1 <= len(found) <= 5 and any("more of this shape" in line for line in found), found


CAP = """from simkit.describe import *
def describe(p):
    cap = Block(id="cap", medium=Medium(index=p.n), y=({low}, p.period + p.w))
    core = Block(id="core", medium=Medium(index=2), y=(0, p.period))
    guide = Waveguide(id="guide", dimensions="2D", bodies=(cap, core), background=vacuum(), wavelength=p.period, polarization="Ez")
    return Problem(scenes=(guide,), quantities=(EffectiveIndex(id="n_eff", scene="guide"),),
                   sweeps=(Sweep(id="over", of="n_eff", parameter="w", low={ends[0]}, high={ends[1]}),))
"""


@pytest.mark.parametrize(("ends", "which"), [(("p.t", "p.w"), "first"), (("p.w", "p.t"), "last")])
def test_a_sweep_from_a_thickness_of_nought_is_told_with_its_cure(ends: tuple[str, str], which: str) -> None:
    """The player read "block cap, y runs from 1.056 to 1.056; the smaller end comes first"."""
    refused = [
        one for one in _found(CAP.format(low="p.period", ends=ends), _with(t=0)) if "sweep over" in one
    ]
    (told,) = refused
    assert told.startswith(f"error: sweep over: its {which} point, w = 0 nm, cannot be drawn")
    assert "cap, y runs from 0.6 to 0.6: nothing of it is left" in told
    assert "Allowed: " in told and "Fix: let it begin above 0" in told
    # both cures hold
    drawn_from_inside = _found(CAP.format(low="p.period / 2", ends=ends), _with(t=0))
    above_nought = _found(CAP.format(low="p.period", ends=ends), _with(t=5))
    assert not [one for one in (*drawn_from_inside, *above_nought) if "cannot be drawn" in one]
