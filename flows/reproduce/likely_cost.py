"""What a reproduction is likely to cost, and what its simulations took."""

from __future__ import annotations

from agents.models.prices import PRICES_AS_OF, price_usd
from agents.models.size import CHARACTERS_PER_TOKEN
from flows.reproduce.context import Run
from flows.reproduce.report_facts import simulation_cpu_s
from flows.run import costs as shared
from schemas.reproduce.settings import RunSettings
from schemas.talking.transcript import Usage

# The bundled papers took 36 to 44 calls for three stages, with about 6 000 tokens of prompt and context a call by the
# test server's count. The answer's size, 3 000 tokens with the model's thinking, is an assumption: none was measured.
_CALLS_BEFORE, _CALLS_PER_STAGE, _STAGES = 4, 12, (3, 6)
_PROMPT_TOKENS, _ANSWER_TOKENS = 8_000, 3_000


def estimate_line(run: Run) -> str:
    """What a run is likely to cost, before it starts; 'unknown' for a model without a listed price."""
    return likely(run.settings, len(run.paper.text))


def likely(settings: RunSettings, characters: int) -> str:
    """The same for settings and a paper of so many characters."""
    kind = settings.model.kind
    if kind != "anthropic":
        return f"model {kind}: nothing is bought"
    paper = int(characters / CHARACTERS_PER_TOKEN)
    parts, tokens = [], []
    for stages in _STAGES:
        calls = _CALLS_BEFORE + _CALLS_PER_STAGE * stages
        prompt, answers = calls * _PROMPT_TOKENS + 4 * paper, calls * _ANSWER_TOKENS
        tokens.append(prompt + answers)
        price = price_usd(settings.model.name, Usage(input_tokens=prompt, output_tokens=answers))
        parts.append("unknown" if price == "unknown" else f"{price:.2f}")
    limits = settings.limits
    cap = "no cap on money" if limits.max_cost_usd is None else f"capped at {limits.max_cost_usd:g} USD"
    money = "an unknown price" if "unknown" in parts else f"{parts[0]} to {parts[1]} USD"
    return (
        f"estimate: {tokens[0] // 1000} to {tokens[1] // 1000} thousand tokens, {money} with "
        f"{settings.model.name} (prices of {PRICES_AS_OF}); {cap}"
    )


def write_costs(run: Run) -> None:
    """costs.json, with the CPU time of the simulations."""
    shared.write_costs(run, simulation_cpu_s=round(simulation_cpu_s(run.outputs, run.executions), 1))
