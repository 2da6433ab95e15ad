"""Functions of the writer's own, called in the sandbox: what they see, what they cannot keep, and what is known already."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from tasks.reproduce.describing.recognising import AlreadyMeasured, likeness, recognised, refuse_known
from tasks.reproduce.measuring import Curve
from tasks.reproduce.solving import functions
from tasks.reproduce.solving.functions import called
from tests.sim.solving.test_solved_device import FAR, block, device

pytestmark = pytest.mark.sim
X = np.linspace(1, 2, 11)
LINE = Curve(X, X**2)
FILM = {
    "type": "unit_cell",
    "id": "film",
    "below": {"kind": "medium", "index": 1},
    "above": {"kind": "medium", "index": 1},
    "layers": [{"type": "film", "medium": {"kind": "medium", "index": 1.5}, "thickness": 0.1}],
    "light_from": "below",
    "polarization": "x",
    "band": {"type": "wavelengths", "shortest": 0.5, "longest": 0.8},
}


def problem(body: str, of: tuple[str, ...] = ("R",), **more: Any) -> Problem:
    code = f"def measure({', '.join(of)}):\n" + "\n".join(f"    {line}" for line in body.splitlines())
    free = {"type": "measured", "id": "m", "scene": "film", "of": of, "code": code, **more}
    return Problem.model_validate(
        {
            "scenes": [FILM],
            "quantities": [
                {"type": "reflectance", "id": "R", "scene": "film"},
                {"type": "transmittance", "id": "T", "scene": "film"},
                free,
            ],
        },
        context=RESOLVED,
    )


def test_calls_see_their_arguments_alone_and_errors_are_told() -> None:
    code = "def measure(a, b):\n    return {}"
    told = called(
        [
            (code.format("np.sum(a.y) * b"), [LINE, 2.0]),
            (code.format("a.y - b"), [LINE, 1.0]),
            (code.format("a.y / 0 * b"), [LINE, 0.0]),
            (code.format("a.z"), [LINE, 1.0]),
            (code.format("a.y.sort()"), [LINE, 1.0]),
            (code.format("1j * b"), [LINE, 1.0]),
            ("def measure(a, b):\n    while True:\n        b = b + 1", [LINE, 1.0]),
            ("def measure(a, b):\n    a.y[0] = 0\n    return 1", [LINE, 1.0]),
        ]
    )
    assert told[0] == pytest.approx(2 * np.sum(X**2)) and np.allclose(np.asarray(told[1], float), X**2 - 1)
    for answer, words in zip(
        told[2:],
        ("no finite value", "no attribute 'z'", "read-only", "a real number", "CPU time", "read-only"),
        strict=True,
    ):
        assert isinstance(answer, str) and words in answer


def test_nothing_is_carried_from_one_call_to_the_next_nor_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even code that no check has seen: a liar that counts its calls, reads the clock or its own number."""
    lies = [
        "import itertools\nkept = []\ndef measure(a):\n    kept.append(a)\n    return len(kept)",
        "def measure(a):\n    return np.random.normal()",
    ]
    with_random = (*functions.FUNCTIONS, "random")
    monkeypatch.setattr(functions, "FUNCTIONS", with_random)
    found = called(
        [(lies[0].removeprefix("import itertools\n"), [float(k)]) for k in range(3)] + [(lies[1], [1.0])]
    )
    assert found[:3] == [1.0, 1.0, 1.0] and "different values for the same data" in str(found[3])
    assert "__import__" in str(called([(lies[0], [7.0])])[0])


@pytest.mark.parametrize(
    ("body", "of", "by"),
    [
        ("return np.max(R.y)", ("R",), "maximum value of R"),
        ("return R.x[np.argmin(R.y)]", ("R",), "minimum position of R"),
        ("i = np.argmax(R.y)\nreturn 1 / R.x[i]", ("R",), "maximum position of R, as a wavelength"),
        ("return np.max(R.y) / np.max(T.y)", ("R", "T"), "the ratio of"),
        ("return np.trapezoid(R.y, R.x)", ("R",), "integral of R"),
        (
            "return np.max(R.y) * (1 + 1 / (2 + 2 + 2))",
            ("R",),
            "a factor of 1.2 on the target's feature the maximum value of R",
        ),
        ("return np.max(R.y) + 1 / 2 ** (2 + 2)", ("R",), "maximum value of R"),
        (
            "i = np.argmax(R.y)\nreturn R.x[i] * (1 + 1 / 2 ** (2 + 1))",
            ("R",),
            "a factor of 1.1 on .* maximum position of R",
        ),
        (
            "return np.max(R.y) / np.max(T.y) * (1 + 1 / 2 ** 2)",
            ("R", "T"),
            "a factor of 1.2 on .*the ratio of",
        ),
    ],
)
def test_what_a_class_or_a_feature_gives_is_refused_however_it_is_written(
    body: str, of: tuple[str, ...], by: str
) -> None:
    made = problem(body, of)
    with pytest.raises(AlreadyMeasured, match=by):
        refuse_known(made, False)


