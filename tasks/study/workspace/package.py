"""The final package: paper, figures, data, analysis code, materials, and what says where each file came from."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from schemas.errors import StateError
from schemas.study.artifacts import Artifact, ArtifactFormat, ArtifactType
from schemas.study.graph import PhaseType
from schemas.study.paper import PackageManifest
from schemas.study.pipeline import PipelineMode
from schemas.study.statement import STATEMENT
from tasks.files.store import atomic_write, exchange, remove_tree
from tasks.study import statistics
from tasks.study.phases import round_of
from tasks.study.wording.honesty import check_rows, missing_statement
from tasks.study.wording.notice import stamped
from tasks.study.workspace.file_steps import locked, twice
from tasks.study.workspace.places import ARTIFACTS, MANIFEST, PACKAGE, phase_of
from tasks.study.workspace.workspace import Workspace

_TYPE = ArtifactType
_FOLDERS: dict[ArtifactType, str] = {
    _TYPE.FIGURE: "figures",
    _TYPE.RAW_DATA: "data",
    _TYPE.EXCLUSIONS: "data",
    _TYPE.PREPARATION: "data",
    _TYPE.CODINGS: "data",
    _TYPE.THEMES: "data",
    _TYPE.RESULTS: "data",
    _TYPE.RESULTS_APA: "data",
    _TYPE.ANALYSIS_SCRIPT: "analysis_code",
    _TYPE.RESEARCH_PLAN: "materials",
    _TYPE.STUDY_PROTOCOL: "materials",
    _TYPE.QUESTIONNAIRE: "materials",
    _TYPE.VARIABLES: "materials",
    _TYPE.PREREGISTRATION: "materials",
    _TYPE.LITERATURE: "materials",
    _TYPE.REVIEW_REPORT: "reviews",
}
_PERSONAL = (_TYPE.PERSONA_PROFILE, _TYPE.PERSONA_CONTEXT, _TYPE.PERSONA_EXPERIENCE, _TYPE.PERSONA_RESPONSE)
_KEPT = (
    _TYPE.LITERATURE,
    _TYPE.REFERENCES,
    _TYPE.RESEARCH_PLAN,
    _TYPE.STUDY_PROTOCOL,
    _TYPE.QUESTIONNAIRE,
    _TYPE.VARIABLES,
    _TYPE.PREREGISTRATION,
    _TYPE.RAW_DATA,
    _TYPE.EXCLUSIONS,
    _TYPE.PREPARATION,
    _TYPE.CODINGS,
    _TYPE.THEMES,
    _TYPE.RESULTS,
    _TYPE.RESULTS_APA,
    _TYPE.PAPER_DRAFT,
)
_EARLIER = "earlier_rounds/"
_PEOPLE = "data/participants/"
_STATISTICS = Path(statistics.__file__).parent


def place_of(artifact: Artifact) -> str | None:
    """Where an artifact lies in the package; None for one that does not belong there (sections: the paper holds them)."""
    name = Path(artifact.path).name
    if artifact.type is _TYPE.PAPER_DRAFT:
        return f"paper.{artifact.format}"
    if artifact.type is _TYPE.REFERENCES:
        return name
    if artifact.type in _PERSONAL:
        return f"{_PEOPLE}{'/'.join(Path(artifact.path).parts[-2:])}"
    folder = _FOLDERS.get(artifact.type)
    return None if folder is None else f"{folder}/{name}"


def earlier_place(artifact: Artifact) -> str | None:
    """Where an artifact of a round that counts no more lies: what was planned, found and written then is never dropped."""
    top = phase_of(artifact.produced_by)[0]
    return f"{_EARLIER}{top}/{Path(artifact.path).name}" if artifact.type in _KEPT else None


def current(artifacts: Sequence[Artifact]) -> tuple[Artifact, ...]:
    """Those that count: of each phase its last revision that made something; reviews all."""
    last: dict[PhaseType, int] = {}
    for item in artifacts:
        top, kind = phase_of(item.produced_by)
        last[kind] = max(last.get(kind, 0), round_of(top))
    return tuple(
        item
        for item in artifacts
        if (found := phase_of(item.produced_by))[1] is PhaseType.REVIEW
        or round_of(found[0]) == last[found[1]]
    )


def compile_package(
    space: Workspace, *, plan: str = "", readme: str = "", beside: Mapping[str, str] | None = None
) -> PackageManifest:
    """Compile artifacts/ in one step; what stood there before is replaced as a whole, or stays as a whole.

    plan: plan.json of the statistics, with which analysis_code/ computes all numbers again. readme: words on top of the
    README. beside: more texts (.md, .json) by their place.
    Every artifact is read with its digest checked. Raises StateError if the paper or the data are missing, two
    artifacts want one place, or a file of mode A does not say that participants were simulated.
    """
    manifest = space.manifest()
    files: dict[str, bytes] = {}
    sources: dict[str, str] = {}
    counted = current(manifest.artifacts)
    ids = {item.id for item in counted}
    for artifact in (*counted, *(item for item in manifest.artifacts if item.id not in ids)):
        place = place_of(artifact) if artifact.id in ids else earlier_place(artifact)
        if place is None:
            continue
        if place in files:
            raise StateError(
                "two artifacts want one place in the package",
                found=f"{place}: {sources[place]}, {artifact.id}",
                fix="give their files different names",
            )
        files[place], sources[place] = space.read_bytes(artifact.id), artifact.id
        if artifact.type is _TYPE.RAW_DATA:
            check_rows(files[place], space.mode)
    for needed in (_TYPE.PAPER_DRAFT, _TYPE.RAW_DATA, _TYPE.RESULTS):
        if not any(item.type is needed for item in manifest.artifacts):
            raise StateError(
                "the package is not complete", found=f"no {needed}", fix="let the phase that makes it run"
            )
    simulated = space.mode is PipelineMode.SIMULATED
    if plan:
        files |= {
            f"analysis_code/study_statistics/{path.relative_to(_STATISTICS).as_posix()}": path.read_bytes()
            for path in sorted(_STATISTICS.rglob("*.py"))
        }
        files["analysis_code/plan.json"] = _said(ArtifactFormat.JSON, plan.encode(), simulated)
    for place, text in (beside or {}).items():
        files[place] = _said(ArtifactFormat(place.rsplit(".", 1)[1]), text.encode(), simulated)
    data = next(
        place for place in sources if place.endswith("/raw_data.csv") and not place.startswith(_EARLIER)
    )
    files["README.md"] = _said(
        ArtifactFormat.MD, _readme(readme, files, data, bool(plan)).encode(), simulated
    )
    made = PackageManifest(
        project_id=space.project_id,
        mode=space.mode.value,
        made_at=datetime.now(UTC),
        sources=sources,
        files=tuple(item for item in manifest.artifacts if item.id in sources.values()),
        notice=STATEMENT if simulated else "",
        content_sha256=_digest(files),
    )
    files[PACKAGE] = made.model_dump_json(indent=1).encode()
    for left in space.root.glob(".package-*"):  # of a process that was killed
        remove_tree(left)
    draft = Path(tempfile.mkdtemp(dir=space.root, prefix=".package-"))
    try:
        draft.chmod(0o755)
        for place, content in files.items():
            twice(partial(atomic_write, draft / place, content), f"writing {place}")
        if simulated and (lacking := missing_statement(draft)):
            raise StateError(
                "parts of the package do not say that participants were simulated",
                found="; ".join(f"{item.path}: {item.why}" for item in lacking[:6]),
                fix="make these parts again",
            )
        with locked(space.root):
            atomic_write(draft / MANIFEST, (space.root / ARTIFACTS / MANIFEST).read_bytes())
            exchange(draft, space.root / ARTIFACTS)
    finally:
        remove_tree(draft)
    return made


def package_digest(package: Path) -> str:
    """The digest of a compiled package's content, as its package.json tells it."""
    return PackageManifest.model_validate_json((package / PACKAGE).read_text(encoding="utf-8")).content_sha256


