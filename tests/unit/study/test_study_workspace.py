"""The folder of a study: artifacts checked when written and read, state after every node, resume, two projects at once."""

from __future__ import annotations

import io
import json
import threading
from pathlib import Path

import pytest
from PIL import Image

from schemas.errors import InputError, StateError
from schemas.study.artifacts import FORMATS, Artifact, ArtifactFormat, ArtifactType
from schemas.study.graph import PhaseStatus
from schemas.study.pipeline import InputType, PipelineMode, PipelineState
from schemas.study.statement import STATEMENT
from tasks.study.graph import Graph
from tasks.study.wording.notice import has_statement
from tasks.study.workspace import Workspace
from tasks.study.workspace.artifact_checks import persona_text
from tests.unit.study.study_fixture import artifact, node, nodes, plan, protocol, questionnaire, variables

pytestmark = pytest.mark.unit
A, B = PipelineMode.SIMULATED, PipelineMode.REAL_DATA
PLAN = artifact(
    "scope/research_plan", ArtifactType.RESEARCH_PLAN, "phases/scope/output/research_plan.json", "scope"
)


def workspace(base: Path, mode: PipelineMode = A, name: str = "one") -> Workspace:
    return Workspace.create(base, name, mode=mode, input_type=InputType.TOPIC, nodes=nodes())


def png() -> bytes:
    stream = io.BytesIO()
    Image.new("RGBA", (300, 120), (10, 20, 30, 128)).save(stream, "PNG")
    return stream.getvalue()


def test_the_layout_is_the_specifications(tmp_path: Path) -> None:
    root = workspace(tmp_path).root
    found = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_dir()}
    assert found >= {
        "input",
        "phases/scope/output",
        "phases/collect/personas",
        "phases/analyze/scripts",
        "phases/analyze/figures",
        "phases/synthesize/sections",
        "phases/review/output",
        "artifacts/figures",
        "artifacts/data",
        "artifacts/analysis_code",
    }
    assert (root / "pipeline.json").is_file() and (root / "artifacts" / "manifest.json").is_file()
    assert (
        Workspace(root).work_dir("collect/persona-007/context")
        == root / "phases/collect/personas/persona-007"
    )
    assert Workspace(root).output_dir("scope") == root / "phases/scope/output"


def test_what_is_written_is_read_with_producer_digest_and_time(tmp_path: Path) -> None:
    space = workspace(tmp_path, B)
    written = space.write(PLAN, plan())
    assert space.read("scope/research_plan") == plan()
    listed = json.loads((space.root / "artifacts" / "manifest.json").read_text())["artifacts"]
    assert [(item["produced_by"], len(item["sha256"]), item["bytes"]) for item in listed] == [
        ("scope", 64, written.bytes)
    ]
    assert written.created_at is not None and not list(space.root.rglob(".research_plan*"))


def test_a_changed_file_is_refused_when_it_is_read(tmp_path: Path) -> None:
    space = workspace(tmp_path)
    space.write(PLAN, plan())
    path = space.root / PLAN.path
    path.write_text(path.read_text().replace("Voice is easier", "Touch is easier"))
    with pytest.raises(StateError, match="changed after it was written"):
        space.read("scope/research_plan")
    path.unlink()
    path.symlink_to("/etc/passwd")
    with pytest.raises(StateError, match="is a link"):
        space.read("scope/research_plan")


