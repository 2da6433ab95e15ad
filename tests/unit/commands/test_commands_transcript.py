"""`reprolab transcript`: readable for people, and strict about what may be shared and replayed."""

from __future__ import annotations

import json

import pytest

from flows.commands.gist import gist, printable, short
from flows.run.credentials import secrets_in
from schemas.talking.transcript import Position, TranscriptEntry, Usage
from tasks.explore.bundled_goals import GOALS, recorded_goals
from tasks.reproduce.papers import BUNDLED, recorded_ids
from tests.messages_server.examples import REVIEW, a_call, write_transcript
from tests.unit.commands.commands_fixture import RUN_ID, make_run, reprolab

pytestmark = pytest.mark.unit

BOUGHT = a_call().model_copy(
    update={
        "usage": Usage(input_tokens=1200, output_tokens=300, cache_read_tokens=900),
        "price_usd": 0.0123,
        "duration_s": 61.0,
        "tries": 2,
        "notes": ("try 1: verdict: allowed: approve",),
        "request": {
            "context": [{"title": "design_description", "text": "a film of 45 nm"}],
            "answer_type": "ReviewAnswer",
        },
    }
)
UNKNOWN = a_call(
    {**REVIEW, "verdict": "needs_revision", "feedback": "\x1b[2Jthicker PML"}, round=2
).model_copy(update={"price_usd": "unknown"})
EXPERIMENT = TranscriptEntry(
    kind="experiment",
    position=Position(agent="code_generator", stage_id="film", step=1),
    answer={
        "question": "is 20 px enough?",
        "code": "print(1)\nprint(2)",
        "exit_code": 0,
        "output": "R = 0.1",
    },
)
QUESTION = TranscriptEntry(
    kind="question",
    position=Position(agent="supervisor", stage_id="film"),
    request={
        "question_id": "material-checkpoint-1",
        "kind": "material_checkpoint",
        "title": "Are the materials right?",
    },
    answer={"choice": "approve", "text": "", "answered_by": "web"},
)


@pytest.fixture
def run(tmp_path):
    run_dir = make_run(tmp_path)
    write_transcript(run_dir / "transcript.jsonl", BOUGHT, UNKNOWN, EXPERIMENT, QUESTION)
    return run_dir


def show(run, *words: str) -> str:
    done = reprolab("transcript", "show", RUN_ID, *words, "-o", str(run.parent.parent))
    assert done.exit_code == 0, done.output
    return done.output


def test_each_entry_is_a_block_with_cost_tries_and_gist(run):
    text = show(run)
    assert "#1 design_reviewer (stage film, attempt 1, round 1)" in text
    assert "1200 tokens in (+900 from cache), 300 out, 0.0123 USD, 1 min 01 s, 2 tries" in text
    assert "note: try 1: verdict" in text and "verdict: approve" in text
    assert "#3 EXPERIMENT of code_generator (stage film, attempt 1, round 1, step 1)" in text
    assert "question: is 20 px enough?" in text and "code: 2 lines" in text
    assert "#4 QUESTION material_checkpoint" in text and "choice: approve" in text
    assert "4 of 4 entries: 2 calls, 1 experiments, 1 questions" in text


def test_an_unknown_price_stays_unknown_and_nothing_steers_the_terminal(run):
    text = show(run)
    assert "price unknown" in text and "0.0123 USD + unknown for 1 calls" in text
    assert "\x1b" not in text and "thicker PML" in text


def test_filters_and_full_texts(run):
    assert "QUESTION" not in show(run, "--agent", "design_reviewer") and "EXPERIMENT" in show(
        run, "--stage", "film"
    )
    assert "a film of 45 nm" not in show(run)
    full = show(run, "--full", "--agent", "design_reviewer")
    assert "a film of 45 nm" in full and '"checklist": [' in full
    for option, value in (("--agent", "nobody"), ("--stage", "nowhere")):
        refused = reprolab("transcript", "show", RUN_ID, option, value, "-o", str(run.parent.parent))
        assert refused.exit_code == 2 and "allowed:" in refused.output


@pytest.mark.parametrize("goal", recorded_goals())
def test_transcripts_of_bundled_goals_are_in_order_and_can_be_read(goal, tmp_path):
    path = GOALS / goal / "transcript.jsonl"
    checked = reprolab("transcript", "check", str(path))
    assert checked.exit_code == 0 and "no secret found" in checked.output, checked.output
    shown = reprolab("transcript", "show", str(path), "--agent", "experimenter")
    assert shown.exit_code == 0 and f"goal {goal}" in shown.output and "turn 2" in shown.output
    lines = [
        line
        for line in path.read_text().splitlines()
        if (place := json.loads(line).get("position", {})).get("agent") != "experimenter" or place.get("turn")
    ]
    (tmp_path / "gap.jsonl").write_text("\n".join(lines) + "\n")
    refused = reprolab("transcript", "check", str(tmp_path / "gap.jsonl"))
    assert refused.exit_code == 2 and "experimenter.n000.1.1.0: turn 1 is missing" in refused.output


