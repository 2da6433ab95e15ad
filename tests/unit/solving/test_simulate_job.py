"""Job files come from anywhere; block names and folders are resolved in one place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.pages.artifacts import embedded
from flows.reproduce.resources import meep_python, uses_blocks
from flows.reproduce.simulate import read_job
from flows.run.resources import outputs_root
from schemas.errors import InputError
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.simulations.execution import SimulationJob, SolvingJob
from schemas.run.settings import ModelSettings
from simkit.runs import Run, Stop, dump
from tasks.reproduce.solving.jobs import checked_run

pytestmark = pytest.mark.unit
JOB = {"paper_id": "p", "stage_id": "stage1", "code": "import simkit", "inputs": [["stage0", "0" * 32]]}


def test_a_job_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "job.json"
    path.write_text(json.dumps(JOB))
    job = read_job(path)
    assert isinstance(job, SimulationJob) and job.inputs == (("stage0", "0" * 32),)


@pytest.mark.parametrize(
    "changed",
    [
        {"inputs": [["stage0", "../../../etc"]]},
        {"inputs": [["../stage0", "0" * 32]]},
        {"stage_id": "../x"},
        {"code": None},
        {"surprise": 1},
    ],
)
def test_a_hostile_job_file_is_refused(tmp_path: Path, changed: dict[str, object]) -> None:
    path = tmp_path / "job.json"
    path.write_text(json.dumps(JOB | changed))
    with pytest.raises(InputError, match="fix:"):
        read_job(path)


RUN = Run(
    dimensions="1D",
    cell=(0.0, 0.0, 4.0),
    resolution=20.0,
    layers=(),
    geometry=(),
    sources=(),
    monitors={},
    stop=Stop("decayed", 1e-3, 10.0, 5.0),
    subtract={"incident": ("0" * 32, "incident")},
)


@pytest.mark.parametrize(
    "changed, said",
    [
        ({}, ""),
        ({"subtract": {"incident": ["../../../etc/passwd", "incident"]}}, "subtracts"),
        ({"subtract": {"incident": 7}}, "no run"),
        ({"layers": [3]}, "no run"),
        ({"command": "sh"}, "no run"),
    ],
)
def test_the_job_of_a_described_run(tmp_path: Path, changed: dict[str, object], said: str) -> None:
    """It names other runs by their digests only; its numbers are the solver's to check, in the sandbox."""
    path = tmp_path / "job.json"
    path.write_text(json.dumps({"cpu_limit_s": 60, "run_json": json.dumps(json.loads(dump(RUN)) | changed)}))
    if said:
        with pytest.raises(InputError, match=said):
            read_job(path)
    else:
        job = read_job(path)
        assert isinstance(job, SolvingJob) and (changed or checked_run(job) == RUN)


def test_what_is_no_job_file_is_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    with large.open("wb") as handle:
        handle.truncate(2**30)
    (tmp_path / "text.json").write_bytes(b"\xff{")
    for path in (large, tmp_path, tmp_path / "missing.json", tmp_path / "text.json", Path("/dev/zero")):
        with pytest.raises(InputError, match="job file"):
            read_job(path)


def test_the_outputs_folder_is_the_given_one_then_the_environments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
