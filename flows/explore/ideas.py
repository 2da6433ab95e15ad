"""Before the search: related work, ideas, the one to explore, and what is measured by which frozen program."""

from __future__ import annotations

from pathlib import Path

from flows.calls.conversation import use_tool
from flows.explore.context import Run
from flows.questions.asking import ask
from flows.run.endings import RunStopped
from schemas.base import digest
from schemas.errors import PrerequisiteError
from schemas.explore.evaluation import MetricSpec
from schemas.explore.idea import IdeaSet
from schemas.reading.handed import kept_model
from schemas.run.pasted import on_run
from schemas.talking.interaction import Choice, Question
from schemas.talking.tools import ToolResult
from tasks.explore.ideas import write_ideas
from tasks.explore.memory import state_context


def prepare_search(run: Run) -> None:
    """Survey, ideas, the selected one, the metric; each by its tool, each kept."""
    run.update("begin", current="survey")
    with run.tools():
        found = _tool(run, "survey", {})
        run.console.say(f"survey: {_first_line(found)}")
        _tool(run, "generate_ideas", {})
        ideas = kept_model(run.run_dir / "idea.json", IdeaSet, "the ideas")
        run.update("ideas", ideas=ideas)
        run.console.say(f"{len(ideas.ideas)} ideas; explored first: {ideas.root.title}")
        _tool(run, "make_metric_spec", {})
    spec = kept_model(run.run_dir / "evaluation_criteria.json", MetricSpec, "what is measured")
    run.update("specify", spec=spec)
    run.console.say(
        f"measured: {spec.name} in {spec.unit}, {spec.direction} is better, by {Path(spec.program).name} "
        f"({'the goal' if spec.origin == 'goal' else 'an agent'} wrote it; frozen)"
    )
    state_context(
        run.run_dir / "memory.sqlite",
        experiment_goal=run.goal.text,
        primary_metric=spec.name,
        unit=spec.unit,
        higher_is_better=spec.direction == "higher",
        metric_rationale="; ".join(spec.criteria),
    )
    run.checkpoint("after_ideas")
    if run.settings.checkpoints.after_ideas:
        _confirmed(run, ideas, spec)


def _tool(run: Run, name: str, arguments: dict[str, object]) -> ToolResult:
    """The answer of a tool that a skill of the phase `survey` offers; its failure ends the run with words."""
    key = f"tool-{run.line}-survey-{name}-{digest(arguments, 16)}"
    result: ToolResult = use_tool(
        key=key,
        label=name,
        run_id=run.handle,
        name=name,
        arguments=arguments,
        place=run.place("survey").model_copy(update={"call_id": key}),
    )
    if result.is_error:
        raise PrerequisiteError(
            f"{name} could not do its work",
            found=result.text[:1000],
            fix=f"mend what it says, then: {on_run(run.run_dir, 'resume')}",
        )
    return result


def _first_line(result: ToolResult) -> str:
    return next((line for line in result.text.splitlines() if line.strip()), "done")[:200]


def _confirmed(run: Run, ideas: IdeaSet, spec: MetricSpec) -> None:
    listed = "\n".join(
        f"- {number}: **{idea.title}**{' (selected)' if number == ideas.selected else ''}: {idea.hypothesis}"
        for number, idea in enumerate(ideas.ideas)
    )
    answer = ask(
        run,
        Question(
            question_id="after-ideas",
            kind="after_ideas",
            title=f"Explore the idea {ideas.root.title!r}?",
            asked_by="ReproLab",
            body=f"Measured: {spec.name} in {spec.unit}, {spec.direction} is better.\n\n{listed}",
            reason="a checkpoint",
            choices=(
                Choice(name="approve", effect="explore the selected idea"),
                Choice(
                    name="choose",
                    effect="explore another one, by its number",
                    words="line",
                    needs_words=True,
                    one_of=tuple(str(number) for number in range(len(ideas.ideas))),
                ),
                Choice(name="stop", effect="stop the run"),
            ),
        ),
    )
    if answer.choice == "stop":
        run.update("ask_user", stop_reason="stopped by the user after the ideas")
        raise RunStopped("stopped by the user after the ideas")
    if answer.choice == "choose":
        chosen = ideas.model_copy(
            update={"selected": int(answer.text.split()[0]), "reason": "a person chose it"}
        )
        run.update("ideas", ideas=chosen)
        write_ideas(run.run_dir, run.goal.text, chosen)
