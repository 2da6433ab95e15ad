"""Reading a paper: a folder (paper.json, paper.md, figures/, data/) or one JSON file, in either form."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from schemas.errors import InputError
from schemas.reading.beneath import Unopened
from schemas.reading.strict_json import parse_json
from schemas.reproduce.paper import MAX_FIGURES, MAX_FILES, MAX_PATH, PaperInput
from schemas.run.pasted import typed
from schemas.text.visible import visible
from tasks.reproduce.papers.paper_files import (
    MAX_TEXT_BYTES,
    data_problems,
    image_problems,
    material_problems,
    pattern_problems,
    taken,
)
from tasks.reproduce.papers.specification import FIGURE_LISTS, Form, own_form

_MOST_PROBLEMS = 40


@dataclass(frozen=True)
class Reading:
    """What was understood of a paper. problems: each with how to mend it; empty when the paper is ready.

    form: which of the two forms it has. notes: what was assumed because the paper does not say it.
    """

    paper: PaperInput | None
    folder: Path
    problems: tuple[str, ...] = ()
    form: Form = "reprolab"
    notes: tuple[str, ...] = ()


def load_paper(location: Path) -> tuple[PaperInput, Path]:
    """The paper and the folder its files are in. Raises InputError listing every problem with its fix."""
    reading = read_paper(location)
    if reading.problems or reading.paper is None:
        raise InputError(
            f"the paper at {location} cannot be used",
            found="\n           ".join(reading.problems),
            fix=f"mend these, then `{typed('papers', 'check', str(location))}`",
        )
    return reading.paper, reading.folder


def check_paper(location: Path) -> tuple[str, ...]:
    """Everything wrong with a paper, each with how to mend it; empty when it is ready."""
    return read_paper(location).problems


def read_paper(location: Path) -> Reading:
    """Everything about a paper at a folder or a JSON file, right or wrong; raises nothing for a bad one."""
    folder, name = source_of(location)
    try:
        reading = _reading(folder, name)
    except RecursionError:  # of what validates it
        reading = Reading(
            None, folder, (f"{folder / name} is nested too deeply; at most a few levels are needed",)
        )
    problems = tuple(visible(problem, 2000) for problem in reading.problems[:_MOST_PROBLEMS])
    if more := len(reading.problems) - _MOST_PROBLEMS:
        problems += (f"and {more} more",) if more > 0 else ()
    return Reading(reading.paper, folder, problems, reading.form, reading.notes)


def source_of(location: Path) -> tuple[Path, str]:
    """The folder of a paper and the name of its JSON file."""
    return (location, "paper.json") if location.is_dir() else (location.parent, location.name)


def _reading(folder: Path, name: str) -> Reading:
    raw, problem = _object(folder, name)
    if raw is None:
        return Reading(None, folder, (problem,))
    given = own_form(raw)
    fields, problems = given.fields, list(given.problems)
    no_text = "text" not in fields
    if no_text:
        text, problem = _text(folder, "paper.md", "put the paper's text there as Markdown")
        if text is not None and text.strip():
            fields["text"] = text
        else:
            problem = (
                problem
                or f"{folder / 'paper.md'} is missing or empty; put the paper's text there as Markdown"
            )
            problems.append(problem)
    paper: PaperInput | None = None
    try:
        paper = PaperInput.model_validate(fields)
    except ValidationError as error:
        for item in error.errors():
            if item["loc"] == ("text",) and no_text and problem:
                continue
            where = given.place(item["loc"]) or "paper"
            found = "" if item["type"] == "missing" else f"; found {_short(item.get('input'))}"
            problems.append(f"{where}: {item['msg']}{found if item['loc'] else ''}")
    problems += _of_files(folder, fields)
    return Reading(paper, folder, tuple(problems), given.form, given.notes)


def _of_files(folder: Path, fields: dict[str, Any]) -> list[str]:
    """What is wrong with the files that a paper names, whatever else is wrong with it: also what fits no schema names files.

    Of two forms that are mixed the names of both count.
    """
    problems: list[str] = []
    for listed in ("figures", *FIGURE_LISTS):
        for figure in _objects(fields, listed, MAX_FIGURES):
            for image in filter(None, _names(figure, "image", "image_path")):
                problems += image_problems(folder, image)
            tables = [
                *_names(figure, "digitized_data_path"),
                *(name for data in _objects(figure, "data", MAX_FILES) for name in _names(data, "file")),
            ]
            for table in tables:
                problems += data_problems(folder, table)
    for material in _objects(fields, "materials", MAX_FILES):
        for table in _names(material, "file"):
            problems += material_problems(folder, table)
    for pattern in _objects(fields, "patterns", MAX_FILES):
        for file in _names(pattern, "file"):
            problems += pattern_problems(folder, file, pattern)
    return problems


def _objects(given: dict[str, Any], name: str, most: int) -> list[dict[str, Any]]:
    listed = given.get(name)
    return [entry for entry in listed[:most] if isinstance(entry, dict)] if isinstance(listed, list) else []


def _names(given: dict[str, Any], *names: str) -> list[str]:
    """Those of these fields that can name a file; what is wrong with the others the schema says."""
    found = [given.get(name) for name in names]
    return [name for name in found if isinstance(name, str) and len(name) <= MAX_PATH]


def _short(value: Any) -> str:
    return repr(
        value[:60]
        if isinstance(value, str)
        else str(value)[:60]
        if not isinstance(value, (list, dict))
        else f"{len(value)} entries"
    )


def _object(folder: Path, name: str) -> tuple[dict[str, Any] | None, str]:
    """The JSON object of a file, or what is wrong with it."""
    if name.lower().endswith((".pdf", ".md", ".markdown")):
        made = typed("papers", "import", str(folder / name))
        return None, f"{folder / name} is no paper's folder yet; `{made}` makes one of it"
    text, problem = _text(
        folder,
        name,
        f"write it as docs/guide/papers.md shows (`{typed('papers', 'new', 'FOLDER')}` makes one)",
    )
    if text is None:
        return None, problem
    try:
        raw = parse_json(text)
    except ValueError as error:
        return None, f"{folder / name} is not JSON: {error}"
    if not isinstance(raw, dict):
        return None, f"{folder / name} must hold one JSON object; found {type(raw).__name__}"
    return raw, ""


def _text(folder: Path, name: str, fix: str) -> tuple[str | None, str]:
    """The text of a file of the folder, or what is wrong with it."""
    try:
        text = taken(folder, name, MAX_TEXT_BYTES).decode("utf-8-sig")
    except Unopened as error:
        return None, f"{folder / name} {error}; {fix}"
    except UnicodeDecodeError as error:
        return (
            None,
            f"{folder / name} is no text in UTF-8 ({error.reason} at byte {error.start}); save it as UTF-8",
        )
    if "\0" in text:
        return None, f"{folder / name} holds NUL bytes; it is no text"
    return text.replace("\r\n", "\n"), ""
