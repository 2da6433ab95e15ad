"""`python -m benchmarks.scripted`: a recording of free scripts with two stages side by side, whole, against its baseline."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from benchmarks.command import ROOT, Command
from benchmarks.reproduced import compared
from flows.reproduce.outcome import ENDS

PAPER = "ring-resonator"
RECORDED = ROOT / "papers" / PAPER
CLOSE = 2e-3  # relative; the same steps on another processor


def main() -> int:
    """1 where an exit code, a class or a number is not the recorded one."""
    with tempfile.TemporaryDirectory(prefix="reprolab-scripted-") as name:
        folder = Path(name)
        (folder / "settings.json").write_text(json.dumps({"parallel_stages": 2}), encoding="utf-8")
        with Command(
            (
                "reproduce",
                PAPER,
                "--outputs",
                str(folder / "out"),
                "--settings",
                str(folder / "settings.json"),
                "--transcript",
                str(RECORDED / "scripts.jsonl"),
            )
        ) as command:
            code = command.wait()
        wrong = [] if code == ENDS["Partly reproduced"].code else [f"exit code {code}"]
        if not any("side by side: stage1" in text for _, text in command.lines):
            wrong.append("no stages side by side")
        wrong += (
            _differences((folder / "out" / PAPER / "latest").resolve())
            if code == ENDS["Partly reproduced"].code
            else []
        )
    print("\n".join(wrong) if wrong else f"{PAPER}: as recorded, in {command.wall_s:.0f} s")
    return 1 if wrong else 0


def _differences(run: Path) -> list[str]:
    kept = json.loads((RECORDED / "scripts.baseline.json").read_text(encoding="utf-8"))["targets"]
    found, wrong = compared(run), []
    for name, expected in kept.items():
        entry = found.get(name, {"classification": "missing", "evidence": {}})
        if entry["classification"] != expected["classification"]:
            wrong.append(f"{name} is {entry['classification']}, recorded {expected['classification']}")
        value, was = entry["evidence"].get("simulated"), expected["simulated"]
        if was is not None and (value is None or abs(value - was) > CLOSE * abs(was)):
            wrong.append(f"{name} = {value}, recorded {was}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
