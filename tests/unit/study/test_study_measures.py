"""Scales scored as published, tables turned and joined, dates, and the coefficients of a scale's items."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from schemas.errors import InputError
from schemas.study.preparation import Step
from tasks.study import statistics
from tasks.study.inputs import analyse
from tasks.study.inputs.declared import told
from tasks.study.participants.raw_data import read_rows
from tasks.study.participants.real_data import imported
from tasks.study.participants.study_table import examined, kept_preparation, kept_table, one_table
from tasks.study.results_file import apa_text, results_of
from tasks.study.scales import scales_of
from tasks.study.statistics import Plan
from tasks.study.statistics.__main__ import main, plan_text
from tasks.study.statistics.measures import reliability, scoring
from tasks.study.statistics.preparation import prepared
from tasks.study.workspace.given import import_input
from tasks.study.workspace.places import INPUT
from tests.unit.study.study_fixture import questionnaire

pytestmark = pytest.mark.unit
WIDE = """who,born,seen,voice_s,touch_s,voice_ease,touch_ease,q1,q2
anna,03.04.1990,04.05.2020,12,20,5,2,1,7
ben,13.01.1985,05.05.2020,15,,4,4,3,5
cleo,,06.05.2020,9,31,7,1,2,6
dora,30.12.1999,07.05.2020,11,18,6,3,,5
"""
TURNED: list[dict[str, Any]] = [
    {"kind": "turn", "columns": ["q2"], "minimum": 1, "maximum": 7},
    {"kind": "mean", "columns": ["q1", "q2"], "into": "Load", "at_least": 1},
    {"kind": "dates", "columns": ["born", "seen"], "order": "dmy"},
    {"kind": "days", "columns": ["born", "seen"], "into": "age_days"},
    {
        "kind": "long",
        "values": ["voice", "touch"],
        "into": "condition",
        "by": "who",
        "measures": {"seconds": ["voice_s", "touch_s"], "ease": ["voice_ease", "touch_ease"]},
    },
]


def given_in(folder: Path, text: str, declared: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "wide.csv").write_text(text)
    (folder / "wide.preparation.json").write_text(json.dumps(declared))
    return folder / "wide.csv"


def repeated_by_the_package(tmp_path: Path, source: Path) -> None:
    """What a package holds of declared steps gives the data again where ReproLab is not."""
    report = analyse(source)
    import_input(tmp_path / "space", source, report)
    found = kept_preparation(tmp_path / "space" / INPUT, report)
    assert found is not None
    data, steps = found
    after = imported(*kept_table(tmp_path / "space" / INPUT, report)).data
    shutil.copytree(
        Path(statistics.__file__).parent,
        tmp_path / "study_statistics",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (tmp_path / "as_collected.csv").write_bytes(data)
    (tmp_path / "preparation.json").write_text(steps.model_dump_json())
    done = subprocess.run(
        [sys.executable, "-P", "-m", "study_statistics.preparation", "as_collected.csv", "preparation.json"],
        cwd=tmp_path, text=True, capture_output=True, timeout=120, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert read_rows(done.stdout.encode()) == read_rows(after)


def test_a_wide_table_becomes_rows_of_conditions_with_scores_and_days(tmp_path: Path) -> None:
    source = given_in(tmp_path / "in", WIDE, {"steps": TURNED})
    frame, profile = one_table(source)
    assert frame["who"].tolist()[:4] == ["anna", "anna", "ben", "ben"] and profile.participant == "who"
    assert frame["condition"].tolist() == ["voice", "touch"] * 4
    assert frame["seconds"].tolist() == ["12", "20", "15", "", "9", "31", "11", "18"]
    assert frame["Load"].tolist()[::2] == ["1", "3", "2", "3"]
    assert frame["born"].tolist()[0] == "1990-04-03" and frame["age_days"].tolist()[0] == "10989"
    assert frame["age_days"].tolist()[4] == ""
    declared = analyse(source).preparation
    assert declared is not None and declared.changed == (4, 4, 7, 3, 8)
    assert told(declared)[4] == (
        "prepared as declared: long, voice / touch, seconds from voice_s / touch_s, ease from voice_ease / touch_ease into "
        "condition: 8 rows"
    )
    repeated_by_the_package(tmp_path, source)


def test_without_a_column_of_participants_each_wide_row_is_one(tmp_path: Path) -> None:
    step = {**TURNED[4], "by": "participant", "measures": {"seconds": ["a", "b"]}}
    source = given_in(tmp_path / "in", "a,b\n1,2\n3,4\n5,6\n", {"steps": [step]})
    frame, profile = one_table(source)
    assert frame["participant"].tolist() == ["1", "1", "2", "2", "3", "3"] and profile.repeated
    repeated_by_the_package(tmp_path, source)


def test_what_identifies_people_is_left_out_of_the_cells_as_collected_too(tmp_path: Path) -> None:
    text = "who,mail_a,mail_b,a,b\n" + "".join(
        f"w{n},n{n}@example.org,m{n}@example.org,{n},{n + 1}\n" for n in range(1, 9)
    )
    step = {**TURNED[4], "measures": {"mail": ["mail_a", "mail_b"], "seconds": ["a", "b"]}}
    source = given_in(tmp_path / "in", text, {"steps": [step]})
    report = analyse(source)
    import_input(tmp_path / "space", source, report)
    found = kept_preparation(tmp_path / "space" / INPUT, report)
    assert found is not None and b"example.org" not in found[0] and "mail" not in found[1].model_dump_json()
    repeated_by_the_package(tmp_path / "again", source)


def test_tables_are_joined_by_a_key(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "people.csv").write_text("id,age\nx,20\ny,-99\nz,40\n")
    (folder / "trials.csv").write_text("id,trial,ms\nx,1,300\nx,2,310\ny,1,280\ny,2,290\n")
    (folder / "preparation.json").write_text(
        json.dumps({"join": "id", "steps": [{"kind": "missing", "columns": ["age"], "values": ["-99"]}]})
    )
    frame, profile = one_table(folder)
    assert frame[["id", "age", "ms"]].to_numpy().tolist() == [
        ["x", "20", "300"],
        ["x", "20", "310"],
        ["y", "", "280"],
        ["y", "", "290"],
        ["z", "40", ""],
    ]
    assert profile.participant == "id"
    assert "tables joined by id" in analyse(folder).tables[0].remarks
    repeated_by_the_package(tmp_path, folder)
    (folder / "more.csv").write_text("id,trial_kind\nx,1\nx,2\n")
    with pytest.raises(InputError, match="several rows of one key"):
        one_table(folder)
    (folder / "more.csv").write_text("id,age\nx,1\n")
    with pytest.raises(InputError, match="same name"):
        one_table(folder)
    (folder / "more.csv").write_text("who,years\nx,1\n")
    with pytest.raises(InputError, match="no column 'id'"):
        one_table(folder)


def test_sus_is_scored_as_in_brookes_example() -> None:
    """Brooke (1996), SUS: a quick and dirty usability scale, its figure: 22 points, 55."""
    assert scoring.sus([5, 4, 2, 1, 2, 3, 2, 4, 5, 2]) == 55
    assert scoring.sus([5, 1] * 5) == 100 and scoring.sus([1, 5] * 5) == 0
    assert scoring.sus([None, 1] * 5) is None
    with pytest.raises(ValueError, match="from 1 to 5"):
        scoring.sus([6, 1] * 5)


def test_tlx_is_the_mean_or_the_weighted_mean() -> None:
    assert scoring.tlx([10, 20, 30, 40, 50, 60]) == 35
    assert scoring.tlx([10, 20, 30, 40, 50, 60, 5, 4, 3, 2, 1, 0]) == pytest.approx(350 / 15)
    with pytest.raises(ValueError, match="sum to 15"):
        scoring.tlx([10, 20, 30, 40, 50, 60, 5, 4, 3, 2, 1, 1])


def test_ueq_has_26_items_of_which_13_are_turned_and_goes_from_minus_3_to_3() -> None:
    assert sorted(item for items in scoring.UEQ.values() for item in items) == [*range(1, 27)]
    assert len(scoring.UEQ_TURNED) == 13
    best = [1.0 if item in scoring.UEQ_TURNED else 7.0 for item in range(1, 27)]
    assert {scoring.ueq(best, scale) for scale in scoring.UEQ} == {3.0}
    assert {scoring.ueq([4.0] * 26, scale) for scale in scoring.UEQ} == {0.0}


def test_published_scales_are_steps(tmp_path: Path) -> None:
    names = [f"s{item}" for item in range(1, 11)]
    text = ",".join(["id", *names]) + "\na,5,4,2,1,2,3,2,4,5,2\nb,5,1,5,1,5,1,5,1,5,\n"
    source = given_in(tmp_path / "in", text, {"steps": [{"kind": "sus", "columns": names, "into": "sus"}]})
    assert one_table(source)[0]["sus"].tolist() == ["55", ""]
    repeated_by_the_package(tmp_path, source)
    (tmp_path / "in" / "wide.csv").write_text(text.replace("a,5", "a,9"))
    with pytest.raises(InputError, match="cannot be prepared") as error:
        examined(source, None)
    assert "row 1: 9, which is no whole number from 1 to 5" in str(error.value.found)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "turn", "columns": ("a",)},
        {"kind": "turn", "columns": ("a",), "minimum": 7, "maximum": 1},
        {"kind": "mean", "columns": ("a", "b")},
        {"kind": "mean", "columns": ("a", "b"), "into": "c", "at_least": 3},
        {"kind": "sus", "columns": ("a",), "into": "c"},
        {"kind": "dates", "columns": ("a",)},
        {"kind": "long", "values": ("x", "y"), "into": "c", "by": "w"},
        {"kind": "long", "values": ("x", "y"), "into": "c", "by": "w", "measures": {"m": ("a",)}},
        {"kind": "long", "values": ("x", "y"), "into": "m", "by": "w", "measures": {"m": ("a", "b")}},
        {"kind": "long", "values": ("x", "y"), "into": "c", "by": "w", "measures": {"m": ("a", "a")}},
        {"kind": "missing", "columns": ("a",), "values": ("9",), "minimum": 1.0},
    ],
)
def test_steps_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="belong|needs|takes|at_least|into|long|turn|measure"):
        Step(**wrong)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"kind": "turn", "columns": ["q2"], "minimum": 1, "maximum": 5}, "outside 1 to 5"),
        ({"kind": "dates", "columns": ["born"], "order": "mdy"}, "no date of the order mdy"),
        ({"kind": "mean", "columns": ["q1", "q2"], "into": "who"}, "already"),
        ({"kind": "sum", "columns": ["q1", "who"], "into": "c"}, "is no number"),
        ({"kind": "days", "columns": ["q1", "q2"], "into": "c"}, "row 1"),
        ({**TURNED[4], "measures": {"m": ["voice_s", "nowhere"]}}, "no column 'nowhere'"),
        ({**TURNED[4], "into": "q1"}, "already"),
    ],
)
def test_what_a_step_cannot_read_is_refused_with_its_place(tmp_path: Path, step: Any, words: str) -> None:
    with pytest.raises(InputError, match="cannot be prepared") as error:
        examined(given_in(tmp_path / "in", WIDE, {"steps": [step]}), None)
    assert words in str(error.value.found)


def test_a_table_is_not_turned_into_more_than_is_read(tmp_path: Path) -> None:
    wide = [f"c{place}" for place in range(200)]
    text = (
        ",".join(["id", *wide])
        + "\n"
        + "".join(f"{row}," + ",".join("1" * 200) + "\n" for row in range(2600))
    )
    step = {
        "kind": "long",
        "values": [f"v{place}" for place in range(200)],
        "into": "at",
        "by": "id",
        "measures": {"m": wide},
    }
    with pytest.raises(InputError, match="too large when it is prepared"):
        one_table(given_in(tmp_path / "in", text, {"steps": [step]}))


def exactly(covariance: list[list[float]], n: int = 40) -> np.ndarray:
    """Rows whose covariances are these, exactly."""
    draw = np.random.default_rng(3).normal(size=(n, len(covariance)))
    draw -= draw.mean(axis=0)
    white = draw @ np.linalg.inv(np.linalg.cholesky(np.cov(draw, rowvar=False))).T
    return white @ np.linalg.cholesky(np.array(covariance)).T


def test_alpha_is_that_of_published_covariances() -> None:
    """Those of Wikipedia's page on Cronbach's alpha, as Julia's StatsBase tests them: .8136, without an item .75 to .7826."""
    values = exactly([[10, 6, 6, 6], [6, 11, 6, 6], [6, 6, 12, 6], [6, 6, 6, 13]])
    found = reliability.reliability("ease", ["a", "b", "c", "d"], values, 1)
    assert found.alpha == pytest.approx(0.8135593220338981)
    assert [item.without for item in found.items] == pytest.approx([0.75, 54 / 71, 27 / 35, 18 / 23])
    assert found.alpha_low is not None and found.alpha_low < 0.8136 < (found.alpha_high or 0)


