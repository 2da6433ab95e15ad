"""Did the simulations run, write what they should, and compute something? From records and files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from schemas.reproduce.judging.evidence import Check, ExecutionEvidence, Level
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.simulations.execution import Execution, Failure, FailureClass, StageOutputs
from tasks.reproduce.evidence.dependence import resolution_checks
from tasks.reproduce.evidence.kept_files import Reader
from tasks.reproduce.evidence.not_computed import EvidenceError
from tasks.reproduce.evidence.rung import uses_meep

# The fastest Meep kernel measured on one core (2D, one component) takes 3 ns a pixel and step; mirror
# symmetry divides that by up to 4 in 2D. Less CPU time than this and the recorded steps did not happen.
LEAST_CPU_NS_PER_PIXEL_STEP = 0.5
GROWN_FIELD = 1e10


def execution_evidence(outputs: StageOutputs, stage: Stage, root: Path) -> ExecutionEvidence:
    """Check every execution of a stage.

    Args:
        root: the run's directory. Data files are read again, after their sha256 was compared.
    """
    unsolved = tuple(
        check("failure", "fail", f.reason, "a value of every quantity that answers a target", "", f.fix)
        for f in outputs.unsolved()
    )
    if not outputs.executions:
        return ExecutionEvidence(
            checks=unsolved
            or (check("executions", "fail", "none", "at least one", hint="nothing was run; run the stage"),),
            failure=outputs.failure(),
        )
    reader = Reader(root)
    checks: list[Check] = [*unsolved]
    finest = {execution.execution_id for execution in outputs.finest()}
    for execution in outputs.executions:
        checks += _ended(execution)
        checks += _files(execution, reader)
        checks += _meep(execution, execution.execution_id in finest)
    checks += _targets(outputs, stage)
    checks += resolution_checks(outputs, stage, reader)
    checks.append(_time(outputs.executions, stage))
    return ExecutionEvidence(checks=tuple(checks), failure=outputs.failure() or _named(checks))


def in_part(evidence: ExecutionEvidence, outputs: StageOutputs, stage: Stage) -> ExecutionEvidence | None:
    """The evidence of a description that gave some targets a value and others none, these as warnings; None where more failed
    than single targets, or nothing has a value: what one target lacks does not take the others' results away."""
    failure = evidence.failure
    if outputs.study is None or (failure and failure.failure_class in ("environment", "infrastructure")):
        return None
    names = [target.target_id for target in stage.numeric_targets]
    single = {"failure", *(f"{what} {name}" for name in names for what in ("value of", "dataset for"))}
    valued = {f"{name} depends on resolution" for name in names}
    failed = {c.name for c in evidence.checks if c.level == "fail"}
    if not failed or not failed <= single or not any(c.name in valued for c in evidence.checks):
        return None
    checks = tuple(
        c.model_copy(update={"level": "warning"}) if c.level == "fail" else c for c in evidence.checks
    )
    return ExecutionEvidence(checks=checks)


def announced_files(outputs: StageOutputs, announced: Sequence[str]) -> tuple[Check, ...]:
    """A warning for the files that the code's author announced and no execution that ended well wrote.

    announced: file names, in the author's words. Compared by name without folder and ending; a name may be the beginning
    of several files' names. Empty where nothing was announced or nothing ended well.
    """
    ended = [
        execution for execution in outputs.executions if execution.complete and execution.failure is None
    ]
    names = {Path(name).stem: name for name in announced if Path(name).stem not in ("", "results")}
    if not ended or not names:
        return ()
    written = {
        Path(file.path).stem
        for execution in ended
        for file in (*(dataset.file for dataset in execution.datasets), *execution.pictures)
    }
    missing = [
        name
        for stem, name in names.items()
        if not any(f"{found}_".startswith(f"{stem}_") for found in written)
    ]
    return (
        check(
            "announced files",
            "warning" if missing else "pass",
            f"not written: {', '.join(missing)[:300]}"
            if missing
            else f"{len(names)} of {len(names)} written",
            "every file the code's author announced",
            hint="write them, or announce what is written",
        ),
    )


def check(name: str, level: Level, measured: str, allowed: str, source: str = "", hint: str = "") -> Check:
    """A check; the hint is kept only where it is needed."""
    return Check(
        name=name,
        level=level,
        measured=measured,
        allowed=allowed,
        source=source,
        hint="" if level == "pass" else hint,
    )


def label(execution: Execution) -> str:
    """An execution in a few words: id, resolution scale, sweep point."""
    point = "".join(f", {name} = {value:g}" for name, value in execution.point)
    return f"execution {execution.execution_id[:12]}, scale {execution.resolution_scale:g}{point}"


def _named(checks: Sequence[Check]) -> Failure | None:
    """The failure behind the first failed check, where the run itself reported none."""
    first = next((c for c in checks if c.level == "fail"), None)
    if first is None:
        return None
    failure_class: FailureClass = "code"
    if first.name in ("values finite", "no field growth"):
        failure_class = "numerics"
    elif "changed after the run" in first.measured or "is missing" in first.measured:
        failure_class = "infrastructure"
    reason = f"{first.name}: {first.measured}"
    return Failure(failure_class=failure_class, reason=reason, detail=first.source, fix=first.hint)


