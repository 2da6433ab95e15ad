"""What the client bills is what the server told it, broken answers and killed calls included."""

from __future__ import annotations

import pytest

from agents.models import InvalidAnswer, TransientModelError
from agents.models.bill import add_usage
from agents.models.messages.messages_api import MessagesModel
from flows.calls.unfinished import Unfinished
from schemas.run.settings import ModelSettings
from schemas.talking.review import ReviewAnswer
from schemas.talking.transcript import Usage
from tests.messages_server import Fault, MessagesServer
from tests.messages_server.examples import REVIEW, a_request

pytestmark = pytest.mark.unit
LABEL = "design_reviewer.film.1.1.0"


def told(server: MessagesServer) -> Usage:
    """Sum of what the server told of tokens."""
    total = Usage()
    for usage in (delivery.usage for delivery in server.deliveries if delivery.usage):
        total = add_usage(
            total,
            Usage(
                input_tokens=usage["input_tokens"],
                output_tokens=usage["output_tokens"],
                cache_read_tokens=usage["cache_read_input_tokens"],
                cache_write_tokens=usage["cache_creation_input_tokens"],
            ),
        )
    return total


@pytest.mark.parametrize(
    "kinds",
    [
        ("truncated_stream",),
        ("stream_error",),
        ("stalled_stream",),
        ("schema_violation", "truncated_stream"),
        ("malformed_json", "overloaded"),
        ("empty", "refusal", "max_tokens"),
        ("reset",),
        ("garbled_stream",),
    ],
)
def test_failed_calls_are_billed_as_the_server_told(kinds, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with MessagesServer(lambda request: REVIEW, [Fault(kind, delay_s=30) for kind in kinds]) as server:
        model = MessagesModel(ModelSettings(kind="anthropic", base_url=server.base_url, timeout_s=1.5))
        with pytest.raises((TransientModelError, InvalidAnswer)) as caught:
            model.answer(a_request(), ReviewAnswer)
        assert caught.value.usage == told(server)
        paid = any(delivery.usage for delivery in server.deliveries)
        assert (caught.value.price_usd is not None) == paid
        assert paid or kinds[0] in ("reset", "garbled_stream")


def pay(book: Unfinished, tokens: int) -> None:
    book.paid(LABEL, "m", "does not fit", Usage(input_tokens=tokens), 0.5)


def tokens_in(book: Unfinished) -> int:
    return sum(loss.usage.input_tokens or 0 for loss in book.losses)


def test_a_paid_try_counts_until_its_call_has_a_bill_of_its_own(tmp_path):
    book = Unfinished(tmp_path / "u.jsonl")
    pay(book, 100)
    assert tokens_in(book) == 100
    book.ended(LABEL)
    assert tokens_in(book) == tokens_in(Unfinished(book.path)) == 0


def test_what_a_killed_call_paid_stays_however_the_run_goes_on(tmp_path):
    path = tmp_path / "u.jsonl"
    pay(Unfinished(path), 100)  # killed
    path.write_text(path.read_text() + '{"session": "x", "pa')  # while writing
    second = Unfinished(path)
    pay(second, 7)
    assert tokens_in(second) == 107
    second.ended(LABEL)  # the call was made again and its bill has the 7
    third = Unfinished(path)
    third.ended(LABEL, reused=True)
    assert tokens_in(third) == tokens_in(Unfinished(path)) == 100


def test_killed_between_keeping_the_answer_and_noting_its_end_counts_once(tmp_path):
    pay(Unfinished(tmp_path / "u.jsonl"), 100)  # the answer was kept, then the process died
    resumed = Unfinished(tmp_path / "u.jsonl")
    resumed.ended(LABEL, reused=True)
    assert tokens_in(resumed) == 0


def test_the_client_tells_of_each_unusable_answer_at_once(monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    heard: list[tuple[str, int | None]] = []
    with MessagesServer(lambda request: REVIEW, [Fault("empty"), Fault("schema_violation")]) as server:
        model = MessagesModel(ModelSettings(kind="anthropic", base_url=server.base_url, timeout_s=20))
        model.on_unusable = lambda label, _model, _reason, usage, _price: heard.append(
            (label, usage.input_tokens)
        )
        reply = model.answer(a_request(), ReviewAnswer)
    told_of = [d.usage["input_tokens"] for d in server.deliveries if d.usage]
    assert heard == [(LABEL, tokens) for tokens in told_of[:2]]
    assert reply.usage.input_tokens == sum(told_of)
