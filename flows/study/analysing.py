"""Analyze: tests chosen and computed by code, their text by code, codes of what people wrote, and figures by a script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from flows.study.coding import coded
from flows.study.context import Run
from flows.study.fitting_answers import fitting
from flows.study.scoping import told_by_user, words_of_design, written_before
from schemas.errors import InputError
from schemas.study.answers import AnalysisAnswer
from schemas.study.artifacts import ArtifactType
from schemas.study.design import StudyProtocol, Variables
from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.questionnaire import Questionnaire
from schemas.study.results import NotTested, Results
from schemas.study.scope import Hypothesis
from tasks.study.drawing import PACKAGES, as_packaged, drawn
from tasks.study.literature import citable
from tasks.study.participants.raw_data import read_rows
from tasks.study.results_file import apa_text, by_person, plans_of, results_of
from tasks.study.scales import scales_of
from tasks.study.statistics import Plan
from tasks.study.statistics.apa import plain
from tasks.study.statistics.corrections import Method
from tasks.study.test_findings import Finding, findings, level_of
from tasks.study.wording.citing import invented
from tasks.study.wording.claims_of_tests import ResultsReader
from tasks.study.wording.honesty import check_rows
from tasks.study.wording.of_simulated import (
    CONFIRMED,
    OF_GROUP,
    by_group,
    called_confirmatory,
    told_of_groups,
)
from tasks.study.wording.placeholders import values_of
from tasks.study.wording.reported import forged
from tasks.study.wording.sides import sided
from tasks.study.wording.striking import Faults, struck
from tasks.study.wording.typed import typed_numbers
from tasks.study.workspace.mounts import DEPENDENCIES_INSIDE
from tasks.study.workspace.places import output_path, work_path

CORRECTION: Method = "holm"
_STEM, _TAKEN = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}"), ("results", "results_apa", "figures_py")


def analyze(run: Run, node: PhaseNode) -> None:
    """results.json, results_apa.md and the figures."""
    data = run.read_bytes(PhaseType.COLLECT, "raw_data")
    check_rows(data, run.space.mode)
    of_texts = coded(run, node, data)
    if of_texts.not_coded:
        run.console.say(f"no text was coded: {of_texts.not_coded}"[:300], stage=node.id)
    results = results_of(
        data,
        tests(run, data),
        framework=run.settings.framework,
        seed=run.settings.seed,
        correction=CORRECTION,
        agreement=of_texts.agreement,
        scales=scales(run),
    )
    gone = tuple(NotTested(id=name, because=why) for name, why in _not_tried(run).items())
    results = results.model_copy(
        update={"values": (*results.values, *of_texts.values), "not_tested": (*results.not_tested, *gone)}
    )
    reasons, everybody, (_, sides) = (
        run.exploratory_because(),
        _with_everybody(run),
        _sided(run, _variables(run)),
    )
    results = results.model_copy(
        update={
            "tests": tuple(
                item.model_copy(
                    update={
                        "warnings": (
                            *item.warnings,
                            *filter(None, [sides.get(item.id)]),
                            *reasons,
                            *everybody.get(item.id, ()),
                        )
                    }
                )
                for item in results.tests
            )
        }
    )
    output = output_path(node.id)
    run.write(node, f"{node.id}/results", ArtifactType.RESULTS, f"{output}/results.json", results)
    run.write(
        node,
        f"{node.id}/results_apa",
        ArtifactType.RESULTS_APA,
        f"{output}/results_apa.md",
        apa_text(results),
    )
    for item in results.tests:
        run.console.say(f"{item.id}: {plain(item.apa)}"[:300], stage=node.id)
    for missing in results.not_tested:
        run.console.say(f"{missing.id} was not tested: {missing.because}"[:300], stage=node.id)
    _figures(run, node, results, data)


def _with_everybody(run: Run) -> dict[str, tuple[str]]:
    """Hypothesis -> its test with those who were left out by rules that were made when the data were known."""
    found = run.exclusions()
    if found is None or not found.decided_late:
        return {}
    data = run.read_bytes(PhaseType.COLLECT, "everybody")
    try:
        results = results_of(
            data,
            tests(run, data),
            framework=run.settings.framework,
            seed=run.settings.seed,
            correction=CORRECTION,
        )
    except InputError as error:
        return {
            item.id: (f"with everybody: not testable ({error.found})"[:400],)
            for item in run.plan().hypotheses
        }
    return {
        **{item.id: (f"with everybody (n = {item.n}): {plain(item.apa)}",) for item in results.tests},
        **{item.id: (f"with everybody: not testable ({item.because})"[:400],) for item in results.not_tested},
    }


def tests(run: Run, data: bytes) -> list[Plan]:
    """The plan's hypotheses as columns of the data."""
    variables = _variables(run)
    hypotheses, _ = _sided(run, variables)
    gone = _not_tried(run)
    hypotheses = [item for item in hypotheses if item.id not in gone]
    return by_person(plans_of(hypotheses, variables, columns_of(data)), data)


