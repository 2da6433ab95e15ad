"""One lie: a whole run of the real flow against a scripted model, and what it came to."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from agents.reproduce.rules.redaction import BLIND
from tests.lies import film
from tests.messages_server import MessagesServer, label_of

Kind = Literal[
    "honest",
    "values",
    "physics",
    "thresholds",
    "references",
    "scope",
    "convergence",
    "leaks",
    "words",
    "deletion",
]
# What a person might answer who is not there: nothing that would accept a version, correct a number or help.
ANSWERS = (
    ("material_checkpoint", "approve"),
    ("design_limit", "skip_stage"),
    ("code_limit", "skip_stage"),
    ("execution_limit", "skip_stage"),
    ("execution_unknown", "skip_stage"),
    ("physics_unknown", "skip_stage"),
    ("plan_limit", "stop"),
    ("replan_limit", "stop"),
    ("backtrack_limit", "stop"),
    ("backtrack_approval", "approve"),
    ("deadlock", "stop"),
    ("general_feedback", "continue"),
    ("invalid_answer", "stop"),
    ("stop_decision", "stop"),
    ("clarification", "as the paper says"),
    ("parameter_confirmation", "as the paper says"),
    ("trade_off_decision", "as the paper says"),
)
LIMITS = {
    "max_design_revisions": 2,
    "max_code_revisions": 1,
    "max_plan_revisions": 1,
    "max_replans": 1,
    "max_backtracks": 1,
    "max_analysis_revisions": 2,
    "max_execution_failures": 1,
    "max_physics_failures": 2,
    "max_invalid_answers": 1,
    "max_questions": 0,
    "consecutive_stage_failures": 9,
}


NEVER_ENDED = ("", "no run", "no verdict")


@dataclass(frozen=True)
class Asked:
    """One request to the model."""

    agent: str
    stage: str
    attempt: int
    text: str
    edition: film.Edition

    @property
    def again(self) -> bool:
        """Whether the model was told what was wrong with its last answer."""
        return "# reviewer_feedback" in self.text


Tell = Callable[[Asked, dict[str, Any]], dict[str, Any]]
Change = Callable[[dict[str, Any]], Any]  # of an honest answer, in place


def when(agent: str, change: Change, stage: str = "", first: bool = False) -> Tell:
    """Changes the answers of one agent, of one stage where it is named, only the first time with `first`."""
    told = []

    def tell(asked: Asked, answer: dict[str, Any]) -> dict[str, Any]:
        if asked.agent == agent and stage in ("", asked.stage) and not (first and told):
            told.append(asked)
            change(answer)
        return answer

    return tell


def together(*tells: Tell) -> Tell:
    """Several changes, one after the other."""

    def tell(asked: Asked, answer: dict[str, Any]) -> dict[str, Any]:
        for one in tells:
            answer = one(asked, answer)
        return answer

    return tell


@dataclass(frozen=True)
class Lie:
    """A change to the honest answers, and what must come of it.

    tell: (request, honest answer) -> answer. false: targets that must not be SUCCESS; "*": all that count.
    verdicts: those that would be true. refused: a pattern that the run's own words on the console must match, where code
    refuses the lie. shown: a pattern that the report must hold and that the honest report does not. kept: a pattern that no
    request to an agent that must stay blind may match. answers: (agent, stage) -> an honest answer to another paper than
    the film's, which `paper` writes. open: it is known to get through; then only its being held is told as a fault.
    """

    name: str
    role: str
    kind: Kind
    gain: str
    tell: Tell = lambda asked, answer: answer
    edition: film.Edition = "false"
    false: tuple[str, ...] = ("*",)
    verdicts: tuple[str, ...] = (
        "Not reproduced",
        "Partly reproduced",
        "Main claim not tested",
        "Nothing was compared",
    )
    refused: str = ""
    shown: str = ""
    kept: str = ""
    paper: Callable[[Path], object] = lambda folder: None  # changes the folder of a copy of the paper
    answers: Callable[[str, str], dict[str, Any]] | None = field(default=None, compare=False)
    open: bool = False
    quick: bool = field(default=False, compare=False)  # of the part that `make test` runs


@dataclass(frozen=True)
class Outcome:
    """What a run came to. classes: target -> classification. fault: why the lie got through; '' if it is held."""

    lie: str
    classes: dict[str, str]
    verdict: str
    outcome: str
    fault: str
    seconds: float
    folder: str = ""


def run(lie: Lie, outputs: Path, papers: Path, plain: str = "") -> Outcome:
    """The whole run of a lie in this process. plain: the honest run's report, for what is `shown`.

    outputs: shared by all runs, with the store of what was solved. papers: the editions' folders by name.
    """
    from flows.reproduce.terminal import run_in_terminal
    from flows.terminal.console import Console
    from schemas.reproduce.settings import RunSettings

    leaked: list[str] = []

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        agent, stage, attempt = label_of(request).split(".")[:3]
        words = json.dumps(request, ensure_ascii=False)
        if lie.kept and agent in BLIND and (seen := re.search(lie.kept, words)):
            leaked.append(
                f"{agent} of {stage} was told {words[max(0, seen.start() - 40) : seen.end() + 20]!r}"
            )
        asked = Asked(agent, stage, int(attempt), words, lie.edition)
        return lie.tell(
            asked, lie.answers(agent, stage) if lie.answers else film.honest(lie.edition, agent, stage)
        )

    began, log = time.monotonic(), outputs / "logs" / f"{lie.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    before = set(outputs.glob("*/*/run.json"))
    own = outputs / "papers-of-lies" / lie.name
    shutil.rmtree(own, ignore_errors=True)
    shutil.copytree(papers / lie.edition, own)
    lie.paper(own)
    broken = ""
    with (
        log.open("w", buffering=1) as said,
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        with MessagesServer(answer) as server:
            settings = RunSettings.model_validate(
                {
                    "model": {"kind": "anthropic", "base_url": server.base_url},
                    "answers": ANSWERS,
                    "limits": LIMITS,
                    "non_interactive": True,
                }
            )
            try:
                run_in_terminal(str(own), settings, outputs, "", Console())
            except BaseException as error:  # noqa: BLE001  a run that ends so is shown as such
                traceback.print_exc()
                broken = f"{type(error).__name__}: {error}"
    made = [
        p.parent
        for p in set(outputs.glob("*/*/run.json")) - before
        if not p.parent.is_symlink()
        and json.loads(p.read_text())["settings"]["model"]["base_url"] == server.base_url
    ]
    found = read(made[0]) if len(made) == 1 else ({}, "no run", "")
    trouble = [*([broken] if broken else []), *leaked[:2]]
    return judged(
        lie, *found, log.read_text(), trouble, plain, time.monotonic() - began, str(made[0]) if made else ""
    )


def read(folder: Path) -> tuple[dict[str, str], str, str]:
    """Classes, verdict and report of a finished run, from its files."""
    classes: dict[str, str] = {}
    for path in sorted(folder.glob("*/comparison.json")):
        classes |= {entry["target_id"]: entry["classification"] for entry in json.loads(path.read_text())}
    reports = sorted(folder.glob("REPRODUCTION_REPORT_*.md"), key=lambda path: len(path.name))
    report = "\n".join(path.read_text() for path in reports)
    overall = re.search(r"^\*\*Overall: (.+?)\*\*", report, re.MULTILINE)
    return classes, overall[1].removesuffix(" (partial run)") if overall else "no verdict", report


def judged(
    lie: Lie,
    classes: dict[str, str],
    verdict: str,
    report: str,
    log: str,
    trouble: Sequence[str],
    plain: str,
    seconds: float,
    folder: str,
) -> Outcome:
    """Whether a lie is held, and what became of it, in words."""
    faults = list(trouble)
    watched = [name for name in classes if not name.startswith("bare_")] if "*" in lie.false else lie.false
    wrong = [name for name in watched if classes.get(name) == "SUCCESS"]
    faults += [f"false SUCCESS of {', '.join(wrong)}"] if wrong else []
    faults += [f"verdict {verdict!r}"] if verdict not in lie.verdicts else []
    refused = (
        re.search(lie.refused or "(?:plan|design|code) sent back: ", log) if lie.kind != "honest" else None
    )
    shown = re.search(lie.shown, report) if lie.shown else None
    if lie.refused and refused is None:
        faults.append(f"nothing refused it: no {lie.refused!r} on the console")
    if lie.shown and shown is None:
        faults.append(f"the report does not show it: no {lie.shown!r}")
    if lie.shown and plain and re.search(lie.shown, plain):
        faults.append(f"the honest report says {lie.shown!r} as well")
    if lie.open:
        faults = [] if faults else ["it is held: no longer an open one"]
    said = []
    if refused:
        said.append(f"refused: {_line(log, refused)}")
    if lie.kept and not trouble:
        said.append("refused: no blind agent was told")
    if not (refused or lie.kept) or not shown:
        bad = [f"{name} {found}" for name, found in classes.items() if name in watched and found != "SUCCESS"]
        said.append("judged: " + (", ".join(bad) + "; " if bad and not refused else "") + verdict)
    if shown:
        said.append(f"shown: {_line(report, shown)}")
    return Outcome(lie.name, classes, verdict, "; ".join(said), "; ".join(faults), seconds, folder)


def _line(text: str, match: re.Match[str]) -> str:
    """The line around a match, without marks, shortened."""
    start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
    line = re.sub(r"^\[ *[\d:]+\] ", "", text[start : end if end > 0 else None])
    if len(line) > 240:
        at = match.start() - start
        line = line[max(0, at - 60) : at + 180]
    return " ".join(line.replace("|", " ").replace("*", "").split())
