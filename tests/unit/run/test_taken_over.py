"""A process that was cut off and failed of it: is the flow run still its own?"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefect.client.schemas.objects import State, StateType

from flows.run.taken_over import given_up_since, times_given_up

pytestmark = pytest.mark.unit
_OWN = st.sampled_from([StateType.RUNNING, StateType.PAUSED, StateType.FAILED, StateType.CANCELLING])
_OTHERS = st.sampled_from([StateType.CRASHED, StateType.SCHEDULED, StateType.PENDING])


def _states(*types: StateType) -> list[State]:
    return [State(type=kind) for kind in types]


@given(
    before=st.lists(_OWN | _OTHERS, max_size=6),
    own=st.lists(_OWN, max_size=6),
    others=st.lists(_OTHERS, max_size=3),
)
def test_it_is_while_nothing_but_its_own_steps_happened(
    before: list[StateType], own: list[StateType], others: list[StateType]
) -> None:
    """Pausing and going on are the process's own, however often; a crash or a new start is not."""
    begun = times_given_up(_states(*before))
    assert given_up_since(begun, lambda: _states(*before, *own, *others)) == bool(others)


def test_a_server_that_is_away_is_asked_again_and_not_for_ever() -> None:
    answers: list[Sequence[State]] = []

    def ask() -> Sequence[State]:
        answers.append(_states(StateType.CRASHED))
        if len(answers) < 3:
            raise OSError("no route to the server")
        return answers[-1]

    assert given_up_since(0, ask, patience_s=60, every_s=0) and len(answers) == 3

    def never() -> Sequence[State]:
        raise OSError("no route to the server")

    assert not given_up_since(0, never, patience_s=0, every_s=0)


@pytest.mark.parametrize("crashed, code", [(True, 0), (False, 1)])
def test_a_process_ends_without_a_word_where_the_run_is_no_longer_its_own(
    tmp_path: Path, crashed: bool, code: int
) -> None:
    script = f"""
from contextlib import contextmanager
from uuid import uuid4
from prefect.client.schemas.objects import State, StateType
import flows.run.taken_over as taken
found = [State(type=StateType.RUNNING)]
class Client:
    def read_flow_run_states(self, number): return list(found)
@contextmanager
def client(sync_client): yield Client()
taken.get_client = client
with taken.word_only_if_ours(uuid4(), lambda text: print("said:", text)):
    if {crashed}: found.append(State(type=StateType.CRASHED))
    raise OSError("the cable")
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=Path(__file__).resolve().parents[3],
        env={**os.environ, "PREFECT_HOME": str(tmp_path)},
    )
    assert done.returncode == code, done.stderr
    assert ("said: this process was cut off (the cable)" in done.stdout) == crashed
    assert ("OSError: the cable" in done.stderr) == (not crashed)
