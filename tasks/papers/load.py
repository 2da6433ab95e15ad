"""Reading a paper: a folder (paper.json, paper.md, figures/, data/) or one JSON file, in either form."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from schemas.errors import InputError
from schemas.paper import PaperInput
from tasks.papers.files import MAX_TEXT_BYTES, data_problems, image_problems, material_problems, regular_file
from tasks.papers.specification import Form, own_form


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
        raise InputError(f"the paper at {location} cannot be used", found="\n           ".join(reading.problems),
                         fix=f"mend these, then `reprolab papers check {location}`")
    return reading.paper, reading.folder


def check_paper(location: Path) -> tuple[str, ...]:
    """Everything wrong with a paper, each with how to mend it; empty when it is ready."""
    return read_paper(location).problems


def read_paper(location: Path) -> Reading:
    """Everything about a paper at a folder or a JSON file, right or wrong; raises nothing for a bad one."""
    folder = location if location.is_dir() else location.parent
    source = location / "paper.json" if location.is_dir() else location
    raw, problem = _object(folder, source)
    if raw is None:
        return Reading(None, folder, (problem,))
    given = own_form(raw)
    fields, problems = given.fields, list(given.problems)
    no_text = "text" not in fields
    if no_text:
        text, problem = _paper_md(folder)
        if text is not None:
            fields["text"] = text
        else:
            problems.append(problem)
    paper: PaperInput | None = None
    try:
        paper = PaperInput.model_validate(fields)
    except ValidationError as error:
        for item in error.errors():
            if item["loc"] == ("text",) and no_text and problem:
                continue
            where = given.place(item["loc"]) or "paper"
            found = "" if item["type"] == "missing" else f"; found {str(item.get('input'))[:60]!r}"
            problems.append(f"{where}: {item['msg']}{found if item['loc'] else ''}")
    for figure in paper.figures if paper else ():
        if figure.image:
            problems += image_problems(folder, figure.image)
        for data in figure.data:
            problems += data_problems(folder, data.file)
    for material in paper.materials if paper else ():
        problems += material_problems(folder, material.file)
    return Reading(paper, folder, tuple(problems), given.form, given.notes)


def _object(folder: Path, source: Path) -> tuple[dict[str, Any] | None, str]:
    """The JSON object of a file, or what is wrong with it."""
    if not source.is_file():
        return None, f"{source} is missing; write it as docs/papers.md shows (`reprolab papers new` makes one)"
    if regular_file(folder, source.name) is None:
        return None, f"{source} is a link that leaves the folder; put the file itself there"
    if source.stat().st_size > MAX_TEXT_BYTES:
        return None, f"{source} has {source.stat().st_size} bytes; at most {MAX_TEXT_BYTES} are read"
    try:
        raw = json.loads(source.read_text(encoding="utf-8"))
    except RecursionError:
        return None, f"{source} is nested too deeply; at most a few levels are needed"
    except (UnicodeDecodeError, ValueError) as error:
        return None, f"{source} is not JSON: {error}"
    if not isinstance(raw, dict):
        return None, f"{source} must hold one JSON object; found {type(raw).__name__}"
    return raw, ""


def _paper_md(folder: Path) -> tuple[str | None, str]:
    """The text beside paper.json, or what is wrong with it."""
    text = regular_file(folder, "paper.md")
    if text is None or text.stat().st_size == 0:
        return None, f"{folder / 'paper.md'} is missing or empty; put the paper's text there as Markdown"
    if text.stat().st_size > MAX_TEXT_BYTES:
        return None, f"{text} has {text.stat().st_size} bytes; at most {MAX_TEXT_BYTES} are read"
    return text.read_text(encoding="utf-8", errors="replace"), ""
