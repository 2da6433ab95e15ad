"""A user's server of tools that crashes, hangs, floods, talks rubbish or tries to leave: an answer in words, and it goes on."""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
from pathlib import Path

import pytest

from schemas.errors import PrerequisiteError
from schemas.talking.tools import Skill, ToolContext
from tasks.tools import Toolbox, ToolLimits

pytestmark = pytest.mark.sim
RAW = Path(__file__).parents[1] / "skills" / "raw"
LIMITS = ToolLimits(messages=500, flood_bytes=4 << 20, message_bytes=1 << 20, text_chars=1000)


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    folder = tmp_path_factory.mktemp("node") / "work"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def box(work):
    os.environ["REPROLAB_TEST_SECRET"] = "sk-secret"
    with Toolbox(
        [Skill(name="raw", path=str(RAW), phase="bfts", timeout_s=20)], work_dir=work, limits=LIMITS
    ) as box:
        yield box


@pytest.fixture
def call(box, work):
    def made(name, /, **arguments):
        return box.call(
            name, arguments, ToolContext(phase="bfts", work_dir=str(work), run_dir=str(work.parent))
        )

    return made


def alive(call):
    answer = call("echo", words="still here")
    assert answer.text == "still here"
    return True


def test_internal_tools_are_not_listed_and_not_called(box, call):
    names = [spec.name for spec in box.list_tools("bfts")]
    assert "echo" in names and "_internal" not in names
    assert call("_internal").is_error and box.list_tools("reproduce") == ()


def test_a_crash_is_an_answer_with_its_last_words_and_the_next_call_works(call):
    answer = call("crash")
    assert answer.is_error and "exit status 3" in answer.text and "something broke" in answer.text
    assert call("count").text == "1"  # a new process


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("flood_output", "more than 500 messages"),
        ("flood_errors", "more than 4 MiB"),
        ("rubbish", "no protocol"),
        ("endless_line", "more than 1 MiB"),
        ("huge", "more than 1 MiB"),
        ("invalid", "protocol"),
    ],
)
def test_what_no_server_may_say_ends_it(call, tool, words):
    answer = call(tool)
    assert answer.is_error and words in answer.text
    assert alive(call)


def test_a_hanging_call_is_given_up_and_its_process_ended(work):
    skill = Skill(name="raw", path=str(RAW), phase="bfts", timeout_s=1.0)
    with Toolbox([skill], work_dir=work) as box:
        answer = box.call("hang", {}, ToolContext(phase="bfts", work_dir=str(work)))
        assert answer.is_error and "no answer within 1 s" in answer.text
        assert box._sessions["raw"]._server.process.returncode is not None


def test_its_folder_is_all_it_can_write_and_there_is_no_network(call, work):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        found = json.loads(call("leave", port=listener.getsockname()[1]).text)
    assert found.pop("own") == "done" and (work / "own.txt").exists()
    found.pop("beside")  # a folder of its private /tmp, gone with it
    assert "done" not in found.values(), found
    assert not (work.parent / "outside.txt").exists()


def test_no_key_of_ours_reaches_it(call):
    seen = json.loads(call("secrets").text)
    assert "sk-secret" not in json.dumps(seen) and "REPROLAB_TEST_SECRET" not in seen


def test_the_model_sets_no_context(call, work):
    assert json.loads(call("meta", _meta={"reprolab": {"work_dir": "elsewhere"}}).text)["reprolab"][
        "work_dir"
    ] == str(work)


def test_long_text_is_cut_and_terminal_escapes_are_shown(call):
    answer = call("long_text")
    assert (
        len(answer.text) < 1200 and "characters were left out" in answer.text and answer.text.endswith("end")
    )
    assert "\x1b" not in answer.text


def test_pictures_are_checked(call):
    good = base64.b64encode(
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 4, 3) + b"\0" * 20
    ).decode()
    huge = base64.b64encode(
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 90_000, 3) + b"\0" * 20
    ).decode()
    answer = call("pictures", data=[good, base64.b64encode(b"GIF89a").decode(), huge, "%%%"])
    assert len(answer.pictures) == 1 and not answer.is_error
    for words in ("neither PNG nor JPEG", "90000 x 3", "no base64"):
        assert words in answer.text


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../other/x", "a/../../x", "~/x", "link/x", "file:///etc/passwd"]
)
def test_paths_that_leave_are_refused_before_the_call(call, work, path):
    if not (work / "link").is_symlink():
        (work / "link").symlink_to("/etc")
    before = int(call("count").text)
    answer = call("echo", words="x", path=path)
    assert answer.is_error and "outside the work directory" in answer.text
    assert int(call("count").text) == before + 1


def test_a_server_that_cannot_start_says_why(tmp_path, work):
    (tmp_path / "server.py").write_text("raise SystemExit('no module named luck')\n")
    with Toolbox([Skill(name="broken", path=str(tmp_path), phase="bfts")], work_dir=work) as box:
        with pytest.raises(PrerequisiteError, match="no module named luck"):
            box.list_tools("bfts")
        assert "no module named luck" in box.call("x", {}, ToolContext(phase="bfts", work_dir=str(work))).text
