"""The whole check in the sandbox: an honest bundle passes, whoever lies gets nothing."""

import asyncio
import json

import pytest

from schemas.errors import InputError, StateError
from schemas.explore.grade import Phase1
from tasks.explore.ors.asking_rubrics import generate_rubric
from tasks.explore.ors.grading import PHASE1, grade
from tasks.explore.ors.repository import build, seed
from tasks.explore.ors.running import RunSettings, run_reproduce
from tasks.explore.ors.slurm import JobLost
from tests.sim.tools.slurm_kit import cluster, installed
from tests.unit.bundle.bundle_run_fixture import FAST, SLOW, finished
from tests.unit.bundle.ors_fixture import Agents, published

pytestmark = pytest.mark.sim
SETTINGS = RunSettings(where="sandbox", cpu_s=60)


def _phase1(run, settings=SETTINGS) -> Phase1:
    found = run_reproduce(run / "repro_sandbox", run / "repro_outputs", ("results.json",), settings)
    (run / PHASE1).write_text(found.model_dump_json())
    return found


def _graded(run, agents, **more):
    return asyncio.run(grade(run, agents, SETTINGS, **more))


def _replicated(tmp_path, files, script, grader=None):
    """The grade of a repository that a replicator wrote, without a bundle; and phase 1."""
    run = finished(tmp_path / "run")
    agents = Agents(
        grader=grader,
        replicator={
            "files": [{"path": path, "content": text} for path, text in files.items()],
            "reproduce_sh": script,
        },
    )
    asyncio.run(generate_rubric(run, agents))
    assert not seed(run).seeded
    asyncio.run(build(run, agents))
    phase1 = _phase1(run)
    return _graded(run, agents), phase1, agents


def test_published_bundle_reproduces_and_controls_get_nothing(tmp_path):
    run = published(tmp_path / "run")
    agents = Agents()
    asyncio.run(generate_rubric(run, agents))
    assert seed(run).files == 14 and not asyncio.run(build(run, agents)).built
    phase1 = _phase1(run)
    assert phase1.succeeded and phase1.missing == () and phase1.artifacts[0].fresh
    assert "speedup: here 25" in (run / phase1.log_path).read_text()
    done = _graded(run, agents, runs=2)
    assert done.ors_score == done.raw_score == pytest.approx(1) and done.numbers_score == 1
    control = done.negative_control
    assert (control.passed, control.empty, control.boilerplate, control.void_leaves) == (True, 0, 0, ())
    by_id = {leaf.id: leaf for leaf in done.leaf_grades}
    assert by_id["formula"].runs == (1, 1) and by_id["fewer"].number.measured == 4
    assert [name for name, _ in agents.asked].count("leaf_grader") == 4  # two runs, two controls
    assert _graded(run, agents, runs=2) == done
    with pytest.raises(StateError, match="not the one that was frozen"):
        _graded(run, agents, expect_sha256="1" * 64)


def test_a_grader_that_passes_everything_passes_the_controls_too_and_no_score_counts(tmp_path):
    run = published(tmp_path / "run")
    agents = Agents(grader=lambda leaf, context: (True, "reproduce.sh does it"))
    asyncio.run(generate_rubric(run, agents))
    seed(run)
    _phase1(run)
    done = _graded(run, agents)
    assert done.ors_score is None and done.why
    assert set(done.negative_control.void_leaves) == {"formula", "runs"}
    assert done.negative_control.empty == 0  # nothing is there that evidence could name
    assert all(
        leaf.score == 1 for leaf in done.leaf_grades
    )  # this bundle is honest; its numbers stand by themselves
    assert done.numbers_score == 1


def test_a_grader_without_evidence_gives_nothing(tmp_path):
    run = published(tmp_path / "run")
    agents = Agents(
        grader=lambda leaf, context: (True, "I am convinced that all of this is met, beyond doubt.")
    )
    asyncio.run(generate_rubric(run, agents))
    seed(run)
    _phase1(run)
    done = _graded(run, agents)
    assert {leaf.id: leaf.score for leaf in done.leaf_grades if leaf.graded_by == "agent"} == {
        "formula": 0,
        "runs": 0,
    }


TYPED = json.dumps(
    {"numbers": {"best.steps": {"value": 4}, "baseline.steps": {"value": 100}, "speedup": {"value": 25}}}
)
ECHO = f"printf '%s' '{TYPED}' > results.json\necho measured baseline, 1 of 2\n"
LIES = {
    "results that lay there before": (
        {"code/kernel.py": FAST, "baseline/kernel.py": SLOW, "results.json": TYPED},
        "exit 0\n",
    ),
    "boilerplate": ({"README.md": "All is well"}, "echo done\n"),
    "typed results": ({"README.md": "All is well"}, ECHO),
    "typed results beside a program that is slow": (
        {"code/kernel.py": SLOW, "baseline/kernel.py": SLOW},
        ECHO,
    ),
    "typed results beside a program that is wrong": (
        {"code/kernel.py": "def total(top):\n    return 1, 4\n"},
        ECHO,
    ),
    "a program that writes the measurement itself": (
        {
            "code/kernel.py": (
                "import json, os\njson.dump({'metrics': {'steps': {'value': 4, 'unit': '1'}}}, open('measured.json', 'w'))\n"
                "os._exit(0)\n"
            )
        },
        ECHO,
    ),
}


