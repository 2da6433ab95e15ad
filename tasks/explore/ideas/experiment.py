"""idea.json, and experiment.md: the goal as its author wrote it, and below it, by code, the selected idea with its plan and the
alternatives."""

from __future__ import annotations

from pathlib import Path

from schemas.explore.idea import Idea, IdeaSet
from schemas.text.inert import inert_markdown
from schemas.text.visible import one_visible_line
from tasks.files.store import atomic_write

IDEAS, EXPERIMENT = "idea.json", "experiment.md"
_MARK = "<!-- written by code from idea.json; what stands above is the goal -->"


def write_ideas(run_dir: Path, goal_text: str, ideas: IdeaSet) -> None:
    """Write both files of a run, anew after another idea was chosen. Where idea.json is, all is."""
    atomic_write(run_dir / EXPERIMENT, f"{goal_text.rstrip()}\n\n{_MARK}\n\n{block(ideas)}")
    atomic_write(run_dir / IDEAS, ideas.model_dump_json(indent=1))


def block(ideas: IdeaSet) -> str:
    """The selected idea and what else was considered, as Markdown; a model's words cannot pose as a heading of ours."""
    idea = ideas.root
    lines = [
        f"## Selected idea: {_line(idea.title)}",
        "",
        _text(idea.hypothesis),
        "",
        f"- primary metric: {_line(idea.primary_metric)}, {idea.direction} is better",
    ]
    lines += [f"- chosen because: {_line(ideas.reason)}"] if ideas.reason else []
    lines += [f"- criterion: {_line(words)}" for words in idea.evaluation_criteria]
    lines += [f"- related: {', '.join(idea.related)}"] if idea.related else []
    lines += [f"- novelty: {_line(idea.novelty)}"] if idea.novelty else []
    lines += ["", "## Plan", ""]
    for number, section in enumerate(idea.experiment_plan, 1):
        lines += [
            f"### {number}. {_line(section.title)}",
            "",
            *([_text(section.what), ""] if section.what else []),
        ]
    others = [other for place, other in enumerate(ideas.ideas) if place != ideas.selected]
    if others:
        lines += ["## Alternatives considered", "", *map(_alternative, others), ""]
    if ideas.catalogue:
        lines += ["## Ideas of runs before", "", *(f"- {_line(title)}" for title in ideas.catalogue), ""]
    return "\n".join(lines).rstrip() + "\n"


def _alternative(idea: Idea) -> str:
    return f"- {_line(idea.title)}: {_line(idea.hypothesis)}"


def _line(words: str) -> str:
    return inert_markdown(one_visible_line(words, 2000)).strip()


def _text(words: str) -> str:
    """Paragraphs whose lines begin no heading."""
    return "\n".join(
        line.lstrip("# ") if line.lstrip().startswith("#") else line
        for line in inert_markdown(words).splitlines()
    )
