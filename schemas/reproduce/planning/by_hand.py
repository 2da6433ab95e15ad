"""Numbers that need no simulation: simple arithmetic on a plan's inputs and answers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import product

from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.claims import Claim
from schemas.reproduce.words.same_number import same
from schemas.reproduce.words.written import Written, numbers_in
from schemas.text.unit_forms import unit_name

Value = tuple[float, str]
NEAR = 0.25  # of a bound: how far a number that keeps to it may lie from it
_MOST, _CLOSE = 24, 0.02  # numbers that arithmetic is tried on; how far off it may be
_LARGEST_INDEX = 6.0
# What only a size does: of a line or a spectrum the same words tell a result.
_OF_A_SIZE = re.compile(
    r"(?i)\b(?:widen|thicken|lengthen|taper)(?:s|ed|ing)\b|\b(?:wider|thicker|longer|taller|deeper)\s+(?:core|guide|film|layer|gap|rod|slot|"
    r"slit|ridge|bar|groove)s?\b"
)


def _named_in(said: Sequence[Written], value: float, unit: str) -> bool:
    return any(same(n.low, unit_name(n.unit) if n.unit else "1", value, unit or "1", 1e-6) for n in said)


# How a body differs from another: "a film that is 10 nm too thin". A line may be narrower, a wavelength longer.
_STEP = re.compile(r"(?i)\s*(?:too\s+)?(?:thin|thick|deep|shallow|tall)(?:n?er)?\b")


def is_step(claim: Claim, inputs: Sequence[Value]) -> bool:
    """Whether a number is by how much one size of the structure differs from another, both inputs."""
    own = [n for n in numbers_in(claim.words) if (n.low, n.unit) == (claim.number.low, claim.number.unit)]
    if claim.number.low < claim.number.high or dimension(claim.number.unit or "1") != "length":
        return False
    sizes = [size for n, unit in inputs if (size := converted(n, unit or "1", claim.number.unit)) is not None]
    steps = [abs(a - b) for a, b in product(sizes, repeat=2)]
    return bool(own) and all(
        _STEP.match(claim.words, n.end) and any(math.isclose(n.low, step, rel_tol=1e-6) for step in steps)
        for n in own
    )


def made_by_hand(claim: Claim, inputs: Sequence[Value], answers: Sequence[Value], reason: str) -> bool:
    """Whether a number is simple arithmetic on the plan's: a rest, sum, product or ratio of shares, a face by Fresnel's equations, a
    wave's part in a medium, an angle of Brewster's or of total reflection; of two answers that the reason names, their ratio, or
    by how much one is more than the other; of two inputs that it names, their ratio, where the words say that a body's size grows."""
    said = [
        n
        for n in numbers_in(reason)
        if n.low == n.high and (n.low, n.unit) != (claim.number.low, claim.number.unit)
    ]
    plain = [(n, unit) for n, unit in ((1.0, "1"), *inputs, *answers) if n > 0]
    plain = sorted(plain, key=lambda one: not _named_in(said, *one))[:_MOST]
    pure = [n / 100 if unit == "%" else n for n, unit in plain if dimension(unit or "1") == "fraction"]
    shares, indices = [n for n in pure if n <= 1], [n for n in pure if 1 <= n <= _LARGEST_INDEX]
    made = [
        (n, "1") for a, b in product(shares, repeat=2) for n in (1 - a, a * b, a / b, a + b, abs(a - b)) if n
    ]
    made += [(-10 * math.log10(a), "dB") for a in shares]
    for a, b in product(indices, repeat=2):
        face = ((a - b) / (a + b)) ** 2
        angles = (math.atan(a / b), math.asin(min(1.0, a / b)))
        made += [(face, "1"), (1 - face, "1"), *((math.degrees(angle), "deg") for angle in angles)]
    waves = [(n, unit) for n, unit in plain if dimension(unit) == "length"]
    made += [(n / (part * index), unit) for n, unit in waves for index in indices for part in (1, 2, 4)]
    of_reason = [(n, unit) for n, unit in answers if _named_in(said, n, unit)]
    if _OF_A_SIZE.search(claim.words):  # "widens the core sixfold", where the reason names both widths
        own = [(n, unit) for n, unit in inputs if _named_in(said, n, unit)]
        made += [(a / b, "1") for (a, unit), (b, other) in product(own, repeat=2) if unit == other and b]
    for (a, unit), (b, other) in product(of_reason, repeat=2):
        if a != b and unit == other and b:
            made += [(a / b, "1"), (abs(a - b), unit), (abs(a / b - 1), "1")]
    if claim.bound:  # "errors of more than 80 nm are harmless", of windows of 85 and 128 nm
        over = (1.0, 1 + NEAR) if claim.bound == "above" else (1 - NEAR, 1.0)
        return any(
            over[0] <= kept / claim.number.low <= over[1]
            for n, unit in (*made, *of_reason)
            if claim.number.low and (kept := converted(n, unit or "1", claim.number.unit or "1")) is not None
        )
    return claim.among(made, _CLOSE)
