"""A recording replayed as a whole run: real flow, sandbox and Meep; what it came to, from its files."""

from __future__ import annotations

import contextlib
import json
import re
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from tests.lies.kit import read

_FAILED = re.compile(r"(?:execution|physics): fail \((.*)\)\n")
_SENT_BACK = re.compile(r"(?:plan|design|code) sent back: (.*)")


@dataclass(frozen=True)
class Ran:
    """What a run came to. classes: target -> class; a target of a stage that was given up is missing there.

    compared: target -> its evidence. sent_back: what code said to whoever described or planned. failed: what it said of what ran.
    words: lines of the report.
    """

    verdict: str
    classes: dict[str, str] = field(default_factory=dict)
    compared: dict[str, dict[str, object]] = field(default_factory=dict)
    sent_back: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    broken: str = ""
    seconds: float = 0.0
    folder: str = ""


def run(paper: Path, outputs: Path, log: Path) -> Ran:
    """The whole run of a paper's folder with its recording, in this process, beside a Prefect server."""
    from prefect import flow

    from flows.reproduce.regressing.replay import replay
    from flows.reproduce.regressing.subject import subject
    from flows.terminal.console import Console
    from flows.terminal.in_terminal import speak_through
    from schemas.reproduce.settings import RunSettings

    began, run_ids, broken = time.monotonic(), list[str](), ""
    log.parent.mkdir(parents=True, exist_ok=True)

    @flow(name="fault", persist_result=False)
    def one() -> None:
        this = subject(str(paper), outputs, RunSettings())
        replay(this, outputs, "", Console(), run_ids.append)

    with (
        log.open("w", buffering=1) as said,
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        try:
            speak_through(Console())
            one()
        except BaseException as error:  # noqa: BLE001  a run that ends so is shown as such
            traceback.print_exc()
            broken = f"{type(error).__name__}: {error}"
    folder = next(iter(outputs.glob(f"*/{run_ids[0]}")), None) if run_ids else None
    seconds = time.monotonic() - began
    if folder is None:
        return Ran("no run", broken=broken, seconds=seconds)
    classes, verdict, report = read(folder)
    compared: dict[str, dict[str, object]] = {}
    for path in sorted(folder.glob("*/comparison.json")):
        compared |= {entry["target_id"]: entry for entry in json.loads(path.read_text(encoding="utf-8"))}
    said_of_it = log.read_text(encoding="utf-8")
    return Ran(
        verdict,
        classes,
        compared,
        sent_back=tuple(dict.fromkeys(_SENT_BACK.findall(said_of_it))),
        told=_told(folder),
        failed=tuple(dict.fromkeys(_FAILED.findall(said_of_it))),
        words=tuple(dict.fromkeys(line.strip() for line in report.splitlines() if line.strip())),
        broken=broken,
        seconds=seconds,
        folder=str(folder),
    )


def _told(folder: Path) -> tuple[str, ...]:
    """What code found in plan and designs and told their reviewers, but for notes and what it costs."""
    entries = map(json.loads, (folder / "transcript.jsonl").read_text(encoding="utf-8").splitlines())
    given = (
        part["text"]
        for entry in entries
        if (entry.get("position") or {}).get("agent") in ("plan_reviewer", "design_reviewer")
        and "answer" in entry
        for part in entry["request"]["context"]
        if part["title"] == "findings"
    )
    found = (issue for text in given for issue in json.loads(text))
    return tuple(
        dict.fromkeys(
            f"{issue['where']}: {issue['description']}"
            for issue in found
            if issue["severity"] != "minor" and issue["where"] != "cost"
        )
    )
