"""A person who says that it is enough waits for no second solver either."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tasks.reproduce.second.opinions import with_opinions

pytestmark = pytest.mark.unit


def test_no_second_solver_begins_after_enough() -> None:
    """Finite elements of four quantities ran on for minutes after "no further simulation begins"."""
    result = SimpleNamespace(id="T", status="converged", oracle=None)
    study: Any = SimpleNamespace(quantities=(result,))
    climb: Any = SimpleNamespace(group=SimpleNamespace(ids=("T",)))
    told: list[str] = []
    found = with_opinions(study, [climb], {}, {"T"}, say=told.append, enough=lambda: True)
    assert found is study and told == ["not asked of T: a person said that it is enough"]
