"""Files that a person hands over or a solver leaves: JSON, YAML and lines that are no such thing end in a clear error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.exceptions import Exit
from typer import Exit as TyperExit

from flows.commands.given import answers_of, settings_of
from flows.commands.prompts import of_run
from flows.reproduce.kept_records import read_record
from flows.reproduce.simulate import read_job
from flows.reproduce.standing import comparison_table
from flows.run.clock import Clock
from schemas.errors import InputError
from schemas.reproduce.simulations.served import SolvingEnded, SolvingProgress, served
from tasks.reproduce.describing.folder import read_given
from tasks.reproduce.papers.importing.metadata import front_matter

pytestmark = pytest.mark.unit

JSON: dict[str, bytes] = {
    "a key twice": b'{"limits": {}, "limits": {}}',
    "NaN": b'{"a": NaN}',
    "infinity": b'{"a": -Infinity}',
    "1e999": b'{"a": 1e999}',
    "10^400": b'{"a": 1' + b"0" * 400 + b"}",
    "deep lists": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 5000,
    "half a pair": b'{"a": "\\ud800"}',
    "no UTF-8": b'{"a": "\xff"}',
    "NUL": b'{"a": "\0"}',
    "nothing": b"",
    "a list": b"[1]",
    "a number": b"7",
    "cut off": b'{"a": ',
    "9 MB": b" " * 9_000_000,
    "an escape": b"\x1b]0;owned\x07",
    "code": b"__import__('os')",
}


def said(read: Callable[[], object], capsys: pytest.CaptureFixture[str]) -> str:
    """What a person is told: an error that ReproLab expects, or the message of the command line with exit code 2."""
    try:
        read()
    except InputError as error:
        return error.text()
    except (Exit, TyperExit) as left:
        assert left.exit_code == 2
        return capsys.readouterr().err
    raise AssertionError("it was taken")


def run_folder(tmp_path: Path, record: bytes, snapshot: bytes) -> Path:
    run = tmp_path / "film" / "20260101-000000-abcd"
    (run / "checkpoints").mkdir(parents=True)
    (run / "run.json").write_bytes(record)
    (run / "checkpoints" / "checkpoint_plan.json").write_bytes(snapshot)
    return run


@pytest.mark.attack("parameters", "refused in a few words, without a traceback")
@pytest.mark.parametrize("content", JSON)
@pytest.mark.parametrize(
    "kind", ["settings", "job", "run.json", "snapshot", "snapshot of prompts", "parameters"]
)
def test_a_file_handed_over(
    kind: str, content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, run = tmp_path / "given.json", run_folder(tmp_path, JSON[content], JSON[content])
    path.write_bytes(JSON[content])
    (tmp_path / "describe.py").write_text("def describe(p): ...\n")
    readers: dict[str, Callable[[], object]] = {
        "settings": lambda: settings_of(path, {}, ()),
        "job": lambda: read_job(path),
        "run.json": lambda: read_record(run),
        "snapshot": lambda: comparison_table(run),
        "snapshot of prompts": lambda: of_run(tmp_path, run.name),
        "parameters": lambda: read_given(tmp_path / "describe.py", parameters=path),
    }
    told = said(readers[kind], capsys)
    assert 20 < len(told) < 1500 and "Traceback" not in told
    assert "\x1b" not in told and "\0" not in told


LINES: dict[str, bytes] = {
    "no mark": b"approve",
    "no answer": b"material_checkpoint=",
    "no kind": b"=approve",
    "an unknown kind": b"everything=approve",
    "no UTF-8": b"material_checkpoint=\xff",
    "NUL": b"material_checkpoint=a\0b",
    "2 MB": b"material_checkpoint=approve\n" * 80_000,
    "an escape": b"\x1b[2J=approve",
    "a long kind": b"k" * 100_000 + b"=approve",
}


@pytest.mark.attack("parameters", "refused in a few words, without a traceback")
@pytest.mark.parametrize("lines", LINES)
def test_an_answers_file_with(lines: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "answers.txt"
    path.write_bytes(LINES[lines])
    told = said(lambda: answers_of(None, path), capsys)
    assert 20 < len(told) < 1500 and "\x1b" not in told


@pytest.mark.attack("parameters", "refused: it is no file that can be read to its end")
@pytest.mark.parametrize("path", ["/dev/zero", "/", "/proc/self/mem", "/nowhere/settings.json"])
def test_settings_from(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert 20 < len(said(lambda: settings_of(Path(path), {}, ()), capsys)) < 1000


BOMB = "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(20))
MATTER = {
    "an alias bomb": f"a: &a [x, x, x]\n{BOMB}",
    "a huge number": "title: 0x" + "f" * 15_000,
    "digits": "title: " + "9" * 15_000,
    "deep": "title: " + "[" * 9000,
    "an object of Python": "title: !!python/object/apply:os.system [id]",
    "a key twice": "title: a\ntitle: b",
    "infinity": "title: .inf\nyear: .nan",
    "a wrong date": "date: 2023-99-99",
    "binary": "title: !!binary /////w==",
    "merged": "a: &a {title: x}\n<<: *a\nauthors: {name: {name: {name: y}}}",
}


@pytest.mark.attack("parameters", "texts, or left out with a remark; never a traceback, never code")
@pytest.mark.parametrize("case", MATTER)
def test_front_matter_with(case: str) -> None:
    given, rest, _ = front_matter(f"---\n{MATTER[case]}\n---\nThe text.")
    assert rest == "The text."
    assert all(isinstance(words, str) and len(words) <= 100_000 for words in given.values())


ENDED = {"exit_code": 0, "signal": None, "cpu_s": 1.5, "wall_s": 2.0, "peak_memory_mb": 90.0}
PROGRESS = {
    "fraction": 0.5,
    "remaining_s": 3.0,
    "elapsed_s": 3,
    "cpu_s": 2.9,
    "steps": 120,
    "meep_time": 1.25,
}
WRONG: dict[str, tuple[dict[str, object], str]] = {
    "minus": ({"cpu_s": -1.0}, "cpu_s"),
    "text": ({"cpu_s": "1"}, "cpu_s"),
    "too much": ({"cpu_s": 1e300}, "cpu_s"),
    "more": ({"owned": 1}, "owned"),
    "a list": ({"cpu_s": [1]}, "cpu_s"),
    "true": ({"cpu_s": True}, "cpu_s"),
}


@pytest.mark.attack("outputs", "rejected: the file is closed, its numbers finite and bounded")
@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("kind", [SolvingEnded, SolvingProgress])
def test_what_a_solver_leaves_with(kind: type, case: str) -> None:
    sound = ENDED if kind is SolvingEnded else PROGRESS
    assert served(json.dumps(sound).encode(), kind).model_dump() == sound
    changed, where = WRONG[case]
    with pytest.raises(ValueError, match=where):
        served(json.dumps(sound | changed).encode(), kind)


@pytest.mark.attack("outputs", "rejected, without an internal error")
@pytest.mark.parametrize("content", JSON)
@pytest.mark.parametrize("kind", [SolvingEnded, SolvingProgress])
def test_a_solver_leaves(kind: type, content: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each has its own words
        served(JSON[content], kind)


@pytest.mark.parametrize(
    "content",
    [
        b'{"used_s": 1e999}',
        b"[" * 5000,
        b'{"used_s": NaN}',
        b'{"used_s": -5}',
        b"\xff",
        b'{"used_s": 1' + b"0" * 400 + b"}",
    ],
)
def test_a_clock_that_makes_no_sense_is_wound_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "time_used.json").write_bytes(content)
    assert 0 <= Clock(tmp_path / "time_used.json", 3600).used_s < 5
