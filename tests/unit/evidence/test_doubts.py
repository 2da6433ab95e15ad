"""A person lifts doubts of words and nothing else; no order of findings and doubts makes a target better."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.judging.evidence import Classification, Rule, TargetEvidence
from tasks.reproduce.judging.classify import worse
from tasks.reproduce.judging.doubts import (
    causes,
    decidable,
    doubted,
    lifted,
    lowered,
    open_doubts,
    refuting_doubts,
)

pytestmark = pytest.mark.unit
CLASSES: tuple[Classification, ...] = ("SUCCESS", "PARTIAL", "FAILURE")
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("doubt"), st.sampled_from(["its words call it 'loaded'", "no words say which film"])
        ),
        st.tuples(st.sampled_from(["PARTIAL", "FAILURE"]), st.just("a finding")),
    ),
    max_size=5,
)


def _evidence(found: Classification) -> TargetEvidence:
    return TargetEvidence(
        target_id="R",
        stage_id="one",
        ran=True,
        computed=True,
        converged=True,
        physical=True,
        matches=True,
        classification=found,
    )


def _after(found: Classification, steps: list[tuple[str, str]]) -> TargetEvidence:
    evidence = _evidence(found)
    for kind, why in steps:
        evidence = (
            doubted(evidence, [why], "called") if kind == "doubt" else lowered(evidence, kind, why)  # type: ignore[arg-type]
        )
    return evidence


@given(st.sampled_from(CLASSES), STEPS)
@pytest.mark.attack("judgement", "a person's word lifts doubts, never a finding")
def test_what_is_left_without_doubts_is_what_the_findings_alone_say(
    found: Classification, steps: list[tuple[str, str]]
) -> None:
    evidence = _after(found, steps)
    alone = _after(found, [step for step in steps if step[0] != "doubt"]).classification
    doubt = any(kind == "doubt" for kind, _ in steps)
    assert evidence.classification == (worse("PARTIAL", alone) if doubt else alone)
    confirmed = lifted(evidence, {doubt.doubt_id: "terminal, 2026-11-26" for doubt in evidence.doubts})
    assert confirmed.classification == alone
    assert bool(open_doubts(evidence)) == (doubt and alone == "SUCCESS")


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4, unique_by=lambda why: why[:1].upper() + why[1:]))
def test_one_doubt_that_is_left_keeps_it_partial(reasons: list[str]) -> None:
    evidence = doubted(_evidence("SUCCESS"), reasons, "input")
    assert len({doubt.doubt_id for doubt in evidence.doubts}) == len(reasons)
    some = {doubt.doubt_id: "web" for doubt in evidence.doubts[1:]}
    assert lifted(evidence, some).classification == "PARTIAL"
    assert [doubt.doubt_id for doubt in open_doubts(lifted(evidence, some))] == [evidence.doubts[0].doubt_id]
    assert doubted(evidence, reasons, "input") == evidence, "a doubt is told once"


@given(
    st.dictionaries(
        st.sampled_from(["R", "T", "A", "Q"]),
        st.lists(
            st.tuples(
                st.sampled_from(["It rests on n", "Its words call it 'loaded'"]),
                st.sampled_from(["input", "called"]),
                st.sampled_from(["the loaded R", "the loaded T"]),
            ),
            min_size=1,
            max_size=4,
            unique_by=lambda one: one[0],
        ),
        min_size=1,
    )
)
def test_one_name_answers_what_one_rule_doubts_in_the_same_words_and_nothing_else(
    raised: dict[str, list[tuple[str, Rule, str]]],
) -> None:
    found = {}
    for target, doubts in raised.items():
        evidence = _evidence("SUCCESS").model_copy(update={"target_id": target})
        for why, rule, words in doubts:
            evidence = doubted(evidence, [why], rule, words)
        found[target] = evidence
    told = causes({name: open_doubts(evidence) for name, evidence in found.items()})
    every = [doubt.doubt_id for evidence in found.values() for doubt in evidence.doubts]
    assert sorted(name for cause in told for name in cause.doubts) == sorted(every), "each once"
    assert len({cause.name for cause in told}) == len(told) == len({d for ds in raised.values() for d in ds})
    for cause in told:
        assert {one for one, doubts in raised.items() for d in doubts if cause.why == d[0]} >= set(
            cause.targets
        )
        after = {
            name: lifted(evidence, dict.fromkeys(cause.doubts, "web")) for name, evidence in found.items()
        }
        left = causes({name: open_doubts(evidence) for name, evidence in after.items()})
        assert [one.name for one in left] == [one.name for one in told if one != cause], "the others stay"
        fewer = {name: open_doubts(evidence) for name, evidence in found.items() if name != cause.targets[0]}
        assert cause.name not in {one.name for one in causes(fewer)}, "a name fits its targets only"


@given(st.lists(st.sampled_from(["of another film", "of other light", "over another axis"]), unique=True))
def test_a_difference_stays_one_whatever_is_lifted_and_is_then_undoubted(reasons: list[str]) -> None:
    """Confirmed for other targets, the same words went on to say that a refutation may be ours."""
    evidence = doubted(_evidence("FAILURE"), reasons, "called")
    assert not open_doubts(evidence) and decidable(evidence) == refuting_doubts(evidence) == evidence.doubts
    confirmed = lifted(evidence, {doubt.doubt_id: "web" for doubt in evidence.doubts})
    assert confirmed.classification == "FAILURE" and not refuting_doubts(confirmed)
    without = evidence.model_copy(update={"physical": False})
    assert not decidable(without), "what no physical value of ours differs from is no difference"
