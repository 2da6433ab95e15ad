"""`reprolab report RUN --package`: a finished run as an RO-Crate that opens and is solved again alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flows.reproduce.kept_records import RunRecord, read_record
from flows.reproduce.kept_state import finished_state, outputs_kept
from flows.run.credentials import secrets_in
from flows.run.records import process_at
from flows.terminal.console import show
from schemas.bundle import LICENSES, License, ManifestLock
from schemas.errors import InputError
from schemas.reading.beneath import Unopened, open_below
from schemas.reading.handed import kept_model
from schemas.reproduce.handed_pattern import MAX_BYTES, PatternFile
from schemas.reproduce.planning.declared import declared
from schemas.reproduce.simulations.asked import Asked
from schemas.reproduce.simulations.design import Design
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.state import ReproState
from schemas.run.pasted import on_run, typed
from schemas.run.settings import ModelSettings
from schemas.talking.transcript import MAX_TRANSCRIPT_BYTES
from tasks.bundle.archive import pack
from tasks.bundle.members import write_bundle
from tasks.files.checkpoints import list_checkpoints
from tasks.files.store import remove_tree
from tasks.reproduce.judging.headline import headline_of
from tasks.reproduce.judging.targets import has_metal
from tasks.reproduce.packaging import codecheck
from tasks.reproduce.packaging.contents import run_files
from tasks.reproduce.packaging.crate import METADATA, metadata
from tasks.reproduce.packaging.subject import Described, Subject, as_json, paper_entry, readme
from tasks.reproduce.papers import load_paper
from tasks.reproduce.papers.paper_files import taken
from tasks.reproduce.regression.environment import ROOT

PACKAGE, ARCHIVE = "package", "package.tar.gz"
_MOST_DESIGN, _MOST_LINE, _MOST_DATA = 4 << 20, 4 << 20, 64 << 20


def show_package(run_dir: Path, license: str) -> None:
    """Make the package of a finished run anew and say where it is, its digest, and what is not in it."""
    lock, left_out, subject = package(run_dir, license)
    folder = run_dir / PACKAGE
    show(f"{folder}\n{run_dir / ARCHIVE}")
    show(f"{len(lock.files)} files, {lock.size} bytes, licence {lock.license or 'not chosen yet'}")
    show(f"digest of its manifest {lock.bundle_sha256}")
    for path, why in [*sorted(left_out.items()), *subject.not_again.items()]:
        show(f"  {path}: {why}")
    if subject.described:
        show(f"solved again, from wherever it lies: {typed('solve', str(folder))}")
    show(f"fetched elsewhere: {typed('clone', ARCHIVE, '--expect-sha256', lock.bundle_sha256)}")


def package(run_dir: Path, license: str = "") -> tuple[ManifestLock, dict[str, str], Subject]:
    """Write package/ and package.tar.gz of a finished run, each in one step: manifest, path -> why left out, what it is of.

    The archive has everything below one folder, named after the run.
    license: one of LICENSES; '' for not chosen yet. Raises InputError for an unfinished run, a debug run, another licence, and
    a file that holds a secret.
    """
    if license and license not in LICENSES:
        raise InputError("no such licence", found=license, allowed=", ".join(LICENSES))
    chosen: License | None = next((name for name in LICENSES if name == license), None)
    record, state = _finished(run_dir)
    paper, paper_dir = load_paper(run_dir / "paper")
    assert state.plan is not None
    drawn = {
        pattern.name: (
            PatternFile.model_validate(pattern.model_dump(exclude={"name", "source"})),
            taken(paper_dir, pattern.file, MAX_BYTES),
        )
        for pattern in paper.patterns
    }
    described, not_again = _stages(run_dir, record, state, drawn)
    head = headline_of(state, paper)
    subject = Subject(
        run_id=record.run_id,
        paper=paper,
        verdict=head.verdict + (" (partial run)" if state.stop_reason else ""),
        reason=state.stop_reason or head.reason,
        started=record.started,
        ended=_when(run_dir),
        described=described,
        not_again=not_again,
        environment=_environment(run_dir),
        answered=_answered(record.settings.model),
        meep=_meep(run_dir, state),
        license=chosen,
    )
    stages = [stage.stage_id for stage in state.plan.stages]
    scripted = [stage for stage in not_again if stage not in {item.stage_id for item in described}]
    files, left_out = run_files(run_dir, stages, scripted, _names(run_dir, record), secrets_in)
    for item in described:
        files |= item.files()
    used = frozenset(target.reference.file for _, target in state.plan.targets() if target.reference.file)
    for name in sorted(used):
        try:
            files[f"paper/{name}"] = taken(paper_dir, name, _MOST_DATA)
        except (OSError, ValueError) as error:
            left_out[f"paper/{name}"] = str(error)
    files["paper/paper.json"] = paper_entry(paper, used)
    files["environment.json"] = as_json(subject.environment)
    outputs = [
        path
        for path in sorted(files)
        if path.startswith(tuple(f"{item.stage_id}/study/" for item in described))
        and not path.endswith("_variants.csv")
        and path.endswith((".csv", ".json"))
    ]
    files[codecheck.FILE] = codecheck.draft(subject, outputs)
    files["README.md"] = readme(subject, left_out)
    files[METADATA] = metadata(subject, files)
    lock = write_bundle(run_dir / PACKAGE, files, subject.title, chosen)
    pack(run_dir / PACKAGE, run_dir / ARCHIVE, below=record.run_id)
    return lock, left_out, subject


def drop_older(run_dir: Path, paper_id: str) -> None:
    """Remove a package and a comment that were made of an earlier report of this run."""
    remove_tree(run_dir / PACKAGE)
    for name in (ARCHIVE, f"COMMENT_{paper_id}.md"):
        (run_dir / name).unlink(missing_ok=True)


def _finished(run_dir: Path) -> tuple[RunRecord, ReproState]:
    record = read_record(run_dir)
    if record.settings.debug_mode:
        raise InputError(
            "a debug run has no package: it judges nothing",
            found=run_dir.name,
            fix=f"reproduce the paper without --debug: {typed('reproduce', record.paper)}",
        )
    process, state = process_at(run_dir), finished_state(run_dir)
    if process:
        raise InputError(
            "the run is being worked on; its package is made when it has ended",
            found=f"process {process} works on {run_dir.name}",
            fix=f"wait for it: {on_run(run_dir, 'status')}",
        )
    if state is None or state.plan is None:
        raise InputError(
            "the run did not come to its end; a package of it would be of nothing that was decided",
            found=f"{run_dir.name}: {'no report of its end' if state is None else 'no plan'}",
            allowed="a run with its report",
            fix=f"go on with it: {on_run(run_dir, 'resume')}",
        )
    return record, state


def _stages(
    run_dir: Path, record: RunRecord, state: ReproState, patterns: Mapping[str, tuple[PatternFile, bytes]]
) -> tuple[tuple[Described, ...], dict[str, str]]:
    """The stages that are solved again, and why others are not."""
    assert state.plan is not None
    found: list[Described] = []
    not_again: dict[str, str] = {}
    records = {item.name: item for item in (state.validated_materials or state.materials)}
    for stage in state.plan.stages:
        if stage.stage_type == "MATERIAL_VALIDATION":
            continue
        outputs = outputs_kept(run_dir, stage.stage_id)
        path = run_dir / stage.stage_id / "design.json"
        if outputs is None or not path.is_file():
            not_again[stage.stage_id] = "it did not get as far as a result"
            continue
        design = kept_model(path, Design, "the stage's design", max_bytes=_MOST_DESIGN)
        if not design.described:
            not_again[stage.stage_id] = "a free script computed it; code.py is there to be read"
            continue
        entries = [
            parameter.model_dump(mode="json")
            for parameter in (*declared(state.extracted_parameters).parameters, *design.parameters)
        ]
        if why := _changed(outputs, design, entries):
            not_again[stage.stage_id] = why
            continue
        assert outputs.study is not None
        found.append(
            Described(
                stage.stage_id,
                stage.name,
                design.code,
                tuple(entries),
                {name: item.parameters() for name, item in records.items()},
                Asked(
                    stage_id=stage.stage_id,
                    targets=stage.numeric_targets,
                    inputs=state.extracted_parameters,
                    thresholds=record.settings.thresholds,
                    metal=has_metal(stage, records),
                    cpu_s=outputs.study.budget_s,
                ),
                _when(run_dir, f"{stage.stage_id}_complete"),
                patterns,
            )
        )
    return tuple(found), not_again


def _changed(outputs: StageOutputs, design: Design, entries: list[dict[str, Any]]) -> str:
    """Why a description as the run's end has it is not the one that was solved; '' where it is."""
    if outputs.study is None or outputs.study.budget_s <= 0:
        return "it has no result of a description"
    if outputs.code_sha256 != hashlib.sha256(design.code.encode()).hexdigest():
        return "its description is another one now than was solved"
    solved = {item.id: (item.value, item.unit) for item in outputs.study.parameters}
    given = {entry["id"]: (entry["value"], entry["unit"]) for entry in entries}
    if solved.keys() != given.keys() or any(
        value is not None and solved[name] != (value, unit) for name, (value, unit) in given.items()
    ):
        return "its inputs are others now than were solved: a later plan changed them"
    return ""


