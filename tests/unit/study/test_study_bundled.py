"""The bundled studies: their input is what it says, and the real data give the known results."""

from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

from schemas.errors import InputError
from schemas.study.answers import DataAnswer, DesignAnswer, ResponseAnswer, ScopeAnswer
from schemas.study.design import Variables
from schemas.study.persona import PersonaResponse
from schemas.study.pipeline import PipelineMode
from schemas.study.results import Results
from tasks.study.bundled_studies import (
    RECORDING,
    STUDIES,
    bundled_ids,
    expected_of,
    input_of,
    recorded_studies,
    settings_of_study,
)
from tasks.study.designing import protocol_of
from tasks.study.inputs import analyse, read_all
from tasks.study.participants.personas import sampled
from tasks.study.participants.real_data import imported
from tasks.study.participants.responses import raw_data
from tasks.study.results_file import plans_of, results_of

pytestmark = pytest.mark.unit


def test_the_bundled_inputs_are_a_question_and_data() -> None:
    assert bundled_ids() == ("voice-or-touch", "voter-leanings")
    assert analyse(input_of("voice-or-touch")).mode is PipelineMode.SIMULATED
    found = analyse(input_of("voter-leanings"))
    assert found.mode is PipelineMode.REAL_DATA and found.tables[0].rows == 944 and found.flags == ()
    with pytest.raises(InputError, match="no such bundled study"):
        input_of("../papers")


def test_the_data_are_those_that_statsmodels_ships() -> None:
    ours = pd.read_csv(input_of("voter-leanings"))
    pd.testing.assert_frame_equal(
        ours.astype(float), sm.datasets.anes96.load_pandas().data, check_exact=False, rtol=1e-12
    )


def test_the_known_results_come_out_from_the_file_to_the_results() -> None:
    path = input_of("voter-leanings")
    data = imported(read_all(path)[path.name], analyse(path).tables[0]).data
    plans, expected = expected_of("voter-leanings")
    results = results_of(data, plans, framework="both")
    for found, known in zip(results.tests, expected, strict=True):
        assert (found.test, found.n, list(found.df)) == (known["test"], known["n"], known["df"])
        assert found.statistic == pytest.approx(known["statistic"], rel=1e-7) and found.effect is not None
        assert (found.p, found.effect.value) == (
            pytest.approx(known["p"], rel=1e-5),
            pytest.approx(known["effect"], rel=1e-7),
        )
    coefficients = expected[0]["coefficients"]
    values = {item.name: item.value for item in results.tests[0].coefficients}
    assert len(coefficients) == len(values) == 36
    for name, (estimate, _, _) in coefficients.items():  # Stata's
        assert values[f"party_from_leaning_b_{name.replace('|', '_')}"] == pytest.approx(
            estimate, rel=1e-3, abs=1e-6
        )


def recorded(study: str) -> dict[str, dict]:
    """Label -> what an agent said in the recording of a study."""
    entries = [
        json.loads(line)
        for line in (STUDIES / study / RECORDING).read_text(encoding="utf-8").splitlines()[1:]
    ]
    return {
        ".".join((item["position"]["agent"], item["position"].get("stage_id", "-"))): item["answer"]
        for item in entries
        if item.get("kind", "call") == "call"
    }


def test_both_studies_are_recorded_and_nothing_of_the_computer_is_in_the_recordings() -> None:
    assert recorded_studies() == bundled_ids()
    for study in bundled_ids():
        text = (STUDIES / study / RECORDING).read_text(encoding="utf-8")
        assert [word for word in ("/tmp/", "/home/", "/root/", "/work/", "127.0.0.1") if word in text] == []


def of_votes() -> Results:
    """The results of the hypotheses and kinds of variables that the recorded agents named."""
    said, path = recorded("voter-leanings"), input_of("voter-leanings")
    plan = ScopeAnswer.model_validate(said["scope_planner.scope"]).plan
    variables = Variables(variables=DataAnswer.model_validate(said["data_describer.design"]).variables)
    data = imported(read_all(path)[path.name], analyse(path).tables[0])
    return results_of(data.data, plans_of(plan.hypotheses, variables, [*data.renamed.values()]))


