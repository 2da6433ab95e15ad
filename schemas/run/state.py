"""The state of a run of any workflow: what the core itself reads, and the rule by which it changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import Field

from schemas.base import Identifier, Model
from schemas.errors import StateError
from schemas.run.metrics import AgentCallMetric
from schemas.talking.adaptation import AdaptationRecord
from schemas.talking.interaction import UserInteraction

MAX_STATE_BYTES = 8_000_000  # of a snapshot


class CoreState(Model):
    """All that a run knows. Small models and file references only: no arrays, no temporary paths.

    OWNERSHIP: node -> the fields it may write. REQUIREMENTS: node -> the fields that must hold something before. Both are the
    workflow's; `ask_user` and `account` are nodes of the core.
    """

    OWNERSHIP: ClassVar[Mapping[str, frozenset[str]]] = {}
    REQUIREMENTS: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    run_id: Identifier
    prompt_adaptations: tuple[AdaptationRecord, ...] | None = None
    user_interactions: tuple[UserInteraction, ...] = ()
    pending_user_questions: tuple[str, ...] = Field(
        (), description="titles of the questions that wait for a person"
    )
    stop_reason: str = ""
    runtime_used_s: float = 0
    metrics: tuple[AgentCallMetric, ...] = ()

    @property
    def subject_id(self) -> str:
        """What the run is about: the folder under the outputs, part of file names."""
        raise NotImplementedError

    @property
    def place(self) -> str:
        """Where the run stands, for the index of its checkpoints; "-" when nowhere in particular."""
        return "-"

    def apply(self, node: str, **update: Any) -> Self:
        """A new state with a node's update, checked against ownership, requirements and what the workflow keeps unchanged.

        Raises StateError naming the node, the field and the rule.
        """
        owned, needed = self.OWNERSHIP, self.REQUIREMENTS
        if node not in owned:
            raise StateError("unknown node", found=node, allowed=", ".join(owned))
        missing = [name for name in needed.get(node, ()) if getattr(self, name) in (None, "", ())]
        if missing:
            raise StateError(
                f"node {node!r} ran without what it needs",
                found=f"empty: {', '.join(missing)}",
                allowed="all of " + ", ".join(needed[node]),
                fix="run the node that produces them first",
            )
        foreign = sorted(set(update) - owned[node])
        if foreign:
            raise StateError(
                f"node {node!r} may not write {', '.join(foreign)}",
                found=", ".join(sorted(update)),
                allowed=", ".join(sorted(owned[node])),
                fix="see OWNERSHIP beside the workflow's state",
            )
        self._check(node, update)
        return type(self).model_validate(
            self.model_dump()
            | {
                key: value.model_dump() if isinstance(value, Model) else value
                for key, value in update.items()
            }
        )

    def _check(self, node: str, update: Mapping[str, Any]) -> None:
        """What the workflow never lets change. Raises StateError."""