@pytest.mark.parametrize(
    ("body", "by"),
    [
        (
            "return R.x[np.argmin(R.y)]",
            r"Feature\(of='R', gives='position', extremum='minimum', over='frequency'\)",
        ),
        (
            "return 1 / R.x[np.argmax(R.y)]",
            r"Feature\(of='R', gives='position', extremum='maximum'\) and sweep it",
        ),
        ("return np.max(R.y) - np.min(R.y)", ""),
    ],
)
def test_of_a_swept_feature_of_each_spectrum_the_class_is_told(body: str, by: str) -> None:
    """The wavelength of a peak over a thickness: a target over a sweep has no feature of the single spectra."""
    made = problem(body, ("R",))
    own = next(quantity.id for quantity in made.quantities if quantity.type == "measured")
    swept = made.model_copy(update={"sweeps": (SimpleNamespace(of=own),)})
    if not by:
        refuse_known(swept, False)
        return
    with pytest.raises(AlreadyMeasured, match=by):
        refuse_known(swept, False)


def test_curves_that_a_class_gives_are_refused_and_others_are_not() -> None:
    for body, by in (
        ("return 1 - T.y - R.y", "Absorptance"),
        ("return R.y * 1", "Reflectance"),
        ("return R.y / T.y", ""),
        ("return R.y * (1 + 1 / 2 ** 2)", "a factor of 1.2 on Reflectance"),
        ("return R.y + R.x / 2", ""),
    ):
        own = problem(body, ("R", "T"), gives="curve")
        assert recognised(own.quantities[2], own, False).startswith(by), body  # type: ignore[arg-type]
        assert by or not recognised(own.quantities[2], own, False)  # type: ignore[arg-type]


def test_at_one_wavelength_a_function_is_tried_on_single_values() -> None:
    """A curve of one point has no feature, and is no reason to stop."""
    random = np.random.default_rng(1)
    sets = [[Curve(np.ones(1), random.uniform(0.1, 0.9, 1)) for _ in range(2)] for _ in range(6)]
    for body, kind in (
        ("return (T - R) / (T + R)", ""),
        ("return R / T", "same"),
        ("return (T - R) * (1 + 1 / 2 ** 2)", "factor"),
    ):
        own = problem(body, ("R", "T"))
        found = likeness(own.quantities[2], list(own.quantities[:2]), sets, False)  # type: ignore[arg-type]
        assert found.kind == kind, (body, found)


def test_what_leaves_through_two_ports_together_is_a_class_of_its_own() -> None:
    ports = [
        {"id": "in", "side": "-x"},
        {"id": "up", "side": "+x", "center": 0.8},
        {"id": "down", "side": "+x", "center": -0.8},
    ]
    made = Problem.model_validate(
        {
            "scenes": [{**device(block("guide", (-FAR, FAR), (-1.0, 1.0)), ports=ports), "id": "s"}],
            "quantities": [
                *(
                    {"type": "port_transmittance", "id": p, "scene": "s", "port": p, "mode": 1}
                    for p in ("up", "down")
                ),
                {
                    "type": "measured",
                    "id": "m",
                    "scene": "s",
                    "of": ("up", "down"),
                    "gives": "curve",
                    "code": "def measure(a, b):\n    return a.y + b.y",
                },
            ],
        },
        context=RESOLVED,
    )
    with pytest.raises(
        AlreadyMeasured, match=r"PortTransmittance\(port=\('up', 'down'\), mode=1\) gives the same"
    ):
        refuse_known(made, False)


@pytest.mark.parametrize(("mode", "known"), [(None, True), (1, False)])
def test_what_is_in_no_mode_is_not_what_crosses_no_plane(mode: int | None, known: bool) -> None:
    """1 - T - R of all that crosses the ports' planes is Loss; of single modes' shares it is another quantity."""
    guide = {"type": "block", "id": "g", "medium": {"kind": "medium", "index": 2}, "y": [-0.25, 0.25]}
    device = {
        "type": "device",
        "id": "d",
        "dimensions": "2D",
        "bodies": [guide],
        "background": {"kind": "medium", "index": 1.44},
        "polarization": "Ez",
        "ports": [{"id": "in", "side": "-x"}, {"id": "out", "side": "+x"}],
        "source": "in",
        "band": {"type": "wavelengths", "shortest": 1.5, "longest": 1.6},
    }
    free = {
        "type": "measured",
        "id": "m",
        "scene": "d",
        "of": ("T", "R"),
        "gives": "curve",
        "code": "def measure(T, R):\n    return 1 - T.y - R.y",
    }
    made = Problem.model_validate(
        {
            "scenes": [device],
            "quantities": [
                {"type": "port_transmittance", "id": "T", "scene": "d", "port": "out", "mode": mode},
                {"type": "port_reflectance", "id": "R", "scene": "d", "mode": mode},
                free,
            ],
        },
        context=RESOLVED,
    )
    assert (recognised(made.quantities[-1], made, True) == "Loss") is known
