"""`open_run`: a kept reproduction, to look at: targets, verdicts, values with their uncertainty, where every number comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from flows.reproduce.kept_records import find_run, read_record
from flows.reproduce.kept_state import is_finished, newest_state, outputs_kept
from flows.reproduce.outcome import not_compared
from flows.run.records import RECORD, workflow_of
from reprolab.places import outputs_folder
from reprolab.quantities import Quantity, Source, quantities_of, row_of, scale_of
from reprolab.showing import paragraph, picture, table
from schemas.base import file_sha256
from schemas.errors import InputError
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.numerics import UncertaintyPart
from schemas.reproduce.state import ReproState
from schemas.run.pasted import on_run, typed
from tasks.reproduce.judging.headline import headline_of, not_finished
from tasks.reproduce.papers import load_paper

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class KeptTarget:
    """A target of the plan. verdict: the stricter of evidence and analyst, or 'not compared'.

    evidence: value, reference, error, uncertainty (in the threshold's measure), findings, reasons; None where nothing was compared.
    parts: of the uncertainty of the quantity that answers it, in base units; empty of a free script.
    as_written: whether the data file that the value came from still has the digest of the evidence; None without a file.
    """

    id: str
    stage: str
    figure: str
    verdict: str
    evidence: TargetEvidence | None
    parts: tuple[UncertaintyPart, ...]
    as_written: bool | None

    @property
    def value(self) -> float | None:
        """The simulated number in `unit`; None for a curve or map."""
        return None if self.evidence is None else self.evidence.simulated

    @property
    def unit(self) -> str:
        """The unit of value and reference."""
        return "" if self.evidence is None else self.evidence.unit

    @property
    def provenance(self) -> dict[str, str | None]:
        """Where the value comes from: file below the run's folder, its sha256, column, execution; and the reference's source."""
        names = ("file", "sha256", "column", "execution_id", "reference_source")
        return {name: None if self.evidence is None else getattr(self.evidence, name) for name in names}


@dataclass(frozen=True, eq=False)
class KeptRun:
    """A reproduction as its newest snapshot tells it, which whoever can write the folder can write: for showing, no evidence.

    verdict, reason: of the report's first page. targets: of the plan. quantities: of every described stage, with curves and parts.
    """

    run_id: str
    paper_id: str
    title: str
    model: str
    started: str
    verdict: str
    reason: str
    targets: tuple[KeptTarget, ...]
    quantities: tuple[Quantity, ...]
    folder: Path
    state: ReproState = field(repr=False)

    def __getitem__(self, name: str) -> KeptTarget:
        for target in self.targets:
            if target.id == name:
                return target
        raise InputError(
            "no such target", found=repr(name), allowed=", ".join(t.id for t in self.targets) or "none"
        )

    def __iter__(self) -> Iterator[KeptTarget]:
        return iter(self.targets)

    def __len__(self) -> int:
        return len(self.targets)

    def quantity(self, name: str, stage: str = "") -> Quantity:
        """The quantity of that id; of the stage named, where several have it. Raises InputError."""
        found = [q for q in self.quantities if q.id == name and stage in ("", q.stage)]
        if len(found) != 1:
            raise InputError(
                "no such quantity" if not found else "several stages have that quantity",
                found=repr(name),
                allowed=", ".join(f"{q.id} of {q.stage}" for q in self.quantities) or "none was described",
                fix="run.quantity(NAME, stage=STAGE)",
            )
        return found[0]

    def to_dataframe(self) -> pd.DataFrame:
        """One row a target: verdict, both sides, error, uncertainty, findings, file and digest."""
        import pandas as pd

        return pd.DataFrame([_row(target) for target in self.targets])

    def quantities_dataframe(self) -> pd.DataFrame:
        """One row a solved quantity: value, unit, uncertainty, its parts, theory, status."""
        import pandas as pd

        return pd.DataFrame([row_of(quantity) for quantity in self.quantities])

    def plot(self) -> Figure:
        """Every target's error over its acceptable error, with the numerical uncertainty as a bar; 1 is the limit."""
        from matplotlib.figure import Figure

        known = [
            t for t in self.targets if t.evidence and t.evidence.acceptable and t.evidence.error is not None
        ]
        figure = Figure(figsize=(6.4, 1.2 + 0.35 * max(1, len(known))), layout="constrained")
        axes = figure.add_subplot()
        for place, target in enumerate(known):
            e = target.evidence
            assert e is not None and e.error is not None and e.acceptable
            doubt = None if e.uncertainty is None else e.uncertainty / e.acceptable
            axes.errorbar(e.error / e.acceptable, place, xerr=doubt, fmt="o", color="#0b62a4", capsize=3)
        axes.axvline(1.0, color="#b42318", lw=1)
        axes.set_yticks(range(len(known)), [f"{target.id}: {target.verdict}" for target in known])
        axes.invert_yaxis()
        axes.set_xlabel("error over acceptable error")
        axes.set_title(f"{self.paper_id}: {self.verdict}")
        return figure

    def __str__(self) -> str:
        said = [f"run {self.run_id} of {self.paper_id}: {self.verdict}"]
        return "\n".join([*said, *(f"  {target.id}: {target.verdict}" for target in self.targets)])

    def _repr_html_(self) -> str:
        from reprolab.showing import png_of

        rows = [_row(target) for target in self.targets]
        head = tuple(rows[0]) if rows else ()
        return (
            paragraph(f"{self.title} ({self.paper_id}), run {self.run_id}: {self.verdict}")
            + paragraph(self.reason)
            + table(head, [tuple(row.values()) for row in rows])
            + (picture(png_of(self.plot())) if rows else "")
        )


def open_run(run: str | Path = "latest", *, outputs: str | Path | None = None) -> KeptRun:
    """A kept reproduction as a frozen view; nothing of it is changed.

    run: the id of a run in the outputs folder, a beginning of one, 'latest', or a run's own folder.
    Raises InputError: no such run, one of another workflow, nothing saved yet, a file that does not fit or was changed.
    """
    folder = _folder(run, outputs_folder(outputs))
    record, state = read_record(folder), newest_state(folder)
    if state is None:
        raise InputError(
            "nothing of this run was saved yet",
            found=folder,
            allowed="a run with a plan",
            fix=on_run(folder, "resume"),
        )
    paper, _ = load_paper(folder / "paper")
    head = headline_of(state, paper)
    head = head if is_finished(folder) else not_finished(head)
    quantities = _quantities(folder, state, record.settings.thresholds)
    return KeptRun(
        run_id=record.run_id,
        paper_id=record.paper_id,
        title=state.paper_title,
        model=record.settings.model.kind,
        started=record.started,
        verdict=head.verdict,
        reason=head.reason,
        targets=_targets(folder, state, quantities),
        quantities=quantities,
        folder=folder,
        state=state,
    )


def _folder(run: str | Path, outputs: Path) -> Path:
    given = Path(run)
    if not (given / RECORD).is_file():
        if isinstance(run, Path) or "/" in run:
            raise InputError(
                "this is no run's folder",
                found=str(run),
                allowed=f"a folder with {RECORD}, or a run's id",
                fix=f"`{typed('status', outputs=outputs)}` lists the runs of an outputs folder",
            )
        return find_run(outputs, run)
    if (workflow := workflow_of(given)) != "reproduce":
        raise InputError(
            "only reproductions are opened so",
            found=f"a run of the workflow {workflow}",
            allowed="a reproduction",
            fix=f"read its report; `{on_run(given.resolve(), 'status')}` says where it is",
        )
    return given.resolve()


def _quantities(folder: Path, state: ReproState, profile: str) -> tuple[Quantity, ...]:
    materials = {record.name: record for record in state.validated_materials or state.materials}
    found: list[Quantity] = []
    for entry in state.progress:
        outputs = outputs_kept(folder, entry.stage_id)
        if outputs is not None and outputs.study is not None:
            source = Source(folder, folder / entry.stage_id / "study", outputs, materials, profile)
            found += quantities_of(source, scale_of(outputs.study), entry.stage_id)
    return tuple(found)


def _targets(folder: Path, state: ReproState, quantities: tuple[Quantity, ...]) -> tuple[KeptTarget, ...]:
    compared = {c.target_id: c for c in state.figure_comparisons}
    known = [(stage.stage_id, target) for stage, target in state.plan.targets()] if state.plan else []
    lost = set(not_compared(state))
    found = []
    for stage, target in known:
        if target.target_id not in compared and target.target_id not in lost:
            continue  # of a material stage: it is compared with its table
        comparison = compared.get(target.target_id)
        evidence = comparison.evidence if comparison else None
        answering = [q for q in quantities if q.stage == stage and target.target_id in q.result.answers]
        found.append(
            KeptTarget(
                id=target.target_id,
                stage=stage,
                figure=target.figure_id,
                verdict=comparison.verdict if comparison else "not compared",
                evidence=evidence,
                parts=answering[0].parts if len(answering) == 1 else (),
                as_written=_as_written(folder, evidence),
            )
        )
    return tuple(found)


def _as_written(folder: Path, evidence: TargetEvidence | None) -> bool | None:
    if evidence is None or evidence.file is None:
        return None
    path = (folder / evidence.file).resolve()
    inside = path.is_relative_to(folder.resolve())
    return inside and path.is_file() and file_sha256(path) == evidence.sha256


def _row(target: KeptTarget) -> dict[str, object]:
    e = target.evidence
    return {
        "target": target.id,
        "stage": target.stage,
        "figure": target.figure,
        "verdict": target.verdict,
        "simulated": target.value,
        "paper": None if e is None else e.reference,
        "unit": target.unit,
        "error": None if e is None else e.error,
        "uncertainty": None if e is None else e.uncertainty,
        "measure": None if e is None else e.measure,
        "acceptable": None if e is None else e.acceptable,
        "converged": None if e is None else e.converged,
        "file": None if e is None else e.file,
        "sha256": None if e is None else e.sha256,
        "as_written": target.as_written,
    }
