"""Runs as files, without running anything: run.json, manual requests, a transcript, a snapshot."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner, Result

from agents.models.manual.manual_files import write_page
from agents.models.manual.manual_page import request_page
from flows.cli import app
from flows.reproduce.kept_records import RunRecord
from schemas.reproduce.settings import RunSettings
from schemas.run.settings import ModelSettings
from schemas.talking.transcript import AgentRequest

RUN_ID = "20260102-030405-abcd"


def make_run(outputs: Path, *, kind: str = "manual") -> Path:
    """The folder of a run of the paper `film`."""
    run_dir = outputs / "film" / RUN_ID
    (run_dir / "requests").mkdir(parents=True)
    settings = RunSettings(model=ModelSettings.model_validate({"kind": kind}))
    record = RunRecord(
        run_id=RUN_ID, paper="film", paper_id="film", settings=settings, started="2026-01-02T03:04:05+00:00"
    )
    (run_dir / "run.json").write_text(record.model_dump_json())
    return run_dir


def add_request(run_dir: Path, request: AgentRequest) -> Path:
    """The page of a manual request, as the run writes it."""
    requests = run_dir / "requests"
    return write_page(requests, request.position.label(), request.digest(), request_page(request, requests))


def reprolab(*words: str, text: str | bytes | None = None) -> Result:
    """The command line, called in this process."""
    return CliRunner().invoke(app, list(words), input=text, prog_name="reprolab")
