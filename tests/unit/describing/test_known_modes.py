"""Modes that one grid showed: another starts from them, and looks anew where they are not."""

from __future__ import annotations

import pytest

from simkit import arrange as arranging
from simkit.arrange import Numerics, arrange, known_after
from simkit.arrange.modes import KnownMode, Mode
from tasks.reproduce.measuring import NotMeasured, measure
from tasks.reproduce.solving.varying import scene_values
from tests.unit.describing.test_described_resonator import WATCHED, Kept, made, recorded, seen

pytestmark = pytest.mark.unit


def test_another_grid_starts_from_the_mode_that_is_known_and_surveys_only_where_it_is_not_found() -> None:
    """The survey was repeated at every rung of the ladder and for every variant."""
    problem = made({"type": "quality_factor", "id": "q"})
    scene, quantities = problem.scenes[0], problem.quantities
    first = scene_values(
        scene, quantities, Numerics(10.0), {}, Kept(seen((0.1182, 74.0, 1.0)), seen((0.1183, 77.3, 1.0)))
    )  # type: ignore[arg-type]
    (known,) = first.known
    assert (known["q"][0].frequency, known["q"][0].q) == (0.1183, 77.3)

    finer = Kept(seen((0.1184, 77.1, 1.0)))
    outcome = scene_values(scene, quantities, Numerics(14.0), {}, finer, known)  # type: ignore[arg-type]
    assert list(outcome.raw) == ["mode_0"] and outcome.values["q"].value == 77.1  # type: ignore[union-attr]
    run = outcome.arrangement.runs["mode_0"]  # type: ignore[union-attr]
    assert (run.resolution, run.sources[0].frequency) == (14.0, 0.1183) and outcome.known[0]["q"][
        0
    ].frequency == 0.1184

    moved = Kept(
        seen((0.131, 80.0, 1.0)), seen((0.131, 80.0, 1.0)), seen((0.131, 81.0, 1.0))
    )  # beyond a per cent: surveyed
    outcome = scene_values(scene, quantities, Numerics(14.0), {}, moved, known)  # type: ignore[arg-type]
    assert list(outcome.raw) == ["survey_0", "mode_0"] and outcome.values["q"].value == 81.0  # type: ignore[union-attr]


def test_fields_recorded_beside_their_line_are_not_used() -> None:
    problem = made(*WATCHED, m=3)
    known = {q.id: (Mode(0.1182, 400.0, 1.0, 1e-6, (0.0, 0.0), 3), 0.02) for q in problem.quantities}
    alone = arrange(problem.scenes[0], problem.quantities, Numerics(10.0), {}, known)
    assert list(alone.runs) == ["mode_0"]
    raw = {"mode_0": seen((0.1183, 400.0, 1.0)) | recorded(0.0)}  # a third of a line width away
    with pytest.raises(NotMeasured, match="its fields were recorded at 0.1182"):
        measure(problem.scenes[0], problem.quantities[1], alone, raw)
    raw = {"mode_0": seen((0.11822, 400.0, 1.0)) | recorded(0.0)}
    assert measure(problem.scenes[0], problem.quantities[1], alone, raw).axis == "position"  # type: ignore[union-attr]


def test_no_run_of_a_resonator_depends_on_the_decay() -> None:
    """A ring-down ends after a time: the variant of the decay solved everything again for nothing."""
    problem = made()
    one, other = (
        arrange(problem.scenes[0], problem.quantities, Numerics(10.0, decay=d), {}) for d in (1e-9, 1e-10)
    )
    assert one.runs["survey_0"].digest() == other.runs["survey_0"].digest()


def test_a_variant_with_a_moved_parameter_starts_from_the_known_mode_where_it_cannot_be_mistaken() -> None:
    """Every sensitivity and moved parameter surveyed the modes from scratch."""
    problem = made({"type": "quality_factor", "id": "q"})
    scene, quantities = problem.scenes[0], problem.quantities
    known = {"q": KnownMode(Mode(0.1182, 77.3, 1.0, 1e-6, (0.0, 0.0), 3), 0.01)}
    start = known_after(scene, known, 0.05)
    assert start["q"].reach == 1.25 * 0.05 and known_after(scene, known, 0.003)["q"].reach == 0.01
    assert not known_after(scene, known, 0.08)  # a neighbour could be nearer than that

    found = Kept(seen((0.1232, 74.0, 1.0)))  # four per cent away, alone
    outcome = scene_values(scene, quantities, Numerics(10.0), {}, found, start)  # type: ignore[arg-type]
    assert list(outcome.raw) == ["mode_0"] and outcome.values["q"].value == 74.0  # type: ignore[union-attr]
    assert outcome.known[0]["q"][0].frequency == 0.1232

    two = seen((0.1232, 74.0, 1.0), (0.1150, 30.0, 0.9))  # which of them? surveyed
    outcome = scene_values(
        scene, quantities, Numerics(10.0), {}, Kept(two, seen((0.1232, 74.0, 1.0)), two), start
    )  # type: ignore[arg-type]
    assert "survey_0" in outcome.raw


def test_what_a_kind_of_scene_adds_is_its_own() -> None:
    """A module that imported a function called like such an addition was asked for it: every emitter and device failed."""
    for kind, module in arranging._ARRANGED.items():
        for name in ("found", "known_after", "refined", "needs", "arrange"):
            if hasattr(module, name):
                assert getattr(module, name).__module__ == module.__name__, (
                    f"{name} of {kind} is {getattr(module, name)}"
                )
