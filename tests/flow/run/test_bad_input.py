"""What a person gives wrongly is refused at once: what, what was found, what is allowed or how to mend it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flow import coating
from tests.flow.kit import Bench, Model

pytestmark = pytest.mark.flow


@pytest.fixture
def offline(tmp_path: Path) -> Iterator[Bench]:
    """A bench without a Prefect server: nothing here may get as far as needing one."""
    bench = Bench(tmp_path, "http://127.0.0.1:9/api")
    yield bench
    bench.close()


def _refused(bench: Bench, arguments: list[str], *words: str) -> None:
    cli = bench.start(*arguments)
    assert cli.wait(60) == 2, f"{cli.process.returncode}: {cli.err[-2000:]}"
    for word in words:
        assert word in cli.err, f"{word!r} is not in:\n{cli.err}"
    assert "Traceback" not in cli.err
    assert not bench.outputs.exists(), "something was written"


def test_no_such_paper(offline: Bench) -> None:
    _refused(
        offline,
        ["reproduce", "no-such-paper"],
        "no such paper",
        "found:   no-such-paper",
        "ge-on-gold",
        "fix:",
    )


def test_an_empty_text_and_an_unreadable_figure(offline: Bench) -> None:
    (offline.paper / "paper.md").write_text("")
    described = json.loads((offline.paper / "paper.json").read_text())
    described["figures"][0]["image"] = "fig1.png"
    (offline.paper / "fig1.png").write_bytes(b"\x89PNG\r\n\x1a\nnot a picture")
    (offline.paper / "paper.json").write_text(json.dumps(described))
    _refused(offline, ["reproduce", str(offline.paper), "--model", "manual"], "paper.md is missing or empty")
    (offline.paper / "paper.md").write_text(coating.TEXT)
    _refused(
        offline,
        ["reproduce", str(offline.paper), "--model", "manual"],
        "'fig1.png' cannot be read",
        "PNG",
        "fix:",
    )


def test_data_that_leave_the_folder(offline: Bench) -> None:
    described = json.loads((offline.paper / "paper.json").read_text())
    described["figures"][0]["data"][0]["file"] = "../../etc/passwd"
    (offline.paper / "paper.json").write_text(json.dumps(described))
    _refused(offline, ["reproduce", str(offline.paper), "--model", "manual"], "etc/passwd", "inside")


def test_an_unrecorded_paper_cannot_be_replayed(offline: Bench) -> None:
    _refused(offline, ["reproduce", str(offline.paper)], "transcript")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", ("is not JSON", "docs/reference/settings.md")),
        ("[]", ("found:   []", "allowed:")),
        ('{"model": "replay"}', ("the setting model", "found:   'replay'")),
        ('{"limits": {"max_replan": 1}}', ("the setting limits.max_replan", "allowed:")),
        (
            '{"limits": {"max_replans": -1}}',
            ("the setting limits.max_replans", "found:   -1", "greater than or equal to 0"),
        ),
    ],
)
def test_a_broken_settings_file(offline: Bench, text: str, words: tuple[str, ...]) -> None:
    path = offline.folder / "settings.json"
    path.write_text(text)
    _refused(offline, ["reproduce", "--settings", str(path)], *words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["reproduce", "--max-cost", "0"], ("max_cost_usd", "found:   0", "greater than 0")),
        (["reproduce", "--max-hours", "-1"], ("max_total_runtime_hours", "greater than 0")),
        (
            ["reproduce", "--thresholds", "lenient"],
            ("thresholds", "found:   'lenient'", "'default' or 'loose'"),
        ),
        (
            ["reproduce", "--answer", "approve"],
            ("found:   approve", "KIND=ANSWER", "material_checkpoint=approve"),
        ),
        (["reproduce", "--answer", "materials=approve"], ("no question of that kind", "material_checkpoint")),
        (["resume", "20990101"], ("no such run", "reprolab status")),
        (["report", "20990101"], ("no such run", "reprolab status")),
    ],
)
def test_wrong_options(offline: Bench, arguments: list[str], words: tuple[str, ...]) -> None:
    _refused(offline, arguments, *words)


def test_a_budget_that_cannot_pay_one_answer(bench: Bench) -> None:
    """The cap holds before the second call; the partial report says so, and a higher cap goes on."""
    with Model() as model:
        cli = bench.reproduce(model, "--max-tokens", "1")
        assert cli.wait() == 5, cli.err[-3000:]
        assert len(model.requests) == 1
        assert "cap on tokens" in cli.err and "--max-tokens" in cli.err
    assert "cap on tokens" in bench.report()
