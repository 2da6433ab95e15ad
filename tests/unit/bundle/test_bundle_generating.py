"""ear/ from a finished search, and its reproduce.sh in an empty folder."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from schemas.errors import StateError
from schemas.explore.bundle import WITHIN, Expected, PublishRules
from schemas.explore.evaluation import Measured, MeasuredRecord
from tasks.explore.bundle.bundle_texts import license_text, readme
from tasks.explore.bundle.bundled import remeasure
from tasks.explore.bundle.curate import curate, read_rules
from tasks.explore.bundle.generate import generate_ear
from tasks.explore.bundle.run_files import read_run
from tasks.explore.measuring.spread import standard_error
from tasks.sandbox import probe_level
from tests.unit.bundle.bundle_run_fixture import FAST, MEASURE, SLOW, finished, stated

pytestmark = pytest.mark.unit


def _reproduce(ear, into, **env):
    into.mkdir()
    unisolated = WITHIN if probe_level().degraded else {}
    done = subprocess.run(
        ["sh", str(ear / "reproduce.sh")],
        cwd=into,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], **unisolated, **env},
    )
    return done, json.loads((into / "results.json").read_text()) if (into / "results.json").exists() else None


def test_bundle_holds_the_best_line_of_the_tree_and_nothing_of_ours(tmp_path):
    run = finished(tmp_path / "run")
    manifest = generate_ear(run)
    ear = run / "ear"
    assert sorted(manifest.files) == [
        "LICENSE",
        "README.md",
        "baseline/inputs/top.txt",
        "baseline/kernel.py",
        "baseline/notes.md",
        "code/helper.py",
        "code/inputs/top.txt",
        "code/kernel.py",
        "data/inputs/top.txt",
        "expected.json",
        "figures/fig_1.png",
        "measure/measure.py",
        "measure/remeasure.py",
        "publish.yaml",
        "reproduce.sh",
    ]
    assert (ear / "code/kernel.py").read_text() == FAST and (ear / "baseline/kernel.py").read_text() == SLOW
    assert (ear / "measure/measure.py").read_text() == MEASURE
    text = "".join(path.read_text(errors="replace") for path in ear.rglob("*") if path.is_file())
    assert not any(word in text for word in ("n000", "n001", "n002", str(run), "transcript"))
    assert "* n002" in (run / "EVOLUTION.md").read_text()
    assert {
        item["path"]: item["node"] for item in json.loads((run / "_provenance.json").read_text())["code"]
    } == {"helper.py": "n001", "kernel.py": "n002"}


def test_the_baseline_is_the_files_as_provided_where_they_were_measured(tmp_path):
    run = finished(tmp_path / "run")
    spec = read_run(run).spec
    one = Measured(name=spec.name, value=200.0, uncertainty=0, n=2, unit=spec.unit, values=(200.0, 200.0))
    (run / "nodes/provided").mkdir()
    (run / "nodes/provided/measured.json").write_text(
        MeasuredRecord(node_id="provided", program_sha256=spec.sha256, metrics=(one,)).model_dump_json()
    )
    manifest = generate_ear(run)
    assert manifest.baseline == "provided"
    assert [name for name in manifest.files if name.startswith("baseline/")] == ["baseline/inputs/top.txt"]
    assert (run / "ear/baseline/inputs/top.txt").read_bytes() == (
        run / "ear/data/inputs/top.txt"
    ).read_bytes()


def test_numbers_are_those_of_the_two_programs_and_their_ratio(tmp_path):
    generate_ear(run := finished(tmp_path / "run"))
    numbers = Expected.model_validate_json((run / "ear/expected.json").read_bytes()).numbers
    assert [(number.name, number.of, number.value, number.judged) for number in numbers] == [
        ("best.steps", "code", 4.0, True),
        ("baseline.steps", "baseline", 100.0, True),
        ("speedup", "inverse", 25.0, True),
        ("best.steps.change", "change", -96.0, True),
    ]


def test_two_runs_give_one_digest_and_publish_yaml_stays_as_the_user_left_it(tmp_path):
    digests = []
    for name in "ab":
        run = finished(tmp_path / name)
        generate_ear(run)
        digests.append(curate(run / "ear", run / "out", run / "lock", read_rules(run / "ear")).bundle_sha256)
    assert digests[0] == digests[1]
    (run / "ear/publish.yaml").write_text("license: Apache-2.0\nholder: A. Author\n")
    generate_ear(run)
    assert (
        read_rules(run / "ear").license == "Apache-2.0"
        and "Copyright A. Author" in (run / "ear/LICENSE").read_text()
    )


def test_reproduce_sh_in_an_empty_folder_gives_the_papers_numbers(tmp_path):
    run = finished(tmp_path / "run")
    generate_ear(run)
    curate(run / "ear", tmp_path / "bundle", tmp_path / "lock", read_rules(run / "ear"))
    shutil.rmtree(run)
    done, results = _reproduce(tmp_path / "bundle", tmp_path / "empty")
    assert done.returncode == 0, done.stderr
    assert {name: (row["value"], row["agrees"]) for name, row in results["numbers"].items()} == {
        "best.steps": (4.0, True),
        "baseline.steps": (100.0, True),
        "speedup": (25.0, True),
        "best.steps.change": (-96.0, True),
    }
    assert "speedup: here 25" in done.stdout


def test_reproduce_sh_fails_for_a_number_that_was_not_measured(tmp_path):
    run = finished(tmp_path / "run")
    stated(run, "best.steps", 3.0)
    generate_ear(run)
    done, results = _reproduce(run / "ear", tmp_path / "empty")
    assert done.returncode == 1 and "best.steps: here 4 ± 0, paper 3 ± 0: DIFFERS" in done.stdout
    assert results["numbers"]["best.steps"]["agrees"] is False


def test_a_bundles_programs_see_no_home_no_network_and_no_variables(tmp_path):
    if probe_level().degraded:
        pytest.skip("no isolation on this computer")
    run = finished(tmp_path / "run")
    generate_ear(run)
    kernel, secret = run / "ear/code/kernel.py", tmp_path / "secret"
    secret.write_text("key")
    spied = f"""import os, socket
