"""The place of a narrow line hardly moves when all values are disturbed: that says nothing against it."""

from __future__ import annotations

import pytest

from tasks.reproduce.measuring import Scalar
from tasks.reproduce.uncertainty import free_witnesses

pytestmark = pytest.mark.unit
TRIES = free_witnesses.TRIES + free_witnesses.FEWER


@pytest.mark.parametrize(
    ("power", "moved", "passed"),
    [
        (1, 6.2e-6, None),  # was a failure of a true paper, at 10.2755 for 10.2714 GHz
        (-1, 6.2e-6, None),
        (1, 0.0, False),
        (1, 2e-4, True),
        (0, 6.2e-6, False),
        (0, 2e-4, True),
    ],
)
def test_a_place_that_barely_moves_is_undecided(
    power: int, moved: float, passed: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    value, other = Scalar(10.27, power), Scalar(10.27 * (1 + moved), power)
    monkeypatch.setattr(free_witnesses, "answered", lambda calls, degraded: [value] * (1 + TRIES) + [other])
    calls = [[]] * (2 + TRIES)
    found = free_witnesses._of_data(None, calls, value, False)  # type: ignore[arg-type]
    assert next(one.passed for one in found if one.name == "disturbed raw data") is passed
