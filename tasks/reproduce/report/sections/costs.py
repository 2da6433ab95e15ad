"""Appendix E: what the run cost. A price nobody knows is 'unknown', never 0."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from schemas.run.metrics import AgentCallMetric
from tasks.reproduce.report.document import Block, Bullets, Cell, Facts, Fold, Group, Section, Table
from tasks.reproduce.report.source import Source
from tasks.reproduce.report.text import NONE, duration

NOT_BOUGHT = "nothing was bought"
Price = float | str | None


COLUMNS = (
    "Calls",
    "Failed",
    "Retries",
    "Reused",
    "Input tokens",
    "Output tokens",
    "Cache read",
    "Cache written",
    "Time",
    "Price, USD",
)


def costs_section(source: Source) -> Section:
    """The bill per agent, per stage and per call, failed calls included, and times."""
    facts, metrics = source.facts, source.facts.bill or source.state.metrics
    nothing = NOT_BOUGHT + (" (replay)" if source.settings.model.kind == "replay" else "")
    agents = [
        _row(name, [m for m in metrics if m.agent == name], nothing)
        for name in dict.fromkeys(m.agent for m in metrics)
    ]
    stages = [
        _row(NONE if name == "-" else name, [m for m in metrics if m.stage_id == name], nothing)
        for name in dict.fromkeys(m.stage_id for m in metrics)
    ]
    total = [_row("All", list(metrics), nothing)] if metrics else []
    blocks: list[Block] = [
        Table(("Agent", *COLUMNS), (*agents, *total), "Cost per agent", empty="No agent was asked."),
        Table(("Stage", *COLUMNS), tuple(stages), "Cost per stage", empty="No agent was asked."),
        Facts(
            (
                ("Started", Cell(facts.started)),
                ("Started by", Cell(facts.started_by or NONE)),
                ("Wall time", Cell(duration(facts.wall_s))),
                ("Simulations, CPU time", Cell(duration(facts.simulation_cpu_s))),
                ("Simulations run / reused", Cell(f"{facts.simulations_run} / {facts.simulations_reused}")),
                ("Model calls made / reused", Cell(f"{facts.calls} / {facts.calls_reused}")),
            )
        ),
    ]
    if facts.model_notes:
        blocks.append(
            Group("Remarks on the models: repairs, retries, changed prompts", (Bullets(facts.model_notes),))
        )
    if facts.unused_recordings:
        blocks.append(Group("Recorded answers that nobody asked for", (Bullets(facts.unused_recordings),)))
    if metrics:
        blocks.append(
            Fold(
                "Cost per call",
                (
                    Table(
                        ("Call", "Model", "Tries", *COLUMNS[4:], "Failure"),
                        tuple(_call(m, nothing) for m in metrics),
                        "Every call in order; a failed one gave no usable answer or was left behind, and may yet have been paid for",
                    ),
                ),
            )
        )
    return Section("E", "Cost and Time", tuple(blocks))


def _call(metric: AgentCallMetric, nothing: str) -> tuple[Cell, ...]:
    tokens = [_tokens([metric], field) for field in _FIELDS]
    return (
        Cell(metric.label or f"{metric.agent}, {metric.stage_id}", code=True),
        Cell(metric.model or NONE),
        Cell(str(metric.tries), number=True),
        *tokens,
        Cell(duration(metric.duration_s), number=True),
        Cell(total_price([metric.price_usd], nothing)),
        Cell(metric.failure, tone="bad") if metric.failure else Cell(NONE),
    )


def total_price(prices: Iterable[Price], nothing: str = NOT_BOUGHT) -> str:
    """The sum as text; what is unknown stays visible beside what is known."""
    bought = [price for price in prices if price is not None]
    if not bought:
        return nothing
    known = [price for price in bought if not isinstance(price, str)]
    unknown = len(bought) - len(known)
    if not known:
        return "unknown"
    text = f"{sum(known):.4f}"
    return f"{text} + unknown for {unknown} call{'' if unknown == 1 else 's'}" if unknown else text


_FIELDS: tuple[Callable[[AgentCallMetric], int | None], ...] = (
    lambda m: m.input_tokens,
    lambda m: m.output_tokens,
    lambda m: m.cache_read_tokens,
    lambda m: m.cache_write_tokens,
)


def _row(name: str, metrics: list[AgentCallMetric], nothing: str) -> tuple[Cell, ...]:
    counts = (
        len(metrics),
        sum(bool(m.failure) for m in metrics),
        sum(m.tries - 1 for m in metrics),
        sum(m.reused for m in metrics),
    )
    return (
        Cell(name),
        *(Cell(str(count), number=True) for count in counts),
        *(_tokens(metrics, field) for field in _FIELDS),
        Cell(duration(sum(m.duration_s for m in metrics)), number=True),
        Cell(total_price((m.price_usd for m in metrics), nothing)),
    )


def _tokens(metrics: list[AgentCallMetric], field: Callable[[AgentCallMetric], int | None]) -> Cell:
    known = [value for value in map(field, metrics) if value is not None]
    if not known:
        bought = any(m.price_usd is not None for m in metrics)
        return Cell("unknown" if bought else NONE, number=True)
    return Cell(
        f"{sum(known):,}".replace(",", " ") + (" + unknown" if len(known) < len(metrics) else ""), number=True
    )
