"""`python -m benchmarks.explore_kills`: SIGKILL at random moments of a live exploration, then `reprolab resume`.

The exploration searches over the tests' Messages API, two nodes side by side, stands still, fans out into a sub-run and goes on
itself. The trees at its end must be those of an undisturbed one. The model's server counts what it answered: a turn is bought
again only where its answer was under way when the kill came, never where it was kept. What tools did is counted in the nodes'
own logs, questions in the transcript. Ends with code 1 when something is off. `--folder` keeps what was done, so that a second
call with the same seed goes on.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.kill_series import PATIENCE_S, Series, Work, bought_again, counted_faults, faults_in_words
from benchmarks.kills_team import Team
from schemas.talking.transcript import Position
from tests.flow import closer_pi
from tests.flow.kit import Answerer, Cli, Model

SIDE_BY_SIDE = 2
SETTINGS = {
    "search": {"max_nodes": 6, "parallel": SIDE_BY_SIDE, "stagnation": {"window": 2}},
    "checkpoints": {"after_ideas": True},
    "answers": [["after_ideas", "approve"]],
}
_LATEST = 0.97


@dataclass(frozen=True)
class Left:
    """What an exploration left. trees: of the run and its sub-runs. answered: what the model's server answered, by label.
    tools: what tools did in each node. questions: how often each was put. seconds: its length."""

    trees: list[Any]
    answered: dict[str, int]
    tools: dict[str, list[str]]
    questions: dict[str, int]
    seconds: float


@dataclass(frozen=True)
class Kill:
    """An exploration that was killed. place: the last line it had said. again: turns bought twice. faults: none is good."""

    at_s: float
    place: str
    ended_before: bool
    again: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


class Exploration(Work):
    """One exploration in a folder of its own, with a model's server of its own."""

    def __init__(
        self,
        folder: Path,
        team: Team,
        answer: Answerer = closer_pi.spread,
        settings: Mapping[str, Any] = SETTINGS,
        workflow: str = "",
    ):
        super().__init__(folder, team, Model(answer, closer_pi.label_with_idea))
        self.goal = closer_pi.write_goal(folder / "goal")
        self.workflow = workflow or str(self.goal.parent / "workflow.yaml")
        (folder / "own.json").write_text(json.dumps(settings))

    def go(self) -> Cli:
        """Begin it, or go on with it."""
        if closer_pi.runs_below(self.bench.outputs):
            return self.bench.start("resume", "latest")
        return self.bench.start(
            "explore",
            str(self.goal),
            "--model",
            "anthropic",
            "--base-url",
            self.model.server.base_url,
            "--settings",
            str(self.bench.folder / "own.json"),
            "--workflow",
            self.workflow,
        )

    def left(self) -> Left:
        """What it left."""
        folders = closer_pi.runs_below(self.bench.outputs)
        logs = {
            f"{number} {log.parent.name}": [json.loads(line)["kind"] for line in log.read_text().splitlines()]
            for number, folder in enumerate(folders)
            for log in sorted(folder.glob("nodes/*/executions.jsonl"))
        }
        lines = [
            line for folder in folders for line in (folder / "transcript.jsonl").read_text().splitlines()[1:]
        ]
        entries = [json.loads(line) for line in lines]
        asked = Counter(
            entry["request"]["question_id"] for entry in entries if entry.get("kind") == "question"
        )
        return Left(
            [closer_pi.tree(folder) for folder in folders],
            dict(self.model.answered),
            logs,
            dict(asked),
            time.monotonic() - self.began,
        )


def undisturbed(folder: Path, team: Team) -> Left:
    """An exploration that nobody disturbs. Raises SystemExit where it does not come to its end."""
    with Exploration(folder, team) as one:
        run = one.go()
        if run.wait(PATIENCE_S):
            raise SystemExit(f"the undisturbed exploration failed:\n{run.err[-2000:]}")
        return one.left()


