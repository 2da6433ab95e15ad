"""Whether a clock sees work is told of the clock, not of what else the machine does meanwhile."""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.explore.measuring.beside import Beside, surely_hidden
from tasks.explore.measuring.clocks import Timed, blind_of
from tasks.sandbox.sandbox_result import FirstProcess

CLOCKS = {
    "the wall": ("own", "thread", "child", "orphan", "asleep"),
    "the process": ("own", "thread"),
    "the first thread": ("own",),
    "the process and its children": ("own", "thread", "child"),
}
WORK_S, MORE_S = 0.7, 1.2


@settings(max_examples=500)
@given(
    st.sampled_from(sorted(CLOCKS)), st.lists(st.floats(0, 0.8), max_size=20), st.floats(0, 0.03), st.data()
)
def test_a_machine_that_is_busy_for_a_while_moves_no_clock(clock, burst, noise, data):
    """Of 20 runs in a row each takes up to 80 % longer, one beside another: what is taken for seen, and for unseen, stays."""
    slower = iter(burst)

    def run(how: str) -> Timed:
        seen = WORK_S + (0 if how not in CLOCKS[clock] else MORE_S if how != "asleep" else 3.0)
        first = FirstProcess(seen, seen, 0.0, 0.0)
        every = seen * (1 + next(slower, 0.0) + data.draw(st.floats(0, noise)))
        return Timed(every, SimpleNamespace(cpu_s=WORK_S + MORE_S, wall_s=every, first=first))  # type: ignore[arg-type]

    expected = () if clock == "the wall" else {"thread", "child", "orphan"} - {*CLOCKS[clock]}
    assert {each.where for each in blind_of(run)} == set(expected)


@settings(max_examples=500)
@given(
    st.lists(st.floats(0, 0.8), max_size=4),
    st.floats(0, 0.03),
    st.sampled_from((0.0, 0.8)),
    st.floats(0.2, 1),
    st.data(),
)
def test_a_machine_that_is_busy_for_a_while_makes_no_work_hidden_and_hides_none(
    burst, noise, lie_s, faster, data
):
    """A candidate as fast as the goal's files, or faster, and one that hides its work: each pair of runs is slower by what it meets.
    Of its first three runs a busy machine made the one look as if it hid work, and was quiet when the goal's files ran for comparison."""
    slower = iter(burst)
    goal = Beside(cpu_s=1.4, first_s=1.4, value=1.0, work_s=1.0)

    def run(timed: float, besides: float) -> Timed:
        busy = 1 + next(slower, 0.0) + data.draw(st.floats(0, noise))
        cpu_s = (timed + besides) * busy
        return Timed(
            timed * busy,
            SimpleNamespace(cpu_s=cpu_s, wall_s=cpu_s, first=FirstProcess(cpu_s, cpu_s, 0.0, 0.0)),
        )  # type: ignore[arg-type]

    def again() -> float:
        mine = run(faster, 0.4 + lie_s)
        return goal.again(run(1.0, 0.4), None).hidden_s(mine)

    allowed_s = goal.allowed_s([run(faster, 0.4)], 0.1)
    hidden_s, error_s = surely_hidden(again, allowed_s, (9.0, 0.0))
    assert (hidden_s > allowed_s + error_s) == bool(lie_s)
