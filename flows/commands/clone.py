"""`reprolab clone`: a published bundle, fetched and checked against the digest of its paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.terminal.expected_errors import guarded
from schemas.run.pasted import typed


def clone(
    ref: Annotated[
        str,
        typer.Argument(
            help="A bundle.tar.gz or a folder with manifest.lock: a path, file://, http:// or https://."
        ),
    ],
    expect_sha256: Annotated[
        str,
        typer.Option(
            "--expect-sha256", metavar="DIGEST", help="The bundle's digest, as its paper states it."
        ),
    ],
    into: Annotated[
        Path | None, typer.Option("--into", help="A new or empty folder; bundle-<digest> here by default.")
    ] = None,
) -> None:
    """Fetch a published bundle, check it against the digest in its paper, and unpack it. Nothing in it is run.

    Whoever stores or carries the bundle need not be trusted: what has another digest is refused and leaves no file.
    """
    guarded(lambda: _clone(ref, expect_sha256, into))


def _clone(ref: str, expect_sha256: str, into: Path | None) -> None:
    from tasks.bundle.clone import clone as fetch

    folder = into or Path(f"bundle-{expect_sha256.strip().lower().removeprefix('sha256:')[:12]}")
    lock = fetch(ref, expect_sha256, folder)
    typer.echo(
        f"{len(lock.files)} files, {lock.size} bytes, license {lock.license or 'not chosen yet'}, in {folder}"
    )
    typer.echo(f"sha256 {lock.bundle_sha256}: as expected")
    if any(file.path == "ro-crate-metadata.json" for file in lock.files):
        typer.echo(f"A reproduction, solved again with: {typed('solve', str(folder))}")
    if any(file.path == "reproduce.sh" for file in lock.files):
        typer.echo(
            f"Read reproduce.sh before you run it; it is a stranger's program: cd {folder} && sh reproduce.sh"
        )
