"""Parameters of a flow run come from whoever reaches Prefect's API: names and what the worker allows, nothing else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from flows.calls import endpoint
from flows.reproduce import allowed
from flows.reproduce.simulate import read_job
from flows.run import allowed as core_allowed
from flows.study import allowed as study_allowed
from flows.study.importing import taken_in
from schemas.errors import InputError
from schemas.reproduce.settings import RunSettings
from schemas.study.inputs import InputReport
from schemas.study.pipeline import PipelineMode
from schemas.study.settings import StudySettings
from tests.unit.study.study_fixture import variables

pytestmark = pytest.mark.unit
SECRET = "root:x:0:0:s3cret"
REFUSED = "refused with what is allowed; nothing opened, nothing echoed"


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The environment of a worker that allows one folder of papers and its outputs folder."""
    for name in [name for name in os.environ if name.startswith("REPROLAB_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PREFECT__FLOW_RUN_ID", "a-run-of-a-deployment")
    monkeypatch.setenv("REPROLAB_OUTPUTS", str(tmp_path / "outputs"))
    monkeypatch.setenv(allowed.PAPERS, str(tmp_path / "papers"))
    for folder in ("outputs", "papers", "outputs/.reprolab/jobs"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    (tmp_path / "secret").write_text(SECRET)
    (tmp_path / "papers" / "link").symlink_to(tmp_path)
    return tmp_path


def start(paper: str = "ge-on-gold", outputs: str = "", **settings: Any) -> None:
    allowed.check_run(paper, RunSettings.model_validate(settings), outputs, "")


def refused(**parameters: Any) -> str:
    with pytest.raises(InputError) as caught:
        start(**parameters)
    said = str(caught.value)
    assert "allowed:" in said and "s3cret" not in said and all(c.isprintable() or c == "\n" for c in said), (
        said
    )
    return said


@pytest.mark.attack("parameters", REFUSED)
@pytest.mark.parametrize(
    "paper",
    [
        "/etc/passwd",
        "../secret",
        "{w}/secret",
        "{w}/papers/../secret",
        "{w}/papers/link/secret",
        "~/.ssh/id_rsa",
        "/proc/self/environ",
        "/dev/zero",
        "",
        "a\0b",
        "x" * 100_000,
        "\x1b[2J",
        "file:///etc/passwd",
        "{w}/papers-of-others",
    ],
)
def test_paper(worker: Path, paper: str) -> None:
    assert "ge-on-gold" in refused(paper=paper.replace("{w}", str(worker)))


@pytest.mark.attack("parameters", REFUSED)
@pytest.mark.parametrize(
    "outputs", ["/etc", "/", "~", "{w}/outputs/..", "{w}/outputs2", "../..", "/root/.ssh", "a\0b"]
)
def test_outputs(worker: Path, outputs: str) -> None:
    assert core_allowed.OUTPUTS in refused(outputs=outputs.replace("{w}", str(worker)))


@pytest.mark.attack("parameters", REFUSED)
@pytest.mark.parametrize("interpreter", ["/bin/sh", "/tmp/evil", "python3; id", "../evil", "/usr/bin/env"])
def test_meep_python(worker: Path, interpreter: str) -> None:
    assert allowed.MEEP in refused(meep_python=interpreter)


@pytest.mark.attack("parameters", REFUSED)
@pytest.mark.parametrize(
    "address",
    [
        "http://169.254.169.254/latest",
        "https://evil.test",
        "file:///etc/passwd",
        "https://api.allowed.test.evil.test",
        "https://api.allowed.test@evil.test",
    ],
)
def test_base_url(worker: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv(endpoint.MODELS, "https://api.allowed.test")
    assert endpoint.MODELS in refused(model={"kind": "anthropic", "base_url": address})
    start(model={"kind": "anthropic", "base_url": "https://api.allowed.test"})


@pytest.mark.attack("parameters", REFUSED)
@pytest.mark.parametrize("transcript", ["/etc/passwd", "{w}/secret", "{w}/papers/link/secret"])
def test_transcript(worker: Path, transcript: str) -> None:
    assert "transcript" in refused(model={"transcript": transcript.replace("{w}", str(worker))})


@pytest.mark.attack("parameters", "refused: only the worker's keeper gives the sandbox up")
def test_allow_degraded_sandbox(worker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert core_allowed.DEGRADED in refused(allow_degraded_sandbox=True)
    monkeypatch.setenv(core_allowed.DEGRADED, "1")
    start(allow_degraded_sandbox=True)


@pytest.mark.attack("parameters", REFUSED)
@pytest.mark.parametrize("table", ["/etc/passwd", "{w}/secret", "../../../etc/passwd", "a\0b"])
def test_a_table_that_an_answer_names(worker: Path, table: str) -> None:
    with pytest.raises(InputError, match="does not allow") as caught:
        allowed.check_named("a table of materials", table.replace("{w}", str(worker)))
    assert "s3cret" not in str(caught.value)


@pytest.mark.attack("parameters", REFUSED)
@pytest.mark.parametrize(
    "job",
    [
        "/etc/passwd",
        "{w}/secret",
        "{w}/outputs/.reprolab/jobs/../../../secret",
        "{w}/outputs/.reprolab/jobs/link.json",
        "{w}/outputs/.reprolab/jobs/pipe.json",
        "a\0b",
    ],
)
def test_job_file(worker: Path, job: str) -> None:
    jobs = worker / "outputs" / ".reprolab" / "jobs"
    (jobs / "link.json").symlink_to(worker / "secret")
    os.mkfifo(jobs / "pipe.json")
    with pytest.raises(InputError) as caught:
        allowed.check_job(job.replace("{w}", str(worker)), "", "", False)
    assert "s3cret" not in str(caught.value)


@pytest.mark.attack("parameters", "refused; the file's words are not repeated")
def test_a_job_file_with_a_secret_in_it(tmp_path: Path) -> None:
    (tmp_path / "job.json").write_text('{"paper_id": "s3cret s3cret", "code": 7, "s3cret": "s3cret"}')
    with pytest.raises(InputError) as caught:
        read_job(tmp_path / "job.json")
    assert "s3cret" not in str(caught.value) and "code: string_type" in str(caught.value)


def test_what_a_worker_allows(worker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start()
    start(
        paper=str(worker / "papers" / "mine"),
        outputs="block:shared",
        meep_python="block:local",
        model={"kind": "anthropic", "block": "tiny"},
    )
    start(outputs=str(worker / "outputs" / "team"))
    monkeypatch.setenv("REPROLAB_MEEP_PYTHON", "/opt/meep/bin/python")
    start(meep_python="/opt/meep/bin/python")
    job = worker / "outputs" / ".reprolab" / "jobs" / "0.json"
    job.write_text("{}")
    allowed.check_job(str(job), str(worker / "outputs"), "", False)


def test_the_command_line_is_free(worker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREFECT__FLOW_RUN_ID")
    assert not allowed.from_outside()
    start(paper="/data/mine", outputs="/tmp/x", meep_python="/opt/python", allow_degraded_sandbox=True)


@pytest.mark.attack("parameters", REFUSED)
@pytest.mark.parametrize("name", ["provide_data", "provide-data-collect-import-1"])
@pytest.mark.parametrize(
    "path", ["/etc/passwd", "{w}/secret", "{w}/studies/../secret", "{w}/studies/link/secret"]
)
def test_data_of_a_study_named_beforehand(
    worker: Path, monkeypatch: pytest.MonkeyPatch, name: str, path: str
) -> None:
    (worker / "studies").mkdir()
    (worker / "studies" / "link").symlink_to(worker)
    (worker / "studies" / "a.csv").write_text("participant,ease\n")
    monkeypatch.setenv(study_allowed.STUDIES, str(worker / "studies"))
    told = {"answers": ((name, f"provide: {path.replace('{w}', str(worker))}"),)}
    with pytest.raises(InputError, match="this worker does not allow that") as caught:
        study_allowed.check_run("voice-or-touch", StudySettings.model_validate(told), "", "", "")
    assert "s3cret" not in str(caught.value)
    fine = {"answers": ((name, f"provide: {worker / 'studies' / 'a.csv'}"), ("after_scope", "approve"))}
    study_allowed.check_run("voice-or-touch", StudySettings.model_validate(fine), "", "", "")


@pytest.mark.attack("parameters", REFUSED)
def test_data_of_a_study_where_they_are_used(worker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(study_allowed.STUDIES, str(worker / "studies"))
    (worker / "secret.csv").write_text("participant,ease\np1,5\np2,6\n")
    report = InputReport(kind="text", mode=PipelineMode.REAL_DATA, files=())
    with pytest.raises(InputError, match="this worker does not allow that"):
        taken_in(worker / "outputs", str(worker / "secret.csv"), report, variables(), None)
    assert not (worker / "outputs" / "input").exists()
