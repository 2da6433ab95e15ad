"""What a drift may come from, and when it fails: our code, a library, the computer."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.judging.regression import Baseline, Conditions, Quantity, Regression, Regressions
from tasks.reproduce.regression import environment
from tasks.reproduce.regression.against_baseline import ROUNDING, compare, judged
from tasks.reproduce.regression.regression_report import markdown

pytestmark = pytest.mark.unit
CONDITIONS = Conditions(transcript="a" * 64, paper="b" * 64, settings="c" * 64)
THEN = {
    "processor": "one",
    "meep's numpy": "1.24",
    "simkit/": "a",
    "code of simkit/solve": "s",
    "commit": "x",
}


def found(now: dict[str, str], step: float = 0.005, uncertainty: float = 10.0) -> Regression:
    """A number that moved by `step` inside its uncertainty, in this environment."""

    def number(value: float) -> Quantity:
        return Quantity(
            kind="target", of="dip", name="value", value=value, uncertainty=uncertainty, unit="nm"
        )

    baseline = Baseline(
        paper_id="film",
        regression_id="one",
        accepted="2026-01-01",
        reason="first",
        conditions=CONDITIONS,
        environment=THEN,
        quantities=(number(600.0),),
    )
    start = Regression(paper_id="film", given="film", verdict="no baseline")
    return judged(start, baseline, (number(600.0 * (1 + step)),), CONDITIONS, now)


def test_half_a_percent_by_our_code_fails_and_by_another_computer_is_a_note() -> None:
    ours = found(THEN | {"code of simkit/solve": "t", "simkit/": "b"})
    assert (ours.verdict, ours.failed) == ("drifted", True)
    assert "our code (simkit/solve)" in ours.line
    other = found(THEN | {"processor": "two", "simkit/": "words only", "commit": "y"})
    assert (other.verdict, other.failed, other.outcome) == ("drifted", False, "drifted, noted")
    assert "the computer (processor one -> two)" in other.line and "our code" not in other.line
    library = found(THEN | {"meep's numpy": "2.0"})
    assert "libraries (meep's numpy 1.24 -> 2.0)" in markdown(library) and not library.failed
    assert "nothing that is known differs" in found(THEN).line
    broken = found(THEN | {"processor": "two"}, uncertainty=0.1)
    assert (broken.verdict, broken.failed) == ("broken", True)
    assert Regressions(found=(other, library)).failed is False and Regressions(found=(other, ours)).failed


def test_a_baseline_older_than_these_digests_is_held_against_whole_packages() -> None:
    before = dict(THEN)
    try:
        del THEN["code of simkit/solve"]
        assert found(THEN | {"code of simkit/solve": "new", "simkit/": "b"}).our_code == ("simkit/",)
        assert found(THEN | {"code of simkit/solve": "new"}).our_code == ()
    finally:
        THEN.update(before)


@given(st.floats(1e-9, 1e-2), st.floats(0.1, 1e3), st.floats(-0.9, 0.9))
def test_a_difference_may_round_as_what_it_is_made_of(part: float, value: float, within: float) -> None:
    def both(moved: float) -> list[Quantity]:
        return [
            Quantity(kind="study", of="film/R", name="value", value=value),
            Quantity(kind="study", of="film/R", name="part absorber", value=moved),
        ]

    rounded = compare(both(part), both(part + within * ROUNDING * value))
    assert [entry.state for entry in rounded] == ["unchanged", "unchanged"]
    assert compare(both(part), both(part + 3 * ROUNDING * max(value, part)))[1].state == "drifted"


def test_words_are_not_code(tmp_path: Path) -> None:
    code = "def area(r):\n    return 3 * r\n"
    said = '"""Circles."""\n\n\ndef area(r):\n    """Of a circle."""\n    # roughly\n\n    return 3 * r\n'
    digests = []
    for text in (code, said, code.replace("3", "4")):
        (tmp_path / "circle.py").write_text(text)
        digests.append(environment._does(tmp_path))
    assert digests[0] == digests[1] != digests[2]
    assert all((environment.ROOT / folder).is_dir() for folder in environment.COMPUTES)


def test_every_room_of_a_reproduction_computes_or_tells() -> None:
    rooms = {path.parent.name for path in (environment.ROOT / "tasks/reproduce").glob("*/__init__.py")}
    computes = {Path(folder).name for folder in environment.COMPUTES if folder.startswith("tasks/")}
    assert rooms == computes | set(environment.TELLS) and not computes & set(environment.TELLS)
