"""The process a run lives in."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import httpx
import pytest
import typer

from flows.serving import runtime
from flows.serving.runtime import PATIENCE, prepare_environment
from flows.terminal.expected_errors import Terminated, guarded
from schemas.errors import AwaitingAnswer, InputError

pytestmark = pytest.mark.unit


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment of its own: everything set in it is undone."""
    import os

    monkeypatch.setattr(os, "environ", {"PATH": "/usr/bin"})
    return monkeypatch


def test_a_proxy_is_not_asked_for_this_computer(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import os

    os.environ |= {
        "https_proxy": "http://proxy:3128",
        "http_proxy": "http://proxy:3128",
        "no_proxy": "intranet",
    }
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


def test_a_server_that_never_answers_and_a_fault_of_ours_end_with_the_command_that_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    request = httpx.Request("POST", "http://127.0.0.1:9/api/task_runs")

    def flow() -> None:
        try:
            raise httpx.HTTPStatusError(
                "Server error '503 Service Unavailable'",
                request=request,
                response=httpx.Response(503, request=request),
            )
        except httpx.HTTPError as error:
            raise RuntimeError("the task run crashed") from error

    monkeypatch.setattr(runtime, "_OPENED", ["reprolab resume 20261122-1 --outputs out"])
    with pytest.raises(typer.Exit) as ended:
        guarded(flow)
    told = capsys.readouterr().err
    assert (
        ended.value.exit_code == 1
        and "resume with reprolab resume 20261122-1 --outputs out" in told
        and "crashed" in told
    )

    for end in (
        typer.Exit(10),
        typer.Abort(),
        typer.BadParameter("no"),
    ):  # a command's own ends are no faults
        with pytest.raises(type(end)):
            guarded(lambda end=end: (_ for _ in ()).throw(end))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(typer.Exit) as ended:  # a fault of ours: no traceback in the terminal, and the way on
        guarded(lambda: (_ for _ in ()).throw(RuntimeError("ours")))
    told, [kept] = capsys.readouterr().err, tmp_path.glob("reprolab-fault-*.txt")
    assert ended.value.exit_code == 1 and "RuntimeError: ours" in told and "Traceback" not in told
    assert "reprolab resume 20261122-1" in told and str(kept) in told and "Traceback" in kept.read_text()


@pytest.mark.attack(
    "paper folder", "refused: no setting of Prefect, which can be code, comes from the folder one stands in"
)
@pytest.mark.parametrize(
    "name, text",
    [
        ("prefect.toml", '[logging]\nconfig_path = "evil.yml"'),
        ("prefect.toml", ""),
        ("prefect.toml", "[" * 5000),
        ("pyproject.toml", '[tool.prefect.logging]\nconfig_path = "evil.yml"'),
        ("pyproject.toml", '["tool"."pre\\u0066ect"]\nprofiles_path = "evil.toml"'),
        ("pyproject.toml", "a = " + "[" * 5000),
        (".env", "export PREFECT_LOGGING_CONFIG_PATH=evil.yml"),
        (".env", "'prefect_profiles_path'=evil.toml"),
    ],
)
def test_settings_of_a_stranger_s_folder(
    environment: pytest.MonkeyPatch, tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    environment.chdir(tmp_path)
    with pytest.raises(InputError, match=f"settings from {name}"):
        prepare_environment(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    (tmp_path / name).rename(tmp_path / "other")
    (tmp_path / name).symlink_to("other")
    with pytest.raises(InputError, match=f"settings from {name}"):
        prepare_environment(tmp_path / "out")


@pytest.mark.attack("server", "refused: Prefect's folder of another account holds that account's settings")
@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to give a folder away")
def test_prefect_s_folder_of_another_account(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".reprolab").mkdir()
    os.chown(tmp_path / ".reprolab", 65534, 65534)
    environment.chdir(tmp_path)
    with pytest.raises(InputError, match="belongs to another account"):
        prepare_environment(tmp_path)


def test_files_without_settings_of_prefect_are_nobody_s_business(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["prefect"]')
    (tmp_path / ".env").write_text("EDITOR=vi")
    environment.chdir(tmp_path)
    prepare_environment(tmp_path / "out")
    assert (tmp_path / "out" / ".reprolab").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "end",
    [KeyboardInterrupt(), Terminated(), AwaitingAnswer("waits for a person")],
    ids=lambda end: type(end).__name__,
)
def test_who_ends_a_run_is_told_how_it_goes_on_and_how_it_is_reported(
    end: BaseException, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A workflow that has no partial report names none."""
    monkeypatch.setattr(runtime, "_OPENED", [])

    def ended() -> str:
        with pytest.raises(typer.Exit):
            guarded(lambda: (_ for _ in ()).throw(end))
        return capsys.readouterr().err

    runtime.opened("20261126-1", tmp_path)
    assert f"reprolab report 20261126-1 --outputs {tmp_path}" in ended()
    runtime.continued_by("reprolab resume explored")
    assert "reprolab report" not in ended()
