"""What a command line gives a run: settings, scope, answers. Bad input becomes a message and exit code 2."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from flows.commands.guard import guarded
from schemas.errors import InputError
from schemas.handed import handed_json, handed_text

MAX_ANSWERS_BYTES = 1_000_000


def scope_of(words: list[str] | None) -> dict[str, Any]:
    """The scope of `--scope` options; empty when there is none."""
    from flows.commands.scope import parse_scope

    return guarded(lambda: parse_scope(words).model_dump() if words else {})  # type: ignore[no-any-return]


def settings_of(path: Path | None, given: dict[str, Any], answers: tuple[tuple[str, str], ...]) -> Any:
    """A settings file, the environment's limits and the options, validated; options that are None change nothing."""
    from pydantic import ValidationError

    from flows.environment import limits_from_environment, non_interactive
    from schemas.settings import RunSettings

    def validated(base: Any) -> RunSettings:
        try:
            return RunSettings.model_validate(base)
        except ValidationError as error:
            first = error.errors()[0]
            raise InputError(f"the setting {'.'.join(str(p) for p in first['loc']) or '(all)'} does not fit",
                             found=repr(first.get("input"))[:200], allowed=first["msg"],
                             fix="`reprolab reproduce --help`, docs/settings.md") from error

    def work() -> RunSettings:
        base: dict[str, Any] = {}
        if path is not None:
            base = handed_json(path, "the settings file", fix="write JSON as docs/settings.md shows")
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
    from schemas.interaction import QuestionKind

    def work() -> tuple[tuple[str, str], ...]:
        lines = list(given or [])
        if path is not None:
            text = handed_text(path, "the answers file", MAX_ANSWERS_BYTES)
            lines += [line.split("#")[0].strip() for line in text.splitlines() if line.split("#")[0].strip()]
        pairs = []
        for line in lines:
            kind, mark, value = line.partition("=")
            if not mark or not kind.strip() or not value.strip():
                raise InputError("an answer does not fit", found=line[:200], allowed="KIND=ANSWER",
                                 fix="for example --answer material_checkpoint=approve")
            if kind.strip() not in get_args(QuestionKind) and "-" not in kind:  # with dashes: one question's id
                raise InputError("there is no question of that kind", found=kind.strip()[:200],
                                 allowed=", ".join(get_args(QuestionKind)) + ", or a question's id")
            pairs.append((kind.strip(), value.strip()))
        return tuple(pairs)

    return guarded(work)  # type: ignore[no-any-return]


def changed_settings(old: Any, given: dict[str, dict[str, Any]], answers: tuple[tuple[str, str], ...]) -> Any:
    """A run's own settings with the options of `resume` or `fork`; whether anybody can be asked is decided anew."""
    base = {**old.model_dump(exclude={"answers"}), "non_interactive": False}
    return settings_of(None, base | {part: base[part] | {name: value for name, value in values.items() if value is not None}
                                     for part, values in given.items()}, answers)


def still_given(settings: Any) -> str:
    """A line that names the answers given beforehand, which nobody is asked for; empty without any."""
    given = ", ".join(f"{name}={text}" for name, text in settings.answers)
    return f"\ngiven beforehand, so not asked: {given}" if given else ""
