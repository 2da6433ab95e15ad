"""`python -m benchmarks.together`: many runs at once under `reprolab up`; all finish, and simulations never exceed their limit.

First one run alone, for the time line from the click to the first work. Then `--runs` replays of a bundled paper are started at
once, each with an outputs folder of its own, so that none takes another's simulations. What simulates at the same time is
sampled from /proc: processes forked by an open solver, and free scripts. Ends with code 1 if a run ends badly, a number is not
that of the run alone, or more simulate than may. With `--elsewhere` these runs send each simulation to the second pool.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.kills import differences, numbers
from benchmarks.measures import machine
from benchmarks.run import replaced
from flows.up.api import Api
from flows.up.place import Place, password_of
from tests.flow.deployed import DONE, ROOT

_START_S, _PATIENCE_S, _SAMPLE_S = 300.0, 3600.0, 0.1
_SOLVER, _SCRIPT = b"simkit.solve\0/sandbox/work\0--serve", b"/sandbox/inputs/simulation.py"


@dataclass(frozen=True)
class Together:
    """What many runs at once came to.

    most: simulations at one time, as sampled. sent: those that went to the second pool. wrong: what must not be.
    """

    database: str
    runs: int
    seconds: float
    alone_s: float
    limit: int
    most: int
    samples: int
    line: dict[str, float]
    sent: int
    wrong: tuple[str, ...]


def main() -> int:
    """1 if something was wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.together", description=__doc__)
    parser.add_argument("--runs", type=int, default=4, help="at once (default 4)")
    parser.add_argument(
        "--simulations", type=int, default=2, help="at once, of all runs together (default 2)"
    )
    parser.add_argument("--paper", default="coupler", help="bundled paper that is replayed (default coupler)")
    parser.add_argument("--database", default="", help="as `reprolab up --database`; SQLite by default")
    parser.add_argument(
        "--elsewhere", action="store_true", help="simulate in the second pool (reprolab up --simulate-pool)"
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="keep the result in docs/measured/benchmarks.md, a place for each database",
    )
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="reprolab-together-"))
    folder.chmod(0o711)
    try:
        found = together(folder, given.paper, given.runs, given.simulations, given.database, given.elsewhere)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    text = f"{machine()}.\n\n{table(found)}"
    print(text)
    if given.write:
        name = (
            "together elsewhere"
            if given.elsewhere
            else f"together {'postgresql' if given.database else 'sqlite'}"
        )
        replaced(text, (f"<!-- {name}: begin -->", f"<!-- {name}: end -->"))
    return 1 if found.wrong else 0


