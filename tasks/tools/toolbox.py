"""Tools of skills, called like functions: servers are started when they are needed and end with the toolbox."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from mcp.types import Tool

from schemas.base import digest, file_sha256
from schemas.errors import InputError, PrerequisiteError
from schemas.reading.beneath import read_below
from schemas.talking.tools import PIPELINE, Skill, ToolContext, ToolResult, ToolSpec
from tasks.tools.offered_once import note_use, used_once
from tasks.tools.pool import Pool
from tasks.tools.registry import Registry
from tasks.tools.server_session import NotAsked, ServerFailed, Session
from tasks.tools.tool_limits import ToolLimits
from tasks.tools.tool_results import bounded, checked_picture, result_of

OnAsk = Callable[[str, dict[str, Any], list[Path]], dict[str, Any]]
"""Asks an agent for a tool: (agent, context, pictures) -> its answer; runs in the thread that called the tool."""
_LISTED: dict[
    str, tuple[Tool, ...]
] = {}  # by what a skill is: a node need not start a server to know its tools


class Toolbox:
    """The tools of `skills` for one node or stage, with one server each at most; to be closed, or used in a `with`.

    run_dir: of the run that offers some tools once. work_dir: what a user's own skill may write in; ours are told with each
    call. pool: whose servers it borrows; without one they end with the toolbox. Calls may come from several threads; those of
    one skill wait for each other.
    """

    def __init__(
        self,
        skills: Sequence[Skill],
        *,
        work_dir: Path | None = None,
        run_dir: Path | None = None,
        limits: ToolLimits | None = None,
        pool: Pool | None = None,
    ):
        self.limits = limits or ToolLimits()
        self.registry = Registry(skills, self.limits)
        self._work_dir, self._run_dir = work_dir, run_dir
        self._sessions: dict[str, Session] = {}
        self._locks = {skill.name: threading.RLock() for skill in skills}
        self._pool, self._own = pool or Pool(), pool is None

    def list_tools(self, phase: str, suppressed: Collection[str] = ()) -> tuple[ToolSpec, ...]:
        """What is offered in a phase. Raises PrerequisiteError for a server that does not start, InputError for a clash."""
        for skill in self.registry.of_phase(phase):
            self._know(skill)
        return self.registry.tools(phase, frozenset(suppressed) | used_once(self._run_dir))

    def call(
        self,
        name: str,
        arguments: dict[str, Any],
        context: ToolContext,
        on_ask: OnAsk | None = None,
        *,
        suppressed: Collection[str] = (),
        skill: str = "",
    ) -> ToolResult:
        """The checked answer of a tool; whatever goes wrong with it is an answer with is_error, and the next call starts anew.

        skill: the one a stage names; only its server is started. Raises what `on_ask` raises, and nothing of the server's.
        """
        try:
            wanted = [one for one in self.registry.of_phase(context.phase) if not skill or one.name == skill]
            for one in wanted:
                self._know(one)
        except (PrerequisiteError, InputError) as error:
            return ToolResult.error(error.text())
        if context.phase != PIPELINE:
            suppressed = frozenset(suppressed) | used_once(self._run_dir, context.call_id)
        refused = self.registry.refusal(name, arguments, context, suppressed)
        spec = self.registry.find(name, context.phase, suppressed)
        if refused or spec is None:
            return ToolResult.error(refused)
        ask = (
            None
            if on_ask is None
            else lambda agent, told, images: on_ask(agent, told, self._pictures(images, context))
        )
        with self._locks[spec.skill]:
            try:
                session = self._session(
                    self._skill(spec.skill), Path(context.work_dir) if context.work_dir else None
                )
                answer = session.call(
                    name, arguments, context.model_dump(mode="json", exclude_defaults=True), ask
                )
            except ServerFailed as error:
                return ToolResult.error(bounded(str(error), self.limits.text_chars))
        result = result_of(answer, self.limits)
        if self._run_dir is not None and not result.is_error and name in self._skill(spec.skill).once:
            note_use(self._run_dir, name, context.call_id)
        return result

    def close(self) -> None:
        """Give all servers back, and end those that are nobody else's."""
        for name in list(self._sessions):
            with self._locks[name]:
                self._pool.give_back(self._sessions.pop(name))
        if self._own:
            self._pool.close()

    def __enter__(self) -> Toolbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _skill(self, name: str) -> Skill:
        return next(skill for skill in self.registry.skills if skill.name == name)

    def _know(self, skill: Skill) -> None:
        with self._locks[skill.name]:
            if self.registry.knows(skill.name):
                return
            key = _identity(skill)
            if key not in _LISTED:
                try:
                    _LISTED[key] = self._session(skill, self._work_dir).tools
                except ServerFailed as error:
                    raise PrerequisiteError(
                        f"the skill {skill.name!r} cannot be used",
                        found=str(error),
                        fix="start its server by hand to see why, correct it, or take the skill out of workflow.yaml",
                    ) from None
            self.registry.take(skill, _LISTED[key])

    def _session(self, skill: Skill, work_dir: Path | None) -> Session:
        found = self._sessions.get(skill.name)
        moved = found is not None and bool(skill.path) and found.work_dir != work_dir
        if found is not None and (moved or not found.alive):
            self._sessions.pop(skill.name).close()
            found = None
        if found is None:
            found = self._sessions[skill.name] = self._pool.take(skill, work_dir, self.limits)
        return found

    def _pictures(self, named: list[str], context: ToolContext) -> list[Path]:
        """The pictures a tool wants an agent to see: below the call's folders, and pictures."""
        found = []
        for name in named:
            path = Path(name)
            for folder in (Path(each) for each in (context.work_dir, context.run_dir) if each):
                with suppress(ValueError):
                    inner = path.relative_to(folder) if path.is_absolute() else path
                    if (
                        checked_picture(
                            read_below(folder, str(inner), self.limits.picture_bytes), self.limits
                        )[0]
                        is not None
                    ):
                        found.append(folder / inner)
                        break
            else:
                raise NotAsked(
                    f"{name} is no picture that may be shown: PNG or JPEG below the work directory"
                )
        return found


def _identity(skill: Skill) -> str:
    """What a skill's list of tools depends on; a server at an address is asked again in each process."""
    own = Path(skill.path, "server.py") if skill.path else None
    return digest([skill.model_dump(mode="json"), file_sha256(own) if own and own.is_file() else ""])
