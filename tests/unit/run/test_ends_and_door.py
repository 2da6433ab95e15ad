"""How ends are logged, what the page may call, what a scope may begin with, and printed commands."""

from __future__ import annotations

import asyncio
import logging
import pickle
import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefect.states import Failed

from flows.commands.scope import parse_scope
from flows.run.endings import ExpectedEnd
from flows.serving.runtime import typed
from flows.serving.server_app import Door
from schemas.errors import InputError

pytestmark = pytest.mark.unit


def _refused_by_prefect() -> BaseException:
    """What Prefect makes of a failed state whose data are an outcome, kept as JSON for whoever reads it later."""
    try:
        Failed(name="Partial", data={"a": 1}).result()
    except Exception as error:  # noqa: BLE001
        return error
    raise AssertionError("a failed state's result was no error")


def test_an_expected_end_is_no_traceback_and_a_fault_of_the_code_is(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    logger = logging.getLogger("prefect.engine")
    monkeypatch.setattr(logger, "disabled", False)  # a test before may have set logging up without it
    caplog.set_level(logging.ERROR, "prefect.engine")
    logger.addHandler(caplog.handler)
    try:
        for error in (
            ExpectedEnd("Partial", {"a": 1}),
            _refused_by_prefect(),
            InputError("no such paper", found="x"),
            KeyError("bug"),
        ):
            try:
                raise error
            except Exception:
                logger.error("exited with unexpected exception", exc_info=True)
    finally:
        logger.removeHandler(caplog.handler)
    said = [(record.getMessage(), bool(record.exc_info)) for record in caplog.records]
    assert dict(said) == {"no such paper\n  found:   x": False, "exited with unexpected exception": True}
    again = pickle.loads(pickle.dumps(ExpectedEnd("Partial", {"a": 1})))
    assert (str(again), again.outcome) == ("Partial", {"a": 1})


def test_the_page_may_call_its_own_origins_only() -> None:
    sent: list[Any] = []

    async def page(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def keep(message: Any) -> None:
        sent.append(message)

    door = Door(page, ["http://127.0.0.1:4200", "http://localhost:4200"])
    scope = {"type": "http", "path": "/", "headers": [(b"host", b"localhost:4200")]}
    asyncio.run(door(scope, None, keep))  # type: ignore[arg-type]
    policy = dict(sent[0]["headers"])[b"content-security-policy"].decode()
    assert policy == (
        "frame-ancestors 'none'; connect-src 'self' http://127.0.0.1:4200 http://localhost:4200 "
        "ws://127.0.0.1:4200 ws://localhost:4200"
    )


@pytest.mark.parametrize("words", ["fig:1", "panel: a", "Fig = 2", "scope:x", "fig-1: b"])
def test_an_unknown_word_before_the_colon_is_refused(words: str) -> None:
    with pytest.raises(InputError, match="none of its kinds"):
        parse_scope([words])
    assert parse_scope([f"claim: {words}"]).claims == (words,)
    assert parse_scope(["the dip lies at 620 nm: it is deep"]).claims


@given(st.text(min_size=1).filter(lambda text: "\0" not in text))
def test_a_printed_command_is_read_by_a_shell_as_it_was_meant(folder: str) -> None:
    line = typed("resume", "20261126-1-a", outputs=Path(folder))
    assert shlex.split(line)[1:] == ["resume", "20261126-1-a", "--outputs", str(Path(folder))]
    assert Path(shlex.split(line)[0]).name == "reprolab"
