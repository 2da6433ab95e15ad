"""`python -m benchmarks.explore_costs`: what a search costs beside its bare work: per node, per call of a tool.

Three searches run over the tests' Messages API with all tools of the bundled workflow: two nodes, ten nodes, and ten nodes with
ten more calls each. Their differences are what a node and a call take of the machinery's CPU time (wall time where nothing else
runs), less the bare work: the same programs and measurements run by hand. Each skill's server is started by itself. `--folder`
keeps the searches, so that `--only few`, `--only many`, `--only more` can be made one at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.explore_kills import Exploration
from benchmarks.kills_team import Team
from benchmarks.measures import Measure, machine, table
from benchmarks.run import replaced
from schemas.explore.workflow import read_workflow
from schemas.talking.tools import Skill
from tasks.tools.pool import Pool
from tasks.tools.tool_limits import ToolLimits
from tests.flow import closer_pi
from tests.messages_server import Turn, Use, label_of

ROOT = Path(__file__).resolve().parent.parent
WORKFLOW = ROOT / "skills" / "workflow.yaml"
MARKS = ("<!-- explore: begin -->", "<!-- explore: end -->")
NODES, FEW, MORE = 10, 2, 10
_TICKS = os.sysconf("SC_CLK_TCK")
_PATIENCE_S = 900.0


@dataclass(frozen=True)
class Search:
    """One finished search. cpu_s: of its process and all it started; server_cpu_s: of Prefect's server meanwhile."""

    nodes: int
    wall_s: float
    cpu_s: float
    server_cpu_s: float


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explore_costs", description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep them in docs/measured/benchmarks.md")
    parser.add_argument(
        "--only", choices=SEARCHES, help="make this search, where the folder does not hold it, and end"
    )
    parser.add_argument("--folder", type=Path, help="where searches are kept (default: a new one)")
    given = parser.parse_args()
    where = machine()
    kept = given.folder or Path(tempfile.mkdtemp(prefix="reprolab-explore-costs-"))
    kept.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="reprolab-costs-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        wanted = [given.only] if given.only else SEARCHES
        if missing := [which for which in wanted if not (kept / f"{which}.json").exists()]:
            team = Team(folder / "team", folder)
            try:
                team.start_server()
                for which in missing:
                    found = searched(folder / which, team, *SEARCHES[which])
                    (kept / f"{which}.json").write_text(json.dumps(asdict(found)))
            finally:
                team.kill_server()
        if given.only:
            return 0
        few, many, more = (Search(**json.loads((kept / f"{which}.json").read_text())) for which in SEARCHES)
        started, bare_s = starts(), bare(folder / "bare")
    text = f"{where}.\n\n{table(overheads(few, many, more, bare_s))}\n\n{started_table(started)}"
    print(text)
    if given.write:
        replaced(text, MARKS)
    return 0


def with_more_calls(request: dict[str, Any]) -> dict[str, Any] | Turn:
    """The same search, where each node looks at its file ten times more, in the same turn."""
    said = closer_pi.answer(request)
    if label_of(request).startswith("experimenter.") and isinstance(said, Turn) and len(said.calls) == 2:
        return Turn(said.text, [*said.calls, *[Use("read_file", {"file": "approx.py"})] * MORE])
    return said


SEARCHES: dict[str, tuple[int, Callable[[dict[str, Any]], Any]]] = {
    "few": (FEW, closer_pi.answer),
    "many": (NODES, closer_pi.answer),
    "more": (NODES, with_more_calls),
}


def searched(folder: Path, team: Team, nodes: int, answer: Callable[[dict[str, Any]], Any]) -> Search:
    """A whole search of so many nodes, one after the other, by `reprolab explore` in a process of its own."""
    search = {
        "search": {"max_nodes": nodes, "parallel": 1, "max_expansions": 9, "stagnation": {"enabled": False}}
    }
    with Exploration(folder, team, answer, search, _skills_only(folder.parent)) as one:
        before, server = resource.getrusage(resource.RUSAGE_CHILDREN), _cpu_of(team.server_pid)
        run = one.go()
        if run.wait(_PATIENCE_S):
            raise SystemExit(f"the search failed:\n{run.err[-2000:]}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = one.left()
        print(f"{nodes} nodes: {found.seconds:.0f} s", flush=True)
        return Search(
            len(found.trees[0]),
            found.seconds,
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            _cpu_of(team.server_pid) - server,
        )


def bare(folder: Path) -> float:
    """CPU seconds of what a node of this goal is about: its program once, and twice its measurement with its parent's."""
    goal = closer_pi.write_goal(folder).parent
    (goal / "candidate").mkdir()
    (goal / "candidate" / "approx.py").write_text("print(355/113)\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "candidate/approx.py"], cwd=goal, check=True, capture_output=True)
    for _ in range(4):
        subprocess.run([sys.executable, "measure.py"], cwd=goal, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def overheads(few: Search, many: Search, more: Search, bare_s: float) -> list[Measure]:
    """Per node and per call, from the differences of the searches."""

    def each(one: Search, other: Search, of: Callable[[Search], float], count: int) -> float:
        return (of(one) - of(other)) / count

    nodes, calls = many.nodes - few.nodes, many.nodes * MORE
    return [
        Measure("search of two nodes, CPU", few.cpu_s, "s"),
        Measure(f"search of {many.nodes} nodes, CPU", many.cpu_s, "s"),
        Measure("bare work of a node, CPU", bare_s, "s"),
        Measure("a node beside it, CPU", each(many, few, lambda run: run.cpu_s, nodes) - bare_s, "s"),
        Measure("a node in Prefect's server, CPU", each(many, few, lambda run: run.server_cpu_s, nodes), "s"),
        Measure("a node, wall time on this computer", each(many, few, lambda run: run.wall_s, nodes), "s"),
        Measure("a call of a tool, CPU", 1000 * each(more, many, lambda run: run.cpu_s, calls), "ms"),
        Measure(
            "a call in Prefect's server, CPU",
            1000 * each(more, many, lambda run: run.server_cpu_s, calls),
            "ms",
        ),
        Measure(
            "a call, wall time on this computer", 1000 * each(more, many, lambda run: run.wall_s, calls), "ms"
        ),
    ]


def starts() -> list[tuple[str, float, float]]:
    """(skill, wall seconds, CPU seconds) of starting each skill's server until it has listed its tools, and ending it."""
    found = []
    for skill in read_workflow(WORKFLOW).skills:
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        with Pool() as pool:
            pool.give_back(pool.take(Skill(name=skill.name), None, ToolLimits()))
            wall = time.monotonic() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append((skill.name, wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    return found


def started_table(found: list[tuple[str, float, float]]) -> str:
    """The starts as a table."""
    return "\n".join(
        [
            "| server of the skill | until its tools are listed, s | CPU s |",
            "|---|--:|--:|",
            *(f"| {name} | {wall:.2f} | {cpu:.2f} |" for name, wall, cpu in found),
        ]
    )


def _skills_only(folder: Path) -> str:
    """The bundled workflow's skills, without the stages after the search."""
    path = folder / "skills_only.yaml"
    path.write_text(WORKFLOW.read_text(encoding="utf-8").partition("pipeline:")[0])
    return str(path)


def _cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


if __name__ == "__main__":
    sys.exit(main())
