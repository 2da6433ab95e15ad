"""Pieces of context that several agents receive."""

from __future__ import annotations

from typing import Any

from agents.talking.rendering import plain
from schemas.errors import StateError
from schemas.reproduce.paper import PaperFigure, PaperInput
from schemas.reproduce.planning.declared import Declared
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.simulations.execution import Execution, StageOutputs
from schemas.reproduce.state import ReproState
from schemas.talking.interaction import AGENT_QUESTIONS, MACHINERY


def current_stage(state: ReproState) -> Stage:
    """The stage at work. Raises StateError if there is none."""
    if state.plan is None or state.current_stage_id is None:
        raise StateError(
            "no stage is at work",
            found=f"plan: {state.plan is not None}, stage: {state.current_stage_id}",
            fix="run select_stage first",
        )
    try:
        return state.plan.stage(state.current_stage_id)
    except KeyError:
        raise StateError(
            "the stage at work is not in the plan",
            found=state.current_stage_id,
            allowed=", ".join(stage.stage_id for stage in state.plan.stages),
            fix="select a stage of the current plan",
        ) from None


def interactions(state: ReproState) -> list[dict[str, Any]]:
    """The log of people's decisions without times, which would change the request from run to run.

    Answers about the model's own failures are left out: a resumed run does not meet them again.
    """
    return [
        {key: value for key, value in plain(entry).items() if key not in ("timestamp", "id")}
        for entry in state.user_interactions
        if entry.interaction_type not in MACHINERY
    ]


# Answers that are addressed to whoever designs and codes; all other words go to agents that know the paper's results.
_TO_CREATORS = ("guide", "rerun", "accept")
_DECISIONS = ("material_checkpoint", "parameter_confirmation", "clarification", "trade_off_decision")


def blind_interactions(state: ReproState) -> list[dict[str, Any]]:
    """What people decided about materials and parameters, and told those who design and code.

    Without the question's text, which agents that know the paper's results wrote, and without any words to such agents
    (guidance for a plan, a reason for a new one).
    """
    shown = ("interaction_type", "stage_id", "user_response", "impact")
    return [
        {key: entry[key] for key in shown if key in entry}
        for entry in interactions(state)
        if entry.get("addressed_to") not in ("planner", "supervisor")
        and (
            entry["interaction_type"] in _DECISIONS
            or (entry.get("stage_id") and entry["user_response"].partition(":")[0] in _TO_CREATORS)
        )
    ]


def answers_to(state: ReproState, agent: str, stage_id: str | None = None) -> list[dict[str, Any]]:
    """What people answered to an agent's own questions, with its questions; about one stage, or about the plan."""
    return [
        {
            "kind": entry.interaction_type,
            "question": entry.question,
            "answer": entry.user_response,
            "meaning": entry.impact,
        }
        for entry in state.user_interactions
        if entry.interaction_type in AGENT_QUESTIONS and entry.agent == agent and entry.stage_id == stage_id
    ]


def figures(paper: PaperInput, wanted: frozenset[str] | None = None) -> list[dict[str, Any]]:
    """id, caption and image of the paper's figures, all or the wanted ones."""
    return [_figure(figure) for figure in paper.figures if wanted is None or figure.figure_id in wanted]


def target_figures(stage: Stage, paper: PaperInput) -> list[dict[str, Any]]:
    """The figures of the paper that the stage's targets belong to."""
    return figures(paper, frozenset(target.figure_id for target in stage.targets))


def outputs(state: ReproState) -> StageOutputs:
    """What the stage's simulations left. Raises StateError if nothing ran."""
    if state.stage_outputs is None or not state.stage_outputs.executions:
        raise StateError(
            "no simulation of this stage has run", found="no stage_outputs", fix="run the simulation first"
        )
    return state.stage_outputs


def dataset_lines(executions: tuple[Execution, ...]) -> list[str]:
    """One line per dataset or picture: file, kind, rows, columns with units, and the targets it answers."""
    lines: list[str] = []
    for execution in executions:
        where = f"scale {execution.resolution_scale:g}"
        if execution.point:
            where += ", " + ", ".join(f"{name} = {value:g}" for name, value in execution.point)
        for dataset in execution.datasets:
            columns = ", ".join(f"{c.name} ({c.quantity}, {c.unit})" for c in dataset.columns)
            answers = ", ".join(f"{t.target} by {t.column}" for t in dataset.targets)
            lines.append(
                f"{dataset.file.path}: {dataset.kind} {dataset.dataset_id}, {dataset.rows} rows, "
                f"[{columns}], "
                f"{where}" + (f", answers {answers}" if answers else "")
            )
        captions = (*execution.captions, *[""] * len(execution.pictures))
        lines += [
            f"{picture.path}: picture, {where}" + (f", caption: {caption}" if caption else "")
            for picture, caption in zip(execution.pictures, captions, strict=False)
        ]
    return lines


def simulation_messages(state: ReproState) -> list[str]:
    """What the stage's last simulations said about themselves: warnings and checks, each once with its scales."""
    said: dict[tuple[str, str], list[str]] = {}
    for execution in state.stage_outputs.executions if state.stage_outputs else ():
        for message in execution.messages:
            value = "" if message.name == "geometry_warning" else f" = {message.value:g}"
            unit = "" if message.unit in ("", "1") else f" {message.unit}"
            text = f"{message.name}{value}{unit}" + (f": {message.detail}" if message.detail else "")
            said.setdefault((message.name, text), []).append(f"{execution.resolution_scale:g}")
    lines = sorted(said.items(), key=lambda item: item[0][0] != "geometry_warning")
    return [f"{text} (scale {', '.join(dict.fromkeys(scales))})" for (_, text), scales in lines][:40]


def declared_lines(found: Declared) -> list[str]:
    """The inputs a description may use as p.name with the paper's words, and why others cannot be declared."""
    return [f"p.{p.id} = {p.value:g} {p.unit} ({p.quotation})" for p in found.parameters] + [
        f"not declared: {reason}" for reason in found.left_out
    ]


def earlier_outputs(executions: tuple[Execution, ...]) -> list[str]:
    """What stages this one depends on left to be read: run.table(stage, file) with its columns, a line per file."""
    lines = [
        f"{execution.stage_id}, {dataset.file.path.rsplit('/', 1)[-1]}: {dataset.kind}, {dataset.rows} rows, "
        + ", ".join(f"{c.name} ({c.quantity}, {c.unit})" for c in dataset.columns)
        + "".join(f"; {name} = {value:g}" for name, value in execution.point)
        for execution in executions
        for dataset in execution.datasets
    ]
    return list(dict.fromkeys(lines))


def expected_outputs(state: ReproState) -> list[str]:
    """One line per dataset the design asks for."""
    return [
        f"{output.dataset_id}: {output.kind} [{', '.join(output.columns)}]"
        + (f", answers {', '.join(output.targets)}" if output.targets else "")
        for output in (state.design.outputs if state.design else ())
    ]


def _figure(figure: PaperFigure) -> dict[str, Any]:
    return {"figure_id": figure.figure_id, "caption": figure.caption, "image": figure.image}
