"""The numbers of a regression beside their baseline: what is unchanged, drifted or broken, and what cannot vanish."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemas.errors import InputError
from schemas.reproduce.judging.regression import Baseline, Conditions, Quantity, Regression, Regressions
from tasks.reproduce.regression.against_baseline import ROUNDING, compare, judged
from tasks.reproduce.regression.baseline import place_for, read_baseline, write_baseline
from tasks.reproduce.regression.regression_report import markdown, page
from tasks.reproduce.regression.table import terminal_table

pytestmark = pytest.mark.unit
CONDITIONS = Conditions(transcript="a" * 64, paper="b" * 64, settings="c" * 64)


def number(value: float, uncertainty: float | None = None, name: str = "value") -> Quantity:
    return Quantity(kind="target", of="dip", name=name, value=value, uncertainty=uncertainty, unit="nm")


def word(text: str, name: str = "class") -> Quantity:
    return Quantity(kind="target", of="dip", name=name, word=text)


def state(before: Quantity, now: Quantity | None) -> str:
    [found] = compare([before], [now] if now else [])
    return found.state


def test_rounding_is_unchanged_and_half_a_percent_never_is():
    assert state(number(685.67, 1.7), number(685.67 * (1 + ROUNDING / 2), 1.7)) == "unchanged"
    assert (
        state(number(685.67, 5.0), number(685.67 * 1.005, 5.0)) == "drifted"
    )  # inside its uncertainty, and still said
    assert state(number(685.67, 1.7), number(685.67 * 1.005, 1.7)) == "broken"
    assert state(number(0.0324), number(0.0324 * 1.005)) == "drifted"  # it has no uncertainty of its own
    assert state(number(1.0, 0.0), number(1.005, 0.0)) == "broken"


def test_an_uncertainty_that_grew_excuses_nothing():
    assert state(number(685.67, 0.1), number(690.0, 100.0)) == "broken"
    assert state(number(0.1, None, "uncertainty"), number(100.0, None, "uncertainty")) == "drifted"


def test_words_and_missing_numbers_are_broken():
    assert state(word("SUCCESS"), word("PARTIAL")) == "broken"
    assert state(word("PARTIAL"), word("SUCCESS")) == "broken"  # also for the better: a judgement changed
    assert state(number(1.0, 1e9), None) == "broken"
    assert state(number(1.0, 1e9), word("nan", "value")) == "broken"
    assert state(number(1.0, 1e9), replaced_unit(number(1.0 + 1e-3, 1e9))) == "broken"


def replaced_unit(entry: Quantity) -> Quantity:
    return entry.model_copy(update={"unit": "um"})


def test_what_the_baseline_does_not_have_is_said():
    [kept, new] = compare([number(1.0)], [number(1.0), number(2.0, name="another")])
    assert (kept.state, new.state) == ("unchanged", "drifted")


def baseline(*quantities: Quantity) -> Baseline:
    return Baseline(
        paper_id="film",
        regression_id="one",
        accepted="2026-01-01",
        reason="first",
        conditions=CONDITIONS,
        environment={"meep": "1.25", "simkit": "old"},
        quantities=quantities,
    ).sealed()


def test_other_decisions_are_broken_and_another_course_is_a_drift():
    given = Regression(paper_id="film", given="film", verdict="no baseline")
    kept, now = baseline(number(1.0)), (number(1.0),)
    same = judged(given, kept, now, CONDITIONS, kept.environment)
    assert (same.verdict, same.environment) == ("unchanged", ())
    altered = CONDITIONS.model_copy(update={"transcript": "d" * 64})
    assert judged(given, kept, now, altered, kept.environment).verdict == "broken"
    by_rule = given.model_copy(update={"course": ("an answer stood in",)})
    found = judged(by_rule, kept, now, CONDITIONS, {"meep": "1.25", "simkit": "new"})
    assert found.verdict == "drifted"
    assert [(change.name, change.before, change.now) for change in found.environment] == [
        ("simkit", "old", "new")
    ]
    for text in (terminal_table(found), markdown(found), page(found, Path("/"))):
        assert "an answer stood in" in text and "DRIFTED" in text


def test_a_baseline_changed_by_hand_is_refused(tmp_path):
    path = tmp_path / "film" / "regression.json"
    made = write_baseline(
        path,
        paper_id="film",
        regression_id="one",
        reason="first",
        conditions=CONDITIONS,
        environment={},
        quantities=(number(1.0, 0.1),),
        before=None,
    )
    assert read_baseline(path) == made
    for name, value in (("value", 1.005), ("uncertainty", 1e9)):
        raw = json.loads(path.read_text())
        raw["quantities"][0][name] = value
        path.with_name("forged.json").write_text(json.dumps(raw))
        with pytest.raises(InputError, match="changed after it was written"):
            read_baseline(path.with_name("forged.json"))
    raw = json.loads(path.read_text())
    del raw["seal"]
    path.write_text(json.dumps(raw))
    with pytest.raises(InputError, match="changed after it was written"):
        read_baseline(path)


def test_a_new_baseline_keeps_the_history_and_the_place_of_the_old_one(tmp_path):
    own, shipped = tmp_path / "outputs" / "baseline.json", tmp_path / "paper" / "regression.json"
    shipped.parent.mkdir()
    assert place_for((own, shipped)) == shipped
    first = write_baseline(
        own,
        paper_id="film",
        regression_id="one",
        reason="first",
        conditions=CONDITIONS,
        environment={},
        quantities=(number(1.0),),
        before=None,
    )
    assert place_for((own, shipped)) == own  # the one that counts
    second = write_baseline(
        own,
        paper_id="film",
        regression_id="two",
        reason="a better grid",
        conditions=CONDITIONS,
        environment={},
        quantities=(number(1.1),),
        before=first,
    )
    assert [(entry.digest, entry.reason) for entry in read_baseline(own).earlier] == [(first.seal, "first")]
    assert second.reason == "a better grid"


def test_a_paper_without_a_baseline_is_not_unchanged():
    same = Regression(paper_id="one", given="one", verdict="unchanged")
    none = Regression(paper_id="two", given="two", verdict="no baseline")
    assert Regressions(found=(same, same)).verdict == "unchanged"
    assert Regressions(found=(same, none)).verdict == "no baseline" == Regressions().verdict
    assert Regressions(found=(same, none), errors=(("three", "no Meep"),)).verdict == "broken"
