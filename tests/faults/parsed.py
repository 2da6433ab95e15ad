"""Recorded descriptions, parsed: their numbers by place and kind, changes of them, and the code of what was changed."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import simkit.describe as vocabulary
from schemas.reproduce.planning.declared import declared
from schemas.reproduce.planning.parameters import ExtractedParameter
from simkit.describe.__main__ import described
from simkit.describe.base import Described, Kind
from simkit.describe.document import document
from simkit.describe.numbers import names
from simkit.describe.parameters import Parameter
from simkit.describe.problem import Problem

Place = tuple[str | int, ...]
Document = dict[str, Any]


@dataclass(frozen=True)
class Spot:
    """A field of a description. kind: what its number is, in the vocabulary's words, '' if it is none. view: it shapes nothing."""

    place: Place
    value: Any
    field: str
    owner: type[Described]
    kind: str = ""
    view: bool = False
    choices: tuple[Any, ...] = ()  # of a word with few allowed values

    @property
    def expression(self) -> str:
        """Of a number; a plain one is its own expression."""
        return self.value["="] if isinstance(self.value, dict) else f"{self.value:g}"


@dataclass(frozen=True)
class Recorded:
    """A paper's recording. entries: its lines as they are. planned: the planner's answer."""

    paper: str
    folder: Path
    entries: tuple[dict[str, Any], ...]

    @cached_property
    def planned(self) -> dict[str, Any]:
        """The plan that the run went by: the last one."""
        return next(e["answer"] for e in reversed(self.entries) if _agent(e) == "planner")  # type: ignore[no-any-return]

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The described stages, in recorded order; of several versions of a design the last."""
        found = {
            e["position"]["stage_id"]: e["answer"]["design"]
            for e in self.entries
            if _agent(e) == "simulation_designer"
            and (e["answer"].get("design") or {}).get("form") == "description"
        }
        return tuple(Stage(self, name, design) for name, design in found.items())


@dataclass(frozen=True)
class Stage:
    """A stage's recorded design."""

    recorded: Recorded
    stage_id: str
    design: dict[str, Any]

    @cached_property
    def inputs(self) -> tuple[Parameter, ...]:
        """The paper's inputs as the recorded plan declares them."""
        given = [
            ExtractedParameter.model_validate(entry)
            for entry in self.recorded.planned["extracted_parameters"]
        ]
        return declared(given).parameters

    @cached_property
    def problem(self) -> Problem:
        """What its code describes."""
        own = [parameter.model_dump(mode="json") for parameter in self.inputs]
        return described(self.design["code"], [*own, *self.design.get("parameters", [])])

    @cached_property
    def document(self) -> Document:
        """The same as plain JSON."""
        return document(self.problem)

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """All its fields, in order."""
        return tuple(_spots(self.problem, self.document))

    @cached_property
    def shaping(self) -> frozenset[str]:
        """Parameters that stand in structure or light, not only in a view."""
        return frozenset().union(
            *(names(s.expression) for s in self.spots if isinstance(s.value, dict) and not s.view)
        )


def recorded(folder: Path) -> Recorded:
    """The recording in a paper's folder."""
    lines = (folder / "transcript.jsonl").read_text(encoding="utf-8").splitlines()
    name = json.loads((folder / "paper.json").read_text(encoding="utf-8"))["paper_id"]
    return Recorded(name, folder, tuple(json.loads(line) for line in lines if line.strip()))


def _agent(entry: Mapping[str, Any]) -> str:
    return str((entry.get("position") or {}).get("agent", "")) if "answer" in entry else ""


def _spots(item: Described, node: Any, place: Place = (), view: bool = False) -> Iterator[Spot]:
    """Every field of a description in the order of the vocabulary, those of the things in it included."""
    view = view or item.view
    for name, field in type(item).model_fields.items():
        value, kind = node[name], _kind(field.annotation, field.metadata)
        yield from _within(
            getattr(item, name),
            value,
            (*place, name),
            name,
            type(item),
            kind,
            view,
            _choices(field.annotation),
        )