def _not_tried(run: Run) -> dict[str, str]:
    """Hypothesis -> why no test of it is tried: nothing is tested of groups of simulated people, nor what a person dropped."""
    protocol = _protocol(run)
    groups = by_group(run.plan().hypotheses, protocol.participants.quotas) if run.simulated else {}
    return groups | dict.fromkeys(protocol.dropped, "dropped at design, as the design cannot test it")


def scales(run: Run) -> dict[str, dict[str, Any]]:
    """The scales of the study, with their items."""
    name = f"{run.top(PhaseType.DESIGN)}/questionnaire"
    known = {item.id for item in run.space.manifest().artifacts}
    questionnaire = run.space.read(name) if name in known else None
    assert questionnaire is None or isinstance(questionnaire, Questionnaire)
    return scales_of(questionnaire, run.report.preparation)


def _sided(run: Run, variables: Variables) -> tuple[list[Hypothesis], dict[str, str]]:
    return sided(run.plan().hypotheses, variables, known=run.rules_are_late() or bool(run.reopened()))


def _variables(run: Run) -> Variables:
    found = run.read(PhaseType.DESIGN, "variables")
    assert isinstance(found, Variables)
    return found


def _protocol(run: Run) -> StudyProtocol:
    found = run.read(PhaseType.DESIGN, "study_protocol")
    assert isinstance(found, StudyProtocol)
    return found


def columns_of(data: bytes) -> tuple[str, ...]:
    """The columns of raw data."""
    return tuple(read_rows(data)[0])


