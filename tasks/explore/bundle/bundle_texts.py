"""The bundle's texts, made by code from what the nodes left: README.md, reproduce.sh, LICENSE, and EVOLUTION.md beside it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from schemas.explore.bundle import Expected, ExpectedNumber, PublishRules
from schemas.explore.node_report import NodeReport
from schemas.explore.science_data import ScienceData
from schemas.explore.tree import Node
from schemas.text.visible import one_visible_line, visible
from simkit.describe.syntax import parse

_LICENSES = Path(__file__).parent / "licenses"
_REPRODUCE = """\
#!/bin/sh
# Measures this bundle's programs again and compares with the numbers of its paper; writes results.json here.
# Exit code 0: every judged number lies within its error bars; 1: one does not; 2: nothing could be measured.
exec python3 "$(dirname "$0")/measure/remeasure.py"
"""
_FOLDERS = {
    "code": "the program the paper is about",
    "baseline": "the program it is compared with",
    "measure": "the measure program as it was frozen before the search, and what compares",
    "library": "what the programs import",
    "data": "files given with the goal",
    "figures": "the paper's figures",
}
_PLACEHOLDER = re.compile(r"\{\{[^}]*\}\}")


def reproduce_sh() -> str:
    """The script at the bundle's top."""
    return _REPRODUCE


def license_text(rules: PublishRules) -> str:
    """The text of the license, or of Apache-2.0, GPL-3.0 and CC-BY-4.0 the notice that names it, with who holds the right."""
    holder = f"{rules.year} {rules.holder}" if rules.year else rules.holder
    text = (_LICENSES / f"{rules.license}.txt").read_text(encoding="utf-8")
    return text.replace("{holder}", one_visible_line(holder, 220))


def readme(
    science: ScienceData, expected: Expected, report: NodeReport | None, files: Mapping[str, bytes]
) -> str:
    """README.md of the bundle."""
    lines = [
        f"# {one_visible_line(science.title, 200)}",
        "",
        "## Run it",
        "",
        "```sh",
        "sh reproduce.sh",
        "```",
        "",
        f"It needs {_needs(files)}. It runs the measure program "
        + ("once" if expected.repeats == 1 else f"{expected.repeats} times")
        + " on each program, in fresh folders, and "
        "writes `results.json` into the current folder. The programs are isolated by bubblewrap (`bwrap`); without it "
        "nothing runs unless `REPROLAB_UNISOLATED=1` is set. It ends with 0 if every judged number lies within its error "
        "bars, with 1 if one does not, with 2 if nothing could be measured. Error bars: three standard uncertainties of "
        "both measurements together, at least what the table says.",
        "",
    ]
    if expected.numbers:
        lines += [
            "## Numbers of the paper",
            "",
            "| name | value | measured on | at least allowed | judged |",
            "| --- | --- | --- | --- | --- |",
            *(_row(number) for number in expected.numbers),
            "",
        ]
    lines += [
        "## What is here",
        "",
        *(
            f"- `{folder}/`: {what}"
            for folder, what in _FOLDERS.items()
            if any(path.startswith(f"{folder}/") for path in files)
        ),
        "- `expected.json`: the numbers above, as `reproduce.sh` reads them",
        "",
    ]
    if changed := _given_changed(files):
        lines += [
            "## Given files that a program has otherwise",
            "",
            *(f"- {line}" for line in changed),
            "",
            "`data/` holds them as they were given; the measure program finds those, and the program its own.",
            "",
        ]
    commands = (
        [
            (name, command)
            for name, command in (("Build", report.build_command), ("Run", report.run_command))
            if command
        ]
        if report
        else []
    )
    if commands:
        lines += [
            "## The program alone",
            "",
            *(f"- {name}: `{one_visible_line(command, 300).replace('`', '')}`" for name, command in commands),
            "",
        ]
    return "\n".join(lines)


def _given_changed(files: Mapping[str, bytes]) -> list[str]:
    """Files that came with the goal and that a program brings with other content, or lacks."""
    found = []
    for path, raw in sorted(files.items()):
        if not path.startswith("data/"):
            continue
        name = path.removeprefix("data/")
        for side in ("code", "baseline"):
            if any(other.startswith(f"{side}/") for other in files) and files.get(f"{side}/{name}") != raw:
                found.append(
                    f"`{side}/{one_visible_line(name, 200).replace('`', '')}` "
                    + ("is another" if f"{side}/{name}" in files else "is missing")
                )
    return found


def _needs(files: Mapping[str, bytes]) -> str:
    """What has to be installed: the packages that programs import and that are neither Python's nor here."""
    found: set[str] = set()
    programs = {path: raw for path, raw in files.items() if path.endswith(".py")}
    own = {"candidate", *(part.removesuffix(".py") for path in programs for part in path.split("/")[1:])}
    for raw in programs.values():
        found |= _imported(raw)
    meep = any(path.startswith("library/simkit/") for path in files)
    packages = sorted(found - own - set(sys.stdlib_module_names) - {"meep"})
    return (
        "python3 (3.11 or newer)"
        + (f" with {', '.join(packages)}" if packages else "")
        + (" and Meep's Python module (Debian: python3-meep)" if meep or "meep" in found else "")
    )


def _imported(raw: bytes) -> set[str]:
    """Names of top-level packages that a program imports, as far as it can be read."""
    try:
        tree = parse(raw)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    nodes = list(ast.walk(tree))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [
        node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level
    ]
    return {name.split(".")[0] for name in names}


def _row(number: ExpectedNumber) -> str:
    on = {
        "code": "code/",
        "baseline": "baseline/",
        "ratio": "code/ over baseline/",
        "inverse": "baseline/ over code/",
        "change": "change from baseline/ to code/",
    }[number.of]
    value = f"{number.value:.6g} ± {number.uncertainty:.2g} {number.unit}".strip()
    return f"| {number.name} | {value} | {on} | {number.floor:.2g} {number.unit} | {'yes' if number.judged else number.why} |"


def evolution(
    science: ScienceData, nodes: Sequence[Node], reports: Mapping[str, NodeReport], way: Collection[str]
) -> str:
    """EVOLUTION.md: how the search came to its result, node by node; a record for us, never published."""
    lines = [
        f"# How {one_visible_line(science.title, 200)} came about",
        "",
        "Nodes marked * lead to the published program.",
        "",
    ]
    for node in nodes:
        report = reports.get(node.id)
        lines += [
            f"## {'* ' if node.id in way else ''}{node.id} ({node.label}, {node.status})",
            "",
            f"From {node.parent or 'the goal'}. {_quoted(node.direction)}",
            "",
        ]
        if report is None:
            continue
        changed = report.files_changed
        for what, paths in (
            ("added", changed.added),
            ("modified", changed.modified),
            ("deleted", changed.deleted),
        ):
            if paths:
                lines.append(
                    f"- {what}: {', '.join(f'`{one_visible_line(path, 120)}`' for path in paths[:20])}"
                )
        if report.delta_vs_parent is not None:
            lines.append(f"- against its parent: {report.delta_vs_parent.verdict.replace('_', ' ')}")
        if report.self_assessment.headline:
            lines.append(f"- {_quoted(report.self_assessment.headline)}")
        lines += [f"- concern: {_quoted(concern)}" for concern in report.self_assessment.concerns]
        lines += [f"- failed: {_quoted(node.failure)}"] if node.failure else []
        lines.append("")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return _PLACEHOLDER.sub("…", " ".join(visible(text, 400).split()))