def test_omega_is_that_of_the_loadings() -> None:
    loadings, own = np.array([0.9, 1.4, 0.6, 1.1, 0.8]), np.array([1.0, 0.5, 0.8, 0.3, 1.2])
    values = exactly((np.outer(loadings, loadings) + np.diag(own)).tolist())
    truth = loadings.sum() ** 2 / (loadings.sum() ** 2 + own.sum())
    assert reliability.mcdonald(values) == pytest.approx(truth, abs=1e-6)
    alpha = reliability.cronbach(values)
    assert alpha is not None and alpha < truth  # of unequal loadings it is a lower bound


def test_the_intervals_hold_the_truth_as_often_as_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reliability, "RESAMPLES", 120)
    loadings, held = np.array([1.0, 1.0, 1.0, 1.0]), np.zeros(2)
    truth = 16 / (16 + 4)  # both coefficients', as all loadings are alike
    for seed in range(40):
        draw = np.random.default_rng(seed)
        values = draw.normal(size=(80, 1)) * loadings + draw.normal(size=(80, 4))
        found = reliability.reliability("ease", list("abcd"), values, seed)
        held[0] += (found.alpha_low or 1) <= truth <= (found.alpha_high or 0)
        held[1] += (found.omega_low or 1) <= truth <= (found.omega_high or 0)
    assert (held >= 34).all(), held  # of 40, 38 expected


