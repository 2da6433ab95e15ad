"""A model's answer and a paper's words, made to stall what reads them: each within a second of CPU time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from agents import quoting
from agents.design_rules import length_unit_um
from agents.models import InvalidAnswer, validate_answer
from agents.models.strict_json import find_object
from agents.models.wire import escape_data
from agents.prompt_adaptor import summary
from agents.redaction import withhold
from schemas.contradictions import contradictions_found
from schemas.design import DesignAnswer
from schemas.labels import without_bibliography
from schemas.numerals import numerals
from schemas.paper import PaperInput
from schemas.plan import Plan, PlannerAnswer
from schemas.plan_faults import plan_faults
from schemas.review import ReviewAnswer
from schemas.visible import visible
from schemas.written import numbers_in
from simkit.describe.errors import DescriptionError
from simkit.describe.numbers import retraced
from tasks.report import html, markdown
from tests.messages_server.examples import REVIEW

pytestmark = pytest.mark.unit


def paper(text: str) -> PaperInput:
    return PaperInput(paper_id="p", title="A film", citation="A. Author, J. Opt. 1", text=text + " 1 " + "x" * 200)


READERS: dict[str, Callable[[str], object]] = {
    "numerals": numerals, "numbers_in": numbers_in, "without_bibliography": without_bibliography,
    "contradictions": lambda text: contradictions_found(paper(text)),
    "withhold": lambda text: withhold(text, frozenset({685.0})),
    "quoted": lambda text: quoting.quoted("the reflectance is 0.5", text),
    "nearest": lambda text: quoting.nearest("a film", text),
    "number_fault": lambda text: quoting.number_fault(1.0, "nm", text[:2000], text),
    "stands_whole": lambda text: quoting.stands_whole(1.0, text[:2000], text), "escape_data": escape_data, "summary": summary,
    "length_unit": length_unit_um, "report Markdown": markdown.plain, "report HTML": html.prose, "visible": visible,
}
PIECES = {"blanks": " ", "tabs": "\t", "lines": "\n", "ones": "1 ", "citations": "[1] ", "open citations": "[1,", "A": "A ",
          "names": "Aa. ", "headings": "\n# ", "marks": "# ", "underscores": "_a", "thousands": "1 111 ", "fences": "```\n",
          "quotes": "> ", "stars": "*", "periods": "period of 1 nm, ", "dots": "... "}
SIZE = 16_000  # a quadratic scan of it takes seconds, a linear one milliseconds


@pytest.mark.attack("answers", "read within a second of CPU time")
@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("reader", READERS)
def test_words_for(reader: str, piece: str) -> None:
    text = (PIECES[piece] * SIZE)[:SIZE] + "!"
    READERS[reader]("warm 1 nm")
    began = time.process_time()
    READERS[reader](text)
    assert time.process_time() - began < 1.0


FENCED = {"open fences": "```json\n{" * 30_000, "fences in fences": "```\n```json\n" * 20_000, "backticks": "`" * 256_000,
          "one long fence": "```json\n" + "x" * 256_000, "closed and empty": "```\n```\n" * 30_000,
          "braces": "{" * 256_000, "many objects": "{}" * 100_000, "blanks before fences": " " * 256_000 + "```"}


@pytest.mark.attack("answers", "refused within a second of CPU time")
@pytest.mark.parametrize("case", FENCED)
def test_an_answer_of(case: str) -> None:
    began = time.process_time()
    with pytest.raises(ValueError):  # noqa: PT011 - each has its own words
        find_object(FENCED[case])
    assert time.process_time() - began < 1.0


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


ODD = {"10**400": "1" + "0" * 400, "1e400": "1e400", "NaN": "NaN", "-Infinity": "-Infinity", "a half pair": '"\\ud800"',
       "deep": "[" * 500 + "]" * 500, "an integer of 100 000 digits": "9" * 100_000}


@pytest.mark.attack("answers", "refused with a reason, never an internal error")
@pytest.mark.parametrize("case", ODD)
def test_an_answer_holding(case: str) -> None:
    with pytest.raises(InvalidAnswer):
        validate_answer('{"design": ' + ODD[case] + "}", DesignAnswer)


EXPRESSIONS = {"parentheses": "(" * 2900 + "1" + ")" * 2900, "minus": "-" * 5900 + "1", "a sum": "+".join(["1"] * 2900),
               "calls": "sin(" * 1400 + "1" + ")" * 1400, "powers": "2" + "**2" * 1900, "a big power": "2**2**2**2**2**2**2",
               "digits": "9" * 5900, "attributes": "1" + ".real" * 1000, "a lambda": "(lambda: 1)()", "NUL": "1\0"}


@pytest.mark.attack("answers", "refused as a description, or evaluated, within a second of CPU time")
@pytest.mark.parametrize("case", EXPRESSIONS)
def test_an_expression_of(case: str) -> None:
    began = time.process_time()
    try:
        retraced(EXPRESSIONS[case], lambda name: (_ for _ in ()).throw(DescriptionError(name)))
    except (DescriptionError, OverflowError):
        pass
    assert time.process_time() - began < 1.0


def plan(edges: list[tuple[str, ...]]) -> Plan:
    stages = [{"stage_id": f"s{n}", "stage_type": "MATERIAL_VALIDATION", "name": "n", "description": "d",
               "dependencies": list(names)} for n, names in enumerate(edges)]
    material = {"name": "glass", "index": 1.5, "band_um": [0.4, 0.8], "source": "stated by the paper", "reason": "r"}
    return Plan.model_validate({"title": "t", "summary": "s", "main_claim": "c", "materials": [material], "stages": stages})


GRAPHS: dict[str, list[tuple[str, ...]]] = {
    "a chain of 300": [(f"s{n + 1}",) if n < 299 else () for n in range(300)],
    "a circle of 300": [(f"s{(n + 1) % 300}",) for n in range(300)],
    "a chain of 60": [(f"s{n + 1}",) if n < 59 else () for n in range(60)],
    "a circle of 60": [(f"s{(n + 1) % 60}",) for n in range(60)],
    "itself": [("s0",)],
    "all on all, 60": [tuple(f"s{m}" for m in range(60) if m != n) for n in range(60)],
}


@pytest.mark.attack("answers", "a fault with its reason, without recursion")
@pytest.mark.parametrize("case", GRAPHS)
def test_dependencies(case: str) -> None:
    began = time.process_time()
    said = " ".join(plan_faults(plan(GRAPHS[case])))
    assert time.process_time() - began < 1.0
    assert "at most 60" in said or "cycle" in said or "first stage" in said


@pytest.mark.attack("outputs", "a fault of the plan: those are the run folder's own files")
@pytest.mark.parametrize("name", ["paper", "materials", "requests", "checkpoints", "Materials", "run.json", "transcript.jsonl",
                                  "before-1", "report_data", "REPRODUCTION_REPORT_x.html", "costs.json", "prior.jsonl"])
def test_a_stage_called(name: str) -> None:
    named = plan([()])
    stage = named.stages[0].model_copy(update={"stage_id": name})
    assert "run's own files" in " ".join(plan_faults(named.model_copy(update={"stages": (stage,)})))


def test_a_plan_of_the_usual_size_passes_the_limits() -> None:
    with pytest.raises(InvalidAnswer) as caught:
        validate_answer({"plan": {}, "extracted_parameters": [], "assumptions": []}, PlannerAnswer)
    assert "missing" in caught.value.problems[0]
