"""Answers as no model was asked for: recorded ones of every agent, changed at random places into what breaks readers."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from agents.explore.registry import AGENTS as EXPLORE
from agents.models.example import minimal_example
from agents.reproduce import planner, supervisor
from agents.reproduce.registry import AGENTS as REPRODUCE
from agents.study.registry import AGENTS as STUDY
from agents.talking.agent import Agent

ROOT = Path(__file__).parents[1]
IN_ALL = int(os.environ.get("REPROLAB_MUTATIONS", "0")) or 10_000
SHARES = (pytest.param(8, id="an eighth"), pytest.param(1, id="all", marks=pytest.mark.long))
"""Of the examples: the first of them in each run of the suite, all in its long part."""
RECORDINGS = (
    "papers/*/transcript.jsonl",
    "goals/*/transcript*.jsonl",
    "studies/*/transcript*.jsonl",
    "papers/*/scripts.jsonl",
    "tests/recordings/*.jsonl",
)
EXAMPLES = 3  # of an agent: short, middle, long
EVERYONE: dict[str, Agent] = {
    f"{where}-{agent.answer.__name__}-{name}": agent
    for where, agents in (
        ("reproduce", {**REPRODUCE, "revising": planner.REVISING, "conclusions": supervisor.CONCLUSIONS}),
        ("explore", EXPLORE),
        ("study", STUDY),
    )
    for name, agent in agents.items()
}
ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1,
    10**18,
    10**400,
    1e308,
    -1e308,
    5e-324,
    1e-9,
    0.1,
    "",
    " ",
    "0",
    "-",
    "nan",
    "inf",
    "-" * 7000 + "1",
    "(-1)**0.5",
    "p.t*inf*0",
    "(" * 300 + "1" + ")" * 300,
    "[" * 500,
    "a" * 5000,
    "\x00",
    "\ud800",
    "\u202e\u200b",
    "\u0661\u0662",
    "../../etc/passwd",
    "/" * 300,
    "{{x}}",
    "%s%n",
    "\\",
    "```json",
    "<script>",
    "1,200",
    "10^{2}",
    "=1+1",
    "fig1",
    "stage1",
    "9" * 400 + " nm",
    "1e999 nm",
    [],
    {},
    [[]],
    [None],
    [0] * 300,
    {"": 0},
    {"=": "inf"},
    {"=": "-" * 5000 + "1"},
    {"=": "(-1)**0.5"},
    {"kind": "none"},
)
"""What is put in place of a value."""


def mutations(name: str, count: int) -> Callable[..., Any]:
    """Settings of a property with its share of the examples: the same ones each time, other ones where more are asked for."""
    return settings(
        max_examples=count,
        database=None,
        derandomize="REPROLAB_MUTATIONS" not in os.environ,
        suppress_health_check=list(HealthCheck),
    )


@cache
def recorded() -> dict[str, tuple[str, ...]]:
    """Answers by agent, as JSON, from all recordings."""
    found: dict[str, set[str]] = {}
    for pattern in RECORDINGS:
        for path in sorted(ROOT.glob(pattern)):
            for line in path.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                if entry.get("kind", "call") == "call" and "position" in entry:
                    found.setdefault(entry["position"]["agent"], set()).add(json.dumps(entry["answer"]))
    return {
        name: tuple(sorted(answers, key=lambda text: (len(text), text))) for name, answers in found.items()
    }


def answers_of(agent: Agent) -> list[dict[str, Any]]:
    """Some answers of an agent that fit, short to long; where none is recorded, a filled-in example."""
    texts = recorded().get(agent.name, ())
    own = [json.loads(text) for text in texts]
    own = [answer for answer in own if _fits(agent, answer)]
    picked = [own[round(i * (len(own) - 1) / (EXAMPLES - 1))] for i in range(EXAMPLES)] if own else []
    return [*picked, minimal_example(agent.answer.model_json_schema())]


def _fits(agent: Agent, answer: dict[str, Any]) -> bool:
    try:
        agent.answer.model_validate(answer)
    except ValueError:
        return False
    return True


@st.composite
def changed(draw: st.DrawFn, answers: list[Any]) -> Any:
    """One of the answers with up to four changes."""
    answer = copy.deepcopy(draw(st.sampled_from(answers)))
    for _ in range(draw(st.integers(1, 4))):
        places = list(_places(answer))
        if not places:
            break
        holder, key = places[draw(st.integers(0, len(places) - 1))]
        how = draw(st.integers(0, 7))
        value = holder[key]
        if how <= 2:
            holder[key] = copy.deepcopy(draw(st.sampled_from(ODD)))
        elif how == 3:
            other, name = places[draw(st.integers(0, len(places) - 1))]
            holder[key] = copy.deepcopy(other[name])  # what stands elsewhere
        elif how == 4:
            del holder[key]
        elif how == 5 and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(value))
        elif isinstance(value, str):
            at = draw(st.integers(0, len(value)))
            holder[key] = value[:at] + str(draw(st.sampled_from(ODD))) + value[at:]
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            inverse = 1 / value if 0 < abs(value) < 1e300 else 0
            holder[key] = draw(st.sampled_from([-value, value * 2, value + 1, inverse, str(value)]))
        else:
            holder[key] = [value]
    return answer


def _places(node: Any) -> Any:
    waiting = [node]
    while waiting:
        here = waiting.pop()
        keys = list(here) if isinstance(here, dict) else range(len(here)) if isinstance(here, list) else ()
        for key in keys:
            yield here, key
            waiting.append(here[key])
