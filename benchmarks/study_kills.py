"""`python -m benchmarks.study_kills`: SIGKILL at random moments of a live study, then `reprolab resume`.

The study is the bundled voice-or-touch over the tests' Messages API, which answers what is recorded of each call: eight
participants, four nodes side by side, coders, a review that sends the paper back. The package at its end must hold the files of
an undisturbed one. The model's server counts what it answered: an answer that was kept when the kill came is never asked for
again, and not more is bought twice than runs side by side. Questions are counted in the transcript, ends of nodes in
what was said. Ends with code 1 when something is off. `--folder` keeps what was done, so that a second call goes on.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.kill_series import PATIENCE_S, Series, Work, bought_again, counted_faults, faults_in_words
from benchmarks.kills_team import Team
from schemas.talking.transcript import TranscriptEntry
from tasks.study.bundled_studies import RECORDING, STUDIES
from tests.flow.kit import Cli, Model
from tests.messages_server import label_of

STUDY = "voice-or-touch"
APPROVED = tuple(
    word
    for kind in ("after_scope", "after_design", "before_package")
    for word in ("--answer", f"{kind}=approve")
)
TIMES = ("package.json", "manifest.json")  # hold the time of each file
SIDE_BY_SIDE, _AFTER_S = 4, 1.5


@dataclass(frozen=True)
class Left:
    """What a study left. package: file -> SHA-256. answered: what the model's server answered, by label. questions: how often
    each was put. seconds: its length."""

    package: dict[str, str]
    answered: dict[str, int]
    questions: dict[str, int]
    seconds: float


@dataclass(frozen=True)
class Kill:
    """A study that was killed. answers: so many were bought by then. place: the last line it had said. done: nodes that were
    completed by then. again: answers that were bought twice. faults: none is good."""

    at_s: float
    answers: int
    place: str
    done: int
    ended_before: bool
    again: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def recorded(transcript: Path) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """What a transcript holds for a call, by the place of the run that the request names."""
    lines = transcript.read_text(encoding="utf-8").splitlines()[1:]
    entries = [TranscriptEntry.model_validate_json(line) for line in lines if line.strip()]
    answers = {entry.position.label(): entry.answer for entry in entries if entry.kind == "call"}
    return lambda request: answers[label_of(request)]


class Study(Work):
    """One study in a folder of its own, with a model's server of its own."""

    def __init__(self, folder: Path, team: Team):
        super().__init__(folder, team, Model(recorded(STUDIES / STUDY / RECORDING)))

    def begun(self) -> bool:
        """Whether there is a run to go on with."""
        return any(not path.parent.is_symlink() for path in self.bench.outputs.glob("*/*/run.json"))

    def go(self) -> Cli:
        """Begin it, or go on with it."""
        if self.begun():
            return self.bench.start("resume", "latest")
        return self.bench.start(
            "study",
            STUDY,
            "--model",
            "anthropic",
            "--base-url",
            self.model.server.base_url,
            "--parallel",
            str(SIDE_BY_SIDE),
            *APPROVED,
        )

    def entries(self) -> list[dict[str, Any]]:
        """The whole lines of the transcript; the last may be half a line at a kill."""
        path = self.bench.run_dir / "transcript.jsonl" if self.begun() else None
        lines = path.read_bytes().split(b"\n")[:-1] if path is not None and path.is_file() else []
        return [json.loads(line) for line in lines[1:]]

    def kept(self) -> set[str]:
        """Labels of the calls whose answers are kept."""
        entries = [TranscriptEntry.model_validate(entry) for entry in self.entries()]
        return {entry.position.label() for entry in entries if entry.kind == "call"}

    def done(self) -> set[str]:
        """Nodes that are completed."""
        files = [*self.bench.outputs.glob(f"*/*/{STUDY}/pipeline.json")]
        return (
            {
                node["id"]
                for node in json.loads(files[0].read_text())["nodes"]
                if node["status"] == "completed" and not node["children"]
            }
            if files
            else set()
        )

    def left(self) -> Left:
        """What it left."""
        folder = self.bench.run_dir / STUDY / "artifacts"
        package = {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name not in TIMES
        }
        asked = Counter(
            entry["request"]["question_id"] for entry in self.entries() if entry.get("kind") == "question"
        )
        return Left(package, dict(self.model.answered), dict(asked), time.monotonic() - self.began)