def together(
    folder: Path, paper: str, runs: int, simulations: int, database: str, elsewhere: bool = False
) -> Together:
    """Start `reprolab up` in `folder`, one run, then `runs` at once; all is ended again."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PREFECT_", "REPROLAB_", "ANTHROPIC_"))
    }
    environment |= {"REPROLAB_DATABASE": database} if database else {}
    with (folder / "up.log").open("wb") as log:
        up = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "flows.cli",
                "up",
                "--outputs",
                str(folder / "out"),
                "--port",
                "0",
                "--runs",
                str(runs),
                "--simulations",
                str(simulations),
                *(["--simulate-pool"] if elsewhere else []),
            ],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        api = _api(folder, up)
        [alone], alone_s, _, _ = _run(api, folder, paper, ["alone"], up.pid)
        line = _time_line(api, alone, folder / "out" / "alone")
        expected = _numbers(folder / "out" / "alone")
        names = [f"run{number:02d}" for number in range(runs)]
        more = {"simulate_with": "simulate/simulate"} if elsewhere else {}
        flow_runs, seconds, most, samples = _run(api, folder, paper, names, up.pid, more)
        sent = api.post("/flow_runs/count", {"flows": {"name": {"any_": ["simulate"]}}}) if elsewhere else 0
        wrong = [f"{most} simulations at once, {simulations} may"] if most > simulations else []
        wrong += ["no simulation was sent to the second pool"] if elsewhere and not sent else []
        for name, flow_run in zip(names, flow_runs, strict=True):
            state = api.get(f"/flow_runs/{flow_run}")["state"]
            if state["type"] != "COMPLETED":
                wrong.append(f"{name} ended as {state['name']}: {state['message'][:200]}")
            else:
                wrong += [
                    f"{name}, {text}" for text in differences(_numbers(folder / "out" / name), expected)
                ]
        kind = "PostgreSQL" if database else "SQLite"
        return Together(kind, runs, seconds, alone_s, simulations, most, samples, line, sent, tuple(wrong))
    finally:
        up.send_signal(signal.SIGTERM)
        try:
            up.wait(120)
        except subprocess.TimeoutExpired:
            up.kill()


def _api(folder: Path, up: subprocess.Popen[bytes]) -> Api:
    end, log = time.monotonic() + _START_S, folder / "up.log"
    while time.monotonic() < end and up.poll() is None:
        if "Ctrl-C" in log.read_text(errors="replace"):  # of the welcome: all deployments are there
            place = Place(folder / "out")
            return Api(json.loads(place.record.read_text())["address"] + "/api", password_of(place))
        time.sleep(0.2)
    raise SystemExit(f"`reprolab up` did not come up:\n{log.read_text(errors='replace')[-3000:]}")


def _run(
    api: Api, folder: Path, paper: str, names: list[str], root: int, settings: dict[str, Any] | None = None
) -> tuple[list[str], float, int, int]:
    """Flow runs started at once, waited for. Their ids, seconds, the most simulations at one time, samples."""
    deployment = api.get("/deployments/name/reproduce/reproduce")["id"]
    began, most, samples, asked = time.monotonic(), 0, 0, 0.0
    flow_runs = [
        api.post(
            f"/deployments/{deployment}/create_flow_run",
            {
                "parameters": {
                    "paper": paper,
                    "outputs": str(folder / "out" / name),
                    "settings": settings or {},
                },
                "state": {"type": "SCHEDULED"},
            },
        )["id"]
        for name in names
    ]
    while time.monotonic() < began + _PATIENCE_S:
        most, samples = max(most, len(simulating(root))), samples + 1
        if time.monotonic() > asked + 3:
            asked = time.monotonic()
            if all(api.get(f"/flow_runs/{run}")["state"]["type"] in DONE for run in flow_runs):
                break
        time.sleep(_SAMPLE_S)
    return flow_runs, time.monotonic() - began, most, samples


def simulating(root: int) -> list[int]:
    """Processes below `root` that simulate now: forks of an open solver, and free scripts."""
    commands, parents = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                commands[int(entry.name)] = (entry / "cmdline").read_bytes()
                fields = (entry / "stat").read_text().rsplit(") ", 1)[1].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])

    def below(pid: int) -> bool:
        while pid > 1 and pid != root:
            pid = parents.get(pid, 0)
        return pid == root

    def of_python(pid: int) -> bool:
        return not commands.get(pid, b"").startswith((b"/usr/bin/bwrap", b"bwrap"))

    solving = [
        pid
        for pid, words in commands.items()
        if _SOLVER in words
        and _SOLVER in commands.get(parents.get(pid, 0), b"")
        and of_python(pid)
        and of_python(parents[pid])
    ]
    scripts = [pid for pid, words in commands.items() if _SCRIPT in words and of_python(pid)]
    return [pid for pid in (*solving, *scripts) if below(pid)]


def _numbers(outputs: Path) -> dict[str, Any]:
    [run] = [path.parent for path in outputs.glob("*/*/run.json") if not path.parent.is_symlink()]
    return numbers(run)


def _time_line(api: Api, flow_run: str, outputs: Path) -> dict[str, float]:
    """Seconds after the click at which a run alone got so far."""

    def seconds(text: str) -> float:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()

    found = api.get(f"/flow_runs/{flow_run}")
    clicked = seconds(found["created"])
    states = api.client.get("/flow_run_states/", params={"flow_run_id": flow_run}).json()
    first = {state["name"]: seconds(state["timestamp"]) for state in reversed(states)}
    [run] = [path.parent for path in outputs.glob("*/*/run.json") if not path.parent.is_symlink()]
    solved = [path.stat().st_mtime for path in outputs.glob(".reprolab/runs/*/outcome.json")]
    moments = {
        "a worker has taken it": first.get("Pending"),
        "its process works": first.get("Running"),
        "its plan was approved": _first_time(run / "checkpoints"),
        "its first simulation has ended": min(solved, default=None),
        "it is over": seconds(found["end_time"]) if found["end_time"] else None,
    }
    return {name: when - clicked for name, when in moments.items() if when is not None}


def _first_time(checkpoints: Path) -> float | None:
    return min(
        (
            path.stat().st_mtime
            for path in checkpoints.glob("checkpoint_after_plan_*.json")
            if not path.is_symlink()
        ),
        default=None,
    )


def table(found: Together) -> str:
    """Both results for people."""
    line = "; ".join(f"{name} {when:.1f} s" for name, when in found.line.items())
    rows = [
        f"{found.runs} runs at once on {found.database}: {found.seconds:.0f} s in all, one alone {found.alone_s:.0f} s.",
        f"At most {found.most} simulations at one time ({found.samples} samples), {found.limit} may.",
        *([f"Each simulation was a flow run of the second pool: {found.sent} in all."] if found.sent else []),
        f"One run alone, after the click: {line}.",
    ]
    rows += [f"WRONG: {text}" for text in found.wrong] or [
        "All ended as the run alone did, with its numbers."
    ]
    return "\n".join(f"- {row}" for row in rows)


if __name__ == "__main__":
    sys.exit(main())
