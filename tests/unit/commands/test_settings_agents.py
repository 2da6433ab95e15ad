"""A model or temperature is set for agents that the workflow has, by name or title; a slip is told, never passed over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agents.explore.roster
import agents.reproduce.roster
import agents.study.roster
from flows.run.opening import check_agents
from schemas.errors import InputError
from schemas.run.settings import CoreSettings, ModelSettings
from tests.unit.commands.commands_fixture import reprolab

pytestmark = pytest.mark.unit
TITLES = {
    name: roster.TITLES
    for name, roster in (
        ("reproduce", agents.reproduce.roster),
        ("explore", agents.explore.roster),
        ("study", agents.study.roster),
    )
}
KINDS = ("per_agent", "temperature_per_agent")


def settings(kind: str, agent: str) -> CoreSettings:
    return CoreSettings(
        model=ModelSettings.model_validate({kind: [[agent, "big" if kind == "per_agent" else 0.2]]})
    )


@given(st.sampled_from(sorted(TITLES)), st.sampled_from(KINDS), st.data())
def test_each_agent_of_a_workflow_may_be_named(workflow: str, kind: str, data: st.DataObject) -> None:
    check_agents(settings(kind, data.draw(st.sampled_from(sorted(TITLES[workflow])))), TITLES[workflow])


@given(st.sampled_from(KINDS), st.sampled_from(sorted(TITLES["reproduce"].values())))
def test_titles_of_the_specification_are_names(kind: str, title: str) -> None:
    check_agents(settings(kind, title), TITLES["reproduce"])


@given(st.sampled_from(sorted(TITLES)), st.sampled_from(KINDS), st.text(min_size=1, max_size=40))
def test_any_other_name_is_told_with_those_there_are(workflow: str, kind: str, agent: str) -> None:
    found = settings(kind, agent)
    ((name, _),) = getattr(found.model, kind)
    if name not in TITLES[workflow]:
        with pytest.raises(InputError, match="for an agent that there is not") as error:
            check_agents(found, TITLES[workflow])
        assert all(known in str(error.value) for known in TITLES[workflow])


@pytest.mark.parametrize(
    ("command", "subject"),
    [("reproduce", "ge-on-gold"), ("explore", "heat-stencil"), ("study", "voice-or-touch")],
)
def test_a_run_with_a_slip_is_refused_and_nothing_is_written(command: str, subject: str, tmp_path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"model": {"per_agent": [["plannner", "big"]]}}')
    done = reprolab(command, subject, "--settings", str(file), "--outputs", str(tmp_path / "out"))
    assert (
        done.exit_code == 2
        and "plannner" in done.output
        and not list((tmp_path / "out").glob("*/*/run.json"))
    )
