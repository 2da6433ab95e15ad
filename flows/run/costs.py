"""Money, tokens and time of a run: estimated before the start, shown live, capped, and written to costs.json."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from agents.models.prices import PRICES_AS_OF
from flows.run.context import Run
from schemas.errors import LimitExceeded
from schemas.run.metrics import AgentCallMetric
from schemas.talking.transcript import Usage, placed
from tasks.files.ledger import Loss
from tasks.files.store import atomic_write


def spent(run: Run) -> tuple[float, bool, int]:
    """Money in US dollars, whether some of it is unknown, and tokens in all; abandoned branches included."""
    everything = bill(run)
    money = sum(m.price_usd for m in everything if isinstance(m.price_usd, (int, float)))
    return money, any(m.price_usd == "unknown" for m in everything), sum(_tokens(m) for m in everything)


def bill(run: Run) -> tuple[AgentCallMetric, ...]:
    """Every call of the run, those without a usable answer included."""
    return billed(run.state.metrics, (*run.ledger.losses, *run.unfinished.losses))


def billed(metrics: tuple[AgentCallMetric, ...], losses: Iterable[Loss]) -> tuple[AgentCallMetric, ...]:
    """The calls that were answered, and the losses as calls that failed."""
    lost = []
    for loss in losses:
        agent, stage = placed(loss.label)
        usage = Usage(**dict.fromkeys(Usage.model_fields, 0)) if loss.price_usd is None else loss.usage
        lost.append(
            AgentCallMetric(
                agent=agent,
                stage_id=stage,
                model=loss.model,
                duration_s=0,
                price_usd=loss.price_usd,
                label=loss.label,
                failure=loss.reason,
                **usage.model_dump(),
            )
        )
    return (*metrics, *lost)


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
        raise LimitExceeded(
            "the cap on money is reached",
            found=f"{money:.2f} USD",
            allowed=f"{limits.max_cost_usd} USD",
            fix="raise it with --max-cost and resume",
        )
    if (
        limits.max_cost_usd is not None
        and unknown
        and any(m.price_usd == "unknown" and _tokens(m) for m in bill(run))
    ):  # a call cut off by the clock proves nothing
        raise LimitExceeded(
            "a cap on money cannot be kept with a model of unknown price",
            found=f"model {run.settings.model.name}",
            allowed="a model with a listed price",
            fix="cap tokens instead (--max-tokens), or choose a listed model",
        )
    if limits.max_tokens is not None and tokens >= limits.max_tokens:
        raise LimitExceeded(
            "the cap on tokens is reached",
            found=tokens,
            allowed=limits.max_tokens,
            fix="raise it with --max-tokens and resume",
        )
    run.clock.check()


def write_costs(run: Run, **more: float) -> None:
    """costs.json: per call, agent, stage, run, and what more the workflow counts; a price not known is 'unknown', never 0."""
    metrics = bill(run)
    atomic_write(
        run.run_dir / "costs.json",
        json.dumps(
            {
                "prices_as_of": PRICES_AS_OF,
                "run": _sum(metrics),
                "by_agent": {k: _sum(v) for k, v in _group(metrics, "agent").items()},
                "by_stage": {k: _sum(v) for k, v in _group(metrics, "stage_id").items()},
                "calls": [metric.model_dump(mode="json") for metric in metrics],
                **more,
            },
            indent=1,
        ),
    )


def _group(metrics: tuple[AgentCallMetric, ...], name: str) -> dict[str, tuple[AgentCallMetric, ...]]:
    found: dict[str, list[AgentCallMetric]] = defaultdict(list)
    for metric in metrics:
        found[getattr(metric, name)].append(metric)
    return {key: tuple(value) for key, value in sorted(found.items())}


def _sum(metrics: tuple[AgentCallMetric, ...]) -> dict[str, Any]:
    priced = [m.price_usd for m in metrics if isinstance(m.price_usd, (int, float))]
    return {
        "calls": len(metrics),
        "failed_calls": sum(bool(m.failure) for m in metrics),
        "retries": sum(m.tries - 1 for m in metrics),
        "usd": "unknown" if any(m.price_usd == "unknown" for m in metrics) else round(sum(priced), 6),
        "known_usd": round(sum(priced), 6),
        "input_tokens_fresh": sum(m.input_tokens or 0 for m in metrics),
        "input_tokens_from_cache": sum(m.cache_read_tokens or 0 for m in metrics),
        "input_tokens_written_to_cache": sum(m.cache_write_tokens or 0 for m in metrics),
        "output_tokens": sum(m.output_tokens or 0 for m in metrics),
        "duration_s": round(sum(m.duration_s for m in metrics), 2),
    }


def _tokens(metric: AgentCallMetric) -> int:
    return sum(
        value or 0
        for value in (
            metric.input_tokens,
            metric.output_tokens,
            metric.cache_read_tokens,
            metric.cache_write_tokens,
        )
    )