def disturbed(folder: Path, team: Team, alone: Left, chance: random.Random) -> Kill:
    """An exploration killed at a moment drawn evenly from its undisturbed length, and gone on with."""
    moment = chance.uniform(0.02, _LATEST) * alone.seconds
    with Exploration(folder, team) as one:
        run = one.go()
        while run.process.poll() is None and time.monotonic() < one.began + moment:
            time.sleep(0.01)
        at, ended = time.monotonic() - one.began, run.process.poll() is not None
        said = run.err.strip().splitlines()
        if not ended:
            run.kill()
            under_way = last_of_each_lane(one.model.order) - kept_calls(
                closer_pi.runs_below(one.bench.outputs)
            )
            run = one.go()
        code = run.wait(PATIENCE_S)
        found = one.left() if code == 0 else None
    place = said[-1] if said else "before its first line"
    if found is None:
        return Kill(at, place, ended, (), (f"exit code {code}: {run.err[-500:]}",))
    again = bought_again(found, alone)
    return Kill(at, place, ended, again, tuple(faults(found, alone, again, set() if ended else under_way)))


def last_of_each_lane(order: list[str]) -> set[str]:
    """Of each node, and of what is done for the run, the turn answered last: a later one is asked for only when it is kept."""
    lanes: dict[str, str] = {}
    for label in order:
        agent, place = label.split("@")[0].split(".")[:2]
        node = agent in ("experimenter", "node_evaluator")
        lanes[f"{place}@{label.partition('@')[2]}" if node else "run"] = label
    return set(lanes.values())


def kept_calls(folders: Iterable[Path]) -> set[str]:
    """Labels of the calls whose answers the runs and sub-runs keep: a line of the transcript is written when the answer is. The
    last line may be half a one at a kill."""
    kept = set()
    for folder in folders:
        path, ideas = folder / "transcript.jsonl", dict[str, str]()
        for line in path.read_bytes().split(b"\n")[1:-1] if path.is_file() else ():
            entry = json.loads(line)
            if entry.get("kind", "call") != "call":
                continue
            position = Position.model_validate(entry["position"])
            told = {section["title"]: section["text"] for section in entry["request"].get("context", ())}
            idea = ideas.setdefault(
                position.conversation(), told.get("idea", "")
            )  # a later turn's entry does not repeat it
            kept.add(closer_pi.of_idea(position.label(), idea))
    return kept


def faults(found: Left, alone: Left, again: tuple[str, ...], under_way: set[str]) -> list[str]:
    """What was lost, repeated or changed; nothing is good. under_way: what may be bought again, as it was not kept."""
    wrong = [] if found.trees == alone.trees else ["the trees are others than undisturbed"]
    wrong += [f"bought again: {label}" for label in again if label not in under_way]
    wrong += [
        f"tools in {node}: {found.tools.get(node)} instead of {kinds}"
        for node, kinds in alone.tools.items()
        if found.tools.get(node) != kinds
    ]
    return wrong + counted_faults(found, alone, SIDE_BY_SIDE)


def summary(alone: Left, kills: list[Kill]) -> str:
    """The series in words."""
    times = sorted(kill.at_s for kill in kills)
    bad = faults_in_words(kills)
    again = sum(len(kill.again) for kill in kills)
    lines = [
        f"{len(kills)} explorations of {' + '.join(str(len(tree)) for tree in alone.trees)} nodes (a run and its sub-run, "
        f"{SIDE_BY_SIDE} nodes side by side; {sum(alone.answered.values())} turns of models, "
        f"{sum(map(len, alone.tools.values()))} executions of tools, {sum(alone.questions.values())} question; "
        f"{alone.seconds:.0f} s undisturbed), each killed once after {times[0]:.0f} to {times[-1]:.0f} s",
        f"({sum(kill.ended_before for kill in kills)} had ended before) and resumed.",
        f"{len(kills) - len(bad)} ended with the trees of the undisturbed one, no execution or question twice, and no turn "
        f"bought twice but those whose answer was under way at the kill ({again} in all).",
        *bad,
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(
        Series(
            "explore_kills",
            "guide/explore.md",
            Left,
            Kill,
            undisturbed,
            disturbed,
            lambda kill: kill.place,
            summary,
        ).main(__doc__)
    )
