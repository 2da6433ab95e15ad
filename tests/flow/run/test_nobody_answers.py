"""A question that nobody answers in time ends the run in order, and a later answer is never passed over in silence."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.flow import bare
from tests.flow.kit import PARTLY, Bench, Model

pytestmark = pytest.mark.flow
WAITS, STOPPED, REFUSED = 3, 5, 2


@pytest.mark.long
def test_a_question_times_out_is_answered_by_stop_and_then_anew(bench: Bench) -> None:
    with Model(bare.gold_answer) as model:
        first = bench.reproduce(model, *bench.settings(user_timeout_s=2))
        assert first.wait() == WAITS, first.err[-3000:]
        assert bench.state("before_ask_user")["pending_user_questions"] == ["Are the materials right?"]
        assert "nobody answered in 2 s" in first.err and "Traceback" not in first.err
        run = bench.run_dir.name
        assert f"reprolab resume {run} --answer material_checkpoint=approve" in first.err

        again = bench.start("resume", run, "--user-timeout", "3")
        assert again.wait() == WAITS and "nobody answered in 3 s" in again.err

        stopped = bench.start("resume", run, "--answer", "material_checkpoint=stop")
        assert stopped.wait() == STOPPED, stopped.err[-3000:]
        late = bench.start("resume", run, "--answer", "material_checkpoint=approve")
        assert late.wait() == REFUSED and "was stopped by the answer to material-checkpoint-1" in late.err
        [command] = re.findall(r"reprolab (resume .*)", late.err)
        on = bench.start(*shlex.split(command))
        assert on.wait() == PARTLY, on.err[-3000:]
    assert bench.state()["pending_user_questions"] == []
