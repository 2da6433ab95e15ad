"""Going back to a checkpoint: a fork is a new run, a rewind the same one; both take over the record up to there.

Why not load the snapshot's state: the state is a product of the flow, and a resumed run computes it again from finished
tasks. So both cut the run's record at the checkpoint and let the flow run from its start: what is recorded is answered
from the record, simulations come from the store, and the first thing that is not recorded is asked anew.
"""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from flows.command_line import typed_command
from flows.credentials import storable
from flows.opening import Origin, RunRecord, new_run_id, read_record, run_lock
from flows.pausing import ONCE
from schemas.errors import InputError
from schemas.settings import RunSettings
from schemas.transcript import TranscriptEntry
from tasks.checkpoints import Checkpoint, cut_transcript, find_checkpoint, write_prior
from tasks.ledger import Ledger, Loss
from tasks.store import atomic_write

# What is true of the run whatever course it takes: its start, what it spent and for how long. All else is put aside.
_STAYS = ("run.json", ".lock", "prior.jsonl", "failed_calls.jsonl", "unfinished_calls.jsonl", "time_used.json",
          "materials")  # tables that people handed in lie there
Answers = tuple[tuple[str, str], ...]


def fork(run_dir: Path, name: str, settings: RunSettings) -> tuple[str, int]:
    """A new run beside `run_dir` with its record up to a checkpoint; returns its id and how much it takes over."""
    record, checkpoint = read_record(run_dir), find_checkpoint(run_dir, name)
    header, kept, _ = cut_transcript(run_dir / "transcript.jsonl", checkpoint)
    run_id = new_run_id()
    folder = run_dir.parent / run_id
    write_prior(folder / "prior.jsonl", header, kept)
    started = datetime.now(UTC).isoformat(timespec="seconds")
    atomic_write(folder / "run.json", RunRecord(
        run_id=run_id, paper=record.paper, paper_id=record.paper_id, settings=storable(settings), started=started,
        command=typed_command(), origin=_origin(record, checkpoint)).model_dump_json(indent=1))
    return run_id, len(kept)


def rewind(run_dir: Path, name: str) -> int:
    """Take a run back to a checkpoint; what came after is put aside in `before-N/`, its cost stays on the bill."""
    checkpoint = find_checkpoint(run_dir, name)
    with run_lock(run_dir):
        record = read_record(run_dir)
        aside = run_dir / f"before-{record.generation}"
        if aside.exists():
            raise InputError("an earlier way back was interrupted", found=aside,
                             fix="move what is in that folder back to the run's folder, remove it and try again")
        header, kept, left = cut_transcript(run_dir / "transcript.jsonl", checkpoint)
        write_prior(run_dir / "prior.jsonl", header, kept)
        course = [path for path in run_dir.iterdir() if path.name not in _STAYS and not path.name.startswith("before-")]
        aside.mkdir()
        for path in course:
            shutil.move(path, aside / path.name)
        _charge(run_dir, left, checkpoint)
        atomic_write(run_dir / "run.json", record.model_copy(update={
            "generation": record.generation + 1, "origin": _origin(record, checkpoint)}).model_dump_json(indent=1))
    return len(kept)


def answers_from(run_dir: Path, name: str, new: Answers) -> Answers:
    """The answers given beforehand that still count from a checkpoint on: the new ones, and the run's own of other kinds.

    Of the run's own, those that serve once and had served by then are left out: they stand in the record.
    """
    _, kept, _ = cut_transcript(run_dir / "transcript.jsonl", find_checkpoint(run_dir, name))
    served = [_as_given(entry) for entry in kept if entry.kind == "question"]
    old = []
    for kind, text in read_record(run_dir).settings.answers:
        choice, _, words = (part.strip() for part in text.partition(":"))
        this = kind, choice, words
        if choice in ONCE and this in served:
            served.remove(this)
        elif kind not in {given for given, _ in new}:
            old.append((kind, text))
    return (*old, *new)


def _as_given(entry: TranscriptEntry) -> tuple[str, str, str]:
    answer = entry.answer or {}
    return str((entry.request or {}).get("kind")), str(answer.get("choice")), str(answer.get("text", ""))


def _origin(record: RunRecord, checkpoint: Checkpoint) -> Origin:
    return Origin(run_id=record.run_id, checkpoint=checkpoint.name, timestamp=checkpoint.timestamp)


def _charge(run_dir: Path, left: list[TranscriptEntry], checkpoint: Checkpoint) -> None:
    """What was paid for after the checkpoint was paid for: caps and bill go on counting it."""
    ledger = Ledger(run_dir / "failed_calls.jsonl")
    for entry in left:
        if entry.kind == "call":
            ledger.add(Loss(label=entry.position.label(), model=entry.model, usage=entry.usage, price_usd=entry.price_usd,
                            reason=f"left by going back to {checkpoint.name}"))
