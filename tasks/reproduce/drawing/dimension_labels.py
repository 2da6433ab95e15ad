"""Numbers and media of a description in words: value, unit, and the parameters they come from."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from simkit.describe.base import INF, RESOLVED
from simkit.describe.handed import Pattern
from simkit.describe.parameters import Parameter
from simkit.describe.syntax import again

LONGEST = 44  # characters of an expression that still help a reader


@dataclass(frozen=True)
class Node:
    """A part of a description twice: with expressions, and in plain numbers (base units)."""

    parametric: Any
    plain: Any

    def __getitem__(self, key: str | int) -> Node:
        return Node(self.parametric[key], self.plain[key])

    def __iter__(self) -> Iterator[Node]:
        return (self[index] for index in range(len(self.plain)))

    def get(self, key: str) -> Node | None:
        """A part that may be missing."""
        return self[key] if self.plain.get(key) is not None else None

    @property
    def value(self) -> float:
        """The number."""
        return float(self.plain)


@dataclass(frozen=True)
class Words:
    """How numbers are said. scale: 'um' or the free length 'a'."""

    parameters: Mapping[str, Parameter]
    scale: str

    def number(self, node: Node, power: int = 1) -> str:
        """'t = 15 nm', 'period / 2 = 0.35 um', '0'; 'to infinity' for a bound that is none."""
        if abs(node.value) >= INF:
            return "to infinity"
        expression = node.parametric.get("=", "") if isinstance(node.parametric, Mapping) else ""
        known = self.parameters.get(expression)
        if known is not None and known.value is not None:
            return f"{expression} = {known.value:g}" + ("" if known.unit == "1" else f" {known.unit}")
        said = self.plain(node.value, power)
        short = _readable(expression)
        return f"{short} = {said}" if short and len(short) <= LONGEST else said

    def plain(self, value: float, power: int = 1) -> str:
        """A value in base units with a unit that suits its size."""
        if power == 0 or value == 0:
            return f"{value:.6g}"
        if power == -1:
            return f"{value:.6g} c/{self.scale}"
        if self.scale == "um" and power == 1 and abs(value) < 1:
            return f"{1e3 * value:.6g} nm"
        return f"{value:.6g} {self.scale}" + ("" if power == 1 else f"^{power}")

    def handed(self, node: Node) -> str:
        """'; silicon where design (sha256 0123456789ab) is 1, pixels dx = 10 nm x dy = 12 nm'."""
        pixels = " x ".join(self.number(side) for side in node["pixel"])
        said = f"{node.plain['name']} (sha256 {node.plain['sha256'][:12]})"
        return f"; {self.medium(node['medium'])} where {said} is 1" + (f", pixels {pixels}" if pixels else "")

    def medium(self, node: Node) -> str:
        """'germanium', 'vacuum', 'index n_core = 3.4', 'ideal metal'."""
        if node.plain["kind"] == "perfect_conductor":
            return "ideal metal"
        if node.plain.get("material"):
            return str(node.plain["material"])[:40]
        if (index := node.get("index")) is not None:
            empty = index.plain == 1 and not isinstance(index.parametric, Mapping)
            return "vacuum" if empty else f"index {self.number(index, 0)}"
        epsilon = node["epsilon"]
        if isinstance(epsilon.plain, (list, tuple)):
            said = f"permittivity {', '.join(self.number(part, 0) for part in epsilon)}"
        else:
            said = f"permittivity {self.number(epsilon, 0)}"
        return said + (f", {len(node.plain['poles'])} poles" if node.plain.get("poles") else "")


def handed(node: Node) -> Pattern:
    """The handed-in pattern that a part of a description is."""
    return Pattern.model_validate(node.plain, context=RESOLVED)


def _readable(expression: str) -> str:
    """The expression without needless brackets."""
    try:
        return ast.unparse(again(lambda: ast.parse(expression, mode="eval"))) if expression else ""
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return expression
