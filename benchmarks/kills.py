"""`python -m benchmarks.kills`: SIGKILL at random moments; each run ends with the numbers of an undisturbed one, nothing twice.

Three things are killed in turn: the process of a run (then `reprolab resume`), the Prefect server under a run (started again
on the same database; the run asks again, or is resumed), and a worker with the run it works on (a new worker, then Retry on
the flow run). Runs are replays and runs over the Messages API, in turn. The model's server counts what it answered; kept
simulations are known by the time they were written. Ends with code 1 when a count is off.

`--ledger FILE --minutes 11` makes as many as fit into eleven minutes and goes on with the next one when it is called again.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.kills_ledger import Kill, Ledger
from benchmarks.kills_team import Team
from benchmarks.measures import machine
from benchmarks.run import replaced
from tests.flow import coating
from tests.flow.kit import Bench, Model

MARKS = ("<!-- kills: begin -->", "<!-- kills: end -->")
VICTIMS, WAYS = ("run", "server", "worker"), ("over HTTP", "replayed")
_ANSWERS = [["material_checkpoint", "approve"]]
_PATIENCE_S = 900.0
ROUNDING = 1e-6  # relative
_LATEST = 0.97  # of an undisturbed run's length


@dataclass(frozen=True)
class Undisturbed:
    """What a run gives that nobody disturbs. numbers: target -> (class, value). seconds: its length."""

    numbers: dict[str, Any]
    seconds: float
    transcript: Path


def main() -> int:
    """1 if a run lost, repeated or changed something."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="how many in all (default 50)")
    parser.add_argument("--seed", type=int, default=0, help="of the moments (default 0)")
    parser.add_argument("--ledger", type=Path, help="file of the kills made so far: go on with the next one")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no other kill after that time")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/measured/benchmarks.md")
    given = parser.parse_args()
    end = time.monotonic() + 60 * given.minutes
    ledger = Ledger(given.ledger, given.seed)
    kept = (
        given.ledger and given.ledger.with_suffix(".d").resolve()
    )  # the team and the undisturbed run, for the next part
    folder = kept or Path(tempfile.mkdtemp(prefix="reprolab-kills-"))
    folder.mkdir(exist_ok=True)
    folder.chmod(0o711)
    try:
        disturb(folder, ledger, given.kills, end, lambda text: print(text, flush=True))
    finally:
        if not kept or len(ledger.kills) >= given.kills:
            shutil.rmtree(folder, ignore_errors=True)
    text = (
        f"{machine()}.\n{len(ledger.kills)} of {given.kills} kills with seed {given.seed}, {ledger.span}.\n\n"
        f"{summary(ledger.kills)}"
    )
    print(text)
    if given.write:
        replaced(text, MARKS)
    return 1 if any(kill.faults for kill in ledger.kills) else 0


