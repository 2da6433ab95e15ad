"""Analysis and its check: what the stage's results are against the paper, in numbers by code and in words."""

from __future__ import annotations

from agents.reproduce import comparison_validator, results_analyzer
from flows.calls.calling import ask_agent, request_images
from flows.calls.review import LimitDecision, review_loop
from flows.pages.artifacts import publish_markdown
from flows.reproduce.context import Run
from flows.reproduce.counting import count
from flows.reproduce.designing.creation import suggested
from flows.reproduce.judging.checking import judged
from flows.reproduce.judging.looking import record_looks, side_by_side
from flows.reproduce.pages.values import values
from schemas.base import FileRef, file_sha256
from schemas.reproduce.judging.comparison import FigureComparison
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.judging.verdicts import AnalysisAnswer, ComparisonAnswer
from schemas.reproduce.planning.plan import Stage
from schemas.talking.transcript import RequestImage
from tasks.files.store import atomic_write
from tasks.reproduce.collect.sheets import contact_sheets
from tasks.reproduce.collect.telling_pictures import telling_pictures
from tasks.reproduce.evidence.result_tables import write_targets
from tasks.reproduce.judging import record
from tasks.reproduce.papers import inside

MOST_OVERLAYS = 6  # more go on contact sheets
SIMULATION_PICTURES = 3


def analyse(run: Run, stage: Stage, attempt: int) -> None:
    """Analysis and its check, revised until approved or the limit is reached; then flagged."""
    evidence = run.state.stage_evidence
    assert evidence is not None
    limit = run.settings.limits.max_analysis_revisions
    images: tuple[RequestImage, ...] = ()
    last = False  # whether a version that is sent back now has no successor

    def produce(_words: str, revisions: int) -> AnalysisAnswer:
        nonlocal images, last
        last = revisions + 1 >= limit
        run.console.say(
            "comparing with the paper" + (f" (revision {revisions})" if revisions else ""),
            stage=stage.stage_id,
        )
        images = (*side_by_side(run), *_comparison_images(run, stage, evidence.targets))
        answer = ask_agent(
            run,
            results_analyzer.AGENT,
            results_analyzer.context(
                run.state, run.paper, evidence=evidence.targets, thresholds=run.settings.thresholds
            ),
            AnalysisAnswer,
            position=run.position("results_analyzer", stage.stage_id, attempt),
            images=images,
        )
        record_analysis(run, stage, answer)
        return answer

    def review(answer: AnalysisAnswer) -> ComparisonAnswer:
        ruled = comparison_validator.rule(answer, _of_stage(run, stage), evidence.targets, stage, evidence)
        checked = judged(
            run,
            comparison_validator.AGENT,
            comparison_validator.context(run.state, run.paper, evidence=evidence.targets),
            ComparisonAnswer,
            stage,
            attempt,
            images,
            skip="" if ruled.verdict == "approve" or last else "code sends the analysis back in any case",
        )
        record_looks(run, stage, answer, checked)
        verdict = comparison_validator.judge(checked, ruled)
        run.update("comparison_check", comparison_verdict=verdict, reviewer_feedback=verdict.feedback)
        return verdict

    def sent_back(verdict: ComparisonAnswer, _so_far: int) -> None:
        count(run, "comparison_check", analysis_revisions=1)
        first = verdict.issues[0].description if verdict.issues else verdict.feedback[:200]
        run.history.append(f"{stage.stage_id}: analysis sent back: {first}")
        run.console.say(f"analysis sent back: {first}", stage=stage.stage_id)

    _, approved, _ = review_loop(
        produce, review, limit=limit, on_revision=sent_back, on_limit=lambda *_: LimitDecision("stop")
    )
    if not approved:
        run.update(
            "comparison_check", progress=run.state.with_progress(stage.stage_id, comparison_flagged=True)
        )
    remember(run, stage, attempt)
    publish_comparison(run, stage)


def record_analysis(run: Run, stage: Stage, answer: AnalysisAnswer | None) -> None:
    """The stage's comparisons into the state: the stricter of evidence and analyst."""
    evidence = run.state.stage_evidence
    assert evidence is not None
    run.evidence[stage.stage_id] = evidence
    physics = run.state.physics_verdict
    refused = physics.advice[:600] or physics.verdict if run.state.physics_stuck and physics else ""
    comparisons = results_analyzer.judge(answer, stage, evidence.targets, refused=refused)
    ids = {target.target_id for target in stage.targets}
    run.update(
        "analyze",
        analysis=answer,
        figure_comparisons=(
            *(c for c in run.state.figure_comparisons if c.stage_id != stage.stage_id),
            *comparisons,
        ),
        discrepancies=(
            *(d for d in run.state.discrepancies if d.target_id not in ids),
            *(answer.discrepancies if answer else ()),
        ),
        backtrack_suggestion=suggested(
            run, answer.backtrack_suggestion if answer else None, "ResultsAnalyzerAgent"
        ),
    )
    save_comparisons(run, stage)


