"""A described paper: no script, no code generator; numerics, evidence and uncertainty by trusted code."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import rocrate
import yaml
from rocrate.rocrate import ROCrate

from flows.serving.runtime import PACKAGES
from tasks.bundle.clone import clone
from tests.flow import described
from tests.flow.coating import EXACT_R
from tests.flow.kit import ROOT, Bench, Cli, Model, wait_until

pytestmark = pytest.mark.flow
Finished = tuple[Bench, Cli, Model]
TERMS = Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld"
VALIDATING = Path(__file__).parents[1] / "validating.py"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, prefect_api: str) -> Iterator[Finished]:
    """One run to its end."""
    bench = Bench(tmp_path_factory.mktemp("described"), prefect_api)
    with Model(described.answer) as model:
        cli = bench.reproduce(model, "--answer", "material_checkpoint=approve")
        cli.wait(400)  # some fifty small runs, each a process of its own
        yield bench, cli, model
    bench.close()


def test_every_target_agrees_and_its_uncertainty_covers_the_error(finished: Finished) -> None:
    bench, cli, _ = finished
    assert cli.process.returncode == 0, cli.err[-3000:]
    found = bench.comparisons()
    assert {name: entry["classification"] for name, entry in found.items()} == {
        "R_550": "SUCCESS",
        "R_curve": "SUCCESS",
    }
    evidence = found["R_550"]["evidence"]
    off = abs(evidence["simulated"] / (100 * EXACT_R) - 1) * 100
    assert off <= evidence["uncertainty"] < 2  # percent: the stated error covers the true one
    assert "absorber" in " ".join(evidence["reasons"])


def test_nobody_wrote_a_script_and_a_typed_length_was_refused_by_code(finished: Finished) -> None:
    bench, cli, model = finished
    asked = {label.split(".")[0] for label in model.answered}
    assert "code_generator" not in asked and "code_reviewer" not in asked
    designs = [label for label in model.answered if label.startswith("simulation_designer.stage1")]
    reviews = [label for label in model.answered if label.startswith("design_reviewer.stage1")]
    assert len(designs) == 2 and len(reviews) == 1  # the refused one was no question for a reviewer
    assert "undeclared number 0.0996" in cli.err + cli.out
    mended = next(entry for entry in bench.transcript() if entry["answer"].get("edits"))
    assert [edit["find"] for edit in mended["answer"]["edits"]["edits"]] == ["thickness=0.0996"]
    assert "thickness=p.thickness" in (bench.run_dir / "stage1_coating" / "code.py").read_text()


def test_nobody_is_asked_to_judge_what_every_check_passed_and_the_report_says_so(finished: Finished) -> None:
    bench, _, model = finished
    assert not [
        label for label in model.answered if ".stage0" in label or label.startswith("execution_validator")
    ]
    assert "stage1_coating: execution_validator: not asked: nothing to judge" in bench.report()
    assert len(model.answered) <= 13


def test_the_report_shows_what_was_simulated_beside_the_papers_words(finished: Finished) -> None:
    report = finished[0].report()
    assert "what was simulated beside what the paper says" in report and "transfer matrix" in report
    assert "99.6 nm" in report and "its thickness is 99.6 nm" in report


def packed(finished: Finished, into: Path) -> tuple[Path, str]:
    """The run's package as somebody else has it, and its digest."""
    bench = finished[0]
    said = bench.start("report", bench.run_dir.name, "--package", "--license", "CC-BY-4.0")
    assert said.wait(60) == 0, said.err[-3000:]
    digest = re.search(r"^digest of its manifest ([0-9a-f]{64})$", said.out, re.M)
    assert digest
    shutil.copy(bench.run_dir / "package.tar.gz", into)
    with tarfile.open(into / "package.tar.gz") as archive:  # any tar unpacks it into a folder of its own
        assert {name.split("/")[0] for name in archive.getnames()} == {bench.run_dir.name}
    clone(str(into / "package.tar.gz"), digest[1], into / "crate")
    return into / "crate", digest[1]


def test_the_package_is_solved_again_alone(finished: Finished, tmp_path: Path) -> None:
    """From a copy in another folder, with a store of its own; nothing in it names where the run was."""
    bench = finished[0]
    (twice := tmp_path / "twice").mkdir()
    crate, digest = packed(finished, tmp_path)
    assert packed(finished, twice)[1] == digest
    words = {path: path.read_text(errors="replace") for path in crate.rglob("*") if path.is_file()}
    assert not [
        str(path)
        for path, text in words.items()
        if any(str(place) in text for place in (bench.outputs, bench.scratch, ROOT))
    ]
    assert not list(crate.rglob("transcript.jsonl")) and not list(crate.rglob("paper.md"))
    again = Cli(tmp_path, ["solve", str(crate), "--outputs", str(tmp_path / "elsewhere")], bench.env)
    assert again.wait(400) == 0, again.out + again.err[-3000:]
    lines = again.out.split("beside what the package holds:")[1].strip().splitlines()
    assert lines and all(
        re.fullmatch(r"\w+: the same( at all \d+ points)?", line.strip()) for line in lines
    ), lines
    inputs = crate / "stage1_coating" / "parameters.json"
    inputs.write_text(inputs.read_text().replace('"value": 99.6', '"value": 99.7'))
    changed = Cli(tmp_path, ["solve", str(crate), "--outputs", str(tmp_path / "elsewhere")], bench.env)
    assert changed.wait(60) == 2 and "parameters.json is not what the manifest says" in changed.err
    one = Cli(
        tmp_path,
        ["solve", str(inputs.parent), "--coarse", "--outputs", str(tmp_path / "elsewhere")],
        bench.env,
    )
    assert one.wait(200) == 0 and "beside what the package holds" not in one.out  # a look is no second result
    inputs.write_text(inputs.read_text().replace('"value": 99.7', '"value": 99.6'))
    (inputs.parent / "study" / "study.json").unlink()
    bare = Cli(tmp_path, ["solve", str(inputs.parent), "--outputs", str(tmp_path / "elsewhere")], bench.env)
    assert bare.wait(200) == 1 and "nothing was compared" in bare.out


