"""Skills without a sandbox over the protocol: memory, benchmark, evaluator, vlm; agents are asked by the caller's thread."""

from __future__ import annotations

import json
import threading

import numpy as np
import pytest

from schemas.explore.evaluation import MetricSpec
from schemas.talking.tools import Skill, ToolContext
from tasks.tools import Toolbox
from tasks.tools.pool import Pool

pytestmark = pytest.mark.unit
SKILLS = [
    Skill(name=name, phase="bfts", timeout_s=120) for name in ("memory", "benchmark", "evaluator", "vlm")
]
PROGRAM = "import json, sys\nsys.path.insert(0, 'candidate')\njson.dump({'metrics': {}}, open('measured.json', 'w'))\n"
SPEC = {
    "name": "time_s",
    "unit": "s",
    "direction": "lower",
    "kind": "timed",
    "program": PROGRAM,
    "criteria": ["f(x) in candidate/f.py"],
}
LOOK = {"score": 0.4, "shows": "a line", "issues": [], "feedback": "label the axes"}


@pytest.fixture(scope="module")
def box():
    with Toolbox(SKILLS) as box:
        yield box


@pytest.fixture
def call(box, tmp_path):
    (tmp_path / "work").mkdir()

    def made(tool, /, node="n001", ancestors=(), on_ask=None, call_id="", **arguments):
        where = ToolContext(
            run_dir=str(tmp_path),
            work_dir=str(tmp_path / "work"),
            node_id=node,
            phase="bfts",
            ancestor_ids=ancestors,
            call_id=call_id,
        )
        return box.call(tool, arguments, where, on_ask)

    return made


def test_a_node_writes_its_own_memory_and_reads_its_ancestors(call):
    call("add_memory", text="blocking by 64 is twice as fast", call_id="k")
    call("add_memory", text="blocking by 64 is twice as fast", call_id="k")
    assert len(json.loads(call("get_node_memory").text)) == 1
    call("add_memory", node="n002", text="a sibling's blocking secret")
    found = call("search_memory", node="n003", ancestors=("n001",), query="blocking").text
    assert "twice as fast" in found and "secret" not in found
    assert json.loads(call("search_memory", node="n003", ancestors=(), query="blocking").text) == []
    assert call("get_node_memory", node="n003", ancestors=("n001",), node_id="n002").is_error
    # arguments that a model invents widen nothing
    forged = call(
        "search_memory",
        node="n003",
        query="blocking",
        ancestor_ids=["n002"],
        _meta={"reprolab": {"node_id": "n002"}},
    )
    assert "secret" not in forged.text
    call("clear_node_memory")
    assert json.loads(call("get_node_memory").text) == []
    assert json.loads(call("get_experiment_context").text) == {}


def test_columns_are_summarised_and_compared(call, tmp_path):
    rng = np.random.default_rng(1)
    work = tmp_path / "work"
    a, b = rng.normal(1.0, 0.1, 40), rng.normal(1.2, 0.1, 40)
    np.savetxt(work / "t.csv", np.c_[a, b], delimiter=",", header="a,b", comments="")
    np.save(work / "b.npy", b)
    (work / "r.json").write_text(json.dumps({"runs": [{"t": 1.0}, {"t": 3.0}], "n": 4, "name": "x"}))
    summary = json.loads(call("analyze_results", file="t.csv").text)
    assert summary["a"]["n"] == 40 and summary["a"]["mean"] == pytest.approx(a.mean())
    assert summary["a"]["standard_error"] == pytest.approx(a.std(ddof=1) / 40**0.5)
    assert json.loads(call("analyze_results", file="r.json").text)["runs.t"]["mean"] == 2.0
    test = json.loads(
        call("statistical_test", file="t.csv", column="a", other_file="b.npy", other_column="value").text
    )
    assert (
        test["p_value"] < 1e-6
        and test["interval_95"][0] < test["mean_difference"] < test["interval_95"][1] < 0
    )
    paired = json.loads(
        call("statistical_test", file="t.csv", column="a", other_column="b", test="wilcoxon").text
    )
    assert paired["p_value"] < 1e-3
    drawn = call("plot", file="t.csv", y=["a", "b"], output="figures/p.png", y_label="time (s)")
    assert drawn.pictures[0].media_type == "image/png" and (work / "figures" / "p.png").is_file()


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("analyze_results", {"file": "missing.csv"}, "missing"),
        ("analyze_results", {"file": "bad.npy"}, "bad.npy"),
        ("statistical_test", {"file": "one.csv", "column": "a"}, "itself"),
        (
            "statistical_test",
            {"file": "one.csv", "column": "x", "other_column": "a"},
            "no column 'x'; it has a, b",
        ),
        ("statistical_test", {"file": "one.csv", "column": "a", "other_column": "b"}, "needs 2 values"),
        ("plot", {"file": "one.csv", "y": ["a"], "output": "p.json"}, ".png"),
        ("plot", {"file": "one.csv", "y": ["a"], "output": "../p.png"}, "outside"),
    ],
)
def test_what_does_not_fit_is_said(call, tmp_path, tool, arguments, told):
    (tmp_path / "work" / "one.csv").write_text("a,b\n1,2\n")
    (tmp_path / "work" / "bad.npy").write_bytes(b"\x93NUMPY\x01\x00" + b"\xff" * 40)
    answer = call(tool, **arguments)
    assert answer.is_error and told in answer.text, answer


