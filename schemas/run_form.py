"""What the form of the deployment asks: the usual settings by themselves, all others in one group that stays folded."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema, field_validator, model_validator
from pydantic.fields import FieldInfo

from schemas.base import Model
from schemas.interaction import QuestionKind
from schemas.settings import Limits, RunSettings

# Settings that the form asks for by themselves. Inside the group they are accepted and not shown: no field twice.
USUAL = (("model", "kind"), ("model", "block"), ("limits", "max_cost_usd"), ("limits", "max_total_runtime_hours"),
         ("answers",), ("scope",), ("debug_mode",), ("debug",))
# Prefect keeps and shows parameters as they are, so an address with a password is refused before it is kept.
_NO_PASSWORD = r"^[^@]*$"


class GivenAnswer(Model):
    """An answer to a question that the run will ask."""

    question: QuestionKind | Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*-[a-z0-9-]*$")] = Field(
        description="its kind (material_checkpoint: are the materials right?), or the name of one question")
    answer: str = Field(min_length=1, max_length=20_000, description="one of its answers; words may follow after a colon: "
                        "approve, or change_database: gold=main/Au/Olmon-ev")


def _untitled_null(schema: dict[str, Any], title: str) -> dict[str, Any]:
    """A field that may be empty, without the word that programs have for that."""
    ways = [{**way, "title": "none" if way.get("type") == "null" else title} for way in schema["anyOf"]]
    return {**schema, "anyOf": ways}


def _inlined(schema: Any, known: dict[str, Any]) -> Any:
    """The schema with every reference replaced by what it refers to."""
    if isinstance(schema, list):
        return [_inlined(part, known) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return {**_inlined(known[schema["$ref"].split("/")[-1]], known),
                **{key: _inlined(value, known) for key, value in schema.items() if key != "$ref"}}
    found = {key: _inlined(value, known) for key, value in schema.items() if key != "$defs"}
    empty = any(isinstance(way, dict) and way.get("type") == "null" for way in found.get("anyOf", ()))
    return _untitled_null(found, "set") if empty else found


_ENDINGS = {"s": "seconds", "usd": "US dollars", "gb": "gigabytes", "hours": "hours", "minutes": "minutes", "url": "address"}


def _titled(properties: dict[str, Any]) -> dict[str, Any]:
    """The properties of a group, each with a title that a person reads: max_memory_gb is "Max memory, gigabytes"."""
    found = {}
    for name, schema in properties.items():
        *words, last = name.split("_")
        title = " ".join(words) + f", {_ENDINGS[last]}" if words and last in _ENDINGS else name.replace("_", " ")
        inner = {"properties": _titled(schema["properties"])} if "properties" in schema else {}
        found[name] = {**schema, "title": title[0].upper() + title[1:], **inner}
    return found


def _without(schema: dict[str, Any], name: str) -> dict[str, Any]:
    """The schema of a group without one property in sight: a form shows `properties` only, both kinds are accepted."""
    properties = dict(schema["properties"])
    hidden = {f"^{name}$": properties.pop(name)} if name in properties else {}
    return {**schema, "properties": properties, "patternProperties": {**schema.get("patternProperties", {}), **hidden}}


def group_schema() -> dict[str, Any]:
    """RunSettings for the form: self-contained, usual settings out of sight, no address with a password."""
    made = RunSettings.model_json_schema()
    schema = _inlined(made, made["$defs"])
    for place in USUAL:
        if len(place) == 1:
            schema = _without(schema, place[0])
        else:
            group, name = place
            inner = _without(schema["properties"][group], name)
            inner["default"] = {}
            schema = {**schema, "properties": {**schema["properties"], group: inner}}
    schema["patternProperties"]["^debug$"] = {"type": "boolean"}
    address = schema["properties"]["model"]["properties"]["base_url"]
    address["anyOf"] = [{**way, "pattern": _NO_PASSWORD} if way.get("type") == "string" else way for way in address["anyOf"]]
    return {**schema, "title": "Set by hand", "properties": _titled(schema["properties"])}


Group = Annotated[RunSettings | None, WithJsonSchema({"anyOf": [{"type": "null", "title": "As usual"}, group_schema()]})]
HOURS = Limits().max_total_runtime_hours
Amount = Annotated[float, Field(ge=0, le=1e6)]
Answers = Annotated[tuple[GivenAnswer, ...], WithJsonSchema({
    "type": "array", "items": {**_inlined(GivenAnswer.model_json_schema(), {}), "title": "Answer"}})]
Answerer = Literal["replay", "anthropic", "manual"]


class RunForm(Model):
    """The form as it was sent. What it holds before anything is filled in changes nothing of the settings.

    A form of Prefect cannot hold an empty number, so no limit on money is 0.
    """

    paper: str
    model: Answerer = "replay"
    endpoint: str = ""
    max_cost_usd: Amount = 0
    max_hours: Amount = HOURS
    answers: tuple[GivenAnswer, ...] = ()
    only: tuple[str, ...] = ()
    diagnosis: bool = False
    outputs: str = ""
    run_id: str = ""
    settings: RunSettings | None = None

    @model_validator(mode="before")
    @classmethod
    def _left_out(cls, given: dict[str, Any]) -> dict[str, Any]:
        """A parameter that was not sent comes from Prefect as the description of its default."""
        return {name: value.default if isinstance(value, FieldInfo) else value for name, value in given.items()}

    @field_validator("run_id", "outputs", "endpoint", "paper", mode="after")
    @classmethod
    def _stripped(cls, value: str) -> str:
        return value.strip()

    @field_validator("only", mode="after")
    @classmethod
    def _some(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(words for words in value if words.strip())

    def onto(self, kept: RunSettings | None, scope: dict[str, Any]) -> RunSettings:
        """The settings of the group, or else those `kept` of the run that is continued, with the usual ones of the form.

        scope: what `only` says, parsed.
        """
        base = self.settings or kept or RunSettings()
        told: dict[str, Any] = {
            "model": {"kind": None if self.model == "replay" else self.model, "block": self.endpoint or None},
            "limits": {"max_cost_usd": self.max_cost_usd,
                       "max_total_runtime_hours": None if self.max_hours == HOURS else self.max_hours},
            "scope": scope}
        changes = {group: {name: value for name, value in values.items() if value} for group, values in told.items()}
        changed = {group: {**getattr(base, group).model_dump(), **values} for group, values in changes.items() if values}
        answers = tuple((entry.question, entry.answer) for entry in self.answers)
        if not (changed or answers or self.diagnosis):
            return base
        return RunSettings.model_validate({**base.model_dump(), **changed, "answers": (*base.answers, *answers),
                                           "debug_mode": base.debug_mode or self.diagnosis})
