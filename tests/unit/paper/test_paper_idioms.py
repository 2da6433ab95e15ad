"""Formulas that number or order results, numbers that a node set in headlines, and praise in words that no list knows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.explore.paper.beyond import NOTE, Reader
from tasks.explore.paper.formula_claims import compared
from tasks.explore.paper.markup import inlines
from tasks.explore.paper.plain_words import known_words, unfamiliar
from tasks.explore.paper.section_checks import Material, faults
from tasks.explore.paper.typed_numerals import typed_numbers
from tasks.explore.paper.unbound import unbound, unbound_in
from tasks.explore.paper.writing import STATING
from tests.unit.paper.paper_fixture import bibliography, number, with_parameters

pytestmark = pytest.mark.unit
GOALS = Path(__file__).resolve().parents[3] / "goals"
_FOUND = with_parameters()
DATA = _FOUND.model_copy(
    update={
        "derived": (
            *_FOUND.derived,
            number("best.time.gain", 1.3, 0.1, "", kind="derived", derived_from=("best.time", "n002.time")),
            number("n001.param.rows", 8, unit="", kind="parameter"),
        )
    }
)
KNOWN = known_words(
    ("A faster stencil on float64 data, a step of heat conduction", "Cache blocking of strips")
)
MATERIAL = Material.of(DATA, bibliography().keys(), ("times",), [DATA.question])
PRAISE = (
    "Rows crawled so that blocks could sprint.",
    "What used to fill a coffee break is over before the cup is lifted.",
    "The provided program belongs in a museum.",
    "Here the story of slow stencils ends.",
    "Nobody had managed this until today.",
    "What took hours takes minutes.",
    "The first program cannot keep pace.",
    "Against strips the rest looks like a toy.",
    "After blocking, the wait is a thing of the past.",
    "Blocking delivers what was promised.",
    "The numbers speak for themselves.",
    "Our kernel sits at the summit of what this machine can do.",
    "This settles the matter in favour of strips.",
    "Even experts would have a hard time to squeeze more out of it.",
    "The stencil now runs like clockwork.",
    "Strips are what everyone should use.",
    "There is no reason left to use the old kernel.",
    "The bar has been raised.",
    "Days shrink to moments.",
    "A new chapter in heat conduction begins.",
    "With strips, memory no longer stands in the way.",
)
PLAINLY = (
    "We study an explicit stencil on float64 data.",
    "Each program was run in turns with the one it was made from.",
    "Results were compared with the plain sum in all programs that are reported.",
    "One experiment did not pass the check of correctness.",
    "Whether the same holds on other machines is open.",
    "What remains is to vary the size of the grid.",
    "The next step is to measure cache misses directly.",
    "A counter of cache misses would tell whether the cache is the cause.",
    "The error bars are standard errors of the median.",
    "It is possible that the working set fits into the cache, but no counter was read.",
    "The machine was shared while the programs ran.",
)


@pytest.mark.attack("answers", "praise in words that no list knows says that no measurement stands beside it")
@pytest.mark.parametrize("text", PRAISE)
def test_an_idiom_says_that_nothing_was_measured_or_goes(text: str) -> None:
    assert unbound_in(text, DATA) or Reader(DATA, KNOWN).noted(text) == (f"{text} {NOTE}", [text])


@pytest.mark.parametrize("text", PLAINLY)
def test_what_was_done_is_told_in_plain_words(text: str) -> None:
    assert Reader(DATA, KNOWN).noted(text) == (text, []) and not unbound_in(text, DATA, headline=True)


def test_questions_and_the_words_of_a_reference_are_left() -> None:
    for text in ("Who dwells in caches?", "Rows dwell in caches [@smith2020stencil]."):
        assert Reader(DATA, KNOWN).noted(text)[1] == []


@pytest.mark.parametrize("goal", ["heat-stencil", "antireflection"])
def test_the_recorded_papers_have_no_new_faults(goal: str) -> None:
    known = known_words(
        path.read_text() for path in (GOALS / goal).rglob("*") if path.suffix in (".md", ".bib")
    )
    lines = [json.loads(line) for line in (GOALS / goal / "transcript.jsonl").read_text().splitlines()]
    answers = [
        (line["answer"], json.dumps(line["request"]))
        for line in lines
        if "section_writer" in str(line.get("prompt_id"))
    ]
    texts = {answer["text"] for answer, _ in answers}
    for text in texts:
        for block in text.split("\n\n"):
            pieces = inlines(block)
            assert not compared(pieces) and not any("formula" in fault for fault in typed_numbers(pieces))
    title = next(answer["title"] for answer, _ in answers if answer["title"])
    assert not unfamiliar(title, known)


@pytest.mark.attack("answers", "a number in words is no formula")
@settings(max_examples=200)
@given(
    st.sampled_from("two six ten twelve forty hundred half twice dozen tenfold".split()),
    st.sampled_from((r"\mathrm{%s}", r"\text{%s}", r"\mathbf{ %s }", "%s", r"\operatorname{%s}")),
    st.sampled_from((r"s = %s", r"\frac{t}{%s}", r"%s \times", r"t^{%s}", r"n \cdot %s")),
    st.sampled_from(("", r"\,", r"\!", " ")),
)
def test_no_number_word_stands_in_a_formula(word: str, upright: str, formula: str, between: str) -> None:
    text = f"It is ${formula % (upright % between.join(word))}$."
    assert typed_numbers(inlines(text)), text


@pytest.mark.attack("answers", "a formula that orders results has a measurement beside it")
@settings(max_examples=200)
@given(
    st.sampled_from(
        (
            ("t_a", "t_b"),
            (r"t_{\text{ours}}", r"t_{\text{first}}"),
            (r"\tau_1", r"\tau_2"),
            ("T'", "T"),
            ("T", "T_0"),
        )
    ),
    st.sampled_from(("<", ">", r"\leq", r"\ge", r"\ll", r"\gg", r"\approx")),
    st.sampled_from(("We find ", "As ", "It holds that ", "- ", "$")),
)
def test_no_order_of_results_stands_alone(sides: tuple[str, str], order: str, before: str) -> None:
    formula = f"{before}${sides[0]} {order} {sides[1]}${'$' if before == '$' else ''}"
    assert unbound(formula, DATA), formula
    assert not unbound(
        f"A factor of {{{{best.time.gain}}}} was gained: ${sides[0]} {order} {sides[1]}$.", DATA
    )


@pytest.mark.parametrize(
    "text",
    [
        r"The time is $\pi$-fold less.",
        r"It is $\pi$ times as fast.",
        r"The speed grew $n$-fold.",
        r"The quotient of the times tends to $\infty$.",
        r"The gain is $\sqrt{\pi}$.",
        r"$t_{new} = t_{old} / \mathrm{X}$",
        r"A factor of $\mathrm{XX}$ was gained.",
        r"The error is $\approx$ nil.",
        r"$T_a = T_b$ throughout.",
        r"$\text{rank}(\text{ours}) = \text{first}$.",
        r"The time goes like $t \to \mathrm{half}$.",
        r"$E_{\mathrm{new}} \to o(E_{\mathrm{old}})$.",
        r"$\max_i t_i < \min_j s_j$.",
        r"The time is $\frac{T}{\mathrm{VIII}}$.",
        r"$q \geq q_c$ in every case.",
    ],
)
def test_a_formula_is_no_amount(text: str) -> None:
    assert faults(text, MATERIAL) or unbound_in(text, DATA)


@pytest.mark.parametrize(
    "text",
    [
        r"The step is $u' = u + a \nabla u$.",
        r"For $i < j$ the entries are swapped, where $a_i \leq a_c$.",
        r"The scheme is stable for $\Delta t \leq h^2 / D$.",
        r"The work is $O(n \log n)$ with $n \gg m$.",
        r"A film has a phase of $\pi$, and $R = r r^*$.",
        r"Each row is read $n$ times in an $n$-fold loop.",
        r"$t_i$ is the time of run $i$; runs where $t_i > t_c$ are left out.",
        r"A symmetry is $n$-fold symmetry, and $x \in \Omega$ where $x \to x_c$.",
        r"Here $T = \text{const}$, and $\text{mean} = s / n$.",
        r"$n_{\text{air}} < n_{\text{film}}$ for every film.",
    ],
)
def test_definitions_and_conditions_stand(text: str) -> None:
    assert not unbound_in(text, DATA) and not any("formula" in fault for fault in faults(text, MATERIAL))


@pytest.mark.attack("answers", "a number that a node set is no result in title, abstract or conclusion")
@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("The ratio of the times is {{n001.param.speedup}}.", False),
        ("The ratio of the times is {{n001.param.speedup}}, at {{n001.time}}.", False),
        ("With {{n001.time}} we reach {{n001.param.speedup}}.", False),
        ("At a speed-up of {{n001.param.rows}} it needs {{n001.time}}.", False),
        ("With {{n001.param.speedup}} it needs {{n001.time}}.", False),
        ("With {{n001.param.rows}} rows it was run.", False),
        ("With {{n001.param.rows}} rows it needs {{n002.time}}.", False),
        ("With {{n001.param.rows}} rows it needs {{n001.time}}.", True),
        ("It needs {{n001.time}}, with strips of {{n001.param.rows}} rows.", True),
        ("With {{n001.ratio}} as its own count it needs {{n001.time}}.", False),
    ],
)
def test_a_set_number_is_a_condition_in_a_headline(text: str, stands: bool) -> None:
    assert bool(unbound_in(text, DATA, headline=True)) != stands


@pytest.mark.parametrize(
    "words", ["re", "$t_a < ", "$n_{{", "the old kernel ", "[", "ing", r"$\text{", "$a$ "]
)
def test_long_texts_are_read_in_seconds(words: str) -> None:
    text = (words * 20_000)[:20_000]
    Reader(DATA, KNOWN).noted(text)
    unbound_in(text, DATA, headline=True)
    faults(text, MATERIAL)


def test_the_sections_that_state_results_are_read() -> None:
    assert {"abstract", "results", "discussion", "conclusion"} == STATING
