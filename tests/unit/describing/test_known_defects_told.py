"""Which known defects of a version of Meep a scene touches, and where it is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.reproduce import doctor
from schemas.reproduce.simulations.numerics import StudyResult
from simkit.arrange import Numerics, arrange, needs
from simkit.describe.__main__ import described
from simkit.describe.document import document
from simkit.runs import AnyRun, Layer, Monitor, Run, Source, Stop
from tasks.reproduce import meep_interpreter
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.describing.known_defects import KNOWN, concerning, touched, with_notes
from tasks.reproduce.describing.lint import lint
from tasks.reproduce.meep_interpreter import MeepInterpreter
from tests.sim.solving.test_known_defects import SCRIPTS
from tests.unit.describing import test_described_emitter as emitters
from tests.unit.describing import test_described_resonator as resonators
from tests.unit.describing.described_fixture import FILM

pytestmark = pytest.mark.unit
DEBIAN = "1.25.0"
versions = st.builds("{}.{}.{}".format, st.integers(0, 3), st.integers(0, 60), st.integers(0, 3))
odd = st.sampled_from(["", "unknown", "git-1.30", "v", "1", "١.٢٥.٠"])
places = st.tuples(st.floats(0, 2), st.just(0.0), st.floats(-1, 1))
runs = st.builds(
    Run,
    dimensions=st.sampled_from(["1D", "2D", "3D", "cylindrical"]),
    cell=st.just((2.0, 2.0, 2.0)),
    resolution=st.floats(5, 50),
    layers=st.lists(
        st.builds(Layer, st.sampled_from(["pml", "absorber"]), st.sampled_from("xyz"), st.floats(0.1, 1)),
        max_size=3,
    ).map(tuple),
    geometry=st.just(()),
    sources=st.lists(
        st.builds(
            Source,
            kind=st.just("current"),
            component=st.sampled_from(["Ex", "Ey", "Ez"]),
            center=places,
            size=st.just((0.0, 0.0, 0.0)),
            frequency=st.just(1.0),
            width=st.just(0.1),
        ),
        max_size=2,
    ).map(tuple),
    monitors=st.dictionaries(
        st.sampled_from("ab"),
        st.builds(
            Monitor,
            kind=st.sampled_from(["fields", "flux"]),
            center=places,
            size=st.sampled_from([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]),
            frequencies=st.just((1.0,)),
        ),
        max_size=2,
    ),
    stop=st.just(Stop("time", 1.0, 10.0, 0.0)),
    bloch=st.none() | st.tuples(st.sampled_from([0.0, 0.3]), st.just(0.0), st.sampled_from([0.0, 0.5])),
    mirrors=st.lists(st.tuples(st.sampled_from("xyz"), st.just(1)), max_size=2).map(tuple),
    m=st.integers(-3, 5).map(float),
)


def names(found: tuple[Any, ...]) -> set[str]:
    return {defect.name for defect in found}


def ran(scene: Any, quantities: Any, grid: float = 20.0) -> list[AnyRun]:
    return list(arrange(scene, quantities, Numerics(grid, samples=3), {}).runs.values())


def of_resonator(m: int, version: str, **more: Any) -> set[str]:
    found = resonators.made(bodies=[resonators.RING], m=m, **more)
    scene, quantities = found.scenes[0], found.quantities
    grid = needs(scene, {}, quantities).resolution
    return names(touched(ran(scene, quantities, grid), version))


@given(st.lists(runs, max_size=4), versions | odd)
def test_what_is_touched_is_of_the_version_and_of_one_of_the_runs(given_: list[Run], version: str) -> None:
    found = touched(given_, version)
    assert set(found) <= set(concerning(version))
    assert names(found) == {name for run in given_ for name in names(touched([run], version))}
    for defect in found:
        assert defect.name.startswith("cylinder") <= any(run.dimensions == "cylindrical" for run in given_)
        assert (defect.name == "bloch_mirror") <= any(run.mirrors and run.bloch for run in given_)


@given(runs, st.integers(2, 5))
def test_a_cell_without_an_axis_and_mirrors_touches_a_point_at_most(run: Run, m: int) -> None:
    flat = replace(run, dimensions="3D", mirrors=())
    assert names(touched([flat], "")) <= {"point_fields"}
    turned = replace(run, dimensions="cylindrical", m=float(m))
    assert "cylinder_high_order" in names(touched([turned], DEBIAN))
    assert "cylinder_high_order" not in names(touched([turned], "1.33.0"))


@given(versions)
def test_a_row_is_of_the_versions_from_its_first_to_before_its_last(version: str) -> None:
    number = tuple(map(int, version.split(".")))
    for defect in KNOWN:
        begun = not defect.since or number >= tuple(map(int, defect.since.split(".")))
        over = bool(defect.fixed) and number >= tuple(map(int, defect.fixed.split(".")))
        assert defect.concerns(version) is (begun and not over)
        assert defect.concerns(f"{version}-beta") is defect.concerns(version)


@given(odd)
def test_a_version_that_is_no_number_has_every_row(version: str) -> None:
    assert concerning(version) == KNOWN


def test_rows_differ_and_say_everything() -> None:
    assert len({defect.name for defect in KNOWN}) == len({defect.source for defect in KNOWN}) == len(KNOWN)
    assert all(
        (d.feature and d.consequence and d.here and d.reference.startswith("NanoComp/meep #")) for d in KNOWN
    )
    shown = {defect.name for defect in concerning(DEBIAN)}
    assert shown == set(SCRIPTS), "what Debian's Meep has is shown on it"


@given(m=st.integers(0, 40))
def test_a_ring_touches_what_is_wrong_near_the_axis_from_its_second_order_on(m: int) -> None:
    """Of a plane: no layer lies across the axis."""
    assert of_resonator(m, DEBIAN) == ({"cylinder_high_order"} if m >= 2 else set())
    assert of_resonator(m, "1.34.0") == set()


@given(height=st.floats(0.05, 0.8), orientation=st.sampled_from("xyz"), mirror=st.booleans())
def test_a_dipole_on_an_axis_of_rotation(height: float, orientation: str, mirror: bool) -> None:
    problem = emitters.made(
        bodies=[emitters.MIRROR]
        if mirror
        else [{**emitters.MIRROR, "medium": {"kind": "medium", "index": 2}}],
        position=[0, 0, height],
        orientation=orientation,
    )
    found = ran(problem.scenes[0], problem.quantities)
    assert all(isinstance(run, Run) and run.dimensions == "cylindrical" for run in found)
    upright = orientation == "z"
    across = {"cylinder_pml_on_axis", "cylinder_radial_current"}
    assert names(touched(found, DEBIAN)) == (set() if upright else across)
    assert names(touched(found, "1.27.0")) == (
        {"cylinder_pml_on_axis_zero"} if upright else {"cylinder_radial_current"}
    )


def test_lint_names_it_once_where_the_version_is_given() -> None:
    code = """from simkit.describe import *