def _within(
    held: Any,
    value: Any,
    place: Place,
    name: str,
    owner: type[Described],
    kind: str,
    view: bool,
    choices: tuple[Any, ...],
) -> Iterator[Spot]:
    if isinstance(held, Described):
        yield from _spots(held, value, place, view)
    elif isinstance(held, (tuple, list)):
        for index, one in enumerate(held):
            yield from _within(one, value[index], (*place, index), name, owner, kind, view, choices)
    else:
        yield Spot(place, value, name, owner, kind if held is not None else "", view, choices)


def _kind(annotation: Any, metadata: Sequence[Any] = ()) -> str:
    """What a field's numbers are, in words, wherever in its annotation that stands."""
    for mark in metadata:
        if isinstance(mark, Kind):
            return mark.words
    if annotation is None or isinstance(annotation, str):
        return ""
    for inner in get_args(annotation):
        marks = [mark for mark in getattr(inner, "__metadata__", ()) if isinstance(mark, Kind)]
        found = marks[0].words if marks else _kind(inner)
        if found:
            return found
    return ""


def _choices(annotation: Any) -> tuple[Any, ...]:
    """The words that a field allows, also where it allows something else beside them."""
    for one in (annotation, *get_args(annotation)):
        found = get_args(one)
        if found and all(isinstance(word, str) for word in found):
            return found
    return ()


def at(node: Any, place: Place) -> Any:
    """What stands at a place of a document."""
    for part in place:
        node = node[part]
    return node


def put(node: Document, changes: Mapping[Place, Any]) -> Document:
    """A document with other values at some places."""
    made = copy.deepcopy(node)
    for place, value in changes.items():
        at(made, place[:-1])[place[-1]] = copy.deepcopy(value)
    return made


def without(node: Document, place: Place) -> Document:
    """A document without one entry of a list."""
    made = copy.deepcopy(node)
    del at(made, place[:-1])[place[-1]]
    return made


def renamed(node: Any, name: str, into: str) -> Any:
    """A document in which an expression takes the place of a parameter wherever it stands."""
    if isinstance(node, dict):
        if set(node) == {"="}:
            return {"=": _replaced(node["="], name, into)}
        return {key: renamed(value, name, into) for key, value in node.items()}
    return [renamed(value, name, into) for value in node] if isinstance(node, (list, tuple)) else node


def _replaced(expression: str, name: str, into: str) -> str:
    new = ast.parse(into, mode="eval").body

    class Names(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:  # noqa: N802  the name that ast calls
            return new if node.id == name else node

    return ast.unparse(Names().visit(ast.parse(expression, mode="eval")))


_WORDS = {name: getattr(vocabulary, name) for name in vocabulary.__all__}
_CLASSES = {
    str(word.model_fields[mark].default): word
    for word in _WORDS.values()
    for mark in ("type", "kind")
    if isinstance(word, type) and issubclass(word, Described) and mark in word.model_fields
}


def code_of(node: Document) -> str:
    """The code of a document: what `describe(p)` would have said."""
    fields = (
        f"        {name}={_code(node[name])},\n"
        for name in ("scenes", "quantities", "sweeps")
        if node.get(name)
    )
    return (
        f"from simkit.describe import *\n\n\ndef describe(p):\n    return Problem(\n{''.join(fields)}    )\n"
    )


def _code(node: Any) -> str:
    if isinstance(node, dict):
        if set(node) == {"="}:
            return _traced(node["="])
        word = _CLASSES.get(str(node.get("type"))) or _CLASSES.get(str(node.get("kind"))) or vocabulary.Pole
        mark = "type" if "type" in word.model_fields else "kind"
        plain = {name: field.default for name, field in word.model_fields.items()}
        given = (
            f"{name}={_code(value)}"
            for name, value in node.items()
            if (name != mark or word is vocabulary.Pole)
            and value is not None
            and not _same(value, plain.get(name))
        )
        return f"{word.__name__}({', '.join(given)})"
    if isinstance(node, (list, tuple)):
        return f"[{', '.join(map(_code, node))}]"
    return repr(int(node)) if isinstance(node, float) and node == int(node) else repr(node)


def _same(value: Any, default: Any) -> bool:
    return (
        list(value) == list(default)
        if isinstance(value, list) and isinstance(default, tuple)
        else value == default
    )


def _traced(expression: str) -> str:
    tree = ast.parse(expression, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in _WORDS:
            node.id = f"p.{node.id}"
    return ast.unparse(tree)
