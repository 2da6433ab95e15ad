"""A conversation with tools in a process that is killed: it goes on in the turn it was in, and nothing is bought twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from schemas.talking.transcript import TranscriptEntry
from tests.flow.kit import ROOT
from tests.messages_server import MessagesServer, Turn, Use, conversations
from tests.messages_server.examples import REVIEW

pytestmark = pytest.mark.flow
LABEL = "coder.n001.1.1.0"
TURNS = [
    *(Turn(f"turn {n}", [Use("count", {"n": n}), Use("count", {"n": -n})], thinking="on") for n in range(4)),
    Turn("", [Use("finish", {**REVIEW, "feedback": "counted"})]),
]


def talk(folder: Path, server: MessagesServer, api: str, die_at: int) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PREFECT_API_URL": api, "ANTHROPIC_API_KEY": "", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, "-m", "tests.flow.conversing", str(folder), server.base_url, str(die_at)],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_a_killed_conversation_goes_on_in_its_turn_and_nothing_is_bought_twice(tmp_path, prefect_api):
    with MessagesServer(conversations({LABEL: TURNS})) as server:
        killed = talk(tmp_path, server, prefect_api, 6)  # in the second call of the third turn
        assert killed.returncode == -9, killed.stderr[-2000:]
        done = talk(tmp_path, server, prefect_api, 0)
        assert done.returncode == 0, done.stderr[-2000:]
        asked = server.asked()
    assert json.loads(done.stdout.splitlines()[-1]) == {"answer": "counted", "turns": 4, "ended": ""}
    assert set(asked.values()) == {1} and len(asked) == 5, asked
    used = (tmp_path / "used").read_text().splitlines()
    assert len(used) == 9 and len(set(used)) == 8, (
        "only the call that was killed is made again, under its own key"
    )
    lines = (tmp_path / "transcript.jsonl").read_text().splitlines()[1:]
    entries = [TranscriptEntry.model_validate_json(line) for line in lines]
    assert [entry.position.turn for entry in entries] == [0, 1, 2, 3, 4]
    last = server.requests[-1]["messages"]
    assert sum(block["type"] == "thinking" for message in last for block in message["content"]) == 4, (
        "thinking survives a kill"
    )
