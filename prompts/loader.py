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
from schemas.adaptation import AdaptationRecord
from schemas.errors import PrerequisiteError
from simkit.describe.contract import contract

GLOBAL_RULES = "global_rules"
_FOLDER = Path(__file__).resolve().parent
_CONTRACT = _FOLDER.parent / "simkit" / "CONTRACT.md"
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


def prompt_names() -> tuple[str, ...]:
    """Names of all prompts, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.md") if _NAME.match(path.stem)))


@cache
def load_prompt(name: str) -> Prompt:
    """The prompt `name` (file name without .md). Raises PrerequisiteError if missing or malformed."""
    path = _FOLDER / f"{name}.md"
    if not _NAME.match(name) or not path.is_file():
        raise PrerequisiteError(
            f"there is no prompt {name!r}",
            found=name,
            allowed=", ".join(prompt_names()),
            fix="use one of these names, or add the file to prompts/",
        )
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

    constants: placeholder name -> text. {SIMKIT_CONTRACT} is filled from simkit/CONTRACT.md unless
    given, {DESCRIPTION_CONTRACT} from the vocabulary's classes.
    Only {UPPER_CASE} is a placeholder; other braces stay as they are. Adaptations never touch the global
    rules. Raises PrerequisiteError for a placeholder nobody fills.
    """
    prompt = load_prompt(name)
    text = prompt.text
    notes: tuple[str, ...] = ()
    if name != GLOBAL_RULES:
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
    if key == "DESCRIPTION_CONTRACT":
        return contract()
    if key == "SIMKIT_CONTRACT":
        if not _CONTRACT.is_file():
            raise PrerequisiteError(
                "simkit/CONTRACT.md is missing",
                found=f"needed by prompt {prompt!r}",
                fix="reinstall ReproLab; the file belongs to the package",
            )
        return _CONTRACT.read_text(encoding="utf-8").strip()
    raise PrerequisiteError(
        f"prompt {prompt!r} uses an unknown placeholder",
        found="{" + key + "}",
        allowed=", ".join(sorted({*constants, "SIMKIT_CONTRACT", "DESCRIPTION_CONTRACT"})),
        fix="correct the prompt, or add the constant in agents/constants.py",
    )