def undisturbed(folder: Path, team: Team) -> Left:
    """A study that nobody disturbs. Raises SystemExit where it does not come to its end."""
    with Study(folder, team) as one:
        run = one.go()
        if run.wait(PATIENCE_S):
            raise SystemExit(f"the undisturbed study failed:\n{run.out[-500:]}{run.err[-2000:]}")
        return one.left()


def disturbed(folder: Path, team: Team, alone: Left, chance: random.Random) -> Kill:
    """A study killed a moment after the model's server gave a number of answers that is drawn, and gone on with. By answers, as
    a busy computer may take most of the time to start a process."""
    answers, more = chance.randint(0, sum(alone.answered.values())), chance.uniform(0, _AFTER_S)
    with Study(folder, team) as one:
        run = one.go()
        while run.process.poll() is None and sum(one.model.answered.values()) < answers:
            time.sleep(0.01)
        end = time.monotonic() + more
        while run.process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        at, ended = time.monotonic() - one.began, run.process.poll() is not None
        said = run.err.strip().splitlines()
        if not ended:
            run.kill()
        kept, done, before = one.kept(), one.done(), Counter(one.model.answered)
        if not ended:
            run = one.go()
        code = run.wait(PATIENCE_S)
        place = said[-1] if said else "before its first line"
        if code:
            return Kill(
                at,
                sum(before.values()),
                place,
                len(done),
                ended,
                (),
                (f"exit code {code}: {run.err[-500:]}",),
            )
        found = one.left()
        again = bought_again(found, alone)
        wrong = faults(found, alone, again, kept)
        wrong += [
            f"bought although it was kept: {label}"
            for label in kept
            if found.answered.get(label, 0) > before[label]
        ]
        wrong += [f"done again: {node}" for node in done if not ended and f"{node}: done (" in run.err]
    return Kill(at, sum(before.values()), place, len(done), ended, again, tuple(wrong))


def faults(found: Left, alone: Left, again: tuple[str, ...], kept: set[str]) -> list[str]:
    """What was lost, repeated or changed; nothing is good."""
    other = sorted(
        name
        for name in {*found.package, *alone.package}
        if found.package.get(name) != alone.package.get(name)
    )
    wrong = [f"other files than undisturbed: {', '.join(other[:8])}"] if other else []
    wrong += [f"bought twice: {label}" for label in again if label in kept]
    return wrong + counted_faults(found, alone, SIDE_BY_SIDE)


def summary(alone: Left, kills: list[Kill]) -> str:
    """The series in words."""
    bought = sorted(kill.answers for kill in kills)
    bad = faults_in_words(kills)
    again = sum(len(kill.again) for kill in kills)
    return "\n".join(
        [
            f"{len(kills)} studies ({sum(alone.answered.values())} calls of models, {SIDE_BY_SIDE} nodes side by side, "
            f"{sum(alone.questions.values())} questions; {alone.seconds:.0f} s undisturbed), each killed once after {bought[0]} "
            f"to {bought[-1]} answers, with {min(kill.done for kill in kills)} to {max(kill.done for kill in kills)} nodes "
            f"completed ({sum(kill.ended_before for kill in kills)} had ended before), and resumed.",
            f"{len(kills) - len(bad)} ended with the {len(alone.package)} files of the undisturbed package, byte for byte, no "
            f"completed node or question again, and no answer bought twice but those that were under way at the kill ({again} in "
            "all).",
            *bad,
        ]
    )


if __name__ == "__main__":
    sys.exit(
        Series(
            "study_kills",
            "guide/study.md",
            Left,
            Kill,
            undisturbed,
            disturbed,
            lambda kill: f"{kill.answers:2d} answers {kill.done:2d} nodes  {kill.place}",
            summary,
        ).main(__doc__)
    )
