"""The paper's files from its source: checked again, written as LaTeX, BibTeX and HTML, and compiled where latexmk is."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from schemas.base import FileRef, Model, canonical_json
from schemas.errors import InputError
from schemas.explore.figures import FiguresManifest
from schemas.explore.paper import Claim, CompiledPaper, PaperSource
from schemas.explore.reviewing import Venue
from schemas.explore.science_data import ScienceData
from schemas.literature.found_works import Bibliography
from schemas.reading.beneath import Unopened, read_below
from tasks.explore.paper.compiling import compile_latex
from tasks.explore.paper.latex import LatexWriter
from tasks.explore.paper.paper_page import PageWriter
from tasks.explore.paper.paper_pieces import lay_out
from tasks.explore.paper.refs_bib import bibtex
from tasks.explore.paper.section_checks import Material, faults, line_faults
from tasks.files.store import atomic_write

Kind = TypeVar("Kind", bound=Model)
FOLDER, SOURCE, REPORT = "paper", "paper/source.json", "paper/compiled.json"


@dataclass(frozen=True)
class PaperInputs:
    """What a paper is made of, as it lies in the run's folder."""

    data: ScienceData
    bibliography: Bibliography
    manifest: FiguresManifest
    texts: tuple[str, ...]

    def material(self) -> Material:
        """What a section may draw on."""
        return Material.of(
            self.data, self.bibliography.keys(), [figure.name for figure in self.manifest.figures], self.texts
        )


def read_inputs(run_dir: Path) -> PaperInputs:
    """Raises InputError where science_data.json is missing or a file does not fit; references and figures may be missing."""
    data = read_model(run_dir / "science_data.json", ScienceData)
    bibliography = read_model(run_dir / "related_refs.json", Bibliography, Bibliography())
    manifest = read_model(run_dir / "figures_manifest.json", FiguresManifest, FiguresManifest())
    programs = sorted({path for found in data.configurations for path in found.sources})
    texts = [data.question, data.title]
    for name in programs:
        path = (run_dir / name).resolve()
        if path.is_relative_to(run_dir.resolve()) and path.is_file() and path.stat().st_size < 1 << 20:
            texts.append(path.read_text(encoding="utf-8", errors="replace"))
    return PaperInputs(data, bibliography, manifest, tuple(texts))


def read_model(path: Path, kind: type[Kind], missing: Kind | None = None) -> Kind:
    """The model in a file; `missing` where there is no such file. Raises InputError."""
    if not path.is_file():
        if missing is not None:
            return missing
        raise InputError(f"{path.name} is missing", found=str(path), fix="run the stage that makes it")
    try:
        return kind.model_validate_json(path.read_text(encoding="utf-8"))
    except (ValidationError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path.name} does not fit", found=str(error)[:600], fix="run the stage that makes it again"
        ) from None


def build_paper(
    run_dir: Path, source: PaperSource, venue: Venue, *, allow_degraded: bool = False
) -> CompiledPaper:
    """Write paper/ and say what was made. Raises InputError if a text holds what may not stand in a paper."""
    inputs = read_inputs(run_dir)
    check_source(source, inputs)
    folder = run_dir / FOLDER
    pictures = _pictures(run_dir, inputs.manifest)
    layout = lay_out(source, inputs.data, inputs.bibliography, inputs.manifest)
    tex = LatexWriter(layout, venue).document()
    claims = _claims(layout.claims)
    bib = bibtex(layout.references())
    page = PageWriter(
        lay_out(source, inputs.data, inputs.bibliography, inputs.manifest),
        {name: png for name, (png, _pdf) in pictures.items()},
    ).document()
    files = {"full_paper.tex": tex.encode(), "refs.bib": bib.encode()}
    for figure in layout.figures:
        png, pdf = pictures[figure.name]
        files[f"figures/{figure.name}.{'pdf' if pdf else 'png'}"] = pdf or png
    for name, data in {**files, "full_paper.html": page.encode(), "claims.json": claims.encode()}.items():
        atomic_write(folder / name, data)
    atomic_write(run_dir / SOURCE, source.model_dump_json(indent=1))
    made = compile_latex(files, allow_degraded=allow_degraded)
    target = folder / "full_paper.pdf"
    if made.pdf is None:
        target.unlink(missing_ok=True)  # an older one would pass for this one
    else:
        atomic_write(target, made.pdf)
    report = CompiledPaper(
        tex=FileRef.of(folder / "full_paper.tex", run_dir),
        bib=FileRef.of(folder / "refs.bib", run_dir),
        html=FileRef.of(folder / "full_paper.html", run_dir),
        claims=FileRef.of(folder / "claims.json", run_dir),
        pdf=FileRef.of(target, run_dir, "application/pdf") if made.pdf else None,
        pages=made.pages,
        why_no_pdf=made.why,
        warnings=made.warnings,
    )
    atomic_write(run_dir / REPORT, report.model_dump_json(indent=1))
    return report


def check_source(source: PaperSource, inputs: PaperInputs) -> None:
    """Raises InputError at the first text that may not stand in a paper."""
    material = inputs.material()
    texts = [("the title", line_faults(source.title, material))]
    texts += [(f"section {section.name!r}", faults(section.text, material)) for section in source.sections]
    texts += [
        (f"the caption of {figure.name!r}", line_faults(figure.caption, material))
        for figure in inputs.manifest.figures
    ]
    for what, wrong in texts:
        if wrong:
            raise InputError(
                f"{what} may not stand in a paper",
                found="; ".join(wrong[:4]),
                allowed="numbers as {{name}}, citations of retrieved references, formulas of the allow-list",
            )


def _claims(claims: list[Claim]) -> str:
    return canonical_json([claim.model_dump(mode="json") for claim in claims]) + "\n"


def _picture(run_dir: Path, name: str) -> bytes:
    try:
        return read_below(run_dir, name, 32 << 20)
    except Unopened as error:
        raise InputError(f"the picture {name} {error}", fix="run generate_figures again") from None


def _pictures(run_dir: Path, manifest: FiguresManifest) -> Mapping[str, tuple[bytes, bytes]]:
    """PNG and PDF (empty: none) of each figure, their digests checked."""
    found = {}
    for figure in manifest.figures:
        parts = []
        for ref in (figure.png, figure.pdf):
            data = b"" if ref is None else _picture(run_dir, ref.path)
            if ref is not None and hashlib.sha256(data).hexdigest() != ref.sha256:
                raise InputError(
                    f"the figure {figure.name!r} changed after it was drawn",
                    found=ref.path,
                    fix="run generate_figures again",
                )
            parts.append(data)
        found[figure.name] = (parts[0], parts[1])
    return found
