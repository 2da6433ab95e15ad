"""docs/reference/dependencies.md names every direct dependency; `make audit` says what it knows and never takes silence for safety."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit
ROOT = Path(__file__).resolve().parents[3]


def listed(heading: str) -> dict[str, tuple[str, str]]:
    """Package -> (licence, reason) of one table of the page."""
    part = (
        (ROOT / "docs/reference/dependencies.md")
        .read_text()
        .split(f"## {heading}\n", 1)[1]
        .split("\n## ", 1)[0]
    )
    rows = [
        [cell.strip() for cell in row.strip("|").split("|")]
        for row in part.splitlines()
        if row.startswith("|")
    ][2:]
    return {name: (licence, why) for name, licence, why in rows}


def test_every_direct_dependency_is_listed_with_licence_and_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for heading, asked in (
        ("To run", project["dependencies"]),
        ("To develop", project["optional-dependencies"]["dev"]),
    ):
        names = {re.match(r"[\w.-]+", entry)[0].lower() for entry in asked}  # type: ignore[index]
        assert set(listed(heading)) == names, f"{heading}: {set(listed(heading)) ^ names}"
        assert all(licence and len(why) > 3 for licence, why in listed(heading).values())


def test_the_lock_pins_every_direct_dependency_with_hashes() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    pinned = re.findall(
        r"^([\w.-]+)==\S+(?: ; [^\\\n]*)? \\\n    --hash=sha256:[0-9a-f]{64}", lock, re.MULTILINE
    )
    assert {*listed("To run"), *listed("To develop")} <= {name.lower() for name in pinned}


def test_the_lock_is_installed_in_one_way_wherever_it_is() -> None:
    """Older pips, as Debian's in the image, refuse hashes where a package asks for another one's extra: nothing is resolved anew."""
    found = [
        line
        for name in ("scripts/setup.sh", "deploy/Dockerfile")
        for line in (ROOT / name).read_text().splitlines()
        if "pip install" in line and "-r requirements.lock" in line
    ]
    assert len(found) >= 2 and all("--require-hashes" in line and "--no-deps" in line for line in found), (
        found
    )


CLEAN = {"name": "numpy", "version": "2.4.6", "vulns": []}
KNOWN = {"name": "pillow", "version": "13.0.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["13.0.1"]}]}
SKIPPED = {"name": "rich", "skip_reason": "Dependency not found"}
TOLD: dict[
    str, tuple[str, int, int, str]
] = {  # what the tool writes, how it ends, our exit code, what is said
    "all clean": (
        json.dumps({"dependencies": [CLEAN]}),
        0,
        0,
        "1 of 1 packages audited by the advisories of",
    ),
    "a vulnerability": (
        json.dumps({"dependencies": [CLEAN, KNOWN]}),
        1,
        1,
        "pillow 13.0.0: PYSEC-1, mended in 13.0.1",
    ),
    "all skipped, success": (
        json.dumps({"dependencies": [SKIPPED]}),
        0,
        3,
        "NOTHING WAS AUDITED: no advisory source",
    ),
    "some skipped": (
        json.dumps({"dependencies": [CLEAN, SKIPPED]}),
        0,
        3,
        "not audited, unknown to the source: rich",
    ),
    "no source": ("", 1, 3, "NOTHING WAS AUDITED: no advisory source"),
}


def audit(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "audit.py")],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PATH": f"{folder}:/usr/bin:/bin"},
    )


@pytest.mark.parametrize("case", TOLD)
def test_the_audit_says_what_is_known(tmp_path: Path, case: str) -> None:
    written, ends, code, said = TOLD[case]
    tool = tmp_path / "pip-audit"
    tool.write_text(
        f"#!/bin/sh\ncat <<'END'\n{written}\nEND\necho 'cannot resolve the name' >&2\nexit {ends}\n"
    )
    tool.chmod(0o755)
    ended = audit(tmp_path)
    assert (ended.returncode, said in ended.stdout) == (code, True), ended.stdout + ended.stderr


def test_without_the_tool_nothing_is_claimed(tmp_path: Path) -> None:
    ended = audit(tmp_path)
    assert ended.returncode == 3 and ended.stdout.startswith(
        "NOTHING WAS AUDITED: pip-audit is not installed; install it"
    )
