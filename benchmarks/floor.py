"""What a run cannot cost less than: our imports, Prefect's server and as many persisted task runs, without any work of ours.

`python -m benchmarks.floor FLOWS TASKS OUTPUTS` is that bare flow; `floor` measures it beside a run.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from benchmarks.command import Command
from benchmarks.measures import Measure
from flows.commands.on_prefect import on_prefect


def floor(beside: Path, outputs: Path, own_cpu_s: float) -> list[Measure]:
    """A bare flow with as many subflows and task runs as the one run in the outputs folder `beside` made."""
    database = sqlite3.connect(f"file:{beside / '.reprolab/prefect/prefect.db'}?mode=ro", uri=True)
    flows, tasks = (
        int(database.execute(f"select count(*) from {table}").fetchone()[0])
        for table in ("flow_run", "task_run")
    )
    database.close()
    with Command((str(flows - 1), str(tasks), str(outputs)), module="benchmarks.floor") as bare:
        if code := bare.wait():
            raise SystemExit(
                f"the bare flow ended with code {code}:\n" + "\n".join(t for _, t in bare.lines[-15:])
            )
    begun, ready = bare.server_interval()
    what = f"a bare flow, {flows - 1} subflows, {tasks} tasks"
    return [
        Measure(f"{what}: CPU seconds of its process", bare.own_cpu_s, "s"),
        Measure(f"{what}: CPU seconds of its server", bare.server_cpu_s, "s"),
        Measure(f"{what}: less the server's start", bare.wall_s - (ready - begun), "s"),
        Measure("CPU seconds of the flow's own process over the bare one's", own_cpu_s / bare.own_cpu_s, ""),
    ]


def _bare(parts: int, tasks: int, outputs: Path) -> None:
    with on_prefect(outputs) as (server, console):
        from prefect import flow, task

        from flows.reproduce.terminal import load_ahead
        from flows.terminal.in_terminal import speak_through

        load_ahead()
        speak_through(console)  # as a run: what Prefect logs is not sent
        server.wait()
        console.say("the server answers")

        @task(persist_result=True)
        def nothing(number: int) -> int:
            return number

        @flow(persist_result=True)
        def part(numbers: list[int]) -> int:
            return sum(nothing(number) for number in numbers)

        @flow(persist_result=True)
        def whole() -> int:
            return sum(part(list(range(n, tasks, max(1, parts)))) for n in range(max(1, parts)))

        assert whole() == tasks * (tasks - 1) // 2


if __name__ == "__main__":
    _bare(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