def test_what_has_no_coefficient_says_why() -> None:
    two = reliability.reliability("ease", ["a", "b"], exactly([[2, 1], [1, 2]]), 1)
    assert two.alpha == pytest.approx(2 / 3) and two.omega is None and "three items" in two.cannot
    assert "complete rows" in reliability.reliability("ease", ["a", "b"], np.ones((4, 2)), 1).cannot
    assert "does not vary" in reliability.reliability("ease", ["a", "b"], np.ones((20, 2)), 1).cannot


def test_each_condition_has_its_own_and_a_reversed_item_is_turned() -> None:
    draw = np.random.default_rng(1)
    rows = []
    for way, shift in (("voice", 2.0), ("touch", 0.0)):
        base = draw.normal(4 + shift, 1, 50)
        for number, value in enumerate(base):
            a, b = value + draw.normal(0, 0.5), 8 - value + draw.normal(0, 0.5)
            rows.append(
                {
                    "participant": f"p{number}",
                    "condition": way,
                    "a": a,
                    "b": b,
                    "c": value + draw.normal(0, 0.5),
                }
            )
    scales = {"ease": {"items": ["a", "b", "c"], "reversed": ["b"], "ends": 8}, "gone": {"items": ["z", "y"]}}
    found = reliability.of_scales(scales, pd.DataFrame(rows), 1)
    assert [(one.scale, one.condition, one.n) for one in found] == [
        ("ease", "voice", 50),
        ("ease", "touch", 50),
    ]
    assert all(one.alpha is not None and one.alpha > 0.85 for one in found)