found = [name for name in ({str(secret)!r}, {str(run)!r}, "/etc/passwd", {str(Path.home() / ".bashrc")!r})
         if os.path.exists(name)]
found += [name for name in os.environ if "KEY" in name]
found += [name for _, name in socket.if_nameindex() if name != "lo"]
try:
    open("/usr/left", "w")
    found.append("wrote")
except OSError:
    pass
assert not found, found
"""
    kernel.write_text(spied + kernel.read_text())
    done, results = _reproduce(run / "ear", tmp_path / "empty", MY_API_KEY="secret")
    assert done.returncode == 0 and results is not None, done.stderr


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ({}, []),
        ({"code/inputs/top.txt": b"9"}, ["`code/inputs/top.txt` is another"]),
        ({"code/inputs/top.txt": None}, ["`code/inputs/top.txt` is missing"]),
        ({"baseline/inputs/top.txt": b"9"}, ["`baseline/inputs/top.txt` is another"]),
    ],
)
def test_a_bundle_says_which_given_files_a_program_has_otherwise(tmp_path, made, said):
    run = finished(tmp_path / "run")
    generate_ear(run)
    ear = run / "ear"
    files = {path.relative_to(ear).as_posix(): path.read_bytes() for path in ear.rglob("*") if path.is_file()}
    files = {path: raw for path, raw in {**files, **made}.items() if raw is not None}
    read = read_run(run)
    text = readme(read.science, Expected.model_validate_json(files["expected.json"]), None, files)
    assert [line[2:] for line in text.splitlines() if line.endswith((" is another", " is missing"))] == said
    assert ("Given files that a program has otherwise" in text) == bool(said)


def test_without_isolation_a_bundle_runs_nothing_unless_told(tmp_path):
    run = finished(tmp_path / "run")
    generate_ear(run)
    bare = tmp_path / "bin"
    bare.mkdir()
    for name, program in (("python3", sys.executable), ("sh", "/bin/sh"), ("dirname", "/usr/bin/dirname")):
        (bare / name).symlink_to(program)
    done, results = _reproduce(run / "ear", tmp_path / "empty", PATH=str(bare), REPROLAB_UNISOLATED="")
    assert (done.returncode, results) == (2, None) and "cannot be isolated here" in done.stderr
    done, results = _reproduce(run / "ear", tmp_path / "again", PATH=str(bare), REPROLAB_UNISOLATED="1")
    assert done.returncode == 0 and results is not None, done.stderr


@pytest.mark.parametrize("broken", ["measure/measure.py", "code/kernel.py"])
def test_reproduce_sh_measures_nothing_with_a_changed_instrument_or_a_program_that_fails_its_check(
    tmp_path, broken
):
    run = finished(tmp_path / "run")
    generate_ear(run)
    (run / "ear" / broken).write_text("def total(top):\n    return 1, 1\n")
    done, results = _reproduce(run / "ear", tmp_path / "empty")
    assert done.returncode == 2 and results is None


def test_a_measure_program_or_source_changed_after_the_search_stops_the_bundle(tmp_path):
    run = finished(tmp_path / "run")
    (run / "nodes/n002/work/kernel.py").write_text(SLOW)
    with pytest.raises(StateError, match="changed after"):
        generate_ear(run)
    run = finished(tmp_path / "other")
    (run / "measure.py").write_text("pass\n")
    with pytest.raises(StateError, match="frozen before the search"):
        generate_ear(run)


@pytest.mark.parametrize("kind", ["timed", "random", "deterministic"])
@pytest.mark.parametrize(
    "values",
    [
        [1.0],
        [1.0, 1.2],
        [1.0, 1.5, 1.1],
        [1.0, 1.5, 1.1, 1.2],
        [1.0, 1.5, 1.1, 1.2, 9.0],
        [1.0, 1.5, 1.1, 1.2, 1.3, 1.6, 1.4, 9.0, 1.7, 1.8],
    ],
)
def test_error_bars_of_the_bundle_are_those_of_the_search(values, kind):
    assert remeasure.standard_error(values, kind) == pytest.approx(standard_error(values, kind)[0])


def test_ratio_of_neighbours_and_the_floor():
    sides = {"code": {"t": [1.0, 2.0, 1.0]}, "baseline": {"t": [10.0, 20.0, 10.0]}}
    number = {
        "metric": "t",
        "kind": "timed",
        "of": "inverse",
        "value": 11.0,
        "uncertainty": 0.0,
        "floor": 1.1,
    }
    assert remeasure.value_of(number, sides) == (10.0, 0.0)
    assert remeasure.allowed_distance(number, 0.0) == pytest.approx(1.1)
    assert remeasure.value_of({**number, "metric": "other"}, sides) is None


@pytest.mark.parametrize("license_id", ["MIT", "Apache-2.0", "BSD-3-Clause", "GPL-3.0", "CC-BY-4.0"])
def test_every_license_has_its_text(license_id):
    text = license_text(PublishRules(license=license_id, holder="A. Author", year=2026))
    assert "2026 A. Author" in text and "{" not in text
