"""Load a prompt (Markdown with YAML front matter) and render it with constants and adaptations."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from prompts.adaptations import apply_records, headings
from schemas.errors import PrerequisiteError
from schemas.talking.adaptation import AdaptationRecord

GLOBAL_RULES = "global_rules"
_FOLDER = Path(__file__).resolve().parent
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_FRONT = re.compile(r"\A---\n(?P<front>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{([A-Z][A-Z0-9_]*)\}")


@dataclass(frozen=True)
class Prompt:
    """One prompt file.

    sections: its headings in order; adaptations address them by name. digest: sha256 of `text`, the body.
    """

    id: str
    version: int
    agent: str
    text: str
    digest: str
    sections: tuple[str, ...]

    @property
    def placeholders(self) -> frozenset[str]:
        """Names of the {UPPER_CASE} placeholders in the body."""
        return frozenset(_PLACEHOLDER.findall(self.text))


def prompt_names(room: str = "*") -> tuple[str, ...]:
    """Names of the prompts of a workflow, or of all, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob(f"{room}/*.md") if _NAME.match(path.stem)))


@cache
def load_prompt(name: str) -> Prompt:
    """The prompt `name` (file name without .md). Raises PrerequisiteError if missing or malformed."""
    found = [*_FOLDER.glob(f"*/{name}.md")] if _NAME.match(name) else []
    if len(found) != 1:
        raise PrerequisiteError(
            f"there is no prompt {name!r}" if not found else f"two prompts are called {name!r}",
            found=", ".join(str(path.relative_to(_FOLDER)) for path in found) or name,
            allowed=", ".join(prompt_names()),
            fix="use one of these names, or add the file to prompts/<workflow>/",
        )
    [path] = found
    return parse_prompt(path.read_text(encoding="utf-8"), path.name)


def parse_prompt(source: str, origin: str = "prompt") -> Prompt:
    """A prompt from the text of its file; `origin` names it in errors."""
    match = _FRONT.match(source.replace("\r\n", "\n"))
    if match is None:
        raise PrerequisiteError(
            f"{origin}: no front matter",
            found=source[:40].strip() or "an empty file",
            fix="start the file with '---', then id, version and agent, then '---'",
        )
    try:
        front = yaml.safe_load(match["front"])
    except yaml.YAMLError as error:
        raise PrerequisiteError(
            f"{origin}: the front matter is not YAML",
            found=str(error),
            fix="quote values that contain ':' or '#'",
        ) from error
    if not isinstance(front, dict) or not isinstance(front.get("version"), int) or not front.get("id"):
        raise PrerequisiteError(
            f"{origin}: the front matter is incomplete",
            found=front,
            allowed="id: <name>, version: <whole number>, agent: <name>",
            fix="add what is missing",
        )
    text = match["body"].strip() + "\n"
    names = headings(text)
    double = sorted({name for name in names if names.count(name) > 1})
    if double:
        raise PrerequisiteError(
            f"{origin}: headings used twice",
            found=", ".join(double),
            fix="rename one; adaptations address a section by its heading",
        )
    return Prompt(
        id=str(front["id"]),
        version=front["version"],
        agent=str(front.get("agent", "")),
        text=text,
        digest=text_digest(text),
        sections=names,
    )


def render(
    name: str, constants: Mapping[str, str], records: tuple[AdaptationRecord, ...] = ()
) -> tuple[str, str, tuple[str, ...]]:
    """The prompt's text with adaptations and constants, its sha256, and notes on adaptations.

    constants: placeholder name -> text. Only {UPPER_CASE} is a placeholder; other braces stay as they are. Adaptations never
    touch a workflow's rules. Raises PrerequisiteError for a placeholder nobody fills.
    """
    prompt = load_prompt(name)
    text = prompt.text
    notes: tuple[str, ...] = ()
    if not name.endswith("_rules"):  # of a workflow: never adapted
        text, notes = apply_records(prompt.text, records, base_digest=prompt.digest)
    # Placeholders are filled in one pass from the base prompt's own set, so that neither a constant nor an
    # adaptation can bring in another one.
    known = {key: _constant(key, constants, name) for key in sorted(prompt.placeholders)}
    text = _PLACEHOLDER.sub(lambda match: known.get(match[1], match[0]), text)
    return text, text_digest(text), notes


def text_digest(text: str) -> str:
    """sha256 of a text in UTF-8, hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def _constant(key: str, constants: Mapping[str, str], prompt: str) -> str:
    if key in constants:
        return constants[key]
    raise PrerequisiteError(
        f"prompt {prompt!r} uses an unknown placeholder",
        found="{" + key + "}",
        allowed=", ".join(sorted({*constants, "SIMKIT_CONTRACT", "DESCRIPTION_CONTRACT"})),
        fix="correct the prompt, or add the constant in agents/",
    )
