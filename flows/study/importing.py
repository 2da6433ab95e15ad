"""Collect, mode B: the rows that were handed in become raw data. Where none were yet, the run waits for them."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from flows.questions.asking import ask
from flows.run.endings import RunStopped
from flows.study.allowed import check_data
from flows.study.collecting import written_data
from flows.study.context import Run, parts, place
from schemas.errors import AwaitingAnswer, InputError
from schemas.run.pasted import typed
from schemas.study.artifacts import ArtifactType
from schemas.study.design import StudyProtocol, Variables
from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.inputs import InputReport
from schemas.study.questionnaire import Questionnaire
from schemas.talking.interaction import Choice, Question
from tasks.study.inputs.declared import told
from tasks.study.participants.excluding import excluded
from tasks.study.participants.handed import fitting_data, handed_in, wanted_columns
from tasks.study.participants.real_data import imported
from tasks.study.participants.study_table import kept_preparation, kept_table
from tasks.study.workspace.places import INPUT, output_path


def take_over(run: Run, node: PhaseNode) -> None:
    """Raw data of real participants: numbered, without what identifies them, no simulated row among them."""
    variables = run.read(PhaseType.DESIGN, "variables", node)
    assert isinstance(variables, Variables)
    if not run.report.tables:
        _wait(run, node, variables)
    frame, profile = kept_table(run.space.root / INPUT, run.report)
    keep = run.open_answers(profile)
    found = imported(frame, profile, keep=keep)
    questionnaire = _questionnaire(run, node)
    data = fitting_data(found.data, variables, questionnaire)
    protocol = run.read(PhaseType.DESIGN, "study_protocol", node)
    assert isinstance(protocol, StudyProtocol)
    excluding = written_data(
        run, node, data, excluded(data, protocol, questionnaire, detailed=False, late=run.rules_are_late())
    )
    _prepared(run, node, keep)
    out = f"; left out, as they may identify people: {parts(found.left_out)}" if found.left_out else ""
    run.console.say(f"{len(data.splitlines()) - 1} rows of real data{out}{excluding}", stage=node.id)


def _prepared(run: Run, node: PhaseNode, keep: tuple[str, ...]) -> None:
    """What the user's declared steps were, and the data before them, for a package that repeats them."""
    found = kept_preparation(run.space.root / INPUT, run.report, keep=keep)
    if found is None:
        return
    data, steps = found
    top, out = node.id.split("/")[0], output_path(node.id)
    run.write(node, f"{top}/as_collected", ArtifactType.RAW_DATA, f"{out}/as_collected.csv", data)
    run.write(node, f"{top}/preparation", ArtifactType.PREPARATION, f"{out}/preparation.json", steps)
    for words in told(steps):
        run.console.say(words, stage=node.id)


def _wait(run: Run, node: PhaseNode, variables: Variables) -> None:
    """Ask for the data until a file fits; the run can rest meanwhile, for days."""
    questionnaire, problem = _questionnaire(run, node), ""
    protocol = run.read(PhaseType.DESIGN, "study_protocol", node)
    assert isinstance(protocol, StudyProtocol)
    columns = wanted_columns(variables, questionnaire, protocol.rules)
    texts = [item.id for item in questionnaire.items if item.kind == "text"] if questionnaire else []
    asked = ""
    if run.settings.paradigm != "quantitative" and texts:
        asked = f" What people wrote goes into the columns {', '.join(texts)}; it is coded " + (
            "as the setting allow_rows lets models read it."
            if run.settings.allow_rows
            else "only where the setting allow_rows lets models read it, which this run has not."
        )
    for number in count(1):
        body = (
            f"The study is designed; {protocol.participants.sample_size} participants are planned. Collect the data as "
            f"`{output_path(run.top(PhaseType.DESIGN))}/study_protocol.json` says, then hand in a file: csv, tsv, json, "
            f"jsonl, xlsx or parquet, a row per participant (and condition), with the columns {', '.join(columns)}.{asked}\n\n"
            f"In a terminal: `{typed('study', 'resume', run.run_id, '--data', 'FILE', outputs=run.run_dir.parents[1])}`"
        )
        answer = ask(
            run,
            Question(
                question_id=f"provide-data-{place(node)}-{number}",
                kind="provide_data",
                title="Where are the data?",
                body=f"{body}\n\n**The last file did not fit:**\n\n```\n{problem}\n```" if problem else body,
                stage_id=place(node),
                asked_by="ReproLab",
                reason="a study of real participants needs their data",
                choices=(
                    Choice(
                        name="provide",
                        effect="go on with the file at this path",
                        words="line",
                        needs_words=True,
                    ),
                    Choice(name="stop", effect="stop the run here; all is kept"),
                ),
            ),
        )
        if answer.choice == "stop":
            run.update("ask_user", stop_reason="stopped by the user: no data")
            raise RunStopped("no data")
        try:
            run.course.report = taken_in(
                run.space.root,
                answer.text,
                run.report,
                variables,
                questionnaire,
                allow_rows=run.settings.allow_rows,
            )
            return
        except InputError as error:
            if answer.answered_by in ("given beforehand", "recorded"):  # it would be given again and again
                raise AwaitingAnswer(
                    "the data that were handed in do not fit",
                    found=error.text(),
                    fix="mend them, then: "
                    + typed("study", "resume", run.run_id, "--data", "FILE", outputs=run.run_dir.parents[1]),
                ) from error
            problem = error.text()
            run.console.say(problem, stage=node.id)


def taken_in(
    root: Path,
    path: str,
    before: InputReport,
    variables: Variables,
    questionnaire: Questionnaire | None,
    *,
    allow_rows: bool = False,
) -> InputReport:
    """Data at a path, wherever the path was named (form, answer beforehand, page): checked against what this worker allows
    before anything is opened. Raises InputError, with nothing written."""
    source = Path(path).expanduser()
    check_data(str(source))
    return handed_in(root, source, before, variables, questionnaire, allow_rows=allow_rows)


def _questionnaire(run: Run, node: PhaseNode) -> Questionnaire | None:
    name = f"{run.top(PhaseType.DESIGN)}/questionnaire"
    if all(item.id != name for item in run.space.manifest().artifacts):
        return None
    found = run.space.read(name, node, run.course.graph.nodes())
    assert isinstance(found, Questionnaire)
    return found
