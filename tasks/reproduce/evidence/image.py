"""The simulation's picture of an image target, drawn by code from what a simulation saved, beside the paper's."""

from __future__ import annotations

from pathlib import Path

from schemas.reproduce.judging.looks import PictureEvidence
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Stage, Target
from schemas.reproduce.simulations.execution import StageOutputs
from tasks.files.figures import save_figure
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.curves.maps import Map
from tasks.reproduce.evidence.kept_files import Reader
from tasks.reproduce.evidence.not_computed import EvidenceError, unanswered
from tasks.reproduce.evidence.rung import uses_meep
from tasks.reproduce.evidence.simulated import answers_of, joined_curve, saved_map
from tasks.reproduce.evidence.sweep_points import Answer, own_columns
from tasks.reproduce.papers import inside


def picture_evidence(
    outputs: StageOutputs, stage: Stage, paper: PaperInput, *, root: Path, paper_dir: Path, folder: Path
) -> tuple[PictureEvidence, ...]:
    """Both pictures of every image target of the stage; what cannot be had is named, and nothing raises.

    Generated code does not draw it: a picture is made here from the data that the target is answered with.
    """
    return tuple(_one(outputs, target, paper, root, paper_dir, folder) for target in stage.image_targets)


def _one(
    outputs: StageOutputs, target: Target, paper: PaperInput, root: Path, paper_dir: Path, folder: Path
) -> PictureEvidence:
    figure = next((f for f in paper.figures if f.figure_id == target.figure_id), None)
    found = inside(paper_dir, figure.image) if figure is not None and figure.image else None
    shown = figure.image if figure is not None and found is not None and found.is_file() else None
    base = PictureEvidence(target_id=target.target_id, figure_id=target.figure_id, paper=shown)
    try:
        answers = answers_of(outputs.finest(), target, Reader(root)) if outputs.executions else []
        if not answers:
            raise unanswered(outputs.executions, target)
        path = _draw(answers, target, folder)
    except (EvidenceError, ValueError) as error:
        return base.model_copy(update={"problems": (" ".join(str(error).split()) + ".",)})
    last = answers[-1]
    computed = all(
        a.execution.exit_code == 0
        and a.execution.complete
        and a.execution.failure is None
        and uses_meep(a.execution)
        for a in answers
    )
    return base.model_copy(
        update={
            "simulation": str(path.resolve().relative_to(root.resolve())),
            "file": last.dataset.file.path,
            "sha256": last.dataset.file.sha256,
            "execution_id": last.execution.execution_id,
            "computed": computed,
        }
    )


def _draw(answers: list[Answer], target: Target, folder: Path) -> Path:
    """A map where the data are one, else every answering column as a curve (or one curve over the sweep's points)."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 4.6), layout="constrained")
    axes = figure.add_subplot()
    first = answers[0].dataset.columns
    if _is_map(answers):
        found: Map = saved_map(answers, target)
        mesh = axes.pcolormesh(found.x, found.y, found.z.T, shading="nearest", cmap="viridis")
        figure.colorbar(mesh, ax=axes)
        labels = (
            _label(first[0].name, target.x_unit or first[0].unit),
            _label(first[1].name, target.y_unit or first[1].unit),
        )
    else:
        x_unit = target.x_unit or first[0].unit
        if answers[0].table.rows == 1:
            curves = [("", joined_curve(answers, target.x_unit, answers[0].column.unit))]
        else:
            curves = [(answer.column.name, _own(answer, x_unit)) for answer in answers]
        for name, curve in curves[:20]:
            axes.plot(curve.x, curve.y, lw=1.4, marker="o" if curve.x.size <= 25 else None, ms=4, label=name)
        if 1 < len(curves) <= 8:
            axes.legend(fontsize=8, frameon=False)
        axes.grid(color="#eeeeee", lw=0.6)
        labels = (
            _label(first[0].name if answers[0].table.rows > 1 else "sweep", x_unit),
            _label(answers[0].column.quantity or answers[0].column.name, answers[0].column.unit),
        )
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    if target.x_range is not None:
        axes.set_xlim(*target.x_range)
    return save_figure(figure, folder / f"{target.target_id}_simulation.png")


def _is_map(answers: list[Answer]) -> bool:
    if len(answers) == 1 and answers[0].dataset.kind == "field":
        return True
    varying = {name for answer in answers for name, _ in answer.execution.point}
    return len(answers) > 1 and (len(varying) == 2 if answers[0].table.rows == 1 else len(varying) == 1)


def _own(answer: Answer, x_unit: str) -> Curve:
    from tasks.reproduce.evidence.units import convert

    x, y = own_columns(answer)
    return Curve.of(convert(x, answer.dataset.columns[0].unit, x_unit), y)


def _label(name: str, unit: str) -> str:
    text = name.replace("$", "").replace("_", " ")
    return text if unit in ("", "1") else f"{text} ({unit})"
