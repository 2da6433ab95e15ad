"""What is regressed: a bundled paper, a paper's folder with its recording, or a finished run of the user's."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flows.reproduce.kept_records import find_run, read_record
from flows.reproduce.preflight import replayable
from flows.serving.runtime import from_outside
from schemas.base import digest, file_sha256
from schemas.errors import InputError
from schemas.reading.handed import kept_model
from schemas.reproduce.judging.regression import Baseline, Conditions
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.simulations.numerics import StudyResult
from schemas.reproduce.state import ReproState
from schemas.run.pasted import on_run, typed
from schemas.text.visible import one_visible_line
from tasks.files.transcript import read_entries
from tasks.reproduce.judging.headline import headline_of
from tasks.reproduce.papers import bundled_ids, load_paper, locate
from tasks.reproduce.regression.baseline import BASELINE, read_baseline, standing
from tasks.reproduce.regression.numbers_of_run import quantities

_FINAL = Path("checkpoints") / "checkpoint_final_report_latest.json"
_MOST = 200_000_000
REGRESSIONS = "regressions"


@dataclass(frozen=True)
class Subject:
    """places: where its baseline may lie, the first that exists counts. run_dir: of a run of the user's."""

    given: str
    paper_id: str
    location: Path
    transcript: Path
    conditions: Conditions
    settings: RunSettings
    places: tuple[Path, ...]
    run_dir: Path | None = field(default=None)

    def baseline(self) -> tuple[Baseline, str] | None:
        """The baseline and where it is from; a run's own results where none was accepted. None: there is none yet."""
        path = standing(self.places)
        if path is not None:
            found = read_baseline(path)
            if found.paper_id != self.paper_id:
                raise InputError(
                    "the baseline is of another paper",
                    found=f"{found.paper_id} in {path}",
                    allowed=self.paper_id,
                )
            return found, str(path)
        return (_own_results(self), f"the results of run {self.run_dir.name}") if self.run_dir else None

    @property
    def prior_report(self) -> str:
        """The report of the run that is regressed; '' for a paper."""
        return str(next(self.run_dir.glob("REPRODUCTION_REPORT_*.html"), "")) if self.run_dir else ""


def subject(given: str, outputs: Path, settings: RunSettings) -> Subject:
    """What is meant by `given`: a bundled id, a run's id (or its beginning, or `latest`), or a path to a paper or a run.

    settings: of the computer (Meep, sandbox) for any; for a paper also those that judge. Raises InputError.
    """
    own = outputs / REGRESSIONS
    if given not in bundled_ids() and (run_dir := _run_of(given, outputs)) is not None:
        return _of_run(given, run_dir, own, settings)
    location = locate(given)
    paper, folder = load_paper(location)
    transcript = replayable(folder, settings)
    assert transcript is not None
    ours = (
        "baseline.json" if given in bundled_ids() else f"{digest(str(folder), 8)}.baseline.json"
    )  # papers may share an id
    places = (own / paper.paper_id / ours, folder / BASELINE)
    return Subject(
        given,
        paper.paper_id,
        location,
        transcript,
        _conditions(folder, transcript, settings),
        settings,
        places,
    )


def _run_of(given: str, outputs: Path) -> Path | None:
    """The folder of a run that is named by its id, or on one's own computer by a path; None if it is no run's."""
    named = re.fullmatch(r"[A-Za-z0-9-]{1,80}", given) is not None
    if from_outside():
        if not named:
            raise InputError(
                "this worker regresses bundled papers and runs of its own outputs folder only",
                found=one_visible_line(given, 200),
                allowed=", ".join(bundled_ids()) + ", or a run's id",
            )
        return _found(given, outputs)
    try:
        path = Path(given).expanduser()
        if (path / "run.json").is_file():
            return path.resolve()
        if not named or path.exists():
            return None
    except (OSError, ValueError, RuntimeError):  # a name that no file can have
        return None
    return _found(given, outputs)


def _found(given: str, outputs: Path) -> Path:
    try:
        return find_run(outputs, given)
    except InputError as error:
        raise InputError(
            f"neither a bundled paper nor one run: {error.what}",
            found=error.found,
            allowed=f"{', '.join(bundled_ids())}; or a run: {error.allowed}",
            fix=f"`{typed('papers')}` lists the papers, `{typed('status', outputs=outputs)}` the runs",
        ) from error


def _of_run(given: str, run_dir: Path, own: Path, settings: RunSettings) -> Subject:
    record = read_record(run_dir)
    if record.settings.debug_mode:
        raise InputError("a debug run judges nothing, so there is nothing to compare", found=record.run_id)
    transcript = run_dir / "transcript.jsonl"
    read_entries(transcript)  # whole, or it says which line is not
    kept = record.settings.model_copy(
        update={
            "model": RunSettings().model,
            "answers": (),
            "meep_python": settings.meep_python or record.settings.meep_python,
            "allow_degraded_sandbox": settings.allow_degraded_sandbox
            or record.settings.allow_degraded_sandbox,
        }
    )
    paper, folder = load_paper(run_dir / "paper")
    return Subject(
        given,
        paper.paper_id,
        folder,
        transcript,
        _conditions(folder, transcript, kept),
        kept,
        (own / paper.paper_id / f"{record.run_id}.baseline.json",),
        run_dir,
    )


LATER = {"drawn", "patterns"}  # optional fields of a paper that are newer than the first baselines


def _conditions(folder: Path, transcript: Path, settings: RunSettings) -> Conditions:
    paper, _ = load_paper(folder)
    named = {figure.image for figure in paper.figures if figure.image}
    named |= {data.file for figure in paper.figures for data in figure.data} | {
        material.file for material in paper.materials
    }
    named |= {pattern.file for pattern in paper.patterns}
    files = sorted((name, file_sha256(folder / name)) for name in named)
    judging = settings.model_dump(mode="json", include={"thresholds", "scope"})
    return Conditions(
        transcript=file_sha256(transcript),
        paper=digest([_said(paper.model_dump(mode="json")), files]),
        settings=digest(judging),
    )


def _said(value: Any) -> Any:
    """What a paper says, without the fields of later versions that it leaves empty: baselines are older."""
    if isinstance(value, list):
        return [_said(entry) for entry in value]
    if isinstance(value, dict):
        return {name: _said(entry) for name, entry in value.items() if entry or name not in LATER}
    return value


def _own_results(subject: Subject) -> Baseline:
    """A finished run's results as a baseline: the last state it saved, and the files of its studies."""
    run_dir = subject.run_dir
    assert run_dir is not None
    if not (run_dir / _FINAL).is_file():
        raise InputError(
            "the run is not finished, so it has no results to compare with",
            found=str(run_dir),
            fix=f"{on_run(run_dir, 'resume')}, then regress it",
        )
    state = kept_model(run_dir / _FINAL, ReproState, "the run's last checkpoint", max_bytes=_MOST)
    paper, _ = load_paper(subject.location)
    studies = {
        path.parent.parent.name: kept_model(path, StudyResult, "the study", max_bytes=_MOST)
        for path in sorted(run_dir.glob("*/study/study.json"))
    }
    verdict = headline_of(state, paper).verdict
    header, _ = read_entries(subject.transcript)
    found = quantities(state, verdict, studies, run_dir)
    return Baseline(
        paper_id=subject.paper_id,
        regression_id=run_dir.name,
        accepted=str(header.get("recorded", "unknown")),
        reason="the run's own results",
        conditions=subject.conditions,
        environment={
            str(name): str(value)
            for part in ("versions", "sources")
            for name, value in dict(header.get(part, {})).items()
            if name != "anthropic"
        },
        quantities=found,
    )
