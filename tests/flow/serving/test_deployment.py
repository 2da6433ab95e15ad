"""A team's set-up for real: runs started and answered as the web page does it."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from prefect import flow, task
from prefect.context import TaskRunContext
from prefect.runtime import flow_run
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

from flows.questions.pausing import no_failure
from flows.reproduce.regressing.schedule import switch_schedule
from flows.run.endings import WorkerFreed
from flows.serving.shared_server import look_at_server
from schemas.errors import PrerequisiteError
from tests.flow.by_hand import ByMenu, ByMouse, ByRequests, OnAPhone, person
from tests.flow.coating import BARE_CODE, write_paper
from tests.flow.deployed import DONE, PASSWORD, ROOT, SECRET, Deployed, deployment
from tests.flow.kit import wait_until
from tests.messages_server import label_of
from tests.unit.run.test_open_questions import QUESTION

pytestmark = [pytest.mark.flow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    with deployment(tmp_path_factory.mktemp("team")) as found:
        yield found


def test_the_server_is_closed_as_the_guide_says(deployed: Deployed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_API_URL", str(deployed.api.base_url))
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", PASSWORD)
    assert look_at_server()[1] == []
    assert httpx.post(f"{deployed.api.base_url}flow_runs/filter", json={}).status_code == 401


def test_the_deployments_say_what_they_need_and_hold_no_path_of_this_computer(deployed: Deployed) -> None:
    reproduce = deployed.api.get("/deployments/name/reproduce/reproduce").json()
    assert str(ROOT) not in json.dumps(reproduce["pull_steps"]) and "/" not in (reproduce["path"] or "")
    weekly = deployed.api.get("/deployments/name/regress-all/regress-all").json()
    assert [(s["slug"], s["active"]) for s in weekly["schedules"]] == [("weekly", False)] and not reproduce[
        "schedules"
    ]
    # A limit on runs would end those that wait for a person for more than four minutes.
    assert reproduce["global_concurrency_limit"] is None
    schema = reproduce["parameter_openapi_schema"]
    assert (
        list(schema["properties"])[:2] == ["paper", "model"] and list(schema["properties"])[-1] == "settings"
    )
    refused = deployed.api.post(
        f"/deployments/{reproduce['id']}/create_flow_run",
        json={"parameters": {"settings": {"model": {"kind": "oracle"}}}},
    )
    assert refused.status_code == 409 and "oracle" in refused.text


def test_the_weekly_schedule_is_switched_on_by_its_command_and_the_server_plans_its_runs(
    deployed: Deployed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With SQLAlchemy 2.1 Prefect 3.8 could not insert them: no schedule ever fired."""
    address = str(deployed.api.base_url)
    monkeypatch.setenv("PREFECT_API_URL", address)
    monkeypatch.delenv("PREFECT_API_AUTH_STRING", raising=False)
    with pytest.raises(PrerequisiteError, match="set PREFECT_API_AUTH_STRING"):
        switch_schedule("on")
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", PASSWORD)
    with temporary_settings({PREFECT_API_URL: address, PREFECT_API_AUTH_STRING: PASSWORD}):
        assert switch_schedule("on").endswith("is on")
        planned = wait_until(lambda: _planned(deployed), "the next weekly runs")
        assert {datetime.fromisoformat(time).strftime("%A %H:%M") for time in planned} == {"Saturday 03:00"}
        assert switch_schedule("off").endswith("is off")
    wait_until(lambda: not _planned(deployed), "the end of what was planned")


def _planned(deployed: Deployed) -> list[str]:
    wanted = {
        "flows": {"name": {"any_": ["regress-all"]}},
        "flow_runs": {"state": {"type": {"any_": ["SCHEDULED"]}}},
    }
    return [
        run["expected_start_time"].replace("Z", "+00:00")
        for run in deployed.post("/flow_runs/filter", wanted).json()
    ]