def save_comparisons(run: Run, stage: Stage) -> None:
    """The stage's comparisons and targets as files beside its data."""
    folder = run.run_dir / stage.stage_id
    write_targets(run.evidence[stage.stage_id].targets, folder / "targets.csv")
    found = ",\n".join(comparison.model_dump_json(indent=1) for comparison in _of_stage(run, stage))
    atomic_write(folder / "comparison.json", f"[{found}]")


def remember(run: Run, stage: Stage, attempt: int) -> None:
    """Add the stage's final comparisons to the run's ledger."""
    run.update(
        "analyze",
        comparison_history=(*run.state.comparison_history, *record.compared(run.state, stage, attempt)),
    )


def publish_comparison(run: Run, stage: Stage) -> None:
    """The stage's comparison as an artifact on the run's page, and a line each in the terminal."""
    head = "| target | simulated | reference | error | class |"
    lines = [f"# {stage.name}", "", head, "|---|---|---|---|---|"]
    targets = {target.target_id: target for target in stage.targets}
    pictures = []
    for comparison in _of_stage(run, stage):
        e = comparison.evidence
        value, reference, error = values(e, targets.get(e.target_id), run.paper, 6)
        lines.append(f"| {e.target_id} | {value} | {reference} | {error} | {comparison.classification} |")
        run.console.say(
            f"{e.target_id}: {comparison.classification}"
            + (f", error {e.error:.3g} ({e.measure.replace('_', ' ')})" if e.error is not None else ""),
            stage=stage.stage_id,
        )
        if e.overlay and (run.run_dir / e.overlay).is_file():
            pictures.append(FileRef.of(run.run_dir / e.overlay, run.run_dir))
    publish_markdown(
        run,
        f"comparison-{stage.stage_id}",
        "\n".join(lines),
        f"Comparison of {stage.stage_id}",
        tuple(pictures),
    )


def _of_stage(run: Run, stage: Stage) -> tuple[FigureComparison, ...]:
    return tuple(c for c in run.state.figure_comparisons if c.stage_id == stage.stage_id)


def _comparison_images(
    run: Run, stage: Stage, targets: tuple[TargetEvidence, ...]
) -> tuple[RequestImage, ...]:
    """Every overlay (more than six on contact sheets), the paper's figures, and how the finest simulation looks."""
    paper = []
    for figure in run.paper.figures:
        path = inside(run.paper_dir, figure.image) if figure.image else None
        if path is not None and any(t.figure_id == figure.figure_id for t in stage.targets):
            media = "image/png" if path.suffix.lower() == ".png" else "image/jpeg"
            paper.append((str(path), file_sha256(path), media, f"the paper's {figure.figure_id}"))
    shown: dict[str, list[str]] = {}
    for target in targets:
        if target.overlay and (run.run_dir / target.overlay).is_file():
            shown.setdefault(target.overlay, []).append(target.target_id)
    outputs = run.state.stage_outputs
    simulated = (
        telling_pictures(outputs.finest(), SIMULATION_PICTURES, ("structure", "field")) if outputs else ()
    )
    return request_images(run, [*_overlays(run, stage, shown), *simulated], paper[:4])


def _overlays(run: Run, stage: Stage, shown: dict[str, list[str]]) -> list[tuple[FileRef, str]]:
    if len(shown) <= MOST_OVERLAYS:
        return [
            (FileRef.of(run.run_dir / path, run.run_dir), f"overlay of {', '.join(names)}")
            for path, names in shown.items()
        ]
    names_of = {run.run_dir / path: names for path, names in shown.items()}
    sheets = contact_sheets(list(names_of), run.run_dir / stage.stage_id / "plots" / "sheets")
    return [
        (
            FileRef.of(sheet, run.run_dir),
            f"overlays, page {number} of {len(sheets)}, row by row: "
            + "; ".join(", ".join(names_of[plot]) for plot in plots),
        )
        for number, (sheet, plots) in enumerate(sheets, 1)
    ]
