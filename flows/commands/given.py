"""What a command line gives a run: settings, scope, answers. Bad input becomes a message and exit code 2."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel

from flows.terminal.expected_errors import guarded
from schemas.errors import InputError
from schemas.reading.handed import handed_json, handed_text
from schemas.run.pasted import typed

MAX_ANSWERS_BYTES = 1_000_000
Settings = TypeVar("Settings", bound=BaseModel)


def scope_of(words: list[str] | None) -> dict[str, Any]:
    """The scope of `--scope` options; empty when there is none."""
    from flows.commands.scope import parse_scope

    return guarded(lambda: parse_scope(words).model_dump() if words else {})


def settings_of(path: Path | None, given: dict[str, Any], answers: tuple[tuple[str, str], ...]) -> Any:
    """A settings file, the environment's limits and the options, validated; options that are None change nothing."""
    from pydantic import ValidationError

    from flows.reproduce.environment import limits_from_environment, non_interactive
    from schemas.reproduce.settings import RunSettings

    def validated(base: Any) -> RunSettings:
        try:
            return RunSettings.model_validate(base)
        except ValidationError as error:
            first = error.errors()[0]
            raise InputError(
                f"the setting {'.'.join(str(p) for p in first['loc']) or '(all)'} does not fit",
                found=repr(first.get("input"))[:200],
                allowed=first["msg"],
                fix=f"`{typed('reproduce', '--help')}`, docs/reference/settings.md",
            ) from error

    def work() -> RunSettings:
        base: dict[str, Any] = {}
        if path is not None:
            base = handed_json(
                path, "the settings file", fix="write JSON as docs/reference/settings.md shows"
            )
            validated(base)  # before anything is merged into it
        base["limits"] = {**limits_from_environment(), **base.get("limits", {})}
        for key, value in given.items():
            if isinstance(value, dict):
                base[key] = {**base.get(key, {}), **{k: v for k, v in value.items() if v is not None}}
            elif value is not None:
                base[key] = value
        base["answers"] = [*base.get("answers", []), *answers]
        base["non_interactive"] = base.get("non_interactive", False) or non_interactive()
        return validated(base)

    return guarded(work)


def answers_of(given: list[str] | None, path: Path | None) -> tuple[tuple[str, str], ...]:
    """(kind or id, answer) of `--answer` options and the lines of a file."""
    from schemas.reproduce.questions import QuestionKind

    def work() -> tuple[tuple[str, str], ...]:
        lines = list(given or [])
        if path is not None:
            text = handed_text(path, "the answers file", MAX_ANSWERS_BYTES)
            lines += [line.split("#")[0].strip() for line in text.splitlines() if line.split("#")[0].strip()]
        pairs = pairs_of(lines, "material_checkpoint=approve")
        for kind, _ in pairs:
            if kind not in get_args(QuestionKind) and "-" not in kind:  # with dashes: one question's id
                raise InputError(
                    "there is no question of that kind",
                    found=kind[:200],
                    allowed=", ".join(get_args(QuestionKind)) + ", or a question's id",
                )
        return pairs

    return guarded(work)


def asked_of(given: list[str] | None) -> tuple[str, ...] | None:
    """The questions of `--ask` options: kinds that there are, or the name of one; None without an option."""
    from schemas.reproduce.questions import QuestionKind
    from schemas.run.run_form import QUESTION

    def work() -> tuple[str, ...] | None:
        for name in given or ():
            if name not in get_args(QuestionKind) and not re.fullmatch(QUESTION, name):
                raise InputError(
                    "there is no question of that kind",
                    found=name[:200],
                    allowed=", ".join(get_args(QuestionKind)) + ", or a question's name",
                )
        return tuple(dict.fromkeys(given)) if given else None

    return guarded(work)


def settings_on(
    base: Any, kind: type[Settings], path: Path | None, given: dict[str, Any], page: str
) -> Settings:
    """The settings of a file, or `base`, with what was given in their place; whether anybody can be asked is decided anew.

    given: options that are None change nothing, answers are added. page: where the settings are described. Raises InputError.
    """
    from pydantic import ValidationError

    from flows.reproduce.environment import non_interactive

    def validated(found: Any) -> Settings:
        try:
            return kind.model_validate(found)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise InputError(
                f"the setting {'.'.join(map(str, first['loc']))} does not fit",
                found=str(first.get("input"))[:200],
                allowed=first["msg"],
                fix=f"{page} lists the settings",
            ) from None

    raw: dict[str, Any] = base.model_dump(mode="json") if base else {}
    if path is not None:
        raw = handed_json(path, "the settings file", fix=f"write JSON as {page} shows")
        if not isinstance(raw, dict):
            raise InputError(
                f"the settings file {path} holds no object", found=type(raw).__name__, fix=f"see {page}"
            )
        validated(raw)  # before anything is merged into it
    for name, value in given.items():
        if isinstance(value, dict):
            raw[name] = {
                **raw.get(name, {}),
                **{key: item for key, item in value.items() if item is not None},
            }
        elif name == "answers":
            raw[name] = [*raw.get(name, ()), *value]
        elif value is not None:
            raw[name] = value
    raw["non_interactive"] = (path is not None and raw.get("non_interactive", False)) or non_interactive()
    return validated(raw)


def pairs_of(given: list[str] | None, example: str) -> tuple[tuple[str, str], ...]:
    """(kind or id, answer) of `--answer` options. Raises InputError."""
    pairs = []
    for line in given or []:
        kind, mark, value = line.partition("=")
        if not mark or not kind.strip() or not value.strip():
            raise InputError(
                "an answer does not fit",
                found=line[:200],
                allowed="KIND=ANSWER",
                fix=f"for example --answer {example}",
            )
        pairs.append((kind.strip(), value.strip()))
    return tuple(pairs)


def changed_settings(old: Any, given: dict[str, dict[str, Any]], answers: tuple[tuple[str, str], ...]) -> Any:
    """A run's own settings with the options of `resume` or `fork`; whether anybody can be asked is decided anew."""
    base = {**old.model_dump(exclude={"answers"}), "non_interactive": False}
    return settings_of(
        None,
        base
        | {
            part: base[part] | {name: value for name, value in values.items() if value is not None}
            for part, values in given.items()
        },
        answers,
    )


def still_given(settings: Any) -> str:
    """A line that names the answers given beforehand, which nobody is asked for; empty without any."""
    given = ", ".join(f"{name}={text}" for name, text in settings.answers)
    return f"\ngiven beforehand, so not asked: {given}" if given else ""
