"""A study of simulated participants can never be told as confirmatory or of groups of them, whatever an agent says."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.study.registry import AGENTS
from flows.study.analysing import _not_tried
from flows.study.context import Run
from flows.study.reviewing import figures_shown
from schemas.study.artifacts import ArtifactType
from schemas.study.design import Quota, Share, Variable
from schemas.study.paper import SECTIONS
from schemas.study.scope import Hypothesis, ResearchPlan
from schemas.study.statement import EXPLORATORY, LIMITS, STATEMENT
from tasks.study.designing import deciding
from tasks.study.paper_of_sections import compiled
from tasks.study.preregistering import preregistration
from tasks.study.results_file import plans_of, results_of
from tasks.study.scoping import settled, ungiven
from tasks.study.trying import made_up, untestable
from tasks.study.wording.of_simulated import CONFIRMED, called_confirmatory, told_of_groups
from tests.unit.study.study_fixture import artifact, plan, protocol, questionnaire, variables

pytestmark = pytest.mark.unit


def planned(flags: list[bool]) -> ResearchPlan:
    """A plan whose planner calls hypotheses confirmatory or not."""
    one = plan().hypotheses[0]
    return plan().model_copy(
        update={
            "hypotheses": tuple(
                one.model_copy(update={"id": f"h{number}", "confirmatory": flag})
                for number, flag in enumerate(flags)
            )
        }
    )


def a_run(said: ResearchPlan, simulated: bool) -> SimpleNamespace:
    """A run in which nothing else speaks against confirmation."""
    run = SimpleNamespace(
        simulated=simulated, exclusions=lambda: None, reopened=lambda: (), read=lambda *_: said
    )
    run.exploratory_because = lambda: Run.exploratory_because(run)  # type: ignore[arg-type]
    return run


@given(st.lists(st.booleans(), min_size=1, max_size=6))
def test_every_hypothesis_of_simulated_participants_is_exploratory_in_plan_results_and_registration(
    flags: list[bool],
) -> None:
    said = planned(flags)
    counts = Run.plan(a_run(said, True))  # type: ignore[arg-type]
    assert not any(item.confirmatory for item in counts.hypotheses)
    assert deciding(counts.hypotheses) == [*counts.hypotheses], "all are corrected together"
    assert Run.plan(a_run(said, False)) == said, "real participants' plans stay as they are"  # type: ignore[arg-type]
    assert Run.exploratory_because(a_run(said, True)) == (EXPLORATORY,)  # type: ignore[arg-type]
    text = preregistration(said, protocol(), questionnaire(), variables(), existing=False, simulated=True)
    assert text.startswith("# Analysis plan of a study with simulated participants")
    assert "(confirmatory)" not in text and f"every test is {EXPLORATORY}" in text
    assert (
        text.count("(exploratory)") == len(flags) and "participants are simulated by a language model" in text
    )


def test_its_results_are_corrected_as_exploratory_ones_under_the_same_name() -> None:
    data = made_up(protocol(), questionnaire(), 1)
    columns = data.decode().splitlines()[0].split(",")
    counts = Run.plan(a_run(planned([True, True]), True))  # type: ignore[arg-type]
    found = results_of(data, plans_of(counts.hypotheses, variables(), columns))
    named = {item.name: item for item in found.values}
    assert all(item.p_adjusted is None and item.p_family is not None for item in found.tests)
    assert named["h0_p_adjusted"].value == found.tests[0].p_family
    assert "all 2 exploratory tests" in named["h0_p_adjusted"].text


CALLED = (
    "The confirmatory test shows it.",
    "No doubt, the confirmatory test shows it.",
    "No one doubts the confirmatory test.",
    "Two hypotheses were confirmatory, the third not.",
    "This study was preregistered.",
    "Our pre-registered hypotheses hold.",
    "The con\u200bfirmatory test shows it.",
    "The CONFIRM\u0410TORY test shows it.",
    "Die konfirmatorische Hypothese gilt.",
)
HONEST = (
    "No test is confirmatory: participants were simulated.",
    "None of the tests is confirmatory.",
    "The analysis is exploratory rather than confirmatory.",
    "The study was not preregistered.",
    "The assistant confirms what it understood.",
    "Nothing here is confirmatory.",
)


@pytest.mark.parametrize("text", CALLED)
def test_a_text_that_calls_it_confirmatory_is_found(text: str) -> None:
    assert called_confirmatory(text)


@pytest.mark.parametrize("text", HONEST)
def test_a_text_that_denies_it_is_not(text: str) -> None:
    assert called_confirmatory(text) == []


@given(st.sampled_from(CALLED), st.sampled_from(HONEST), st.sampled_from((" ", "\n\n", "\n- ")))
def test_an_honest_sentence_beside_it_hides_nothing(lie: str, honest: str, between: str) -> None:
    assert called_confirmatory(f"{honest}{between}{lie}") and called_confirmatory(f"{lie}{between}{honest}")


def test_a_plan_that_says_so_goes_back_and_is_taken_out_of_what_is_kept() -> None:
    said = plan().model_copy(update={"contribution": "A confirmatory test of voice."})
    faults = ungiven(said, "", results_known=False, simulated=True)
    assert any(fault.startswith(CONFIRMED) for fault in faults)
    assert not any(fault.startswith(CONFIRMED) for fault in ungiven(said, "", results_known=False))
    kept, out = settled(said, "", simulated=True)
    assert "A confirmatory test" not in kept.contribution and len(out) == 1
    stated = planned([True])
    stated = stated.model_copy(
        update={
            "hypotheses": (
                stated.hypotheses[0].model_copy(
                    update={"statement": "A confirmatory claim: voice is easier."}
                ),
            )
        }
    )
    assert any(CONFIRMED in fault for fault in ungiven(stated, "", results_known=False, simulated=True))


QUOTAS = (
    Quota(attribute="age_group", shares=(Share(value="18 to 34", share=0.5), Share(value="35 to 80", share=0.5))),
    Quota(attribute="voice_use", shares=(Share(value="never", share=0.5), Share(value="daily", share=0.5))),
    Quota(attribute="gender", shares=(Share(value="woman", share=0.5), Share(value="man", share=0.5))),
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Women trusted voice more than men.",
        "Older participants found touch easier.",
        "Daily users rated voice higher.",
        "Trust was lower for participants aged 18 to 34.",
        "Ease differed by age group.",
        "Those who live with voice daily preferred it.",
        "Elderly personas were especially doubtful.",
        "W\u043emen trusted it less.",
    ],
)
def test_a_claim_about_a_group_of_simulated_people_is_found(text: str) -> None:
    assert told_of_groups(text, QUOTAS)
    assert told_of_groups(f"All is well. {text} Nothing else.", QUOTAS) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Trust was lower for voice than for touch.",
        "In several of the simulated accounts, participants looked at the screen.",
        "Quotas of age group and gender were drawn by code.",
        "Whether women trust voice more is not asked here.",
        "Age groups cannot be compared with these answers.",
        "An older phone rated the timer lower.",
        "Student's t test was not significant.",
        "Participants never saw the other condition first and rated it lower.",
    ],
)
def test_what_says_nothing_of_groups_is_not(text: str) -> None:
    assert told_of_groups(text, QUOTAS) == []


def test_no_hypothesis_about_a_group_of_simulated_people_is_tested() -> None:
    asked = protocol()
    about = Hypothesis(
        id="h2", statement="Ease differs by age.", relation="difference", outcome="ease", predictors=("age",)
    )
    known = variables().model_copy(
        update={
            "variables": (
                *variables().variables,
                Variable(name="age", role="control", kind="nominal", definition="age group"),
            )
        }
    )
    hypotheses = [plan().hypotheses[0], about]
    told = untestable(hypotheses, asked, questionnaire(), known, seed=1, simulated=True)
    assert [*told] == ["h2"] and "groups of simulated people (age)" in told["h2"]
    assert untestable(hypotheses, asked, questionnaire(), known, seed=1) == {}, "real people may be asked"
    run = SimpleNamespace(
        simulated=True, plan=lambda: SimpleNamespace(hypotheses=hypotheses), read=lambda *_: asked
    )
    assert [*_not_tried(run)] == ["h2"]  # type: ignore[arg-type]


def test_the_paper_names_what_benchmarks_found_of_simulated_answers() -> None:
    sections = dict.fromkeys(SECTIONS, "Words about voice and touch.")
    paper = compiled("Voice or touch", sections, {}, simulated=True)
    assert paper.index(STATEMENT) < paper.index(LIMITS) < paper.index("## Abstract")
    assert "40.8 of 100" in LIMITS and LIMITS not in compiled("Voice or touch", sections, {}, simulated=False)


def test_reviewers_see_the_figures_of_simulated_people_and_of_real_ones_where_rows_may_be_read(
    tmp_path: Path,
) -> None:
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/ease.png").write_bytes(b"\x89PNG")
    figures = [
        artifact("analyze/ease", ArtifactType.FIGURE, "figures/ease.png", by).model_copy(update={"caption": "Ease of each way."})
        for by in ("analyze", "analyze-2")
    ]  # fmt: skip
    space = SimpleNamespace(root=tmp_path, manifest=lambda: SimpleNamespace(artifacts=figures))
    for simulated, rows, seen in ((True, False, 1), (False, True, 1), (False, False, 0)):
        run = SimpleNamespace(
            simulated=simulated, settings=SimpleNamespace(allow_rows=rows), space=space, top=lambda _: "analyze-2"
        )  # fmt: skip
        found = figures_shown(run)  # type: ignore[arg-type]
        assert [item.caption for item in found] == ["figures/ease.png: Ease of each way."] * seen
    assert AGENTS["study_reviewer"].sees_images
