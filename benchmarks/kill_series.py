"""A series of kills: one work undisturbed, then the same killed at random moments and gone on with, as often as time allows."""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from benchmarks.kills_team import Team
from benchmarks.measures import machine
from tests.flow.kit import Bench, Model

DOCS = Path(__file__).resolve().parent.parent / "docs"
PATIENCE_S = 900.0


class WorkLeft(Protocol):
    """What a work left. answered: what the model's server answered, by label. questions: how often each was put."""

    answered: dict[str, int]
    questions: dict[str, int]
    seconds: float


class Killed(Protocol):
    """A work that was killed. faults: none is good."""

    at_s: float
    faults: tuple[str, ...]


Left = TypeVar("Left", bound=WorkLeft)
Kill = TypeVar("Kill", bound=Killed)


class Work:
    """A work in a folder of its own, on a team's server, with a model's server of its own."""

    def __init__(self, folder: Path, team: Team, model: Model):
        folder.mkdir()
        self.bench = Bench(folder, team.api)
        self.bench.env |= {"PREFECT_API_AUTH_STRING": team.password, "ANTHROPIC_API_KEY": "sk-test"}
        self.model = model
        self.began = time.monotonic()

    def __enter__(self) -> Self:
        self.model.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.bench.close()
        self.model.__exit__(*error)


@dataclass(frozen=True)
class Series(Generic[Left, Kill]):
    """What kind of work is killed. name: of the module and of the marks in its page below docs/. left, kill: types of what is
    kept. undisturbed: plays it in a folder. disturbed: plays it killed at a moment that its chances give. told: a kill in a
    line. summary: the series in words."""

    name: str
    page: str
    left: type[Left]
    kill: type[Kill]
    undisturbed: Callable[[Path, Team], Left]
    disturbed: Callable[[Path, Team, Left, random.Random], Kill]
    told: Callable[[Kill], str]
    summary: Callable[[Left, list[Kill]], str]

    def main(self, doc: str | None) -> int:
        """The program; 1 if a work lost, repeated or changed something."""
        parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{self.name}", description=doc)
        parser.add_argument("--kills", type=int, default=20, help="how many in all (default 20)")
        parser.add_argument(
            "--minutes", type=float, default=600, help="begin no further one after so many (default 600)"
        )
        parser.add_argument("--seed", type=int, default=0, help="of the moments (default 0)")
        parser.add_argument(
            "--folder", type=Path, help="where results are kept; go on with those there (default: a new one)"
        )
        parser.add_argument("--write", action="store_true", help=f"keep the summary in docs/{self.page}")
        given = parser.parse_args()
        folder = given.folder or Path(tempfile.mkdtemp(prefix="reprolab-kill-series-"))
        folder.mkdir(parents=True, exist_ok=True)
        alone, kills = self.played(folder, given.kills, given.seed, 60 * given.minutes)
        text = f"{machine()}.\n\n{self.summary(alone, kills) if kills else 'Nothing was killed.'}"
        print(text)
        if given.write:
            self._write(text)
        return 1 if any(kill.faults for kill in kills) else 0

    def played(self, folder: Path, count: int, seed: int, seconds: float) -> tuple[Left, list[Kill]]:
        """The undisturbed work and the kills of a folder, with new ones up to `count` for as long as `seconds`."""
        begun, kept, first = time.monotonic(), folder / "kills.jsonl", folder / "undisturbed.json"
        kills = self.kept(kept, seed)
        with tempfile.TemporaryDirectory(prefix="reprolab-kills-") as name:
            place = Path(name)
            place.chmod(0o711)
            team = Team(place / "team", place)
            try:
                team.start_server()
                if not first.exists():
                    first.write_text(json.dumps(asdict(self.undisturbed(place / "undisturbed", team))))  # type: ignore[call-overload]
                alone = self.left(**json.loads(first.read_text()))
                print(
                    f"undisturbed: {alone.seconds:.1f} s, {sum(alone.answered.values())} answers", flush=True
                )
                while len(kills) < count and time.monotonic() - begun < seconds:
                    chance = random.Random(f"{seed} {len(kills)}")
                    kills.append(self.disturbed(place / f"{len(kills):03d}", team, alone, chance))
                    with kept.open("a") as lines:
                        lines.write(json.dumps({"seed": seed, **asdict(kills[-1])}) + "\n")  # type: ignore[call-overload]
                    print(
                        f"{len(kills):3d} {kills[-1].at_s:6.1f} s  {self.told(kills[-1])[:80]:80s} "
                        f"{'; '.join(kills[-1].faults) or 'ok'}",
                        flush=True,
                    )
            finally:
                team.kill_server()
        return alone, kills

    def kept(self, path: Path, seed: int) -> list[Kill]:
        """The kills of a folder. Another seed there, or none, ends the program: the moments would not be of one series."""
        kills = []
        for line in map(json.loads, path.read_text(encoding="utf-8").splitlines() if path.exists() else ()):
            held = line.pop("seed", None)
            if held != seed:
                raise SystemExit(
                    f"{path} holds kills of {'no seed' if held is None else f'seed {held}'}, not of seed {seed}; "
                    "give that one, or another --folder"
                )
            kills.append(self.kill(**line))
        return kills

    def _write(self, text: str) -> None:
        page = DOCS / self.page
        begin, end = (f"<!-- {self.name.replace('_', '-')}: {word} -->" for word in ("begin", "end"))
        head, mark, rest = page.read_text(encoding="utf-8").partition(begin)
        if not mark or end not in rest:
            sys.exit(f"{page} lacks the marks {begin} and {end}")
        page.write_text(f"{head}{begin}\n{text}\n{end}{rest.partition(end)[2]}", encoding="utf-8")


def bought_again(found: WorkLeft, alone: WorkLeft) -> tuple[str, ...]:
    """Labels of answers that were bought more often than undisturbed, each as often as that."""
    return tuple(sorted((Counter(found.answered) - Counter(alone.answered)).elements()))


def counted_faults(found: WorkLeft, alone: WorkLeft, side_by_side: int) -> list[str]:
    """What counting shows of a killed work: more bought again than can be under way, calls left out, questions put again."""
    again, missing = bought_again(found, alone), Counter(alone.answered) - Counter(found.answered)
    wrong = [f"{len(again)} answers bought again"] if len(again) > side_by_side else []
    wrong += [f"never asked for: {', '.join(missing)}"] if missing else []
    wrong += (
        [f"questions: {found.questions} instead of {alone.questions}"]
        if found.questions != alone.questions
        else []
    )
    return wrong


def faults_in_words(kills: list[Any]) -> list[str]:
    """A line for each kill that something is wrong with."""
    return [
        f"- after {kill.at_s:.1f} s ({kill.place}): {'; '.join(kill.faults)}" for kill in kills if kill.faults
    ]
