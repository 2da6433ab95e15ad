"""The server's own count of a run: who was asked and answered how often, at what cost, what was cached."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import pairwise
from os.path import commonprefix
from pathlib import Path
from typing import Any

from agents.models.prices import price_usd
from benchmarks.counts import Count
from schemas.talking.transcript import Usage
from tests.messages_server import Delivery, MessagesServer, label_of
from tests.messages_server.alike import agent_of
from tests.messages_server.replies import CHARACTERS_PER_TOKEN

ROUNDED_USD = 1e-6  # costs.json holds six decimals
# Our names in costs.json -> the API's names in usage.
TOKENS = {
    "input_tokens_fresh": "input_tokens",
    "input_tokens_from_cache": "cache_read_input_tokens",
    "input_tokens_written_to_cache": "cache_creation_input_tokens",
    "output_tokens": "output_tokens",
}
TOKENS_IN = ("cache_read_input_tokens", "cache_creation_input_tokens", "input_tokens")


def asked(server: MessagesServer) -> Counter[str]:
    """How often each position was asked for, faults included."""
    return Counter(label_of(request) for request in server.requests)


def answered(server: MessagesServer) -> Counter[str]:
    """How often each position got its full, good answer."""
    return Counter(
        label_of(server.requests[d.number - 1]) for d in server.deliveries if d.whole and d.fault is None
    )


def paid_once(server: MessagesServer, labels: list[str]) -> list[Count]:
    """Every call of the run was answered exactly once, and no request body was answered twice."""
    bodies = Counter(
        json.dumps(server.requests[d.number - 1], sort_keys=True)
        for d in server.deliveries
        if d.whole and d.fault is None
    )
    return [
        Count("calls answered, and how often each", dict(answered(server)), dict.fromkeys(labels, 1)),
        Count("the same request answered twice", sum(n > 1 for n in bodies.values()), 0),
    ]


def bill(run_dir: Path, deliveries: list[Delivery], model: str) -> list[Count]:
    """costs.json against the server's count: every token kind, and the money at the listed price."""
    ours = json.loads((run_dir / "costs.json").read_text(encoding="utf-8"))["run"]
    told = [d.usage for d in deliveries if d.usage]
    counts = [
        Count(f"bill: {name.replace('_', ' ')}", ours[name], sum(usage[theirs] for usage in told))
        for name, theirs in TOKENS.items()
    ]
    prices = [
        price_usd(
            model,
            Usage(
                input_tokens=u["input_tokens"],
                output_tokens=u["output_tokens"],
                cache_read_tokens=u["cache_read_input_tokens"],
                cache_write_tokens=u["cache_creation_input_tokens"],
            ),
        )
        for u in told
    ]
    money: Any = "unknown" if "unknown" in prices else sum(p for p in prices if not isinstance(p, str))
    found = ours["usd"]
    if not isinstance(found, str) and not isinstance(money, str) and abs(found - money) <= ROUNDED_USD:
        found = money
    return [*counts, Count("bill: US dollars", found, money)]


def prefix_table(server: MessagesServer) -> str:
    """Per agent: how much of a request begins like the one before it (any agent, its own), in characters
    and estimated tokens, and the tokens read from the cache, written to it, and fresh."""
    texts = [(agent_of(request), _text(request)) for request in server.requests]
    shared: dict[str, list[int]] = defaultdict(list)
    for (_, before), (agent, text) in pairwise(texts):
        shared[agent].append(_common(before, text))
    last: dict[str, str] = {}
    own: dict[str, list[int]] = defaultdict(list)
    for agent, text in texts:
        if agent in last:
            own[agent].append(_common(last[agent], text))
        last[agent] = text
    used: dict[str, Counter[str]] = defaultdict(Counter)
    for delivery in server.deliveries:
        used[texts[delivery.number - 1][0]].update(delivery.usage or {})
    rows = [
        "| agent | requests | length | like the one before | like its last | cache read | written | fresh |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for agent in dict.fromkeys(agent for agent, _ in texts):
        sizes = [len(text) for name, text in texts if name == agent]
        u = used[agent]
        rows.append(
            f"| {agent} | {len(sizes)} | {_chars(sizes)} | {_chars(shared[agent])} | {_chars(own[agent])} | "
            f"{u['cache_read_input_tokens']} | {u['cache_creation_input_tokens']} | {u['input_tokens']} |"
        )
    total = Counter[str]()
    for counted in used.values():
        total.update(counted)
    rows.append(
        f"| all | {len(texts)} | {_chars([len(text) for _, text in texts])} | | | "
        + " | ".join(str(total[name]) for name in TOKENS_IN)
        + " |"
    )
    return "\n".join(rows)


def _text(request: dict[str, Any]) -> str:
    """All text in the order the API reads it: system, then messages."""
    blocks = list(request.get("system", []))
    for message in request["messages"]:
        blocks += (
            message["content"] if isinstance(message["content"], list) else [{"text": message["content"]}]
        )
    return "\n".join(block.get("text", "") for block in blocks)


def _common(one: str, other: str) -> int:
    return len(commonprefix([one, other]))


def _chars(values: list[int]) -> str:
    if not values:
        return "-"
    mean = sum(values) / len(values)
    return f"{mean:.0f} ch, ~{mean / CHARACTERS_PER_TOKEN:.0f} tok"
