"""A question rehearsed: a replay that was told to asks a person, though the recording holds the answer."""

from __future__ import annotations

import pytest

from tests.flow.kit import Bench

pytestmark = pytest.mark.flow
WAITS, STOPPED, BAD_INPUT = 3, 5, 2
ASKED = ("--ask", "material_checkpoint")


def test_a_replay_waits_for_a_person_and_takes_the_answer(bench: Bench) -> None:
    typo = bench.start("reproduce", "ge-on-gold", "--ask", "materials")
    assert typo.wait() == BAD_INPUT and "material_checkpoint" in typo.err
    first = bench.start("reproduce", "ge-on-gold", *ASKED, env={"REPROLAB_NON_INTERACTIVE": "1"})
    assert first.wait() == WAITS, first.err[-3000:]
    assert "a person has to answer: Are the materials right?" in first.err
    assert not [entry for entry in bench.transcript() if entry.get("kind") == "question"]
    run = bench.run_dir.name
    stopped = bench.start("resume", run, "--answer", "material_checkpoint=stop")
    assert stopped.wait() == STOPPED, stopped.err[-3000:]
    [said] = [entry for entry in bench.transcript() if entry.get("kind") == "question"]
    assert said["answer"]["choice"] == "stop" and said["answer"]["answered_by"] == "given beforehand"
    assert "--ask material_checkpoint" in bench.report()