def test_the_package_is_an_ro_crate(finished: Finished, tmp_path: Path) -> None:
    """As its own library opens it: every file is described, every term is one of RO-Crate's, every action has what it made."""
    crate, _ = packed(finished, tmp_path)
    opened = ROCrate(str(crate))
    files = {path.relative_to(crate).as_posix() for path in crate.rglob("*") if path.is_file()}
    described = {entity.id for entity in opened.data_entities}
    assert described == files - {"ro-crate-metadata.json", "manifest.lock"}
    terms = set(json.loads(TERMS.read_text())["@context"])
    for entity in opened.get_entities():
        kinds = entity.type if isinstance(entity.type, list) else [entity.type]
        assert {*kinds, *(name for name in entity.properties() if not name.startswith("@"))} <= terms, (
            entity.id
        )
    actions = [entity for entity in opened.get_entities() if entity.type == "CreateAction"]
    solving = next(entity for entity in actions if entity.id == "#solve-stage1_coating")
    assert {"#meep", "#reprolab"} == {entity.id for entity in solving["instrument"]}
    assert {"describe.py", "parameters.json", "materials.json", "asked.json"} == {
        Path(entity.id).name for entity in solving["object"]
    }
    assert any(entity.id.startswith("stage1_coating/runs/") for entity in solving["result"])
    told = yaml.safe_load((crate / "codecheck.yml").read_text())
    assert {"version", "manifest", "paper", "check_time", "summary"} == set(
        told
    )  # no number of a certificate, nobody's name
    assert told["manifest"] and all((crate / entry["file"]).is_file() for entry in told["manifest"])


@pytest.mark.long
@pytest.mark.setup
def test_the_package_is_what_the_validator_of_ro_crates_accepts(finished: Finished, tmp_path: Path) -> None:
    """roc-validator in an environment of its own (it needs an older rich than ours), without a network.

    It asks for the terms of RO-Crate 1.1 at their address; it is given those that the library rocrate brings, of RO-Crate 1.3, in
    which the terms that a package uses mean the same.
    """
    crate, _ = packed(finished, tmp_path)
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "own")], check=True)
    python = tmp_path / "own" / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "roc-validator==0.13.0"], check=True, timeout=300
    )
    done = subprocess.run(
        ["unshare", "--net", "--map-root-user", python, VALIDATING, crate, TERMS, tmp_path / "kept"],
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split() == ["ro-crate-1.1", "passed", "process-run-crate-0.5", "passed"]


@pytest.mark.long
def test_the_run_regressed_killed_and_continued_is_unchanged(finished: Finished) -> None:
    """Nothing is asked of a model, and nothing taken from what was simulated before."""
    bench, _, model = finished
    asked, run, before = len(model.requests), bench.run_dir.name, set(regressions(bench))
    killed = bench.start("regress", run)
    killed.says("solving the description")
    [begun] = set(regressions(bench)) - before
    wait_until(lambda: kept_runs(begun), "the first kept run")
    killed.kill()
    same = bench.start("regress", run, "--resume", "latest")
    assert same.wait(400) == 0, same.out + same.err[-3000:]
    assert "coating: unchanged" in same.out and set(regressions(bench)) == {begun, *before}
    found = json.loads((begun / "regression.json").read_text())
    assert found["baseline"] == f"the results of run {run}" and len(found["differences"]) > 50
    assert len(model.requests) == asked


@pytest.mark.long
def test_half_a_percent_in_one_line_is_caught_when_the_run_is_regressed(
    finished: Finished, tmp_path: Path
) -> None:
    """Nothing is asked of a model, and nothing taken from what was simulated before."""
    bench, _, model = finished
    asked, run, before = len(model.requests), bench.run_dir.name, set(regressions(bench))
    tree = patched(
        tmp_path,
        "tasks/reproduce/measuring/unit_cell.py",
        "reflectance = -np.asarray",
        "reflectance = -1.005 * np.asarray",
    )
    changed = bench.start("regress", run, prefix=("env", f"--chdir={tree}"))
    assert changed.wait(400) in (20, 21), changed.out + changed.err[-3000:]
    [folder] = set(regressions(bench)) - before
    states = {
        entry["key"]: entry for entry in json.loads((folder / "regression.json").read_text())["differences"]
    }
    assert states["target R_550 value"]["change"] == pytest.approx(0.005, abs=2e-4)
    assert states["target R_550 class"]["state"] == states["target R_curve class"]["state"] == "unchanged"
    assert "target R_550 value" in changed.out and len(model.requests) == asked
    assert not (folder / "replay" / ".reprolab").exists() and list(
        folder.glob("replay/coating/*/REPRODUCTION_REPORT_*.html")
    )


def regressions(bench: Bench) -> list[Path]:
    """Folders of what was regressed so far."""
    return list((bench.outputs / "regressions" / "coating").glob("*"))


def kept_runs(regression: Path) -> list[Path]:
    """What a regression has simulated so far."""
    return list(regression.glob("replay/.reprolab/runs/*/outcome.json"))


def patched(folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of the tree with one line changed."""
    for name in (*PACKAGES, "papers"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / file).read_text()
    assert text.count(old) == 1, file
    (folder / file).write_text(text.replace(old, new))
    return folder
