"""The words of science_data.json: an agent says what was done and found; every number in it is a placeholder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from schemas.errors import AnswerError
from schemas.explore.science_data import AnalystAnswer, ScienceData
from schemas.explore.tree import Tree
from schemas.text.visible import visible
from tasks.explore.asking import Ask, asked
from tasks.explore.data.collecting import collect_science_data, node_reports
from tasks.explore.nodes.selection import (
    chain,
    filter_nodes,
    load_selected_sources,
    select_source_files_for_publication,
)
from tasks.explore.paper.building import PaperInputs, read_inputs, read_model
from tasks.explore.paper.section_checks import Material, faults, without_faults
from tasks.explore.paper.unbound import unbound_in, without_unbound
from tasks.explore.paper.verdicts import marked
from tasks.explore.paper.writing import number_lines
from tasks.files.store import atomic_write

FILE = "science_data.json"
SOURCE_BUDGET = 16_000
_MOST_CORRECTIONS = 2


async def transform_data(ask: Ask, run_dir: Path) -> ScienceData:
    """Collect, ask for words, write science_data.json. Raises what collecting raises, and AnswerError."""
    data = collect_science_data(run_dir)
    atomic_write(run_dir / FILE, data.model_dump_json(indent=1))
    inputs = read_inputs(run_dir)
    answer = await analysed(ask, analyst_context(run_dir, inputs), inputs.material())
    data = data.model_copy(
        update={
            "experiment_context": _marked(_cleaned(answer, lambda text: without_unbound(text, data)[0]), data)
        }
    )
    atomic_write(run_dir / FILE, data.model_dump_json(indent=1))
    return data


async def analysed(ask: Ask, context: dict[str, Any], material: Material) -> AnalystAnswer:
    """The analyst's words; what stays a typed number after two corrections is taken out by the sentence."""
    answer = await asked(ask, "analyst", AnalystAnswer, context)
    for _ in range(_MOST_CORRECTIONS):
        wrong = [fault for text in _texts(answer) for fault in faults(text, material)]
        if not wrong:
            return answer
        wrong += [fault for text in _texts(answer) for fault in unbound_in(text, material.data)]
        told = {**context, "draft": answer.model_dump(mode="json"), "faults": wrong}
        answer = await asked(ask, "analyst", AnalystAnswer, told)
    return _cleaned(answer, lambda text: without_faults(text, material)[0])


def _marked(answer: AnalystAnswer, data: ScienceData) -> AnalystAnswer:
    """The answer with a note behind each finding that compares otherwise than the data do."""
    comparisons = [
        found.model_copy(update={"text": marked(found.text, data)[0]}) for found in answer.comparisons
    ]
    return answer.model_copy(
        update={
            "findings": tuple(marked(text, data)[0] for text in answer.findings),
            "comparisons": tuple(comparisons),
        }
    )


def _texts(answer: AnalystAnswer) -> list[str]:
    return [
        answer.methodology,
        answer.implementation_overview,
        *answer.findings,
        *answer.limitations,
        *(text for found in answer.comparisons for text in (found.title, found.text)),
    ]


def _cleaned(answer: AnalystAnswer, kept: Callable[[str], str]) -> AnalystAnswer:
    findings = [text for text in map(kept, answer.findings) if text]
    limitations = [text for text in map(kept, answer.limitations) if text]
    if not findings or not limitations:
        raise AnswerError(
            "the analyst's findings hold typed numbers only, or what no measured number stands beside",
            found="; ".join(answer.findings)[:300],
            allowed="numbers as {{name}} of the data",
        )
    comparisons = [
        found.model_copy(update={"title": kept(found.title), "text": kept(found.text)})
        for found in answer.comparisons
    ]
    return AnalystAnswer(
        methodology=kept(answer.methodology),
        implementation_overview=kept(answer.implementation_overview),
        findings=tuple(findings),
        limitations=tuple(limitations),
        comparisons=tuple(found for found in comparisons if found.title and found.text),
    )


def analyst_context(run_dir: Path, inputs: PaperInputs) -> dict[str, Any]:
    """Numbers by name, what each node tried, and the programs that the bundle will hold, as far as they fit."""
    tree_file = next(name for name in ("tree.json", "nodes_tree.json") if (run_dir / name).is_file())
    tree = read_model(run_dir / tree_file, Tree)
    reports = node_reports(run_dir, tree)
    best = inputs.data.configurations[0].node_id
    passed = filter_nodes(tree.nodes, reports, "for_synthesis", always_include_node_ids=(best,))
    shown = {node.id for node in passed.nodes}
    chosen = select_source_files_for_publication(chain(tree, best), reports)
    sources = load_selected_sources(chosen, run_dir / "nodes", SOURCE_BUDGET)
    return {
        "question": inputs.data.question,
        "metric": inputs.data.summary_stats.model_dump(mode="json", exclude={"primary_metric_best"}),
        "numbers": number_lines(inputs),
        "nodes": [
            {
                "node": found.node_id,
                "parent": found.parent_id,
                "rank": found.rank,
                "kind": found.label,
                "tried": found.direction[:1500],
                "said": found.summary,
                "against_parent": found.against_parent,
                "refused": list(found.refused)[:5],
                "concerns": list(reports[found.node_id].self_assessment.concerns)
                if found.node_id in reports
                else [],
            }
            for found in inputs.data.configurations
            if found.node_id in shown or found.summary
        ],
        "programs": {source.path: visible(raw.decode("utf-8", "replace")) for source, raw in sources.files},
        "programs_left_out": [source.path for source in sources.left_out],
        "warning": passed.warning,
    }
