"""Two attenuations of which a ratio is asked for are told in one unit, though only one of them answers in dB itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tasks.reproduce.solving.columns import _answered_together

pytestmark = pytest.mark.unit


def test_what_is_asked_of_two_together_is_asked_of_each() -> None:
    def item(*answers: str) -> Any:
        return SimpleNamespace(answers=answers)

    found: Any = SimpleNamespace(
        problem=SimpleNamespace(quantities=[item("tm_att", "ratio"), item("ratio"), item("else")], sweeps=[])
    )
    assert "tm_att" in _answered_together(found, ("ratio",))
    assert "tm_att" not in _answered_together(found, ("else",))
