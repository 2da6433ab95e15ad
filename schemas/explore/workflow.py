"""workflow.yaml: which skills there are, in which phases, and the stages after the search."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, ValidationError, field_validator

from schemas.base import Identifier, Model
from schemas.errors import InputError
from schemas.reading.beneath import Unopened, read_below
from schemas.talking.tools import Skill, ToolName

OUR_SKILLS = (
    "hpc",
    "memory",
    "idea",
    "evaluator",
    "transform",
    "web",
    "plot",
    "paper",
    "paper_re",
    "replicate",
    "benchmark",
    "vlm",
    "coding",
    "orchestrator",
)
VARIABLES = ("run_dir", "run_id", "goal_id", "outputs", "feedback")
MOST_BYTES, MOST_ENTRIES = 200_000, 64
_VARIABLE = re.compile(r"\{\{\s*([a-z_]+)\s*\}\}")
_MARKS = (yaml.AnchorToken, yaml.AliasToken)


class Stage(Model):
    """One stage of the pipeline: a tool of a skill, when those it comes after are done.

    inputs: the tool's arguments; texts may hold {{run_dir}}, {{run_id}}, {{goal_id}}, {{outputs}}, and {{feedback}} of the
    stage that sent the work back. back_to: the stage done again when this one's answer has a score below `below`; at_most
    so many times.
    """

    stage: Identifier
    skill: Identifier
    tool: ToolName
    after: tuple[Identifier, ...] = ()
    inputs: dict[str, Any] = Field(default_factory=dict)
    enabled: bool = True
    back_to: Identifier | None = None
    below: float = Field(default=0.7, ge=0, le=1)
    at_most: int = Field(default=2, ge=0, le=5)
    retries: int = Field(default=1, ge=0, le=5)
    required: bool = Field(
        default=False, description="whether its failure ends the run; else the stages after it are left out"
    )

    @field_validator("after", mode="before")
    @classmethod
    def _several(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    def arguments(self, variables: Mapping[str, str]) -> dict[str, Any]:
        """The inputs with their variables filled in. Raises InputError for one without a value."""

        def filled(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: filled(item) for key, item in value.items()}
            if isinstance(value, list):
                return [filled(item) for item in value]
            return (
                _VARIABLE.sub(lambda found: self._value(found[1], variables), value)
                if isinstance(value, str)
                else value
            )

        return {key: filled(value) for key, value in self.inputs.items()}

    def _value(self, name: str, variables: Mapping[str, str]) -> str:
        if name in variables:
            return variables[name]
        raise InputError(
            f"an input of stage {self.stage!r} names an unknown variable",
            found="{{" + name + "}}",
            allowed=", ".join("{{" + known + "}}" for known in sorted(variables)),
            fix="correct workflow.yaml",
        )


class Workflow(Model):
    """The skills, and the stages in the order of the file; `ordered` gives the order they run in."""

    skills: tuple[Skill, ...] = Field(min_length=1, max_length=MOST_ENTRIES)
    pipeline: tuple[Stage, ...] = Field(default=(), max_length=MOST_ENTRIES)

    def skill(self, name: str) -> Skill:
        """The skill of that name; KeyError where there is none."""
        return {skill.name: skill for skill in self.skills}[name]

    def ordered(self) -> tuple[Stage, ...]:
        """The enabled stages, each after those it depends on; among those that could run, the file's order."""
        waiting, done, order = list(self.pipeline), set[str](), []
        while waiting:
            stage = next(stage for stage in waiting if done >= set(stage.after))
            waiting.remove(stage)
            done.add(stage.stage)
            order += [stage] if stage.enabled else []
        return tuple(order)

    def before(self, name: str) -> frozenset[str]:
        """All stages that the stage `name` comes after, directly or not."""
        direct = {stage.stage: stage.after for stage in self.pipeline}
        found, waiting = set[str](), list(direct[name])
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += direct.get(one, ())
        return frozenset(found)


def read_workflow(path: Path) -> Workflow:
    """The workflow of a file. A skill's relative `path` is below the file's folder. Raises InputError."""
    try:
        text = read_below(path.parent, path.name, MOST_BYTES).decode()
    except (Unopened, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} cannot be read", found=str(error), allowed=f"text, at most {MOST_BYTES} bytes"
        ) from None
    workflow = parse_workflow(text, str(path))
    skills = tuple(
        skill.model_copy(update={"path": str((path.parent / skill.path).resolve())}) if skill.path else skill
        for skill in workflow.skills
    )
    for skill in skills:
        if skill.path and not Path(skill.path, "server.py").is_file():
            raise InputError(
                f"{path}: the skill {skill.name!r} has no server.py",
                found=skill.path,
                allowed="a folder with server.py",
                fix="correct its path; it is relative to this file",
            )
    return workflow.model_copy(update={"skills": skills})