def test_the_metric_is_settled_once_by_an_agent_asked_in_the_callers_thread(call, tmp_path):
    (tmp_path / "goal.md").write_text("# Fast kernel\n\nMake f fast.\nIt is timed.\n")
    asked = []

    def on_ask(agent, context, images):
        asked.append((agent, context["goal"][:13], images, threading.current_thread()))
        return SPEC

    spec = MetricSpec.model_validate_json(call("make_metric_spec", on_ask=on_ask).text)
    assert asked == [("metric_specifier", "# Fast kernel", [], threading.current_thread())]
    assert spec.origin == "agent" and (tmp_path / "measure.py").read_text() == PROGRAM
    assert (
        MetricSpec.model_validate_json(call("make_metric_spec", on_ask=on_ask).text) == spec
        and len(asked) == 1
    )
    (tmp_path / "measure.py").write_text("cheat")
    assert "changed after the search began" in call("make_metric_spec").text


def test_a_goal_that_says_all_asks_nobody(call, tmp_path):
    (tmp_path / "bench.py").write_text(PROGRAM)
    (tmp_path / "goal.md").write_text(
        "# Fast kernel\n\nMake f fast.\n\n## Measure\n\n- bench.py\n\n## Metric\n\nname: time_s\n"
        "unit: s\ndirection: lower\nkind: timed\n"
    )
    answer = call("make_metric_spec")
    assert json.loads(answer.text)["origin"] == "goal", answer


def test_without_agents_a_tool_that_asks_is_an_error_in_words(call, tmp_path):
    (tmp_path / "goal.md").write_text("# Fast kernel\n\nMake f fast.\nIt is timed.\n")
    answer = call("make_metric_spec")
    assert answer.is_error and "could not be asked" in answer.text


def test_what_stops_the_asking_stops_the_call_and_the_next_one_works(call, tmp_path):
    (tmp_path / "goal.md").write_text("# Fast kernel\n\nMake f fast.\nIt is timed.\n")

    def stopped(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call("make_metric_spec", on_ask=stopped)
    assert not call("make_metric_spec", on_ask=lambda *_: SPEC).is_error


def test_pictures_are_shown_only_from_the_own_folders(call, tmp_path):
    seen = []

    def on_ask(agent, context, images):
        seen.append((agent, context["caption"], images))
        return LOOK

    (tmp_path / "work" / "one.csv").write_text("a,b\n1,2\n")
    call("plot", file="one.csv", y=["a"], output="p.png")
    assert json.loads(call("review_figure", file="p.png", caption="c", on_ask=on_ask).text)["score"] == 0.4
    assert seen == [("figure_reviewer", "c", [tmp_path / "work" / "p.png"])]
    (tmp_path / "work" / "no.png").write_text("no picture")
    (tmp_path / "work" / "link.png").symlink_to(tmp_path / "work" / "p.png")
    for name in ("no.png", "link.png", "missing.png"):
        assert call("review_figure", file=name, on_ask=on_ask).is_error
    table = call(
        "review_table", file="one.csv", on_ask=lambda agent, told, _: {**LOOK, "shows": told["table"]}
    )
    assert json.loads(table.text)["shows"] == "a,b\n1,2\n"
    assert len(seen) == 1


def test_a_tool_that_is_offered_once_is_gone_after_its_first_success_for_every_node(tmp_path):
    (tmp_path / "one.csv").write_text("a,b\n1,2\n")

    def used(call_id: str, file: str = "one.csv"):
        skill = Skill(name="benchmark", phase="bfts", once="analyze_results")
        with Toolbox([skill], run_dir=tmp_path, pool=pool) as node:
            offered = {tool.name for tool in node.list_tools("bfts")}
            place = ToolContext(phase="bfts", work_dir=str(tmp_path), call_id=call_id)
            return "analyze_results" in offered, node.call("analyze_results", {"file": file}, place)

    with Pool() as pool:
        offered, failed = used("k1", "missing.csv")
        assert offered and failed.is_error
        offered, answer = used("k2")
        assert offered and not answer.is_error
        offered, refused = used("k3")
        assert not offered and refused.is_error and "any more" in refused.text
        assert used("k2")[1] == answer  # the same call, repeated after a kill


def test_servers_of_ours_go_on_from_one_toolbox_to_the_next(tmp_path):
    where = ToolContext(run_dir=str(tmp_path), work_dir=str(tmp_path), node_id="n001", phase="bfts")
    with Pool() as pool:
        for node in ("n001", "n002"):
            with Toolbox(SKILLS[:1], pool=pool) as one:
                answer = one.call("get_node_memory", {}, where.model_copy(update={"node_id": node}))
                assert json.loads(answer.text) == []
        assert pool.started == 1
        with Toolbox(SKILLS[:1], pool=pool) as one, Toolbox(SKILLS[:1], pool=pool) as beside:
            assert not one.call("get_node_memory", {}, where).is_error and pool.started == 1
            assert (
                not beside.call("get_node_memory", {}, where).is_error and pool.started == 2
            )  # nobody shares a server
            session = one._sessions["memory"]
        assert session.alive
    assert not session.alive


def test_the_worst_figure_of_a_run_decides(call, tmp_path):
    (tmp_path / "work" / "one.csv").write_text("a,b\n1,2\n")
    call("plot", file="one.csv", y=["a"], output="p.png")
    file = {"path": "work/p.png", "sha256": "0" * 64, "bytes": 1}
    figures = [
        {"name": name, "kind": "plot", "caption": name, "alt": "", "png": file, "source": file}
        for name in ("good", "bad")
    ]
    (tmp_path / "figures_manifest.json").write_text(json.dumps({"figures": figures}))
    scores = {"good": 0.9, "bad": 0.3}
    found = json.loads(
        call("review_figures", on_ask=lambda _, told, __: {**LOOK, "score": scores[told["caption"]]}).text
    )
    assert found["score"] == 0.3 and [review["figure"] for review in found["figures"]] == ["good", "bad"]
    assert json.loads((tmp_path / "vlm_review.json").read_text()) == found
