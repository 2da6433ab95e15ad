"""A value is told for a pixel of no size only where its steps from grid to grid have shrunk all along, and are small."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.judging.comparison import ComparisonRecord
from tasks.reproduce.evidence.convergence import OF_A_CURVE, OF_A_NUMBER, SMALL, extrapolated, shrinking
from tasks.reproduce.judging.standing import failed_before
from tests.unit.evidence.evidence_fixture import Run, scalar_target

pytestmark = pytest.mark.unit
# A dipole's power at one wavelength beside a disc with a line of Q = 237, which each grid moves across that wavelength. Exact: 11.73.
GRIDS, POWERS = (17.2414, 24.1379, 36.2069, 72.4138), (1.5787, 4.1725, 8.3609, 11.5472)


@pytest.mark.parametrize("fewest", [OF_A_CURVE, OF_A_NUMBER])
def test_a_value_on_a_line_that_moves_across_it_is_not_extrapolated(fewest: int) -> None:
    """13.2 within 7 % was told, and a true paper failed by it."""
    assert extrapolated(GRIDS, np.array(POWERS)[:, None], fewest) is None


def test_what_is_not_converged_refutes_only_what_it_cannot_reach(tmp_path: Path) -> None:
    for reference, expected in ((7.5, "FAILURE"), (9.5, "PARTIAL")):
        run = Run(tmp_path / expected)
        for scale, value in zip(GRIDS, POWERS, strict=True):
            run.scalar(value, scale=scale)
        found = run.judge(scalar_target(value=reference, quantity="efficiency", unit="1"))
        assert found.error is not None and found.uncertainty is not None and not found.converged
        assert found.classification == expected and found.beyond == (expected == "PARTIAL")
        assert any("refutes nothing" in why for why in found.reasons) == found.beyond
    run = Run(tmp_path / "one")  # a short budget is no way out of a failure
    run.scalar(POWERS[0])
    found = run.judge(scalar_target(value=9.5, quantity="efficiency", unit="1"))
    assert found.classification == "FAILURE" and not found.beyond


def _record(**changed: object) -> ComparisonRecord:
    told = {
        "target_id": "t",
        "figure_id": "f",
        "stage_id": "s",
        "plan_round": 1,
        "role": "claim",
        "classification": "PARTIAL",
    }
    return ComparisonRecord.model_validate({**told, **changed})


def test_a_disagreement_that_was_not_converged_is_not_forgotten() -> None:
    """A cheap look at two coarse grids, and another until one agrees."""
    coarse, fine = _record(beyond=True), _record(classification="SUCCESS")
    assert failed_before((coarse,), {"t": "PARTIAL"}) == ()  # it stands
    assert failed_before((coarse, fine), {"t": "SUCCESS"}) == (coarse,)
    assert failed_before((_record(), fine), {"t": "SUCCESS"}) == ()


@given(
    limit=st.floats(0.5, 2),
    error=st.floats(0.001, 0.05),
    order=st.floats(1, 2),
    ratio=st.floats(1.3, 2),
    grids=st.integers(3, 6),
)
def test_a_regular_sequence_of_small_steps_is(
    limit: float, error: float, order: float, ratio: float, grids: int
) -> None:
    scales = ratio ** np.arange(grids)
    table = (limit + error * scales**-order)[:, None]
    found = extrapolated(scales.tolist(), table, OF_A_CURVE)
    assert shrinking(scales.tolist(), table) and found is not None
    assert found.values[0] == pytest.approx(limit, abs=1e-9 + 1e-6 * error)


@given(steps=st.lists(st.floats(1e-6, 1), min_size=2, max_size=5), ratio=st.floats(1.3, 2))
def test_none_is_extrapolated_whose_step_grew_or_is_large(steps: list[float], ratio: float) -> None:
    table = np.cumsum([1.0, *steps])[:, None]
    scales = (ratio ** np.arange(len(table))).tolist()
    grew = any(later > before for before, later in zip(steps, steps[1:], strict=False))
    if grew or steps[-1] > SMALL * table[-1, 0]:
        assert extrapolated(scales, table, OF_A_CURVE) is None


def test_of_values_on_moving_lines_few_are_extrapolated_wrongly() -> None:
    """Peaks, dips and flanks at one wavelength, any shift and width: what is told holds the exact value nine times in ten."""
    rng = np.random.default_rng(7)
    held = []
    for _ in range(2000):
        scales = rng.uniform(1.3, 2.0) ** np.arange(4)
        order, detuned = rng.choice([1.0, 2.0]), rng.choice([0.0, rng.uniform(-1.5, 1.5)])
        shift = 10 ** rng.uniform(-1, 1.3) * scales**-order + detuned

        def seen(kind: int, s: np.ndarray | float) -> np.ndarray:
            return np.asarray((1 / (1 + s**2), s**2 / (1 + s**2), 0.5 + s / (1 + s**2) / 2)[kind])

        kind = int(rng.integers(3))
        found = extrapolated(scales.tolist(), seen(kind, shift)[:, None], OF_A_NUMBER, order)
        if found is not None:
            held.append(abs(float(found.values[0] - seen(kind, detuned))) <= float(found.left[0]))
    assert len(held) > 200 and np.mean(held) > 0.9


@given(order=st.floats(0.71, 1.4), ratio=st.floats(1.3, 2), sign=st.sampled_from([-1, 1]))
def test_an_error_that_falls_far_more_slowly_than_expected_is_within_what_is_stated(
    order: float, ratio: float, sign: int
) -> None:
    """Of a grating with order 0.9 for 2 half of what was added was stated: the exact value lay 1.9 times out of it."""
    grids = [ratio**i for i in range(4)]
    values = np.array([[1 + sign * 0.01 * grid**-order] for grid in grids])
    found = extrapolated(grids, values, OF_A_NUMBER)
    assert found is not None and abs(found.values[0] - 1) <= found.left[0] * (1 + 1e-9)
    assert found.left[0] >= abs(found.values[0] - found.finest[0]) * (1 - 1e-9)