def workflow_text(workflow: Workflow) -> str:
    """The workflow as YAML that can be read anywhere: a run keeps it so, as paths of skills are no longer relative."""
    return str(
        yaml.safe_dump(
            workflow.model_dump(mode="json", exclude_defaults=True), sort_keys=False, allow_unicode=True
        )
    )


def parse_workflow(text: str, source: str = "workflow.yaml") -> Workflow:
    """The workflow of a text. Raises InputError that names the entry, what is allowed and the fix."""
    try:
        if any(isinstance(token, _MARKS) for token in yaml.scan(text)):
            raise InputError(
                f"{source} uses anchors (& and *)", allowed="plain entries", fix="write each entry out"
            )
        raw = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise InputError(
            f"{source} is no YAML",
            found=" ".join(str(error).split())[:300],
            allowed="the keys skills and pipeline, each a list",
            fix="correct the line",
        ) from None
    if not isinstance(raw, dict):
        raise InputError(
            f"{source} holds no entries",
            found=type(raw).__name__,
            allowed="the keys skills and pipeline",
            fix="start from skills/workflow.yaml of the installation",
        )
    try:
        workflow = Workflow.model_validate(raw)
    except ValidationError as error:
        raise _told(source, raw, error) from None
    _check_skills(source, workflow)
    _check_stages(source, workflow)
    return workflow


def _told(source: str, raw: dict[str, Any], error: ValidationError) -> InputError:
    first = error.errors(include_url=False)[0]
    place, kind = list(first["loc"]), None
    where = str(place[0]) if place else "the file"
    if len(place) > 1 and isinstance(place[1], int):
        entry = raw[str(place[0])][place[1]]
        name = entry.get("stage" if place[0] == "pipeline" else "name") if isinstance(entry, dict) else None
        where = f"{place[0]}, entry {place[1] + 1}" + (f" ({name})" if name else "")
        kind = Stage if place[0] == "pipeline" else Skill
        where += f": {'.'.join(str(part) for part in place[2:])}" if len(place) > 2 else ""
    allowed = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        allowed = ", ".join((kind or Workflow).model_fields)
    return InputError(
        f"{source}: {where} does not fit",
        found=str(first.get("input"))[:200],
        allowed=allowed,
        fix="correct this entry; docs/reference/skills.md shows each key",
    )


def _check_skills(source: str, workflow: Workflow) -> None:
    names = [skill.name for skill in workflow.skills]
    for number, skill in enumerate(workflow.skills, 1):
        if names.index(skill.name) != number - 1:
            raise InputError(
                f"{source}: skills, entry {number} has the name of an earlier one",
                found=skill.name,
                fix="give each skill a name of its own",
            )
        if skill.ours and skill.name not in OUR_SKILLS:
            raise InputError(
                f"{source}: skills, entry {number} ({skill.name}) is no skill of ours",
                found="no path, no url",
                allowed=f"path, url, or one of ours: {', '.join(OUR_SKILLS)}",
                fix="add path: a folder with server.py; or url: http://host/mcp",
            )
        if not skill.ours and skill.name in OUR_SKILLS:
            raise InputError(
                f"{source}: skills, entry {number} takes the name of one of ours",
                found=skill.name,
                fix="give your skill another name",
            )


def _check_stages(source: str, workflow: Workflow) -> None:
    stages = [stage.stage for stage in workflow.pipeline]
    skills = [skill.name for skill in workflow.skills]
    for number, name in enumerate(stages, 1):
        if stages.index(name) != number - 1:
            raise InputError(
                f"{source}: pipeline, entry {number} ({name}) has the name of an earlier one",
                found=name,
                fix="give each stage a name of its own",
            )
    for number, stage in enumerate(workflow.pipeline, 1):
        where = f"{source}: pipeline, entry {number} ({stage.stage})"
        if stage.skill not in skills:
            raise InputError(
                f"{where} uses a skill that is not listed",
                found=stage.skill,
                allowed=", ".join(skills),
                fix=f"list {stage.skill} under skills, or correct the name",
            )
        for other in (*stage.after, *([stage.back_to] if stage.back_to else [])):
            if other not in stages:
                raise InputError(
                    f"{where} names a stage that there is not",
                    found=other,
                    allowed=", ".join(stages),
                    fix="correct after or back_to",
                )
        if stage.stage in workflow.before(stage.stage):
            raise InputError(
                f"{where} comes after itself",
                found=f"after: {', '.join(stage.after)}",
                fix="break the circle of after",
            )
        if stage.back_to and stage.back_to not in workflow.before(stage.stage):
            raise InputError(
                f"{where} sends back to a stage that it does not come after",
                found=stage.back_to,
                allowed=", ".join(sorted(workflow.before(stage.stage))) or "none",
                fix="add it to after",
            )
        stage.arguments({name: "" for name in VARIABLES})
