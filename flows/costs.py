"""Money, tokens and time of a run: estimated before the start, shown live, capped, and written to costs.json."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from agents.models.prices import PRICES_AS_OF, price_usd
from agents.models.size import CHARACTERS_PER_TOKEN
from flows.context import Run
from schemas.errors import LimitExceeded
from schemas.progress import AgentCallMetric
from schemas.transcript import Usage
from tasks.store import atomic_write

# The bundled papers took 36 to 44 calls for three stages, with about 6 000 tokens of prompt and context a call by the
# test server's count. The answer's size, 3 000 tokens with the model's thinking, is an assumption: none was measured.
_CALLS_BEFORE, _CALLS_PER_STAGE, _STAGES = 4, 12, (3, 6)
_PROMPT_TOKENS, _ANSWER_TOKENS = 8_000, 3_000


def estimate_line(run: Run) -> str:
    """What a run is likely to cost, before it starts; 'unknown' for a model without a listed price."""
    kind = run.settings.model.kind
    if kind != "anthropic":
        return f"model {kind}: nothing is bought"
    paper = int(len(run.paper.text) / CHARACTERS_PER_TOKEN)
    parts, tokens = [], []
    for stages in _STAGES:
        calls = _CALLS_BEFORE + _CALLS_PER_STAGE * stages
        prompt, answers = calls * _PROMPT_TOKENS + 4 * paper, calls * _ANSWER_TOKENS
        tokens.append(prompt + answers)
        price = price_usd(run.settings.model.name, Usage(input_tokens=prompt, output_tokens=answers))
        parts.append("unknown" if price == "unknown" else f"{price:.2f}")
    limits = run.settings.limits
    cap = "no cap on money" if limits.max_cost_usd is None else f"capped at {limits.max_cost_usd:g} USD"
    money = "an unknown price" if "unknown" in parts else f"{parts[0]} to {parts[1]} USD"
    return (f"estimate: {tokens[0] // 1000} to {tokens[1] // 1000} thousand tokens, {money} with "
            f"{run.settings.model.name} (prices of {PRICES_AS_OF}); {cap}")


def spent(run: Run) -> tuple[float, bool, int]:
    """Money in US dollars, whether some of it is unknown, and tokens in all; abandoned branches included."""
    everything = bill(run)
    money = sum(m.price_usd for m in everything if isinstance(m.price_usd, (int, float)))
    return money, any(m.price_usd == "unknown" for m in everything), sum(_tokens(m) for m in everything)


def bill(run: Run) -> tuple[AgentCallMetric, ...]:
    """Every call of the run, those without a usable answer included."""
    lost = []
    for loss in (*run.ledger.losses, *run.unfinished.losses):
        agent, stage = loss.label.split(".")[0], loss.label.split(".", 1)[-1].rsplit(".", 3)[0]
        usage = Usage(**dict.fromkeys(Usage.model_fields, 0)) if loss.price_usd is None else loss.usage
        lost.append(AgentCallMetric(agent=agent, stage_id=stage, model=loss.model, duration_s=0,
                                    price_usd=loss.price_usd, label=loss.label, failure=loss.reason, **usage.model_dump()))
    return (*run.state.metrics, *lost)


def spent_line(run: Run) -> str:
    """Spent so far, for the terminal; empty where nothing was bought."""
    if run.settings.model.kind != "anthropic":
        return ""
    money, unknown, tokens = spent(run)
    return f"so far {tokens // 1000} thousand tokens, {money:.2f} USD" + (" + unknown" if unknown else "")


def check_caps(run: Run) -> None:
    """Raises LimitExceeded when money, tokens or time are used up."""
    limits = run.settings.limits
    money, unknown, tokens = spent(run)
    if limits.max_cost_usd is not None and money >= limits.max_cost_usd:
        raise LimitExceeded("the cap on money is reached", found=f"{money:.2f} USD",
                            allowed=f"{limits.max_cost_usd} USD", fix="raise it with --max-cost and resume")
    if limits.max_cost_usd is not None and unknown and any(
            m.price_usd == "unknown" and _tokens(m) for m in bill(run)):  # a call cut off by the clock proves nothing
        raise LimitExceeded("a cap on money cannot be kept with a model of unknown price",
                            found=f"model {run.settings.model.name}", allowed="a model with a listed price",
                            fix="cap tokens instead (--max-tokens), or choose a listed model")
    if limits.max_tokens is not None and tokens >= limits.max_tokens:
        raise LimitExceeded("the cap on tokens is reached", found=tokens, allowed=limits.max_tokens,
                            fix="raise it with --max-tokens and resume")
    run.clock.check()


def write_costs(run: Run) -> None:
    """costs.json: per call, agent, stage and run; 'unknown' where a price is not known, never 0 for it."""
    metrics = bill(run)
    atomic_write(run.run_dir / "costs.json", json.dumps({
        "prices_as_of": PRICES_AS_OF, "run": _sum(metrics),
        "by_agent": {k: _sum(v) for k, v in _group(metrics, "agent").items()},
        "by_stage": {k: _sum(v) for k, v in _group(metrics, "stage_id").items()},
        "calls": [metric.model_dump(mode="json") for metric in metrics],
        "simulation_cpu_s": round(sum(e.cpu_s for e in run.executions), 1)}, indent=1))


def _group(metrics: tuple[AgentCallMetric, ...], name: str) -> dict[str, tuple[AgentCallMetric, ...]]:
    found: dict[str, list[AgentCallMetric]] = defaultdict(list)
    for metric in metrics:
        found[getattr(metric, name)].append(metric)
    return {key: tuple(value) for key, value in sorted(found.items())}


def _sum(metrics: tuple[AgentCallMetric, ...]) -> dict[str, Any]:
    priced = [m.price_usd for m in metrics if isinstance(m.price_usd, (int, float))]
    return {
        "calls": len(metrics), "failed_calls": sum(bool(m.failure) for m in metrics),
        "retries": sum(m.tries - 1 for m in metrics), "usd": "unknown" if any(m.price_usd == "unknown" for m in metrics)
        else round(sum(priced), 6), "known_usd": round(sum(priced), 6),
        "input_tokens_fresh": sum(m.input_tokens or 0 for m in metrics),
        "input_tokens_from_cache": sum(m.cache_read_tokens or 0 for m in metrics),
        "input_tokens_written_to_cache": sum(m.cache_write_tokens or 0 for m in metrics),
        "output_tokens": sum(m.output_tokens or 0 for m in metrics), "duration_s": round(sum(m.duration_s for m in metrics), 2)}


def _tokens(metric: AgentCallMetric) -> int:
    return sum(value or 0 for value in (metric.input_tokens, metric.output_tokens, metric.cache_read_tokens,
                                        metric.cache_write_tokens))
