"""Adding up what the tries of one call cost."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.models.prices import Price, price_usd
from schemas.talking.transcript import Usage


def add_usage(first: Usage, second: Usage) -> Usage:
    """The sum, field by field; None where neither says."""

    def total(name: str) -> int | None:
        values = [v for v in (getattr(first, name), getattr(second, name)) if v is not None]
        return sum(values) if values else None

    return Usage(**{name: total(name) for name in Usage.model_fields})


@dataclass
class Bill:
    """Tokens and money of a call so far. price is None before the first try, "unknown" once any try is unknown."""

    usage: Usage = field(default_factory=Usage)
    price: Price | None = None

    def add(self, model: str, usage: Usage) -> None:
        """Count one more try."""
        price = price_usd(model, usage)
        self.usage = add_usage(self.usage, usage)
        if self.price == "unknown" or price == "unknown":
            self.price = "unknown"
        else:
            self.price = (self.price or 0.0) + price
