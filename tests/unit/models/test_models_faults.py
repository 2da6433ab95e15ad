"""Every way a model server can fail is named: worth retrying, or not, and never retried by the client itself."""

from __future__ import annotations

import email.utils
import pickle
import socket
import time

import pytest

from agents.models import FatalModelError, TransientModelError
from agents.models.messages.messages_api import MessagesModel
from agents.models.messages.messages_errors import retry_after_s
from schemas.run.settings import ModelSettings
from schemas.talking.review import ReviewAnswer
from tests.messages_server import Fault, MessagesServer
from tests.messages_server.examples import REVIEW, a_request

pytestmark = pytest.mark.unit


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def asked(base_url: str, timeout_s: float = 20, **request):
    """The error that one request raises, after a trip through pickle."""
    model = MessagesModel(ModelSettings(kind="anthropic", base_url=base_url, timeout_s=timeout_s))
    with pytest.raises((TransientModelError, FatalModelError)) as caught:
        model.answer(a_request(**request), ReviewAnswer)
    return pickle.loads(pickle.dumps(caught.value))


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault("rate_limit", retry_after="7"), "HTTP 429 rate_limit_error"),
        (Fault("server_error"), "HTTP 500"),
        (Fault("overloaded"), "HTTP 529"),
        (Fault("reset"), "cannot be reached"),
        (Fault("truncated_stream"), "broke off"),
        (Fault("stream_error"), "overloaded_error"),
        (Fault("garbled_stream"), "cannot be read"),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_transient_faults(fault, said):
    with MessagesServer(lambda request: REVIEW, [fault]) as server:
        error = asked(server.base_url)
        assert isinstance(error, TransientModelError)
        assert said in str(error)
        assert error.retry_after_s == (7.0 if fault.retry_after else None)
        assert len(server.requests) == 1
        model = MessagesModel(ModelSettings(kind="anthropic", base_url=server.base_url))
        assert model.answer(a_request(), ReviewAnswer).answer == REVIEW


def test_a_silent_server_times_out():
    with MessagesServer(lambda request: REVIEW, [Fault("timeout", delay_s=10)]) as server:
        started = time.monotonic()
        error = asked(server.base_url, timeout_s=0.3)
        assert time.monotonic() - started < 5
    assert isinstance(error, TransientModelError)
    assert "in time" in str(error)


def test_nobody_listening_is_transient():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    error = asked(address)
    assert isinstance(error, TransientModelError)
    assert address in str(error)


def test_what_was_paid_before_a_fault_stays_on_the_bill():
    with MessagesServer(lambda request: REVIEW, [Fault("schema_violation"), Fault("overloaded")]) as server:
        error = asked(server.base_url)
    assert error.usage.input_tokens > 0
    assert error.price_usd > 0


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault("unauthorized"), "authentication"),
        (Fault("payment"), "billing"),
        (Fault("too_large"), "too_large"),
        (Fault("context_full"), "too_large"),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_fatal_faults(fault, reason):
    with MessagesServer(lambda request: REVIEW, [fault]) as server:
        error = asked(server.base_url)
    assert isinstance(error, FatalModelError)
    assert error.reason == reason
    assert error.fix
    assert len(server.requests) == 1


def test_an_unknown_model_is_fatal_and_named():
    with MessagesServer(lambda request: REVIEW, models=["claude-opus-5-5"]) as server:
        error = asked(server.base_url, model_name="claude-nowhere-1")
    assert isinstance(error, FatalModelError)
    assert (error.reason, "claude-nowhere-1" in str(error)) == ("not_found", True)


def test_a_server_without_a_messages_api_is_fatal():
    with MessagesServer(lambda request: REVIEW, [Fault("web_page")]) as server:
        page = asked(server.base_url)
        elsewhere = asked(f"{server.base_url}/console")
    assert (type(page), page.reason) == (FatalModelError, "configuration")
    assert "text/html" in str(page)
    assert (type(elsewhere), elsewhere.reason) == (FatalModelError, "not_found")


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry-after": "12"}, 12.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "1e9"}, 3600.0),
        ({"retry-after": "nan"}, None),
    ],
)
def test_retry_after(headers, wait):
    assert retry_after_s(headers) == wait


def test_retry_after_as_a_date():
    date = email.utils.formatdate(time.time() + 60, usegmt=True)
    assert retry_after_s({"retry-after": date}) == pytest.approx(60, abs=3)
