"""Keys and passwords never reach what a run writes: run.json, transcript, requests, report, messages."""

from __future__ import annotations

import pytest

from agents.models.address import without_credentials
from agents.models.errors import FatalModelError, TransientModelError
from agents.models.manual.manual_files import write_page
from agents.models.manual.manual_page import request_page
from flows.reproduce.kept_records import read_record
from flows.reproduce.opening import open_run
from flows.reproduce.reporting import final_report
from flows.run.credentials import secrets_in, storable
from flows.terminal.console import Console
from schemas.reproduce.settings import RunSettings
from schemas.run.settings import ModelSettings
from schemas.talking.review import ReviewAnswer
from tasks.reproduce.meep_interpreter import MeepInterpreter
from tasks.sandbox.sandbox_result import SandboxLevel
from tests.flow import coating
from tests.messages_server.examples import a_call, a_request
from tests.unit.commands.commands_fixture import reprolab

pytestmark = pytest.mark.unit
KEY, PASSWORD = "sk-ant-api03-house-key-0123456789", "hunter2@home"
ADDRESS = f"http://me:{PASSWORD}@127.0.0.1:9/gateway?token=abc123#top"


@pytest.mark.attack("secrets", "shown without them")
@pytest.mark.parametrize(
    "given, shown",
    [
        (ADDRESS, "http://127.0.0.1:9/gateway"),
        ("https://api.example.org/v1", "https://api.example.org/v1"),
        ("http://key@host", "http://host"),
        ("me:secret@host:1", "host:1"),
        ("http://host/a@b", "http://host/a@b"),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_its_credentials(given, shown):
    assert without_credentials(given) == shown
    settings = RunSettings(model=ModelSettings(kind="anthropic", base_url=given))
    assert storable(settings).model.base_url == shown
    assert storable(RunSettings()) == RunSettings()


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A run opened with a key in the environment and a password in the address; this computer is not asked."""
    meep = MeepInterpreter(
        path="/usr/bin/python3",
        python_version="3.11",
        meep_version="1.25.0",
        prefix="/usr",
        prefixes=(),
        searched=(),
    )
    monkeypatch.setattr(
        "flows.reproduce.opening.check_computer", lambda settings: (meep, SandboxLevel("A", "bwrap", ()))
    )
    monkeypatch.setattr(
        "flows.reproduce.reporting.publish_markdown", lambda *args: None
    )  # a page of Prefect's, not a file
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    settings = RunSettings(model=ModelSettings(kind="anthropic", base_url=ADDRESS, timeout_s=5))
    paper = coating.write_paper(tmp_path / "paper")
    return open_run(str(paper), settings, tmp_path / "outputs", None, Console(quiet=True))


@pytest.mark.attack("secrets", "in no file of the run")
def test_nothing_a_run_writes_holds_key_or_password(run):
    request = a_request()
    with pytest.raises((TransientModelError, FatalModelError)) as caught:  # nobody listens on port 9
        run.model.answer(request, ReviewAnswer)
    assert "http://127.0.0.1:9/gateway" in str(caught.value)
    run.transcript.add(a_call().model_copy(update={"notes": (str(caught.value),)}))
    write_page(
        run.run_dir / "requests",
        "planner.-.1.1.0",
        request.digest(),
        request_page(request, run.run_dir / "requests"),
    )
    report, page = final_report(run, False)
    assert "Messages API at http://127.0.0.1:9/gateway" in report.read_text()
    written = [path for path in run.run_dir.rglob("*") if path.is_file()]
    assert {"run.json", "transcript.jsonl", report.name, page.name, "costs.json"} <= {
        path.name for path in written
    }
    for path in written:
        text = path.read_text(encoding="utf-8", errors="replace")
        for secret in (KEY, PASSWORD, "hunter2", "abc123"):
            assert secret not in text, path.name
        if path.suffix in (".json", ".jsonl", ".md"):
            assert secrets_in(text) == (), path.name


def test_the_run_itself_keeps_the_address_and_can_be_given_it_again(run, monkeypatch):
    assert run.settings.model.base_url == ADDRESS
    assert read_record(run.run_dir).settings.model.base_url == "http://127.0.0.1:9/gateway"
    resumed = []
    monkeypatch.setattr("flows.cli._run", lambda paper, settings, outputs, run_id: resumed.append(settings))
    outputs = str(run.run_dir.parent.parent)
    assert reprolab("resume", run.run_id, "--base-url", ADDRESS, "-o", outputs).exit_code == 0
    assert reprolab("resume", run.run_id, "-o", outputs).exit_code == 0
    assert [settings.model.base_url for settings in resumed] == [ADDRESS, "http://127.0.0.1:9/gateway"]


def test_the_header_names_the_base_prompts(run):
    from flows.reproduce.planning.adapting import prompt_digests, written_for

    assert written_for(run) == prompt_digests() and len(prompt_digests()["planner"]) == 64
