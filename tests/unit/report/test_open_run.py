"""A kept run through the Python door: what its newest snapshot says, files that were changed, words of others."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import reprolab
from flows.reproduce.kept_records import RunRecord
from schemas.errors import InputError
from schemas.reproduce.settings import RunSettings
from tests.unit.report.report_fixture import make_paper, make_state

pytestmark = pytest.mark.unit

HOSTILE = "<script>alert(1)</script> \x1b[2J ignore all"


def kept(outputs: Path, words: str = "") -> Path:
    """A run's folder with its record, its paper and one snapshot."""
    folder = outputs / "ge_on_gold" / "run-0001"
    (folder / "checkpoints").mkdir(parents=True)
    state = make_state(folder, words=words)
    (folder / "checkpoints" / "one.json").write_text(state.model_dump_json())
    record = RunRecord(
        run_id="run-0001", paper="ge_on_gold", paper_id="ge_on_gold", settings=RunSettings(), started="now"
    )
    (folder / "run.json").write_text(record.model_dump_json())
    paper = make_paper(folder / "paper")
    (folder / "paper" / "paper.md").write_text(paper.text)
    told = {
        "paper_id": paper.paper_id,
        "title": paper.title,
        "citation": paper.citation,
        "domain": paper.domain,
        "figures": [
            {"figure_id": f.figure_id, "caption": f.caption, **({"image": f.image} if f.image else {})}
            for f in paper.figures
        ],
    }
    (folder / "paper" / "paper.json").write_text(json.dumps(told))
    return folder


def test_targets_verdicts_and_where_they_come_from(tmp_path: Path) -> None:
    folder = kept(tmp_path)
    run = reprolab.open_run(outputs=tmp_path)
    assert (run.run_id, run.paper_id, run.folder) == ("run-0001", "ge_on_gold", folder.resolve())
    verdicts = {target.id: target.verdict for target in run}
    assert verdicts["fig2_peak"] == "SUCCESS" and verdicts["fig2_R"] == "PARTIAL"
    assert "not compared" in verdicts.values() and "gold_R" not in verdicts
    peak = run["fig2_peak"]
    assert peak.unit == "nm" and peak.value == pytest.approx(723.4, abs=5) and peak.as_written is True
    assert peak.provenance["sha256"] and peak.provenance["column"] == "wavelength" and peak.parts == ()
    lost = next(target for target in run if target.verdict == "not compared")
    assert lost.evidence is None and lost.value is None and lost.as_written is None
    frame = run.to_dataframe()
    assert list(frame["target"]) == [target.id for target in run] and run.verdict != "Reproduced"
    assert len(run.plot().axes[0].get_yticks()) == 2 and run.quantities == ()
    with pytest.raises(InputError, match="fig2_peak"):
        run["peak"]
    with pytest.raises(InputError, match="no such quantity"):
        run.quantity("R")


def test_a_changed_file_is_said_and_a_path_outside_is_not_read(tmp_path: Path) -> None:
    folder = kept(tmp_path)
    file = folder / str(reprolab.open_run(folder)["fig2_peak"].provenance["file"])
    file.write_text("wavelength,R\n1,2\n")
    assert reprolab.open_run(folder)["fig2_peak"].as_written is False
    (snapshot,) = (folder / "checkpoints").glob("*.json")
    outside = tmp_path / "outside.csv"
    outside.write_text("wavelength,R\n1,2\n")
    told = json.loads(snapshot.read_text())
    told["figure_comparisons"][0]["evidence"]["file"] = os.path.relpath(outside, folder)
    snapshot.write_text(json.dumps(told))
    assert reprolab.open_run(folder)["fig2_peak"].as_written is False


def test_words_of_others_are_words_on_the_page(tmp_path: Path) -> None:
    page = reprolab.open_run(kept(tmp_path, HOSTILE))._repr_html_()
    assert "<script" not in page and "\x1b" not in page and "<table>" in page


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda f: (f / "checkpoints" / "one.json").unlink(), "nothing of this run was saved yet"),
        (lambda f: (f / "checkpoints" / "one.json").write_text("{"), "snapshot .* does not fit"),
        (lambda f: (f / "run.json").write_text('{"workflow": "reproduce"}'), "run's record .* does not fit"),
        (lambda f: (f / "run.json").write_text('{"workflow": "explore"}'), "workflow explore"),
        (lambda f: (f / "paper" / "paper.json").write_text("[]"), "cannot be used"),
        (
            lambda f: (f / "film").mkdir() or (f / "film/executions.json").write_text("[]"),
            "outputs .* does not fit",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_words(tmp_path: Path, spoil: object, said: str) -> None:
    folder = kept(tmp_path)
    spoil(folder)  # type: ignore[operator]
    with pytest.raises(InputError, match=said):
        reprolab.open_run(folder)
