"""Whatever a model describes is refused in words, or can be looked at to the end: numbers, parameters, documents, plans."""

from __future__ import annotations

import json
import math
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reproduce.rules.plan_rules import rule
from flows.calls.unreadable import FAULTS
from schemas.reproduce.planning.declared import declared as declared_inputs
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import PlannerAnswer
from simkit.arrange import Needs
from simkit.describe.__main__ import described
from simkit.describe.document import document
from simkit.describe.errors import DescriptionError
from simkit.describe.numbers import Number, evaluate, names, retraced
from simkit.describe.parameters import Parameters, parameters_from
from tasks.reproduce.describing.in_sandbox import DescriptionRefused, declared, from_document
from tasks.reproduce.describing.lint import lint
from tasks.reproduce.papers import data_columns, load_paper, locate
from tasks.reproduce.references.readable import try_references
from tasks.reproduce.uncertainty.ladder import APART, fitting, next_rungs
from tests.mutations import IN_ALL, ROOT, changed, mutations
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.unit
VALUES = {"t": 0.1, "n": 1.5}
KNOWN = Parameters([*parameters_from(FILM[:2]).items().values()])
TEXTS = st.recursive(
    st.sampled_from(["t", "n", "0", "1", "2", "0.5", "pi", "inf", "1e400", "10**400", "x", "'a'"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "**", "%", "//", "<"]), inner).map(
            "({0[0]} {0[1]} {0[2]})".format
        ),
        inner.map("-{}".format),
        st.tuples(st.sampled_from(["sqrt", "exp", "log", "asin", "tan", "abs", "print"]), inner).map(
            "{0[0]}({0[1]})".format
        ),
        st.tuples(inner, inner).map("maximum({0[0]}, {0[1]})".format),
    ),
    max_leaves=8,
)
PAPERS = (
    "coupler",
    "dipole-mirror",
    "rod-crystal",
    "ring-resonator",
    "bohren-huffman-cylinder",
    "binary-grating",
    "guided-resonance",
)


@pytest.mark.attack("answers", "a finite real number, or refused in words")
@mutations("numbers", 500)
@given(TEXTS)
def test_any_expression_is_a_finite_real_number_or_refused(text: str) -> None:
    try:
        found = retraced(text, KNOWN.number)
    except DescriptionError:
        return
    assert type(found) is Number and (math.isfinite(found) or found.expression in ("inf", "(-inf)"))
    assert evaluate(found.expression, VALUES) == pytest.approx(float(found), nan_ok=False)


@pytest.mark.attack("answers", "refused in words: no real number, no number, a text that no parser takes")
@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("(-1)**0.5", "complex"),
        ("t*inf*0", "infinite"),
        ("-" * 7000 + "1", "at most 6000"),
        ("-" * 5900 + "1", "too deep"),
        ("(" * 250 + "1" + ")" * 250, "too deep"),
        ("0**(-1)", "not defined"),
        ("exp(exp(exp(2 * 2)))", "not defined"),
        ("inf - inf", "infinite|NaN"),
        ("9" * 400, "not defined|undeclared"),
    ],
)
def test_what_crashed_a_run_for_good_is_refused(expression: str, told: str) -> None:
    """Each was a TypeError, a MemoryError or a NaN in the middle of a run, and again after every resume."""
    entries = [
        *FILM,
        {"id": "made", "origin": "derived", "unit": "1", "expression": expression.replace("t*", "(t/t)*")},
    ]
    with pytest.raises(DescriptionRefused, match=told):
        declared(entries)
    with pytest.raises(DescriptionError, match=told):
        retraced(expression, KNOWN.number)


def test_parameters_that_rest_on_each_other_in_many_ways_are_read_in_no_time() -> None:
    """Each of sixty on the two before it: followed along every way it would take longer than anybody waits."""
    chain = [
        {
            "id": f"p{i}",
            "origin": "derived",
            "unit": "nm",
            "expression": f"p{i - 1} + p{i - 2}" if i > 1 else "t",
        }
        for i in range(60)
    ]
    assert len(declared([*FILM, *chain]).closure("p59")) == 61
    with pytest.raises(DescriptionRefused, match="rest on each other"):
        declared(
            [
                *FILM,
                {"id": "a", "origin": "derived", "unit": "nm", "expression": "b"},
                {"id": "b", "origin": "derived", "unit": "nm", "expression": "a"},
            ]
        )


@pytest.mark.attack("answers", "refused: a length or an index that is not finite")
@pytest.mark.parametrize("place", ["thickness=p.t", "index=p.n", "longest=p.longest"])
@pytest.mark.parametrize("value", ["inf", 1e15, 1e-15])
def test_an_infinite_film_does_not_hang_us(place: str, value: Any) -> None:
    """A grid was looked for at which a film without an end is whole pixels, in our own process and without one."""
    argument, name = place.split("=p.")
    code = CODE.replace(place, f"{argument}=inf") if value == "inf" else CODE
    changes = {} if value == "inf" else {"value": value, "unit": "1" if name == "n" else "um"}
    entries = [{**entry, **changes} if entry["id"] == name else entry for entry in FILM]
    with pytest.raises((DescriptionRefused, ValueError), match="finite|longest|the smaller end"):
        from_document(document(described(code, entries)), declared(entries))


