"""What the form of a deployment asks: the usual settings by themselves, all others in one group that stays folded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, field_validator, model_validator
from pydantic.fields import FieldInfo

from schemas.base import Model
from schemas.run.settings import CoreLimits, CoreSettings

Settings = TypeVar("Settings", bound=CoreSettings)
# Settings that the form asks for by themselves. Inside the group they are accepted and not shown: no field twice.
USUAL = (
    ("model", "kind"),
    ("model", "block"),
    ("limits", "max_cost_usd"),
    ("limits", "max_total_runtime_hours"),
    ("answers",),
)

QUESTION = r"^[a-z0-9][a-z0-9-]*-[a-z0-9-]*$"  # the name of one question; kinds have no dash
# Prefect keeps and shows parameters as they are, so an address with a password is refused before it is kept.
_NO_PASSWORD = r"^[^@]*$"
_ENDINGS = {
    "s": "seconds",
    "usd": "US dollars",
    "gb": "gigabytes",
    "mb": "megabytes",
    "kb": "kilobytes",
    "hours": "hours",
    "minutes": "minutes",
    "days": "days",
    "url": "address",
}


def _untitled_null(schema: dict[str, Any], title: str) -> dict[str, Any]:
    """A field that may be empty, without the word that programs have for that."""
    ways = [{**way, "title": "none" if way.get("type") == "null" else title} for way in schema["anyOf"]]
    return {**schema, "anyOf": ways}


def inlined(schema: Any, known: dict[str, Any]) -> Any:
    """The schema with every reference replaced by what it refers to."""
    if isinstance(schema, list):
        return [inlined(part, known) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return {
            **inlined(known[schema["$ref"].split("/")[-1]], known),
            **{key: inlined(value, known) for key, value in schema.items() if key != "$ref"},
        }
    found = {key: inlined(value, known) for key, value in schema.items() if key != "$defs"}
    empty = any(isinstance(way, dict) and way.get("type") == "null" for way in found.get("anyOf", ()))
    return _untitled_null(found, "set") if empty else found


def _titled(properties: dict[str, Any]) -> dict[str, Any]:
    """The properties of a group, each with a title that a person reads: max_memory_gb is "Max memory, gigabytes".

    position: PostgreSQL forgets their order, and Prefect's form goes by this.
    """
    found = {}
    for position, (name, schema) in enumerate(properties.items()):
        *words, last = name.split("_")
        title = (
            " ".join(words) + f", {_ENDINGS[last]}" if words and last in _ENDINGS else name.replace("_", " ")
        )
        title = re.sub(r"\bcpu\b", "CPU", title)
        inner = {"properties": _titled(schema["properties"])} if "properties" in schema else {}
        found[name] = {**schema, "title": title[0].upper() + title[1:], "position": position, **inner}
    return found


def without(schema: dict[str, Any], name: str) -> dict[str, Any]:
    """The schema of a group without one property in sight: a form shows `properties` only, both kinds are accepted."""
    properties = dict(schema["properties"])
    hidden = {f"^{name}$": properties.pop(name)} if name in properties else {}
    return {
        **schema,
        "properties": properties,
        "patternProperties": {**schema.get("patternProperties", {}), **hidden},
    }


def group_schema(settings: type[CoreSettings], usual: tuple[tuple[str, ...], ...]) -> dict[str, Any]:
    """The settings for the form: self-contained, `usual` ones out of sight, no address with a password."""
    made = settings.model_json_schema()
    schema: dict[str, Any] = inlined(made, made["$defs"])
    for place in usual:
        if len(place) == 1:
            schema = without(schema, place[0])
        else:
            group, name = place
            inner = without(schema["properties"][group], name)
            inner["default"] = {}
            schema = {**schema, "properties": {**schema["properties"], group: inner}}
    address = schema["properties"]["model"]["properties"]["base_url"]
    address["anyOf"] = [
        {**way, "pattern": _NO_PASSWORD} if way.get("type") == "string" else way for way in address["anyOf"]
    ]
    return {**schema, "title": "Set by hand", "properties": _titled(schema["properties"])}


def folded(group: dict[str, Any]) -> dict[str, Any]:
    """The field of a group that stays folded until it is set by hand."""
    return {"anyOf": [{"type": "null", "title": "As usual"}, group]}


class GivenAnswer(Model):
    """An answer to a question that the run will ask. question: its kind, or the name of one question."""

    question: str
    answer: str = Field(
        min_length=1, max_length=20_000, description="one of its answers; words may follow after a colon"
    )


def list_of(answer: type[GivenAnswer]) -> dict[str, Any]:
    """The field of answers given beforehand."""
    return {"type": "array", "items": {**inlined(answer.model_json_schema(), {}), "title": "Answer"}}


HOURS = float(CoreLimits().max_total_runtime_hours)
Amount = Annotated[float, Field(ge=0, le=1e6)]
Answerer = Literal["replay", "anthropic", "manual"]


class CoreForm(Model):
    """A form as it was sent. What it holds before anything is filled in changes nothing of the settings.

    A form of Prefect cannot hold an empty number, so no limit on money is 0.
    """

    model: Answerer = "replay"
    endpoint: str = ""
    max_cost_usd: Amount = 0
    max_hours: Amount = HOURS
    answers: tuple[GivenAnswer, ...] = ()
    outputs: str = ""
    run_id: str = ""

    @model_validator(mode="before")
    @classmethod
    def _left_out(cls, given: dict[str, Any]) -> dict[str, Any]:
        """A parameter that was not sent comes from Prefect as the description of its default."""
        return {
            name: value.default if isinstance(value, FieldInfo) else value for name, value in given.items()
        }

    @field_validator("run_id", "outputs", "endpoint", mode="after")
    @classmethod
    def _stripped(cls, value: str) -> str:
        return value.strip()

    def onto(self, base: Settings, groups: Mapping[str, Mapping[str, Any]], **fields: Any) -> Settings:
        """`base` with the usual settings of the form, and more of a workflow's own; what is empty changes nothing.

        groups: setting of a group by its name. fields: other settings, each whole.
        """
        told: dict[str, Mapping[str, Any]] = {
            "model": {"kind": None if self.model == "replay" else self.model, "block": self.endpoint or None},
            "limits": {
                "max_cost_usd": self.max_cost_usd,
                "max_total_runtime_hours": None if self.max_hours == HOURS else self.max_hours,
            },
            **groups,
        }
        changes = {
            group: {name: value for name, value in values.items() if value} for group, values in told.items()
        }
        changed = {
            group: {**getattr(base, group).model_dump(), **values}
            for group, values in changes.items()
            if values
        }
        answers = tuple(
            dict.fromkeys((*base.answers, *((entry.question, entry.answer) for entry in self.answers)))
        )
        more = {name: value for name, value in fields.items() if value}
        if not (changed or more or answers != base.answers):
            return base
        return type(base).model_validate({**base.model_dump(), **changed, **more, "answers": answers})
