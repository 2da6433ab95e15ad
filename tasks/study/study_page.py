"""The page of a study as one self-contained HTML file: no script, no network; every text escaped."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from schemas.study.graph import PhaseNode
from schemas.study.results import Results
from schemas.text.visible import visible
from tasks.study.phases import grouped

_LONGEST = 3000
_LINKS = (
    ("artifacts/paper.md", "the paper"),
    ("artifacts/README.md", "the package's README"),
    ("artifacts/references.bib", "the references"),
    ("artifacts/materials/literature.json", "the search of literature"),
    ("artifacts/data/raw_data.csv", "the data"),
    ("artifacts/data/results_apa.md", "every test"),
    ("artifacts/data/codings.json", "the codes of what participants wrote"),
    ("artifacts/data/themes.json", "the themes with their quotations"),
    ("artifacts/manifest.json", "the manifest"),
    ("pipeline.json", "the graph as it is kept"),
)


def page(
    study_id: str,
    nodes: Sequence[PhaseNode],
    results: Results | None,
    *,
    run_dir: Path,
    root: Path,
    started: str,
    stop_reason: str,
    cost: str,
    notice: str,
    figures: Sequence[tuple[str, bytes]] = (),
    earlier: Sequence[tuple[str, Results]] = (),
) -> str:
    """The HTML. run_dir: where the page lies, from which it links; root: the workspace. figures: caption and PNG of each.
    earlier: results of rounds that a review sent back, by phase."""
    known = {node.id: node for node in nodes}
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).resolve().parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2").render(
        study_id=study_id,
        started=started,
        cost=cost,
        notice=notice,
        stop_reason=_text(stop_reason),
        phases=[
            {"node": _shown(node), "parts": _parts([known[name] for name in node.children])}
            for node in nodes
            if node.parent is None
        ],
        tests=[
            {
                "id": item.id,
                "words": _emphasised(item.apa),
                "because": _text(item.because),
                "warnings": [_text(warning) for warning in item.warnings],
            }
            for item in (results.tests if results else ())
        ],
        earlier=[
            {"round": top, "tests": [{"id": item.id, "words": _emphasised(item.apa)} for item in found.tests]}
            for top, found in earlier
        ],
        figures=[
            {"caption": _text(caption), "data": base64.b64encode(picture).decode()}
            for caption, picture in figures
        ],
        links=[
            {"href": _address(root / path, run_dir), "text": text}
            for path, text in _LINKS
            if (root / path).is_file()
        ],
    )


def _address(path: Path, run_dir: Path) -> str:
    return path.relative_to(run_dir).as_posix() if path.is_relative_to(run_dir) else path.as_uri()


def _parts(children: Sequence[PhaseNode]) -> list[dict[str, object]]:
    """A phase's parts, a participant's nodes in one row."""
    return [
        {"name": name, "nodes": [{**_shown(child), "id": child.id.split("/")[-1]} for child in group]}
        for name, group in grouped(children).items()
    ]


def _shown(node: PhaseNode) -> dict[str, str]:
    took = ""
    if node.started_at and node.completed_at:
        took = f"{(node.completed_at - node.started_at).total_seconds():.0f} s"
    return {
        "id": node.id,
        "title": _text(node.title),
        "status": node.status.value,
        "error": _text(node.error),
        "took": took,
        "mend": _text(node.description),
    }


def _emphasised(text: str) -> Markup:
    """Escaped, with *t* as emphasis."""
    return Markup(re.sub(r"\*([^*]{1,20})\*", r"<em>\1</em>", str(escape(_text(text)))))


def _text(text: str) -> str:
    return visible(text, _LONGEST)
