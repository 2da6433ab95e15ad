"""The bundled papers: ready, with numbers that a plan can quote and a simulation can take in, recorded or plainly not yet."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agents.reproduce.rules.quoting import number_fault
from agents.reproduce.rules.reference_rules import quotable
from flows.cli import app
from tasks.reproduce.papers import BUNDLED, bundled_ids, check_paper, load_paper, recorded_ids

pytestmark = pytest.mark.unit

# paper -> what a plan would quote as its inputs and as its references: (words, value, unit)
QUOTED: dict[str, tuple[tuple[str, float, str], ...]] = {
    "rod-crystal": (
        ("The lattice constant is 1a along x and along y", 1, "a"),
        ("The rods have a radius of 0.20a.", 0.2, "a"),
        ("Their dielectric constant is 8.9", 8.9, "1"),
        ("the lower edge of the gap at a frequency of 0.3224 c/a", 0.3224, "c/a"),
        ("the upper edge at 0.4425 c/a", 0.4425, "c/a"),
        ("its gap-midgap ratio is 31.4 %", 31.4, "%"),
        ("At the point X the first band lies at a frequency of 0.2747 c/a", 0.2747, "c/a"),
    ),
    "coupler": (
        ("The cores have a refractive index of 2.00.", 2.0, "1"),
        ("has a refractive index of 1.444", 1.444, "1"),
        ("Each core has a width of 0.40 um along y.", 0.4, "um"),
        ("The gap between the facing walls of the cores is 0.30 um wide.", 300, "nm"),
        ("The vacuum wavelength is 1.55 um.", 1.55, "um"),
        ("The coupling length at this gap is 8.117 um.", 8.117, "um"),
        ("The effective index of the even supermode is 1.7879", 1.7879, "1"),
        ("the effective index of the odd supermode is 1.6924", 1.6924, "1"),
    ),
    "guided-resonance": (
        ("The bars of high index have a refractive index of 2.00", 2.0, "1"),
        ("those of low index a refractive index of 1.60", 1.6, "1"),
        ("The period of the grating along x is 300 nm", 300, "nm"),
        ("The layer has a thickness of 150 nm.", 150, "nm"),
        ("The substrate has a refractive index of 1.52", 1.52, "1"),
        ("The fill factor is 0.50", 0.5, "1"),
        ("The reflectance peaks at a wavelength of 477.4 nm", 477.4, "nm"),
        ("The full width at half maximum is 7.47 nm.", 7.47, "nm"),
        ("For a layer of 125 nm thickness the peak lies at a wavelength of 470.9 nm", 470.9, "nm"),
    ),
    "dipole-mirror": (
        ("The emission is at a vacuum wavelength of 600 nm.", 600, "nm"),
        ("The distances considered in section 3.1 are 60 nm and 120 nm.", 120, "nm"),
        ("the relative emission rate of dipoles along the line is 0.357", 0.357, "1"),
        ("For perpendicular dipoles the relative emission rate at 60 nm is 1.815.", 1.815, "1"),
        ("It has its first maximum of 1.403 at a distance of 183 nm", 183, "nm"),
    ),
    "binary-grating": (
        ("The period along x is 10 um.", 10, "um"),
        ("The depth of the grooves is 0.5 um.", 0.5, "um"),
        ("glass with a refractive index of 1.5", 1.5, "1"),
        ("the duty cycle is 0.5", 0.5, "1"),
        ("The design wavelength is 0.5 um in vacuum.", 500, "nm"),
        ("The rigorous efficiency of the first order is 0.3888.", 0.3888, "1"),
        ("The rigorous efficiency of the third order is 0.0429", 0.0429, "1"),
        ("that of the seventh order is 0.0076", 0.0076, "1"),
    ),
}


@pytest.mark.parametrize("paper", bundled_ids())
def test_every_bundled_paper_is_ready_and_says_where_its_numbers_are_from(paper: str) -> None:
    assert check_paper(BUNDLED / paper) == ()
    text = load_paper(BUNDLED / paper)[0].text
    head = text[: text.index("\n## ")]
    assert "ReproLab" in head and "own words" in head and "computed" in head
    assert (BUNDLED / paper / "make_data.py").is_file()


@pytest.mark.parametrize("paper", sorted(QUOTED))
def test_inputs_and_references_of_a_paper_can_be_quoted(paper: str) -> None:
    words = quotable(load_paper(BUNDLED / paper)[0])
    assert [
        fault
        for quotation, value, unit in QUOTED[paper]
        if (fault := number_fault(value, unit, quotation, words))
    ] == []


@pytest.mark.parametrize("paper", sorted(set(bundled_ids()) - {"ge-on-gold"}))
def test_data_are_made_by_the_program_beside_them(paper: str) -> None:
    """Importing it computes nothing; `make_data.py` alone writes the files that paper.json names."""
    source = importlib.util.spec_from_file_location(f"make_{paper}", BUNDLED / paper / "make_data.py")
    assert source and source.loader
    program = importlib.util.module_from_spec(source)
    source.loader.exec_module(program)
    text = (BUNDLED / paper / "make_data.py").read_text(encoding="utf-8")
    for figure in load_paper(BUNDLED / paper)[0].figures:
        assert all(Path(data.file).name in text for data in figure.data)
    assert callable(program.main) and "meep" not in text.lower().replace("meep's", "")


def test_a_paper_that_is_not_recorded_says_so_and_what_to_do(tmp_path: Path) -> None:
    shutil.copytree(BUNDLED / "coupler", tmp_path / "mine", ignore=shutil.ignore_patterns("transcript.jsonl"))
    done = CliRunner().invoke(app, ["reproduce", str(tmp_path / "mine"), "--outputs", str(tmp_path / "out")])
    assert done.exit_code == 2 and "not recorded yet" in done.output and "--model manual" in done.output, (
        done.output
    )
    assert not (tmp_path / "out").exists()
    listed = CliRunner().invoke(app, ["papers"])
    assert listed.exit_code == 0 and listed.output.count("not yet") >= len(
        set(bundled_ids()) - set(recorded_ids())
    )
