"""Simulated participants: drawn by code, checked by code, and marked as what they are in the data."""

from __future__ import annotations

from collections import Counter

import pytest

from schemas.errors import InputError
from schemas.study.design import Quota, Share
from schemas.study.persona import ItemAnswer, PersonaProfile, PersonaResponse
from tasks.study.participants.personas import counts_of, sampled
from tasks.study.participants.raw_data import read_rows
from tasks.study.participants.responses import check, check_all, raw_data
from tests.unit.study.study_fixture import protocol, questionnaire

pytestmark = pytest.mark.unit
QUESTIONS = questionnaire()


def test_quotas_are_met_by_count_and_the_same_seed_draws_the_same(_count: int = 40) -> None:
    made = sampled(protocol(_count), 7)
    assert Counter(item.attributes["gender"] for item in made) == {"woman": 20, "man": 18, "other": 2}
    assert Counter(item.attributes["age"] for item in made) == {"18-29": 12, "30-49": 16, "50-80": 12}
    assert Counter(item.conditions for item in made) == {("voice", "touch"): 20, ("touch", "voice"): 20}
    assert sampled(protocol(_count), 7) == made != sampled(protocol(_count), 8)
    assert len({item.seed for item in made}) == _count and made[0].persona_id == "persona-001"


def test_attributes_are_independent_of_each_other_and_of_the_condition() -> None:
    made = sampled(protocol(400, "between"), 3)
    assert Counter(item.conditions for item in made) == {("voice",): 200, ("touch",): 200}
    women = Counter(item.attributes["age"] for item in made if item.attributes["gender"] == "woman")
    assert all(
        abs(women[age] - share * 200) < 30 for age, share in (("18-29", 0.3), ("30-49", 0.4), ("50-80", 0.3))
    )
    voice = Counter(item.attributes["gender"] for item in made if item.conditions == ("voice",))
    assert abs(voice["woman"] - 100) < 25


def test_remainders_go_to_the_largest() -> None:
    thirds = Quota(attribute="a", shares=tuple(Share(value=name, share=1 / 3) for name in "xyz"))
    assert counts_of(thirds, 8) == [3, 3, 2] and counts_of(thirds, 1) == [1, 0, 0]
    with pytest.raises(ValueError, match=r"sum to 0\.900"):
        Quota(attribute="a", shares=(Share(value="x", share=0.9),))


def profile(number: int = 1) -> PersonaProfile:
    return PersonaProfile(
        persona_id=f"persona-{number:03d}", attributes={"age": "18-29"}, conditions=("voice", "touch"), seed=1
    )


def response(number: int = 1, **changed: object) -> PersonaResponse:
    values: dict[tuple[str, str], object] = {}
    for condition in ("voice", "touch"):
        shift = number % 2 + (condition == "voice")
        values |= {
            ("easy_1", condition): 4 + shift,
            ("easy_2", condition): 3,
            ("easy_3", condition): 5,
            ("trust", condition): 2,
            ("check_1", condition): 6,
            ("seconds", condition): 12.5 + number,
        }
    values |= {("place", ""): "home", ("devices", ""): ("phone",), ("remarks", ""): "It was fine."}
    for key, value in changed.items():
        item, _, condition = key.partition("__")
        values[(item, condition)] = value
    return PersonaResponse(
        persona_id=f"persona-{number:03d}",
        answers=tuple(
            ItemAnswer(item=item, condition=condition, value=value)  # type: ignore[arg-type]
            for (item, condition), value in values.items()
            if value != "drop"
        ),
    )


def test_answers_that_fit_are_valid() -> None:
    report = check(response(), QUESTIONS, profile())
    assert report.valid and report.suspicions == ()
    assert check(response(remarks="drop"), QUESTIONS, profile()).valid, "it is not required"


@pytest.mark.parametrize(
    ("changed", "problem", "allowed"),
    [
        ({"trust__voice": 8}, "out of range", "1 to 7"),
        ({"trust__voice": float("nan")}, "out of range", "1 to 7"),
        ({"trust__voice": 3.5}, "wrong type", "a whole number"),
        ({"trust__voice": "many"}, "wrong type", "a number"),
        ({"trust__voice": "drop"}, "missing", "an answer"),
        ({"trust__voice": None}, "missing", "an answer"),
        ({"place": "space"}, "no such option", "home, work"),
        ({"devices": ("phone", "car")}, "no such option", "phone, speaker"),
        ({"devices": ("phone", "phone")}, "no such option", "phone"),
        ({"devices": "phone"}, "wrong type", "a list"),
        ({"remarks": "x" * 201}, "too long", "200"),
        ({"mood__voice": 3}, "unknown item", "easy_1"),
        ({"trust__gesture": 3}, "unknown condition", "touch, voice"),
        ({"place__voice": "home"}, "unknown condition", "no condition"),
    ],
)
def test_what_does_not_fit_is_named(changed: dict[str, object], problem: str, allowed: str) -> None:
    report = check(response(**changed), QUESTIONS, profile())
    assert [item.problem for item in report.problems] == [problem] and allowed in report.problems[0].allowed
    with pytest.raises(InputError, match="cannot become data"):
        raw_data([response(**changed)], QUESTIONS, [profile()], simulated=True)


def test_inattention_is_flagged_but_stays_data_until_the_protocol_says_otherwise() -> None:
    failed = check(response(check_1__voice=2), QUESTIONS, profile())
    assert failed.valid and failed.suspicions[0].suspicion == "attention check failed"
    alike = {f"{item}__voice": 4 for item in ("easy_1", "easy_2", "easy_3", "trust")}
    flat = check(response(**alike), QUESTIONS, profile())
    assert [(item.suspicion, item.detail) for item in flat.suspicions] == [
        ("straight-lining", "voice: 4 items, all 4")
    ]
    same = response(3).model_copy(update={"persona_id": "persona-001"})
    reports = check_all([same, response(3)], QUESTIONS, [profile(1), profile(3)])
    assert (
        reports[1].suspicions[0].detail == "every answer is that of persona-001"
        and reports[0].suspicions == ()
    )


def test_strangers_and_twice_the_same_are_refused() -> None:
    for wrong in ([response(9)], [response(), response()]):
        with pytest.raises(InputError, match="do not belong"):
            check_all(wrong, QUESTIONS, [profile()])


def test_raw_data_have_a_row_per_condition_scale_means_and_the_mark() -> None:
    rows = read_rows(
        raw_data([response(1), response(2)], QUESTIONS, [profile(1), profile(2)], simulated=True)
    )
    assert [(row["participant"], row["condition"], row["simulated"]) for row in rows] == [
        ("persona-001", "voice", "true"),
        ("persona-001", "touch", "true"),
        ("persona-002", "voice", "true"),
        ("persona-002", "touch", "true"),
    ]
    assert float(rows[0]["ease"]) == pytest.approx((6 + (8 - 3) + 5) / 3), "the second item is reversed"
    assert rows[0]["place"] == "home" and rows[0]["devices"] == "phone" and rows[0]["age"] == "18-29"
