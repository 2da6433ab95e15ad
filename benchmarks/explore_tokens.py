"""`python -m benchmarks.explore_tokens`: input tokens of a ten-node search with and without prompt caching.

The requests are real ones: built by the agents' code with the tools that the bundled workflow's skills list, with contexts that
were recorded for the bundled goal, and sent by the client of the Messages API to the tests' server, which counts each with its
cache and as if it had none. Each node is five turns of a conversation, an evaluation and, but for the root, a proposal. No
experiment runs: what tools answer is as long as what they answered when it was recorded.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from agents.explore.registry import AGENTS
from agents.models.messages.messages_api import MessagesModel
from agents.models.recording import read_recording
from agents.talking.agent import build_request
from agents.talking.conversing import build_turn, past_turn
from benchmarks.run import replaced
from schemas.explore.workflow import read_workflow
from schemas.run.settings import CoreSettings, ModelSettings
from schemas.talking.tools import ToolSpec
from schemas.talking.transcript import Position
from schemas.talking.turns import PastResult, PastTurn, TurnAnswer
from tasks.explore.bundled_goals import GOALS, RECORDING
from tasks.tools.toolbox import Toolbox
from tests.messages_server import MessagesServer, Turn, Use, label_of
from tests.messages_server.replies import count_tokens, input_tokens

MARKS = ("<!-- explore-tokens: begin -->", "<!-- explore-tokens: end -->")
WORKFLOW = Path(__file__).resolve().parent.parent / "skills" / "workflow.yaml"
NODES, TURNS, RESULT = 10, 5, "0.0123 s, 64 x 64 cells, checksum 3.14159\n" * 30
GOAL = "heat-stencil"
CODE = "for row in range(n):\n    total += kernel(row)\n" * 40


def main() -> int:
    """Print the table; 1 where a turn with tools, but the first of all, did not read their schemas from the cache."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explore_tokens", description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep it in docs/measured/benchmarks.md")
    given = parser.parse_args()
    os.environ.setdefault("ANTHROPIC_API_KEY", "sk-test")
    with Toolbox([skill for skill in read_workflow(WORKFLOW).skills if "bfts" in skill.phase]) as box:
        tools = box.list_tools("bfts")
    with MessagesServer(answer) as server:
        searched(server, tools)
        text, uncached = counted(server)
    print(text)
    if given.write:
        replaced(text, MARKS)
    return int(uncached > 1)


def searched(server: MessagesServer, tools: tuple[ToolSpec, ...]) -> None:
    """Ask all that a search of ten nodes asks."""
    settings = CoreSettings(model=ModelSettings(kind="anthropic", base_url=server.base_url))
    model, told = MessagesModel(settings.model), contexts()
    for number in range(NODES):
        node = f"n{number:03d}"
        for agent in ("expander", "node_evaluator"):
            if agent == "node_evaluator" or number:
                request = build_request(
                    AGENTS[agent],
                    told[agent],
                    position=Position(agent=agent, stage_id=node),
                    settings=settings,
                    adaptations=(),
                    images=(),
                )
                model.answer(request, AGENTS[agent].answer)
        turns: tuple[PastTurn, ...] = ()
        for turn in range(TURNS):
            request = build_turn(
                AGENTS["experimenter"],
                {**told["experimenter"], "direction": f"Variant {number} of the kernel."},
                tools=tools,
                turns=turns,
                position=Position(agent="experimenter", stage_id=node),
                adaptations=(),
                settings=settings,
                must_call=not turn,
            )
            said = TurnAnswer.model_validate(model.answer(request, TurnAnswer).answer)
            turns += (
                past_turn(said, {call.id: PastResult(call_id=call.id, text=RESULT) for call in said.calls}),
            )


def contexts() -> dict[str, dict[str, Any]]:
    """What each agent was told when the goal was recorded, in the longest of its requests."""
    found: dict[str, dict[str, Any]] = {}
    for recorded in read_recording(GOALS / GOAL / RECORDING).calls.values():
        sections = {part["title"]: part["text"] for part in (recorded.entry.request or {}).get("context", ())}
        known = found.get(recorded.entry.position.agent, {})
        if len(json.dumps(sections)) > len(json.dumps(known)):
            found[recorded.entry.position.agent] = sections
    return found


def answer(request: dict[str, Any]) -> dict[str, Any] | Turn:
    """What the model says."""
    agent = label_of(request).split(".")[0]
    if agent == "experimenter":
        return Turn(
            "I change the inner loop.",
            [
                Use("write_code", {"file": "kernel.py", "content": CODE}),
                Use("run_code", {"file": "kernel.py"}),
            ],
        )
    if agent == "expander":
        return {"label": "improve", "direction": "another block size"}
    return {"axes": [{"axis": "novelty", "score": 0.5, "reason": "as others"}], "headline": "it was tried"}


def counted(server: MessagesServer) -> tuple[str, int]:
    """The table, and how many turns with tools did not read the tools' schemas from the cache."""
    usages = [delivery.usage or {} for delivery in server.deliveries]
    fresh, read, written = (
        sum(usage.get(name, 0) for usage in usages)
        for name in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    )
    plain = sum(input_tokens(request) for request in server.requests)
    turns = [
        (request["tools"], usage)
        for request, usage in zip(server.requests, usages, strict=True)
        if request.get("tools")
    ]
    size = max(len(json.dumps(tools)) for tools, _ in turns)
    uncached = sum(
        usage.get("cache_read_input_tokens", 0) < count_tokens(json.dumps(tools)) for tools, usage in turns
    )
    paid = fresh + 1.25 * written + 0.1 * read
    return "\n".join(
        (
            f"| input tokens of {NODES} nodes, {len(usages)} requests | with caching | without |",
            "|---|--:|--:|",
            f"| fresh | {fresh} | {plain} |",
            f"| written to the cache (1.25 times the price) | {written} | 0 |",
            f"| read from it (0.1 times) | {read} | 0 |",
            f"| as fresh ones by price | {paid:.0f} | {plain} |",
            "",
            f"{len(turns)} turns with tools repeat {size / 1000:.1f} kB of schemas each; {len(turns) - uncached} of them read "
            "these from the cache.",
        )
    ), uncached


if __name__ == "__main__":
    sys.exit(main())
