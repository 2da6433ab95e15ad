"""A description's document is read as a stranger's: what a liar may have put into it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from simkit.describe.__main__ import described, explained
from simkit.describe.document import document
from tasks.reproduce.describing.in_sandbox import DescriptionRefused, declared, from_document
from tasks.reproduce.solving.whole_study import chosen_words, computed_numbers
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.unit


def _honest() -> dict[str, Any]:
    return document(described(CODE, FILM))


def _forged(thickness: Any) -> dict[str, Any]:
    found = copy.deepcopy(_honest())
    found["scenes"][0]["layers"][0]["thickness"] = thickness
    return found


def test_an_honest_document_survives_being_read_again_unchanged() -> None:
    parametric = _honest()
    made = from_document(parametric, declared(FILM))
    assert made.parametric == parametric
    assert made.resolved({"t": 0.2}).scenes[0].layers[0].thickness == 0.2
    turned = described(CODE.replace("thickness=p.t", "thickness=p.t * pi / 2"), FILM)
    read = from_document(document(turned), declared(FILM)).resolved()
    assert read.scenes[0].layers[0].thickness == pytest.approx(0.15708, 1e-4)


@pytest.mark.parametrize(
    ("thickness", "told"),
    [
        (0.1021, "undeclared number 0.1021"),
        ({"=": "t * 1.021"}, "undeclared number 1.021"),
        ({"=": "0.1021"}, "undeclared number 0.1021"),
        ({"=": "n"}, "not a length"),
        ({"=": "t * t"}, "not a length"),
        ({"=": "t + n"}, "cannot be added"),
        ({"=": "thickness"}, "not declared"),
        ({"=": "shortest"}, "numerical parameter shortest"),
        ({"=": "__import__('os').system('true')"}, "not arithmetic"),
        ({"=": "t" + " + t" * 3000}, "at most 6000 characters"),
        ({"=": "(" * 400 + "t" + ")" * 400}, "nested too deep"),
        ({"=": "t * 2 ** 2 ** 2 ** 2 ** 2 ** 2"}, "too large|Numerical result|Result"),
        ({"=": ["t"]}, "text"),
        (float("nan"), "undeclared number nan"),
        ({"=": "t - t"}, "positive"),
        (True, "not a number"),
    ],
)
def test_forged_numbers_are_refused_by_name(thickness: Any, told: str) -> None:
    with pytest.raises(DescriptionRefused, match=f"(?s)thickness.*({told})|({told}).*thickness"):
        from_document(_forged(thickness), declared(FILM))


@pytest.mark.parametrize(
    "change",
    [
        "p.t * 1.02",
        "float(p.t)",
        "round(p.t, 3)",
        "p.t + 0.001",
        "sum([p.t, p.t]) / 3",
        "int(p.t * 2) + 1.5",
        "p.shortest",
    ],
)
def test_typed_and_laundered_numbers_are_refused_where_they_stand(change: str) -> None:
    code = CODE.replace("thickness=p.t", f"thickness={change}")
    with pytest.raises((ValueError, DescriptionRefused)) as caught:
        from_document(document(described(code, FILM)), declared(FILM))
    text = explained(caught.value)
    assert "undeclared number" in text or "numerical parameter" in text or "not a length" in text, text


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            CODE.replace("vacuum()", "vaccum()"),
            "line 4: 'vaccum' is no word of the vocabulary; did you mean vacuum",
        ),
        (
            CODE.replace("thickness=", "thick="),
            "Film.thick: no such argument; allowed: type, medium, thickness",
        ),
        ("import numpy\n" + CODE, "line 1: numpy cannot be imported"),
        (CODE.replace("p.t)", "p.tt)"), "did you mean 't'"),
        (CODE.replace("return Problem", "return dict"), "returned dict"),
        (CODE + "  )", "line 7"),
        (
            CODE.replace("thickness=p.t", "thickness=p.t if p.t > p.longest else p.t"),
            "may not compare values",
        ),
        (CODE.replace('scene="film"', 'scene="fil"'), "no scene 'fil'; scenes: film"),
        (CODE.replace("vacuum()", "open('/etc/passwd')"), "'open' is no word"),
    ],
)
def test_the_writer_is_told_what_to_mend(code: str, told: str) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011  whatever generated code raises
        described(code, FILM)
    assert told in explained(caught.value)


@pytest.mark.parametrize("wrong", [[], "text", [1], {"scenes": []}, None])
def test_what_is_no_document_is_refused(wrong: Any) -> None:
    with pytest.raises(DescriptionRefused):
        from_document(wrong, declared(FILM))


@pytest.mark.parametrize(
    "entry",
    [
        {"id": "t", "value": 100, "unit": "furlong", "origin": "numerical"},
        {"id": "a b", "value": 1, "origin": "numerical"},
        {"id": "d", "origin": "derived", "expression": "t * ("},
        {"id": "d", "origin": "derived", "expression": "missing * t"},
        {"id": "d", "origin": "derived", "expression": "d + t"},
        {"id": "x", "value": float("inf"), "origin": "numerical"},
        "t",
    ],
)
def test_parameters_that_do_not_fit_are_refused(entry: Any) -> None:
    with pytest.raises(DescriptionRefused):
        declared([*FILM, entry])


@pytest.mark.parametrize(
    ("expression", "unit", "said"),
    [
        ("0.1021", "nm", "undeclared number 0.1021"),
        ("t * 1.021", "nm", "undeclared number 1.021"),
        ("n", "nm", "to the power 0"),
        ("t / 2", "1", "to the power 1"),
        ("t + n", "nm", "cannot be added"),
    ],
)
def test_a_derived_parameter_is_no_way_to_type_a_number(expression: str, unit: str, said: str) -> None:
    with pytest.raises(DescriptionRefused, match=f"(?s)d: .*{said}|derived parameter d.*{said}"):
        declared([*FILM, {"id": "d", "unit": unit, "origin": "derived", "expression": expression}])


def test_what_a_description_computes_from_its_parameters_is_listed_with_its_value() -> None:
    entries = [*FILM, {"id": "half", "unit": "nm", "origin": "derived", "expression": "t / 2"}]
    made = from_document(_forged({"=": "t * sqrt(sqrt(2))"}), declared(entries))
    [found] = computed_numbers(made)
    assert (found.where, found.expression) == ("scenes.0.layers.0.thickness", "(t * sqrt(sqrt(2)))"), found
    assert found.value == pytest.approx(0.1 * 2**0.25) and found.power == 1
    assert (
        computed_numbers(from_document(_forged({"=": "half"}), declared(entries))) == ()
    )  # stands among the parameters


def test_a_reader_is_told_in_words_what_each_scene_is_and_what_is_measured_for_which_target() -> None:
    """Lie: p for s, the transmitted light for the reflected. No number differs from the paper's."""
    code = CODE.replace('polarization="x"', 'polarization="p"').replace('(id="T"', '(answers=["a"], id="T"')
    scene, first, second = chosen_words(from_document(document(described(code, FILM)), declared(FILM)))
    assert scene.startswith("film: unit cell:") and "polarization p" in scene and "light_from below" in scene
    assert (first, second) == ("no target: reflectance (R) of film", "a: transmittance (T) of film")


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("radius", "Sphere.radius: is needed; it is written radius=length > 0"),
        (
            "center=(p.t, 0), radius",
            "Sphere.center: does not fit; it is written center=(length, length, length)",
        ),
        (
            "medium=p.n, radius",
            "Sphere.medium: does not fit; it is written medium=a medium; a medium is Medium",
        ),
    ],
)
def test_what_does_not_fit_is_told_with_how_it_is_written(argument: str, told: str) -> None:
    given = f"{argument}=p.t" if "=" in argument else "center=(0, 0, 0)"
    medium = "" if "medium" in argument else "medium=vacuum(), "
    code = CODE.replace("    return", f'    Sphere(id="s", {medium}{given})\n    return', 1)
    with pytest.raises(ValueError) as caught:
        described(code, FILM)
    assert told in explained(caught.value)


