"""What only the paper's words keep from agreeing: the report is written, and a person may decide it, then or later."""

from __future__ import annotations

import html
import json
import os
import pty
import re
from typing import Any

import pytest

from tests.flow import coating, described
from tests.flow.kit import Bench, Model

pytestmark = pytest.mark.flow
PLAIN, LOADED = "the reflectance is 1.26 %", "the loaded weighted reflectance is 1.26 %"
FILM = "its thickness is 99.6 nm."
MORE = f"{FILM} A layer of chromium, 10 nm thick, lies between film and glass."  # doubts both targets
TITLE = "Is what was computed what the paper says?"


def _answer(request: dict[str, Any]) -> Any:
    """As described.answer of a paper whose results have two words that no table knows."""
    told = json.loads(json.dumps(described.answer(request)).replace(PLAIN, LOADED))
    if "design" in told:
        told["design"]["code"] = described.COATED
    return told


def _paper(bench: Bench) -> None:
    (bench.paper / "paper.md").write_text(coating.TEXT.replace(PLAIN, LOADED).replace(FILM, MORE))


def _confirmed(bench: Bench, target: str = "R_550") -> dict[str, Any]:
    found: dict[str, Any] = bench.comparisons()[target]
    return found


def test_what_words_leave_open_is_confirmed_after_the_report_by_the_command_that_it_prints(
    bench: Bench,
) -> None:
    _paper(bench)
    with Model(_answer) as model:
        nobody = {"REPROLAB_NON_INTERACTIVE": "1"}
        beforehand = "doubts=confirm: R_550"  # names nothing that is doubted
        first = bench.reproduce(
            model, "--answer", "material_checkpoint=approve", "--answer", beforehand, env=nobody
        )
        first.wait()
        found = _confirmed(bench)
        assert found["classification"] == "PARTIAL" and found["evidence"]["undoubted"] == "SUCCESS", first.err
        doubt, other, both = found["evidence"]["doubts"]
        assert "loaded" in doubt["why"] + other["why"] and "does not fit" in first.err
        seen = [
            str(r["messages"])
            for label, r in zip(model.order, model.requests, strict=True)
            if "design_rev" in label
        ]
        assert all("chromium" in one and "whatever it gives" in one for one in seen) and seen, (
            "before it is solved"
        )
        assert [one["why"] for one in _confirmed(bench, "R_curve")["evidence"]["doubts"]] == [both["why"]]
        [command] = re.findall(r"reprolab (resume \S+ --answer '(doubts=confirm: [^']+)')", bench.report())
        names = command[1].removeprefix("doubts=confirm: ").split(", ")
        kinds = sorted(name.partition(".")[0] for name in names)
        assert kinds == ["called", "called", "structure"], "one name for both targets"
        [shared] = (name for name in names if name.startswith("structure"))
        assert re.search(
            rf"{shared}: .*chromium.* -> (?:R_curve, R_550|R_550, R_curve)", html.unescape(bench.report())
        )
        assert "a person may decide" in bench.report()
        status = bench.start("status", bench.run_dir.name)
        assert status.wait() == 0 and TITLE in status.out and command[1] in status.out
        solved, asked = bench.solved(), len(model.answered)

        wrong = bench.start(
            "resume", bench.run_dir.name, "--answer", "doubts=confirm: R_550.000000", env=nobody
        )
        assert wrong.wait() == 2 and shared in wrong.err

        half = f"doubts=confirm: {shared}"
        bench.start("resume", bench.run_dir.name, "--answer", half, env=nobody).wait()
        assert _confirmed(bench)["classification"] == "PARTIAL"
        assert _confirmed(bench, "R_curve")["classification"] == "SUCCESS"
        rest = f"doubts=confirm: {', '.join(name for name in names if name != shared)}"
        assert rest in bench.report() and shared in bench.report()
        by_target = f"doubts=confirm: {doubt['doubt_id']}, {other['doubt_id']}"  # as answers of older runs
        again = bench.start("resume", bench.run_dir.name, "--answer", by_target, env=nobody)
        again.wait()
        found = _confirmed(bench)
        assert found["classification"] == "SUCCESS", again.err[-3000:]
        assert "given beforehand" in found["evidence"]["doubts"][0]["lifted_by"]
        assert bench.solved() == solved and len(model.answered) <= asked + 2, "but for the conclusions"
        assert "because a person confirmed what the paper's words leave open" in bench.report()

        once_more = bench.start("resume", bench.run_dir.name, env=nobody)
        once_more.wait()
        assert _confirmed(bench)["classification"] == "SUCCESS", "kept for ever"


def test_a_person_at_the_terminal_is_asked_once_all_is_done(bench: Bench) -> None:
    _paper(bench)
    ours, theirs = pty.openpty()
    try:
        with Model(_answer) as model:
            cli = bench.reproduce(model, "--answer", "material_checkpoint=approve", stdin=theirs)
            cli.says(TITLE)
            assert "PARTIAL only because" in bench.report(), "the report is there before the answer"
            os.write(ours, b"confirm: everything\n")
            cli.says("confirm needs to know which")
            names = re.findall(r"(?:called|structure)\.[0-9a-f]{6}", bench.report())
            os.write(ours, f"confirm: {', '.join(dict.fromkeys(names))}\n".encode())
            cli.wait()
    finally:
        os.close(ours)
        os.close(theirs)
    found = _confirmed(bench)
    assert found["classification"] == "SUCCESS" and found["evidence"]["doubts"][0]["lifted_by"].startswith(
        "terminal"
    )
