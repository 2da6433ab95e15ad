"""The page of an exploration as one self-contained HTML file: no script, no network; every text escaped."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from schemas.base import file_sha256
from schemas.explore.lineage import SubRun
from schemas.explore.node_report import NodeReport
from schemas.explore.state import ExploreState
from schemas.explore.tree import Node
from schemas.text.visible import visible
from tasks.explore.measuring.harness import repeats_of
from tasks.explore.search.best import best_node
from tasks.explore.values_in_words import with_uncertainty

_LONGEST, _MOST_FILES, _MOST_PICTURES, _PICTURE_BYTES = 3000, 40, 8, 3_000_000
_AUTHOR = {"goal": "the goal's author", "agent": "an agent"}
_LINKS = (
    ("paper/full_paper.pdf", "the paper (PDF)"),
    ("paper/full_paper.html", "the paper (HTML)"),
    ("paper/full_paper.tex", "the paper (LaTeX)"),
    ("review_report.json", "the review"),
    ("science_data.json", "the data of the paper"),
    ("bundle.tar.gz", "the bundle"),
    ("ear_published/manifest.lock", "the bundle's manifest"),
    ("ors_rubric.json", "the rubric"),
    ("ors_grade.json", "the grade"),
    ("tree.json", "the tree"),
    ("transcript.jsonl", "the transcript"),
)


def page(
    state: ExploreState,
    run_dir: Path,
    reports: Mapping[str, NodeReport],
    *,
    started: str,
    model: str,
    headline: str,
    cost: str,
    smallest_effect: float,
) -> str:
    """The HTML of a run's page."""
    nodes = state.tree.nodes if state.tree else ()
    best = best_node(state.tree, state.spec, smallest_effect) if state.tree and state.spec else None
    spec = state.spec
    often = (
        "" if spec is None else "measured once" if repeats_of(spec) == 1 else f"{repeats_of(spec)} repeats"
    )
    metric = (
        ""
        if spec is None
        else (
            f"{spec.name} [{spec.unit}], {spec.direction} is better; {spec.kind}, {often}, by {Path(spec.program).name} (sha256 "
            f"{spec.sha256[:16]}), by {_AUTHOR[spec.origin]}, frozen before the search."
            + (" Bars: one standard error." if spec.kind != "deterministic" else "")
        )
    )
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            title=_text(state.goal_title),
            run_id=state.run_id,
            goal_id=state.goal_id,
            started=started,
            model=model,
            headline=_text(headline),
            stop_reason=_text(state.stop_reason),
            metric=_text(metric),
            chart=chart(nodes, spec.name if spec else ""),
            cost=cost,
            nodes=[
                _node(node, reports.get(node.id), node is best or (best is not None and node.id == best.id))
                for node in nodes
            ],
            decisions=[_text(f"after {d.at} nodes: {d.action}; {d.reason}") for d in state.decisions],
            sub_runs=[_sub_run(each, state.goal_id) for each in state.sub_runs],
            ideas=[
                {
                    "title": _text(idea.title),
                    "hypothesis": _text(idea.hypothesis),
                    "selected": number == state.ideas.selected,
                }
                for number, idea in enumerate(state.ideas.ideas)
            ]
            if state.ideas
            else [],
            stages=[
                {"stage": end.stage, "status": end.status.replace("_", " "), "words": _text(end.words)}
                for end in state.stages
            ],
            links=[
                {"href": path, "text": text, "sha256": file_sha256(run_dir / path)[:16]}
                for path, text in _LINKS
                if (run_dir / path).is_file()
            ],
            pictures=_pictures(run_dir),
        )
    )