def test_counts_and_numbers_are_refused_with_an_example() -> None:
    for wrong, told in (
        (
            "Repeat(body=Sphere(id='s', medium=vacuum(), radius=p.t), count=p.n, step=(p.t, 0, 0))",
            "p.count('name')",
        ),
        ("Sphere(id='s', medium=vacuum(), radius=p.t * 3)", '"value": 3, "unit": "1"'),
    ):
        with pytest.raises(ValueError) as caught:
            described(CODE.replace("    return", f"    {wrong}\n    return", 1), FILM)
        assert told in explained(caught.value)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("p.t / (2 * 2)", "(t / (2 * 2))"),
        ("p.t / 4", "(t / (2 * 2))"),
        ("p.t / 2 ** 3", "(t / ((2 * 2) * 2))"),
        ("0.25 * p.t", "(t * ((1 / 2) / 2))"),
        ("p.t / (4 * p.t / p.t)", "(t / ((t * (2 * 2)) / t))"),
    ],
)
def test_a_quarter_wave_is_written_with_a_four_which_stands_for_its_twos(written: str, kept: str) -> None:
    problem = described(CODE.replace("thickness=p.t", f"thickness={written}"), FILM)
    read = from_document(document(problem), declared(FILM))
    [film] = read.problem.scenes[0].layers
    assert film.thickness.expression == kept


@pytest.mark.parametrize("written", ["4", "p.t + 4", "p.t - 0.25", "p.t * 16", "p.t / 3", "p.t * 4.0001"])
def test_a_four_is_a_factor_of_a_declared_number_and_nothing_else(written: str) -> None:
    with pytest.raises(ValueError) as caught:
        described(CODE.replace("thickness=p.t", f"thickness={written}"), FILM)
    assert "undeclared number" in explained(caught.value)
