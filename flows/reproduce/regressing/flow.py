"""The flows `regress` (one paper) and `regress-all`: a drift fails the flow run under a name of its own."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from prefect import flow, get_run_logger
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings
from prefect.states import Completed, Failed

from flows.reproduce.allowed import check_regression
from flows.reproduce.regressing.publishing import publish, publish_summary
from flows.reproduce.regressing.record import begun, last_batch, of_batch
from flows.reproduce.regressing.regression import regressed
from flows.run.allowed import check_outputs
from flows.run.endings import ExpectedEnd
from flows.run.records import new_run_id
from flows.run.resources import outputs_root
from flows.run.turn import console_of_process
from flows.terminal.lasting import outlive_listener
from schemas.reproduce.judging.regression import Regression, Regressions, Verdict
from schemas.reproduce.settings import RunSettings
from tasks.reproduce.papers import recorded_ids

_BATCH = [""]  # the regression of all papers that one belongs to: no field of a form
_NAMES: dict[Verdict, str] = {
    "unchanged": "Unchanged",
    "drifted": "Drifted",
    "broken": "Broken",
    "no baseline": "NoBaseline",
}


@flow(name="regress", flow_run_name="regress {paper}", persist_result=False, validate_parameters=True)
def regress_paper(
    paper: str = "ge-on-gold",
    accept: str = "",
    outputs: str = "",
    settings: RunSettings = RunSettings(),
    resume: str = "",
) -> State[Regression]:
    """Compare every number of a recorded paper with its baseline: decisions replayed, simulations run afresh.

    Args:
        paper: a bundled paper's id, or the id of a finished run in the outputs folder.
        accept: a reason; the numbers become the new baseline.
        outputs: folder for results, or block:NAME; REPROLAB_OUTPUTS or ./outputs when empty.
        settings: Meep, sandbox, limits; as they stand they are those of the baseline.
        resume: continue the regression of this id, or `latest`.
    """
    outlive_listener()
    check_regression(settings, outputs)
    root, here, batch = outputs_root(outputs), str(flow_run.id), _BATCH[-1]
    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
        found = regressed(
            paper,
            root,
            settings,
            accept=accept,
            resume=resume,
            batch=batch,
            flow_run=here,
            begun=begun(root, paper, batch=batch, flow_run=here),
            console=console_of_process(),
        )
    publish(found)
    get_run_logger().info("%s", _told(found))
    return _state(found, accepted=bool(found.accepted))


def _name_of_all() -> str:
    """Says whether its schedule or a person started it."""
    by = "scheduled" if "auto-scheduled" in flow_run.tags else "all papers"
    return f"regress-all, {by}, {datetime.now(UTC):%Y-%m-%d}"


@flow(name="regress-all", flow_run_name=_name_of_all, persist_result=False, validate_parameters=True)
def regress_all(
    papers: list[str] | None = None,
    accept: str = "",
    outputs: str = "",
    settings: RunSettings = RunSettings(),
    resume: bool = False,
) -> State[Regressions]:
    """Regress all recorded papers one after another, going on after a broken one; one summary.

    Args:
        papers: bundled ids; all that have a recording when empty.
        accept: a reason; the numbers become the new baselines.
        outputs: folder for results, or block:NAME; REPROLAB_OUTPUTS or ./outputs when empty.
        settings: Meep, sandbox, limits.
        resume: go on with the newest regression of all papers; what it finished is not run again.
    """
    outlive_listener()
    check_outputs(outputs)
    root = outputs_root(outputs)
    wanted = papers or list(recorded_ids())
    batch = last_batch(root) if resume else str(flow_run.id)
    done = of_batch(root, batch)
    if not resume and set(wanted) <= set(done):  # a retry of what came to its end is a new one
        batch, done = new_run_id(), {}
    found: list[Regression] = []
    errors: list[tuple[str, str]] = []
    for paper in wanted:
        try:
            result = done.get(paper) or _one_of(batch, paper, accept, outputs, settings)
        except Exception as error:  # noqa: BLE001  one that cannot be run is in the summary, the others go on
            errors.append((paper, f"{type(error).__name__}: {error}".splitlines()[0][:300]))
            console_of_process().say(f"{paper} was not compared, the others go on: {errors[-1][1]}")
        else:
            found.append(result)
    summary = Regressions(found=tuple(found), errors=tuple(errors))
    publish_summary(summary)
    get_run_logger().info("%s", summary.line)
    return _state(summary, accepted=bool(accept) and not errors)


def _one_of(batch: str, paper: str, accept: str, outputs: str, settings: RunSettings) -> Regression:
    _BATCH.append(batch)
    try:
        return found_by(regress_paper(paper, accept, outputs, settings, return_state=True))  # type: ignore[no-any-return]
    finally:
        _BATCH.pop()


def found_by(state: State[Any]) -> Any:
    """What a flow run of these found, however it ended. Raises the error of one that could not be run."""
    result = state.result(raise_on_failure=False)
    if isinstance(result, ExpectedEnd):
        return result.outcome
    if isinstance(result, BaseException):
        raise result
    return result


def _told(found: Regression | Regressions) -> str:
    """The end in one line, and where the report of one is opened."""
    address = found.address if isinstance(found, Regression) else ""
    return f"{found.line}; in a browser {address}" if address else found.line


def _state(found: Regression | Regressions, *, accepted: bool) -> State[Any]:
    """Failed where it is red; Completed where nothing changed, a drift is a note, it was accepted on purpose, or there is nothing
    to compare with yet."""
    if found.failed and not accepted:
        return Failed(name=_NAMES[found.verdict], message=_told(found), data=ExpectedEnd(found.line, found))
    noted = found.verdict == "drifted"
    name = "Accepted" if accepted else "DriftNoted" if noted else _NAMES[found.verdict]
    return Completed(name=name, message=_told(found), data=found)
