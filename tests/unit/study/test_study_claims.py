"""The Results section holds every test as code wrote it, and no sentence of a paper says what the tests do not show."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.study.design import Variable, Variables
from schemas.study.results import Results
from schemas.study.scope import Hypothesis, ResearchPlan
from tasks.study.paper_of_sections import compiled
from tasks.study.results_file import plans_of, results_of
from tasks.study.test_findings import Finding, findings
from tasks.study.wording.claims_of_tests import ResultsReader
from tasks.study.wording.placeholders import UNCHECKED, values_of
from tasks.study.wording.reported import forged, written_tests
from tasks.study.wording.typed import typed_numbers
from tests.unit.study.study_fixture import protocol

pytestmark = pytest.mark.unit
TEXTS = dict.fromkeys(
    ("abstract", "introduction", "related_work", "method", "results", "discussion", "conclusion"), "Words."
)
HYPOTHESES = (
    Hypothesis(
        id="h_ease",
        statement="Voice is easier than touch.",
        relation="difference",
        outcome="ease",
        predictors=("way",),
    ),
    Hypothesis(
        id="h_trust",
        statement="Trust differs between the ways.",
        relation="difference",
        outcome="trust",
        predictors=("way",),
    ),
    Hypothesis(
        id="h_news",
        statement="News go with age, negatively.",
        relation="association",
        outcome="news",
        predictors=("age",),
    ),
    Hypothesis(
        id="h_mood",
        statement="Mood is higher on some days.",
        relation="difference",
        outcome="mood",
        predictors=("day",),
        confirmatory=False,
    ),
)


def plan(*hypotheses: Hypothesis) -> ResearchPlan:
    return ResearchPlan(
        title="Voice or touch",
        research_questions=("Which?",),
        background="",
        contribution="",
        hypotheses=hypotheses,
    )


def read(*hypotheses: Hypothesis) -> tuple[list[Finding], Results]:
    """Ease: voice lower than touch. Trust: no difference. News: rises with age. Mood: sunday higher than monday and friday."""
    rng = np.random.default_rng(3)
    n = 60
    way = np.array(["voice", "touch"] * (n // 2))
    day = np.array(["monday", "friday", "sunday"] * (n // 3))
    age = rng.integers(18, 80, n)
    frame = pd.DataFrame(
        {
            "participant": [f"p{place}" for place in range(n)],
            "way": way,
            "day": day,
            "age": age,
            "ease": rng.normal(0, 1, n) + 1.5 * (way == "touch"),
            "trust": rng.normal(0, 1, n),
            "news": age / 15 + rng.normal(0, 1, n),
            "mood": rng.normal(0, 1, n) + 2 * (day == "sunday"),
        }
    )
    variables = Variables(
        variables=(
            Variable(
                name="way", role="independent", kind="nominal", definition="", levels=("voice", "touch")
            ),
            Variable(
                name="day",
                role="independent",
                kind="nominal",
                definition="",
                levels=("monday", "friday", "sunday"),
            ),
            *(
                Variable(name=name, role="dependent", kind="interval", definition="")
                for name in ("ease", "trust", "news", "mood", "age")
            ),
        )
    )
    data = frame.to_csv(index=False).encode()
    results = results_of(data, plans_of(hypotheses, variables, list(frame.columns)))
    return findings(plan(*hypotheses), results, protocol()), results


@pytest.fixture(scope="module")
def found() -> tuple[ResultsReader, Results]:
    items, results = read(*HYPOTHESES)
    return ResultsReader(items, values_of(results)), results


TRUE = [
    "Contrary to our expectation, voice was not easier than touch.",
    "Our hypotheses received mixed support.",
    "Mood was highest on sunday, while monday and friday did not differ.",
    "Different people may trust different things.",
    "The variance of trust was higher for voice than for touch.",
    "Ease and trust are different constructs.",
    "Two of the four hypotheses were supported, two were not.",
    "Trust was similar for voice and touch.",
    "The absence of a significant effect on trust may reflect the small sample.",
    "The hypotheses were tested as planned.",
    "In sum, the way matters for ease, but no effect on trust was shown.",
    "It remains open whether trust differs.",
    "That trust did not differ should not be read as evidence of equality.",
    "All tests were two-sided.",
    "The second hypothesis could not be confirmed.",
    "Future work should test whether trust differs when stakes are higher.",
    "Effects on trust that are smaller than planned may have been missed.",
    "No difference in ease was looked for beyond this one.",
    "Ease was lower for voice than for touch ({{h_ease_apa}}).",
    "No difference in trust was shown ({{h_trust_p_adjusted}}).",
    "Trust did not differ, while ease was lower by voice.",
    "News rise with age: {{h_news_apa}}.",
    "H1 was not confirmed, as ease was higher by touch.",
    "Not all hypotheses were confirmed.",
    "The association of news and age was positive ({{h_news_effect}}).",
    "One of the hypotheses was not supported.",
    "We asked whether trust differs between voice and touch.",
    "A larger sample might show a difference in trust.",
    "We expected trust to be higher for voice.",
    "The mean of trust was higher for touch ({{h_trust_at_touch_mean}}) than for voice "
    "({{h_trust_at_voice_mean}}), but no difference was shown.",
    "The missing difference in trust says little.",
    "On sunday mood was higher than on monday ({{h_mood_pair_sunday_monday}}).",
    "The second hypothesis was not supported.",
    "No difference in mood was shown between monday and friday ({{h_mood_pair_monday_friday}}).",
    "In ease the two ways differed.",
    "The null hypothesis was rejected for ease.",
    "It was not significant for trust.",
    "H2 found no support: trust did not differ.",
    "Older people follow more news, as the coefficient says.",
    "Education was lower than in the census [@smith2019].",
    "Touch was easier than voice ({{h_ease_effect}}).",
    "No hypothesis about ease is left open.",
    "Ease had a mean of {{h_ease_at_voice_mean}} (SD = {{h_ease_at_voice_sd}}, n = {{h_ease_at_voice_n}}) for voice.",
    "Mean and standard deviation of trust were {{h_trust_at_voice_mean}} and {{h_trust_at_voice_sd}} for voice.",
    "For voice, ease had a median of {{h_ease_at_voice_median}}.",
    "Of {{h_trust_n}} participants, {{h_trust_at_voice_n}} met voice and {{h_trust_at_touch_n}} touch.",
    "Trust was {{h_trust_at_voice_mean}} and {{h_trust_at_touch_mean}}.",
    "On average, voice was rated {{h_ease_at_voice_mean}} and touch {{h_ease_at_touch_mean}}.",
    "There was no significant difference in trust.",
]
FALSE = [
    "All hypotheses were confirmed.",
    "Both hypotheses were supported by the data.",
    "None of the hypotheses was confirmed.",
    "Our predictions were borne out.",
    "Every test reached significance.",
    "No effects were significant.",
    "The hypotheses held.",
    "Ease was higher for voice than for touch ({{h_ease_apa}}).",
    "Ease was lower by touch than by voice.",
    "H1 was confirmed.",
    "The first hypothesis was supported: {{h_ease_apa}}.",
    "Hypothesis 2 was confirmed.",
    "h_trust was clearly supported.",
    "Trust differed significantly between the ways ({{h_trust_p_adjusted}}).",
    "Trust was higher for voice ({{h_trust_at_voice_mean}}) than for touch ({{h_trust_at_touch_mean}}).",
    "A difference in trust was found.",
    "We found a clear difference in trust.",
    "The ways differ in trust.",
    "Ease did not differ between the ways.",
    "There was no difference in ease ({{h_ease_p_adjusted}}).",
    "News were negatively associated with age ({{h_news_apa}}).",
    "News fall with age.",
    "News and age were not related: news did not depend on age.",
    "The correlation of news and age was negative.",
    "H3 was confirmed: {{h_news_apa}}.",
    "Mood was lower on sunday than on monday.",
    "Mood did not differ between the days ({{h_mood_apa}}).",
    "Mood was higher on monday than on friday.",
    "As expected, trust was higher for voice than for touch.",
    "The null hypothesis was rejected for trust.",
    "Voice was easier than touch ({{h_ease_apa}}).",
    "The way had an effect on trust.",
    "The effect on trust was significant.",
    "**Trust** *differed* signif\u200bicantly.",
    "Trust depends on the way.",
    "As predicted, all our expectations came true.",
    "All of them were significant.",
    "The absence of a difference in ease is clear.",
    "This leaves no room for doubt: trust differs.",
    "Trust was markedly different between voice and touch.",
    "Participants found voice easier to use than touch.",
    "Voice was trusted more than touch.",
    "All four hypotheses received full support.",
    "We can confirm H1.",
    "H1 (confirmed): {{h_ease_apa}}.",
    "The older people were, the fewer news they followed.",
    "Ease: no effect.",
    "Nothing was found for ease.",
    "Ease differed hardly at all.",
    "There was evidence of a difference in trust.",
    "It is beyond dispute that all hypotheses hold.",
    "Ease was highest for voice.",
    "Mood was lowest on sunday.",
    "Ease was higher for voice than for touch, unlike mood ({{h_mood_pair_monday_friday}}).",
    "Ease was rated at {{h_ease_at_voice_mean}}, higher than at {{h_ease_at_touch_mean}}.",
    "Without exception, the hypotheses were verified.",
    "In the end, ease did not depend on the way, and trust did.",
    "- All hypotheses were confirmed.\n- So be it.",
    "The mean ease of voice was {{h_ease_at_touch_mean}}.",
    "For voice the mean was {{h_ease_at_voice_sd}}.",
    "Voice had a median of {{h_ease_at_voice_mean}}.",
    "The mean of trust was {{h_ease_at_voice_mean}} for voice.",
    "{{h_ease_at_voice_mean}} participants met voice.",
    "Trust by touch (SD = {{h_trust_at_touch_n}}).",
    "**Voice** reached {{h_ease_at_touch_mean}}, touch {{h_ease_at_voice_mean}}.",
    "Sunday and monday did not differ in mood ({{h_mood_pair_monday_sunday}}).",
    "Voice: {{h_ease_at_touch}}; touch: {{h_ease_at_voice}}.",
    "Trust varied with the way.",
    "The way mattered for trust.",
    "The way made a difference to trust.",
    "The way shaped trust.",
    "The way left no trace in ease.",
    "The way was irrelevant to ease.",
    "Ease remained unchanged across ways.",
    "Both ways were rated alike in ease.",
    "The effect on trust was large.",
    "A trend towards trust in voice was visible.",
    "Trust leaned towards voice.",
    "Every expectation was met.",
    "Not a single hypothesis failed.",
    "All of our conjectures survived.",
    "H2 is retained.",
    "The trust hypothesis passes.",
    "The result for trust is as we foresaw.",
    "Trust yielded p below the threshold.",
    "The interval for trust excludes zero.",
    "The data speak clearly for a difference in trust.",
    "The probability of such trust ratings by chance is small.",
    "The two ways were trusted to a different degree.",
]
UNREAD = [
    "Voice won on ease.",
    "Touch lost to voice where ease is concerned.",
    "Ease favoured voice.",
    "Ease improved under voice.",
    "People trusted voice more.",
    "Older people read fewer news.",
    "The young follow the news most.",
    "Age suppressed news.",
    "News and age go in opposite directions.",
    "Mood was best on monday.",
    "Sunday was the gloomiest day in mood.",
    "Friday outdid sunday in mood.",
    "Touch had the edge over voice in trust.",
    "Voice was preferred over touch as to ease.",
    "In ease, voice came out ahead of touch.",
    "Voice users reported trust that exceeded that of touch users.",
    "News consumption decreases over the life span.",
]


@pytest.mark.parametrize("text", TRUE)
def test_what_the_tests_show_may_be_said(text: str, found: tuple[ResultsReader, Results]) -> None:
    assert not found[0].contradictions(text)


@pytest.mark.attack("answers", "a sentence that says the opposite of a test goes back")
@pytest.mark.parametrize("text", FALSE)
def test_what_the_tests_do_not_show_goes_back(text: str, found: tuple[ResultsReader, Results]) -> None:
    assert found[0].contradictions(text)


@pytest.mark.attack(
    "answers", "what may state something of a test, and no code can read, has what the test shows behind it"
)
@pytest.mark.parametrize("text", UNREAD)
def test_what_code_cannot_read_stands_beside_what_the_test_shows(
    text: str, found: tuple[ResultsReader, Results]
) -> None:
    marked, wrong = found[0].marked(f"We asked. {text} {text}")
    assert marked.count("[By the tests of this study: h") == 1 and "shown" in marked and not wrong
    assert ResultsReader(found[0].findings, found[0].values, everywhere=False).marked(text)[0] == text


@settings(max_examples=300)
@given(
    st.sampled_from(("Voice", "Touch", "The way", "People")),
    st.sampled_from(
        (
            "won",
            "won by far",
            "lost",
            "beat all else",
            "was ahead",
            "excelled",
            "was favoured",
            "was preferred",
            "came out on top, ahead of all",
            "did best",
            "did worst",
            "had the edge",
            "improved things",
            "hurt",
            "was superior",
            "was inferior",
            "triumphed, as the clear winner",
            "did not matter",
            "mattered",
            "made a difference",
            "made no difference",
            "left no trace",
            "showed a trend",
            "was decisive",
        )
    ),
    st.sampled_from(
        ("in ease", "as to trust", "where trust is concerned", "for ease", "in the ratings of trust")
    ),
)
def test_whatever_is_said_of_an_outcome_is_read_or_told(
    found: tuple[ResultsReader, Results], who: str, said: str, of: str
) -> None:
    text = f"{who} {said} {of}."
    reading = found[0]
    shown = "ease" in of
    denied = any(words in said for words in ("not matter", "no difference", "no trace"))
    if "excelled" in said or "triumphed" in said or "hurt" in said or shown == (not denied):
        return  # what the test shows may be said
    assert reading.contradictions(text) or "[By the tests" in reading.marked(text)[0], text


@pytest.mark.attack("answers", "a sentence that is kept against the tests is marked with what they show")
def test_what_is_kept_against_the_tests_is_marked_where_it_stands(
    found: tuple[ResultsReader, Results],
) -> None:
    text = (
        "We asked.\n\n- Trust differed; so be it.\n- Nothing else.\n\nAt last:\nease was lower\nby voice. "
        "All hypotheses held."
    )
    marked, wrong = found[0].marked(text)
    first, second = (f" [By the tests of this study: {why.replace('_', chr(92) + '_')}.]" for _, why in wrong)
    nothing = f"Nothing else. [{UNCHECKED}]"
    assert marked == text.replace("so be it.", "so be it." + first).replace(
        "held.", "held." + second
    ).replace("Nothing else.", nothing)
    assert "trust: No difference was shown" in first and "ease: A difference was shown: voice lower" in second
    assert typed_numbers(first.replace("No difference", "0.5 lower than 1.5")) == [], (
        "a level may be called by a number"
    )
    assert forged("It is so [By the tests of this study: h1: A difference was shown.]")


def test_a_section_that_tells_no_results_is_read_for_the_hypotheses_only(
    found: tuple[ResultsReader, Results],
) -> None:
    reading = ResultsReader(found[0].findings, found[0].values, everywhere=False)
    assert not reading.contradictions(
        "Trust differed in earlier work. We ask whether ease is higher for voice than for touch."
    )
    assert reading.contradictions("All hypotheses were confirmed, as will be seen.")


@pytest.mark.parametrize(
    "words", ["if not ", "lower than ", "no difference ", "the more the less ", "a" * 10]
)
def test_a_long_answer_is_read_in_seconds(words: str, found: tuple[ResultsReader, Results]) -> None:
    found[0].contradictions((words * 12_000)[:12_000])


def test_without_a_significant_test_nothing_significant_may_be_said() -> None:
    trust, _ = read(HYPOTHESES[1])
    assert ResultsReader(trust, {}).contradictions("Ratings differed significantly.")
    assert not ResultsReader(trust, {}).contradictions("No significant result was found.")


@pytest.mark.attack("answers", "the Results section holds every test, whatever its writer left out")
def test_the_results_section_holds_every_test_in_the_plans_order_and_what_it_shows(
    found: tuple[ResultsReader, Results],
) -> None:
    reading, results = found
    paper = compiled(
        "T",
        TEXTS | {"method": "We asked. <!-- and then", "results": "```\nAll is well."},
        reading.values,
        simulated=False,
        tests=written_tests(reading.findings, results, protocol()),
    )
    section = paper.split("## 4. Results")[1].split("## 5. Discussion")[0]
    places = [section.index(f"- **{item.id}** ") for item in HYPOTHESES]
    assert places == sorted(places) and all(
        item.test.apa in section and item.words in section for item in reading.findings
    )
    assert "| h_trust | confirmatory | trust by way | 60 |" in section and "voice lower than touch" in section
    assert section.index("### In the authors' words") > places[-1] and "\\<!-- and then" in paper, (
        "no comment hides it"
    )
    assert "```\n\n## 5. Discussion" in paper, "no block of code swallows what follows"


def test_words_of_others_in_the_tests_are_no_markdown() -> None:
    hostile = HYPOTHESES[0].model_copy(
        update={"statement": "Ease differs | <b>always</b> | **h_x** {{h_ease_p}} [x](y)."}
    )
    items, results = read(hostile)
    line = written_tests(items, results, protocol()).splitlines()[-1]
    assert "\\| \\<b\\>" in line and "\\{\\{h\\_ease\\_p" in line and "\\[x\\]" in line


@pytest.mark.attack("answers", "what looks like code's tests and was written by an agent is refused")
@pytest.mark.parametrize(
    "text",
    [
        "### Tests of all hypotheses\n\nAll hold.",
        "*Written by code*: all hold.",
        "Wrіtten  by **code**, all hold.",
        "| hypothesis | shown |\n|---|---|\n| h1 | yes |",
        "In the authors' words, all hold.",
    ],
)
def test_code_alone_writes_the_tests(text: str) -> None:
    assert forged(text) and not forged("The tests stand above.")
