"""A sentence about what was studied stands bare where code has read it or where it is recognisably no finding; else it is marked."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.study.writing import ON_RESULTS
from schemas.study.answers import ScopeAnswer
from tasks.prose.comparing import sentences
from tasks.study.test_findings import findings
from tasks.study.wording.claims_of_tests import ResultsReader
from tasks.study.wording.placeholders import NOTE, UNCHECKED, values_of, without_notes
from tasks.study.wording.typed import typed_numbers
from tests.unit.study.study_fixture import protocol
from tests.unit.study.test_study_bundled import of_votes, recorded
from tests.unit.study.test_study_claims import HYPOTHESES, read

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def reading() -> ResultsReader:
    items, results = read(*HYPOTHESES)
    return ResultsReader(items, values_of(results))


# Ease: voice lower than touch. Trust: no difference. News: rises with age. Mood: sunday higher than monday and friday.
FALSE = [
    "Voice carried the day.",
    "It was voice that people warmed to.",
    "Touch made people uneasy when they had to trust it.",
    "Trust is something that only touch can buy.",
    "We can trust touch more than voice, as our participants taught us.",
    "The participants, to a man, sided with touch.",
    "People were of one mind about trust.",
    "Once people had tried touch, trust was never in question.",
    "In ease there was daylight between the ways, with voice in the sun.",
    "Voice is the easy way and touch is the hard one.",
    "Give people voice and ease follows.",
    "For the ease of its users, voice has no rival.",
    "Nothing rivals voice for ease.",
    "With voice, timers are child's play.",
    "Touch asks too much of people.",
    "Touch users gave up sooner.",
    "Fingers are slow and voices are quick.",
    "Age keeps people away from the news.",
    "The old switch off the news.",
    "News is for the young.",
    "As people grow old, news leaves their lives.",
    "Those who are young live on news.",
    "Age and news pull apart.",
    "Age is the enemy of news.",
    "Knowing a person's age tells us nothing about their news.",
    "News knows no age.",
    "News and age have nothing to do with one another.",
    "Sunday is the blue day of the week.",
    "Fridays lift the mood.",
    "On fridays people were glad, on mondays they were not.",
    "Monday and friday are worlds apart in mood.",
    "The week starts well and ends badly in mood.",
    "Mood follows the week down to sunday.",
    "Mood was flat through the week.",
    "No day was like another in mood.",
    "Every day has the same mood.",
    "Our theory stands vindicated.",
    "This is a success on every count.",
    "The study delivered on all its promises.",
    "We got what we came for.",
    "We found what we were looking for.",
    "The hunch was right.",
    "Nothing contradicts what we believed.",
    "There were no surprises.",
    "The outcome is what anyone would have hoped for.",
    "All four checks turned green.",
    "The evidence is overwhelming.",
    "The picture is clear.",
    "The case for touch is closed.",
    "The verdict is unanimous.",
    "The numbers leave nothing to argue about.",
    "The answers settle the matter in favour of touch.",
    "We may now rest the case: touch is trusted.",
    "It may surprise some that trust was low by voice.",
    "Whether one likes it or not, touch is where trust lives.",
    "If there is one lesson, it is that touch breeds trust.",
    "We asked people, and they told us that touch deserves trust.",
    "We measured trust, which was low by voice.",
    "We tested our hypotheses and every one of them came through.",
    "The ratings of trust were collected from people who adored touch.",
    "Designers should take from this that people trust touch.",
    "Designers can rely on the trust that touch brings.",
    "Who would still doubt that touch is trusted?",
    "Is there any way but touch?",
    "Does voice cost trust? It does.",
    "Future work should ask why touch is trusted so much.",
    "The limits of voice show in the trust it gets.",
    "A limitation of voice is its poor trust.",
    "Voice cannot compete.",
    "Voice does not inspire trust.",
    "People do not trust voice.",
    "People cannot trust what they cannot see, and voice shows nothing.",
    "Trust remains with touch.",
    "Trust requires touch.",
    "Trust, in short, equals touch.",
    "Trust by touch: excellent; trust by voice: wanting.",
    "The gap between the ways in trust is real and it is wide.",
    "How much people trust depends, it turns out, on their fingers.",
    "Compared with voice, touch is a haven of trust.",
    "In the end the machine that listens is not the machine that people believe.",
    "We compared the beloved touch with the dreaded voice.",
    "Participants used voice and touch with very different joy.",
    "Participants completed the trust items in favour of touch.",
    "We report that trust was low by voice.",
    "We describe how touch won the trust of people.",
    "The trust that was measured for touch was immense.",
    "Voice and touch were compared, and the loser was voice.",
    "The questionnaire shows voice as the untrusted way.",
    "Trust and ease both come from touch.",
    "Our hypotheses were answered in full.",
    "The hypotheses were tested with the result we had in mind.",
    "All hypotheses were tested and none was left standing.",
    "Both ways were tested and found wanting.",
    "The data were analysed and smiled on voice.",
    "The analysis concerns the poor trust in voice.",
    "Trust may be a matter of hands, since touch had it and voice had not.",
    "Voice might be the future, given how people loved it here.",
    "If voice is easy, and it is, then people will use it.",
    "Although voice could be wrong, ease was on its side.",
    "Whether or not we expected it, voice was a joy.",
    "Voice, which was measured first, was a joy to all.",
    "We asked which of the two is trusted, and got touch for an answer.",
    "We did not find trust in voice.",
    "We could not find any trust in voice.",
    "It cannot be overlooked that touch is trusted.",
    "We do not doubt the trust that touch enjoys.",
    "No test is needed to see that touch is trusted.",
    "There is no finding against touch.",
    "The results say nothing against voice.",
    "It remains true that touch is trusted.",
    "Nothing here speaks against our hypotheses.",
    "Not one participant spoke for voice.",
    "Hardly anybody trusted voice.",
    "People said of voice: never again.",
    '"Voice is a joy", as one participant put it for all.',
    "Ease: voice; trust: touch.",
    "Voice: easy. Touch: hard.",
    "Trust goes to touch.",
    "A clear case of touch over voice in trust.",
    "Ten out of these tests came out our way.",
    "Trust for touch, ease for voice.",
    "Such is the trust in touch.",
    "Hence the trust in touch.",
    "So much for voice.",
    "No wonder that people trust touch.",
    "Touch it is.",
    "In a word, touch.",
    "What a day sunday is for sorrow.",
    "Sunday, of all days, was sad.",
    "Age? It does not matter for news.",
    "Are the young not the ones who read the news?",
    "News, then, is a pastime of the young (see the tests above).",
    "The coefficient says that the young follow the news.",
    "The sign of the association is what we expected: negative.",
    "The slope points down.",
    "The lines fall from left to right.",
    "The figure shows news falling with age.",
    "As the figure shows, the old read little.",
    "Bars for voice tower above those for touch in ease.",
    "The interval lies on the side of voice.",
    "On the whole the participants felt at home with voice.",
    "Ease did what we wanted it to do.",
    "The trust question is settled.",
    "Trust was, by and large, a touch affair.",
    "To nobody's surprise, touch was trusted.",
    "The winner is voice.",
    "Voice, hands down.",
    "Give it time and voice will be trusted.",
    "That touch is trusted needs no further proof.",
    "Participants came away with more trust in touch.",
    "The two ways could not have been further apart on trust.",
    "Mood tells monday from friday.",
    "A monday is no friday.",
    "Sunday and gloom go together.",
    "Older participants had little time for the news.",
    "The effect of age on news is one of decline.",
    "The news of the old is thin.",
    "Ease is not the strength of touch.",
    "Ease was lost in touch.",
    "The participants were tested and trusted touch.",
    "The test of trust came out positive.",
    "Trust passed the test.",
    "All tests point the same way.",
    "All three confirmatory tests succeeded.",
    "The main test was a success, the others were, too.",
    "The planned test of trust was significant, if barely.",
    "As the tests above show, our view is right.",
    "Everything in the table above is as we predicted.",
    "We set out to show that touch is trusted, and we did.",
    "Our view of trust is that of our participants.",
    "The experiment worked.",
    "What was asked was answered, and the answer is touch.",
    "In the answers, touch and trust are one.",
    "There is more trust where there is touch.",
    "The more touch, the more trust.",
    "Trust follows touch.",
    "Half the trust of voice is gone.",
    "With touch came trust, with voice came ease.",
    "Both hypotheses on ways were on target.",
    "This leaves little doubt about trust.",
    "Voice and touch were compared in trust, to the latter's credit.",
    "Participants used voice and touch; they kept touch.",
    "We recommend touch, the trusted way.",
    "Touch should be used wherever trust is needed.",
    "Trust must be given to touch.",
    "The trust items were answered in one direction: touch.",
    "News was measured and found to shrink with age.",
    "As age goes up, news goes down.",
    "We analysed news by age: a steady fall.",
    "It can be read from the table that trust differs.",
    "Trust was set by the way.",
    "The hypotheses were kept.",
    "The difference was reported by everyone.",
    "It could be called a success.",
    "That could be called proof.",
    "It is not known that anyone disliked voice.",
    "Further studies will confirm it.",
    "More trials could only strengthen it.",
    "One reason could be that voice is loved, as seen here.",
    "What was confirmatory was confirmed.",
    "Our results describe a country at peace.",
    "The study provides strong evidence for our model.",
]
NO_FINDING_OR_HELD = [
    "We compared voice and touch in a within-subjects study.",
    "We asked whether the two ways differ in ease and in trust.",
    "People took part in exchange for a voucher.",
    "Each participant met both conditions in a counterbalanced order.",
    "Participants answered a questionnaire after each task.",
    "Ease and trust were each measured with four items.",
    "All tests were chosen by rule and computed by code.",
    "The analysis was planned before the data were collected.",
    "Ease was lower for voice than for touch ({{h_ease_apa}}).",
    "No difference in trust was shown between voice and touch ({{h_trust_apa}}).",
    "News rose with age ({{h_news_apa}}).",
    "In an exploratory analysis, mood was higher on sunday than on monday ({{h_mood_pair_monday_sunday}}).",
    "No difference in mood between monday and friday was shown ({{h_mood_pair_monday_friday}}).",
    "The mean ease was {{h_ease_at_voice_mean}} for voice and {{h_ease_at_touch_mean}} for touch.",
    "The first hypothesis was not supported.",
    "The second hypothesis was not supported either: no difference in trust was shown.",
    "Our results should be read with the small sample in mind.",
    "That no difference in trust was shown does not mean that there is none.",
    "A larger sample might show smaller effects.",
    "The lower ease of voice may reflect misunderstandings by the assistant.",
    "One explanation could be that speaking aloud is unusual in a shared office.",
    "Participants may have judged the ways by their first try.",
    "Whether the difference persists with practice remains open.",
    "Our study has several limitations.",
    "First, all participants were recruited at one university.",
    "Second, we measured ease by self-report only.",
    "Fourth, the scales have not been validated.",
    "We did not record how long participants took.",
    "Older people may have more time for news.",
    "Mood was rated once a day only.",
    "The comparison of days was exploratory and was not corrected for further tests.",
    "Future work should test whether trust differs when stakes are higher.",
    "Future studies could compare voice and touch in the home.",
    "We plan to repeat the study with older adults.",
    "Designers should not conclude from these results that voice is unsuitable.",
    "Earlier work found voice to be easier in the car [@smith2019].",
    "This paper contributes a protocol and a data set.",
    "The data, the code and the questionnaire are in the package.",
    "All numbers can be computed again from the package.",
    "No participant was left out.",
    "The study was approved by the ethics board of our university.",
    "All participants gave informed consent.",
    "We conclude that ease was lower for voice, while no difference in trust was shown.",
    "We studied how people set a timer by voice and by touch.",
    "Ease was higher by touch, whatever the order.",
    "We cannot tell whether participants understood the items alike.",
    "The order of conditions was not analysed.",
    "Other measures, such as time on task, were not collected.",
]


@pytest.mark.attack(
    "answers", "what may be a finding, in words that no code knows, is marked where it stands"
)
@pytest.mark.parametrize("text", FALSE)
def test_what_no_code_has_read_never_stands_bare(text: str, reading: ResultsReader) -> None:
    marked, wrong = reading.marked(text)
    assert wrong or UNCHECKED in marked or "[By the tests" in marked


@pytest.mark.parametrize("text", NO_FINDING_OR_HELD)
def test_what_was_done_asked_or_is_open_and_what_the_tests_bear_out_stands_bare(
    text: str, reading: ResultsReader
) -> None:
    assert reading.marked(text) == (text, [])


@settings(max_examples=300)
@given(
    st.sampled_from(
        ("Trust", "Touch", "People", "The participants", "Our hypotheses", "News", "Everything", "It")
    ),
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=5, max_size=12),
    st.sampled_from(("", " the other", " with touch", " for voice", " people", " as we had said")),
)
def test_a_verb_that_nobody_knows_is_marked(reading: ResultsReader, who: str, verb: str, what: str) -> None:
    text = f"{who} zz{verb}{what}."
    marked, wrong = reading.marked(text)
    assert wrong or marked != text
    asked = f"We asked people, and {text[0].lower()}{text[1:]}"
    assert reading.marked(asked)[0] != asked, "what was done before it covers nothing"


def test_sentences_in_a_row_have_one_note_and_a_draft_is_given_back_without(reading: ResultsReader) -> None:
    text = "We asked people. All zigged. All zagged. Ease was lower for voice than for touch. Nobody zogged."
    marked, wrong = reading.marked(text)
    assert (
        marked
        == text.replace("zagged.", f"zagged. [the last 2 sentences were {UNCHECKED}]") + f" [{UNCHECKED}]"
    )
    assert without_notes(marked) == text and not wrong and not typed_numbers(marked)
    told = "Trust zigged with voice."
    assert without_notes(reading.marked(told)[0]) == told != reading.marked(told)[0]


def test_a_caption_may_say_what_its_signs_are(reading: ResultsReader) -> None:
    for fair in (
        "Ease of each way. Grey lines: one participant each. Diamonds: means with intervals.",
        "News and age.",
    ):
        assert reading.marked(fair, title=True)[0] == fair
    for false in ("Voice towers above touch in ease.", "Results as we had hoped."):
        assert reading.marked(false, title=True)[0] != false
    shown = "![Voice towers above touch in ease](figures/ease.png)"
    assert reading.marked(shown)[0] != shown


def test_a_number_behind_a_sentence_binds_it_where_it_tells_what_was_tested(reading: ResultsReader) -> None:
    fair = "Older people follow it more often. {{h_news_apa}}."
    assert reading.marked(fair)[0] == fair
    for bare in (
        "Older people follow it less ({{h_news_p}}).",
        "Voice came out on top ({{h_ease_apa}}).",
        "We won ({{n_rows}}).",
    ):
        assert reading.marked(bare)[0] != bare


def test_of_a_recorded_paper_at_most_one_sentence_in_nine_is_marked() -> None:
    said, results = recorded("voter-leanings"), of_votes()
    plan = ScopeAnswer.model_validate(said["scope_planner.scope"]).plan
    texts = {
        label.rsplit("-", 1)[1]: answer["text"]
        for label, answer in said.items()
        if label.startswith("section_writer_study.")
    }
    marks, number = 0, 0
    for name, text in texts.items():
        reading = ResultsReader(
            findings(plan, results, protocol()), values_of(results), everywhere=name in ON_RESULTS
        )
        marked, wrong = reading.marked(text)
        assert not wrong
        marks += len(re.findall(rf"\[(?:{NOTE}|{UNCHECKED}|the last \d+ sentences)", marked))
        number += len(sentences(text))
    assert len(texts) == 7 and 0 < marks <= number / 9, (
        "what no test bears out is marked in an honest paper, too"
    )
