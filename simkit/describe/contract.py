"""The vocabulary in words: every class with its arguments, from the classes themselves. For prompts, docs and --help."""

from __future__ import annotations

import inspect
import re
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

import simkit.describe as vocabulary
from simkit.describe.base import Kind
from simkit.describe.device import DeviceBody
from simkit.describe.feature import Feature
from simkit.describe.handed import HIDDEN
from simkit.describe.light import Band
from simkit.describe.measured import Measured
from simkit.describe.media import AnyMedium
from simkit.describe.problem import AnyQuantity, AnyScene, Problem, Sweep
from simkit.describe.scene import Quantity, Scene
from simkit.describe.shapes import Shape

_UNIONS = (
    (AnyMedium, "a medium"),
    (Band, "a band"),
    (Shape, "a body"),
    (AnyScene, "a scene"),
    (AnyQuantity, "a quantity"),
    (DeviceBody, "a body or Pattern"),
)
_HIDDEN = ("type", "kind", *HIDDEN)


def contract() -> str:
    """The whole vocabulary as Markdown."""
    words = {name: getattr(vocabulary, name) for name in vocabulary.__all__}
    classes = {
        name: item for name, item in words.items() if inspect.isclass(item) and issubclass(item, BaseModel)
    }
    scenes = [item for item in classes.values() if issubclass(item, Scene)]
    quantities = [item for item in classes.values() if issubclass(item, Quantity)]
    frame = [Problem, Sweep]
    unions = [f"{words} is {_either(union)}" for union, words in _UNIONS[:3]]
    rest = [item for item in classes.values() if item not in (*scenes, *quantities, *frame)]
    parts = [
        "### Frame",
        *map(_entry, frame),
        "### Scenes and what is measured in them",
        f"Arguments: {'; '.join(unions)}. Every quantity also takes id, scene (its scene's id) and answers (ids of "
        "targets, without them none). Two curves that answer one target stand in its order, of whatever scenes they are.",
    ]
    for scene in scenes:
        kind = scene.model_fields["type"].default
        own = [q for q in quantities if q.of_scene == kind]
        bases = [
            base
            for base in dict.fromkeys(q.__base__ for q in own)
            if base is not Quantity and _fields(base, Quantity)
        ]
        parts += [
            _entry(scene),
            *(f"  - {_also('Each of these', base, Quantity)}" for base in bases),
            *(_entry(q, within=True) for q in own),
        ]
    parts += [
        f"- In any scene:{_entry(item, within=True).removeprefix('  -')}" for item in (Feature, Measured)
    ]
    functions = [name for name, item in words.items() if not inspect.isclass(item)]
    parts += [
        "### Media, bodies, light",
        *map(_entry, rest),
        f"Also: {', '.join(f'`{name}`' for name in functions)}.",
    ]
    return "\n".join(parts)


_ASIDE = re.compile(r"; |: ")


def measurable() -> str:
    """For whoever plans: each scene in a sentence, and in half a sentence each what is measured in it."""
    words = [getattr(vocabulary, name) for name in vocabulary.__all__]
    classes = [item for item in words if inspect.isclass(item) and issubclass(item, BaseModel)]
    quantities = [item for item in classes if issubclass(item, Quantity)]
    out = []
    for scene in (item for item in classes if issubclass(item, Scene)):
        own = [q for q in quantities if q.of_scene == scene.model_fields["type"].default]
        out.append(f"- `{scene.__name__}`: {_sentence(scene)}. Measured:")
        out += [f"  - {q.__name__}: {_ASIDE.split(_sentence(q))[0]}{_bodies(q)}" for q in own]
    out.append("- In any scene, of what is measured in it:")
    out += [f"  - {item.__name__}: {_ASIDE.split(_sentence(item))[0]}" for item in (Feature, Measured)]
    return "\n".join(out)


def _bodies(item: Any) -> str:
    """What it says of the bodies it is measured of, in a sentence of its own: a plan for others needs a script."""
    found = re.search(r"Bodies are [^.]*", " ".join((inspect.getdoc(item) or "").split()))
    return "" if found is None else f" ({found[0]})"


def _sentence(item: Any) -> str:
    """The first one of its description."""
    return " ".join((inspect.getdoc(item) or "").split()).partition(". ")[0].rstrip(".")


def _either(union: Any) -> str:
    names = [item.__name__ for item in get_args(get_args(union)[0])]
    if union is AnyMedium:
        names += ["Material(name)", "vacuum()"]
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _also(who: str, item: Any, without: Any = None) -> str:
    return f"{who} also takes {', '.join(_fields(item, without))}."


def _fields(item: Any, without: Any = None) -> list[str]:
    hidden = (*_HIDDEN, *(without.model_fields if without else ()))
    return [
        f"{name}: {form(field)}{_default(field)}"
        for name, field in item.model_fields.items()
        if name not in hidden or (field.is_required() and name in _HIDDEN)
    ]


def _entry(item: Any, within: bool = False) -> str:
    fields = _fields(item, item.__base__ if within else None)
    text = " ".join((inspect.getdoc(item) or "").split())
    return f"{'  ' if within else ''}- `{item.__name__}({', '.join(fields)})`: {text}"


def form(field: Any, explained: bool = False) -> str:
    """How an argument is written; explained: with the classes that may stand there."""
    text = _type(field.annotation, field.metadata)
    classes = (
        [f"{words} is {_either(union)}" for union, words in _UNIONS if words in text] if explained else []
    )
    return "; ".join([text, *classes])


def _default(field: Any) -> str:
    if field.is_required() or field.default is PydanticUndefined:
        return ""
    if field.default in ((), None):
        return " = none"
    if isinstance(field.default, tuple):
        return f" = {tuple(float(v) for v in field.default)}"
    return f" = {field.default!r}" if isinstance(field.default, str) else f" = {float(field.default):g}"


def _type(annotation: Any, metadata: list[Any] | None = None) -> str:
    for mark in metadata or ():
        if isinstance(mark, Kind):
            return mark.words
    for union, words in _UNIONS:
        if annotation == union or annotation == get_args(union)[0]:
            return words
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _type(args[0], list(args[1:]))
    if origin is Literal:
        return " | ".join(repr(value) for value in args)
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return f"[{_type(args[0])}, ...]"
        return f"({', '.join(_type(arg) for arg in args)})"
    if origin in (Union, UnionType):
        return " | ".join(_type(arg) for arg in args if arg is not NoneType)
    return getattr(annotation, "__name__", str(annotation))
