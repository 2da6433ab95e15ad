"""What a person sees when choosing a material: stability, plots, alternatives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from schemas.reproduce.materials.prepared_material import MaterialChoice
from tasks.files.store import Store
from tasks.reproduce.materials import (
    MaterialDataError,
    MaterialError,
    MaterialFit,
    MeepLibraryError,
    OpticalConstants,
    Pole,
    UnknownMaterial,
    alternatives,
    comparison_markdown,
    comparison_table,
    fit_material,
    load_page,
    min_stable_resolution,
    pitfalls,
    plot_comparison,
    plot_material,
    stability,
)
from tasks.reproduce.materials.comparison import Alternative
from tasks.reproduce.materials.meep_library import LibraryMaterial, meep_library
from tasks.reproduce.materials.stability import min_gain_margin
from tasks.reproduce.prepare_materials import prepare_material

pytestmark = pytest.mark.unit

GOLD = "main/Au/Johnson"
VISIBLE = (0.45, 0.90)


@pytest.fixture(scope="module")
def gold() -> OpticalConstants:
    return load_page(GOLD)


@pytest.fixture(scope="module")
def gold_fit(gold: OpticalConstants) -> MaterialFit:
    return fit_material(gold, VISIBLE)


class TestStability:
    def test_vacuum_follows_the_courant_limit(self) -> None:
        vacuum = LibraryMaterial("vacuum", 1.0, (), None, True, "")
        # Yee's scheme in d dimensions is stable for S <= 1/sqrt(d).
        assert stability(vacuum, 50, courant=0.57, dims=3).stable
        assert not stability(vacuum, 50, courant=0.59, dims=3).stable
        assert stability(vacuum, 50, courant=0.70, dims=2).stable
        assert not stability(vacuum, 50, courant=0.72, dims=2).stable

    def test_library_silver_with_tiny_eps_inf_is_unstable(self) -> None:
        silver = LibraryMaterial("Ag_like", 0.007, (Pole("drude", 1.0, 0.03, 55.0),), None, True, "")
        assert not any(stability(silver, resolution).stable for resolution in (20, 200, 2000))
        assert min_stable_resolution(silver) is None
        notes = " ".join(pitfalls(silver))
        assert "eps_inf 0.007 < 1" in notes and "unstable at any resolution" in notes

    def test_a_drude_metal_needs_its_plasma_frequency_resolved(self) -> None:
        # dims C^2 + (pi fp C / resolution)^2 < eps_inf for a lossless Drude metal.
        plasma = 40.0
        metal = LibraryMaterial("metal", 1.0, (Pole("drude", 1.0, 1e-3, plasma**2),), None, True, "")
        limit = np.pi * plasma * 0.5 / np.sqrt(1 - 3 * 0.25)
        assert not stability(metal, 0.97 * limit).stable
        assert stability(metal, 1.03 * limit).stable

    def test_impossible_grids_are_refused(self, gold_fit: MaterialFit) -> None:
        with pytest.raises(MaterialError, match="resolution > 0"):
            stability(gold_fit, 0)
        with pytest.raises(MaterialError, match="dims 1, 2 or 3"):
            stability(gold_fit, 50, dims=4)

    def test_gain_is_found(self, gold_fit: MaterialFit) -> None:
        amplifier = LibraryMaterial("amplifier", 10.0, (Pole("lorentz", 0.5, 0.1, -1.0),), None, True, "")
        assert min_gain_margin(amplifier) < -1
        assert "gain" in " ".join(pitfalls(amplifier))
        assert min_gain_margin(gold_fit) > 0


class TestPlots:
    def test_material_plot_shows_something(
        self, gold: OpticalConstants, gold_fit: MaterialFit, tmp_path: Path
    ) -> None:
        path = plot_material("gold", gold, gold_fit, tmp_path / "gold.png")
        self.check(path)

    def test_comparison_plot_shows_something(self, gold: OpticalConstants, tmp_path: Path) -> None:
        tables = [gold, load_page("main/Au/McPeak"), load_page("main/Au/Olmon-ev")]
        self.check(plot_comparison("gold", tables, VISIBLE, tmp_path / "sources.png"))
        with pytest.raises(MaterialDataError, match="nothing to plot"):
            plot_comparison("gold", [], VISIBLE, tmp_path / "none.png")

    @staticmethod
    def check(path: Path) -> None:
        with Image.open(path) as picture:
            pixels = np.asarray(picture.convert("RGB"))
        assert picture.format == "PNG" and min(pixels.shape[:2]) > 400
        assert 0.02 < (pixels != 255).any(axis=-1).mean() < 0.6
        assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 50


class TestComparison:
    def test_gold_tables_differ_more_than_fits(self) -> None:
        band = (0.45, 0.85)
        candidates = alternatives(GOLD, band)
        assert GOLD not in {item.page for item in candidates}
        rows = {row["page"]: row for row in comparison_table(GOLD, candidates, band)}
        assert rows[GOLD]["chosen"] and rows[GOLD]["mean_relative_difference"] == 0
        assert rows["main/Au/McPeak"]["mean_relative_difference"] == pytest.approx(0.13, abs=0.03)
        assert (
            rows[GOLD]["reflectance_difference"] == 0
            and 0.005 < rows["main/Au/McPeak"]["reflectance_difference"] < 0.2
        )
        assert all(row["coverage"] == 1 for row in rows.values())

    def test_every_alternative_covers_the_band(self) -> None:
        pages = {item.page for item in alternatives("main/Au", (2.5, 6.0))}
        assert "main/Au/Olmon-ev" in pages and GOLD not in pages and "main/Au/McPeak" not in pages
        assert {item.page for item in alternatives("Au", (2.5, 6.0))} == pages

    def test_partial_coverage_is_stated(self, gold: OpticalConstants) -> None:
        short = OpticalConstants("paper", np.array([0.3, 0.6]), np.ones(2), np.ones(2))
        far = OpticalConstants("far", np.array([5.0, 6.0]), np.ones(2), np.ones(2))
        items = [Alternative(table.page, "t | t", table, table.valid_um) for table in (far, short)]
        rows = comparison_table(GOLD, items, VISIBLE, gold)
        assert [row["page"] for row in rows] == [GOLD, "paper", "far"]
        assert 0.3 < rows[1]["coverage"] < 0.8
        assert rows[2]["mean_relative_difference"] is None and rows[2]["n"] is None
        text = comparison_markdown(rows)
        lines = text.splitlines()
        assert len(lines) == 5 and "chosen" in lines[2] and "% of the band" in lines[3]
        assert "t \\| t" in lines[3]  # a bar in a title must not break the table
        assert "1 further page" in comparison_markdown(rows, limit=2)

    def test_unknown_book_suggests(self) -> None:
        with pytest.raises(UnknownMaterial) as caught:
            alternatives("main/gold", VISIBLE)
        assert "main/Au" in caught.value.suggestions

    def test_interpreter_without_meep_is_a_prerequisite(self) -> None:
        with pytest.raises(MeepLibraryError, match="python3-meep"):
            meep_library("/nonexistent/python")
        with pytest.raises(MeepLibraryError, match="import meep"):
            meep_library("/bin/false")


def test_two_other_tables_are_made_ready_to_be_simulated_with(tmp_path: Path) -> None:
    """The one in the middle and the farthest, over the whole band, each fitted; none of them is the chosen one."""
    choice = MaterialChoice(
        name="gold", page=GOLD, band_um=VISIBLE, reason="as the paper says", source="Johnson and Christy"
    )
    record = prepare_material(choice, store=Store(tmp_path), run_dir=tmp_path / "run", meep_python=None)
    assert len(record.others) == 2 and all(other.page and other.page != GOLD for other in record.others)
    chosen = load_page(GOLD)
    rows = comparison_table(GOLD, alternatives(GOLD, VISIBLE), VISIBLE, chosen)
    apart = {row["page"]: row["mean_relative_difference"] for row in rows if row["mean_relative_difference"]}
    near, far = (apart[str(other.page)] for other in record.others)
    assert min(apart.values()) < near < far and far == max(apart.values())
    for other in record.others:
        assert other.rms_relative_error <= max(0.01, 0.2 * apart[str(other.page)])
        assert other.parameters()["page"] == other.page and other.parameters()["poles"]
