"""The process a run lives in."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
import typer

from flows import runtime
from flows.commands.guard import guarded
from flows.runtime import PATIENCE, prepare_environment

pytestmark = pytest.mark.unit


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment of its own: everything set in it is undone."""
    import os

    monkeypatch.setattr(os, "environ", {"PATH": "/usr/bin"})
    return monkeypatch


def test_a_proxy_is_not_asked_for_this_computer(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import os

    os.environ |= {"https_proxy": "http://proxy:3128", "http_proxy": "http://proxy:3128", "no_proxy": "intranet"}
    prepare_environment(tmp_path)
    assert os.environ["no_proxy"] == "intranet,127.0.0.1,localhost,::1"
    assert os.environ["NO_PROXY"] == "127.0.0.1,localhost,::1"


def test_without_a_proxy_nothing_is_set(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import os

    prepare_environment(tmp_path)
    assert "no_proxy" not in os.environ and "NO_PROXY" not in os.environ


def test_prefect_waits_for_its_locked_database(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """On a busy computer SQLite's lock outlived Prefect's patience, and a 503 ended the run."""
    import os

    from prefect.settings import Settings

    os.environ |= {"HOME": str(tmp_path), "PREFECT_CLIENT_MAX_RETRIES": "3"}  # what the user has set stays
    prepare_environment(tmp_path)
    found = Settings()
    database = found.server.database
    assert (found.client.max_retries, database.timeout, database.connection_timeout) == (3, 60, 60)
    assert (database.sqlalchemy.pool_timeout or 0) < (found.api.request_timeout or 0)
    os.environ["PREFECT_CLIENT_MAX_RETRIES"] = PATIENCE["PREFECT_CLIENT_MAX_RETRIES"]
    assert Settings().client.max_retries == 7  # 2 + 4 + ... + 128 s


def test_a_server_that_never_answers_ends_with_the_command_that_goes_on(capsys: pytest.CaptureFixture[str],
                                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    request = httpx.Request("POST", "http://127.0.0.1:9/api/task_runs")

    def flow() -> None:
        try:
            raise httpx.HTTPStatusError("Server error '503 Service Unavailable'", request=request,
                                        response=httpx.Response(503, request=request))
        except httpx.HTTPError as error:
            raise RuntimeError("the task run crashed") from error

    monkeypatch.setattr(runtime, "_OPENED", ["reprolab resume 20261122-1 --outputs out"])
    with pytest.raises(typer.Exit) as ended:
        guarded(flow)
    told = capsys.readouterr().err
    assert ended.value.exit_code == 1 and "resume with reprolab resume 20261122-1 --outputs out" in told and "crashed" in told

    with pytest.raises(RuntimeError):  # a fault of ours keeps its traceback
        guarded(lambda: (_ for _ in ()).throw(RuntimeError("ours")))