def test_the_recorded_study_of_voters_has_the_known_results_and_those_of_statsmodels_and_scipy() -> None:
    found = {item.id: item for item in of_votes().tests}
    for known in expected_of("voter-leanings")[1]:
        test = found[known["id"]]
        assert (test.test, test.n, list(test.df)) == (
            known["test"],
            known["n"],
            known["df"],
        ) and test.effect is not None
        assert test.statistic == pytest.approx(known["statistic"], rel=1e-7)
        assert (test.p, test.effect.value) == (
            pytest.approx(known["p"], rel=1e-5),
            pytest.approx(known["effect"], rel=1e-7),
        )
    data = sm.datasets.anes96.load_pandas().data
    fit = sm.MNLogit(data["PID"], sm.add_constant(data[["logpopul", "selfLR", "age", "educ", "income"]])).fit(
        disp=False
    )
    party = {
        item.name.removeprefix("party_from_leaning_b_"): item.value
        for item in found["party_from_leaning"].coefficients
    }
    for row, name in enumerate(("const", "logpopul", "self_lr", "age", "educ", "income")):
        estimates = fit.params.to_numpy()[row].tolist()
        assert [party[f"{name}_{level}"] for level in range(1, 7)] == pytest.approx(estimates, rel=1e-5)
    assert found["party_from_leaning"].statistic == pytest.approx(fit.llr)
    clinton, dole = (data.loc[data["vote"] == vote, "selfLR"] for vote in (0, 1))
    assert found["leaning_by_vote"].p == pytest.approx(stats.mannwhitneyu(clinton, dole).pvalue)
    assert found["news_with_age"].statistic == pytest.approx(
        stats.spearmanr(data["TVnews"], data["age"]).statistic
    )
    groups = [rows for _, rows in data.groupby("PID")["educ"]]
    assert found["education_by_party"].statistic == pytest.approx(stats.kruskal(*groups).statistic)


def test_the_recorded_simulated_participants_give_the_results_of_scipy() -> None:
    said, settings = recorded("voice-or-touch"), settings_of_study("voice-or-touch")
    plan = ScopeAnswer.model_validate(said["scope_planner.scope"]).plan
    protocol, asked, variables = protocol_of(
        DesignAnswer.model_validate(said["protocol_designer.design"]), plan, most=settings.participants
    )
    profiles = sampled(protocol, settings.seed)
    responses = [
        PersonaResponse(
            persona_id=item.persona_id,
            answers=ResponseAnswer.model_validate(
                said[f"persona_responder.collect-{item.persona_id}-participate"]
            ).answers,
        )
        for item in profiles
    ]
    assert len({item.model_dump_json(exclude={"persona_id"}) for item in responses}) == len(profiles) == 8
    data = raw_data(responses, asked, profiles, simulated=True)
    frame = pd.read_csv(io.BytesIO(data))
    results = results_of(data, plans_of(plan.hypotheses, variables, list(frame.columns)))
    for test, name in zip(results.tests, ("ease", "trust", "seconds"), strict=True):
        voice, touch = (
            frame.loc[frame["condition"] == way].set_index("participant")[name] for way in ("voice", "touch")
        )
        assert test.test == "paired t test" and test.effect is not None
        assert (test.statistic, test.p) == pytest.approx(tuple(stats.ttest_rel(voice, touch)))
        assert test.effect.value == pytest.approx(np.mean(voice - touch) / np.std(voice - touch, ddof=1))
    adjusted = sm.stats.multipletests([results.tests[0].p, results.tests[1].p], method="holm")[1]
    assert [item.p_adjusted for item in results.tests] == [*map(pytest.approx, adjusted), None]
