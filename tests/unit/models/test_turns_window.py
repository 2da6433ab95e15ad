"""A long conversation is fitted into the window: the same cuts every time, pairs intact, pinned results never cut."""

from __future__ import annotations

import pytest

from agents.models.size import estimate_tokens, turn_tokens
from agents.talking.conversing import invalid_finishes, past_turn, read_turn, silent_turns
from agents.talking.turns import LOW, shortened, trimmed
from schemas.errors import StateError
from schemas.talking.tools import ToolCall
from schemas.talking.turns import PastResult, PastTurn, TurnAnswer
from tests.unit.models.turns_fixture import TOOLS, past, picture, turn_request

pytestmark = pytest.mark.unit
SAID = "line of output\n" * 300
FILE = "x = 1\n" * 500


def turns(count: int) -> tuple[PastTurn, ...]:
    """Turn 0 asks a pinned tool; the others write a file and read output."""
    return (
        past(("survey", {}, SAID)),
        *(past(("write", {"file": FILE}, SAID), number=n) for n in range(1, count)),
    )


def size(of: tuple[PastTurn, ...]) -> int:
    return sum(turn_tokens(turn) for turn in of)


def test_what_fits_stays_as_it_is():
    whole = turns(6)
    assert trimmed(whole, size(whole), ("survey",)) == whole


def test_the_oldest_results_are_shortened_first_and_say_so():
    whole = turns(8)
    cut = trimmed(whole, int(0.9 * size(whole)), ("survey",))
    assert size(cut) <= 0.9 * size(whole)
    assert cut[0] == whole[0], "pinned"
    assert "characters are left out here; call the tool again" in cut[1].results[0].text
    assert cut[1].said == whole[1].said and cut[-2:] == whole[-2:]
    assert cut[1].results[0].text.startswith("line of output")


@pytest.mark.parametrize("share", [0.7, 0.5, 0.3, 0.05])
def test_calls_keep_their_results_whatever_the_limit(share):
    whole = turns(8)
    cut = trimmed(whole, int(share * size(whole)), ("survey",))
    assert [[c.id for c in t.said.calls] for t in cut] == [[r.call_id for r in t.results] for t in cut]
    assert cut[0] == whole[0]
    assert cut == trimmed(whole, int(share * size(whole)), ("survey",))
    if share > 0.2:
        assert size(cut) <= share * size(whole)
    else:  # arguments of old calls, then the newest turn
        assert "left out here; it was done as you wrote it" in cut[-1].said.calls[0].arguments["file"]


def test_a_turn_more_changes_nothing_before_it_until_the_limit_is_reached_again():
    whole, limit = turns(40), 24_000
    shown = [trimmed(whole[:count], limit, ()) for count in range(1, 41)]
    changes = [
        number
        for number, (one, more) in enumerate(zip(shown, shown[1:], strict=False))
        if more[: len(one)] != one
    ]
    assert 2 <= len(changes) <= 8, "each cut makes room for several turns"
    assert all(size(turns) <= limit for turns in shown)
    assert LOW < 1


def test_pictures_of_old_results_go_first_and_are_named(tmp_path):
    shown = picture(tmp_path / "p.png")
    whole = tuple(past(("plot", {}, "drawn"), images=(shown,), number=n) for n in range(8))
    cut = trimmed(whole, 9000, ())
    assert [len(turn.results[0].images) for turn in cut][-2:] == [1, 1]
    assert "1 pictures are left out here" in cut[0].results[0].text


def test_a_key_does_not_depend_on_what_a_limit_cut():
    whole = turns(8)
    keys = {
        turn_request(whole, limit_tokens=limit, pinned_tools=("survey",)).digest()
        for limit in (None, 9000, 3000)
    }
    assert len(keys) == 1
    other = (*whole[:-1], past(("write", {"file": FILE}, SAID + "more"), number=7))
    assert turn_request(other).digest() not in keys
    assert turn_request(whole[:-1]).digest() not in keys
    fewer = turn_request(whole, tools=TOOLS[:1])
    assert fewer.digest() not in keys, "other tools are another question"


def test_a_key_does_not_depend_on_where_pictures_lie(tmp_path):
    (tmp_path / "b").mkdir()
    one, two = (past(("plot", {}, ""), images=(picture(tmp_path / name),)) for name in ("a.png", "b/a.png"))
    assert turn_request((one,)).digest() == turn_request((two,)).digest()


def test_the_request_is_cut_to_its_limit_with_tools_and_turns_counted():
    whole = turns(30)
    assert estimate_tokens(turn_request(whole)) > 30_000
    assert estimate_tokens(turn_request(whole, limit_tokens=20_000)) <= 20_000
    assert estimate_tokens(turn_request()) > estimate_tokens(turn_request(tools=TOOLS[:1]))


def test_a_text_is_only_cut_where_that_saves_something():
    assert shortened("x" * 700) == "x" * 700
    assert len(shortened("x" * 5000)) < 800


def test_a_turn_without_a_result_for_each_call_is_refused():
    said = TurnAnswer(calls=(ToolCall(id="a", name="read_file"), ToolCall(id="b", name="read_file")))
    with pytest.raises(StateError, match="no result"):
        past_turn(said, {"a": PastResult(call_id="a")})
    with pytest.raises(ValueError, match="one result for each call"):
        PastTurn(said=said, results=(PastResult(call_id="b"), PastResult(call_id="a")))


def test_a_closed_tool_is_refused_with_its_reason_and_counts_are_kept():
    said = TurnAnswer(calls=(ToolCall(id="a", name="run_code"),))
    reading = read_turn(said, TOOLS, {"run_code": "Ideas were made; go on with them."})
    assert (
        not reading.runs
        and reading.refused["a"].text.startswith("Ideas were made")
        and reading.refused["a"].is_error
    )
    words = PastTurn(said=TurnAnswer(text="hm"))
    done = past(("finish", {}, "no"))
    assert (
        silent_turns((done, words, words)),
        silent_turns((words, done)),
        invalid_finishes((done, words, done)),
    ) == (2, 0, 2)
