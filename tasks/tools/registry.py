"""Which tools there are for whom: phases, what is used up, internal ones, and where a call may reach."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from mcp.types import Tool
from pydantic import ValidationError

from schemas.errors import InputError
from schemas.talking.tools import PIPELINE, Skill, ToolContext, ToolSpec
from schemas.text.visible import visible
from tasks.tools.scope import outside
from tasks.tools.tool_limits import ToolLimits

INTERNAL = "_"  # tools whose names begin so are for programs, never listed


class Registry:
    """The tools of some skills. It starts nothing: what servers list is handed to it."""

    def __init__(self, skills: Sequence[Skill], limits: ToolLimits | None = None):
        self.skills = tuple(skills)
        self.limits = limits or ToolLimits()
        self._known: dict[str, tuple[ToolSpec, ...]] = {}

    def of_phase(self, phase: str) -> tuple[Skill, ...]:
        """The skills offered in a phase; a stage of the pipeline may use any, for workflow.yaml names it."""
        return tuple(skill for skill in self.skills if phase == PIPELINE or phase in skill.phase)

    def knows(self, skill: str) -> bool:
        """Whether the skill's tools were taken."""
        return skill in self._known

    def take(self, skill: Skill, listed: Iterable[Tool]) -> None:
        """Keep what a server lists. Raises InputError for too much, a name that does not fit, or one that another skill has."""
        specs = [self._spec(skill, tool) for tool in listed if not tool.name.startswith(INTERNAL)]
        if len(specs) > self.limits.tools:
            raise InputError(
                f"the skill {skill.name!r} offers too many tools",
                found=len(specs),
                allowed=self.limits.tools,
                fix="offer fewer, or make two skills of it",
            )
        taken = {
            spec.name: spec.skill
            for name, others in self._known.items()
            if name != skill.name
            for spec in others
        }
        names = [spec.name for spec in specs]
        for spec in specs:
            if spec.name in taken or names.count(spec.name) > 1:
                raise InputError(
                    f"two tools have the name {spec.name!r}",
                    allowed="a name of its own for each tool",
                    found=f"{taken.get(spec.name, skill.name)} and {skill.name}",
                    fix="rename the tool, or leave one skill out",
                )
        self._known[skill.name] = tuple(specs)

    def tools(self, phase: str, suppressed: Collection[str] = ()) -> tuple[ToolSpec, ...]:
        """What is offered in a phase, in the order of the skills."""
        return tuple(
            spec
            for skill in self.of_phase(phase)
            for spec in self._known.get(skill.name, ())
            if spec.name not in suppressed
        )

    def suppressed(self, succeeded: Iterable[str]) -> frozenset[str]:
        """The tools that are offered once and were used: `succeeded` are the names of all calls that succeeded."""
        return frozenset(succeeded) & {name for skill in self.skills for name in skill.once}

    def find(self, name: str, phase: str, suppressed: Collection[str] = ()) -> ToolSpec | None:
        """The tool of that name, where it is offered."""
        return next((spec for spec in self.tools(phase, suppressed) if spec.name == name), None)

    def refusal(
        self,
        name: str,
        arguments: Mapping[str, object],
        context: ToolContext,
        suppressed: Collection[str] = (),
    ) -> str:
        """Why a call is not made, in words for whoever wants it; empty where it may be."""
        spec = self.find(name, context.phase, suppressed)
        if spec is None:
            offered = ", ".join(tool.name for tool in self.tools(context.phase, suppressed)) or "none"
            used = " any more: it was used" if name in suppressed else ""
            return f"there is no tool {visible(name, 80)!r} here{used}; there are: {offered}"
        try:
            size = len(json.dumps(arguments, allow_nan=False))
        except (ValueError, TypeError, RecursionError):
            return f"the arguments of {name} are no plain JSON values"
        if size > self.limits.argument_bytes:
            return (
                f"the arguments of {name} have {size} bytes; at most {self.limits.argument_bytes} are taken"
            )
        if context.phase == PIPELINE:  # its arguments come from workflow.yaml, which the user wrote
            return ""
        fault = outside(dict(arguments), spec.input_schema, context.work_dir)
        return (
            f"outside the work directory, not done: {fault}. Use paths relative to the work directory"
            if fault
            else ""
        )

    def _spec(self, skill: Skill, tool: Tool) -> ToolSpec:
        size = len(json.dumps(tool.inputSchema))
        if size > self.limits.schema_bytes:
            raise InputError(
                f"the tool {visible(tool.name, 80)!r} of {skill.name!r} has too large a schema",
                found=f"{size} bytes",
                allowed=f"{self.limits.schema_bytes} bytes",
                fix="take fewer arguments",
            )
        try:
            return ToolSpec(
                name=tool.name,
                description=visible(tool.description or "", 4000)[:4000],
                skill=skill.name,
                input_schema=tool.inputSchema,
            )
        except ValidationError:
            raise InputError(
                f"a tool of {skill.name!r} has a name that does not fit",
                found=visible(tool.name, 80),
                allowed="a letter, then at most 63 letters, digits, _ -",
                fix="rename it",
            ) from None
