#!/usr/bin/env python
"""Keep a finished run as a bundled paper's recording: transcript.jsonl with who answered, baseline.json with what it found.

.venv/bin/python scripts/bundle_run.py outputs/<paper>/<run> papers/<paper> --answered-by "..." --note "..."
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

KEPT = ("classification", "simulated", "error", "nrms_percent", "uncertainty")


def main() -> int:
    """Write both files; 2 if the run has no comparisons or no transcript."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path, help="folder of a finished run")
    parser.add_argument("paper", type=Path, help="folder of the bundled paper")
    parser.add_argument("--answered-by", required=True, help="who or what answered the requests")
    parser.add_argument("--note", default="", help="how: who saw what")
    given = parser.parse_args()
    transcript, found = given.run / "transcript.jsonl", baseline(given.run)
    if not transcript.is_file() or not found:
        print(f"{given.run} has no transcript or no comparison: is the run finished?", file=sys.stderr)
        return 2
    first, *rest = transcript.read_text(encoding="utf-8").splitlines()
    header = json.loads(first)["header"] | {"answered_by": given.answered_by}
    if given.note:
        header["note"] = given.note
    lines = [json.dumps({"header": dict(sorted(header.items()))}, ensure_ascii=False), *rest]
    (given.paper / "transcript.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (given.paper / "baseline.json").write_text(
        json.dumps({"targets": found}, indent=1) + "\n", encoding="utf-8"
    )
    for name, entry in found.items():
        print(f"{name}: {entry['classification']}, {entry['simulated']}, uncertainty {entry['uncertainty']}")
    return 0


def baseline(run: Path) -> dict[str, dict[str, Any]]:
    """Class, value, error and uncertainty of every compared target, in the order of the stages."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(run.glob("*/comparison.json")):
        for entry in json.loads(path.read_text(encoding="utf-8")):
            evidence = entry["evidence"] | {"classification": entry["classification"]}
            found[entry["target_id"]] = {name: evidence.get(name) for name in KEPT}
    return found


if __name__ == "__main__":
    sys.exit(main())
