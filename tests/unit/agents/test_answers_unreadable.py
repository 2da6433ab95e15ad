"""An answer that stops the code that reads it: noted, asked again, told to a person; no end twice at the same place."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models.errors import InvalidAnswer
from agents.models.replay import ReplayModel
from flows.calls.infrastructure import attempt
from flows.calls.unreadable import FAULTS, _why, asked_again, blamed, refused
from schemas.errors import UnreadableAnswer
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.talking.transcript import AgentRequest, Position
from tests.mutations import ODD, mutations

pytestmark = pytest.mark.unit
LABELS = ("planner.-.1.1.0", "simulation_designer.s.1.1.0")


class Runs(SimpleNamespace):
    """As much of a run as reads answers: a model that gives the next of `given` when a request is new."""

    def __init__(
        self, run_dir: Any, given: list[Any], model: Any = None, kept: dict[str, Any] | None = None
    ) -> None:
        super().__init__(
            run_dir=run_dir,
            line="r",
            lock=threading.RLock(),
            reading="",
            warned=set(),
            model=model,
            said=[],
            given=given,
            kept={} if kept is None else kept,
            cancel=threading.Event(),
            restored=0,
        )
        self.console = SimpleNamespace(say=lambda text, **_: self.said.append(text))

    def snapshot(self) -> None:
        """Nothing to come back to."""

    def restore(self, _before: None) -> None:
        """Count it."""
        self.restored += 1

    def call(self, label: str) -> Any:
        """As flows.calls.calling.call: what was answered to the same request is kept."""
        agent, stage, *_ = label.split(".")
        request = asked_again(
            self,
            AgentRequest(  # type: ignore[arg-type]
                position=Position(agent=agent, stage_id=stage),
                prompt_id="p",
                prompt_digest="",
                system=(),
                context=(),
                answer_type="A",
                answer_schema={},
                model_kind="anthropic",
                model_name="m",
            ),
        )
        self.reading = ""
        if request.digest() not in self.kept:
            self.kept[request.digest()] = self.given.pop(0)
        self.reading = label
        self.request = request
        return self.kept[request.digest()]


def _bad(answer: Any) -> Any:
    if answer == "bad":
        raise TypeError("'>' not supported between instances of 'complex' and 'float', at 720.7")
    return answer


def test_the_agent_is_asked_again_and_told_without_numbers(tmp_path: Any) -> None:
    run = Runs(tmp_path, ["bad", "good"])
    assert attempt(run, "planning", lambda: _bad(run.call(LABELS[0]))) == "good"  # type: ignore[arg-type]
    assert run.restored == 1 and not run.given
    [told] = run.request.context
    assert "TypeError in _bad" in told.text and "720" not in told.text
    assert "720.7" in (tmp_path / "requests" / f"{LABELS[0]}.unreadable-1.txt").read_text()


def test_a_resumed_run_asks_again_where_it_had_stopped(tmp_path: Any) -> None:
    """The plan was read and approved, and stops a later piece of work: that is no reason to stop there for ever."""
    run = Runs(tmp_path, ["bad"])
    plan = attempt(run, "planning", lambda: run.call(LABELS[0]))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        attempt(run, "stages", lambda: _bad(plan))  # type: ignore[arg-type]
    again = Runs(tmp_path, ["good"], kept=run.kept)
    plan = attempt(again, "planning", lambda: again.call(LABELS[0]))  # type: ignore[arg-type]
    assert attempt(again, "stages", lambda: _bad(plan)) == "good"  # type: ignore[arg-type]


def test_after_three_a_person_is_asked_and_may_try_once_more(tmp_path: Any) -> None:
    run = Runs(tmp_path, ["bad", "bad", "bad", "good"])
    with pytest.raises(InvalidAnswer, match="no code could read them"):
        attempt(run, "planning", lambda: _bad(run.call(LABELS[0])))  # type: ignore[arg-type]
    assert run.given == ["good"]  # nothing was bought beyond three
    assert attempt(run, "planning", lambda: _bad(run.call(LABELS[0]))) == "good"  # type: ignore[arg-type]


def test_a_branch_blames_its_own_answer(tmp_path: Any) -> None:
    run, branch = Runs(tmp_path, []), Runs(tmp_path, ["bad", "good"])

    def work() -> Any:
        run.reading = LABELS[0]  # what the other stage's agent said last
        return blamed(branch, lambda: _bad(branch.call(LABELS[1])))  # type: ignore[arg-type]

    assert attempt(run, "stages", work) == "good"  # type: ignore[arg-type]
    assert refused(run, branch.request)  # type: ignore[arg-type]


def test_where_no_answer_is_to_blame_the_error_stays(tmp_path: Any) -> None:
    replay = Runs(tmp_path, ["bad"], model=object.__new__(ReplayModel))
    with pytest.raises(TypeError):
        attempt(replay, "planning", lambda: _bad(replay.call(LABELS[0])))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        attempt(Runs(tmp_path, []), "planning", lambda: _bad("bad"))  # type: ignore[arg-type]
    assert not (tmp_path / "unreadable_answers.jsonl").exists()


@pytest.mark.attack("answers", "whatever an answer does to its reader, the next answer can go on")
@mutations("readers", 200)
@given(st.sampled_from(FAULTS), st.sampled_from(ODD), st.integers(0, 2))
def test_no_answer_makes_a_run_unresumable(fault: type[Exception], words: Any, times: int) -> None:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        run = Runs(Path(folder), ["bad"] * times + ["good"])

        def read() -> Any:
            if (answer := run.call(LABELS[0])) == "bad":
                raise UnreadableAnswer(str(words)) if fault is UnreadableAnswer else fault(words)
            return answer

        assert attempt(run, "planning", read) == "good"  # type: ignore[arg-type]


def _halves(given: list[ExtractedParameter], more: dict[str, str]) -> list[float]:
    return [1 / float(one.value) for one in given if more is not None]


@pytest.mark.parametrize(
    ("value", "name", "told"),
    [
        (
            "0",
            "gap_range",
            "ZeroDivisionError in <listcomp>: float division by zero (while reading parameter gap_range, value)",
        ),
        ("0 to 800", "gap_range", "(while reading parameter gap_range, value)"),
        ("?", "peak_720.7nm", "(while reading parameter peak_#nm, value)"),
        ("0", "R_0.105_at_022", "(while reading parameter R_#_at_#, value)"),
    ],
)
def test_what_was_read_is_named_and_no_result(tmp_path: Any, value: str, name: str, told: str) -> None:
    bad = ExtractedParameter(
        name=name, value=value, unit="nm", role="input", quotation="0 to 800 nm", place="Results"
    )
    run = Runs(tmp_path, [bad, bad.model_copy(update={"value": "2"})])
    read = attempt(run, "planning", lambda: _halves([run.call(LABELS[0])], {}))  # type: ignore[arg-type]
    assert read == [0.5]
    [again] = run.request.context
    assert told in again.text and "720.7" not in again.text and "0.105" not in again.text


@mutations("readers", 100)
@given(st.sampled_from(ODD), st.text(max_size=20))
def test_an_error_of_any_object_is_told(words: Any, name: str) -> None:
    class Odd:
        __module__ = "schemas.odd"

        @property
        def target_id(self) -> str:
            raise ValueError(name)

    Odd.__module__ = "schemas.odd"

    def fails(one: Any) -> None:
        raise KeyError(words)

    with pytest.raises(KeyError) as caught:
        fails(Odd())
    assert isinstance(_why(caught.value), str)
