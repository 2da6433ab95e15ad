"""Arithmetic on inputs is doubted of the targets that rest on it, and not where the paper's words say what it is."""

from __future__ import annotations

from typing import Any

import pytest

from schemas.reproduce.words.bound import InputWords
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.describing.in_sandbox import Description, declared, from_document
from tasks.reproduce.describing.inputs_used import altered

pytestmark = pytest.mark.unit
CODE = """from simkit.describe import *

def describe(p):
    def guide(name, n):
        core = Block(id="core", medium=Medium(index=n), y=(-p.w / 2, p.w / 2))
        return Waveguide(id=name, dimensions="2D", bodies=(core,), background=vacuum(), wavelength=p.l, polarization="Ez")

    return Problem(scenes=(guide("plain", p.n), guide("up", MADE)),
                   quantities=(EffectiveIndex(id="a", scene="plain", answers=("A",)), EffectiveIndex(id="b", scene="up", answers=("B",))))
"""


def _made(expression: str, words: str) -> Description:
    rows: list[dict[str, Any]] = [
        {"id": "w", "value": 0.5, "unit": "um", "origin": "paper", "quotation": "0.5 um wide"},
        {"id": "l", "value": 1.55, "unit": "um", "origin": "paper", "quotation": "at 1.55 um"},
        {"id": "n", "value": 2.0, "unit": "1", "origin": "paper", "quotation": "an index of 2.0"},
        {"id": "s", "value": 0.001, "unit": "1", "origin": "paper", "quotation": words},
    ]
    code = CODE.replace("MADE", expression)
    return from_document(document(described(code, rows)), declared(rows), code)


SAID = {"n": InputWords(kinds=frozenset({"index"})), "s": InputWords()}
STEPS = "with steps of 0.001 in the index"


@pytest.mark.parametrize(
    ("expression", "words", "doubted"),
    [
        ("p.n + p.s", STEPS, False),
        ("p.n - p.s", STEPS, False),
        ("p.n + p.s", "a loss of 0.001", True),
        ("p.n + p.s", "an index difference of 0.001", True),
        ("p.n + 2 * p.s", STEPS, True),
        ("p.n * p.s", STEPS, True),
        ("p.n * (1 + p.s)", STEPS, True),
    ],
)
def test_a_step_beside_an_input_is_said_and_doubts_no_other_scene(
    expression: str, words: str, doubted: bool
) -> None:
    """The ends of dn/dc were doubted, and with them what was measured in another scene. One end alone is another structure."""
    found = _made(expression, words)
    assert bool(altered(found, SAID, {"plain", "up"})) == doubted
    assert altered(found, SAID, {"up"}) and not altered(found, SAID, {"plain"})


@pytest.mark.parametrize(
    ("expression", "words", "doubted"),
    [
        ("p.n + p.s", "its index exceeds that by 0.001", False),
        ("p.n - p.s", "its index exceeds that by 0.001", True),
        ("p.n - p.s", "its index is lower by 0.001", False),
        ("p.n + p.s", "its index is lower by 0.001", True),
        ("p.n + p.s", "an index contrast of 0.001", True),
    ],
)
def test_an_index_told_by_how_much_it_exceeds_another_is_said(
    expression: str, words: str, doubted: bool
) -> None:
    """ "The index of the core exceeds it by 0.55": 21 targets of one paper were doubted for that sum."""
    assert bool(altered(_made(expression, words), SAID, {"up"})) == doubted
