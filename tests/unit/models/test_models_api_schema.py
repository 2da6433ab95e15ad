"""Every answer's schema fits structured output; prices are known or "unknown", never 0."""

from __future__ import annotations

import importlib
import pkgutil

import pytest
from pydantic import create_model

import schemas
from agents.models.api_schema import MAX_UNIONS, api_schema, union_count
from agents.models.bill import Bill
from agents.models.prices import TARIFFS, price_usd
from schemas.base import Model
from schemas.errors import StateError
from schemas.run.settings import ModelSettings
from schemas.talking.transcript import Usage
from tests.messages_server.checks import schema_fault

pytestmark = pytest.mark.unit


def answer_types() -> list[type[Model]]:
    """Every model of schemas/ that an agent returns: by convention its name ends in Answer.

    A turn with tools is none: the API has a form of its own for it."""
    found = []
    for module in pkgutil.walk_packages(schemas.__path__, "schemas."):
        for name, thing in vars(importlib.import_module(module.name)).items():
            if (
                isinstance(thing, type)
                and issubclass(thing, Model)
                and name.endswith("Answer")
                and name != "TurnAnswer"
            ):
                found.append(thing)
    return sorted(set(found), key=lambda kind: kind.__name__)


def test_all_agents_answers_are_found():
    assert {"PlannerAnswer", "DesignAnswer", "CodeAnswer", "SupervisorAnswer"} <= {
        t.__name__ for t in answer_types()
    }


@pytest.mark.parametrize("answer_type", answer_types(), ids=lambda kind: kind.__name__)
def test_every_answer_schema_is_acceptable(answer_type):
    fitted = api_schema(answer_type.model_json_schema())
    counts = {"optional": 0, "unions": 0}
    assert schema_fault(fitted, counts) is None
    assert counts["optional"] == 0
    assert counts["unions"] == union_count(fitted) <= MAX_UNIONS
    assert fitted["properties"].keys() == answer_type.model_fields.keys()


def test_what_the_grammar_cannot_hold_is_told_in_words():
    fitted = api_schema(
        importlib.import_module("schemas.reproduce.planning.plan").PlannerAnswer.model_json_schema()
    )
    band = fitted["$defs"]["MaterialChoice"]["properties"]["band_um"]
    assert band["items"] == {"type": "number"}
    assert "exactly 2 items" in band["description"]
    assert "minimum" in fitted["$defs"]["Stage"]["properties"]["estimated_runtime_s"]["description"]


def test_recursive_and_open_schemas_are_our_mistake():
    nested = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/A"}}}},
    }
    with pytest.raises(StateError, match="A -> A"):
        api_schema(nested)
    with pytest.raises(StateError, match=r"open object at answer\.table"):
        api_schema(create_model("Open", table=(dict[str, float], ...)).model_json_schema())


def test_price_counts_each_kind_of_token():
    usage = Usage(
        input_tokens=1_000_000, output_tokens=100_000, cache_read_tokens=2_000_000, cache_write_tokens=400_000
    )
    assert price_usd("claude-opus-5-5", usage) == pytest.approx(4 + 2 + 0.4 + 2)
    assert price_usd("claude-opus-4-5-20251101", usage) == pytest.approx(5 + 2.5 + 1 + 2.5)


def test_price_of_a_long_prompt_counts_cached_tokens_into_its_length():
    short = Usage(input_tokens=10_000, output_tokens=0, cache_read_tokens=90_000)
    long = Usage(input_tokens=10_000, output_tokens=0, cache_read_tokens=90_001)
    assert price_usd("claude-haiku-5-5", short) == pytest.approx(0.001 + 0.0009)
    assert price_usd("claude-haiku-5-5", long) == pytest.approx(0.005 + 0.0045, rel=1e-4)


@pytest.mark.parametrize(
    ("model", "usage"),
    [
        ("qwen3:32b", Usage(input_tokens=1, output_tokens=1)),
        ("claude-opus-9", Usage(input_tokens=1, output_tokens=1)),
        ("claude-opus-5-5", Usage()),
        ("claude-opus-5-5", Usage(input_tokens=5)),
    ],
)
def test_unknown_stays_unknown(model, usage):
    assert price_usd(model, usage) == "unknown"
    bill = Bill()
    bill.add("claude-opus-5-5", Usage(input_tokens=1, output_tokens=1))
    bill.add(model, usage)
    bill.add("claude-opus-5-5", Usage(input_tokens=1, output_tokens=1))
    assert bill.price == "unknown"


def test_the_default_model_has_a_price():
    assert ModelSettings().name in TARIFFS
