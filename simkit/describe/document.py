"""The description as a document: plain JSON with expressions, made once; every variant is computed from it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from simkit.describe.base import INF, RESOLVED, Described
from simkit.describe.errors import DescriptionError
from simkit.describe.handed import Drawing
from simkit.describe.media import Medium
from simkit.describe.numbers import Number, arithmetic, evaluate, names, plainly
from simkit.describe.parameters import Parameters
from simkit.describe.problem import Problem
from simkit.describe.scene import Spanned

Path = tuple[str | int, ...]
_LISTED = 8
_PLAIN = re.compile(r"\(?-?[\w.]+\)?")  # a parameter or a literal as it is


def document(problem: Problem) -> dict[str, Any]:
    """The parametric document of a problem."""
    return problem.model_dump(mode="json")


def resolved(
    parametric: Mapping[str, Any], values: Mapping[str, float], drawings: Mapping[str, Drawing] | None = None
) -> Problem:
    """The problem with plain numbers for given parameter values (base units). Raises pydantic.ValidationError.

    drawings: of the handed-in patterns, by name.
    """
    plain = _substituted(parametric, values)
    for body in patterns_in(plain):
        body["drawing"] = (drawings or {}).get(body["name"])
    return Problem.model_validate(plain, context=RESOLVED)


def patterns_in(node: Any) -> Iterator[dict[str, Any]]:
    """The handed-in patterns of a document."""
    if isinstance(node, dict):
        if node.get("type") == "pattern":
            yield node
        else:
            for value in node.values():
                yield from patterns_in(value)
    elif isinstance(node, (list, tuple)):
        for value in node:
            yield from patterns_in(value)


def expressions(node: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """(path, expression) of every traced number of a parametric document."""
    if isinstance(node, Mapping):
        if set(node) == {"="}:
            yield path, node["="]
            return
        for key, value in node.items():
            yield from expressions(value, (*path, key))
    elif isinstance(node, (list, tuple)):
        for index, value in enumerate(node):
            yield from expressions(value, (*path, index))


def _substituted(node: Any, values: Mapping[str, float]) -> Any:
    if isinstance(node, Mapping):
        if set(node) == {"="}:
            value = evaluate(node["="], values)
            return math.copysign(INF, value) if math.isinf(value) else value
        return {key: _substituted(value, values) for key, value in node.items()}
    if isinstance(node, (list, tuple)):
        return [_substituted(value, values) for value in node]
    return node


def check(problem: Problem, parameters: Parameters) -> dict[str, Any]:
    """The document, checked against its parameters.

    Raises DescriptionError: an expression names an undeclared parameter, or a numerical parameter shapes structure or
    light.
    """
    out = document(problem)
    known, refused = parameters.items(), []
    for path, expression in expressions(out):
        unknown = names(expression) - set(known)
        if unknown:
            raise DescriptionError(f"{dotted(path)} = {expression}: undeclared {', '.join(sorted(unknown))}")
        rests_on = frozenset().union(*(parameters.closure(name) for name in names(expression)))
        numerical = sorted(name for name in rests_on if known[name].origin == "numerical")
        if numerical and not _is_view(problem, path):
            refused.append(
                f"{dotted(path)} = {expression}: shaped by the numerical parameter {', '.join(numerical)}; declare "
                "it as a value of the paper or as an assumption"
            )
    if refused:
        raise DescriptionError("\n".join(refused))
    return out


def used(parametric: Mapping[str, Any], parameters: Parameters) -> frozenset[str]:
    """Ids of the parameters that the document rests on, counts included."""
    found = frozenset().union(*(names(expression) for _, expression in expressions(parametric)))
    return frozenset().union(*(parameters.closure(name) for name in found)) | frozenset(parameters._counted)


def unusual(parametric: Mapping[str, Any]) -> tuple[str, ...]:
    """Long or odd arithmetic that a reader should see, of one shape once: 'place = expression, and 49 more of this shape'."""
    alike: dict[tuple[str, str], list[str]] = {}
    for path, expression in expressions(parametric):
        operations, literals = arithmetic(expression)
        if operations > 9 or literals > 3:
            shape = re.sub(r"\d+", "#", dotted(path)), _shape(expression)
            alike.setdefault(shape, []).append(f"{dotted(path)} = {plainly(expression)[:200]}")
    return tuple(
        lines[0] + (f", and {len(lines) - 1} more of this shape" if len(lines) > 1 else "")
        for lines in alike.values()
    )


def _shape(expression: str) -> str:
    """An expression without the values of its plain numbers: (2 * 2 + 1) is one as 3 is."""
    found, before = re.sub(r"\d+(?:\.\d+)?", "#", expression), ""
    while found != before:
        found, before = re.sub(r"\(\s*-?#(?:\s*[-+*/]\s*#)*\s*\)", "#", found), found
    return found


def computed(problem: Problem, parametric: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """(place, expression) of every number of structure and light that is arithmetic on parameters, each expression once."""
    found: dict[str, str] = {}
    for path, expression in expressions(parametric):
        if not _PLAIN.fullmatch(expression) and not _is_view(problem, path):
            found.setdefault(expression, dotted(path))
    return tuple((place, expression) for expression, place in found.items())


def chosen(item: Any) -> str:
    """What a scene or a quantity is, for a reader: 'unit cell: below glass, light_from above, polarization p, ...'."""
    parts = []
    for name, field in type(item).model_fields.items():
        value = getattr(item, name)
        if (
            name not in ("id", "type", "kind", "answers", "scene", "code", "drawing")
            and value != field.default
        ):
            parts.append(f"{name} {_word(value)}")
    own = str(getattr(item, "type", getattr(item, "kind", ""))).replace("_", " ")
    return own + (f": {', '.join(parts)}" if parts else "")


def _word(value: Any) -> str:
    if isinstance(value, Number):
        return value.expression
    if isinstance(value, Medium) and value.material is not None:
        return value.material
    if isinstance(value, Described):
        return f"({chosen(value)})"
    if isinstance(value, tuple):
        equal = ((word, len(list(same))) for word, same in groupby(map(_word, value)))
        told = [f"{number} x {word}" if number > 1 else word for word, number in equal]
        return f"[{', '.join(told[:_LISTED])}{', ...' if len(told) > _LISTED else ''}]"
    return str(value)


def dotted(path: Path) -> str:
    """scenes.0.layers.1.thickness"""
    return ".".join(str(part) for part in path)


def _is_view(problem: Problem, path: Path) -> bool:
    node: Any = problem
    for number, part in enumerate(path):
        if getattr(type(node), "view", False):
            return True
        if isinstance(node, Spanned) and part in (
            "start",
            "end",
        ):  # how far it is looked; where it passes is no view
            axis = int(path[number + 1])
            return float(node.start[axis]) != float(node.end[axis])
        node = node[part] if isinstance(part, int) else getattr(node, part)
    return False
