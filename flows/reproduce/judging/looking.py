"""Image targets of a stage: their pictures for the agents that see, and what comes of their judgements."""

from __future__ import annotations

from agents.reproduce.rules import looking
from flows.reproduce.context import Run
from schemas.base import FileRef, file_sha256
from schemas.reproduce.judging.verdicts import AnalysisAnswer, ComparisonAnswer
from schemas.reproduce.planning.plan import Stage
from schemas.talking.transcript import RequestImage
from tasks.files.store import atomic_write
from tasks.reproduce.papers import inside


def side_by_side(run: Run) -> tuple[RequestImage, ...]:
    """Both pictures of every image target, the paper's before the simulation's."""
    found = []
    for entry in run.state.stage_evidence.pictures if run.state.stage_evidence else ():
        if not looking.both(entry):
            continue
        paper, ours = (
            inside(run.paper_dir, entry.paper or ""),
            FileRef.of(run.run_dir / (entry.simulation or ""), run.run_dir),
        )
        assert paper is not None
        media = "image/png" if paper.suffix.lower() == ".png" else "image/jpeg"
        found.append(
            RequestImage(
                path=str(paper),
                sha256=file_sha256(paper),
                media_type=media,
                caption=f"{entry.target_id}: the paper's {entry.figure_id}",
            )
        )
        found.append(
            RequestImage(
                path=str(run.run_dir / ours.path),
                sha256=ours.sha256,
                media_type=ours.media_type,
                caption=f"{entry.target_id}: the simulation",
            )
        )
    return tuple(found)


def record_looks(
    run: Run, stage: Stage, analysis: AnalysisAnswer | None, comparison: ComparisonAnswer | None
) -> None:
    """The stage's image targets into the state, a file and the terminal. Without answers they are not judged."""
    if not stage.image_targets:
        return
    found = looking.judge(
        stage,
        run.state.stage_evidence,
        analysis.visual_reports if analysis else (),
        comparison.visual_reports if comparison else (),
    )
    run.update(
        "analyze",
        visual_comparisons=(
            *(c for c in run.state.visual_comparisons if c.stage_id != stage.stage_id),
            *found,
        ),
    )
    atomic_write(
        run.run_dir / stage.stage_id / "looks.json",
        "[" + ",\n".join(c.model_dump_json(indent=1) for c in found) + "]",
    )
    for entry in found:
        agree = sum(look.verdict == "agree" for look in entry.looks)
        run.console.say(
            f"{entry.target_id}: by eye {entry.classification.replace('_', ' ')}, {agree} of {len(entry.looks)} "
            "looks agree",
            stage=stage.stage_id,
        )
