"""Prompts load, name their sections, and fill exactly the placeholders they should."""

from __future__ import annotations

from typing import get_args

import pytest

from agents.reproduce.constants import prompt_constants, thresholds_table
from agents.reproduce.registry import AGENTS, CONCLUSIONS
from agents.talking.condenser import condenser
from prompts import loader
from prompts.loader import load_prompt, parse_prompt, prompt_names, render
from schemas.errors import PrerequisiteError
from schemas.reproduce.settings import Limits, RunSettings
from simkit.describe.problem import AnyQuantity, AnyScene

pytestmark = pytest.mark.unit

HEAD = "---\nid: x\nversion: 1\nagent: x\n---\n"


def test_there_is_a_prompt_for_every_agent_and_no_other():
    helpers = {CONCLUSIONS.prompt, condenser(AGENTS["planner"]).prompt, loader.GLOBAL_RULES}
    wanted = {agent.prompt for agent in AGENTS.values()} | helpers
    assert {*prompt_names("shared"), *prompt_names("reproduce")} == wanted


@pytest.mark.parametrize("name", (*prompt_names("shared"), *prompt_names("reproduce")))
def test_every_prompt_loads_and_uses_known_placeholders_only(name):
    prompt = load_prompt(name)
    assert prompt.id == name and prompt.version >= 1 and prompt.sections and len(prompt.digest) == 64
    assert prompt.placeholders <= set(prompt_constants(RunSettings())) | {
        "SIMKIT_CONTRACT",
        "DESCRIPTION_CONTRACT",
    }


def test_the_planner_is_told_of_every_scene_and_of_every_quantity():
    told, _, _ = render("planner", prompt_constants(RunSettings()))
    scenes = {line.split("`")[1] for line in told.splitlines() if line.endswith("Measured:")}
    assert scenes == {scene.__name__ for scene in get_args(get_args(AnyScene)[0])}
    listed = told.partition("Measured:")[2].partition("## References")[0].splitlines()
    named = [line.strip("- ").partition(": ")[0] for line in listed if line.startswith("  - ")]
    assert sorted(named) == sorted(quantity.__name__ for quantity in get_args(get_args(AnyQuantity)[0]))


def test_constants_come_from_the_settings():
    constants = prompt_constants(RunSettings(limits=Limits(max_replans=7)))
    assert constants["MAX_REPLANS"] == "7"
    assert (
        "| curve | relative, % | 3 and r >= 0.99 | 10 and r >= 0.95 | 20 and r >= 0.9 |"
        in thresholds_table("default")
    )
    assert thresholds_table("default") != thresholds_table("loose")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of prompts of our own."""
    monkeypatch.setattr(loader, "_FOLDER", tmp_path)
    load_prompt.cache_clear()
    (tmp_path / "shared").mkdir()
    yield tmp_path / "shared"
    load_prompt.cache_clear()


def test_braces_of_json_and_python_stay(folder):
    (folder / "x.md").write_text(HEAD + '## A\n{"a": {LIMIT}, "B": {}} {lower} {Mixed} {{LIMIT}}\n')
    text, digest, notes = render("x", {"LIMIT": "3"})
    assert text == '## A\n{"a": 3, "B": {}} {lower} {Mixed} {3}\n'
    assert notes == () and digest == loader.text_digest(text)


def test_a_constant_cannot_bring_in_another_placeholder(folder):
    (folder / "x.md").write_text(HEAD + "## A\n{ONE}\n")
    assert render("x", {"ONE": "{TWO}", "TWO": "no"})[0] == "## A\n{TWO}\n"


def test_an_unknown_placeholder_is_an_error(folder):
    (folder / "x.md").write_text(HEAD + "## A\n{NOBODY_FILLS_THIS}\n")
    with pytest.raises(PrerequisiteError, match="NOBODY_FILLS_THIS"):
        render("x", {})


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("## A\n", "no front matter"),
        ("---\nid: [\n---\n## A\n", "not YAML"),
        ("---\nid: x\n---\n## A\n", "incomplete"),
        (HEAD + "## A\n## A\n", "used twice"),
    ],
)
def test_a_malformed_prompt_is_named(source, said):
    with pytest.raises(PrerequisiteError, match=said):
        parse_prompt(source, "x.md")


@pytest.mark.parametrize("name", ["../secrets", "no_such_prompt", "", "global_rules.md"])
def test_only_names_of_prompts_are_loaded(name):
    with pytest.raises(PrerequisiteError, match="there is no prompt"):
        load_prompt(name)