BAD: dict[str, tuple[ArtifactType, str, bytes, str]] = {
    "a plan without hypotheses": (
        ArtifactType.RESEARCH_PLAN,
        "x.json",
        b'{"title": "Voice or touch"}',
        "research_questions",
    ),
    "JSON with NaN": (ArtifactType.RESULTS, "x.json", b'{"seed": NaN}', "no JSON number"),
    "JSON cut short": (ArtifactType.QUESTIONNAIRE, "x.json", b'{"title": ', "malformed JSON"),
    "a CSV without the mark": (ArtifactType.RAW_DATA, "x.csv", b"participant,ease\np1,3\n", "simulated"),
    "simulated and real rows": (
        ArtifactType.RAW_DATA,
        "x.csv",
        b"participant,simulated\np1,true\np2,false\n",
        "mixed",
    ),
    "ragged rows": (
        ArtifactType.RAW_DATA,
        "x.csv",
        b"participant,simulated\np1,true,3\n",
        "line 2 has 3 cells",
    ),
    "a script that is none": (ArtifactType.ANALYSIS_SCRIPT, "x.py", b"def broken(:", "no Python"),
    "an empty text": (ArtifactType.RESULTS_APA, "x.md", b"  \n", "empty"),
    "text with NUL": (ArtifactType.RESULTS_APA, "x.md", b"a\0b", "NUL"),
    "a picture that is none": (ArtifactType.FIGURE, "x.png", b"<svg/>", "no readable PNG"),
    "half a PDF": (ArtifactType.FIGURE, "x.pdf", b"%PDF-1.7 and then nothing", "not a whole PDF"),
    "a paper with a placeholder left": (
        ArtifactType.PAPER_DRAFT,
        "x.md",
        b"It was {{h1_p}}.",
        "not filled in",
    ),
    "a context without its participant": (
        ArtifactType.PERSONA_CONTEXT,
        "x.md",
        b"I am at home and it rains.",
        "front matter",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_not_its_type_is_refused_and_leaves_nothing(tmp_path: Path, case: str) -> None:
    kind, name, content, said = BAD[case]
    space = workspace(tmp_path, B)
    with pytest.raises(InputError, match=said):
        space.write(artifact("scope/x", kind, f"phases/scope/output/{name}", "scope"), content)
    assert space.manifest().artifacts == () and list((space.root / "phases/scope/output").iterdir()) == []


def test_every_type_has_formats_and_a_wrong_one_is_refused() -> None:
    assert set(FORMATS) == set(ArtifactType) and {
        item for kinds in FORMATS.values() for item in kinds
    } == set(ArtifactFormat)
    with pytest.raises(ValueError, match="raw_data is csv, not json"):
        artifact("collect/raw_data", ArtifactType.RAW_DATA, "phases/collect/output/x.json", "collect")
    with pytest.raises(ValueError, match="path"):
        artifact("scope/x", ArtifactType.RESULTS, "../../x.json", "scope")


def test_nobody_writes_in_anothers_place_or_over_anothers_artifact(tmp_path: Path) -> None:
    space = workspace(tmp_path)
    with pytest.raises(StateError, match="may not write there"):
        space.write(PLAN.model_copy(update={"produced_by": "review"}), plan())
    space.write(PLAN, plan())
    with pytest.raises(StateError, match="lies there"):
        space.write(PLAN.model_copy(update={"id": "scope/other"}), plan())


def test_a_node_reads_only_what_it_depends_on(tmp_path: Path) -> None:
    space, all_nodes = workspace(tmp_path), nodes()
    space.write(PLAN, plan())
    for who in ("001", "002"):
        space.write(
            artifact(
                f"collect/persona-{who}/context",
                ArtifactType.PERSONA_CONTEXT,
                f"phases/collect/personas/persona-{who}/context.md",
                f"collect/persona-{who}/context",
            ),
            persona_text(f"persona-{who}", "I am at home and it is raining outside."),
        )
    me = node("collect/persona-001/experience")
    assert b"raining" in space.read_bytes("collect/persona-001/context", me, all_nodes)
    for other in ("collect/persona-002/context", "scope/research_plan"):
        with pytest.raises(StateError, match="may not read"):
            space.read_bytes(other, me, all_nodes)
    assert space.read("scope/research_plan", node("design"), all_nodes).title == plan().title  # type: ignore[attr-defined]


def test_mounts_are_the_own_folder_the_dependencies_and_the_input(tmp_path: Path) -> None:
    space, all_nodes = workspace(tmp_path), nodes()
    mounts = space.mounts(node("collect/persona-001/participate"), all_nodes)
    assert mounts.work_dir == space.root / "phases/collect/personas/persona-001"
    assert mounts.readonly == {
        space.root / "phases/design/output": "/sandbox/from/design",
        space.root / "input": "/sandbox/input",
    }
    space.mounts(node("collect/persona-002/participate"), all_nodes)
    whole = space.mounts(node("collect/aggregate"), all_nodes)
    assert whole.work_dir == space.root / "phases/collect/output" and len(whole.readonly) == 4


def test_with_simulated_participants_everything_says_so(tmp_path: Path) -> None:
    space = workspace(tmp_path)
    made: list[tuple[str, ArtifactType, str, object]] = [
        ("scope/plan", ArtifactType.RESEARCH_PLAN, "output/plan.json", plan()),
        ("design/protocol", ArtifactType.STUDY_PROTOCOL, "output/protocol.json", protocol()),
        ("design/questions", ArtifactType.QUESTIONNAIRE, "output/q.json", questionnaire()),
        ("design/variables", ArtifactType.VARIABLES, "output/v.json", variables()),
        ("analyze/apa", ArtifactType.RESULTS_APA, "output/apa.md", "t(9) = 2.1"),
        ("analyze/script", ArtifactType.ANALYSIS_SCRIPT, "scripts/a.py", "print(1)\n"),
        ("analyze/r", ArtifactType.ANALYSIS_SCRIPT, "scripts/a.r", "print(1)\n"),
        ("analyze/figure", ArtifactType.FIGURE, "figures/a.png", png()),
    ]
    phases = [name.split("/")[0] for name, *_ in made]
    files = [
        (artifact(name, kind, f"phases/{phase}/{path}", phase), content)
        for phase, (name, kind, path, content) in zip(phases, made, strict=True)
    ]
    for one, content in files:
        assert not (
            isinstance(content, bytes | str)
            and has_statement(one.format, content if isinstance(content, bytes) else content.encode())
        )
        data = (space.root / space.write(one, content).path).read_bytes()
        assert has_statement(one.format, data), one.id
        assert space.write(one, data).sha256 == space.artifact(one.id).sha256, "put in once only"
    assert STATEMENT in (space.root / "phases/analyze/output/apa.md").read_text()


def test_a_picture_with_the_words_painted_over_is_not_marked(tmp_path: Path) -> None:
    space = workspace(tmp_path)
    figure = artifact("analyze/figure", ArtifactType.FIGURE, "phases/analyze/figures/a.png", "analyze")
    picture = Image.open(io.BytesIO((space.root / space.write(figure, png()).path).read_bytes()))
    about, stream = picture.text, io.BytesIO()  # type: ignore[attr-defined]
    picture.paste("white", (0, 120, 300, picture.height))
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    info.add_text("Description", about["Description"])
    picture.save(stream, "PNG", pnginfo=info)
    assert not has_statement(ArtifactFormat.PNG, stream.getvalue())


def test_the_state_is_kept_after_every_node_and_resumed(tmp_path: Path) -> None:
    space = workspace(tmp_path)
    state, graph = space.resumed()
    for name in ("scope", "design"):
        graph = graph.updated(name, PhaseStatus.RUNNING).updated(name, PhaseStatus.COMPLETED)
    graph = graph.updated("collect/persona-001/context", PhaseStatus.RUNNING)
    space.save(state.model_copy(update={"nodes": graph.nodes()}))
    status = json.loads((space.root / "phases/collect/status.json").read_text())
    assert status["status"] == "running" and status["parts"]["collect/persona-001/context"] == "running"

    again, graph = Workspace(space.root).resumed()
    assert isinstance(again, PipelineState) and graph.node("scope").status is PhaseStatus.COMPLETED
    assert [item.id for item in graph.ready()] == [
        "collect/persona-001/context",
        "collect/persona-002/context",
    ]
    (space.root / "pipeline.json").write_text("{}")
    with pytest.raises(InputError, match=r"pipeline.json does not fit"):
        Workspace(space.root)


def test_nodes_are_kept_with_what_they_made_and_what_they_may_read(tmp_path: Path) -> None:
    space = workspace(tmp_path)
    made = [
        PLAN,
        artifact(
            "collect/raw_data",
            ArtifactType.RAW_DATA,
            "phases/collect/output/raw_data.csv",
            "collect/aggregate",
        ),
    ]
    who = "collect/persona-001/context"
    made.append(
        artifact(who, ArtifactType.PERSONA_CONTEXT, "phases/collect/personas/persona-001/context.md", who)
    )
    for one, content in zip(
        made,
        (
            plan(),
            b"participant,ease,simulated\np1,4,true\n",
            persona_text("persona-001", "I am at home and it is raining outside."),
        ),
        strict=True,
    ):
        space.write(one, content)
    state, graph = space.resumed()
    space.save(state.model_copy(update={"nodes": graph.nodes()}))
    state, _ = Workspace(space.root).resumed()
    kept = {item.id: item for item in state.nodes}
    assert kept["scope"].output_artifacts == ("scope/research_plan",) and kept[who].output_artifacts == (who,)
    assert kept["collect"].output_artifacts == ("collect/raw_data",) == kept["analyze"].input_artifacts
    for item in state.nodes:
        for one in made:
            if one.id in item.input_artifacts:
                space.read_bytes(one.id, item, state.nodes)
            elif one.id not in item.output_artifacts and space.work_dir(one.produced_by) != space.work_dir(
                item.id
            ):
                with pytest.raises(StateError, match="may not read"):
                    space.read_bytes(one.id, item, state.nodes)


def test_two_projects_at_once_and_many_nodes_of_one_lose_nothing(tmp_path: Path) -> None:
    spaces = [workspace(tmp_path, name=name) for name in ("one", "two")]
    errors: list[Exception] = []

    def work(space: Workspace, number: int) -> None:
        try:
            name = f"collect/persona-{number:03d}/context"
            space.write(
                Artifact(
                    id=name,
                    type=ArtifactType.PERSONA_CONTEXT,
                    format=ArtifactFormat.MD,
                    produced_by=name,
                    path=f"phases/collect/personas/persona-{number:03d}/context.md",
                ),
                persona_text(f"persona-{number:03d}", f"I belong to {space.project_id} and to nobody else."),
            )
            state = space.load()
            assert state is not None
            space.save(state.model_copy(update={"nodes": Graph(state.nodes).nodes()}))
        except Exception as error:
            errors.append(error)

    threads = [
        threading.Thread(target=work, args=(space, number)) for number in range(1, 9) for space in spaces
    ]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert errors == []
    for space in spaces:
        assert len(space.manifest().artifacts) == 8
        assert all(
            space.project_id.encode() in space.read_bytes(item.id) for item in space.manifest().artifacts
        )
    with pytest.raises(InputError, match="exists already"):
        workspace(tmp_path)
    with pytest.raises(InputError, match="name does not fit"):
        workspace(tmp_path, name="../elsewhere")


def test_a_file_error_is_tried_once_more_and_then_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space, calls = workspace(tmp_path), []
    from tasks.study.workspace import workspace as module

    real = module.atomic_write

    def failing(path: Path, data: str | bytes, times: int) -> Path:
        calls.append(path.name)
        if len(calls) <= times:
            raise OSError(28, "No space left on device", str(path))
        return real(path, data)

    monkeypatch.setattr(module, "atomic_write", lambda path, data: failing(path, data, 1))
    assert space.write(PLAN, plan()).sha256 and calls[:2] == ["research_plan.json"] * 2
    calls.clear()
    monkeypatch.setattr(module, "atomic_write", lambda path, data: failing(path, data, 2))
    with pytest.raises(StateError, match=r"failed twice(.|\n)*No space left"):
        space.write(PLAN, plan())


def test_what_a_program_left_is_taken_through_no_link(tmp_path: Path) -> None:
    space = workspace(tmp_path, B)
    script = artifact("analyze/apa", ArtifactType.RESULTS_APA, "phases/analyze/output/apa.md", "analyze")
    (space.work_dir("analyze") / "found.md").write_text("t(9) = 2.1")
    assert space.take(script, "found.md").bytes == 10
    (space.work_dir("analyze") / "link.md").symlink_to(space.root / "pipeline.json")
    for name, said in (
        ("link.md", "is a link"),
        ("missing.md", "missing"),
        ("../scope/status.json", "leaves the folder"),
    ):
        with pytest.raises(InputError, match=said):
            space.take(script, name)


def test_analysis_reads_the_joined_data_and_no_participants_answers(tmp_path: Path) -> None:
    space, all_nodes = workspace(tmp_path), nodes()
    rows = b"participant,ease,simulated\np1,4,true\n"
    joined = artifact(
        "collect/raw_data", ArtifactType.RAW_DATA, "phases/collect/output/raw_data.csv", "collect/aggregate"
    )
    space.write(joined, rows)
    who = "collect/persona-001/context"
    space.write(
        artifact(who, ArtifactType.PERSONA_CONTEXT, "phases/collect/personas/persona-001/context.md", who),
        persona_text("persona-001", "I am at home and it is raining outside."),
    )
    assert space.read_bytes("collect/raw_data", node("analyze"), all_nodes) == rows
    with pytest.raises(StateError, match="may not read"):
        space.read_bytes(who, node("analyze"), all_nodes)
    assert space.root / "phases/collect/output" in space.readable_paths(node("analyze"), all_nodes)
