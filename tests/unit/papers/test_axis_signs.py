"""A lost minus sign: what falls without a sign is asked, and a blob of ink that no letter explains is no number."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.digitise.axes import Axis
from tasks.digitise.labels import Letter, Word
from tasks.digitise.raster.blobs import Blobs, all_there, with_strays
from tasks.digitise.scale import Scale
from tasks.digitise.signs import lost_signs


def _word(text: str) -> Word:
    raised, letters = False, []
    for letter in text:
        if letter == "^":
            raised = True
        else:
            letters.append(
                Letter(letter, 0, 0, 1, 1, 4.0 if raised else 0.0, 7.0 if raised else 10.0, (0, 0, 0))
            )
    return Word(letters)


def _axis(texts: list[str], kind: str, slope: float) -> Axis:
    return Axis("left", words=[_word(text) for text in texts], scale=Scale(kind, slope, 0.0, 0.1))  # type: ignore[arg-type]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 30), min_size=3, max_size=8, unique=True), st.booleans())
def test_powers_that_lost_all_their_signs_are_asked(powers: list[int], pixels: bool) -> None:
    signed = [f"10^-{power}" for power in sorted(powers, reverse=True)]
    assert not lost_signs(_axis(signed, "logarithmic", 0.1), pixels)
    lost = [text.replace("-", "") for text in signed]  # the largest power first: the values fall upwards
    assert "lost minus signs?" in lost_signs(_axis(lost, "logarithmic", -0.1), pixels)
    assert not lost_signs(_axis(signed[::-1], "logarithmic", -0.1), pixels)  # truly backwards


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 400), min_size=3, max_size=8, unique=True))
def test_numbers_of_a_picture_that_lost_all_their_signs_are_asked(values: list[int]) -> None:
    falling = [str(value) for value in sorted(values, reverse=True)]
    assert "lost minus signs?" in lost_signs(_axis(falling, "linear", -1.0), True)
    assert not lost_signs(_axis(falling, "linear", -1.0), False)  # the letters of a PDF say so
    assert not lost_signs(_axis([*falling, "-5"], "linear", -1.0), True)
    assert not lost_signs(_axis(falling[::-1], "linear", 1.0), True)


@settings(max_examples=100, deadline=None)
@given(st.integers(6, 40), st.text("0123456789", min_size=1, max_size=5), st.floats(0.3, 0.9), st.data())
def test_a_digit_s_blob_is_a_letter_and_a_blob_more_is_none(
    size: int, text: str, share: float, data: st.DataObject
) -> None:
    width = max(int(share * size), 1)
    boxes = [(k * (width + 1), 0, k * (width + 1) + width, size) for k in range(len(text))]
    assert all_there(text, boxes)
    lost = data.draw(st.integers(0, len(text) - 1))
    assert not all_there(text[:lost] + text[lost + 1 :], boxes)


@settings(max_examples=100, deadline=None)
@given(st.integers(8, 40), st.floats(0.2, 0.7), st.floats(0.05, 0.7))
def test_a_bar_before_a_label_that_is_no_part_of_it_is_said(size: int, long: float, gap: float) -> None:
    word = Blobs([(100, 50, 100 + size // 2, 50 + size)])
    end = 100 - max(int(gap * size), 1)
    bar = (end - max(int(long * size), 3), 50 + size // 2, end, 51 + size // 2)
    with_strays([word], [*word.boxes, bar])
    assert word.unexplained
    with_strays([word], word.boxes)
    assert not word.unexplained