def _figures(run: Run, node: PhaseNode, results: Results, data: bytes) -> None:
    """A script by an agent, which sees no row: it runs in the sandbox with the raw data and the input mounted."""
    made: dict[str, bytes] = {}
    protocol = _protocol(run)
    reading = ResultsReader(findings(run.plan(), results, protocol), values_of(results), level_of(protocol))
    mounts = {
        path: _inside(run, inside)
        for path, inside in run.space.mounts(node, run.course.graph.nodes()).readonly.items()
    }

    answers, of_caption = 0, _of_caption(run)

    def faults(answer: AnalysisAnswer) -> Sequence[str]:
        nonlocal answers
        answers += 1
        wrong = [
            f"{name}: a figure is figures/NAME.png, in small letters"
            for name in answer.figures
            if not _is_figure(name)
        ]
        if wrong or not answer.figures:
            return wrong or ["no figure is listed"]
        if len(answer.captions) != len(answer.figures):
            return ["one caption is needed for each figure"]
        if (
            answers < run.settings.limits.max_invalid_answers
        ):  # what is kept to the last is taken out or marked below
            wrong = [
                f"in a caption: {kind}: {what}" for text in answer.captions for kind, what in of_caption(text)
            ]
            wrong += [why for caption in answer.captions for why in reading.contradictions(caption)]
            if wrong:
                return wrong[:8]
        with run.simulation_slots:
            found = drawn(
                answer.code,
                answer.figures,
                mounts,
                columns=columns_of(data),
                allow_degraded=run.settings.allow_degraded_sandbox,
            )
        made.clear()
        made.update(found.pictures)
        return found.faults

    answer = fitting(
        run,
        node,
        "analysis_writer",
        AnalysisAnswer,
        {
            "plan": run.plan(),
            "variables": run.read(PhaseType.DESIGN, "variables"),
            "design": {
                "assignment": protocol.assignment,
                "conditions": [item.name for item in protocol.conditions],
            },
            "data_profile": {"columns": columns_of(data), "rows": len(read_rows(data))},
            "results": [f"{item.id}: {item.apa}" for item in results.tests],
            "packages": PACKAGES,
            "issues": [node.description] if node.description else [],
        },
        faults,
        again=lambda found: {"issues": [f"Your last script:\n{found.code}"]},
    )
    folder = work_path(node.id)
    run.write(
        node,
        f"{node.id}/figures_py",
        ArtifactType.ANALYSIS_SCRIPT,
        f"{folder}/scripts/figures.py",
        as_packaged(answer.code),
    )
    for name, caption in zip(answer.figures, answer.captions, strict=True):
        run.write(
            node,
            f"{node.id}/{name.removesuffix('.png').split('/')[1]}",
            ArtifactType.FIGURE,
            f"{folder}/{name}",
            made[name],
            caption=reading.marked(struck(caption, of_caption)[0], title=True)[0],
        )


def _of_caption(run: Run) -> Faults:
    """What may not stand in a caption, whatever the tests show."""
    works = run.literature()
    keys = citable(works.bibliography if works else None)
    told, given, about = told_by_user(run), written_before(run), words_of_design(run)

    def faults(caption: str) -> list[tuple[str, str]]:
        return [
            *(
                ("a number of the results that was typed", number[:60])
                for number in typed_numbers(caption, given)
            ),
            *(("what only code writes, or nobody", why) for why in forged(caption)),
            *unfit_of_simulated(run, caption),
            *(
                ("a reference that is not among those given", cited)
                for cited in invented(caption, (), told, keys=keys, about=about)
            ),
        ]

    return faults


def unfit_of_simulated(run: Run, text: str, *, groups: bool = True) -> list[tuple[str, str]]:
    """What a text may not say where participants are simulated. groups: whether it tells results."""
    if not run.simulated:
        return []
    quotas = _protocol(run).participants.quotas
    return [
        *((CONFIRMED, said) for said in called_confirmatory(text)),
        *((OF_GROUP, said) for said in (told_of_groups(text, quotas) if groups else ())),
    ]


def _inside(run: Run, path: str) -> str:
    """A revision's phase is found where scripts look for the phase."""
    return path.replace(
        f"{DEPENDENCIES_INSIDE}/{run.top(PhaseType.COLLECT)}", f"{DEPENDENCIES_INSIDE}/collect"
    )


def _is_figure(name: str) -> bool:
    first, _, rest = name.partition("/")
    stem = rest.removesuffix(".png")
    return first == "figures" and rest.endswith(".png") and bool(_STEM.fullmatch(stem)) and stem not in _TAKEN


def earlier_results(run: Run) -> list[tuple[str, Results]]:
    """The results of rounds before the one that counts, by phase."""
    found = []
    for item in run.space.manifest().artifacts:
        if item.type is ArtifactType.RESULTS and item.produced_by != run.top(PhaseType.ANALYZE):
            results = run.space.read(item.id)
            assert isinstance(results, Results)
            found.append((item.produced_by, results))
    return found


def what_is_shown(run: Run) -> list[Finding]:
    """What the tests show, as they count now, in the plan's order."""
    protocol = _protocol(run)
    return findings(run.plan(), read_results(run), protocol)


def read_results(run: Run) -> Results:
    """The results as they count now."""
    found = run.read(PhaseType.ANALYZE, "results")
    assert isinstance(found, Results)
    return found
