"""From a finished search to a reviewed paper through the skills transform, plot and paper; a liar gets no number in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.explore.registry import AGENTS
from schemas.talking.tools import Skill, ToolContext
from tasks.tools import Toolbox
from tests.unit.explore.exploration_fixture import exploration
from tests.unit.paper.paper_fixture import bibliography

pytestmark = pytest.mark.sim
SKILLS = [Skill(name=name, phase="pipeline", timeout_s=600) for name in ("transform", "plot", "paper")]
CODE = """
nodes = [n for n in data.nodes if n.numbers]
found = [data[n.numbers["time"]] for n in nodes]
axes = figure.subplots()
axes.bar(range(len(nodes)), [d.value for d in found], yerr=[d.uncertainty for d in found], capsize=4, color="#4477aa")
axes.set_xticks(range(len(nodes)), [f"{n.node} ({n.label})" for n in nodes])
axes.set_ylabel("time (ms)")
axes.set_xlabel("configuration")
"""
GAIN = "n001.time.gain"
TEXTS = {
    "abstract": "We ask how fast a sum over float64 data can be. The best program needs {{best.time}}, against "
    "{{baseline.time}} of the first one, a factor of {{n001.time.gain}}.",
    "introduction": "Sums over arrays move more data than they compute [@lee2019roofline], and how an array is traversed "
    "decides how much of the memory's speed is used [@smith2020stencil]. We measure how much is gained here.",
    "related_work": "*Roofline models* bound what a program can reach [@lee2019roofline]. Blocking is the usual remedy "
    "[@smith2020stencil].",
    "method": "Each program was run {{measure.repeats}} times, in turn with the one it was made from, on {{machine.cpu}} with "
    "{{machine.cores}} cores. The time is the median:\n\n$$t = \\mathrm{median}(t_1, \\ldots, t_n)$$\n\n"
    "- a run whose result was wrong did not count\n- a difference inside the noise counts as none",
    "results": "### What was fastest\n\nAs [fig:times] and [tab:results] show, swapping the loops brought the time from "
    "{{baseline.time}} to {{n001.time}}, a factor of {{n001.time.gain}}. A further change made no "
    "difference beyond the noise ({{n002.time}}). Of {{nodes.total}} experiments {{nodes.failed}} failed.",
    "discussion": "The gain is as expected where memory bounds the time [@lee2019roofline]. One machine was measured only.",
    "conclusion": "Swapping the loops is worth {{n001.time.change}} of the time.",
}
LIE = " It is 97 % faster than any other [@invented2024]. It reaches $42$ GFLOP/s."
ANALYST = {
    "methodology": "Each program was timed {{measure.repeats}} times.",
    "implementation_overview": "It sums `float64` data.",
    "findings": ["The best needs {{best.time}}."],
    "limitations": ["One machine."],
}
FIGURE = {
    "name": "times",
    "kind": "plot",
    "caption": "Median time of each configuration; bars show one standard uncertainty. "
    "The best needs {{best.time}}.",
    "alt": "bar chart of times",
    "code": CODE,
}


class Desk:
    """Answers for all agents; a liar adds what was not measured, and never corrects it."""

    def __init__(self, lying: bool = False):
        self.lying, self.asked = lying, []

    def __call__(self, agent: str, context: dict[str, Any], images: list[str]) -> dict[str, Any]:
        self.asked.append((agent, context, images))
        assert set(context) <= set(AGENTS[agent].context), (agent, set(context) - set(AGENTS[agent].context))
        assert not images or AGENTS[agent].sees_images
        return json.loads(
            AGENTS[agent].answer.model_validate(getattr(self, agent)(context)).model_dump_json()
        )

    def analyst(self, _context: dict[str, Any]) -> dict[str, Any]:
        return {
            **ANALYST,
            "findings": [*ANALYST["findings"], *(["It is 3 times faster."] if self.lying else [])],
        }

    def figure_maker(self, _context: dict[str, Any]) -> dict[str, Any]:
        typed = {
            **FIGURE,
            "name": "typed",
            "code": CODE.replace("[d.value for d in found]", "[1.0, 2.0, 3.0]"),
        }
        return {"figures": [FIGURE, *([typed] if self.lying else [])]}

    def section_writer(self, context: dict[str, Any]) -> dict[str, Any]:
        more = (LIE if self.lying else "") + (" More is not known." if context.get("issues") else "")
        title = "How loops are ordered decides the time of a sum" if context["section"] == "abstract" else ""
        return {"text": TEXTS[context["section"]] + more, "title": title}

    def section_reviewer(self, context: dict[str, Any]) -> dict[str, Any]:
        if context["section"] == "discussion" and "More" not in context["draft"]:
            issue = {
                "severity": "must",
                "quote": "",
                "problem": "it promises too much",
                "fix": "say what is not known",
            }
            return {"verdict": "revise", "issues": [issue]}
        return {"verdict": "accept"}

    def paper_reviewer(self, context: dict[str, Any]) -> dict[str, Any]:
        scores = [
            {"scale": scale["scale"], "score": scale["to"] - 1, "reason": "as measured"}
            for scale in context["scales"]
        ]
        return {
            "summary": "s",
            "strengths": ["error bars"],
            "weaknesses": ["one machine"],
            "scores": scores,
            "recommendation": "accept",
            "confidence": 4,
        }


@pytest.fixture(scope="module")
def box() -> Iterator[Toolbox]:
    with Toolbox(SKILLS) as opened:
        yield opened


def whole(box: Toolbox, run: Path, desk: Desk, **more: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The stages one after the other."""
    (run / "related_refs.json").write_text(bibliography().model_dump_json())
    where = ToolContext(run_dir=str(run), phase="pipeline")
    found = {}
    for tool in (
        "nodes_to_science_data",
        "generate_figures_llm",
        "write_paper_iterative",
        "review_compiled_paper",
        "merge_reviews",
        "check_format",
    ):
        result = box.call(tool, more.get(tool, {}), where, desk)
        assert not result.is_error, (tool, result.text)
        found[tool] = json.loads(result.text)
    return found


