"""A number that counts nothing was typed, and a name that tells something is a reference, in whatever words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.study.wording.citing import invented
from tasks.study.wording.typed import typed_numbers

pytestmark = pytest.mark.unit
TOLD = (
    "Is voice or touch easier, and is trust lower? The American National Election Study asks it, with seven rating items from 1 to 7, "
    "four items of the scale ease and three items of the scale trust; 2 conditions, 2 analyses. Times a week: from 0 to 7."
)
SMALL = "two three four five six seven eight nine ten".split()


@pytest.mark.attack("answers", "a number in words goes back, in whatever language")
@pytest.mark.parametrize(
    "text",
    [
        "Ease went from three to five.",
        "p was a thousandth.",
        "The odds were five to one.",
        "alpha was point nine",
        "Die Leichtigkeit stieg von vier auf sechs.",
        "L'aisance passa de trois à cinq.",
        "La facilidad subió de cuatro a seis.",
        "Лёгкость выросла с трёх до пяти.",
        "Het steeg van drie naar vijf.",
        "r near unity",
        "Trust stood at four.",
        "Reliability was in the nineties.",
        "The mean came to IV.",
        "Ease climbed three points.",
        "Ease rose by a point.",
        "The effect was half a standard deviation.",
        "Eleven chose voice.",
        "All but three chose voice.",
        "8 preferred voice",
        "Voice got a five from most.",
        "d lay at one.",
        "Effect: one.",
        "The ratio was two to three.",
        "A 4-to-1 lead.",
    ],
)
def test_a_number_that_counts_nothing_was_typed(text: str) -> None:
    assert typed_numbers(text)


@pytest.mark.parametrize(
    "text",
    [
        "Two conditions and seven rating items were used.",
        "Four items form the scale ease; three form the scale trust.",
        "We asked whether the two differ.",
        "Each was rated from one to seven, or from 1 (not at all) to 7 (fully).",
        "times a week, zero to seven",
        "No one was left out, and one phone was used by one model.",
        "The interval includes zero.",
        "Two of the hypotheses were confirmed.",
        "Two more analyses are exploratory.",
        "In 1996 and 2019, at 9:30, with iOS 17 and version 1.2.3",
        "A third, on the time, is exploratory.",
    ],
)
def test_a_number_that_counts_may_be_typed(text: str) -> None:
    assert not typed_numbers(text, TOLD)


@given(
    st.sampled_from(("Ease was", "Trust lay at", "The mean came to", "It fell to", "They gave it", "Ease: ")),
    st.sampled_from(SMALL),
    st.sampled_from((".", " for voice.", ", as we saw.", " and rose.")),
)
def test_a_value_in_words_is_typed(before: str, number: str, after: str) -> None:
    assert typed_numbers(f"{before} {number}{after}")


@pytest.mark.attack("answers", "who is said to have said so is a reference")
@pytest.mark.parametrize(
    "text",
    [
        "Smith's team found it first.",
        "Nielsen tells us so.",
        "Smith found the same.",
        "A Cochrane review concludes so.",
        "A Pew survey has it.",
        "The Stanford group has shown it.",
        "Researchers at Google agree.",
        "Gallup has it that most like voice.",
        "The WHO recommends voice.",
        "Kahneman would have foreseen it.",
        "This is in the spirit of Weiser.",
        "We owe this to Shneiderman.",
        "It was Fitts who taught us this.",
        "This echoes earlier findings.",
        "как показал Иванов",
        "Иванов показал то же самое.",
        "山田 found so.",
        "山田によれば、声は楽である",
        "Laut Müller ist Sprache leicht.",
        "Wie Müller gezeigt hat, ist Sprache leicht.",
        "Selon Dupont, la voix est facile.",
        "García lo demostró.",
        "Zoals Jansen aantoonde.",
        "osf.io/abcd",
        "See www.example.org for more.",
        "Available at github.com/smith/voice",
    ],
)
def test_who_is_said_to_have_said_so_is_a_reference(text: str) -> None:
    assert invented(text, [], TOLD)
    assert not invented(text, [], f"{TOLD} {text}"), "the user's own words may be repeated"


@pytest.mark.parametrize(
    "text",
    [
        "Participants told us so. Voice tells the time, and touch says little.",
        "Clinton and Dole were the candidates.",
        "Krippendorff's alpha, Welch's test, Cohen's d and the Mann-Whitney test were used.",
        "The Kruskal-Wallis test found no difference. H1 found no support.",
        "The American National Election Study holds the data.",
        "Older respondents said so, and Monday showed higher mood.",
        "However, nothing was found. Reading aloud told us little.",
        "Figure 2 shows it, Section 3 describes it, and results.json holds it.",
        "Siri and Alexa are assistants; the ANES asked people.",
    ],
)
def test_things_of_a_study_are_no_references(text: str) -> None:
    assert not invented(text, [], TOLD)


@pytest.mark.parametrize(
    "words", ["one ", "two and ", "from one to ", "Smith has ", "a.", "山", "as in ", "12:"]
)
def test_a_long_answer_is_read_in_seconds(words: str) -> None:
    typed_numbers((words * 12_000)[:24_000])
    invented((words * 12_000)[:24_000], [])