def _ended(execution: Execution) -> list[Check]:
    where = label(execution)
    if execution.stop_reason:
        ended, hint = (
            f"stopped: {execution.stop_reason}",
            "it hit a limit; make it smaller or raise the limit",
        )
    elif execution.signal is not None:
        ended = f"killed by signal {execution.signal}"
        hint = (
            "a crash inside the interpreter (MPB, an unguided mode): change the call, do not retry"
            if execution.signal in (6, 11)
            else "killed from outside: memory or time"
        )
    else:
        ended, hint = f"exit code {execution.exit_code}", "read the end of its error output"
    fine = execution.exit_code == 0 and execution.signal is None and not execution.stop_reason
    checks = [
        check("process ended", "pass" if fine else "fail", ended, "exit code 0", where, hint),
        check(
            "manifest complete",
            "pass" if execution.complete else "fail",
            "complete" if execution.complete else "not complete",
            "results.json says complete",
            where,
            "the script did not reach run.finish()",
        ),
    ]
    if execution.failure is not None:
        failure = execution.failure
        checks.append(
            check("failure", "fail", f"{failure.failure_class}: {failure.reason}", "none", where, failure.fix)
        )
    if execution.rejected:
        checks.append(
            check(
                "outputs accepted",
                "warning",
                "; ".join(execution.rejected)[:400],
                "no refused output",
                where,
                "write regular CSV, NPZ or PNG files into the work directory only",
            )
        )
    return checks


def _files(execution: Execution, reader: Reader) -> list[Check]:
    where = label(execution)
    if not execution.datasets:
        return [
            check(
                "datasets",
                "fail",
                "none",
                "at least one",
                where,
                "save results with run.spectrum, run.scalar, ...",
            )
        ]
    checks = []
    for dataset in execution.datasets:
        source = f"{dataset.file.path}, {where}"
        try:
            table = reader.read(dataset)
        except EvidenceError as error:
            checks.append(
                check(
                    "file readable",
                    "fail",
                    f"{error.what}: {error.found}",
                    str(error.allowed or "readable"),
                    source,
                    error.fix or "",
                )
            )
            continue
        if dataset.kind == "image":
            checks.append(
                check("file unchanged", "pass", dataset.file.sha256[:12], "sha256 as collected", source)
            )
            continue
        checks.append(
            check(
                "data present",
                "pass" if table.rows else "fail",
                f"{table.rows} rows",
                "at least 1",
                source,
                "the dataset is empty",
            )
        )
        checks.append(
            check(
                "values finite",
                "fail" if table.non_finite else "pass",
                f"{table.non_finite} NaN or infinite of {sum(a.size for a in table.columns.values())}",
                "0",
                source,
                "field growth or a division by a zero reference; find the cause",
            )
        )
    return checks


def _meep(execution: Execution, finest: bool) -> list[Check]:
    where = label(execution)
    work = sum(run.pixels * run.time_steps for run in execution.meep_runs)
    steps = sum(run.time_steps for run in execution.meep_runs)
    ran = uses_meep(execution)
    checks = [
        check(
            "Meep ran",
            "pass" if ran else "fail",
            f"{len(execution.meep_runs)} runs, {steps} time steps",
            "time steps of fields, or an MPB solution",
            where,
            "the values do not come from a simulation; start Meep through simkit",
        )
    ]
    least = work * LEAST_CPU_NS_PER_PIXEL_STEP * 1e-9
    if ran and work:
        checks.append(
            check(
                "CPU time fits the steps",
                "pass" if execution.cpu_s >= least else "fail",
                f"{execution.cpu_s:.3g} s",
                f"at least {least:.3g} s for {work:.3g} pixel-steps",
                where,
                "the recorded Meep runs cannot have happened in this time",
            )
        )
    for run in execution.meep_runs:
        name = f"{run.label or 'run'} of {where}"
        if not run.stop_met:
            reached = "not recorded" if run.stop_reached is None else f"{run.stop_reached:.2g}"
            checks.append(
                check(
                    "decay reached",
                    "warning" if finest else "pass",
                    f"reached {reached}",
                    run.stop_criterion or "its stop criterion",
                    name,
                    "a slow mode still rings, often one outside the band asked for, excited by the pulse's tails: a narrower "
                    "pulse with a cutoff of 5 or more leaves it out, a symmetry may too; only then run longer. R + T breaks "
                    "first",
                )
            )
        if run.max_field is not None and not run.max_field < GROWN_FIELD:
            checks.append(
                check(
                    "no field growth",
                    "fail",
                    f"max |field| {run.max_field:.2g}",
                    f"below {GROWN_FIELD:g}",
                    name,
                    "metal touching a PML, a gainy material fit, or objects wrapped round the cell",
                )
            )
    return checks


def _targets(outputs: StageOutputs, stage: Stage) -> list[Check]:
    finest = outputs.finest()
    checks = []
    for target in stage.targets:
        answers = [
            dataset.dataset_id
            for execution in finest
            for dataset in execution.datasets
            if any(entry.target == target.target_id for entry in dataset.targets)
        ]
        left_out = "" if answers else outputs.not_attempted(target.target_id)
        trouble = "" if answers else outputs.trouble(target.target_id)
        checks.append(
            check(
                f"dataset for {target.target_id}",
                "pass" if answers else "warning" if left_out else "fail",
                ", ".join(dict.fromkeys(answers))
                or (f"not attempted: {left_out}" if left_out else trouble or "none"),
                "a dataset of the finest runs names it",
                f"scale {finest[0].resolution_scale:g}",
                "" if outputs.study else f'save the column with targets={{column: "{target.target_id}"}}',
            )
        )
    return checks


def _time(executions: Sequence[Execution], stage: Stage) -> Check:
    used, allowed = sum(e.cpu_s for e in executions), 60 * stage.runtime_budget_minutes
    return check(
        "run time",
        "warning" if used > allowed else "pass",
        f"{used:.3g} CPU s",
        f"{allowed:.3g} s, the stage's budget",
        f"{len(executions)} executions",
        "the budget was too low; correct it for the stages that follow",
    )