def _when(run_dir: Path, name: str = "") -> str:
    """When a run's last checkpoint (of that name) was saved, ISO 8601 in UTC."""
    saved = [item for item in list_checkpoints(run_dir) if not name or item.name == name] or list(
        list_checkpoints(run_dir)
    )
    at = datetime.strptime(saved[-1].timestamp, "%Y%m%d_%H%M%S_%f").replace(tzinfo=UTC)
    return at.isoformat(timespec="seconds")


def _environment(run_dir: Path) -> dict[str, Any]:
    """Versions, digests of our code and of the prompts, as the head of the run's record has them."""
    try:
        with open_below(run_dir, "transcript.jsonl", MAX_TRANSCRIPT_BYTES, one_name=False) as stream:
            header = json.loads(stream.readline(_MOST_LINE))["header"]
        return {part: dict(header[part]) for part in ("versions", "sources", "prompts") if part in header}
    except (Unopened, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}


def _meep(run_dir: Path, state: ReproState) -> str:
    assert state.plan is not None
    kept = (outputs_kept(run_dir, stage.stage_id) for stage in state.plan.stages)
    return next((found.study.meep_version for found in kept if found and found.study), "unknown")


def _answered(model: ModelSettings) -> str:
    if model.kind == "replay":
        return "Wrote the descriptions; the answers were recorded in an earlier run and replayed."
    if model.kind == "manual":
        return "Wrote the descriptions; a person answered, or a chat window that a person used."
    return f"Wrote the descriptions; answered by the model {model.name}."


def _names(run_dir: Path, record: RunRecord) -> dict[str, str]:
    """Folders of this computer and the words that stand for them."""
    found = {str(Path.home()): "HOME", str(ROOT): "REPROLAB", str(run_dir.resolve().parents[1]): "OUTPUTS"}
    given = Path(record.paper)
    if given.is_absolute():
        found[str(given)] = "PAPER"
    words = record.command.split()
    for before, word in zip(
        words, words[1:], strict=False
    ):  # where it was run, should it have been moved since
        if before in ("-o", "--outputs") and word.startswith("/"):
            found.setdefault(word.rstrip("/"), "OUTPUTS")
    return {place: word for place, word in found.items() if len(place) > 3}
