"""Driving the graph: what is ready runs, side by side up to the limit, until it is complete; what blocks it is asked."""

from __future__ import annotations

import contextvars
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass

from flows.questions.asking import ask
from flows.run.context import ACTIVE
from flows.run.endings import RunStopped
from flows.study.context import Run, parts
from flows.study.growing import grown
from flows.study.reporting import write_report
from flows.study.steps import run_node
from schemas.errors import AwaitingAnswer, LimitExceeded, PrerequisiteError, ReplayError, ReproLabError
from schemas.run.state import CoreState
from schemas.study.graph import PhaseNode, PhaseStatus
from schemas.talking.interaction import Choice, Question

_LOOK_S = 0.5  # so that Ctrl-C is heard while nodes work
# These end the run, which can go on later; anything else that goes wrong is the node's own failure.
_ENDS = (RunStopped, LimitExceeded, AwaitingAnswer, PrerequisiteError, ReplayError)


@dataclass(frozen=True)
class _Work:
    node: PhaseNode
    branch: Run
    base: CoreState


def drive(run: Run) -> None:
    """Run nodes until the graph is complete. Raises RunStopped where a person gives up a graph that is stuck."""
    working: dict[Future[None], _Work] = {}
    with ThreadPoolExecutor(max_workers=run.settings.parallel) as pool:
        try:
            while True:
                grown(run)
                graph = run.course.graph
                for node in graph.ready()[: run.settings.parallel - len(working)]:
                    run.course.moved(run.course.graph.updated(node.id, PhaseStatus.RUNNING))
                    work = _begun(run, node)
                    working[
                        pool.submit(contextvars.copy_context().run, run_node, work.branch.handle, node.id)
                    ] = work
                if not working:
                    if run.course.graph.is_complete():
                        return
                    _unblock(run)
                    continue
                for future in wait(working, timeout=_LOOK_S, return_when=FIRST_COMPLETED).done:
                    _concluded(run, working.pop(future), future)
        except BaseException:
            _let_go(run, working)
            raise


def _begun(run: Run, node: PhaseNode) -> _Work:
    branch = run.fork(node.id)
    branch.update("begin", current=node.id)
    ACTIVE[branch.handle] = branch
    return _Work(node, branch, branch.state)


def _concluded(run: Run, work: _Work, future: Future[None]) -> None:
    """A node's end in the graph and its costs in the run. Raises what ends the run."""
    ACTIVE.pop(work.branch.handle, None)
    _merged(run, work)
    error, name, graph = future.exception(), work.node.id, run.course.graph
    if error is None:
        run.course.moved(graph.updated(name, PhaseStatus.COMPLETED))
        _say_progress(run, name)
    elif isinstance(error, _ENDS) or not isinstance(error, Exception):
        run.course.moved(graph.updated(name, PhaseStatus.PENDING))
        raise error
    else:
        why = error.text() if isinstance(error, ReproLabError) else f"{type(error).__name__}: {error}"
        run.course.moved(graph.updated(name, PhaseStatus.FAILED, error=why[:2000]))
        run.console.say(f"failed: {why}"[:600], stage=name)
        skipped = [item.id for item in run.course.graph.nodes() if item.status is PhaseStatus.SKIPPED]
        if skipped:
            run.console.say(f"left out, as they depend on it: {parts(skipped)}", stage=name)
    run.show()
    with suppress(OSError):  # a page is no reason to end
        write_report(run)


def _merged(run: Run, work: _Work) -> None:
    """What a branch cost and asked comes into the run."""
    mine, theirs, base = run.state, work.branch.state, work.base
    run.update(
        "merge_node",
        metrics=(*mine.metrics, *theirs.metrics[len(base.metrics) :]),
        runtime_used_s=mine.runtime_used_s + theirs.runtime_used_s - base.runtime_used_s,
        user_interactions=(*mine.user_interactions, *theirs.user_interactions[len(base.user_interactions) :]),
        stop_reason=mine.stop_reason or theirs.stop_reason,
    )


def _let_go(run: Run, working: dict[Future[None], _Work]) -> None:
    """The run ends: what is at work comes to its end, and counts where it was completed; the rest is pending again."""
    for future, work in working.items():
        future.cancel()
        error = None if future.cancelled() else future.exception()
        ACTIVE.pop(work.branch.handle, None)
        _merged(run, work)
        done = not future.cancelled() and error is None
        status = PhaseStatus.COMPLETED if done else PhaseStatus.PENDING
        run.course.moved(run.course.graph.updated(work.node.id, status))
    working.clear()


def _say_progress(run: Run, name: str) -> None:
    leaves = [item for item in run.course.graph.nodes() if not item.children]
    done = sum(item.status is PhaseStatus.COMPLETED for item in leaves)
    run.console.say(f"done ({done} of {len(leaves)} nodes)", stage=name)


def _unblock(run: Run) -> None:
    """The graph is stuck: which nodes, and why; a person has failed ones tried again, or ends the run."""
    graph = run.course.graph
    blocked = graph.blocked()
    failed = [item.id for item in graph.nodes() if item.status is PhaseStatus.FAILED and not item.children]
    run.console.say("stuck: " + "; ".join(f"{item.node_id} {item.why}" for item in blocked[:6])[:900])
    body = "\n".join(f"- **{item.node_id}** ({item.status}): {item.why}" for item in blocked[:40])
    number = 1 + sum(item.attempt - 1 for item in graph.nodes())
    answer = ask(
        run,
        Question(
            question_id=f"stuck-{number}",
            kind="stuck",
            title=f"The study is stuck: {parts(failed)} failed",
            body=body,
            asked_by="ReproLab",
            reason="no node can run",
            choices=(
                Choice(
                    name="retry",
                    effect="try the failed nodes again; nothing that was completed is done again",
                ),
                Choice(name="stop", effect="stop the run here; all is kept"),
            ),
        ),
    )
    if answer.choice == "stop" or not failed:
        reason = f"stuck: {parts(item.node_id for item in blocked)}"
        run.update("ask_user", stop_reason=reason)
        raise RunStopped(reason)
    for name in failed:
        graph = graph.retried(name)
    run.course.moved(graph)
