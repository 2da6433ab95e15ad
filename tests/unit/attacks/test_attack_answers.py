"""A model's answer and a paper's words, made to stall what reads them: twice the length is twice the work."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest

from agents.models import InvalidAnswer, validate_answer
from agents.models.strict_json import find_object
from agents.models.wire import escape_data
from agents.reproduce.prompt_adaptor import summary
from agents.reproduce.rules import quoting
from agents.reproduce.rules.design_rules import length_unit_um
from agents.reproduce.rules.redaction import withhold
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Plan, PlannerAnswer
from schemas.reproduce.planning.plan_faults import plan_faults
from schemas.reproduce.simulations.design import DesignAnswer
from schemas.reproduce.words.clauses import extremum_of, governing
from schemas.reproduce.words.contradictions import contradictions_found
from schemas.reproduce.words.labels import without_bibliography
from schemas.reproduce.words.written import numbers_in
from schemas.talking.review import ReviewAnswer
from schemas.text.numbers import numbers_in as every_reading
from schemas.text.visible import visible
from simkit.describe.errors import DescriptionError
from simkit.describe.numbers import retraced
from tasks.reproduce.report import html, markdown
from tests.messages_server.examples import REVIEW
from tests.unit.agents.growth import grows_linearly

pytestmark = pytest.mark.unit


def paper(text: str) -> PaperInput:
    return PaperInput(
        paper_id="p", title="A film", citation="A. Author, J. Opt. 1", text=text + " 1 " + "x" * 200
    )


READERS: dict[str, Callable[[str], object]] = {
    "every_reading": every_reading,
    "numbers_in": numbers_in,
    "without_bibliography": without_bibliography,
    "contradictions": lambda text: contradictions_found(paper(text)),
    "withhold": lambda text: withhold(text, frozenset({685.0})),
    "quoted": lambda text: quoting.quoted("the reflectance is 0.5", text),
    "clauses": lambda text: [
        (governing(text, n), extremum_of(text, n)) for n in numbers_in(f"{text} 7 nm, {text}")[-9:]
    ],
    "nearest": lambda text: quoting.nearest("a film", text),
    "number_fault": lambda text: quoting.number_fault(1.0, "nm", text[:2000], text),
    "stands_whole": lambda text: quoting.stands_whole(1.0, text[:2000], text),
    "escape_data": escape_data,
    "summary": summary,
    "length_unit": length_unit_um,
    "report Markdown": markdown.plain,
    "report HTML": html.prose,
    "visible": visible,
}
PIECES = {
    "blanks": " ",
    "tabs": "\t",
    "lines": "\n",
    "ones": "1 ",
    "citations": "[1] ",
    "open citations": "[1,",
    "A": "A ",
    "names": "Aa. ",
    "headings": "\n# ",
    "marks": "# ",
    "underscores": "_a",
    "thousands": "1 111 ",
    "fences": "```\n",
    "quotes": "> ",
    "stars": "*",
    "periods": "period of 1 nm, ",
    "dots": "... ",
    "its": ", it and the width of 7 nm is ",
}
SIZE = 4_000  # and eight times that: there a quadratic scan takes a second


@pytest.mark.attack("answers", "read in a time that grows as its length")
@pytest.mark.parametrize(
    ("reader", "piece"),
    [
        pytest.param(reader, piece, marks=pytest.mark.long if (row + column) % 6 else ())
        for row, reader in enumerate(READERS)
        for column, piece in enumerate(PIECES)
    ],
)
def test_words_for(reader: str, piece: str) -> None:
    READERS[reader]("warm 1 nm")
    grows_linearly(lambda size: READERS[reader]((PIECES[piece] * size)[:size] + "!"), SIZE)


@pytest.mark.parametrize(
    "scan",
    [lambda text: re.search(" +x", text), lambda text: [text[:place].lower() for place in range(len(text))]],
)
def test_a_quadratic_scan_is_noticed(scan: Callable[[str], object]) -> None:
    with pytest.raises(AssertionError, match="8 times as much"):
        grows_linearly(lambda size: scan(" " * size), SIZE)


def refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each has its own words
        find_object(text)


FENCED: dict[str, Callable[[int], str]] = {
    "open fences": lambda size: "```json\n{" * size,
    "fences in fences": lambda size: "```\n```json\n" * size,
    "backticks": lambda size: "`" * 8 * size,
    "one long fence": lambda size: "```json\n" + "x" * 8 * size,
    "closed and empty": lambda size: "```\n```\n" * size,
    "braces": lambda size: "{" * 8 * size,
    "many objects": lambda size: "{}" * 4 * size,
    "blanks before fences": lambda size: " " * 8 * size + "```",
}


@pytest.mark.attack("answers", "refused in a time that grows as its length")
@pytest.mark.parametrize("case", FENCED)
def test_an_answer_of(case: str) -> None:
    grows_linearly(lambda size: refused(FENCED[case](size)), SIZE)


ISSUE = {"severity": "minor", "where": "x", "description": "y", "fix": "z"}
LARGE: dict[str, dict[str, Any]] = {
    "a long list": REVIEW | {"issues": [ISSUE] * 5000},
    "a long text": REVIEW | {"feedback": "x" * 1_000_000},
    "many keys": REVIEW | {f"k{n}": 1 for n in range(5000)},
    "many values": REVIEW | {"issues": [ISSUE | {"where": ["x"] * 390}] * 390},
}


@pytest.mark.attack("answers", "refused: the message says what is too large and what is allowed")
@pytest.mark.parametrize("case", LARGE)
def test_an_answer_with(case: str) -> None:
    with pytest.raises(InvalidAnswer) as caught:
        validate_answer(json.dumps(LARGE[case]), ReviewAnswer)
    assert "allowed: " in caught.value.problems[0] and any(c.isdigit() for c in caught.value.problems[0])


ODD = {
    "10**400": "1" + "0" * 400,
    "1e400": "1e400",
    "NaN": "NaN",
    "-Infinity": "-Infinity",
    "a half pair": '"\\ud800"',
    "deep": "[" * 500 + "]" * 500,
    "an integer of 100 000 digits": "9" * 100_000,
}


@pytest.mark.attack("answers", "refused with a reason, never an internal error")
@pytest.mark.parametrize("case", ODD)
def test_an_answer_holding(case: str) -> None:
    with pytest.raises(InvalidAnswer):
        validate_answer('{"design": ' + ODD[case] + "}", DesignAnswer)


NESTED: dict[str, Callable[[int], str]] = {
    "parentheses": lambda size: "(" * size + "1" + ")" * size,
    "minus": lambda size: "-" * 2 * size + "1",
    "a sum": lambda size: "+".join(["1"] * size),
    "calls": lambda size: "sin(" * (size // 2) + "1" + ")" * (size // 2),
    "powers": lambda size: "2" + "**2" * (size * 2 // 3),
    "digits": lambda size: "9" * 2 * size,
    "attributes": lambda size: "1" + ".real" * (size // 3),
}


def evaluated(expression: str) -> None:
    with contextlib.suppress(DescriptionError, OverflowError):
        retraced(expression, lambda name: (_ for _ in ()).throw(DescriptionError(name)))


@pytest.mark.attack("answers", "refused as a description, or evaluated, in a time that grows as its length")
@pytest.mark.parametrize("case", NESTED)
def test_an_expression_of(case: str) -> None:
    grows_linearly(
        lambda size: evaluated(NESTED[case](size)), 360
    )  # eight times that is the longest that is allowed


@pytest.mark.attack("answers", "refused as a description")
@pytest.mark.parametrize(
    "expression", ["2**2**2**2**2**2**2", "9**9**9**9", "(lambda: 1)()", "1\0", "(1).__class__"]
)
def test_an_expression(expression: str) -> None:
    with pytest.raises((DescriptionError, OverflowError)):
        retraced(expression, lambda name: (_ for _ in ()).throw(DescriptionError(name)))


def plan(edges: list[tuple[str, ...]]) -> Plan:
    stages = [
        {
            "stage_id": f"s{n}",
            "stage_type": "MATERIAL_VALIDATION",
            "name": "n",
            "description": "d",
            "dependencies": list(names),
        }
        for n, names in enumerate(edges)
    ]
    material = {
        "name": "glass",
        "index": 1.5,
        "band_um": [0.4, 0.8],
        "source": "stated by the paper",
        "reason": "r",
    }
    return Plan.model_validate(
        {"title": "t", "summary": "s", "main_claim": "c", "materials": [material], "stages": stages}
    )


def all_on_all(edges: int) -> list[tuple[str, ...]]:
    stages = range(math.isqrt(edges))
    return [tuple(f"s{m}" for m in stages if m != n) for n in stages]


GRAPHS: dict[str, Callable[[int], list[tuple[str, ...]]]] = {
    "a chain": lambda size: [(f"s{n + 1}",) if n < size - 1 else () for n in range(size)],
    "a circle": lambda size: [(f"s{(n + 1) % size}",) for n in range(size)],
    "itself": lambda _: [("s0",)],
    "all on all": all_on_all,
}


@pytest.mark.attack("answers", "a fault with its reason, without recursion")
@pytest.mark.parametrize("size", [60, 300, 3600])
@pytest.mark.parametrize("graph", GRAPHS)
def test_dependencies_of(graph: str, size: int) -> None:
    said = " ".join(plan_faults(plan(GRAPHS[graph](size))))
    assert "at most 60" in said or "cycle" in said or "first stage" in said
    grows_linearly(lambda edges: plan_faults(plan(GRAPHS[graph](edges))), size // 8)


@pytest.mark.attack("outputs", "a fault of the plan: those are the run folder's own files")
@pytest.mark.parametrize(
    "name",
    [
        "paper",
        "materials",
        "requests",
        "checkpoints",
        "Materials",
        "run.json",
        "transcript.jsonl",
        "before-1",
        "report_data",
        "REPRODUCTION_REPORT_x.html",
        "costs.json",
        "prior.jsonl",
    ],
)
def test_a_stage_called(name: str) -> None:
    named = plan([()])
    stage = named.stages[0].model_copy(update={"stage_id": name})
    assert "run's own files" in " ".join(plan_faults(named.model_copy(update={"stages": (stage,)})))


def test_a_plan_of_the_usual_size_passes_the_limits() -> None:
    with pytest.raises(InvalidAnswer) as caught:
        validate_answer({"plan": {}, "extracted_parameters": [], "assumptions": []}, PlannerAnswer)
    assert "missing" in caught.value.problems[0]
