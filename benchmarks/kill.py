"""`python -m benchmarks.kill`: SIGKILL during a call, during a retry wait and between calls; then resume.

The server counts: only a call that was not answered may be asked again, and what the killed process had paid
for stays on the bill. Ends with code 1 when a count is off.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.command import Command
from benchmarks.counts import Count, own_environment, table
from benchmarks.ledgers import answered, asked, bill, paid_once
from benchmarks.papers import ANSWERS, COATING, bundled, called, latest, settings_file
from schemas.run.settings import ModelSettings
from tests.flow import coating
from tests.messages_server import Fault, MessagesServer, label_of
from tests.messages_server.answerers import Answerer

_POLL_S, _PATIENCE_S, _FOREVER_S = 0.05, 300.0, 3600.0
_INTO_THE_WAIT_S = 0.5
Moment = Callable[[MessagesServer, Command, Path], bool]


@dataclass(frozen=True)
class Scenario:
    """A moment to kill at.

    before: requests answered first. faults: what then happens. extra: requests the kill and the faults cost.
    lost: whether the process dies in the middle of an answer, whose tokens then only the server knows of.
    base_s: first wait before a retry."""

    name: str
    before: int
    faults: tuple[Fault, ...]
    moment: Moment
    extra: int
    lost: bool = False
    base_s: float = 0.05

    def schedule(self) -> list[Fault | None]:
        """Faults for the server, in the order of requests."""
        return [*[None] * self.before, *self.faults]


def _in_call(before: int, count: int) -> Moment:
    return lambda server, _run, _outputs: len(server.requests) >= before + count


def _in_stream(server: MessagesServer, run: Command, outputs: Path) -> bool:
    """Half of an answer has been sent, and the rest will never come."""
    return server.stalled.is_set()


def _waiting(server: MessagesServer, run: Command, _outputs: Path) -> bool:
    said = run.at("trying again")
    return said is not None and run.elapsed_s() > said + _INTO_THE_WAIT_S


def _simulating(server: MessagesServer, _run: Command, outputs: Path) -> bool:
    """A simulation runs: everything asked is answered, and nothing is asked now."""
    started = any((outputs / ".reprolab" / "simulations").glob(".draft-*"))
    return started and len(server.deliveries) == len(server.requests)


SILENT, STALLED = Fault("timeout", delay_s=_FOREVER_S), Fault("stalled_stream", delay_s=_FOREVER_S)
SCENARIOS = (
    Scenario("between calls, while simulating", 0, (), _simulating, extra=0),
    Scenario("during a call, before any answer", 6, (SILENT,), _in_call(6, 1), extra=1),
    Scenario("during a call, in the middle of an answer", 4, (STALLED,), _in_stream, extra=1, lost=True),
    Scenario(
        "during a call, after a paid try that did not fit",
        9,
        (Fault("schema_violation"), SILENT),
        _in_call(9, 2),
        extra=2,
    ),
    Scenario("during a retry wait", 8, (Fault("overloaded"),), _waiting, extra=1, base_s=60),
)


def killed_and_resumed(
    scenario: Scenario, paper: str, answerer: Answerer, outputs: Path, folder: Path
) -> list[Count]:
    """Kill a run at the scenario's moment, resume it to its end; what the server counted."""
    settings = settings_file(folder, fresh=scenario.name, limits={"retry_base_s": scenario.base_s})
    with MessagesServer(answerer, scenario.schedule()) as server:
        with Command(
            (
                "reproduce",
                paper,
                "--outputs",
                str(outputs),
                "--model",
                "anthropic",
                "--base-url",
                server.base_url,
                "--settings",
                str(settings),
                *ANSWERS,
            )
        ) as run:
            _wait(lambda: scenario.moment(server, run, outputs), run, scenario.name)
            run.kill()
        run_dir = latest(outputs)
        before, kept = len(server.requests), dict(answered(server))
        unanswered = {label_of(request) for request in server.requests} - set(kept)
        with Command(("resume", run_dir.name, "--outputs", str(outputs))) as resumed:
            resumed.finish()
        labels = called(run_dir)
        repeated = {label_of(request) for request in server.requests[before:]} & set(kept)
        deliveries = list(server.deliveries)
        told = [d for d in deliveries if d.usage and d.fault == "stalled_stream"]
        return [
            Count("calls answered before the kill", sum(kept.values()) > 0 and len(kept) < len(labels), True),
            Count("calls open at the kill", len(unanswered), int(bool(scenario.faults))),
            Count("answered before the kill and asked again", sorted(repeated), []),
            Count(
                "requests after the kill: calls not yet answered",
                len(server.requests) - before,
                len(labels) - len(kept),
            ),
            Count(
                "requests in all: calls, faults, the kill", len(server.requests), len(labels) + scenario.extra
            ),
            Count(
                "calls asked more than once",
                sorted(name for name, n in asked(server).items() if n > 1),
                sorted(unanswered),
            ),
            *paid_once(server, labels),
            Count("answers cut by the kill (on the server's bill alone)", len(told), int(scenario.lost)),
            *bill(run_dir, [d for d in deliveries if d not in told], ModelSettings().name),
        ]


def _wait(condition: Callable[[], bool], run: Command, name: str) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not condition():
        if run.process.poll() is not None:
            raise SystemExit(
                f"{name}: the run ended before it could be killed:\n"
                + "\n".join(text for _, text in run.lines[-15:])
            )
        if time.monotonic() > end:
            raise SystemExit(f"{name}: the moment to kill did not come within {_PATIENCE_S:.0f} s")
        time.sleep(_POLL_S)


def main() -> int:
    """Every scenario in turn; 1 if a count is off."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kill", description=__doc__)
    parser.add_argument("--paper", default=COATING, help="coating, or a bundled id with a recording")
    options = parser.parse_args()
    own_environment()
    folder = Path(tempfile.mkdtemp(prefix="reprolab-kill-"))
    off = 0
    try:
        if options.paper == COATING:
            paper, answerer = str(coating.write_paper(folder / COATING)), coating.answer
        else:
            source = bundled(options.paper)
            paper, answerer = source.paper, source.answerer()
        for scenario in SCENARIOS:
            counts = killed_and_resumed(scenario, paper, answerer, folder / "outputs", folder)
            print(f"Killed {scenario.name}; then resumed\n\n{table(counts)}\n", flush=True)
            off += sum(not count.met for count in counts)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return int(off > 0)


if __name__ == "__main__":
    raise SystemExit(main())
