"""What a run shows on Prefect's page: tables that fit, the overview, the form, the log, the progress."""

from __future__ import annotations

import json
import re
import threading
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest
from prefect.utilities.callables import parameter_schema
from pydantic import ValidationError

from flows.pages import artifacts, log
from flows.pages.tables import fitted
from flows.questions.pending import Pending, announced
from flows.reproduce.flow import reproduce_paper
from flows.reproduce.pages import progress
from flows.reproduce.pages.form import settings_of_form
from flows.reproduce.pages.overview import cell, overview
from flows.terminal.console import Console
from schemas.reproduce.run_form import RunForm
from schemas.reproduce.settings import Limits, RunSettings
from schemas.run.settings import ModelSettings
from schemas.talking.interaction import Choice, Question
from tasks.reproduce.papers import bundled_ids

pytestmark = pytest.mark.unit
WIDE = (
    "| target | what is compared with what, and how |\n|---|---|\n| `a_b` | "
    + "words and words " * 20
    + "[here](/x/y) |"
)


def test_wide_tables_are_broken_into_lines_and_others_are_left():
    narrow = "before\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```\n" + WIDE + "\n```\nafter"
    assert fitted(narrow) == narrow
    made = fitted("x\n\n" + WIDE + "\n\ny").split("\n")
    assert len(made) == 7 and made[3] == "| --- | --- |" and "[here](/x/y)" in made[4] and "`a_b`" in made[4]
    assert max(len(part) for part in re.split(r"<br>|\|", made[4])) < 100
    assert re.sub(r"<br>", " ", made[4]).split() == WIDE.split("\n")[2].split()


def form_schema() -> dict[str, Any]:
    return json.loads(parameter_schema(reproduce_paper).model_dump_json())


def test_the_form_has_the_usual_fields_first_and_no_field_twice():
    schema = form_schema()
    shown = sorted(schema["properties"].values(), key=lambda part: part["position"])
    assert [part["title"] for part in shown][:2] == ["Paper", "Who answers for the agents"] and len(
        shown
    ) == 12
    assert shown[-1]["title"] == "Everything else"
    assert [way["title"] for way in shown[-1]["anyOf"]] == ["As usual", "Set by hand"]
    assert all(part["description"] for part in shown)
    assert schema["properties"]["paper"]["anyOf"][0]["enum"] == list(bundled_ids())
    group = shown[-1]["anyOf"][1]["properties"]
    assert "kind" not in group["model"]["properties"] and "max_cost_usd" not in group["limits"]["properties"]
    assert not {"answers", "scope", "debug_mode"} & set(group) and "$ref" not in json.dumps(schema)
    assert group["limits"]["properties"]["max_memory_gb"]["title"] == "Max memory, gigabytes"


@pytest.mark.parametrize(
    "settings, fits",
    [
        (
            {
                "model": {"kind": "anthropic", "block": "tiny"},
                "answers": [["material_checkpoint", "approve"]],
            },
            True,
        ),
        ({"limits": {"max_cost_usd": 3, "max_replans": 1}, "debug": True}, True),
        (None, True),
        ({"model": {"kind": "oracle"}}, False),
        ({"limits": {"max_replan": 1}}, False),
        ({"model": {"base_url": "https://me:secret@models.lab.example"}}, False),
    ],
)
def test_settings_as_before_are_taken_and_mistakes_and_passwords_refused_before_they_are_kept(settings, fits):
    try:
        jsonschema.validate({"settings": settings}, form_schema())
    except jsonschema.ValidationError:
        assert not fits
    else:
        assert fits


def test_what_a_form_means():
    """Empty fields change nothing; answers are pairs in run.json as ever; the group stays as it was set."""
    assert settings_of_form(RunForm(paper="coupler")) == RunSettings()
    sent = {
        "paper": " coupler ",
        "model": "anthropic",
        "endpoint": "tiny",
        "max_cost_usd": 3.0,
        "only": ["figures: fig1", " "],
        "ask_again": ["material_checkpoint"],
        "answers": [
            {"question": "material_checkpoint", "answer": "approve"},
            {"question": "plan-limit-1", "answer": "stop"},
        ],
        "settings": {"limits": {"max_replans": 1}},
    }
    form = RunForm.model_validate(sent)
    found = settings_of_form(form)
    assert (form.paper, found.model.kind, found.model.block, found.limits) == (
        "coupler",
        "anthropic",
        "tiny",
        Limits(max_cost_usd=3.0, max_replans=1),
    )
    assert found.answers == (
        ("material_checkpoint", "approve"),
        ("plan-limit-1", "stop"),
    ) and found.scope.figures == ("fig1",)
    assert found.ask_again == ("material_checkpoint",)
    with pytest.raises(ValidationError):
        RunForm(paper="coupler", ask_again=("materials",))


