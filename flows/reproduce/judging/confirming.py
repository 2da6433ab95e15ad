"""What hangs on what the paper's words leave open alone: a person compares words and description, and decides."""

from __future__ import annotations

from datetime import UTC, datetime

from agents.reproduce.rules.supervision import stage_status
from flows.questions.answers import given_beforehand
from flows.questions.asking import ask_if_possible
from flows.reproduce.context import Run
from flows.reproduce.judging.analysing import publish_comparison, save_comparisons
from schemas.base import FileRef, digest
from schemas.reproduce.judging.comparison import FigureComparison
from schemas.reproduce.judging.evidence import Doubt, TargetEvidence
from schemas.reproduce.planning.plan import Stage, Target
from schemas.talking.interaction import Choice, Question, UserAnswer
from tasks.reproduce.judging import record
from tasks.reproduce.judging.doubts import causes, decidable, lifted
from tasks.reproduce.judging.two_ways import beside_paper

CONFIRM, KEEP = "confirm", "keep"
_TITLE = "Is what was computed what the paper says?"
_HEAD = """These targets agree with the paper's numbers and are PARTIAL only because the paper's words leave something open, or code
cannot read them; or they differ, and only that keeps the difference from being the paper's. Compare the words with what was computed, and
confirm what is the same: one name answers for all targets behind it."""


def decide_doubts(run: Run, complete: bool = True) -> bool:
    """Whether a person lifted a doubt, so that the report has to be written again. Asks where anybody can be asked, and of what
    is left again; in a run that stopped nobody, and what was answered beforehand counts all the same."""
    changed = False
    while found := _open(run):
        question = _question(run, found)
        if (
            not complete
            and given_beforehand(run.settings.answers, question, run.state.user_interactions) is None
        ):
            break
        answer = ask_if_possible(run, question)
        if answer is None or answer.choice != CONFIRM:
            break
        _lift(run, answer, found)
        changed = True
    return changed


def _open(run: Run) -> dict[str, tuple[Doubt, ...]]:
    if run.state.plan is None:
        return {}
    found = {
        comparison.target_id: decidable(comparison.evidence)
        for comparison in run.state.figure_comparisons
        if not comparison.stricter_than_evidence
    }
    return {name: doubts for name, doubts in found.items() if doubts}


def _question(run: Run, found: dict[str, tuple[Doubt, ...]]) -> Question:
    plan = run.state.plan
    assert plan is not None
    why = causes(found)
    single = tuple(doubt.doubt_id for doubts in found.values() for doubt in doubts)
    compared = {comparison.target_id: comparison for comparison in run.state.figure_comparisons}
    pairs = [(stage, target) for stage, target in plan.targets() if target.target_id in found]
    stages = dict.fromkeys(stage.stage_id for stage, _ in pairs)
    parts = [
        _HEAD,
        *(f"### `{one.name}`\n{one.why}\n\nTargets: {', '.join(one.targets)}" for one in why),
        "### The targets\n" + "\n".join(_told(target, compared[target.target_id]) for _, target in pairs),
        *(_described(run, stage_id) for stage_id in stages),
    ]
    return Question(
        question_id=f"doubts-{digest(single, 8)}",  # after other results an older answer is to another question
        kind="doubts",
        title=_TITLE,
        body="\n\n".join(part for part in parts if part),
        choices=(
            Choice(
                name=CONFIRM,
                effect="what is named is what the paper says; the report says that a person decided it",
                words="line",
                needs_words=True,
                some_of=tuple(one.name for one in why),
                parts=single,
            ),
            Choice(name=KEEP, effect="they stay PARTIAL, and differences may be ours as well as the paper's"),
        ),
        pictures=tuple(picture for stage_id in stages for picture in _drawings(run, stage_id)),
        asked_by="ReproLab",
        reason=f"words that leave something open: {', '.join(found)}",
    )


def _told(target: Target, comparison: FigureComparison) -> str:
    evidence, reference = comparison.evidence, target.reference
    value = "" if evidence.simulated is None else f": computed {evidence.simulated:.6g} {evidence.unit}"
    value += f", the paper's {evidence.reference_words()} {evidence.unit}" if value else ""
    words = (
        f'"{reference.quotation}" ({reference.place})'
        if reference.quotation
        else f"{reference.file} {reference.y_column or ''}"
    )
    return f"- {target.target_id} ({target.description}), {comparison.classification}{value}; {words}"


def _described(run: Run, stage_id: str) -> str:
    study = run.outputs[stage_id].study if stage_id in run.outputs else None
    if study is None:
        return ""
    return "\n".join([f"### What was computed in {stage_id}", *(f"- {scene}" for scene in study.scenes)])


def _drawings(run: Run, stage_id: str) -> tuple[FileRef, ...]:
    study = run.outputs[stage_id].study if stage_id in run.outputs else None
    folder = run.run_dir / stage_id / "study"
    return tuple(
        FileRef.of(folder / drawing.path, run.run_dir)
        for drawing in (study.drawings if study else ())
        if (folder / drawing.path).is_file()
    )


def _told_of_paper(run: Run, evidence: TargetEvidence) -> TargetEvidence:
    """The evidence with what its difference says of the paper, now that what was computed is known to be meant."""
    outputs, plan = run.outputs.get(evidence.stage_id), run.state.plan
    if outputs is None or plan is None or not evidence.about_paper:
        return evidence
    [target] = [target for _, target in plan.targets() if target.target_id == evidence.target_id]
    return beside_paper(evidence.model_copy(update={"about_paper": ()}), target, outputs)


def _lift(run: Run, answer: UserAnswer, found: dict[str, tuple[Doubt, ...]]) -> None:
    plan = run.state.plan
    assert plan is not None
    by = f"{answer.who}, {datetime.now(UTC).date().isoformat()}"
    named = answer.text.replace(",", " ").split()
    parts = {cause.name: cause.doubts for cause in causes(found)}
    confirmed = {doubt_id: by for name in named for doubt_id in parts.get(name, (name,))}
    changed: list[Stage] = []
    comparisons = []
    for comparison in run.state.figure_comparisons:
        if confirmed.keys() & {doubt.doubt_id for doubt in found.get(comparison.target_id, ())}:
            evidence = _told_of_paper(run, lifted(comparison.evidence, confirmed))
            comparison = comparison.model_copy(
                update={"evidence": evidence, "classification": evidence.classification}
            )
            changed.append(plan.stage(comparison.stage_id))
        comparisons.append(comparison)
    run.update("confirm_doubts", figure_comparisons=tuple(comparisons))
    for stage in dict.fromkeys(changed):
        before = run.evidence[stage.stage_id]
        own = {c.target_id: c.evidence for c in comparisons if c.stage_id == stage.stage_id}
        run.evidence[stage.stage_id] = before.model_copy(
            update={"targets": tuple(own.get(entry.target_id, entry) for entry in before.targets)}
        )
        entry = run.state.stage_progress(stage.stage_id)
        run.update(
            "confirm_doubts",
            progress=run.state.with_progress(
                stage.stage_id,
                status=stage_status(run.state.figure_comparisons, stage, run.state.visual_comparisons),
            ),
            comparison_history=(
                *run.state.comparison_history,
                *record.compared(run.state, stage, entry.attempts),
            ),
        )
        save_comparisons(run, stage)
        publish_comparison(run, stage)
    run.history.append(f"a person confirmed what the paper's words leave open: {', '.join(named)}")
