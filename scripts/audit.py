"""`make audit`: are there known vulnerabilities in what requirements.lock pins? Exit code 0 none, 1 some, 3 nothing is known.

pip-audit (of the Python Packaging Authority, Apache-2.0) asks the advisory source; it is no dependency of ReproLab and is used
where it is installed. It reports success also where its source answered for no package: that is said here, not taken for an
audit.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCK = Path(__file__).resolve().parents[1] / "requirements.lock"
SOURCES = {"pypi": "the advisories of the Python Package Index", "osv": "the OSV database"}
INSTALL = (
    "install it beside ReproLab, not in its environment: pipx install pip-audit, or uv tool install pip-audit"
)
NONE, SOME, UNKNOWN = 0, 1, 3


def main() -> int:
    """Print what is known about the pinned packages."""
    tool = shutil.which("pip-audit")
    if tool is None:
        print(f"NOTHING WAS AUDITED: pip-audit is not installed; {INSTALL}")
        return UNKNOWN
    for source, name in SOURCES.items():
        try:
            told, reason = audited(tool, source)
        except subprocess.TimeoutExpired:
            told, reason = None, "it took longer than ten minutes"
        if told is None:
            print(f"no answer of {name}: {reason}")
            continue
        known = [entry for entry in told if "skip_reason" not in entry]
        if not known:
            print(
                f"no answer of {name}: it knows none of the {len(told)} packages (is it only a mirror of files?)"
            )
            continue
        return said(told, known, name)
    print("NOTHING WAS AUDITED: no advisory source can be reached from here")
    return UNKNOWN


def audited(tool: str, source: str) -> tuple[list[dict[str, Any]] | None, str]:
    """What pip-audit says of each package, or None and why not. The lock's hashes are used; nothing is installed."""
    ended = subprocess.run(
        [
            tool,
            "-r",
            str(LOCK),
            "--disable-pip",
            "--require-hashes",
            "-s",
            source,
            "-f",
            "json",
            "--progress-spinner",
            "off",
            "--timeout",
            "15",
        ],
        capture_output=True,
        text=True,
        timeout=600,
    )
    try:
        return list(json.loads(ended.stdout)["dependencies"]), ""
    except (ValueError, KeyError, TypeError):
        return None, (
            ended.stderr.strip().splitlines() or [f"pip-audit ended with exit code {ended.returncode}"]
        )[-1][:300]


def said(told: list[dict[str, Any]], known: list[dict[str, Any]], source: str) -> int:
    """Print advisories and what was not audited; the exit code."""
    found = [(entry, advisory) for entry in known for advisory in entry.get("vulns", ())]
    for entry, advisory in found:
        mended = ", ".join(advisory.get("fix_versions", ())) or "no version yet"
        print(f"{entry['name']} {entry['version']}: {advisory['id']}, mended in {mended}")
    skipped = [entry["name"] for entry in told if "skip_reason" in entry]
    if skipped:
        print(f"not audited, unknown to the source: {', '.join(skipped)}")
    print(
        f"{len(known)} of {len(told)} packages audited by {source}: {len(found) or 'no'} known vulnerabilities"
    )
    return SOME if found else UNKNOWN if skipped else NONE


if __name__ == "__main__":
    sys.exit(main())
