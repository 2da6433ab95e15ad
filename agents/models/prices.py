"""List prices, to say what a call cost. A model that is not listed costs "unknown", never 0.

Source: platform.claude.com/docs/en/about-claude/pricing and /docs/en/models/overview; the cache rates of
claude-fable-5-2 from release notes of third parties that cite the former. Read on the date below. Five-minute cache
writes; no batch or fast-mode rates.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from schemas.talking.transcript import Usage

PRICES_AS_OF = "2026-11-21"
Price = float | Literal["unknown"]


@dataclass(frozen=True)
class Rates:
    """US dollars per million tokens."""

    input: float
    output: float
    cache_write: float
    cache_read: float


@dataclass(frozen=True)
class Tariff:
    """The rates of a model; `long` applies to the whole call when its prompt exceeds `long_from` tokens."""

    rates: Rates
    long_from: int | None = None
    long: Rates | None = None


_FABLE_5 = Tariff(Rates(10, 50, 12.5, 1.0))
_FABLE_5_1 = Tariff(Rates(10, 50, 12.5, 0.25))
_OPUS_5 = Tariff(Rates(5, 25, 6.25, 0.5))
_SONNET_4 = Tariff(Rates(3, 15, 3.75, 0.3))

TARIFFS: dict[str, Tariff] = {
    "claude-fable-5-2": Tariff(Rates(8, 40, 10, 0.2)),
    "claude-fable-5-1": _FABLE_5_1,
    "claude-mythos-5-1": _FABLE_5_1,
    "claude-fable-5": _FABLE_5,
    "claude-mythos-5": _FABLE_5,
    "claude-opus-5-5": Tariff(Rates(4, 20, 5, 0.2)),
    "claude-opus-5": _OPUS_5,
    "claude-opus-4-8": _OPUS_5,
    "claude-opus-4-7": _OPUS_5,
    "claude-opus-4-6": _OPUS_5,
    "claude-opus-4-5": _OPUS_5,
    "claude-sonnet-5-5": Tariff(Rates(2, 10, 2.5, 0.1)),
    "claude-sonnet-5": Tariff(Rates(2, 10, 2.5, 0.2)),
    "claude-sonnet-4-6": _SONNET_4,
    "claude-sonnet-4-5": _SONNET_4,
    "claude-haiku-5-5": Tariff(Rates(0.1, 0.5, 0.125, 0.01), 100_000, Rates(0.5, 2.5, 0.625, 0.05)),
    "claude-haiku-4-5": Tariff(Rates(1, 5, 1.25, 0.1)),
}


def price_usd(model: str, usage: Usage) -> Price:
    """What one call cost in US dollars at list price.

    usage.input_tokens excludes cached tokens, as the Messages API counts them. "unknown" if the model is not listed
    or the server did not count tokens.
    """
    tariff = TARIFFS.get(re.sub(r"-\d{8}$", "", model.removeprefix("anthropic/")))
    if tariff is None or usage.input_tokens is None or usage.output_tokens is None:
        return "unknown"
    read, written = usage.cache_read_tokens or 0, usage.cache_write_tokens or 0
    rates = tariff.rates
    if (
        tariff.long
        and tariff.long_from is not None
        and usage.input_tokens + read + written > tariff.long_from
    ):
        rates = tariff.long
    return (
        usage.input_tokens * rates.input
        + usage.output_tokens * rates.output
        + written * rates.cache_write
        + read * rates.cache_read
    ) / 1e6
