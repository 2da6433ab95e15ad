"""What a blind agent reads of its own results says nothing of the paper's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.redaction import WITHHELD, withhold, without_rows

pytestmark = pytest.mark.unit
NUMBERS = st.floats(0.1, 2000, allow_nan=False).map(lambda value: f"{value:.9g}")


@pytest.mark.attack("judgement", "no mark tells it")
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=8),
    st.sampled_from([",", ", ", "\t", " ", " | ", ";"]),
    st.integers(0, 7),
)
def test_a_table_reads_alike_whichever_of_its_numbers_the_paper_has(
    rows: list[tuple[str, str]], between: str, which: int
) -> None:
    table = "\n".join(between.join(row) for row in rows)
    text = f"T [spectrum] {len(rows)} rows, 0 non-finite: frequency (c/um), T (1)\n{table}\n\nThe range is narrow.\n"
    secret = float(rows[which % len(rows)][1])
    shown = [withhold(without_rows(text), frozenset(secrets)) for secrets in ((), (secret,))]
    assert shown[0] == shown[1] or WITHHELD in shown[1].replace("[rows withheld]", "").split("\n", 1)[0]
    assert rows[0][0] not in shown[0].splitlines()[1] and "The range is narrow." in shown[0]


def test_words_with_numbers_stay() -> None:
    text = "reference_12: resolution 25, 3680 steps to t = 73.6\nwiden it by 5 to 10 %, then 3.\n"
    assert without_rows(text) == text
