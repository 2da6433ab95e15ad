"""What this computer lacks is found before an agent is asked, and said with its fix."""

from __future__ import annotations

import shutil
import sys

import pytest

from flows.serving.embedded import EmbeddedServer
from tests.flow import bare
from tests.flow.kit import PARTLY, Bench, Model

pytestmark = [pytest.mark.flow, pytest.mark.solves]


def hidden_bwrap() -> tuple[str, ...]:
    """A command before ours that hides bubblewrap from it: its file is covered by one that cannot be executed."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        pytest.skip("needs bubblewrap to hide bubblewrap")
    return (bwrap, "--dev-bind", "/", "/", "--ro-bind", "/dev/null", bwrap, "--")


def test_a_python_without_meep(bench: Bench) -> None:
    with Model(bare.answer) as model:
        cli = bench.reproduce(model, env={"REPROLAB_MEEP_PYTHON": sys.executable})
        assert cli.wait() == 4
        assert not model.requests and not bench.outputs.exists()
    assert f"configured {sys.executable}" in cli.err and "cannot import Meep" in cli.err
    assert "apt-get install python3-meep" in cli.err and "REPROLAB_MEEP_PYTHON" in cli.err
    assert "Traceback" not in cli.err


def test_no_sandbox(bench: Bench) -> None:
    with Model(bare.answer) as model:
        cli = bench.reproduce(model, prefix=hidden_bwrap())
        assert cli.wait() == 4
        assert not model.requests and not bench.outputs.exists()
    assert "bubblewrap is not installed" in cli.err and "--allow-degraded-sandbox" in cli.err


def test_a_degraded_sandbox_is_allowed_and_declared(bench: Bench) -> None:
    with Model(bare.answer) as model:
        cli = bench.reproduce(
            model,
            "--allow-degraded-sandbox",
            "--answer",
            "material_checkpoint=approve",
            prefix=hidden_bwrap(),
        )
        assert cli.wait() == PARTLY, cli.err[-3000:]
    assert "DEGRADED" in bench.report()


def test_doctor_warns_of_a_server_that_is_open(bench: Bench) -> None:
    """Prefect's server as it is without further settings."""
    cli = bench.start("doctor")
    assert cli.wait() == 0, cli.out
    warned = [line for line in cli.out.splitlines() if line.startswith("warn  server: ")]
    assert (
        len(warned) == 2 and "PREFECT_SERVER_API_AUTH_STRING" in warned[0] and "ALLOWED_ORIGINS" in warned[1]
    )


def test_a_folder_of_a_stranger_s_modules_does_not_reach_prefect_s_server(tmp_path, monkeypatch):
    """Started in the folder of a paper, the server imports nothing from there."""
    for name in ("prefect", "uvicorn", "h2", "asyncio"):
        (tmp_path / f"{name}.py").write_text(
            f"open({str(tmp_path / 'reached')!r}, 'w').close()\nraise SystemExit(7)\n"
        )
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "home"))
    with EmbeddedServer() as server:
        server.wait()
    assert not (tmp_path / "reached").exists()
