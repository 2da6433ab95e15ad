"""Job files come from anywhere; block names and folders are resolved in one place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.pages.artifacts import embedded
from flows.resources import meep_python, outputs_root, uses_blocks
from flows.simulate import read_job
from schemas.errors import InputError
from schemas.settings import ModelSettings, RunSettings

pytestmark = pytest.mark.unit
JOB = {"paper_id": "p", "stage_id": "stage1", "code": "import simkit", "inputs": [["stage0", "0" * 32]]}


def test_a_job_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "job.json"
    path.write_text(json.dumps(JOB))
    assert read_job(path).inputs == (("stage0", "0" * 32),)


@pytest.mark.parametrize("changed", [
    {"inputs": [["stage0", "../../../etc"]]}, {"inputs": [["../stage0", "0" * 32]]}, {"stage_id": "../x"},
    {"code": None}, {"surprise": 1}])
def test_a_hostile_job_file_is_refused(tmp_path: Path, changed: dict[str, object]) -> None:
    path = tmp_path / "job.json"
    path.write_text(json.dumps(JOB | changed))
    with pytest.raises(InputError, match="fix:"):
        read_job(path)


def test_what_is_no_job_file_is_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    with large.open("wb") as handle:
        handle.truncate(2**30)
    (tmp_path / "text.json").write_bytes(b"\xff{")
    for path in (large, tmp_path, tmp_path / "missing.json", tmp_path / "text.json", Path("/dev/zero")):
        with pytest.raises(InputError, match="job file"):
            read_job(path)


def test_the_outputs_folder_is_the_given_one_then_the_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch
                                                                   ) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REPROLAB_OUTPUTS", raising=False)
    assert outputs_root("") == tmp_path / "outputs"
    monkeypatch.setenv("REPROLAB_OUTPUTS", str(tmp_path / "team"))
    assert outputs_root("") == tmp_path / "team"
    assert outputs_root(str(tmp_path / "mine")) == tmp_path / "mine"


def test_settings_that_need_a_server_are_known_before_one_is_asked() -> None:
    assert not uses_blocks(RunSettings(meep_python="/usr/bin/python3"))
    assert uses_blocks(RunSettings(meep_python="block:cluster"))
    assert uses_blocks(RunSettings(model=ModelSettings(kind="anthropic", block="lab")))
    assert meep_python("/usr/bin/python3") == "/usr/bin/python3" and meep_python(None) is None


def test_pictures_of_the_run_are_embedded_and_no_others(tmp_path: Path) -> None:
    from PIL import Image

    root = tmp_path / "run"
    root.mkdir()
    for place in (root, tmp_path):
        Image.new("RGB", (4, 3)).save(place / "plot.png")
    text = "![a](plot.png) ![b](../plot.png) ![c](https://example.org/plot.png) ![d](missing.png)"
    shown = embedded(text, root)
    assert shown.startswith("![a](data:image/webp;base64,")
    assert shown.endswith(" ![b](../plot.png) ![c](https://example.org/plot.png) ![d](missing.png)")
