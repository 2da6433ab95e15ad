"""An execution names the runs that gave its values, whatever was begun after them and ended."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tasks.reproduce.measuring import Scalar
from tasks.reproduce.solving.as_executions import _outcome
from tasks.reproduce.solving.varying import Missing, Outcome


@given(st.lists(st.booleans(), max_size=4))
def test_a_variant_that_was_ended_by_enough_takes_nothing_from_the_one_before_it(ended: list[bool]) -> None:
    """ "enough" ended the third absorber; the values of the first were shown with its runs, of no step, and failed the stage."""
    value = Scalar(0.5)
    solved = Outcome({"F": value})
    later = [
        Outcome({"F": Missing("a person said that it is enough") if lost else Scalar(0.5)}) for lost in ended
    ]
    made: Any = SimpleNamespace(
        outcomes=[("absorber", solved), *(("absorber", one) for one in later)],
        coarse=Outcome({"F": Scalar(0.4)}),
    )
    assert _outcome(made, "absorber", {"F": value}) is solved
    assert _outcome(made, "padding", {"F": value}) is made.coarse