@pytest.mark.parametrize("case", LIES)
def test_a_lying_replicator_gets_no_number_whatever_it_types(tmp_path, case):
    files, script = LIES[case]
    done, phase1, agents = _replicated(tmp_path, files, script, grader=lambda leaf, context: (False, ""))
    assert phase1.succeeded
    scores = {leaf.id: leaf.score for leaf in done.leaf_grades if leaf.graded_by == "code"}
    slow = {"number-baseline.steps": 1.0} if "slow" in case else {}  # that one it really has
    assert scores == {"fewer": 0, "number-speedup": 0, "number-baseline.steps": 0, **slow}
    told = json.dumps([context for name, context in agents.asked if name == "replicator"])
    assert "{{best.steps}}" in told and "25.0" not in told


def test_an_honest_replication_from_the_text_alone_gets_its_numbers(tmp_path):
    files = {"code/kernel.py": FAST, "baseline/kernel.py": SLOW}
    done, _, _ = _replicated(tmp_path, files, ECHO)  # it reports what it found, and we found the same
    assert done.numbers_score == 1 and done.negative_control.passed


def test_files_a_replicator_may_not_write_are_refused(tmp_path):
    files = {"../out.py": "x", "code/id_rsa": "x", "data/top.txt": "1", "code/kernel.py": FAST}
    _, _, agents = _replicated(tmp_path, files, "exit 3\n")
    record = json.loads((tmp_path / "run/ors_replicator.json").read_text())
    assert record["files"] == ["code/kernel.py", "data/inputs/top.txt", "reproduce.sh"]
    assert {path for path, _ in record["refused"]} == {"../out.py", "code/id_rsa", "data/top.txt"}
    assert [name for name, _ in agents.asked].count("replicator") == 2 and not (tmp_path / "out.py").exists()


@pytest.mark.parametrize(
    ("script", "stop", "says"),
    [
        ("echo begun\nwhile :; do :; done\n", "cpu", "it was ended at its limit on cpu"),
        ("echo begun\ncat /etc/hostname /root/.ssh/* && exit 0\nexit 7\n", "", ""),
        ("echo begun\nln -s /etc/passwd results.json\n", "", ""),
    ],
)
def test_limits_and_isolation_hold_and_the_log_is_kept(tmp_path, script, stop, says):
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / "reproduce.sh").write_text(script)
    found = run_reproduce(
        repository, tmp_path / "out", ("results.json",), SETTINGS.model_copy(update={"cpu_s": 2.0})
    )
    assert (tmp_path / "out/reproduce.log").read_text().startswith("begun")
    assert found.stop_reason == stop and found.why == says and found.missing == ("results.json",)
    assert list(repository.iterdir()) == [repository / "reproduce.sh"]
    assert found.succeeded is ("ln -s" in script)


def test_results_that_lay_there_before_are_not_the_runs(tmp_path):
    (tmp_path / "repository").mkdir()
    (tmp_path / "repository/reproduce.sh").write_text("exit 0\n")
    (tmp_path / "repository/results.json").write_text(TYPED)
    found = run_reproduce(tmp_path / "repository", tmp_path / "out", ("results.json",), SETTINGS)
    assert [artifact.fresh for artifact in found.artifacts] == [False]


@pytest.mark.skipif(not installed(), reason="Slurm is not installed, or we are not root")
def test_a_slurm_job_runs_our_sandbox_where_slurm_says(tmp_path, monkeypatch):
    (repository := tmp_path / "repository").mkdir()
    (repository / "reproduce.sh").write_text(
        "cat /etc/hostname /root/.bashrc; echo '{}' > results.json; echo $SLURM_JOB_ID\n"
    )
    (tmp_path / "slurm").mkdir()
    with cluster(tmp_path / "slurm") as variables:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        found = run_reproduce(
            repository, tmp_path / "out", ("results.json",), RunSettings(partition="test", cpu_s=30)
        )
        assert (
            found.succeeded
            and (found.sandbox_kind, found.partition) == ("slurm", "test")
            and found.missing == ()
        )
        log = (tmp_path / "out/reproduce.log").read_text()
        assert log.count("No such file") == 2 and log.endswith(
            "\n\n"
        )  # isolated there as well: no variable of the job
        with pytest.raises(JobLost, match="partition"):
            run_reproduce(repository, tmp_path / "out", (), RunSettings(partition="nowhere", cpu_s=30))


def test_what_is_asked_for_and_not_there_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    for settings in (
        RunSettings(where="slurm", partition="short"),
        RunSettings(where="docker", image="debian"),
    ):
        with pytest.raises(InputError, match="cannot be used"):
            run_reproduce(tmp_path, tmp_path / "out", (), settings)
    (tmp_path / "repository").mkdir()
    assert (
        run_reproduce(tmp_path / "repository", tmp_path / "out", ("a",), RunSettings()).why
        == "there is no reproduce.sh"
    )