def test_what_explorations_do_not_have_is_said_kindly(tmp_path):
    folder = tmp_path / "pi" / "20261122-000000-abcd"
    folder.mkdir(parents=True)
    (folder / "run.json").write_text('{"workflow": "explore"}')
    for words in (
        ("fork", folder.name, "--checkpoint", "latest"),
        ("resume", folder.name, "--from-checkpoint", "latest"),
    ):
        refused = reprolab(*words, "-o", str(tmp_path))
        assert refused.exit_code == 2 and folder.name in refused.output, refused.output
    listed = reprolab("checkpoints", folder.name, "-o", str(tmp_path))
    assert listed.exit_code == 0 and "no checkpoint yet" in listed.output


@pytest.mark.parametrize("paper", recorded_ids())
def test_bundled_transcripts_are_in_order_and_can_be_read(paper):
    path = str(BUNDLED / paper / "transcript.jsonl")
    checked = reprolab("transcript", "check", path)
    assert checked.exit_code == 0, checked.output
    assert "no secret found" in checked.output
    shown = reprolab("transcript", "show", path)
    assert shown.exit_code == 0 and "#1 prompt_adaptor" in shown.output


def lines_of(paper: str) -> list[dict]:
    return [json.loads(line) for line in (BUNDLED / paper / "transcript.jsonl").read_text().splitlines()]


def without_prompt(lines: list[dict], prompt: str) -> list[dict]:
    return [line for line in lines if line.get("prompt_id") != prompt]


def unfit(lines: list[dict]) -> list[dict]:
    return [
        {**line, "answer": {**line["answer"], "verdict": "fine"}}
        if line.get("prompt_id") == "design_reviewer"
        else line
        for line in lines
    ]


def rounds_skipped(lines: list[dict]) -> list[dict]:
    planner = next(line for line in lines if line.get("prompt_id") == "planner")
    return [*lines, {**planner, "position": {**planner["position"], "round": 9}}]


def with_key(lines: list[dict]) -> list[dict]:
    return [*lines[:-1], {**lines[-1], "notes": ["401 for sk-ant-api03-" + "a1B2" * 8]}]


def without_paper(lines: list[dict]) -> list[dict]:
    return [{"header": {k: v for k, v in lines[0]["header"].items() if k != "paper_id"}}, *lines[1:]]


@pytest.mark.parametrize(
    "harm, said",
    [
        (lambda lines: without_prompt(lines, "supervisor_report"), "no answer of supervisor_report"),
        (unfit, "verdict"),
        (with_key, "an API key"),
        (without_paper, "header: paper_id"),
        (rounds_skipped, "planner, stage -, attempt 1: round 8 is missing"),
    ],
)
def test_what_is_wrong_with_a_transcript_is_named(harm, said, tmp_path):
    path = tmp_path / "transcript.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in harm(lines_of(recorded_ids()[-1]))) + "\n")
    checked = reprolab("transcript", "check", str(path))
    assert checked.exit_code == 2 and said in checked.output
    assert "a1B2a1B2" not in checked.output


def test_a_broken_line_is_named(tmp_path):
    checked = reprolab(
        "transcript", "check", str(write_transcript(tmp_path / "t.jsonl", a_call(), '{"kind": "call"'))
    )
    assert checked.exit_code == 1 and "line 3" in checked.output


@pytest.mark.parametrize(
    "text",
    [
        "sk-ant-api03-" + "x1" * 12,
        "AKIAABCDEFGHIJKLMNOP",
        "ghp_" + "a" * 36,
        "http://me:hunter2@gateway:8080/v1",
        "Authorization: Bearer abcdefghij0123456789xyz",
        '"api_key": "0123456789abcdef0123"',
        '\\"x-api-key\\": \\"abc123abc123abc123\\"',
        "-----BEGIN RSA PRIVATE KEY-----",
    ],
)
def test_what_looks_like_a_secret_is_found_and_not_repeated(text):
    found = secrets_in(f"before {text} after")
    assert found and text not in " ".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "input_tokens: 12345678901234567890",
        "https://refractiveindex.info/?shelf=main",
        "prompt_digest: " + "a1" * 32,
        "the disk-based mode",
        "http://127.0.0.1:8080/v1/messages",
        "token budget: 140000",
    ],
)
def test_ordinary_text_is_no_secret(text):
    assert secrets_in(text) == ()


def test_the_key_in_use_is_found_whatever_it_looks_like(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "house-key")
    assert secrets_in("sent house-key to the server") == ("the value of ANTHROPIC_API_KEY",)


def test_gists_are_short_and_printable():
    assert short("a\n  b " * 200, 30).endswith("...") and len(short("word " * 99, 30)) <= 30
    assert printable("a\x1b[31mb\u202ec\td") == "a\ufffd[31mb\ufffdc\td"
    assert gist({"verdict": "pass", "issues": [], "x": None, "n": 0}) == ["verdict: pass", "n: 0"]
