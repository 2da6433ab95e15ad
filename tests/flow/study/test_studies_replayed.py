"""The two bundled studies as a user meets them: replayed side by side without a key, and their packages stand alone."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from schemas.study.results import Results
from tasks.study.wording.honesty import missing_statement
from tasks.study.wording.placeholders import NOTE, UNCHECKED
from tests.flow.kit import Bench

pytestmark = [pytest.mark.flow, pytest.mark.long, pytest.mark.timeout(900)]
STUDIES = {"voice-or-touch": 3, "voter-leanings": 4}  # with their numbers of tests


# -I -S: neither the folder nor site's .pth files, by which ReproLab is installed, are on the path; its requirements are.
WITHOUT_REPROLAB = """
import importlib.util, os, runpy, sys
sys.path[:0] = [os.getcwd(), sys.argv.pop(1)]
found = [name for name in ("schemas", "tasks", "flows", "agents", "prompts", "blocks") if importlib.util.find_spec(name)]
assert not found, f"this Python has ReproLab: {found}"
runpy.run_module("study_statistics", run_name="__main__", alter_sys=True)
"""


def digest_of(package: Path) -> str:
    """The digest of the files as they lie there, without asking package.json."""
    names = sorted(path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file())
    lines = [
        f"{hashlib.sha256((package / name).read_bytes()).hexdigest()}  {name}\n"
        for name in names
        if name not in ("package.json", "manifest.json")
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def computed_alone(package: Path, *codings: str) -> dict:
    """The package's own code, by a Python that has pandas, scipy and statsmodels and lacks ReproLab."""
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            WITHOUT_REPROLAB,
            sysconfig.get_path("purelib"),
            "../data/raw_data.csv",
            "plan.json",
            *codings,
        ],
        cwd=package / "analysis_code",
        capture_output=True,
        text=True,
        timeout=300,
        env={"PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_both_bundled_studies_replay_without_a_key_and_their_packages_compute_the_same_alone(
    tmp_path: Path, prefect_api: str
) -> None:
    bench = Bench(tmp_path, prefect_api)
    try:
        runs = {name: bench.start("study", name) for name in STUDIES}
        for name, run in runs.items():
            assert run.wait(600) == 0, run.out + run.err[-3000:]
            assert "ANOTHER COURSE" not in run.out
            package = bench.outputs / name / "latest" / name / "artifacts"
            assert f"package sha256 {digest_of(package)}" in run.out
            nodes = [
                node["id"] for node in json.loads((package.parent / "pipeline.json").read_text())["nodes"]
            ]
            assert "scope" in nodes and "scope/literature" not in nodes, "nothing is searched unasked"
            assert not (bench.outputs / name / "latest" / "retrieval.json").exists()
            assert bool(missing_statement(package)) is (name == "voter-leanings"), (
                "only simulated participants are called so"
            )
            results = Results.model_validate_json((package / "data" / "results.json").read_bytes())
            alone = {item["id"]: item for item in computed_alone(package)["tests"]}
            assert len(results.tests) == len(alone) == STUDIES[name]
            paper = (package / "paper.md").read_text()
            marks = len(re.findall(rf"\[(?:{NOTE}|{UNCHECKED}|the last \d+ sentences)", paper))
            assert 0 < marks <= paper.count(". ") / 9, "an honest paper is readable"
            for test in results.tests:
                again = alone[test.id]
                assert (again["statistic"], again["p"], again["p_adjusted"]) == (
                    test.statistic,
                    test.p,
                    test.p_adjusted,
                )
                assert again["effect"]["value"] == test.effect.value and test.apa in paper
            assert all(
                (package / "figures" / path.name).read_bytes()[:4] == b"\x89PNG"
                for path in (package / "figures").iterdir()
            )
        package = bench.outputs / "voice-or-touch" / "latest" / "voice-or-touch" / "artifacts"
        again = computed_alone(package, "../data/codings.json", "../data/themes.json")
        told = json.loads((package / "data" / "results.json").read_text())["agreement"]
        assert [item["value"] for item in again["agreement"]] == [item["value"] for item in told] and len(
            told
        ) == 12
        assert again["themes"]["certainty"] == {"texts": 4, "people": 4} and again["disputed"] == 4
        page = next((bench.outputs / "voice-or-touch" / "latest").glob("STUDY_REPORT_*.html")).read_text()
        assert (
            page.count('<img src="data:image/png') == 2 and "<em>t</em>(7)" in page and "synthesize-2" in page
        )
        assert "Simulated results" in page and "<script" not in page
        reviews = bench.outputs / "voice-or-touch" / "latest" / "voice-or-touch" / "artifacts" / "reviews"
        assert len(list(reviews.iterdir())) == 4, "a serious objection sent the paper back"
    finally:
        bench.close()