def test_a_run_started_and_answered_on_the_page(deployed: Deployed, tmp_path: Path) -> None:
    paper = write_paper(tmp_path / "coating")
    run = deployed.start(
        "reproduce/reproduce",
        {
            "paper": str(paper),
            "outputs": "block:shared",
            "settings": {"model": {"kind": "anthropic", "block": "tiny"}, "meep_python": "block:local"},
        },
    )
    asking = deployed.wait(lambda: _paused(deployed), run)
    keys = asking["state"]["state_details"]["run_input_keyset"]
    form = json.loads(_input(deployed, asking["id"], keys["schema"]))
    page = _input(deployed, asking["id"], keys["description"]).replace("<br>", " ")
    assert (
        "Are the materials right?" in page
        and "constant n = 1.52" in page
        and "bare surface passed" in page
        and page.index("**approve**") < page.index("constant n = 1.52")
    )
    whole = re.search(r"\(/artifacts/artifact/([0-9a-f-]{36})\)", page)
    assert whole and "data:image" not in page  # plots are behind the link: the form stays short
    shown = deployed.api.get(f"/artifacts/{whole[1]}").json()["data"]
    assert "data:image/webp;base64," in shown and "bare surface passed: R by FDTD" in shown
    assert form["required"] == ["choice"] and "approve" in form["properties"]["choice"]["enum"]

    for wrong, why in (
        ({"text": "looks good"}, "'choice' is a required property"),
        ({"choice": "maybe", "text": ""}, "'maybe' is not one of ['approve'"),
    ):
        reply = deployed.resume(asking["id"], wrong)
        assert reply["status"] == "REJECT" and why in reply["details"]["reason"]
        assert deployed.state(asking["id"])["type"] == "PAUSED"
    reply = deployed.resume(asking["id"], {"choice": "approve", "text": ""})
    assert reply["status"] == "ACCEPT", reply
    deployed.wait(lambda: deployed.state(run)["name"] == "Partial", run)  # free scripts are never more
    assert "0 of 2 SUCCESS, 2 PARTIAL, 0 FAILURE; report" in deployed.state(run)["message"]

    result = deployed.folder / "results" / deployed.state(run)["data"]["storage_key"]
    outcome = json.loads(result.read_text(encoding="utf-8"))["data"]
    assert outcome["complete"] and outcome["failure"] == 0
    report = Path(outcome["report"])
    assert report.is_file() and report.is_relative_to(deployed.folder / "shared")
    found = deployed.api.post("/artifacts/filter", json={"limit": 200}).json()
    named = [artifact["key"] or "" for artifact in found]
    names = {key.removeprefix(f"{outcome['run_id']}-") for key in named if key.startswith(outcome["run_id"])}
    assert {
        "plan",
        "materials",
        "comparison-stage1-coating",
        "report",
        "question-material-checkpoint-1",
    } <= names
    _nothing_kept_holds_the_key(deployed)


def _nothing_kept_holds_the_key(deployed: Deployed) -> None:
    kept = [
        path for path in deployed.folder.rglob("*") if path.is_file()
    ]  # Prefect's database, results and logs as well
    assert {"prefect.db", "run.json", "worker.log"} <= {path.name for path in kept}
    assert not [path for path in kept if SECRET.encode() in path.read_bytes()]


