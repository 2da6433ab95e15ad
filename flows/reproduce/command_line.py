"""The command that made a run, safe to copy: as it was typed, or its equivalent for runs from the web interface."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping, Sequence

from agents.models.address import without_credentials
from flows.run.credentials import secrets_in
from schemas.reproduce.settings import RunSettings

# Variables that change what a run does; their values are shown. Of the secret ones only that they were set.
VARIABLES = (
    "REPROLAB_OUTPUTS",
    "REPROLAB_NON_INTERACTIVE",
    "REPROLAB_USER_TIMEOUT_SECONDS",
    "REPROLAB_MEEP_PYTHON",
    "ANTHROPIC_BASE_URL",
)
SECRET = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
WITHHELD = "WITHHELD"


def typed_command(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> str:
    """This process's `reprolab reproduce ...` or `fork ...` with the variables that mattered; empty if started otherwise."""
    argv, environ = sys.argv if argv is None else argv, os.environ if environ is None else environ
    if len(argv) < 2 or argv[1] not in ("reproduce", "fork"):
        return ""
    set_here = [f"{name}={shlex.quote(_shown(environ[name]))}" for name in VARIABLES if environ.get(name)]
    return " ".join([*set_here, "reprolab", *(shlex.quote(_shown(word)) for word in argv[1:])])


def equivalent_command(paper: str, settings: RunSettings) -> str:
    """A command line with the effect of these settings; what has no option of its own is left to `changed_settings`."""
    model, limits = settings.model, settings.limits
    words = ["reprolab", "reproduce", paper, "--model", model.kind]
    for option, value, default in (
        ("--model-name", model.name, type(model)().name),
        ("--base-url", model.base_url, None),
        ("--transcript", model.transcript, None),
        ("--thresholds", settings.thresholds, "default"),
        ("--max-cost", limits.max_cost_usd, None),
        ("--max-tokens", limits.max_tokens, None),
        ("--max-hours", limits.max_total_runtime_hours, type(limits)().max_total_runtime_hours),
        ("--meep-python", settings.meep_python, None),
    ):
        if value not in (None, default):
            words += [option, f"{value:g}" if isinstance(value, float) else str(value)]
    words += [
        flag
        for flag, on in (
            ("--strict", model.strict_replay),
            ("--debug", settings.debug_mode),
            ("--allow-degraded-sandbox", settings.allow_degraded_sandbox),
        )
        if on
    ]
    for kind, answer in settings.answers:
        words += ["--answer", f"{kind}={answer}"]
    for asked in settings.ask_again:
        words += ["--ask", asked]
    return " ".join(shlex.quote(_shown(word)) for word in words)


def secret_variables(environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Names of the secret variables that are set; never their values."""
    environ = os.environ if environ is None else environ
    return tuple(name for name in SECRET if environ.get(name))


def changed_settings(settings: RunSettings) -> tuple[tuple[str, str], ...]:
    """(name, value) of each setting that differs from its default, nested names with a dot."""
    default = RunSettings().model_dump(mode="json")
    found = []
    for name, value in settings.model_dump(mode="json").items():
        parts = (
            {f"{name}.{key}": (inner, default[name][key]) for key, inner in value.items()}
            if isinstance(value, dict)
            else {name: (value, default[name])}
        )
        found += [(key, _shown(str(inner))) for key, (inner, usual) in parts.items() if inner != usual]
    return tuple(found)


def _shown(word: str) -> str:
    """The word without passwords in addresses; withheld altogether if it still looks like a credential."""
    head, mark, value = word.partition("=") if word.startswith("--") else ("", "", word)
    shown = head + mark + (without_credentials(value) if "://" in value else value)
    return (head + mark + WITHHELD) if secrets_in(shown) else shown