@pytest.mark.long
def test_the_stages_make_a_reviewed_paper(box: Toolbox, tmp_path: Path) -> None:
    desk = Desk()
    found = whole(box, exploration(tmp_path), desk, write_paper_iterative={"venue": "ml_conference"})
    assert (
        found["generate_figures_llm"]["figures"] == ["times"]
        and found["write_paper_iterative"]["removed"] == []
    )
    assert found["check_format"]["ok"], found["check_format"]
    asked = [agent for agent, _, _ in desk.asked]
    assert asked.count("section_writer") == 8 and asked.count("section_reviewer") == 8  # the discussion twice
    tex = (tmp_path / "paper/full_paper.tex").read_text()
    assert r"$3.20 \pm 0.10$" in tex and r"\includegraphics" in tex
    assert found["review_compiled_paper"]["verdict"] == "accept"
    claims = json.loads((tmp_path / "paper/claims.json").read_text())
    assert {"best.time", GAIN, "n002.time"} <= {claim["number"] for claim in claims}


@pytest.mark.attack("answers", "left out, and said")
def test_a_lying_model_gets_no_number_citation_or_figure_into_the_paper(box: Toolbox, tmp_path: Path) -> None:
    found = whole(box, exploration(tmp_path), Desk(lying=True))
    assert len(found["write_paper_iterative"]["removed"]) >= 7
    assert "typed" in found["generate_figures_llm"]["refused"]
    everything = "".join(
        (tmp_path / name).read_text()
        for name in ("paper/full_paper.tex", "paper/refs.bib", "paper/source.json", "science_data.json")
    )
    assert not re.search(r"\b97\b|\$42\$|invented2024|3 times faster", everything)


@pytest.mark.long
def test_pictures_go_back_with_the_feedback(box: Toolbox, tmp_path: Path) -> None:
    desk, run = Desk(), exploration(tmp_path)
    where = ToolContext(run_dir=str(run), phase="pipeline")
    for tool, arguments in (
        ("nodes_to_science_data", {}),
        ("generate_figures_llm", {}),
        ("generate_figures_llm", {"feedback": "label the axes"}),
    ):
        assert not box.call(tool, arguments, where, desk).is_error
    agent, context, images = desk.asked[-1]
    assert (
        agent == "figure_maker"
        and context["feedback"] == "label the axes"
        and context["previous"][0]["code"] == CODE
    )
    assert [Path(image).name for image in images] == ["times.png"]
    assert json.loads((run / "figures_manifest.json").read_text())["attempt"] == 1


def test_a_call_without_a_run_or_data_is_told_what_to_do(box: Toolbox, tmp_path: Path) -> None:
    nothing = box.call("write_paper_iterative", {}, ToolContext(phase="pipeline"), Desk())
    assert nothing.is_error and "folder of a run" in nothing.text
    empty = box.call(
        "write_paper_iterative", {}, ToolContext(run_dir=str(tmp_path), phase="pipeline"), Desk()
    )
    assert empty.is_error and "science_data.json is missing" in empty.text