def test_a_run_that_is_continued_from_the_form_keeps_its_settings():
    kept = RunSettings(model=ModelSettings(kind="anthropic", name="x"), limits=Limits(max_replans=1))
    found = settings_of_form(RunForm(paper="coupler", run_id="r", max_hours=12), kept)
    assert found.model == kept.model and found.limits == Limits(max_replans=1, max_total_runtime_hours=12)


def test_the_log_has_what_the_terminal_says_and_no_hidden_characters(monkeypatch):
    said: list[str] = []
    logger = SimpleNamespace(info=lambda _, text: said.append(text), extra={"flow_run_id": "1"})
    monkeypatch.setattr(log, "get_run_logger", lambda: logger)
    console = log.logging_console()
    console.say("plan sent back: \x1b[2Jno\u202e target", stage="stage1")
    console.simulation("film", 0.5, 30, "")
    assert len(said) == 1 and said[0].startswith("stage1: plan sent back: ")
    assert "\x1b" not in said[0] and "\u202e" not in said[0]


def test_progress_is_shown_in_one_place_and_never_holds_a_simulation_up(monkeypatch):
    shown: list[tuple[object, ...]] = []
    first, go_on = threading.Event(), threading.Event()

    def slow(*given: object) -> str:
        shown.append(given)
        first.set()
        go_on.wait(20)
        return "id"

    monkeypatch.setattr(progress, "put_artifact", slow)
    console, watched = Console(quiet=True), progress.Progress("r-simulations", "f", every_s=20)
    console.watchers.append(watched.told)
    console.simulation("film", 0.25, 60, "")
    assert first.wait(20)
    for done in range(100):  # the server has not answered yet
        console.simulation("film", done / 100, None, "")
    go_on.set()
    watched.end("3 simulated")
    assert [(key, percent) for key, percent, *_ in shown] == [
        ("r-simulations", 25.0),
        ("r-simulations", 100.0),
    ]
    assert shown[0][2] == "film: 25 % done, 1 min 00 s left" and shown[1][2] == "3 simulated"


def test_the_overview_links_to_what_waits_and_keeps_words_of_the_paper_inert(tmp_path):
    state = SimpleNamespace(plan=None, progress=(), user_interactions=())
    paper = SimpleNamespace(title="<img src=x> [a](javascript:b) " + "title " * 60)
    run = SimpleNamespace(
        paper=paper,
        state=state,
        run_id="r1",
        run_dir=tmp_path,
        artifacts={"plan": "17"},
        settings=RunSettings(),
        flow_run_id="f0",
        tally=SimpleNamespace(simulations=1, simulations_reused=2),
    )
    question = Question(
        question_id="q-1",
        kind="material_checkpoint",
        title="Right? | [x](http://y)",
        body="",
        choices=(Choice(name="approve", effect=""),),
    )
    with announced(Pending(question, "f1", tmp_path)):
        found = overview(run)  # type: ignore[arg-type]
    assert (
        "](/runs/flow-run/f1)" in found
        and "[plan](/artifacts/artifact/17)" in found
        and "3 simulations" in found
    )
    assert "](/runs/flow-run/f0)" in overview(run, suspended=question)  # type: ignore[arg-type]
    assert not re.search(r"(?<!\\)<img|\]\((javascript|http)", found) and "f1" not in overview(run)  # type: ignore[arg-type]
    assert len(found.split("\n")[0]) < 230 and cell("a|b\nc") == "a/b c"


def test_pictures_are_small(tmp_path):
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (1800, 1200), "white")
    pen = ImageDraw.Draw(image)
    for x in range(0, 1800, 9):
        pen.line((x, 0, 1800 - x, 1200), fill=(x % 255, 80, 160))
    image.save(tmp_path / "plot.png")
    address = artifacts.data_address(tmp_path / "plot.png")
    assert address.startswith("data:image/") and len(address) < (tmp_path / "plot.png").stat().st_size / 2
    assert f"![plot]({address})" == artifacts.inert_markdown(f"![plot]({address})")
