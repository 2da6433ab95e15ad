"""params.json: read once, checked before any simulation starts."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simkit.errors import ParameterError


@dataclass(frozen=True)
class Params:
    """The checked contents of params.json. `point` holds the sweep point, `materials` the fits by name."""

    paper_id: str
    stage_id: str
    resolution_scale: float = 1.0
    point: Mapping[str, Any] = field(default_factory=dict)
    debug: bool = False
    time_limit_s: float = 3600.0
    materials: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def directories() -> tuple[Path, Path]:
    """(inputs, output) from SIMKIT_INPUTS and SIMKIT_OUTPUT; both must exist."""
    found = []
    for variable in ("SIMKIT_INPUTS", "SIMKIT_OUTPUT"):
        text = os.environ.get(variable, "")
        if not text or not Path(text).is_dir():
            raise ParameterError(
                f"environment variable {variable} is {text!r}, not an existing directory. The runner sets it; to run"
                f" by hand: SIMKIT_INPUTS=<folder with params.json> SIMKIT_OUTPUT=<work folder> python3 simulation.py"
            )
        found.append(Path(text).resolve())
    return found[0], found[1]


def read_params(path: Path) -> Params:
    """Read and check params.json; raises ParameterError naming the field, the value and what is allowed."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ParameterError(
            f"cannot read {path}: {error.strerror}. The runner must write it first."
        ) from error
    except ValueError as error:
        raise ParameterError(f"{path} is not valid JSON: {error}. Write it with json.dump.") from error
    if not isinstance(raw, dict):
        raise ParameterError(f"{path} must hold one JSON object, found {type(raw).__name__}.")
    return Params(
        paper_id=_text(raw, "paper_id"),
        stage_id=_text(raw, "stage_id"),
        resolution_scale=_positive(raw, "resolution_scale", 1.0),
        point=_mapping(raw, "point"),
        debug=_flag(raw, "debug"),
        time_limit_s=_positive(raw, "time_limit_s", 3600.0),
        materials={str(name): _material(name, value) for name, value in _mapping(raw, "materials").items()},
    )


def _wrong(name: str, value: Any, allowed: str) -> ParameterError:
    return ParameterError(
        f"params.json: {name} is {value!r}; allowed: {allowed}. Correct params.json and run again."
    )


def _text(raw: Mapping[str, Any], name: str) -> str:
    value = raw.get(name)
    if not isinstance(value, str) or not value:
        raise _wrong(name, value, "a non-empty string")
    return value


def _positive(raw: Mapping[str, Any], name: str, default: float) -> float:
    value = raw.get(name, default)
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or not math.isfinite(value)
        or value <= 0
    ):
        raise _wrong(name, value, "a finite number above 0")
    return float(value)


def _flag(raw: Mapping[str, Any], name: str) -> bool:
    value = raw.get(name, False)
    if not isinstance(value, bool):
        raise _wrong(name, value, "true or false")
    return value


def _mapping(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = raw.get(name, {})
    if not isinstance(value, dict):
        raise _wrong(name, value, "an object")
    return value


def _material(name: str, value: Any, nested: bool = False) -> Mapping[str, Any]:
    label = name if nested else f"materials.{name}"
    kinds = (
        [] if not isinstance(value, dict) else [key for key in ("index", "eps_inf", "axes") if key in value]
    )
    if len(kinds) != 1 or (nested and kinds == ["axes"]):
        allowed = '{"index": n}, {"eps_inf": ..., "poles": [...]} or {"axes": {"x": ..., "y": ..., "z": ...}}, exactly one'
        raise _wrong(label, value, allowed)
    for key in ("chi2", "chi3"):
        numbers = value.get(key, [0, 0, 0])
        if not isinstance(numbers, list) or len(numbers) != 3 or not all(map(_finite, numbers)):
            raise _wrong(f"{label}.{key}", numbers, "three finite numbers, along x, y, z")
    if "axes" in value:
        axes = _mapping(value, "axes")
        if set(axes) != set("xyz"):
            raise _wrong(f"{label}.axes", sorted(axes), "x, y and z")
        for axis, entry in axes.items():
            _material(f"{label}.{axis}", entry, nested=True)
        return value
    if "index" in value:
        _positive(value, "index", 1.0)
        return value
    _positive(value, "eps_inf", 1.0)
    poles = value.get("poles", [])
    if not isinstance(poles, list):
        raise _wrong(f"{label}.poles", poles, "a list")
    for number, pole in enumerate(poles):
        values = [pole.get(key) for key in ("f0", "gamma", "sigma")] if isinstance(pole, dict) else []
        good = len(values) == 3 and all(map(_finite, values)) and values[0] > 0 and values[1] >= 0
        if not good or pole.get("kind") not in {"drude", "lorentz"}:
            allowed = '{"kind": "drude"|"lorentz", "f0": > 0, "gamma": >= 0, "sigma": number}'
            raise _wrong(f"{label}.poles[{number}]", pole, allowed)
    return value


def _finite(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
