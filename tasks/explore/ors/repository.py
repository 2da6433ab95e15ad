"""Filling the sandbox: from the published bundle by its digest, or from what a replicator writes after reading the paper."""

from __future__ import annotations

import hashlib
from pathlib import Path

from schemas.bundle import EXECUTABLE
from schemas.errors import InputError
from schemas.explore.bundle import PublishRecord
from schemas.explore.grade import ReplicatorAnswer, ReplicatorRecord, SeedRecord
from schemas.reading.beneath import Unopened, parts_of
from schemas.text.visible import visible
from tasks.bundle.clone import clone
from tasks.bundle.members import write_member
from tasks.bundle.patterns import denied
from tasks.explore.asking import Ask, asked
from tasks.explore.bundle.publishing.publish import read_record
from tasks.explore.bundle.run_files import read_run
from tasks.explore.ors.asking_rubrics import blind
from tasks.explore.ors.paper_text import paper_text
from tasks.explore.ors.rubrics import opened
from tasks.files.store import atomic_write, remove_tree

SANDBOX, SEED, REPLICATOR = "repro_sandbox", "ors_seed.json", "ors_replicator.json"
_ROUNDS = 2
_MOST_BYTES = 400_000


def seed(run_dir: Path) -> SeedRecord:
    """Fill the empty sandbox with the bundle as it was published; without one it stays empty, and the record says so."""
    sandbox = run_dir / SANDBOX
    remove_tree(sandbox)
    record = read_record(run_dir / "publish_record.json")
    if record is None:
        sandbox.mkdir()
        done = SeedRecord(seeded=False, why="no bundle was published; the paper's text alone is left")
    else:
        lock = clone(_reference(record, run_dir), record.bundle_sha256, sandbox)
        done = SeedRecord(
            seeded=True, ref=record.ref, bundle_sha256=lock.bundle_sha256, files=len(lock.files)
        )
    atomic_write(run_dir / SEED, done.model_dump_json(indent=1))
    return done


def _reference(record: PublishRecord, run_dir: Path) -> str:
    """What was staged is not public yet: then our own copy of the archive, which has the same digest."""
    archive = run_dir / record.archive
    if record.visibility == "public" and record.backend != "local-tarball":
        return record.ref
    if not archive.is_file() or hashlib.sha256(archive.read_bytes()).hexdigest() != record.archive_sha256:
        raise InputError(
            "the published archive is not here any more", found=str(archive), fix="publish again"
        )
    return str(archive)


async def build(run_dir: Path, ask: Ask) -> ReplicatorRecord:
    """Have a reproduction written from the paper's text, only where the sandbox has no reproduce.sh."""
    sandbox = run_dir / SANDBOX
    if (sandbox / EXECUTABLE).is_file():
        return _kept(run_dir, ReplicatorRecord(built=False, why="the sandbox has a reproduce.sh"))
    run = read_run(run_dir)
    _, meta = opened(run_dir)
    given = run.given()
    context = {
        "paper_text": paper_text(run).text,
        "numbers": blind({number.name: number for number in meta.numbers}),
        "expected_artifacts": list(meta.expected_artifacts),
        "measure_program": run.program().decode("utf-8", "replace"),
        "inputs": sorted(given),
    }
    faults = ""
    for _ in range(_ROUNDS):
        answer = await asked(ask, "replicator", ReplicatorAnswer, {**context, "faults": faults})
        refused = _refused(answer)
        if not refused:
            break
        faults = "\n".join(f"{path}: {why}" for path, why in refused)
    bad = {path for path, _ in refused}
    remove_tree(sandbox)
    sandbox.mkdir(parents=True)
    files = {file.path: file.content.encode() for file in answer.files if file.path not in bad}
    files.update({f"data/{path}": raw for path, raw in given.items()})
    files[EXECUTABLE] = answer.reproduce_sh.encode()
    for path, content in sorted(files.items()):
        write_member(sandbox, path, content)
    return _kept(run_dir, ReplicatorRecord(built=True, files=tuple(sorted(files)), refused=tuple(refused)))


def _kept(run_dir: Path, record: ReplicatorRecord) -> ReplicatorRecord:
    atomic_write(run_dir / REPLICATOR, record.model_dump_json(indent=1))
    return record


def _refused(answer: ReplicatorAnswer) -> list[tuple[str, str]]:
    """Files that are not written, and why."""
    refused: list[tuple[str, str]] = []
    seen: set[str] = set()
    total = 0
    for file in answer.files:
        total += len(file.content)
        why = ""
        try:
            parts = parts_of(file.path)
            if "/".join(parts) != file.path:
                why = "its path is not in plain form"
            elif parts[0] == "data" or file.path == EXECUTABLE:
                why = "reproduce_sh and data/ are not written here"
            elif pattern := denied(file.path):
                why = f"its name is never published: {pattern}"
            elif file.path in seen or any(
                other.startswith(f"{file.path}/") or file.path.startswith(f"{other}/") for other in seen
            ):
                why = "another file has this path, or lies below it"
            elif total > _MOST_BYTES:
                why = f"all files together have more than {_MOST_BYTES} characters"
        except Unopened as error:
            why = f"it {error}"
        seen.add(file.path)
        if why:
            refused.append((visible(file.path, 200), why))
    if not any(file.path.startswith("code/") for file in answer.files):
        refused.append(("code/", "the program itself belongs into code/, where it is measured"))
    return refused
