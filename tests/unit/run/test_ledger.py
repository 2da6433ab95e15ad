"""Failed calls stand on the bill, also those for which nothing was bought."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from flows.run.costs import bill
from schemas.talking.transcript import Usage
from tasks.files.ledger import Ledger, Loss

pytestmark = pytest.mark.unit


def test_a_failed_call_that_cost_nothing_is_on_the_bill_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "failed_calls.jsonl"
    Ledger(path).add(
        Loss(label="planner.-.1.1.0", model="m", reason="HTTP 529 overloaded_error", usage=Usage())
    )
    run = cast(
        Any,
        SimpleNamespace(
            ledger=Ledger(path), unfinished=SimpleNamespace(losses=[]), state=SimpleNamespace(metrics=())
        ),
    )
    (failed,) = bill(run)
    assert (failed.agent, failed.stage_id, failed.price_usd) == ("planner", "-", None)
    assert (
        failed.failure == "HTTP 529 overloaded_error"
        and failed.input_tokens == 0
        and failed.output_tokens == 0
    )
