"""The refractive-index database and its fits, against published tables and what a passive medium must obey."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from schemas.reproduce.materials.prepared_material import MaterialRecord
from tasks.reproduce.materials import (
    FitFailed,
    MaterialDataError,
    MaterialFit,
    OpticalConstants,
    Pole,
    UnknownMaterial,
    WavelengthOutOfRange,
    fit_like,
    fit_material,
    load_page,
    min_stable_resolution,
    search_pages,
)
from tasks.reproduce.materials.constants import band_wavelengths

pytestmark = pytest.mark.unit

GOLD = "main/Au/Johnson"
VISIBLE = (0.45, 0.90)


@pytest.fixture(scope="module")
def gold() -> OpticalConstants:
    return load_page(GOLD)


@pytest.fixture(scope="module")
def gold_fit(gold: OpticalConstants) -> MaterialFit:
    return fit_material(gold, VISIBLE)


class TestDatabase:
    def test_gold_of_johnson_and_christy_is_the_published_table(self, gold: OpticalConstants) -> None:
        # Phys. Rev. B 6, 4370 (1972), table I, as kept by refractiveindex.info.
        assert complex(gold.at(0.6168)) == pytest.approx(0.21 + 3.272j, rel=1e-9)
        assert complex(gold.at(0.6595)) == pytest.approx(0.14 + 3.697j, rel=1e-9)
        helium_neon = complex(gold.at(0.6328))
        assert 0.14 < helium_neon.real < 0.21 and 3.272 < helium_neon.imag < 3.697
        assert gold.valid_um == pytest.approx((0.1879, 1.937))
        assert "Johnson" in gold.reference and "<" not in gold.reference
        assert gold.doi == "10.1103/PhysRevB.6.4370"
        assert gold.wavelength_um.size == 49

    def test_epsilon_is_the_square_with_positive_loss(self, gold: OpticalConstants) -> None:
        assert complex(gold.epsilon(0.6168)) == pytest.approx((0.21 + 3.272j) ** 2, rel=1e-9)
        assert complex(gold.epsilon(0.6168)).imag > 0

    def test_formula_page_reproduces_the_sellmeier_equation(self) -> None:
        silica = load_page("main/SiO2/Malitson")
        wavelength = np.array([0.5876, 1.0, 1.55])
        squares = ((0.6961663, 0.0684043), (0.4079426, 0.1162414), (0.8974794, 9.896161))
        n = np.sqrt(1 + sum(b * wavelength**2 / (wavelength**2 - c**2) for b, c in squares))
        assert silica.at(wavelength).real == pytest.approx(n, abs=1e-6)
        assert silica.kind == "formula 1" and silica.lossless

    def test_page_without_k_says_so(self) -> None:
        rutile = load_page("main/TiO2/Devore-o")
        assert not rutile.has_k and not rutile.k.any()
        assert any("no k" in remark for remark in rutile.remarks)

    def test_wavelength_outside_the_table_names_the_range(self, gold: OpticalConstants) -> None:
        with pytest.raises(WavelengthOutOfRange, match=r"0\.1879 to 1\.937 um"):
            gold.at([0.5, 2.5])
        with pytest.raises(WavelengthOutOfRange):
            gold.at(float("nan"))

    @pytest.mark.parametrize(
        ("wrong", "suggestion"),
        [
            ("main/Au/Jonson", GOLD),
            ("main/gold/Johnson", GOLD),
            ("man/Au/Johnson", GOLD),
            ("main/au/Johnson", GOLD),
            ("gold", GOLD),
            ("main/Gee/Aspnes", "main/Ge/Aspnes"),
        ],
    )
    def test_unknown_page_suggests_the_right_one(self, wrong: str, suggestion: str) -> None:
        with pytest.raises(UnknownMaterial) as caught:
            load_page(wrong)
        assert suggestion in caught.value.suggestions
        assert suggestion in str(caught.value) and "search_pages" in str(caught.value)
        assert pickle.loads(pickle.dumps(caught.value)).suggestions == caught.value.suggestions

    @pytest.mark.parametrize(
        "hostile", ["", "../../etc/passwd", "main/../..", "/" * 5000, "main/Au/\0", "a" * 10**6]
    )
    def test_hostile_page_names_are_unknown(self, hostile: str) -> None:
        with pytest.raises(UnknownMaterial) as caught:
            load_page(hostile)
        assert len(str(caught.value)) < 2000

    def test_page_without_n_is_refused(self) -> None:
        with pytest.raises(MaterialDataError, match="search_pages"):
            load_page("main/H2O/Wang")

    def test_search_finds_by_name_formula_and_range(self) -> None:
        assert search_pages("gold johnson")[0].page == GOLD
        pages = {info.page for info in search_pages("SiO2", band_um=(5.0, 8.0), limit=200)}
        assert "main/SiO2/Kischkat" in pages and "main/SiO2/Malitson" not in pages
        assert search_pages("no such material anywhere") == []

    def test_bad_tables_are_refused(self) -> None:
        with pytest.raises(MaterialDataError, match="order"):
            OpticalConstants("paper", np.array([0.6, 0.5]), np.ones(2), np.zeros(2))
        with pytest.raises(MaterialDataError, match="not finite"):
            OpticalConstants("paper", np.array([0.5, 0.6]), np.array([1.0, np.nan]), np.zeros(2))
        with pytest.raises(MaterialDataError, match="unequal"):
            OpticalConstants("paper", np.array([0.5, 0.6]), np.ones(3), np.zeros(2))


class TestFit:
    @pytest.mark.parametrize(
        ("page", "band"),
        [
            (GOLD, VISIBLE),
            pytest.param(GOLD, (0.42, 0.82), marks=pytest.mark.long),
            ("main/Ag/Johnson", (0.35, 0.90)),
            ("main/Al/Rakic", (0.30, 0.90)),
            ("main/Si/Green-2008", (0.40, 0.90)),
            pytest.param("main/Ge/Aspnes", (0.42, 0.82), marks=pytest.mark.long),
        ],
    )
    def test_lossy_fit_is_close_passive_and_stable(self, page: str, band: tuple[float, float]) -> None:
        fit = fit_material(load_page(page), band)
        assert fit.rms_relative_error <= 0.015
        assert fit.eps_inf >= 1
        assert all(pole.sigma >= 0 and pole.gamma >= 0 for pole in fit.poles)
        outside = [p for p in fit.poles if p.kind == "lorentz" and not 1 / band[1] <= p.f0 <= 1 / band[0]]
        assert all(pole.gamma >= 0.05 * 0.999 for pole in outside)
        assert fit.epsilon(np.linspace(1e-3, 20, 4000)).imag.min() > 0
        assert min_stable_resolution(fit, courant=0.5, dims=3) is not None

    def test_errors_are_those_of_the_table(self, gold: OpticalConstants, gold_fit: MaterialFit) -> None:
        wavelength = band_wavelengths(VISIBLE)
        delta = gold_fit.epsilon(1 / wavelength) - gold.epsilon(wavelength)
        size = np.abs(gold.epsilon(wavelength))
        assert gold_fit.rms_relative_error == pytest.approx(
            np.sqrt(np.mean(abs(delta) ** 2) / np.mean(size**2))
        )
        assert gold_fit.max_relative_error == pytest.approx((np.abs(delta) / size).max())
        assert gold_fit.median_im_relative_error is not None and gold_fit.median_im_relative_error < 0.06
        assert gold_fit.met and "Drude" in gold_fit.summary()

    def test_a_known_drude_lorentz_medium_is_recovered(self) -> None:
        truth = (Pole("drude", 1.0, 0.04, 45.0), Pole("lorentz", 2.2, 0.4, 1.2))
        wavelength = np.linspace(0.4, 1.0, 2001)
        f = 1 / wavelength
        epsilon = 2.0 - 45.0 / (f**2 + 1j * f * 0.04) + 1.2 * 2.2**2 / (2.2**2 - f**2 - 1j * f * 0.4)
        index = np.sqrt(epsilon)
        fit = fit_material(
            OpticalConstants("model", wavelength, index.real, index.imag), (0.41, 0.99), tolerance=1e-4
        )
        assert fit.eps_inf == pytest.approx(2.0, rel=1e-2)
        for found, true in zip(fit.poles, truth, strict=True):
            assert found.kind == true.kind
            assert (found.f0, found.gamma, found.sigma) == pytest.approx(
                (true.f0, true.gamma, true.sigma), rel=1e-2
            )

    def test_lossless_page_gives_a_lossless_model(self) -> None:
        fit = fit_material(load_page("main/TiO2/Devore-o"), VISIBLE)
        assert fit.rms_relative_error < 1e-4
        assert all(pole.gamma == 0 for pole in fit.poles)
        assert not fit.epsilon(1 / band_wavelengths(VISIBLE)).imag.any()
        assert fit.median_im_relative_error is None

    def test_nearly_constant_index_becomes_one_number(self) -> None:
        entry = fit_material(load_page("main/SiO2/Malitson"), (1.54, 1.56)).as_dict()
        assert entry["index"] == pytest.approx(1.4440, abs=2e-4)
        assert "poles" not in entry and entry["page"] == "main/SiO2/Malitson"

    def test_same_call_gives_the_same_fit(self, gold: OpticalConstants, gold_fit: MaterialFit) -> None:
        assert fit_material(gold, VISIBLE) == gold_fit
        np.random.seed(12345)
        assert fit_material(gold, VISIBLE).as_dict() == gold_fit.as_dict()

    def test_entry_is_what_simulations_read(self, gold_fit: MaterialFit) -> None:
        entry = json.loads(json.dumps(gold_fit.as_dict()))
        contract = {
            "page",
            "valid_um",
            "band_um",
            "eps_inf",
            "poles",
            "rms_relative_error",
            "max_relative_error",
        }
        assert contract <= set(entry)
        record = MaterialRecord(name="gold", **{key: entry[key] for key in contract})
        assert record.parameters() == {key: entry[key] for key in contract}
        assert entry["poles"][0]["kind"] == "drude" and entry["poles"][0]["f0"] == 1.0

    def test_impossible_requests_are_explained(self, gold: OpticalConstants) -> None:
        with pytest.raises(WavelengthOutOfRange, match=r"0\.1879 to 1\.937 um"):
            fit_material(gold, (0.5, 3.0))
        with pytest.raises(WavelengthOutOfRange, match="nm"):
            fit_material(gold, (0.9, 0.45))
        with pytest.raises(FitFailed, match="tolerance"):
            fit_material(gold, VISIBLE, tolerance=0)
        with pytest.raises(FitFailed, match="Lorentz"):
            fit_material(load_page("main/Ge/Aspnes"), (0.42, 0.82), max_lorentz=0)

    def test_a_miss_is_reported_not_hidden(self) -> None:
        fit = fit_material(load_page("main/Cu/Johnson"), (0.40, 0.90), max_lorentz=1)
        assert fit.rms_relative_error > 0.01 and not fit.met
        assert "ABOVE the tolerance" in fit.summary()

    def test_a_narrow_exciton_inside_the_band_is_found(self) -> None:
        # J-aggregate: a Lorentz line with a quarter of the damping that broad poles are limited to.
        wavelength = np.linspace(0.4, 1.0, 1201)
        f = 1 / wavelength
        index = np.sqrt(2.25 + 0.05 * 1.7**2 / (1.7**2 - f**2 - 1j * f * 0.012))
        fit = fit_material(OpticalConstants("dye", wavelength, index.real, index.imag), VISIBLE)
        line = max(fit.poles, key=lambda pole: pole.sigma)
        assert fit.met
        assert (line.f0, line.gamma, line.sigma) == pytest.approx((1.7, 0.012, 0.05), rel=0.03)

    def test_another_table_is_followed_from_the_first_ones_fit(self, gold_fit: MaterialFit) -> None:
        """Much nearer to its own table than the tables are to each other, and as passive."""
        other = load_page("main/Au/Werner")
        found = fit_like(other, gold_fit)
        wavelength = band_wavelengths(VISIBLE)
        off = np.abs(found.epsilon(1 / wavelength) - other.epsilon(wavelength))
        apart = np.abs(gold_fit.epsilon(1 / wavelength) - other.epsilon(wavelength))
        assert found.met and found.page == "main/Au/Werner" and np.mean(off) < 0.1 * np.mean(apart)
        assert found.eps_inf >= 1 and all(pole.sigma >= 0 and pole.gamma > 0 for pole in found.poles)

    def test_a_start_without_loss_is_none_nor_one_with_loss_for_a_table_without(
        self, gold_fit: MaterialFit
    ) -> None:
        glass = fit_material(load_page("main/SiO2/Malitson"), VISIBLE)
        assert fit_like(load_page("main/SiO2/Malitson"), gold_fit).met
        assert fit_like(load_page("main/Au/Johnson"), glass).poles

    def test_weak_absorption_of_silicon_is_followed(self) -> None:
        fit = fit_material(load_page("main/Si/Green-2008"), (0.5, 1.1))
        assert fit.median_im_relative_error is not None and fit.median_im_relative_error <= 0.10
        assert fit.rms_k < 0.003
