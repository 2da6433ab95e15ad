"""A participant's node in the sandbox: it tries to read a sibling, the plan, the results, the host and the network."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from schemas.study.artifacts import ArtifactType
from schemas.study.pipeline import InputType, PipelineMode
from tasks.sandbox import Limits, run_sandboxed, scratch
from tasks.study.workspace import Workspace
from tasks.study.workspace.artifact_checks import persona_text
from tests.unit.study.study_fixture import artifact, node, nodes, plan, protocol

pytestmark = [
    pytest.mark.sim,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing"),
]

TRY = r"""
import json, os, socket, sys
SECRETS = ("NEIGHBOUR", "HYPOTHESIS", "VERDICT")
hits, written = [], []
for top in ("/sandbox", "/tmp", "/work", "/home", "/root", *sys.argv[1:]):
    for folder, _, files in os.walk(top):
        for name in files:
            path = os.path.join(folder, name)
            try:
                text = open(path, errors="replace").read(100000)
            except OSError:
                continue
            hits += [f"{word} in {path}" for word in SECRETS if word in text]
own = open("/sandbox/work/context.md").read()
up = open("/sandbox/from/design/protocol.json").read()
given = open("/sandbox/input/question.txt").read()
for path in ("/sandbox/from/design/protocol.json", "/sandbox/input/question.txt", "/sandbox/from/design/new",
             "/sandbox/input/new",
             "/sandbox/work/../../escaped", "/sandbox/work/response.json"):
    try:
        open(path, "w").write("{}")
        written.append(path)
    except OSError:
        pass
net = []
for family, address in ((socket.AF_INET, ("127.0.0.1", 80)), (socket.AF_INET, ("192.0.2.1", 443))):
    try:
        with socket.socket(family) as one:
            one.settimeout(2)
            one.connect(address)
        net.append(str(address))
    except OSError as error:
        net.append("no: " + type(error).__name__)
print(json.dumps({"hits": hits, "written": written, "net": net, "own": "MY OWN" in own, "up": "Voice or touch" in up,
                  "given": given.strip(), "folders": sorted(os.listdir("/sandbox")),
                  "from": sorted(os.listdir("/sandbox/from"))}))
"""


def test_a_participant_sees_itself_the_protocol_and_the_input_and_nothing_else() -> None:
    with scratch("reprolab-study-") as base:
        space = Workspace.create(
            base / "work" / "studies",
            "one",
            mode=PipelineMode.SIMULATED,
            input_type=InputType.TOPIC,
            nodes=nodes(),
        )
        (base / "work" / "studies").chmod(0o711)
        space.write(
            artifact(
                "scope/research_plan", ArtifactType.RESEARCH_PLAN, "phases/scope/output/plan.json", "scope"
            ),
            plan().model_copy(update={"background": "HYPOTHESIS: voice is easier"}),
        )
        space.write(
            artifact(
                "design/protocol", ArtifactType.STUDY_PROTOCOL, "phases/design/output/protocol.json", "design"
            ),
            protocol(),
        )
        for who, words in (
            ("001", "MY OWN morning at home with the radio on."),
            ("002", "The NEIGHBOUR sits in the garden."),
        ):
            name = f"collect/persona-{who}/context"
            space.write(
                artifact(
                    name,
                    ArtifactType.PERSONA_CONTEXT,
                    f"phases/collect/personas/persona-{who}/context.md",
                    name,
                ),
                persona_text(f"persona-{who}", words),
            )
        space.write(
            artifact("analyze/apa", ArtifactType.RESULTS_APA, "phases/analyze/output/apa.md", "analyze"),
            "VERDICT: yes",
        )
        (space.root / "input" / "question.txt").write_text("Is voice easier?\n")
        found = tried(space, "collect/persona-001/participate")
        assert found["hits"] == [], "it read what is not its own"
        assert found["written"] == ["/sandbox/work/response.json"]
        assert all(item.startswith("no: ") for item in found["net"])
        assert found["own"] and found["up"] and found["given"] == "Is voice easier?"
        assert found["folders"] == ["from", "input", "work"] and found["from"] == ["design"]
        assert not Path(space.root.parent / "escaped").exists()

        whole = tried(space, "collect/aggregate", prepare="context.md")
        assert any("NEIGHBOUR in /sandbox/from/collect/persona-002" in hit for hit in whole["hits"]), (
            "the trap would spring"
        )


def tried(space: Workspace, name: str, prepare: str = "") -> dict[str, list[str]]:
    mounts = space.mounts(node(name), nodes())
    if prepare:
        (mounts.work_dir / prepare).write_text("MY OWN")
    result = run_sandboxed(
        ["/usr/bin/python3", "-c", TRY, str(space.root)],
        mounts.work_dir,
        readonly=mounts.readonly,
        limits=Limits(wall_s=120, cpu_s=30, memory_mb=500, processes=8, disk_mb=20, files=100),
    )
    assert result.ok, result.stderr_tail
    return dict(json.loads(result.stdout_tail))
