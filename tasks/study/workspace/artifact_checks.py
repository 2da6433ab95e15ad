"""An artifact is what its type says: checked when it is written and again when it is read."""

from __future__ import annotations

import re
import warnings

import yaml
from pydantic import ValidationError

from schemas.base import Model
from schemas.errors import InputError
from schemas.reading.strict_json import parse_json
from schemas.study.artifacts import Artifact, ArtifactFormat, ArtifactType
from schemas.study.codings import Codings, Themes
from schemas.study.design import StudyProtocol, Variables
from schemas.study.exclusion import Exclusions
from schemas.study.literature import Literature
from schemas.study.paper import SECTIONS, PackageManifest, PaperSection, ReviewReport
from schemas.study.persona import (
    PersonaContext,
    PersonaExperience,
    PersonaProfile,
    PersonaResponse,
    PersonaText,
)
from schemas.study.preparation import Preparation
from schemas.study.questionnaire import Questionnaire
from schemas.study.results import Results
from schemas.study.scope import ResearchPlan
from simkit.describe.syntax import parse
from tasks.literature.bibtex import read_bibtex
from tasks.study.figure_strips import opened
from tasks.study.participants.raw_data import PARTICIPANT, SIMULATED, is_simulated, read_rows

MAX_BYTES = 100_000_000
_TYPE, _FORMAT = ArtifactType, ArtifactFormat
DOCUMENTS: dict[ArtifactType, type[Model]] = {
    _TYPE.LITERATURE: Literature,
    _TYPE.RESEARCH_PLAN: ResearchPlan,
    _TYPE.STUDY_PROTOCOL: StudyProtocol,
    _TYPE.QUESTIONNAIRE: Questionnaire,
    _TYPE.VARIABLES: Variables,
    _TYPE.PERSONA_PROFILE: PersonaProfile,
    _TYPE.PERSONA_RESPONSE: PersonaResponse,
    _TYPE.EXCLUSIONS: Exclusions,
    _TYPE.PREPARATION: Preparation,
    _TYPE.CODINGS: Codings,
    _TYPE.THEMES: Themes,
    _TYPE.RESULTS: Results,
    _TYPE.REVIEW_REPORT: ReviewReport,
    _TYPE.FINAL_PACKAGE: PackageManifest,
}
TEXTS: dict[ArtifactType, type[PersonaText]] = {
    _TYPE.PERSONA_CONTEXT: PersonaContext,
    _TYPE.PERSONA_EXPERIENCE: PersonaExperience,
}
_FRONT = re.compile(r"\A---\n(?P<front>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)
_UNFILLED = re.compile(r"\{\{\s*\w+\s*\}\}")


def checked(artifact: Artifact, content: bytes) -> Model | None:
    """The content as its model where the type has one. Raises InputError with what is wrong in it."""
    if len(content) > MAX_BYTES:
        raise _wrong(artifact, f"{len(content)} bytes", f"at most {MAX_BYTES}")
    try:
        if artifact.type in DOCUMENTS:
            return DOCUMENTS[artifact.type].model_validate(parse_json(_text(content)))
        if artifact.type is _TYPE.RAW_DATA:
            _check_raw_data(content)
        elif artifact.format is _FORMAT.PNG:
            opened(content)
        elif artifact.format is _FORMAT.PDF:
            if not content.startswith(b"%PDF-") or b"%%EOF" not in content[-2048:]:
                raise ValueError("not a whole PDF")
        else:
            return _checked_text(artifact, _text(content))
    except ValidationError as error:
        found = "; ".join(
            f"{'.'.join(map(str, item['loc'])) or 'whole'}: {item['msg']}" for item in error.errors()[:5]
        )
        raise _wrong(artifact, found, "what its schema says") from None
    except (ValueError, RecursionError) as error:
        raise _wrong(artifact, str(error), f"a {artifact.type} as {artifact.format}") from None
    return None


def persona_text(persona_id: str, text: str) -> bytes:
    """The Markdown file of a participant's context or experience."""
    return f"---\npersona: {persona_id}\n---\n{text.strip()}\n".encode()


def _checked_text(artifact: Artifact, text: str) -> Model | None:
    if not text.strip():
        raise ValueError("it is empty")
    if artifact.type in TEXTS:
        match = _FRONT.match(text)
        front = yaml.safe_load(match["front"]) if match else None
        if match is None or not isinstance(front, dict):
            raise ValueError("needs front matter with persona: ID")
        return TEXTS[artifact.type].model_validate(
            {"persona_id": front.get("persona"), "text": match["body"]}
        )
    if artifact.type is _TYPE.PAPER_SECTION:
        name = artifact.id.rsplit("/", 1)[-1]
        if name not in SECTIONS:
            raise ValueError(f"{name} is no section; sections are {', '.join(SECTIONS)}")
        return PaperSection.model_validate({"section": name, "text": text})
    if artifact.type is _TYPE.REFERENCES:
        found, faults = read_bibtex(text)
        if faults or not found:
            raise ValueError("; ".join(faults[:5]) or "no entry in it")
    if artifact.type is _TYPE.PAPER_DRAFT and (left := _UNFILLED.search(text)):
        raise ValueError(f"{left.group()} was not filled in")
    if artifact.format is _FORMAT.PY:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise ValueError(f"no Python: {error}") from None
    return None


def _check_raw_data(content: bytes) -> None:
    rows = read_rows(content)
    if not rows:
        raise ValueError("it has a header and no rows")
    missing = [name for name in (PARTICIPANT, SIMULATED) if name not in rows[0]]
    if missing:
        raise ValueError(f"needs the column {' and '.join(missing)}")
    if len({is_simulated(row) for row in rows}) > 1:
        raise ValueError("simulated and real rows are mixed")


def _text(content: bytes) -> str:
    if b"\0" in content:
        raise ValueError("it holds a NUL byte: no text")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 text: {error.reason} at byte {error.start}") from None


def _wrong(artifact: Artifact, found: str, allowed: str) -> InputError:
    return InputError(
        f"the artifact {artifact.id} does not fit",
        found=found[:1500],
        allowed=allowed,
        fix=f"let {artifact.produced_by} make it again",
    )
