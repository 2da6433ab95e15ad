"""A mode in time: what its ring-down is over, which decay it is, when it is not one mode's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit.arrange import Numerics, arrange
from simkit.arrange.modes import Mode
from tasks.reproduce.describing.recognising import _of_classes
from tasks.reproduce.measuring import Curve, NotMeasured, measure
from tasks.reproduce.oracles import oracle
from tests.unit.describing.test_described_resonator import both, made, seen

pytestmark = pytest.mark.unit
F, Q = 0.1182, 77.3
TRACE, DECAY = {"type": "ring_down", "id": "t", "duration": 200}, {"type": "decay_time", "id": "d"}


def ringing(q: float = Q, beside: float = 0.0, second: float = Q) -> dict[str, Any]:
    """Raw arrays of a mode at F: real fields of three probes with a second mode at 1.03 F of `beside` its size."""
    time = np.arange(0, 4000, 0.4)

    def field(quality: float) -> Any:
        return np.cos(2 * np.pi * F * time + 0.3) * np.exp(-np.pi * F * time / quality)

    other = beside * np.cos(2 * np.pi * 1.03 * F * time) * np.exp(-np.pi * F * time / Q)
    raw = {
        f"trace_probe_{n}_Ez/{key}": value
        for n, quality in enumerate((q, second, second))
        for key, value in (("time", time), ("value", (field(quality) + other).astype(complex)))
    }
    return seen((F, Q, 1.0)) | raw | {"stats/sources_end": np.array(300.0)}


def measured(raw: dict[str, Any], *quantities: dict[str, Any]) -> list[Any]:
    problem = made(*(quantities or (TRACE, DECAY)))
    arrangement, runs = both(problem, seen((F, Q, 1.0)), raw)
    return [measure(problem.scenes[0], quantity, arrangement, runs) for quantity in problem.quantities]


def test_energy_envelope_and_field_of_a_decaying_mode() -> None:
    energy, decay, envelope, field = measured(
        ringing(),
        TRACE,
        DECAY,
        {**TRACE, "id": "e", "what": "envelope"},
        {**TRACE, "id": "f", "what": "field", "duration": 20},
    )
    assert isinstance(energy, Curve) and energy.axis == "time" and (energy.x[0], energy.x[-1]) == (0, 200)
    lifetime = Q / (2 * np.pi * F)
    assert energy.y == pytest.approx(np.exp(-energy.x / lifetime), abs=1e-3)
    assert envelope.y == pytest.approx(np.sqrt(energy.y), abs=1e-9)
    assert field.y == pytest.approx(
        np.cos(2 * np.pi * F * field.x) * np.exp(-field.x / (2 * lifetime)), abs=2e-3
    )
    assert decay.value == pytest.approx(lifetime, rel=1e-3) and decay.power == 1


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (ringing(q=60.0, second=60.0), "not the decay of one mode"),
        (ringing(second=50.0), "at another place"),
        (ringing(beside=0.3), "not the decay of one mode"),
    ],
)
def test_a_decay_that_is_not_that_of_the_mode_s_q_is_refused(raw: dict[str, Any], words: str) -> None:
    with pytest.raises(NotMeasured, match=words):
        measured(raw, TRACE)
    with pytest.raises(NotMeasured):
        measured(raw, DECAY)


def test_the_record_is_long_enough_for_the_trace_and_other_runs_are_as_before() -> None:
    known = {"t": (Mode(F, Q, 1.0, 1e-6, (0.0, 0.0), 3), 0.02)}
    problem = made({**TRACE, "duration": 9000})
    run = arrange(problem.scenes[0], problem.quantities, Numerics(10.0), {}, known).runs["mode_0"]
    assert 0.9 * run.stop.max_time >= 9000 + 4 / F
    assert {m.kind for m in run.monitors.values()} == {"resonances", "ringdown"}
    plain = made({"type": "quality_factor", "id": "t"})
    run = arrange(plain.scenes[0], plain.quantities, Numerics(10.0), {}, known).runs["mode_0"]
    assert {m.kind for m in run.monitors.values()} == {"resonances"}


def test_theory_is_beside_it_and_q_over_omega_is_no_new_quantity() -> None:
    problem = made(
        TRACE,
        DECAY,
        {"type": "quality_factor", "id": "q"},
        {"type": "resonance_frequency", "id": "f"},
        m=3,
        search={"type": "frequencies", "lowest": 0.115, "highest": 0.122},
    )
    trace, decay, q, f = (oracle(problem.scenes[0], quantity, {})[1] for quantity in problem.quantities)  # type: ignore[index]
    assert decay.value == pytest.approx(q.value / (2 * np.pi * f.value), rel=1e-9)  # type: ignore[union-attr]
    assert trace.y[-1] == pytest.approx(np.exp(-200 / decay.value), rel=1e-9)  # type: ignore[union-attr]
    known = _of_classes(problem.quantities[2:], [q, f])
    assert known["DecayTime"].value == pytest.approx(decay.value)  # type: ignore[union-attr]