@pytest.mark.parametrize("cell", ["1" * 50_000, "9" * 50_000 + ".", "1-" * 20_000, "1e999", "." * 9000])
def test_a_long_cell_is_refused_at_once(cell: str) -> None:
    base: dict[str, Any] = {"columns": ["a"], "values": [], "into": "c"}
    for step in (
        {**base, "kind": "turn", "minimum": 1, "maximum": 7},
        {**base, "kind": "dates", "order": "dmy"},
        {**base, "kind": "sum", "columns": ["a", "b"]},
    ):
        with pytest.raises(ValueError, match="step 1"):
            prepared({"a": [cell], "b": ["1"]}, [step], lambda text: not text)


def test_results_and_the_package_tell_a_scale_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draw = np.random.default_rng(2)
    rows = ["id,g,q1,q2,q3"]
    for number in range(40):
        base = draw.normal(4, 1)
        a, b, c = (min(7, max(1, round(base + draw.normal(0, 0.7)))) for _ in range(3))
        rows.append(f"w{number},{'ab'[number % 2]},{a},{8 - b},{c}")
    steps = [
        {"kind": "turn", "columns": ["q2"], "minimum": 1, "maximum": 7},
        {"kind": "mean", "columns": ["q1", "q2", "q3"], "into": "trust"},
    ]
    source = given_in(tmp_path / "in", "\n".join(rows) + "\n", {"steps": steps})
    frame, profile = one_table(source)
    data = imported(frame, profile).data
    scales = scales_of(None, analyse(source).preparation)
    plan = Plan(
        "h1", "difference", "trust", ("g",), {"trust": "interval", "g": "nominal"}, participant="participant"
    )
    results = results_of(data, [plan], scales=scales)
    [scale] = results.reliability
    assert (scale.scale, scale.n, len(scale.items)) == ("trust", 40, 3) and (scale.alpha or 0) > 0.7
    names = {value.name: value.text for value in results.values}
    assert names["trust_alpha"].startswith("Cronbach's α = .") and "95% CI" in names["trust_omega"]
    assert "**Scale trust** (3 items, *n* = 40)" in apa_text(results)
    (tmp_path / "data.csv").write_bytes(data)
    (tmp_path / "plan.json").write_text(plan_text([plan], seed=1, correction="holm", scales=scales))
    main(str(tmp_path / "data.csv"), str(tmp_path / "plan.json"))
    [again] = json.loads(capsys.readouterr().out)["reliability"]
    assert (again["alpha"], again["omega_low"]) == (scale.alpha, scale.omega_low)


def test_the_questionnaire_says_which_items_are_turned() -> None:
    found = scales_of(questionnaire(), None)
    assert found == {"ease": {"items": ["easy_1", "easy_2", "easy_3"], "reversed": ["easy_2"], "ends": 8}}