def chart(nodes: Sequence[Node], metric: str) -> Markup:
    """The metric of each node with its error bar, in the order the nodes were made, as an inline SVG."""
    found = [
        (node, m) for node in nodes if node.evaluation and (m := node.evaluation.metric(metric)) is not None
    ]
    if not found:
        return Markup("<p class='muted'>nothing was measured</p>")
    ends = [value for _, m in found for value in (m.value - m.uncertainty, m.value + m.uncertainty)]
    log = min(ends) > 0 and max(ends) > 50 * min(ends)
    scale: Callable[[float], float] = math.log10 if log else float
    low, high = scale(min(ends)), scale(max(ends))
    span = (high - low) or abs(high) or 1.0
    low, high = low - 0.06 * span, high + 0.06 * span
    width, height, left, bottom = 900, 260, 110, 40

    def x(number: int) -> float:
        return left + (width - left - 30) * (number + 0.5) / len(nodes)

    def y(value: float) -> float:
        return 12 + (height - bottom - 12) * (high - scale(value)) / (high - low)

    place = {node.id: number for number, node in enumerate(nodes)}
    at = {node.id: (x(place[node.id]), y(m.value)) for node, m in found}
    parts = [f'<svg viewBox="0 0 {width} {height}" width="100%" role="img" aria-label="metric of each node">']
    for value in round_marks(low, high, log):
        parts.append(
            f'<line x1="{left}" x2="{width - 20}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#eee"/>'
            f'<text x="{left - 6}" y="{y(value) + 4:.1f}" text-anchor="end" fill="#555">{value:.12g}</text>'
        )
    for node, _ in found:
        if node.parent in at:
            (a, b), (c, d) = at[node.parent], at[node.id]
            parts.append(f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="#c9d6e4"/>')
    for node, m in found:
        cx, cy = at[node.id]
        parts.append(
            f'<line x1="{cx:.1f}" x2="{cx:.1f}" y1="{y(m.value - m.uncertainty):.1f}" '
            f'y2="{y(m.value + m.uncertainty):.1f}" stroke="#3b6ea5" stroke-width="1.5"/>'
            f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="4" fill="#3b6ea5"><title>{node.id}: {m.value:.5g} ± '
            f"{m.uncertainty:.2g}</title></circle>"
        )
    for node in nodes:
        parts.append(
            f'<text x="{x(place[node.id]):.1f}" y="{height - 18}" text-anchor="middle" fill="#333">{node.id}</text>'
        )
    label = Markup.escape(metric if found[0][1].unit in ("", "1") else f"{metric} [{found[0][1].unit}]")
    parts.append(
        f'<text x="14" y="{height / 2}" transform="rotate(-90 14 {height / 2})" text-anchor="middle" fill="#333">'
        f"{label}</text></svg>"
    )
    return Markup("".join(parts))


def round_marks(low: float, high: float, log: bool) -> list[float]:
    """Three to nine values of one or two digits between low and high; where `log`, those are the exponents of ten."""
    if log:
        decades = range(math.floor(low), math.ceil(high) + 1)
        digits = (1, 2, 5) if high - low < 3 else (1,)
        found = [digit * 10.0**decade for decade in decades for digit in digits]
        return [value for value in found if low <= math.log10(value) <= high]
    step = 10.0 ** math.floor(math.log10((high - low) / 3))
    step *= max(digit for digit in (1, 2, 5) if digit * step <= (high - low) / 3)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _node(node: Node, report: NodeReport | None, best: bool) -> dict[str, Any]:
    evaluation = node.evaluation
    metrics = evaluation.metrics if evaluation else ()
    verdict = evaluation.comparison if evaluation else None
    money = f", {node.cost.usd:.2f} USD" if node.cost.usd else ""
    return {
        "id": node.id,
        "depth": node.depth,
        "label": node.label,
        "status": node.status,
        "best": best,
        "score": f"{node.composite:.2f}",
        "direction": _text(node.direction),
        "failure": _text(node.failure),
        "measured": "; ".join(f"{m.name} {with_uncertainty(m)}" for m in metrics[:3]),
        "verdict": verdict.verdict.replace("_", " ") if verdict else "",
        "verdict_class": verdict.verdict if verdict else "",
        "turns": node.cost.turns,
        "cpu": f"{node.cost.cpu_s:.1f}",
        "headline": _text(evaluation.headline) if evaluation else "",
        "axes": [
            {"axis": a.axis, "score": f"{a.score:.2f}", "by": a.by, "reason": _text(a.reason)}
            for a in (evaluation.axes if evaluation else ())
        ],
        "values": "; ".join(
            f"{m.name}: {', '.join(f'{v:.4g}' for v in m.values)} {m.unit} from {m.file} "
            f"(sha256 {m.sha256[:12]})"
            for m in metrics
        ),
        "refused": [_text(each) for each in (evaluation.refused if evaluation else ())],
        "files": [
            {"path": _text(a.path), "role": a.role}
            for a in (report.artifacts[:_MOST_FILES] if report else ())
        ],
        "cost": f"{node.cost.turns} turns, {node.cost.tokens} tokens, {node.cost.cpu_s:.1f} CPU s{money}",
    }


def _sub_run(run: SubRun, goal_id: str) -> dict[str, str]:
    found = f"{run.working} of {run.nodes} nodes measured" + (f", {run.best}" if run.best else "")
    return {
        "id": run.run_id,
        "href": f"../{run.run_id}/EXPLORATION_REPORT_{goal_id}.html",
        "idea": _text(run.idea),
        "found": _text(found if run.ended else found + "; its search did not come to its end"),
    }


def _pictures(run_dir: Path) -> list[dict[str, str]]:
    found = [
        path for path in sorted((run_dir / "figures").glob("*.png")) if path.stat().st_size < _PICTURE_BYTES
    ]
    return [
        {"name": path.stem, "data": "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode()}
        for path in found[:_MOST_PICTURES]
    ]


def _text(value: str) -> str:
    return visible(value, _LONGEST)


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