@pytest.mark.attack("answers", "a grid is found in bounded time, whatever the lengths")
@mutations("ladder", 40)
@given(
    st.lists(st.floats(1e-12, 1e25) | st.sampled_from([math.inf, 1e20, 1e300, 5e-324]), max_size=12),
    st.floats(1e-3, 1e6),
)
def test_a_grid_is_found_for_any_lengths(lengths: list[float], least: float) -> None:
    need = Needs(resolution=least, whole=tuple(lengths), periods=tuple(lengths[:2]))
    found = fitting(need)
    assert math.isfinite(found) and least * (1 - 1e-6) <= found <= max(least * 1.7, least + 1) * (1 + 1e-6)
    assert all(rung > found * 1.2 for rung in next_rungs(need, found, APART, 1))


@pytest.mark.attack("answers", "taken or refused in words, whatever stands in parameters")
@mutations("parameters", 400)
@given(
    changed(
        [
            FILM,
            *(
                [*FILM, {"id": "d", "origin": "derived", "unit": "nm", "expression": text}]
                for text in ("t", "t * n", "(-1)**0.5", "t / 2 + t")
            ),
        ]
    )
)
def test_any_parameters_are_taken_or_refused(entries: Any) -> None:
    try:
        found = declared(entries)
    except DescriptionRefused as error:
        assert error.found
        return
    values = found.values()
    assert all(isinstance(value, float) and math.isfinite(value) for value in values.values())
    assert all(names(item.expression or "0") <= set(values) for item in found.items().values())


@cache
def _recorded(paper: str) -> tuple[str, list[dict[str, Any]], dict[str, Any]]:
    """Code, parameters and document of the largest description that was recorded for a paper."""
    lines = [
        json.loads(line)
        for line in (ROOT / "papers" / paper / "transcript.jsonl").read_text().splitlines()[1:]
    ]
    answers = [
        (line["position"]["agent"], line["answer"]) for line in lines if line.get("kind", "call") == "call"
    ]
    extracted = next(answer["extracted_parameters"] for agent, answer in answers if agent == "planner")
    own = declared_inputs(tuple(ExtractedParameter.model_validate(entry) for entry in extracted)).parameters
    designs = [
        answer["design"]
        for agent, answer in answers
        if agent == "simulation_designer" and answer.get("design")
    ]
    found = []
    for design in designs:
        if "def describe" in design["code"]:
            entries = [*(item.model_dump(mode="json") for item in own), *design["parameters"]]
            found.append((design["code"], entries, document(described(design["code"], entries))))
    return max(found, key=lambda made: len(json.dumps(made[2])))


@pytest.mark.attack("answers", "refused in words, or looked at to the end in bounded time")
@pytest.mark.parametrize("paper", ["film", *PAPERS])
def test_any_document_is_refused_or_looked_at_to_the_end(paper: str) -> None:
    code, entries, whole = (
        (CODE, FILM, document(described(CODE, FILM))) if paper == "film" else _recorded(paper)
    )
    parameters = declared(entries)
    assert from_document(whole, parameters, code)

    @mutations(paper, max(IN_ALL // 100, 20))
    @given(changed([whole]))
    def held(parametric: Any) -> None:
        try:
            made = from_document(parametric, parameters, code)
        except DescriptionRefused as error:
            assert error.found
            return
        assert all(finding.text for finding in lint(made, {}))

    held()


@pytest.mark.attack("answers", "looked at in bounded time, or refused, whatever the sizes")
@pytest.mark.parametrize("paper", ["film", *PAPERS])
def test_any_sizes_are_refused_or_looked_at_in_bounded_time(
    paper: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, entries, whole = (
        (CODE, FILM, document(described(CODE, FILM))) if paper == "film" else _recorded(paper)
    )
    monkeypatch.setattr("tasks.reproduce.describing.lint.LOOK_CPU_S", 1.0)
    numbers = [
        place
        for place, entry in enumerate(entries)
        if entry.get("value") is not None and not entry.get("count")
    ]

    @mutations(paper, max(IN_ALL // 500, 10))
    @given(st.dictionaries(st.sampled_from(numbers), st.floats(-12, 15), min_size=1, max_size=4))
    def held(magnitudes: dict[int, float]) -> None:
        given_entries = [
            {**entry, "value": 10 ** magnitudes[place]} if place in magnitudes else entry
            for place, entry in enumerate(entries)
        ]
        begun = time.thread_time()
        try:
            lint(from_document(whole, declared(given_entries), code), {})
        except DescriptionRefused as error:
            assert error.found
        assert time.thread_time() - begun < 3

    held()


@cache
def _plan(paper: str) -> tuple[Any, Path, list[dict[str, Any]]]:
    loaded, folder = load_paper(locate(paper))
    lines = [json.loads(line) for line in (folder / "transcript.jsonl").read_text().splitlines()[1:]]
    answers = [line["answer"] for line in lines if line.get("position", {}).get("agent") == "planner"]
    return loaded, folder, [answer for answer in answers if "plan" in answer]


@pytest.mark.attack("answers", "judged, or the plan's fault: no fault of files, no endless search")
@pytest.mark.parametrize("paper", ["ge-on-gold", pytest.param("coupler", marks=pytest.mark.long)])
def test_any_plan_is_judged_or_is_to_blame(paper: str) -> None:
    loaded, folder, answers = _plan(paper)
    columns = data_columns(loaded, folder)

    @mutations(paper, max(IN_ALL // 200, 20))
    @given(changed(answers))
    def held(answer: Any) -> None:
        try:
            made = PlannerAnswer.model_validate(answer)
        except ValueError:
            return
        try:
            issues = [
                *rule(
                    made.plan,
                    loaded,
                    columns,
                    extracted=made.extracted_parameters,
                    assumptions=made.assumptions,
                ),
                *try_references(made.plan, folder)[0],
            ]
        except FAULTS as error:
            pytest.fail(f"{type(error).__name__}: {error}")
        assert all(issue.description for issue in issues)

    held()
