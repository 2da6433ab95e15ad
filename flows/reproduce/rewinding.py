"""Going back to a checkpoint: a fork is a new run, a rewind the same one; both take over the record up to there.

Why not load the snapshot's state: the state is a product of the flow, and a resumed run computes it again from finished
tasks. So both cut the run's record at the checkpoint and let the flow run from its start: what is recorded is answered
from the record, simulations come from the store, and the first thing that is not recorded is asked anew.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from flows.reproduce.command_line import typed_command
from flows.reproduce.kept_records import Origin, RunRecord, read_record
from flows.run.credentials import storable
from flows.run.opening import whoever_starts
from flows.run.records import new_run_id, run_lock
from schemas.reproduce.settings import RunSettings
from schemas.talking.interaction import ONCE
from schemas.talking.transcript import TranscriptEntry
from tasks.files.checkpoints import Checkpoint, cut_transcript, find_checkpoint, write_prior
from tasks.files.ledger import Ledger, Loss
from tasks.files.store import atomic_write, copy_tree, private_folder
from tasks.files.transcript import read_entries

# What is true of the run whatever course it takes: how long it took, what calls under way have cost, tables handed in.
_STAYS = ("run.json", ".lock", "unfinished_calls.jsonl", "time_used.json", "materials", "paper")
Answers = tuple[tuple[str, str], ...]


def fork(run_dir: Path, name: str, settings: RunSettings) -> tuple[str, int]:
    """A new run beside `run_dir` with its record up to a checkpoint; returns its id and how much it takes over.

    The old run is only read; another process may be working on it. The new one exists once its run.json does.
    """
    record, checkpoint = read_record(run_dir), find_checkpoint(run_dir, name)
    header, kept, _ = cut_transcript(run_dir / "transcript.jsonl", checkpoint)
    run_id = new_run_id()
    folder = private_folder(run_dir.parent / run_id)
    write_prior(folder / "prior.jsonl", header, kept)
    from tasks.reproduce.materials.changes import HANDED_IN  # what fits materials takes a second to import

    if (tables := run_dir / "materials" / HANDED_IN).is_dir():
        copy_tree(tables, folder / "materials" / HANDED_IN)
    started = datetime.now(UTC).isoformat(timespec="seconds")
    atomic_write(
        folder / "run.json",
        RunRecord(
            run_id=run_id,
            paper=record.paper,
            paper_id=record.paper_id,
            settings=storable(settings),
            started=started,
            started_by=whoever_starts(),
            command=typed_command(),
            origins=(_origin(record, checkpoint),),
        ).model_dump_json(indent=1),
    )
    return run_id, len(kept)


def rewind(run_dir: Path, name: str) -> int:
    """Take a run back to a checkpoint; what came after is put aside in `before-N/`, its cost stays on the bill.

    Returns how much of the record is kept. Until run.json is written nothing is decided: `undo_interrupted` restores all.
    """
    with run_lock(run_dir):
        undo_interrupted(run_dir)
        record, checkpoint = read_record(run_dir), find_checkpoint(run_dir, name)
        header, kept, left = cut_transcript(run_dir / "transcript.jsonl", checkpoint)
        course = [
            path
            for path in run_dir.iterdir()
            if path.name not in _STAYS and not path.name.startswith("before-")
        ]
        aside = _aside(run_dir)
        aside.mkdir()
        for path in course:
            path.rename(aside / path.name)
        write_prior(run_dir / "prior.jsonl", header, kept)
        _charge(aside, run_dir, left, checkpoint)
        atomic_write(
            run_dir / "run.json",
            record.model_copy(
                update={"origins": (*record.origins, _origin(record, checkpoint))}
            ).model_dump_json(indent=1),
        )
    return len(kept)


def undo_interrupted(run_dir: Path) -> None:
    """Put back what a rewind moved aside that was killed before it was done; the caller holds the run's lock."""
    aside = _aside(run_dir)
    if aside.is_dir():
        for path in [*aside.iterdir()]:
            path.replace(run_dir / path.name)
        aside.rmdir()


def settle(run_dir: Path) -> None:
    """`undo_interrupted` for a run that no process is working on; nothing is touched where nothing was interrupted."""
    if _aside(run_dir).is_dir():
        with run_lock(run_dir):
            undo_interrupted(run_dir)


def answers_now(run_dir: Path, new: Answers, checkpoint: str = "") -> Answers:
    """The answers given beforehand that count from now, or from a checkpoint on: the new ones, and the stored of other kinds.

    A new answer replaces those given before for it, since a refused one would stand first for ever. But one that leads
    back to its question and has served stays: it is counted as served, and the same words given anew serve again.
    """
    path = run_dir / "transcript.jsonl"
    entries = (
        cut_transcript(path, find_checkpoint(run_dir, checkpoint))[1]
        if checkpoint
        else read_entries(path, growing=True)[1]
        if path.is_file()
        else []
    )
    served = Counter(_as_given(entry) for entry in entries if entry.kind == "question")
    stored, replaced = [], {name for name, _ in new}
    for name, text in read_record(run_dir).settings.answers:
        choice, _, words = (part.strip() for part in text.partition(":"))
        has_served = choice in ONCE and served[name, choice, words] > 0
        served[name, choice, words] -= has_served
        if has_served or name not in replaced:
            stored.append((name, text))
    return (*stored, *new)


def _as_given(entry: TranscriptEntry) -> tuple[str, str, str]:
    return (
        str((entry.request or {}).get("kind")),
        str(entry.answer.get("choice")),
        str(entry.answer.get("text", "")),
    )


def _aside(run_dir: Path) -> Path:
    return run_dir / f"before-{read_record(run_dir).generation}"


def _origin(record: RunRecord, checkpoint: Checkpoint) -> Origin:
    return Origin(run_id=record.run_id, checkpoint=checkpoint.name, timestamp=checkpoint.timestamp)


def _charge(aside: Path, run_dir: Path, left: list[TranscriptEntry], checkpoint: Checkpoint) -> None:
    """What was paid for after the checkpoint was paid for: caps and bill go on counting it."""
    losses = [
        *Ledger(aside / "failed_calls.jsonl").losses,
        *(
            Loss(
                label=entry.position.label(),
                model=entry.model,
                usage=entry.usage,
                price_usd=entry.price_usd,
                reason=f"left by going back to {checkpoint.name}",
            )
            for entry in left
            if entry.kind == "call"
        ),
    ]
    atomic_write(run_dir / "failed_calls.jsonl", "".join(loss.model_dump_json() + "\n" for loss in losses))
