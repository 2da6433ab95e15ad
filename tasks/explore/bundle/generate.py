"""generate_ear: ear/ from the best line of the tree, by code alone; the same run gives the same bytes.

ear/ holds what a stranger needs and nothing else: programs, the frozen measure program, given files, figures. What only we need
(which node wrote what, how the search went) stays beside it, in EVOLUTION.md and _provenance.json.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Collection
from pathlib import Path

import yaml

from schemas.bundle import EXECUTABLE
from schemas.errors import StateError
from schemas.explore.bundle import EXPECTED, RULES, EarManifest, Expected, PublishRules
from schemas.explore.figures import FiguresManifest
from schemas.text.visible import visible
from tasks.bundle.members import put, write_member
from tasks.explore.bundle.bundle_texts import evolution, license_text, readme, reproduce_sh
from tasks.explore.bundle.curate import read_rules
from tasks.explore.bundle.expected import expected_numbers
from tasks.explore.bundle.run_files import GOAL, RunFiles, read_model, read_run, taken
from tasks.explore.measuring.harness import repeats_of
from tasks.explore.nodes.provided import PROVIDED
from tasks.explore.nodes.selection import (
    SelectedSource,
    chain,
    filter_nodes,
    load_selected_sources,
    select_source_files_for_publication,
)
from tasks.files.store import atomic_write, remove_tree

_REMEASURE = Path(__file__).parent / "bundled" / "remeasure.py"
_SIMKIT = Path(__file__).resolve().parents[3] / "simkit"
_SIMKIT_IMPORT = re.compile(rb"\b(?:import|from)\s+simkit\b")  # also in a program that a program starts


def generate_ear(run_dir: Path) -> EarManifest:
    """Write ear/, EVOLUTION.md, _provenance.json and ear_manifest.json of a run whose data were collected.

    ear/ is replaced in one step. Raises StateError if something the stages before must have written is missing.
    """
    run = read_run(run_dir)
    rules = _rules(run)
    files: dict[str, bytes] = {}
    left_out: list[tuple[str, str]] = []
    data = {path: raw for path, raw in run.given().items() if path != RULES}
    programs = {"code": _sources(run, run.best)}
    if run.baseline:
        programs["baseline"] = _sources(run, run.baseline)
    nodes = {"code": run.best, "baseline": run.baseline}
    for side, selected in programs.items():
        files.update({f"{side}/{path}": data[path] for path in _still_given(run, nodes[side], data)})
        for source, raw in load_selected_sources(selected, run_dir / "nodes").files:
            files[f"{side}/{source.path}"] = raw
    if not any(path.startswith("code/") for path in files):
        raise StateError(
            f"the best node {run.best} left no source file", fix="there is no program to publish"
        )
    files.update({f"data/{path}": raw for path, raw in data.items()})
    files.update(_figures(run_dir, left_out))
    files["measure/measure.py"] = run.program()
    files["measure/remeasure.py"] = _REMEASURE.read_bytes()
    files.update(_library(files))
    expected = Expected(
        program_sha256=run.spec.sha256,
        inputs=tuple(data),
        repeats=repeats_of(run.spec),
        numbers=expected_numbers(run.science, run.records, run.spec, run.best, run.baseline),
    )
    files[EXPECTED] = _json(expected.model_dump(mode="json"))
    files[EXECUTABLE] = reproduce_sh().encode()
    files["LICENSE"] = license_text(rules).encode()
    files[RULES] = yaml.safe_dump(rules.model_dump(mode="json"), sort_keys=True, allow_unicode=True).encode()
    files["README.md"] = readme(run.science, expected, run.reports.get(run.best), files).encode()
    _replace(run_dir / "ear", files)
    manifest = EarManifest(
        best=run.best,
        baseline=run.baseline,
        files=tuple(sorted(files)),
        numbers=tuple(number.name for number in expected.numbers),
        left_out=tuple(left_out),
    )
    _write_records(run, programs["code"], manifest)
    return manifest


def _rules(run: RunFiles) -> PublishRules:
    """publish.yaml as it stands in ear/, in the run's folder or among the goal's files; else what fits most."""
    folders = (run.run_dir / "ear", run.run_dir, run.run_dir / GOAL)
    given = next(filter(None, map(read_rules, folders)), PublishRules())
    return given if given.title else given.model_copy(update={"title": visible(run.science.title, 280)})


def _sources(run: RunFiles, node_id: str) -> tuple[SelectedSource, ...]:
    """The same choice as for the data; a failed node on the way counts, as its child goes on from its files. Of the files as
    provided no node wrote any."""
    if node_id == PROVIDED:
        return ()
    return select_source_files_for_publication(chain(run.tree, node_id), run.reports)


def _still_given(run: RunFiles, node_id: str, data: Collection[str]) -> list[str]:
    """Given files that the way to a node left where they were put: part of its program, though no node wrote them."""
    if node_id == PROVIDED:
        return sorted(data)
    deleted = {
        path
        for node in chain(run.tree, node_id)
        if node.id in run.reports
        for path in run.reports[node.id].files_changed.deleted
    }
    return sorted(set(data) - deleted)


def _figures(run_dir: Path, left_out: list[tuple[str, str]]) -> dict[str, bytes]:
    if not (run_dir / "figures_manifest.json").is_file():
        return {}
    found = {}
    for figure in read_model(run_dir, "figures_manifest.json", FiguresManifest).figures:
        for file in (figure.png, figure.pdf):
            if file is None:
                continue
            try:
                found[f"figures/{Path(file.path).name}"] = taken(run_dir, file.path)
            except StateError as error:
                left_out.append((file.path, error.what))
    return found


def _library(files: dict[str, bytes]) -> dict[str, bytes]:
    """simkit, where a program imports it: it is on no package index."""
    if not any(_SIMKIT_IMPORT.search(raw) for path, raw in files.items() if path.endswith(".py")):
        return {}
    return {
        f"library/simkit/{path.relative_to(_SIMKIT).as_posix()}": path.read_bytes()
        for path in sorted(_SIMKIT.rglob("*.py"))
        if "__pycache__" not in path.parts
    }


def _replace(ear: Path, files: dict[str, bytes]) -> None:
    draft = Path(tempfile.mkdtemp(dir=ear.parent, prefix=".ear-"))
    try:
        for path in sorted(files):
            write_member(draft, path, files[path])
        draft.chmod(0o755)
        put(draft, ear)
    finally:
        remove_tree(draft)


def _write_records(run: RunFiles, selected: tuple[SelectedSource, ...], manifest: EarManifest) -> None:
    narrated = filter_nodes(
        run.tree.nodes, run.reports, "for_narrative", always_include_node_ids=(run.best,)
    ).nodes
    on_the_way = {node.id for node in chain(run.tree, run.best)}
    atomic_write(run.run_dir / "EVOLUTION.md", evolution(run.science, narrated, run.reports, on_the_way))
    atomic_write(
        run.run_dir / "_provenance.json",
        _json(
            {
                "best": run.best,
                "baseline": run.baseline,
                "measure_program": {"path": run.spec.program, "sha256": run.spec.sha256},
                "code": [
                    {"path": source.path, "node": source.node_id, "sha256": source.sha256}
                    for source in selected
                ],
            }
        ),
    )
    atomic_write(run.run_dir / "ear_manifest.json", manifest.model_dump_json(indent=1))


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()
