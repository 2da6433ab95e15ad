"""Appendix E: what the run cost. A price nobody knows is 'unknown', never 0."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from schemas.progress import AgentCallMetric
from tasks.report.document import Block, Bullets, Cell, Facts, Group, Section, Table
from tasks.report.source import Source
from tasks.report.text import NONE, duration

NOT_BOUGHT = "nothing was bought"
Price = float | str | None


def costs_section(source: Source) -> Section:
    """Calls, tokens and money per agent, and times."""
    facts, metrics = source.facts, source.state.metrics
    nothing = NOT_BOUGHT + (" (replay)" if source.settings.model.kind == "replay" else "")
    rows = [
        _row(agent, [m for m in metrics if m.agent == agent], nothing)
        for agent in dict.fromkeys(m.agent for m in metrics)
    ]
    if rows:
        rows.append(_row("All", list(metrics), nothing))
    blocks: list[Block] = [
        Table(
            (
                "Agent",
                "Model",
                "Calls",
                "Reused",
                "Input tokens",
                "Output tokens",
                "Cache read",
                "Cache written",
                "Time",
                "Price, USD",
            ),
            tuple(rows),
            "Cost per agent",
            empty="No agent was asked.",
        ),
        Facts(
            (
                ("Started", Cell(facts.started)),
                ("Wall time", Cell(duration(facts.wall_s))),
                ("Simulations, CPU time", Cell(duration(facts.simulation_cpu_s))),
                ("Simulations run / reused", Cell(f"{facts.simulations_run} / {facts.simulations_reused}")),
                ("Model calls made / reused", Cell(f"{facts.calls} / {facts.calls_reused}")),
                ("Answers from", Cell(facts.endpoint)),
            )
        ),
    ]
    if facts.model_notes:
        blocks.append(Group("Remarks on the models", (Bullets(facts.model_notes),)))
    if facts.unused_recordings:
        blocks.append(Group("Recorded answers that nobody asked for", (Bullets(facts.unused_recordings),)))
    return Section("E", "Cost and Time", tuple(blocks))


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


def _row(name: str, metrics: list[AgentCallMetric], nothing: str) -> tuple[Cell, ...]:
    models = ", ".join(sorted({m.model for m in metrics if m.model})) or NONE
    return (
        Cell(name),
        Cell("" if name == "All" else models),
        Cell(str(len(metrics)), number=True),
        Cell(str(sum(m.reused for m in metrics)), number=True),
        _tokens(metrics, lambda m: m.input_tokens),
        _tokens(metrics, lambda m: m.output_tokens),
        _tokens(metrics, lambda m: m.cache_read_tokens),
        _tokens(metrics, lambda m: m.cache_write_tokens),
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
