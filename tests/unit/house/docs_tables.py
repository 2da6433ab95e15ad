"""The generated parts of docs/: command line, settings, thresholds, known defects of Meep.

`python -m tests.unit.house.docs_tables` writes them, and the pages of the specification; tests/unit/house/test_docs.py compares.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin
from unittest.mock import patch

import click
import typer
from pydantic import BaseModel
from typer.testing import CliRunner

from flows.cli import app
from schemas.literature.retrieval import RetrievalSettings
from schemas.reproduce.planning.thresholds import DEFAULT, LOOSE, Threshold
from schemas.reproduce.settings import RunSettings
from schemas.run.settings import CoreSettings
from schemas.study.settings import StudySettings
from tasks.reproduce.describing.known_defects import KNOWN
from tests.sim.solving.test_known_defects import SCRIPTS
from tests.unit.house.spec_list import DOCUMENTS, counts_block
from tests.unit.house.spec_list import page as specification_page

DOCS = Path(__file__).resolve().parents[3] / "docs"
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def commands() -> Iterator[tuple[str, ...]]:
    """Every command as its words, the program itself first: (), ("reproduce",), ..., ("papers", "check")."""

    def below(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        yield words
        for name, child in getattr(command, "commands", {}).items():
            yield from below(child, (*words, name))

    return below(typer.main.get_command(app), ())


def help_text(words: tuple[str, ...]) -> str:
    """What `reprolab <words> --help` prints, 100 columns wide, without colours."""
    width = {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}
    unset = dict.fromkeys(("FORCE_COLOR", "GITHUB_ACTIONS", "PY_COLORS"), None)
    with patch("typer.rich_utils.MAX_WIDTH", 100), patch("typer.rich_utils.FORCE_TERMINAL", None):
        result = CliRunner().invoke(app, [*words, "--help"], prog_name="reprolab", env={**width, **unset})
    if result.exit_code:
        raise RuntimeError(f"{words}: {result.output}")
    return "\n".join(line.rstrip() for line in _ANSI.sub("", result.output).strip("\n").splitlines())


def cli_block() -> str:
    """The help of every command, each in a section of its own."""
    sections = ((" ".join(("reprolab", *words)), help_text(words)) for words in commands())
    return "\n\n".join(f"## {title}\n\n```text\n{text}\n```" for title, text in sections)


def settings_block() -> str:
    """One table for each model of the settings, in the order they are nested."""
    return "\n\n".join(_model_table(name, model) for name, model in _models(RunSettings, "RunSettings"))


def study_settings_block() -> str:
    """A study's own settings; model, limits and what every workflow has are on the page of settings."""
    rows = _model_table("study", StudySettings).splitlines()[2:]
    own = "\n".join(
        row for row in rows if not row.startswith("| `") or row.split("`")[1] not in CoreSettings.model_fields
    )
    return f"{own}\n\n#{_model_table('retrieval', RetrievalSettings)}"


def _models(model: type[BaseModel], name: str) -> Iterator[tuple[str, type[BaseModel]]]:
    yield name, model
    for field, info in model.model_fields.items():
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
            yield from _models(info.annotation, field)


def _model_table(name: str, model: type[BaseModel]) -> str:
    title = "## The run" if model is RunSettings else f"## {name}"
    lines = [title, "", "| field | value | default | meaning |", "|---|---|---|---|"]
    for field, info in model.model_fields.items():
        nested = isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel)
        bounds = filter(None, (_bound(item) for item in info.metadata))
        value = f"see [{field}](#{field})" if nested else ", ".join([_type(info.annotation), *bounds])
        default = "" if nested else f"`{_shown(info.get_default(call_default_factory=True))}`"
        meaning = info.annotation.__doc__ if nested else info.description
        lines.append(f"| `{field}` | {value} | {default} | {meaning or ''} |".replace("  ", " "))
    return "\n".join(lines)


def _bound(item: Any) -> str:
    signs = {"ge": ">=", "gt": ">", "le": "<=", "lt": "<"}
    return next(
        (
            f"{sign} {getattr(item, name)}"
            for name, sign in signs.items()
            if getattr(item, name, None) is not None
        ),
        "",
    )


def _type(annotation: Any) -> str:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " or ".join(f"`{item}`" for item in inner)
    if origin in (Union, types.UnionType):
        return " or ".join("nothing" if item is type(None) else _type(item) for item in inner)
    if origin is tuple:
        return "list of pairs" if get_origin(inner[0]) is tuple else "list"
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return " or ".join(f"`{item.value}`" for item in annotation)
    return {
        "str": "text",
        "Path": "path",
        "int": "whole number",
        "float": "number",
        "bool": "true or false",
    }.get(annotation.__name__, annotation.__name__)


def _shown(value: Any) -> str:
    """A default as one would write it in JSON."""
    return value if isinstance(value, str) and value else json.dumps(value)


def thresholds_block() -> str:
    """Both profiles side by side."""
    rows = [("quantity", "measure", "default", "loose", "correlation: default", "loose"), ("---",) * 6]
    for quantity, normal in DEFAULT.items():
        loose = LOOSE[quantity]
        rows.append(
            (
                f"`{quantity}`",
                normal.measure.replace("_", " "),
                _levels(normal),
                _levels(loose),
                _pearson(normal),
                _pearson(loose),
            )
        )
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _levels(threshold: Threshold) -> str:
    return " / ".join(threshold.words())


def _pearson(threshold: Threshold) -> str:
    return " / ".join(f"{value:g}" for value in threshold.pearson) if threshold.pearson else ""


def defects_block() -> str:
    """The table of known defects of Meep."""
    rows = [("touched by", "what comes of it", "Meep", "told in", "here", "shown"), ("---",) * 6]
    rows += [
        (
            defect.feature,
            defect.consequence,
            defect.versions,
            defect.reference,
            defect.here.rstrip("."),
            "yes" if defect.name in SCRIPTS else "",
        )
        for defect in KNOWN
    ]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)


BLOCKS = {
    ("reference/cli.md", "commands"): cli_block,
    ("reference/settings.md", "settings"): settings_block,
    ("reference/evidence.md", "thresholds"): thresholds_block,
    ("guide/study.md", "study settings"): study_settings_block,
    ("reference/specification.md", "counts"): counts_block,
    ("reference/solver-defects.md", "known defects"): defects_block,
}


def current(page: str, name: str) -> str:
    """What stands between the marks of a generated block. Raises ValueError if the marks are not there."""
    _, body, _ = _parts(page, name)
    return body.strip("\n")


def _parts(page: str, name: str) -> tuple[str, str, str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    begin, end = f"<!-- generated {name}: begin -->", f"<!-- generated {name}: end -->"
    head, found, rest = text.partition(begin)
    body, closed, tail = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"docs/{page} has no marks {begin} ... {end}")
    return head + begin, body, end + tail


def main() -> None:
    """Write every generated block into its page, and every page that is generated as a whole."""
    for (page, name), make in BLOCKS.items():
        head, _, tail = _parts(page, name)
        (DOCS / page).write_text(f"{head}\n{make()}\n{tail}", encoding="utf-8")
    for document in DOCUMENTS:
        (DOCS / "reference/specification" / f"{document}.md").write_text(
            specification_page(document), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
