"""A run in trouble from outside: its folder is gone, another process wants it, it is ended, its time is up."""

from __future__ import annotations

import os
import pty
import re
import shutil
import signal

import pytest

from flows.questions.open_questions import describe, open_questions
from flows.run.records import process_at
from tests.flow import bare
from tests.flow.kit import PARTLY, Bench, Model

pytestmark = pytest.mark.flow


def test_a_vanished_folder_a_second_process_and_sigterm(bench: Bench) -> None:
    """Each is said and asked, nothing is lost: the run goes on in place, then in another process."""
    ours, theirs = pty.openpty()
    away = bench.folder / "away"
    try:
        with Model(bare.answer) as model:
            held = "plan_reviewer.-.1.1.0"
            model.hold(held)
            cli = bench.reproduce(model, stdin=theirs)
            assert model.reached[held].wait(150)
            bench.outputs.rename(away)
            model.let_go(held)
            cli.says("[infrastructure, asked by ReproLab]")
            assert "Files or processes failed" in cli.err and "Traceback" not in cli.err
            shutil.rmtree(bench.outputs, ignore_errors=True)
            away.rename(bench.outputs)
            os.write(ours, b"retry\n")
            cli.says("Are the materials right?")

            [question] = open_questions(bench.run_dir)
            said = describe(bench.run_dir, question, process_at(bench.run_dir))
            assert f"(process {cli.process.pid}): in its terminal" in said
            assert "[material_checkpoint]: Are the materials right?" in said and "need_help" in said
            assert f"reprolab resume {bench.run_dir.name} --answer material_checkpoint=approve" in said
            record = (bench.run_dir / "run.json").read_bytes()
            second = bench.start("resume", "--answer", "material_checkpoint=stop")
            assert second.wait() == 2 and "is being worked on" in second.err and "server" not in second.err
            assert (bench.run_dir / "run.json").read_bytes() == record, "no answer is stored"

            cli.process.send_signal(signal.SIGTERM)
            assert cli.wait() == 143, cli.err[-3000:]
            assert re.search(
                rf"ended from outside \(SIGTERM\); what was finished is kept: \S*reprolab resume {bench.run_dir.name}",
                cli.err,
            )
            assert "Traceback" not in cli.err
            (page,) = bench.run_dir.glob("UNFINISHED_REPORT_*.html")
            assert f"written: {page}" in cli.err and "no process works on it" in page.read_text()
            resumed = bench.start("resume", "--answer", "material_checkpoint=approve")
            assert resumed.wait() == PARTLY, resumed.err[-3000:]
            assert {label for label, times in model.answered.items() if times > 1} <= {held}
            assert open_questions(bench.run_dir) == []
    finally:
        os.close(ours)
        os.close(theirs)


def test_the_time_is_up_while_a_model_answers(bench: Bench) -> None:
    """The call is given up, a partial report is written, and more time goes on from there."""
    with Model(bare.answer) as model:
        held = f"simulation_designer.{bare.STAGE}.1.1.0"
        model.hold(held)
        cli = bench.reproduce(model, "--max-hours", str(15 / 3600), "--answer", "material_checkpoint=approve")
        assert cli.wait(120) == 5, cli.err[-3000:]
        assert "PARTIAL REPORT: the run's time is used up" in cli.out
        assert "the run's time is used up" in bench.report()
        model.let_go(held)
        resumed = bench.start("resume", "--max-hours", "1")
        assert resumed.wait() == PARTLY, resumed.err[-3000:]
        twice = {label for label, times in model.answered.items() if times > 1}
        assert twice <= {held, "supervisor.-.1.1.0"}, (
            "the call given up, and the conclusions of another end; nothing else"
        )