@pytest.mark.long
@pytest.mark.parametrize(
    "way",
    [
        pytest.param(ByRequests, id="by requests"),
        pytest.param(ByMouse, id="with a mouse, old pages"),
        pytest.param(ByMenu, id="with a mouse, new pages"),
        pytest.param(
            OnAPhone, id="with a mouse, new pages, 400 pixels wide", marks=pytest.mark.timeout(1200)
        ),
    ],
)
def test_a_person_starts_answers_and_retries_on_the_pages(
    deployed: Deployed, tmp_path: Path, way: type[ByRequests]
) -> None:
    """From the form to the verdict: a long question frees the worker's place; after SIGKILL the button Retry goes on in the
    same folder; nothing is bought or asked twice; the run's page has the log, the overview, its name and tags.

    CPU: a browser; the new pages draw without end."""
    paper = write_paper(tmp_path / "again" / "coating")
    asked_before = len(deployed.model.requests)
    with person(deployed, tmp_path, way) as somebody:
        run = somebody.start(paper)
        deployed.wait(lambda: deployed.state(run)["name"] == "Suspended", run)
        folder = (
            deployed.folder
            / "shared"
            / "coating"
            / (deployed.folder / "shared/.reprolab/flow_runs" / run).read_text()
        )
        wait_until(lambda: _nobody_works_in(folder), "the end of the process that waited")
        assert "**Waits for a person: [Are the materials right?" in _overview(deployed, folder.name)
        wait_until(lambda: "Suspended" in _tasks(deployed, run).values(), "the question's own task")
        assert not {"Failed", "Crashed"} & {*_tasks(deployed, run).values()}

        stale = {"choice": "approve", "text": "", "question": "material_checkpoint-1 000000"}
        reply = deployed.resume(run, stale)
        assert reply["status"] == "REJECT" and "'question'" in reply["details"]["reason"]
        somebody.answer(run, "approve")
        assert "not paused" in json.dumps(deployed.resume(run, {"choice": "stop", "text": ""}))

        deployed.wait(lambda: not _nobody_works_in(folder), run)
        deployed.wait(
            lambda: any("stage1" in label_of(request) for request in deployed.model.requests[asked_before:]),
            run,
        )
        os.kill(int((folder / ".lock").read_text().split()[0]), signal.SIGKILL)
        crashed_at: list[float] = []

        def over() -> (
            bool
        ):  # as a person would: Retry once the state stands still; a worker reports old processes late
            state = deployed.state(run)["type"]
            if state != "CRASHED":
                crashed_at.clear()
            elif not crashed_at:
                crashed_at.append(time.monotonic())
            elif time.monotonic() - crashed_at[0] > 12 and _nobody_works_in(folder):
                somebody.retry(run)
            return state == "FAILED"

        wait_until(over, "the end of the run that was tried again")
        assert deployed.state(run)["name"] == "Partial", deployed.state(run)  # free scripts are never more
        somebody.sees(run, "Partial", f"run:{folder.name}")
    bought = Counter(label_of(request) for request in deployed.model.requests[asked_before:])
    assert sum(bought.values()) - len(bought) <= 1, (
        bought
    )  # the call that was open when the process was killed
    assert (folder / "REPRODUCTION_REPORT_coating.html").is_file()
    said = [json.loads(line) for line in (folder / "transcript.jsonl").read_text().splitlines()[1:]]
    assert [entry["answer"]["answered_by"] for entry in said if entry.get("kind") == "question"] == ["web"]
    _page_of_a_finished_run(deployed, run, folder.name)
    _nothing_kept_holds_the_key(deployed)


