"""The paper's own values written into a simulation's code: a number that was typed was not computed."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np

from schemas.reproduce.judging.evidence import Check
from schemas.reproduce.planning.plan import Stage
from simkit.describe.syntax import parse
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.curves.maps import Map
from tasks.reproduce.evidence.not_computed import EvidenceError
from tasks.reproduce.references.paper_value import resolve

# A number needs this many significant digits to be recognised; rounder ones occur by chance.
DIGITS = 4
_RELATIVE = 10.0 ** (1 - DIGITS) / 2
_CURVE_SAMPLES = 6


def echo_checks(code: str, stage: Stage, *, paper_dir: Path) -> tuple[Check, ...]:
    """One check for each target: its reference value, or several samples of its reference curve, typed in `code`."""
    numbers = _numbers(code)
    checks = []
    for target in stage.numeric_targets:
        try:
            reference = resolve(target, paper_dir).value
        except EvidenceError:
            continue  # a missing reference is reported where the target is compared
        if isinstance(reference, (Curve, Map)):
            # chance matches of a few long numbers are common, a majority of them is not
            values = np.unique(
                reference.y if isinstance(reference, Curve) else reference.z[np.isfinite(reference.z)]
            )
            needed = max(_CURVE_SAMPLES, len(numbers) // 2)
        else:
            values, needed = np.array([reference]), 1
            if _digits(f"{reference:.10g}") < DIGITS:
                continue  # so round a number stands in many programs
        found = {typed for typed in numbers for value in values if _same(typed, float(value))}
        copied = len(found) >= needed
        checks.append(
            Check(
                name=f"paper's values of {target.target_id} in the code",
                level="fail" if copied else "pass",
                measured=f"{len(found)} of {len(numbers)} long numbers in the code",
                allowed=f"fewer than {needed} numbers equal to the paper's to {DIGITS} digits",
                source="simulation.py",
                hint="compute the value from the fields; results of the paper have no place in a simulation"
                if copied
                else "",
            )
        )
    return tuple(checks)


def _numbers(code: str) -> set[float]:
    """Numbers with at least DIGITS significant digits that stand in the code, also in texts."""
    found: set[float] = set()
    try:
        nodes = list(ast.walk(parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return found
    for node in nodes:
        if not isinstance(node, ast.Constant):
            continue
        texts = node.value.replace(",", " ").split() if isinstance(node.value, str) else [repr(node.value)]
        for text in texts[:20_000]:
            if _digits(text) < DIGITS:
                continue
            try:
                found.add(abs(float(text)))
            except ValueError:
                continue
    return found


def _digits(text: str) -> int:
    """Significant digits of a number as written, zeros at both ends left out; 0 for what is no number."""
    digits = text.lower().split("e")[0].replace(".", "").replace("-", "").strip("0")
    return len(digits) if digits.isdigit() else 0


def _same(typed: float, value: float) -> bool:
    if value == 0 or not np.isfinite(value):
        return False
    # the same digits in another power of ten (per cent, nm for um) are the same number
    ratio = typed / abs(value)
    power = 10.0 ** round(np.log10(ratio)) if ratio > 0 else 0.0
    return 1e-6 <= power <= 1e6 and abs(ratio / power - 1) < _RELATIVE