def disturb(folder: Path, ledger: Ledger, count: int, end: float, say: Callable[[str], None]) -> None:
    """Runs, each disturbed once at a random moment, all below `folder`, until the ledger holds `count` or the time is up.

    end: of the monotonic clock. The moment of a kill depends on seed and number only.
    """
    if len(ledger.kills) >= count:
        return
    paper = folder / "coating"
    with Team(folder / "team", paper if paper.exists() else coating.write_paper(paper)) as team:
        alone = _alone(folder, team)
        say(f"undisturbed: {alone.seconds:.1f} s, {alone.numbers}")
        while len(ledger.kills) < count and time.monotonic() < end:
            number = len(ledger.kills)
            victim, way = VICTIMS[number % 3], WAYS[number // 3 % 2]
            moment = random.Random(f"{ledger.seed}-{number}").uniform(0.02, _LATEST) * alone.seconds
            place = folder / f"{number:03d}"
            for left in (
                place,
                team.outputs / place.name,
            ):  # by a part of the series that was ended in the middle
                shutil.rmtree(left, ignore_errors=True)
            with Model() as model:
                kill = (_worker if victim == "worker" else _process)(
                    place, team, model, alone, victim, way, moment
                )
            ledger.add(kill)
            say(
                f"{number + 1:3d} {kill.victim:7s} {kill.way:10s} {kill.at_s:6.1f} s  {'; '.join(kill.faults) or 'ok'}"
            )


def _bench(folder: Path, team: Team) -> Bench:
    folder.mkdir()
    bench = Bench(folder, team.api)
    bench.env["PREFECT_API_AUTH_STRING"] = team.password
    return bench


def _alone(folder: Path, team: Team) -> Undisturbed:
    """An undisturbed run, or what an earlier part of the series found."""
    known, recorded = folder / "alone.json", folder / "recorded.jsonl"
    if known.is_file():
        found = json.loads(known.read_text())
        return Undisturbed(
            {name: tuple(value) for name, value in found["numbers"].items()}, found["seconds"], recorded
        )
    bench = _bench(folder / "alone", team)
    began = time.monotonic()
    with Model() as model:
        code = bench.reproduce(model, "--answer", "material_checkpoint=approve").wait(_PATIENCE_S)
    if code not in FINISHED:
        raise SystemExit(f"the undisturbed run ended with code {code}")
    made = Undisturbed(numbers(bench.run_dir), time.monotonic() - began, recorded)
    shutil.copy(bench.run_dir / "transcript.jsonl", recorded)
    known.write_text(json.dumps({"numbers": made.numbers, "seconds": made.seconds}))
    bench.close()
    return made


FINISHED = (0, 10)  # free scripts are PARTIAL at most


def numbers(run_dir: Path) -> dict[str, Any]:
    """target -> (class, simulated value)."""
    found = {}
    for path in run_dir.glob("*/comparison.json"):
        for entry in json.loads(path.read_text()):
            found[entry["target_id"]] = (entry["classification"], entry["evidence"].get("simulated"))
    return dict(sorted(found.items()))


def _process(
    folder: Path, team: Team, model: Model, alone: Undisturbed, victim: str, way: str, moment: float
) -> Kill:
    """A run from the terminal; killed itself, or its server killed below it."""
    bench = _bench(folder, team)
    replay = ["reproduce", str(bench.paper), "--transcript", str(alone.transcript)]
    run = (
        bench.reproduce(model, "--answer", "material_checkpoint=approve")
        if way == WAYS[0]
        else bench.start(*replay)
    )
    began = time.monotonic()
    while run.process.poll() is None and time.monotonic() < began + moment:
        time.sleep(0.01)
    at, ended = time.monotonic() - began, run.process.poll() is not None
    kept, asked = {**bench.simulated(), **bench.solved()}, Counter(model.answered)
    code: int | None = None
    if victim == "run" and not ended:
        run.kill()
    elif victim == "server":
        team.kill_server()
        team.start_server()
        code = run.wait(_PATIENCE_S)
    else:
        code = run.wait(_PATIENCE_S)
    if code not in FINISHED:
        again = ("resume", bench.run_dir.name) if _begun(bench) else tuple(replay) if way == WAYS[1] else ()
        run = (
            bench.start(*again)
            if again
            else bench.reproduce(model, "--answer", "material_checkpoint=approve")
        )
        code = run.wait(_PATIENCE_S)
    faults = _faults(bench, model, alone, kept, asked, code, run.err)
    bench.close()
    return Kill(victim, way, at, ended, faults)


def _begun(bench: Bench) -> bool:
    return any(not path.parent.is_symlink() for path in bench.outputs.glob("*/*/run.json"))


def _worker(
    folder: Path, team: Team, model: Model, alone: Undisturbed, victim: str, way: str, moment: float
) -> Kill:
    """A run of a deployment; its process and the worker are killed, a new worker starts, and a person presses Retry."""
    outputs = team.outputs / folder.name
    model_settings = (
        {"kind": "anthropic", "base_url": model.server.base_url}
        if way == WAYS[0]
        else {"kind": "replay", "transcript": str(team.allowed(alone.transcript))}
    )
    team.start_worker({"REPROLAB_ALLOW_MODELS": model.server.base_url})
    flow_run = team.start_run(
        {
            "paper": str(team.paper),
            "outputs": str(outputs),
            "settings": {"model": model_settings, "answers": _ANSWERS},
        }
    )
    began = time.monotonic()
    while time.monotonic() < began + moment + team.delay_s and not team.over(flow_run):
        time.sleep(0.05)
    at, ended = time.monotonic() - began, team.over(flow_run)
    kept, asked = _kept(outputs), Counter(model.answered)
    team.kill_worker()
    team.start_worker({"REPROLAB_ALLOW_MODELS": model.server.base_url})
    team.retry_until_over(flow_run, _PATIENCE_S)
    state = team.state(flow_run)
    runs = [path.parent for path in outputs.glob("*/*/run.json") if not path.parent.is_symlink()]
    faults = [] if len(runs) == 1 else [f"{len(runs)} run folders"]
    faults += (
        [] if state["name"] in ("Partial", "Completed") else [f"ended as {state['name']}: {state['message']}"]
    )
    if runs:
        faults += differences(numbers(runs[0]), alone.numbers)
    faults += _repeated(kept, _kept(outputs)) + _bought_again(asked, model)
    team.kill_worker()
    return Kill(victim, way, at, ended, tuple(faults))


def _kept(outputs: Path) -> dict[str, int]:
    kept = outputs / ".reprolab"
    files = [*kept.glob("simulations/*/execution.json"), *kept.glob("runs/*/outcome.json")]
    return {path.parent.name: path.stat().st_mtime_ns for path in files}


def _faults(
    bench: Bench,
    model: Model,
    alone: Undisturbed,
    kept: dict[str, int],
    asked: Counter[str],
    code: int | None,
    said: str,
) -> tuple[str, ...]:
    found = [] if code in FINISHED else [f"exit code {code}: {said[-300:]}"]
    found += differences(numbers(bench.run_dir), alone.numbers)
    return (*found, *_repeated(kept, {**bench.simulated(), **bench.solved()}), *_bought_again(asked, model))


def differences(found: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    """Targets whose class or number is another one: beyond ROUNDING, as MPB begins with random fields."""
    return [
        f"{name}: {found.get(name)} instead of {value}"
        for name, value in expected.items()
        if not _alike(found.get(name, ("", None)), value)
    ]


def _alike(one: tuple[str, float | None], other: tuple[str, float | None]) -> bool:
    if one[0] != other[0] or one[1] is None or other[1] is None:
        return one == other
    return math.isclose(one[1], other[1], rel_tol=ROUNDING)


def _repeated(before: dict[str, int], after: dict[str, int]) -> list[str]:
    return [f"simulated again: {name}" for name, when in before.items() if after.get(name) != when]


def _bought_again(asked: Counter[str], model: Model) -> list[str]:
    """Calls that were answered before the kill and again afterwards; one may have been on its way when it came."""
    twice = sorted(name for name, times in asked.items() if model.answered[name] > times)
    return [f"bought again: {', '.join(twice)}"] if len(twice) > 1 else []


def summary(kills: list[Kill]) -> str:
    """The table: what was killed, how often, what was lost."""
    rows = [
        "| killed | runs | ended before the kill | earliest and latest, s | wrong |",
        "|---|--:|--:|--:|--:|",
    ]
    for victim in VICTIMS:
        for way in WAYS:
            own = [kill for kill in kills if (kill.victim, kill.way) == (victim, way)]
            if own:
                times = sorted(kill.at_s for kill in own)
                rows.append(
                    f"| {victim}, {way} | {len(own)} | {sum(kill.ended_before for kill in own)} | {times[0]:.1f} to "
                    f"{times[-1]:.1f} | {sum(bool(kill.faults) for kill in own)} |"
                )
    wrong = [
        f"- {kill.victim}, {kill.way}, after {kill.at_s:.1f} s: {'; '.join(kill.faults)}"
        for kill in kills
        if kill.faults
    ]
    end = (
        "Every run ended with the numbers of an undisturbed one; nothing was simulated or bought twice."
        if not wrong
        else ""
    )
    return "\n".join([*rows, "", *(wrong or [end])])


if __name__ == "__main__":
    sys.exit(main())