def describe(p):
    disc = Cylinder(id="disc", medium=Medium(index=p.n), center=(0, 0, 0), radius=p.t)
    ring = Resonator(id="ring", dimensions="2D", field="Ez", bodies=(disc,), background=vacuum(), m=6,
                     search=Wavelengths(shortest=p.shortest, longest=p.longest))
    return Problem(scenes=(ring,), quantities=(QualityFactor(id="Q", scene="ring"),))
"""
    made = from_document(document(described(code, FILM)), declared(FILM), code)
    told = [f for f in lint(made, {}, meep_version=DEBIAN) if f.source.startswith("known defect")]
    assert [(f.level, f.where) for f in told] == [("note", "ring")] and "|m| of 2 or more" in told[0].text
    assert not [f for f in lint(made, {}) if f.source.startswith("known defect")]


@given(st.lists(runs, max_size=3), st.lists(runs, max_size=3))
def test_a_study_names_what_any_grid_touched(coarse: list[Run], fine: list[Run]) -> None:
    def outcome(found: list[Run]) -> Any:
        return SimpleNamespace(runs=dict(enumerate(found)))

    problem = SimpleNamespace()
    group = SimpleNamespace(
        description=SimpleNamespace(problem=problem), scene=lambda _: SimpleNamespace(id="s")
    )
    climb: Any = SimpleNamespace(group=group, coarse=outcome(coarse), outcomes=[("finer", outcome(fine))])
    study = StudyResult(digest="d", quantities=(), meep_version=DEBIAN)
    noted = with_notes(study, [climb, climb])
    assert [f.source for f in noted.findings] == [d.source for d in touched([*coarse, *fine], DEBIAN)]
    assert all(f.level == "note" and f.where == "s" for f in noted.findings)
    assert with_notes(noted, [climb]) is noted


@pytest.mark.parametrize("version", [DEBIAN, "1.28.0", "9.0.0"])
def test_doctor_names_the_rows_of_the_installed_version(
    version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = MeepInterpreter("/usr/bin/python3", "3.11.2", version, "/usr", (), ())
    monkeypatch.setattr(meep_interpreter, "find_meep", lambda _: installed)
    ((_, check),) = [pair for pair in doctor._checks(None, Path()) if pair[0] == "meep"]
    told = str(check())
    assert told.startswith(installed.described())
    for defect in KNOWN:
        assert (f"{defect.feature} ({defect.reference})" in told) is defect.concerns(version)
