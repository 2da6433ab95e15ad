"""Python is read again where another thread's reading made the interpreter lose count."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from simkit.describe.syntax import again, parse

pytestmark = pytest.mark.unit
_LOST_COUNT = "AST constructor recursion depth mismatch (before=18, after=12)"  # as seen with four threads


def _failing(times: int, message: str) -> Callable[[], int]:
    left = [times]

    def read() -> int:
        left[0] -= 1
        if left[0] >= 0:
            raise SystemError(message)
        return 7

    return read


def test_sound_text_is_read_again() -> None:
    assert again(_failing(3, _LOST_COUNT)) == 7


@pytest.mark.parametrize("times, message", [(1, "another fault of the interpreter"), (1000, _LOST_COUNT)])
def test_another_fault_or_one_that_stays_is_told(times: int, message: str) -> None:
    with pytest.raises(SystemError, match=message[:12]):
        again(_failing(times, message))


def test_what_is_no_python_is_refused_at_once() -> None:
    with pytest.raises(SyntaxError):
        parse("x = = 1")
