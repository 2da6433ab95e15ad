"""workflow.yaml: what fits, and errors that name the entry; phases, tools offered once, clashing names."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp.types import Tool

from schemas.errors import InputError
from schemas.explore.workflow import OUR_SKILLS, parse_workflow, read_workflow, workflow_text
from schemas.talking.tools import Skill, ToolContext
from tasks.tools import Registry, ToolLimits

pytestmark = pytest.mark.unit
GOOD = """
skills:
  - {name: coding, phase: [bfts, reproduce]}
  - {name: idea, phase: bfts, once: generate_ideas}
  - {name: far, url: "http://127.0.0.1:9/mcp"}
pipeline:
  - {stage: last, skill: coding, tool: run_code, after: [b, a]}
  - {stage: a, skill: coding, tool: run_code, inputs: {folder: "{{run_dir}}/a", deep: ["{{ goal_id }}", 3]}}
  - {stage: b, skill: coding, tool: run_code, after: a, enabled: false}
  - {stage: look, skill: coding, tool: run_code, after: [last], back_to: a, below: 0.7, at_most: 2}
"""


def test_stages_run_in_the_order_of_their_dependencies_with_their_variables():
    workflow = parse_workflow(GOOD)
    assert [stage.stage for stage in workflow.ordered()] == ["a", "last", "look"]
    assert workflow.pipeline[1].arguments({"run_dir": "/r", "goal_id": "g"}) == {
        "folder": "/r/a",
        "deep": ["g", 3],
    }
    assert workflow.skill("coding").phase == ("bfts", "reproduce") and workflow.skill("idea").once == (
        "generate_ideas",
    )


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("name: far", "name: coding", r"skills, entry 3 .*earlier"),
        ("name: coding, phase: [bfts", "name: codings, phase: [bfts", r"entry 1 \(codings\)"),
        (
            "phase: bfts, once",
            "fase: bfts, once",
            r"skills, entry 2 \(idea\): fase.*\n.*\n.*phase, path, url",
        ),
        (
            "[bfts, reproduce]",
            "[bfts, reproduced]",
            r"entry 1 \(coding\): phase.1.*\n.*reproduced\n.*'reproduce'",
        ),
        ("http://127.0.0.1:9/mcp", "http://user:word@host/mcp", r"entry 3 \(far\): url"),
        ("stage: b", "stage: c", r"pipeline, entry 1 \(last\).*there is not"),
        ("stage: look", "stage: b", r"pipeline, entry 4 \(b\).*earlier"),
        ("after: a,", "after: [a, look],", r"entry . \(\w+\) comes after itself"),
        ("back_to: a", "back_to: c", r"entry 4 \(look\).*there is not"),
        ("after: [last], back_to: a", "after: [], back_to: a", r"entry 4 \(look\).*does not come after"),
        ("{{run_dir}}/a", "{{rundir}}/a", r"stage 'a'.*unknown variable"),
        ("tool: run_code, after: a", "tool: run code, after: a", r"entry 3 \(b\): tool"),
        (
            "skill: coding, tool: run_code, after: a",
            "skill: plot, tool: x",
            r"entry 3 \(b\).*not listed\n.*plot\n.*coding",
        ),
        ("- {name: idea", "- &x {name: idea", "anchors"),
        ("skills:", "skills: [", "no YAML"),
        ("at_most: 2", "at_most: 99", r"entry 4 \(look\): at_most"),
    ],
)
def test_an_error_names_the_entry_and_what_is_allowed(before, after, told):
    assert before in GOOD
    with pytest.raises(InputError, match=told):
        parse_workflow(GOOD.replace(before, after))


def test_a_path_is_relative_to_the_file_and_needs_a_server(tmp_path):
    (tmp_path / "workflow.yaml").write_text("skills:\n - name: mine\n   path: my_skill\n   phase: bfts\n")
    with pytest.raises(InputError, match="no server.py"):
        read_workflow(tmp_path / "workflow.yaml")
    (tmp_path / "my_skill").mkdir()
    (tmp_path / "my_skill" / "server.py").touch()
    read = read_workflow(tmp_path / "workflow.yaml")
    assert read.skills[0].path == str(tmp_path / "my_skill")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "workflow.yaml").write_text(workflow_text(read))
    assert read_workflow(tmp_path / "run" / "workflow.yaml") == read  # as a run keeps it


def test_the_workflow_that_comes_with_reprolab_fits():
    workflow = read_workflow(Path(__file__).parents[3] / "skills" / "workflow.yaml")
    assert workflow.ordered() == tuple(stage for stage in workflow.pipeline if stage.enabled)
    assert {skill.name for skill in workflow.skills} == set(OUR_SKILLS) - {"orchestrator"}
    assert not [
        skill for skill in workflow.skills if skill.name in ("transform", "paper", "paper_re") and skill.phase
    ]


def tool(name, size=0):
    return Tool(name=name, description="d", inputSchema={"type": "object", "description": "x" * size})


def registry(**tools):
    skills = [
        Skill(name="idea", phase="bfts", once="generate_ideas"),
        Skill(name="memory", phase="bfts"),
        Skill(name="coding", phase=("bfts", "reproduce")),
    ]
    found = Registry(skills, ToolLimits(tools=3, schema_bytes=500))
    for name, listed in {
        "idea": ["survey", "generate_ideas"],
        "memory": ["add_memory", "_set_node"],
        "coding": ["run_code"],
        **tools,
    }.items():
        found.take(next(skill for skill in skills if skill.name == name), [tool(one) for one in listed])
    return found


def test_a_phase_sees_its_skills_only_and_internal_tools_never():
    assert [spec.name for spec in registry().tools("reproduce")] == ["run_code"]
    assert "_set_node" not in [spec.name for spec in registry().tools("bfts")]
    refused = registry().refusal("add_memory", {}, ToolContext(phase="reproduce"))
    assert "no tool 'add_memory'" in refused and "run_code" in refused
    assert registry().refusal("_set_node", {}, ToolContext(phase="bfts"))
    assert not registry().refusal("add_memory", {}, ToolContext(phase="pipeline"))


def test_ideas_are_generated_once():
    found = registry()
    used = found.suppressed(["survey", "generate_ideas"])
    assert used == {"generate_ideas"} and "survey" in [spec.name for spec in found.tools("bfts", used)]
    assert "any more" in found.refusal("generate_ideas", {}, ToolContext(phase="bfts"), used)


@pytest.mark.parametrize(
    ("coding", "told"),
    [
        (["survey"], "two .* name 'survey'"),
        (["a", "b", "c", "d"], "too many"),
        (["bad name"], "does not fit"),
        (["a", "a"], "two tools"),
    ],
)
def test_clashing_or_too_many_tools_are_refused(coding, told):
    with pytest.raises(InputError, match=told):
        registry(coding=coding)


def test_a_huge_schema_is_refused():
    found = Registry([Skill(name="coding")], ToolLimits(schema_bytes=500))
    with pytest.raises(InputError, match="too large a schema"):
        found.take(found.skills[0], [tool("x", 1000)])


@pytest.mark.parametrize(
    ("arguments", "outside"),
    [
        ({"path": "a/b.txt"}, False),
        ({"path": "/etc/passwd"}, True),
        ({"path": "../x"}, True),
        ({"note": "../x"}, True),
        ({"note": "see /etc for more"}, False),
        ({"note": "/etc/passwd"}, True),
        ({"code": "open('/etc/passwd')"}, False),
        ({"list": [{"out_file": "../../x"}]}, True),
        ({"path": ["a", "/b"]}, True),
        ({"note": "1/2"}, False),
        ({"path": "a\0b"}, True),
        ({"note": "~/.ssh/id"}, True),
        ({"/etc/passwd": 1}, False),
        ({"x": {"/etc/passwd": 1}}, True),
    ],
)
def test_what_leaves_the_work_directory(tmp_path, arguments, outside):
    schema = {
        "type": "object",
        "properties": {"code": {"type": "string", "format": "words"}, "note": {"type": "string"}},
    }
    found = Registry([Skill(name="coding", phase="bfts")])
    found.take(found.skills[0], [Tool(name="t", inputSchema=schema)])
    refused = found.refusal("t", arguments, ToolContext(phase="bfts", work_dir=str(tmp_path)))
    assert bool(refused) is outside, refused
