"""What compares, ranks, praises or tells an amount stands beside a measured number of its sentence, or not in the paper."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.explore.science_data import ScienceData
from tasks.explore.paper.markup import inlines
from tasks.explore.paper.typed_numerals import typed_numbers
from tasks.explore.paper.unbound import unbound, unbound_in, without_unbound
from tests.unit.paper.paper_fixture import number, science_data

pytestmark = pytest.mark.unit


def data() -> ScienceData:
    found = science_data()
    return found.model_copy(
        update={
            "derived": (
                *found.derived,
                number("baseline.time", 16.2, 0.1, node_id="n002"),
                number(
                    "best.time.gain",
                    1.3,
                    0.1,
                    "",
                    kind="derived",
                    derived_from=("best.time", "baseline.time"),
                ),
                number("nodes.better", 2, unit="", kind="counted", node_id=""),
                number("nodes.total", 3, unit="", kind="counted"),
                number("n001.param.rows", 8, unit="", kind="parameter"),
                number("n001.ratio", 5.0, unit="", kind="reported"),
            )
        }
    )


DATA = data()
SUBJECTS = (
    "Our program",
    "The new kernel",
    "It",
    "The blocked version",
    "This approach",
    "What we found",
    "Strip mining",
    "Each of our programs",
)
VERBS = (
    "improves",
    "improved",
    "accelerates",
    "accelerated",
    "boosts",
    "outperforms",
    "outpaces",
    "outstrips",
    "beats",
    "surpasses",
    "eclipses",
    "wins over",
    "degrades",
    "worsens",
    "sped up",
    "outdoes",
    "outclasses",
    "overtakes",
    "trumps",
    "dominates",
    "lags behind",
    "speeds up",
    "excelled over",
    "defeats",
    "betters the time of",
    "cuts the time of",
    "lowers the error of",
    "shrinks the run time of",
    "saves time over",
    "slashes the cost of",
)
STATES = (
    "faster",
    "better",
    "much quicker",
    "superior",
    "far ahead",
    "more efficient",
    "worse",
    "slower",
    "clearly sharper",
    "closer",
    "the best",
    "the fastest of all",
    "by far the quickest",
    "the most accurate",
    "as fast",
    "on a par",
    "indistinguishable",
    "no different, which is no difference",
    "excellent",
    "remarkably good, an impressive speed-up",
    "unmatched",
    "state of the art",
    "a breakthrough",
    "second to none",
    "significant",
    "highly efficient",
    "leaner",
    "ranked first",
    "in the lead",
    "out in front",
)
OTHERS = (
    "the first program",
    "the other one",
    "what came before",
    "all others",
    "the provided code",
    "its parent",
)
AMOUNTS = (
    "by far",
    "by a wide margin",
    "considerably",
    "in a fraction of the time",
    "many times over",
    "a lot",
    "by six points",
    "by several levels",
    "two notches better",
    "by an impressive amount",
    "dramatically",
    "most of the time",
)


@pytest.mark.attack("answers", "a comparison in words without a measured number is not in the paper")
@settings(max_examples=400)
@given(
    st.sampled_from(SUBJECTS),
    st.one_of(
        st.tuples(st.sampled_from(VERBS), st.sampled_from(OTHERS)).map(" ".join),
        st.tuples(
            st.sampled_from(
                (
                    "is",
                    "was",
                    "proved to be",
                    "turned out",
                    "remains",
                    "became",
                    "came out",
                    "was found to be",
                )
            ),
            st.sampled_from(STATES),
            st.sampled_from(("", *(f"than {other}" for other in OTHERS))),
        ).map(" ".join),
    ),
    st.sampled_from(("", *AMOUNTS)),
    st.sampled_from(
        (
            "",
            " on {{machine.cpu}}",
            " with {{n001.param.rows}} rows",
            " in {{nodes.total}} experiments",
            " at {{n001.ratio}}",
            ", see [fig:times]",
        )
    ),
    st.sampled_from(
        (
            "",
            "As the table shows, ",
            "Clearly, ",
            "It can be said that ",
            "On this machine, ",
            "We note: ",
            "Without doubt ",
            "If anything, ",
        )
    ),
)
def test_no_comparison_in_words_stands_alone(
    subject: str, said: str, amount: str, beside: str, before: str
) -> None:
    claimed = " ".join(f"{said} {amount}".split())
    sentence = f"{before}{subject[0].lower() + subject[1:] if before else subject} {claimed}{beside}."
    assert unbound(sentence, DATA), sentence
    assert without_unbound(f"It was run. {sentence}", DATA)[0] == "It was run."


@settings(max_examples=200)
@given(st.sampled_from(SUBJECTS), st.sampled_from(VERBS), st.sampled_from(OTHERS))
def test_the_same_with_a_measured_number_may_stand(subject: str, verb: str, other: str) -> None:
    for beside in ("{{best.time}} against {{baseline.time}}", "a factor of {{best.time.gain}}"):
        assert not unbound(f"{subject} {verb} {other}: {beside}.", DATA)


@pytest.mark.attack("answers", "an amount in words is refused even beside a measured number")
@settings(max_examples=300)
@given(
    st.sampled_from(
        (
            "improved",
            "is better",
            "was accelerated",
            "wins",
            "is ahead",
            "was reduced",
            "gained",
            "fell",
            "is faster",
            "outperforms it",
            "was lowered",
        )
    ),
    st.sampled_from(
        (
            "two",
            "three",
            "six",
            "nine",
            "twelve",
            "several",
            "a few",
            "a couple of",
            "half a",
            "a single",
            "many",
        )
    ),
    st.sampled_from(
        (
            "points",
            "units",
            "levels",
            "notches",
            "marks",
            "places",
            "digits",
            "decades",
            "sigmas",
            "standard errors",
            "bits",
            "lengths",
        )
    ),
    st.sampled_from(("", "about ", "nearly ", "at least ")),
)
def test_no_amount_in_words(verb: str, count: str, unit: str, about: str) -> None:
    sentence = f"At {{{{best.time}}}} it {verb} by {about}{count} {unit}."
    assert typed_numbers(inlines(sentence)), sentence


ALWAYS = [
    "At {{best.time}} it is faster than any known program.",
    "With {{best.time}} it sets a new world record.",
    "{{best.time}} is unmatched.",
    "{{best.time}} is beyond the state of the art.",
    "At {{best.time}} it beats all published codes.",
    "{{best.time}}: the best ever.",
    "With {{best.time}} it outperforms existing methods, {{baseline.time}}.",
    "{{best.time}} is better than the previous work of all others, {{baseline.time}}.",
]
ALONE = [
    "It takes a fraction of the time.",
    "It accelerates the update.",
    "Longer fractions are closer.",
    "The error is lower.",
    "Most of the gain comes from the strips.",
    "Little of the error is left.",
    "There is almost no overhead.",
    "It does best.",
    "The lead is clear: we rank first.",
    "Blocks make all the difference.",
    "It has an edge over rows.",
    "It runs for free.",
    "No other program comes close.",
    "Rows made no difference.",
    "The errors vanished.",
    "The time fell.",
    "It reaches the lowest error.",
    "The improvement is statistically sound.",
    "Strips pay off.",
    "The results are excellent.",
    "We present a faster kernel.",
    "Ours is faster [@smith2020stencil].",
    "It was a success: it succeeded where rows failed, and won the race.",
    "We tried to be quick and are faster.",
    "If anything ours is faster.",
    "As may be seen ours is faster.",
    "No one can say that it is not faster.",
    "How much faster it is!",
    "- faster than rows\n- so it is",
    "### Faster than ever",
    "It is `faster`.",
    "It is $\\text{faster}$.",
    "We ask you to note: it is faster.",
    "It might be said that it is faster.",
    "Our kernel leaves the provided one in the dust.",
    "The run finishes in next to no time.",
    "Blocking turned a slow program into a quick one.",
    "The old program needs ages.",
    "The program flies.",
    "The result is hard to beat.",
    "Ours takes the cake.",
    "The error is down to nothing.",
    "Rows did not help.",
    "Strips help a great deal.",
    "The new design reflects hardly any light.",
    "Our program is the champion.",
    "The time was brought down sharply.",
    "It is a game changer.",
    "A clear winner emerged: strips.",
    "Nothing we tried was as good.",
    "The baseline is no match for it.",
    "The provided program is far too slow.",
    "Its speed is impressive.",
    "There is a world of difference between the two.",
    "The method scales perfectly.",
    "The improvement holds everywhere.",
    "Reflectance is all but gone.",
    "It shaves off most of the wait.",
    "The candidate crushed the baseline.",
    "Compared with the first, this is a leap.",
    "It more than makes up for the extra memory.",
    "All rivals fall short.",
    "The program has been optimised to the limit.",
    "We reach the theoretical bound.",
    "The results confirm our hypothesis.",
    "Blocks are the right choice.",
    "The new one is preferable.",
    "It is noticeably snappier.",
    "The approach is successful.",
    "We achieved our goal.",
    "The time per update was trimmed substantially.",
    "The winner is the blocked kernel.",
    "Views are a bottleneck.",
    "It costs less.",
    "It is as quick as lightning.",
    "Compared to the provided design, light is suppressed strongly.",
    "It saves a lot.",
    "Strips win.",
    "The speed went up.",
    "We made it faster.",
    "The more strips, the faster it runs.",
    "It is the quickest.",
    "The error sank.",
    "It is quick.",
    "It is fast.",
    "The candidate leaves all other programs standing.",
    "Blocks bring the kernel to its peak.",
    "The runtime is now tolerable.",
    "The design is close to ideal.",
    "Most of what was lost is regained.",
    "The old code took ages by comparison.",
    "The approach is hard to improve upon.",
    "This is where the largest jump happens.",
    "It removes the bulk of the waiting.",
    "Errors are practically gone.",
    "The kernel now runs at memory speed.",
    "A single change explains all of the progress.",
    "The third film is worth more than all the others together.",
    "Our kernel needs fewer seconds.",
    "The kernel is as good as memory allows.",
    "The reflectance collapses.",
    "The program has never been so quick.",
    "The improvement is real.",
]
MAY_STAND = [
    "### What was fastest",
    "Each program was run and its printed number compared with pi by the frozen one.",
    "So no design gains by errors of the grid.",
    "Which of the two is faster?",
    "We ask which is faster.",
    "We asked whether blocks make a difference.",
    "Lower is better.",
    "A difference inside the noise counts as no improvement.",
    "The goal was to make the update faster.",
    "We tried to improve the locality of the loop.",
    "To speed up the sum, rows are added in pairs.",
    "A larger cache might make blocks faster.",
    "A longer run could show a difference.",
    "Smaller blocks fit into the cache.",
    "The grid is larger than the cache.",
    "Blocks shorter than a row were tried.",
    "Longer vectors were not tried.",
    "The best program is written with views.",
    "The best program needs {{best.time}}.",
    "Fewer temporaries are allocated.",
    "The first program allocates more than one array.",
    "Each candidate was measured in turns with its parent.",
    "Nothing is claimed about a gain on other machines.",
    "We do not claim that it is faster elsewhere.",
    "How the gain depends on the size was not varied.",
    "No better program was found.",
    "Blocking is faster where data fit the cache [@smith2020stencil].",
    "Results agree to all significant digits.",
    "A gain counts only if it exceeds the noise.",
    "Of {{nodes.total}} experiments {{nodes.better}} were better than the one they were made from.",
    "It is faster: {{best.time}} against {{baseline.time}}.",
    "A factor of {{best.time.gain}} was gained.",
    "If it is faster, it is kept.",
    "Other programs ran at the same time.",
    "The error bars are standard errors.",
    "Single precision failed the check.",
    "The laser has an optical gain that was not modelled.",
    "No error bars are given.",
    "The nearest neighbours are summed.",
    "A test is run first.",
    "The machine was under load.",
    "The number of rows is even.",
    "The thickness is no longer a parameter.",
    "The index is higher in the second film.",
    "The sum runs over all neighbours.",
    "It was measured {{measure.repeats}} times.",
    "One machine was measured.",
    "Whether a gain remains on other machines is open.",
    "A candidate that fails a check has no metric.",
    "We wanted to find out if strips help.",
    "The code was tested after each change.",
    "Nodes of the kind `improve` change the program.",
    "Roofline models bound what a program reaches [@smith2020stencil].",
    "The program is started once for each run.",
    "Blocks of rows are computed one after the other.",
    "The field is copied before each step.",
    "The table lists all programs.",
    "The check compares the sum with a plain one.",
    "Time is taken by the kernel's count of the process.",
    "The best program is shown in [fig:times].",
    "Memory traffic is what costs time [@smith2020stencil].",
    "The parent was measured in the same session.",
    "The next step is to vary the size of the grid.",
    "The first program follows the formula.",
    "Other sizes of grid were not measured.",
    "Temporary arrays are allocated at every step.",
    "It keeps the higher resolution of the two.",
    "The program with strips needs {{best.time}}.",
    "The idea is that strips stay in the cache.",
    "The second film has the higher index.",
    "The search ended when all nodes were used up.",
    "Single precision is less exact by nature.",
    "The finer grid counts.",
    "Results were compared with theory.",
    "The programs differ in how they go through memory.",
    "The design was refined until it no longer changed.",
    "Both resolutions agree.",
    "Three programs failed.",
    "Two of the experiments did not run.",
    "Noise from other programs is in the error bars.",
    "More than one machine would be needed to say so.",
    "The measurement is repeated, and its median counts.",
]


@pytest.mark.attack("answers", "what nothing of a run can measure is not in the paper")
@pytest.mark.parametrize("text", ALWAYS)
def test_what_no_run_measures_never_stands(text: str) -> None:
    assert unbound_in(text, DATA)


@pytest.mark.attack("answers", "a statement of quality without its number is not in the paper")
@pytest.mark.parametrize("text", ALONE)
def test_a_statement_without_its_number_is_found(text: str) -> None:
    assert unbound_in(text, DATA)


@pytest.mark.parametrize("text", MAY_STAND)
def test_honest_sentences_stay(text: str) -> None:
    assert not unbound_in(text, DATA) and without_unbound(text, DATA) == (text, [])


@pytest.mark.parametrize(
    "words", ["is not any ", "faster than ", "how the gain ", "time of the ", "may we to be ", "a" * 12]
)
def test_a_long_text_is_read_in_seconds(words: str) -> None:
    unbound_in((words * 12_000)[:12_000], DATA)


@pytest.mark.attack("answers", "a number that only a node's own program reported is in no abstract")
def test_no_reported_number_stands_in_the_abstract_or_title() -> None:
    text = "Its own count is {{n001.ratio}}. It needs {{best.time}} with {{n001.param.rows}} rows."
    assert not unbound_in(text, DATA) and unbound_in(text, DATA, headline=True)
    assert without_unbound(text, DATA, headline=True) == (
        text.split(". ", 1)[1],
        ["Its own count is {{n001.ratio}}."],
    )