def test_a_question_inside_a_stage_is_drawn_as_no_failure(
    deployed: Deployed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The task that asked, its stage's flow run and that run's place in the run are Suspended, what failed beside them is not."""
    top: list[str] = []

    @task(name="asks")
    def asks() -> None:
        context = TaskRunContext.get()
        assert context is not None and context.task_run.flow_run_id is not None
        raise WorkerFreed(QUESTION, "", context.task_run.id, context.task_run.flow_run_id)

    @task(name="breaks")
    def breaks() -> None:
        raise ValueError("of its own")

    @flow(name="inner")
    def inner() -> None:
        asks()

    @flow(name="stage")
    def stage() -> None:
        breaks(return_state=True)
        inner()

    @flow(name="whole")
    def whole() -> None:
        top.append(str(flow_run.id))
        try:
            stage()
        except WorkerFreed as waiting:
            no_failure(waiting, UUID(top[0]))

    with temporary_settings({PREFECT_API_URL: str(deployed.api.base_url), PREFECT_API_AUTH_STRING: PASSWORD}):
        whole()

    def states(run: str) -> dict[str, str]:
        return {name.partition("-")[0]: state for name, state in _tasks(deployed, run).items()}

    assert states(top[0]) == {"stage": "Suspended"} and deployed.state(top[0])["name"] == "Completed"
    around = {"flow_runs": {"parent_flow_run_id": {"any_": top}}}
    (below,) = deployed.post("/flow_runs/filter", around).json()
    assert (below["state"]["type"], below["state"]["name"]) == ("CANCELLED", "Suspended")
    wait_until(lambda: len(states(below["id"])) == 2, "the stage's tasks, which the server writes late")
    assert states(below["id"]) == {"breaks": "Failed", "inner": "Suspended"}


def _page_of_a_finished_run(deployed: Deployed, run: str, run_id: str) -> None:
    """Name, tags, log, overview, progress, and one version of each artifact, of which none is in an event."""
    record = deployed.api.get(f"/flow_runs/{run}").json()
    assert record["name"] == f"coating {run_id}" and {"paper:coating", f"run:{run_id}"} <= set(record["tags"])

    def said() -> str:
        lines = deployed.post("/logs/filter", {"logs": {"flow_run_id": {"any_": [run]}}, "limit": 200}).json()
        return "\n".join(line["message"] for line in lines)

    wait_until(lambda: "R_550: PARTIAL" in said(), "the rest of the log, which comes after the state")
    for words in (
        "plan approved: 2 stages, 2 targets",
        "design sent back",
        "R_550: PARTIAL",
        "so far ",
        "approve [web]",
    ):
        assert words in said(), said()
    page = _overview(deployed, run_id)
    assert (
        "Partly reproduced: 0 of 2 SUCCESS, 2 PARTIAL" in page
        and page.count("[PARTIAL](/artifacts/artifact/") == 2
    )
    assert "[plan](/artifacts/artifact/" in page and "[log and simulations](/runs/flow-run/" in page
    found = deployed.post("/artifacts/filter", {"limit": 200}).json()
    keys = Counter(entry["key"] for entry in found if (entry["key"] or "").startswith(run_id))
    assert set(keys.values()) == {1} and f"{run_id}-simulations" in keys, keys
    children = deployed.post(
        "/flow_runs/filter", {"flow_runs": {"tags": {"all_": [f"run:{run_id}"]}}, "limit": 50}
    ).json()
    assert "coating: stage1_coating, attempt 1" in {entry["name"] for entry in children}


def _tasks(deployed: Deployed, run: str) -> dict[str, str]:
    """States of a flow run's tasks by name, as its page draws them."""
    found = deployed.post("/task_runs/filter", {"task_runs": {"flow_run_id": {"any_": [run]}}}).json()
    return {task["name"]: task["state"]["name"] for task in found}


def _overview(deployed: Deployed, run_id: str) -> str:
    wanted = {"artifacts": {"key": {"any_": [f"{run_id}-overview"]}}}
    return str(deployed.post("/artifacts/filter", wanted).json()[0]["data"])


def _nobody_works_in(folder: Path) -> bool:
    with (folder / ".lock").open("a+") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


@pytest.mark.long
def test_a_parameter_that_the_worker_does_not_allow(deployed: Deployed) -> None:
    run = deployed.start("reproduce/reproduce", {"paper": "/etc/passwd"})
    wait_until(lambda: deployed.state(run)["type"] in DONE, "the end of the run", every_s=0.3)
    said = json.dumps(deployed.state(run)) + (deployed.folder / "worker.log").read_text(encoding="utf-8")
    assert (
        deployed.state(run)["type"] == "FAILED"
        and "this worker does not allow that" in said
        and "root:x" not in said
    )


def test_a_simulation_as_a_run_of_its_own(deployed: Deployed) -> None:
    materials = {"glass": {"index": 1.52}}
    job = {
        "paper_id": "coating",
        "stage_id": "stage1_bare",
        "code": BARE_CODE,
        "resolution_scale": 0.5,
        "materials_json": json.dumps(materials),
        "wall_limit_s": 120,
        "cpu_limit_s": 120,
    }
    kept = deployed.folder / "outputs" / ".reprolab"
    (kept / "jobs").mkdir(parents=True)
    (kept / "jobs" / "one.json").write_text(json.dumps(job))
    simulate = deployed.api.get("/deployments/name/simulate/simulate").json()
    assert simulate["work_pool_name"] == "reprolab-simulate"  # of its own; here one worker serves both
    here = {"work_pool_name": "reprolab"}
    wait_until(
        lambda: deployed.api.patch(f"/deployments/{simulate['id']}", json=here).is_success, "the other pool"
    )
    run = deployed.start("simulate/simulate", {"job_file": str(kept / "jobs" / "one.json")})
    deployed.wait(lambda: deployed.state(run)["type"] == "COMPLETED", run)
    (record,) = (kept / "simulations").glob("*/execution.json")
    execution = json.loads(record.read_text(encoding="utf-8"))
    assert execution["complete"] and execution["failure"] is None
    assert (record.parent / "data" / "glass.csv").is_file()


def _paused(deployed: Deployed) -> Any:
    """The flow run that waits, once its page is there: Prefect writes form and page after the pause."""
    wanted = {"flow_runs": {"state": {"type": {"any_": ["PAUSED"]}}}}
    for run in deployed.api.post("/flow_runs/filter", json=wanted).json():
        key = run["state"]["state_details"]["run_input_keyset"]["description"]
        if deployed.api.get(f"/flow_runs/{run['id']}/input/{key}").is_success:
            return run
    return None


def _input(deployed: Deployed, run: str, key: str) -> str:
    value = deployed.api.get(f"/flow_runs/{run}/input/{key}").json()
    return value if key.endswith("description") else json.dumps(value)
