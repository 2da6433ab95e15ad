"""No honest result of an honest paper is lowered by its words."""

from __future__ import annotations

import pytest

from tests.unit.honest import case, case_texts, lowered

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("name", sorted(case_texts()))
def test_honest_paper_is_not_lowered_by_its_words(name: str) -> None:
    assert list(lowered(case(case_texts()[name]))) == []
