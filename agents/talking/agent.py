"""What an agent is, and how its request is put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agents.talking.rendering import show
from prompts.loader import render, text_digest
from schemas.base import Model
from schemas.errors import StateError
from schemas.run.settings import CoreSettings
from schemas.talking.adaptation import AdaptationRecord
from schemas.talking.transcript import AgentRequest, Position, RequestImage, Section


@dataclass(frozen=True)
class Crew:
    """What the agents of one workflow share.

    rules: the prompt that stands before each of theirs. constants: the placeholders of their prompts, from the settings.
    limits: those of them that tell limits, which a person may raise while a run goes on: no part of what an answer is kept
    under. stable: context that is the same in every request of a run: first, so that a prompt cache can hold it. unkeyed:
    context that tells such limits.
    """

    rules: str
    constants: Callable[[Any], Mapping[str, str]]
    limits: Callable[[Any], Mapping[str, str]]
    stable: tuple[str, ...] = ()
    unkeyed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Agent:
    """One agent.

    crew: the workflow's. name: as in the transcript. title: as in the specification. prompt: its file in prompts/. answer:
    model of its answer. context: the keys it may be given, in the order they are shown. sees_images: whether pictures
    may be attached. role: half a sentence for people.
    """

    crew: Crew
    name: str
    title: str
    prompt: str
    answer: type[Model]
    context: tuple[str, ...]
    sees_images: bool
    role: str


def untitled(node: Any, names: bool = False) -> Any:
    """A JSON schema without the titles that pydantic makes of names: characters without news.

    names: whether the keys of `node` are names of fields or models, of which one may be "title" itself.
    """
    if isinstance(node, list):
        return [untitled(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: untitled(value, not names and key in ("properties", "$defs"))
        for key, value in node.items()
        if names or key != "title"
    }


def build_request(
    agent: Agent,
    context: Mapping[str, object],
    *,
    position: Position,
    adaptations: tuple[AdaptationRecord, ...],
    settings: CoreSettings,
    images: tuple[RequestImage, ...] = (),
) -> AgentRequest:
    """All that `agent` is told, the same for the same input at any time and place.

    Adaptations of other agents are passed over. Context values that are empty are left out. The model client
    delimits every context section as data. Raises StateError for a context key the agent may not see, a
    position of another agent, or pictures for an agent that sees none; PrerequisiteError for a broken prompt.
    """
    foreign = sorted(set(context) - set(agent.context))
    if foreign:
        raise StateError(
            f"{agent.name} may not be given {', '.join(foreign)}",
            found=", ".join(sorted(context)),
            allowed=", ".join(agent.context),
            fix="leave it out, or declare it where the agent is declared",
        )
    if position.agent != agent.name:
        raise StateError(
            "the position belongs to another agent",
            found=position.agent,
            allowed=agent.name,
            fix="build the position with the agent's name",
        )
    if images and not agent.sees_images:
        raise StateError(
            f"{agent.name} sees no pictures",
            found=f"{len(images)} pictures",
            allowed="none",
            fix="give pictures only to agents declared with sees_images",
        )
    crew = agent.crew
    constants = crew.constants(settings)
    unlimited = {**constants, **{name: name for name in crew.limits(settings)}}
    rules, rules_digest, _ = render(crew.rules, constants)
    own = tuple(record for record in adaptations if record.adaptation.target_agent == agent.name)
    prompt, prompt_digest, _ = render(agent.prompt, constants, own)
    order = sorted(agent.context, key=lambda key: key not in crew.stable)
    shown = [(key, show(context[key])) for key in order if key in context]
    return AgentRequest(
        position=position,
        prompt_id=agent.prompt,
        prompt_digest=text_digest(rules_digest + prompt_digest),
        system=(
            Section(title="Global rules", text=rules, stable=True, keyed_as=render(crew.rules, unlimited)[1]),
            Section(
                title=agent.title, text=prompt, stable=True, keyed_as=render(agent.prompt, unlimited, own)[1]
            ),
        ),
        context=tuple(
            Section(
                title=key, text=text, stable=key in crew.stable, keyed_as="" if key in crew.unkeyed else None
            )
            for key, text in shown
            if text
        ),
        images=images,
        answer_type=agent.answer.__name__,
        answer_schema={"title": agent.answer.__name__, **untitled(agent.answer.model_json_schema())},
        model_kind=settings.model.kind,
        model_name=settings.model.model_for(agent.name),
        max_tokens=settings.model.max_tokens,
        temperature=settings.model.temperature_for(agent.name),
        fresh=settings.fresh,
    )