def _digest(files: dict[str, bytes]) -> str:
    """Of all files, as `sha256sum` of them in order would be summed up."""
    lines = "".join(f"{hashlib.sha256(files[place]).hexdigest()}  {place}\n" for place in sorted(files))
    return hashlib.sha256(lines.encode()).hexdigest()


def _said(kind: ArtifactFormat, content: bytes, simulated: bool) -> bytes:
    return stamped(kind, content) if simulated else content


def _readme(words: str, files: dict[str, bytes], data: str, again: bool) -> str:
    lines = ["# The package of a study", "", words.strip(), "", "| file | what |", "|---|---|"]
    what = {
        "paper": "the paper",
        "figures": "figures of the paper",
        "data": "data and results",
        "materials": "plan, protocol, questionnaire, variables",
        "analysis_code": "code of the analysis",
        "reviews": "reviews of the paper",
        "earlier_rounds": "what was planned, found and written before a review sent it back",
    }
    own = {
        "data/codebook.md": "what each column of the data is",
        "dataset_description.json": "the same for programs (schema.org)",
        "data/codings.json": "code book, and each coder's segments of what participants wrote, with their places in the data",
        "data/themes.json": "themes of these codes, with quotations whose names are masked",
        "references.bib": "the literature that was found",
        "materials/preregistration.md": "what was decided before data were collected, under AsPredicted's questions and OSF's headings",
        "materials/literature.json": "queries for literature, what each "
        "backend failed at, and all works that were found",
    }
    lines += [
        f"| `{place}` | {own.get(place) or what.get(place.split('/')[0].split('.')[0], '')} |"
        for place in sorted(files)
        if "study_statistics" not in place and not place.startswith(_PEOPLE)
    ]
    if people := len({place.split("/")[2] for place in files if place.startswith(_PEOPLE)}):
        lines.append(
            f"| `{_PEOPLE}` | a folder for each of the {people} simulated participants: profile, context, experience, "
            "response |"
        )
    lines += ["| `analysis_code/study_statistics/` | the tests, as ReproLab has them |"] if again else []
    if again:
        lines += [
            "",
            "Compute all numbers again (Python with pandas, scipy and statsmodels; ReproLab is not needed):",
            "",
            "```",
            "cd analysis_code",
            f"python -m study_statistics ../{data} plan.json"
            + "".join(f" ../{name}" for name in ("data/codings.json", "data/themes.json") if name in files),
            "```",
        ]
    if again and "data/preparation.json" in files:
        lines += [
            "",
            "The data were prepared by declared steps. From the cells as they were collected (`data/as_collected.csv`, without columns "
            "that may identify people) these give the data again, before anybody was left out and means of scales were added:",
            "",
            "```",
            "cd analysis_code",
            "python -m study_statistics.preparation ../data/as_collected.csv ../data/preparation.json",
            "```",
        ]
    lines += [
        "",
        f"`{MANIFEST}` lists every artifact with its producer, digest and time; `{PACKAGE}` says which became "
        "which file, and the digest of all but these two.",
    ]
    return "\n".join(lines) + "\n"
