"""Tables of n and k that people hand in, and the units of spectra: one place converts, hostile files are refused."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from schemas.errors import InputError
from schemas.reproduce.simulations.spectral import printed_forms, to_frequency, to_wavelength_um
from tasks.reproduce.materials.errors import MaterialDataError, WavelengthOutOfRange
from tasks.reproduce.materials.handed_tables import read_nk_table
from tasks.reproduce.papers import check_paper, load_paper

pytestmark = pytest.mark.unit


class TestUnits:
    @pytest.mark.parametrize(
        ("value", "unit"),
        [
            (1550, "nm"),
            (1.55, "um"),
            (0.7998983768, "eV"),
            (799.8983768, "meV"),
            (193.4144890, "THz"),
            (6451.612903, "1/cm"),
            (6451.612903, "cm^-1"),
            (1.215259e15, "rad/s"),
            (1215.259, "Trad/s"),
            (1.215259, "rad/fs"),
            (1.215259, "1/fs"),
            (0.8228698, "fs"),
            (1 / 1.55, "c/um"),
        ],
    )
    def test_one_frequency_in_every_unit(self, value: float, unit: str) -> None:
        assert to_frequency(value, unit) == pytest.approx(1 / 1.55, rel=1e-6)
        assert to_wavelength_um(value, unit) == pytest.approx(1.55, rel=1e-6)

    def test_angular_and_ordinary_frequency_differ_by_two_pi(self) -> None:
        assert to_frequency(1e15, "Hz") / to_frequency(1e15, "rad/s") == pytest.approx(2 * math.pi)

    @pytest.mark.parametrize(
        ("value", "unit"),
        [
            (0, "nm"),
            (-1, "eV"),
            (float("nan"), "eV"),
            (float("inf"), "nm"),
            (1, "MeV"),
            (1, "furlong"),
            (1, ""),
        ],
    )
    def test_what_is_no_frequency_is_refused(self, value: float, unit: str) -> None:
        with pytest.raises(InputError):
            to_frequency(value, unit)

    def test_printed_forms(self) -> None:
        assert "cm-1" in printed_forms("1/cm") and "ev" in printed_forms("eV") and printed_forms("1") == ()


class TestTable:
    def write(self, folder: Path, text: str) -> Path:
        path = folder / "film.csv"
        path.write_text(text, encoding="utf-8")
        return path

    @pytest.mark.parametrize(
        "text",
        [
            "wavelength_nm,n,k\n500,2.0,0.1\n700,2.2,0.3\n",
            "# measured\nwavelength (um),k,n\n0.7,0.3,2.2\n0.5,0.1,2.0\n",
            "energy_eV,n,k\n1.7712028,2.2,0.3\n2.4796840,2.0,0.1\n",
        ],
    )
    def test_any_unit_and_order_of_columns(self, tmp_path: Path, text: str) -> None:
        table = read_nk_table(self.write(tmp_path, text), "film")
        assert table.valid_um == pytest.approx((0.5, 0.7), rel=1e-6)
        assert complex(table.at(0.6)) == pytest.approx(2.1 + 0.2j, rel=1e-6)
        with pytest.raises(WavelengthOutOfRange, match="film has no data"):
            table.at(0.71)

    def test_without_k_it_is_lossless_and_says_so(self, tmp_path: Path) -> None:
        table = read_nk_table(self.write(tmp_path, "wavelength_um,n\n0.5,1.5\n0.7,1.4\n"))
        assert table.lossless and "gives no k" in table.remarks[0]

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("wavelength_nm,n,k\n500,2,-0.1\n600,2,0\n", "k = -0.1"),
            ("wavelength_nm,n,k\n500,0,0.1\n600,2,0\n", "n = 0"),
            ("wavelength_nm,n,k\n500,nan,0.1\n600,2,0\n", "row 2, column 'n'"),
            ("wavelength_nm,n,k\n500,2,0.1\n500,2,0\n", "a second time"),
            ("wavelength_nm,n,k\n500,2\n600,2,0\n", "row 2, column 'k'"),
            ("wavelength,n,k\n500,2,0.1\n600,2,0\n", "no spectral unit"),
            ("lambda_nm,index\n500,2\n600,2\n", "columns lambda_nm, index"),
            ("wavelength_nm,n,k\n500,two,0\n600,2,0\n", "'two' is not a plain number"),
            ("wavelength_nm,n\n500,2\n", "at least 2 finite numbers"),
            ("\0\0\0", "cannot be used"),
            ("wavelength_nm,n\n" + "".join(f"{i},2\n" for i in range(1, 20_005)), "at most 20000 rows"),
        ],
    )
    def test_hostile_tables_are_refused_with_the_row(self, tmp_path: Path, text: str, says: str) -> None:
        with pytest.raises(MaterialDataError, match=".") as caught:
            read_nk_table(self.write(tmp_path, text))
        assert says in str(caught.value) and len(str(caught.value)) < 1500


def test_papers_materials_are_checked(tmp_path: Path) -> None:
    """`papers check` finds a table that leaves the folder, is missing or is wrong, and loads a good one."""
    paper = {
        "paper_id": "p",
        "title": "A film",
        "citation": "nobody, nowhere 2020",
        "text": "word " * 60,
        "figures": [{"figure_id": "fig1", "caption": "c"}],
        "materials": [{"name": "film", "file": "film.csv", "source": "supplement, table S1"}],
    }
    (tmp_path / "film.csv").write_text("wavelength_nm,n,k\n500,2,0\n600,2,0\n")
    (tmp_path / "paper.json").write_text(json.dumps(paper))
    assert check_paper(tmp_path) == ()
    assert load_paper(tmp_path)[0].materials[0].file == "film.csv"
    (tmp_path / "film.csv").write_text("wavelength_nm,n,k\n500,2,-1\n600,2,0\n")
    assert "k = -1" in check_paper(tmp_path)[0]
    paper["materials"][0]["file"] = "../../etc/passwd"  # type: ignore[index]
    (tmp_path / "paper.json").write_text(json.dumps(paper))
    assert "not a file in" in check_paper(tmp_path)[0]
