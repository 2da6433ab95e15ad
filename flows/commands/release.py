"""`reprolab release`: what a run has staged is made public, after a person said so."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.terminal.expected_errors import guarded

Outputs = Annotated[
    Path, typer.Option("--outputs", "-o", envvar="REPROLAB_OUTPUTS", help="Folder for results.")
]


def release(
    run: Annotated[
        str, typer.Argument(help="An exploration's id, the beginning of one, or `latest`.")
    ] = "latest",
    outputs: Outputs = Path("outputs"),
) -> None:
    """Make public the bundle that an exploration has staged. Asks first, always; what is public stays public."""
    guarded(lambda: _release(run, outputs.resolve()))


def _release(run: str, outputs: Path) -> None:
    from flows.run.records import find_record
    from schemas.errors import InputError
    from tasks.explore.bundle.publishing import make_public
    from tasks.explore.bundle.publishing.publish import read_record

    path = find_record(outputs, run, workflow="explore") / "publish_record.json"
    staged = read_record(path)
    if staged is None:
        raise InputError(
            "this run has staged nothing", found=str(path), fix="run its stage ear_publish first"
        )
    if staged.visibility == "public":
        return typer.echo(f"It is public already: {staged.url or staged.ref}")
    typer.echo(
        f"{staged.backend}: {staged.url or staged.ref}\nsha256 {staged.bundle_sha256}, {staged.archive_size} bytes"
    )
    typer.confirm("Make it public? This cannot be taken back.", abort=True)
    done = make_public(path)
    typer.echo(f"public: {done.url or done.ref}" + (f", DOI {done.doi}" if done.doi else ""))
