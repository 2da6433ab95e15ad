"""The specification's environment variables: below the settings file and the options, clear when they do not fit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

from flows.commands.given import settings_of
from flows.reproduce.environment import limits_from_environment, non_interactive
from schemas.errors import InputError
from schemas.reproduce.settings import ENVIRONMENT_LIMITS, Limits

pytestmark = pytest.mark.unit
SPECIFIED = {
    "MAX_STAGE_RUNTIME_MINUTES": "7",
    "TOTAL_RUNTIME_BUDGET_MINUTES": "240",
    "MAX_DESIGN_REVISIONS": "5",
    "MAX_CODE_REVISIONS": "6",
    "MAX_ANALYSIS_REVISIONS": "1",
    "MAX_REPLANS": "0",
    "REPROLAB_USER_TIMEOUT_SECONDS": "12.5",
}


def test_every_variable_of_the_specification_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(SPECIFIED) == set(ENVIRONMENT_LIMITS)
    for name, value in SPECIFIED.items():
        monkeypatch.setenv(name, value)
    limits = settings_of(None, {}, ()).limits
    assert limits == Limits(
        max_stage_runtime_minutes=7,
        max_total_runtime_hours=4,
        max_design_revisions=5,
        max_code_revisions=6,
        max_analysis_revisions=1,
        max_replans=0,
        user_timeout_s=12.5,
    )
    text = (Path(__file__).parents[3] / "docs/reference/settings.md").read_text()
    assert all(f"`{name}`" in text for name in (*SPECIFIED, "REPROLAB_NON_INTERACTIVE", "ANTHROPIC_API_KEY"))


def test_options_win_over_the_file_and_the_file_over_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOTAL_RUNTIME_BUDGET_MINUTES", "60")
    monkeypatch.setenv("MAX_REPLANS", "7")
    monkeypatch.setenv("MAX_CODE_REVISIONS", "9")
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"limits": {"max_replans": 5, "max_total_runtime_hours": 2}}))
    limits = settings_of(path, {"limits": {"max_total_runtime_hours": 3.0, "max_cost_usd": None}}, ()).limits
    assert (limits.max_total_runtime_hours, limits.max_replans, limits.max_code_revisions) == (3, 5, 9)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("MAX_REPLANS", "two", "a number"),
        ("MAX_CODE_REVISIONS", "2.5", "integer"),
        ("MAX_DESIGN_REVISIONS", "0", "greater"),
        ("TOTAL_RUNTIME_BUDGET_MINUTES", "-3", "greater than 0"),
        ("MAX_STAGE_RUNTIME_MINUTES", "1e400", "a number"),
    ],
)
def test_a_value_that_does_not_fit_names_its_variable(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, allowed: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(
        InputError, match=rf"(?s){name} does not fit.*found:   {value}.*{allowed}.*unset {name}"
    ):
        limits_from_environment()
    with pytest.raises(typer.Exit) as ended:
        settings_of(None, {}, ())
    assert ended.value.exit_code == 2 and name in capsys.readouterr().err


def test_nobody_can_be_asked_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, wanted in (("1", True), ("true", True), ("0", False), ("", False)):
        monkeypatch.setenv("REPROLAB_NON_INTERACTIVE", value)
        assert non_interactive() is wanted
    monkeypatch.setenv("REPROLAB_NON_INTERACTIVE", "maybe")
    with pytest.raises(InputError, match="REPROLAB_NON_INTERACTIVE"):
        non_interactive()
