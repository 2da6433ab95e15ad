"""Papers the live benchmarks run on: a bundled one with its recording, or the coating paper of the tests."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.command import Command
from tasks.reproduce.papers import BUNDLED
from tests.flow import coating
from tests.messages_server import MessagesServer, context_answerer
from tests.messages_server.answerers import Answerer

COATING = "coating"
ANSWERS = ("--answer", "material_checkpoint=approve")


@dataclass(frozen=True)
class Recorded:
    """A paper and a recording of it. paper: as given to `reprolab reproduce`."""

    paper: str
    transcript: Path

    def answerer(self) -> Answerer:
        """Answers by what a request says."""
        return context_answerer(self.transcript)


def default_paper() -> str:
    """ge-on-gold once its recording is bundled, the coating paper until then."""
    return "ge-on-gold" if (BUNDLED / "ge-on-gold" / "transcript.jsonl").is_file() else COATING


def bundled(paper: str) -> Recorded:
    """A bundled paper with its recording."""
    transcript = BUNDLED / paper / "transcript.jsonl"
    if not transcript.is_file():
        raise SystemExit(
            f"{paper} has no recording at {transcript}; allowed: a bundled paper with one, {COATING}"
        )
    return Recorded(paper, transcript)


def recorded(paper: str, folder: Path, outputs: Path) -> Recorded:
    """The paper with its recording. For the coating paper a first run without faults makes one."""
    if paper != COATING:
        return bundled(paper)
    source = coating.write_paper(folder / COATING)
    with (
        MessagesServer(coating.answer) as server,
        Command(
            (
                "reproduce",
                str(source),
                "--outputs",
                str(outputs),
                "--model",
                "anthropic",
                "--base-url",
                server.base_url,
                *ANSWERS,
            )
        ) as run,
    ):
        run.finish()
    return Recorded(str(source), latest(outputs) / "transcript.jsonl")


def settings_file(folder: Path, **settings: Any) -> Path:
    """A file for --settings."""
    path = folder / "settings.json"
    path.write_text(json.dumps(settings), encoding="utf-8")
    return path


def latest(outputs: Path) -> Path:
    """The directory of the newest run in these outputs."""
    runs = [path.parent for path in outputs.glob("*/*/run.json") if not path.parent.is_symlink()]
    return max(runs, key=lambda path: path.stat().st_ctime_ns)


def called(run_dir: Path) -> list[str]:
    """Labels of the model calls in a run's transcript, in order."""
    lines = (run_dir / "transcript.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    entries = [json.loads(line) for line in lines]
    return [
        ".".join(str(part) for part in _label(entry["position"]))
        for entry in entries
        if entry.get("kind", "call") == "call"
    ]


def comparisons(run_dir: Path) -> dict[str, Any]:
    """Target id -> its comparison as the run wrote it, from every stage's comparison.json."""
    found = [
        entry
        for path in sorted(run_dir.glob("*/comparison.json"))
        for entry in json.loads(path.read_text(encoding="utf-8"))
    ]
    return {entry["target_id"]: entry for entry in found}


def _label(position: dict[str, Any]) -> tuple[Any, ...]:
    return (
        position["agent"],
        position.get("stage_id", "-"),
        position.get("attempt", 1),
        position.get("round", 1),
        position.get("step", 0),
    )
