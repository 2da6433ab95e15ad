"""`python -m benchmarks.live`: a whole reproduction over HTTP with faults on the way, counted by the server.

A local server speaks the Messages API; its answers are chosen by what each request says. On the way it shows
every fault of FAULTS. The run must end with the numbers of the replayed run, pay no call twice, and its bill
must add up to the server's own count. Ends with code 1 when a count is off.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.command import Command
from benchmarks.counts import Count, own_environment, table
from benchmarks.ledgers import asked, bill, paid_once, prefix_table
from benchmarks.papers import (
    ANSWERS,
    Recorded,
    called,
    comparisons,
    default_paper,
    latest,
    recorded,
    settings_file,
)
from schemas.run.settings import ModelSettings
from tests.messages_server import Fault, MessagesServer

# None: a request that is answered. The last four meet one call: none may lose what was paid.
FAULTS: tuple[Fault | None, ...] = (
    Fault("rate_limit", retry_after="1"),
    None,
    Fault("server_error"),
    None,
    Fault("schema_violation"),
    None,
    Fault("bad_gateway"),
    None,
    Fault("truncated_stream"),
    None,
    Fault("unavailable"),
    None,
    Fault("max_tokens"),
    None,
    Fault("overloaded"),
    None,
    Fault("reset"),
    None,
    Fault("malformed_json"),
    None,
    Fault("timeout", delay_s=60),
    None,
    Fault("stream_error"),
    None,
    Fault("refusal"),
    None,
    Fault("garbled_stream"),
    None,
    Fault("empty"),
    None,
    Fault("overloaded", retry_after="0.2"),
    Fault("schema_violation"),
    Fault("server_error"),
    Fault("malformed_json"),
)
_TIMEOUT_S = 5.0


@dataclass(frozen=True)
class Live:
    """A run over HTTP that came to its end, and what was counted of it."""

    run_dir: Path
    counts: list[Count]
    prefixes: str


def replayed(source: Recorded, outputs: Path) -> Path:
    """The directory of the run that replays the recording."""
    with Command(
        ("reproduce", source.paper, "--transcript", str(source.transcript), "--outputs", str(outputs))
    ) as run:
        run.finish()
    return latest(outputs)


def live(
    source: Recorded, reference: Path, outputs: Path, folder: Path, faults: tuple[Fault | None, ...] = FAULTS
) -> Live:
    """One run over HTTP with `faults`, counted; reference: directory of the replayed run."""
    model = ModelSettings().name
    settings = settings_file(
        folder, fresh="bench-live", limits={"retry_base_s": 0.05}, model={"timeout_s": _TIMEOUT_S}
    )
    with MessagesServer(source.answerer(), faults) as server:
        with Command(
            (
                "reproduce",
                source.paper,
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
            run.finish()
        run_dir = latest(outputs)
        labels = called(run_dir)
        planned = Counter(fault.kind for fault in faults if fault)
        met = Counter(d.fault for d in server.deliveries if d.fault)
        counts = [
            Count("kinds of fault met", len(met), len(planned)),
            Count("faults met", dict(sorted(met.items())), dict(sorted(planned.items()))),
            Count(
                "requests: calls and one more for each fault",
                len(server.requests),
                len(labels) + planned.total(),
            ),
            Count(
                "positions asked for that are not in the transcript",
                sorted(set(asked(server)) - set(labels)),
                [],
            ),
            *paid_once(server, labels),
            *bill(run_dir, server.deliveries, model),
            Count(
                "targets with the numbers of the replayed run", comparisons(run_dir), comparisons(reference)
            ),
        ]
        return Live(run_dir, counts, prefix_table(server))


def main() -> int:
    """Run, print what was counted, 1 if a count is off."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("--paper", default=default_paper(), help="bundled id with a recording, or coating")
    options = parser.parse_args()
    own_environment()
    folder = Path(tempfile.mkdtemp(prefix="reprolab-live-"))
    try:
        source = recorded(options.paper, folder, folder / "outputs")
        reference = replayed(source, folder / "outputs")
        found = live(source, reference, folder / "outputs", folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{options.paper} over HTTP with faults, counted by the server (length and shared prefix: means)\n")
    print(f"{found.prefixes}\n\n{table(found.counts)}")
    return int(not all(count.met for count in found.counts))


if __name__ == "__main__":
    raise SystemExit(main())
