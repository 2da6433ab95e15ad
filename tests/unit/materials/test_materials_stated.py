"""Materials stated in numbers: units, sign and damping conventions, exactness, passivity, and never beyond their range."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from schemas.reproduce.materials.prepared_material import MaterialChoice, MaterialRecord
from schemas.reproduce.materials.stated import StatedTerm
from tasks.files.store import Store
from tasks.reproduce.materials import MaterialFit, load_page
from tasks.reproduce.materials.errors import MaterialDataError, MaterialError, WavelengthOutOfRange
from tasks.reproduce.materials.sources import constants_of, fit_choice, recorded_constants
from tasks.reproduce.materials.stability import min_gain_margin, min_stable_resolution
from tasks.reproduce.prepare_materials import along_axes, prepare_material

pytestmark = pytest.mark.unit

HBAR_EV = 1.519267447e15  # rad/s of 1 eV


def term(kind: str, *, half_damping: bool = False, exp_plus_iwt: bool = False, **numbers: Any) -> StatedTerm:
    """numbers: name = value, or name = (value, unit)."""
    found = [
        {"name": name, "value": value[0], "unit": value[1]}
        if isinstance(value, tuple)
        else {"name": name, "value": value}
        for name, value in numbers.items()
    ]
    return StatedTerm.model_validate(
        {"kind": kind, "numbers": found, "half_damping": half_damping, "exp_plus_iwt": exp_plus_iwt}
    )


def choice(*terms: StatedTerm, band: tuple[float, float] = (0.5, 0.8), **more: Any) -> MaterialChoice:
    return MaterialChoice(name="film", terms=terms, band_um=band, reason="stated", source="stated", **more)


def fitted(material: MaterialChoice) -> MaterialFit:
    fit, _ = fit_choice(material, constants_of(material, ()))
    assert (
        fit.eps_inf >= 1
        and min_gain_margin(fit) > -1e-9
        and all(p.gamma >= 0 and p.sigma >= 0 for p in fit.poles)
    )
    assert fit.index is not None or min_stable_resolution(fit) is not None
    return fit


class TestComplexIndex:
    @pytest.mark.parametrize(
        "index", [2.1 + 0.3j, 1.5 + 1e-4j, 0.18 + 3.4j, 0.05 + 1.2j, 0.9 + 0.2j, 4.2 + 2.5j]
    )
    def test_is_exact_at_its_wavelength(self, index: complex) -> None:
        material = choice(
            term("constant", n=index.real, k=index.imag, wavelength=(633, "nm")), band=(0.627, 0.639)
        )
        assert complex(fitted(material).epsilon(1 / 0.633)) == pytest.approx(index**2, rel=1e-9)

    def test_holds_near_its_wavelength_and_nowhere_else(self) -> None:
        stated = term("constant", n=0.18, k=3.4, wavelength=(633, "nm"))
        low, high = constants_of(choice(stated, band=(0.627, 0.639)), ()).valid_um
        assert 0.60 < low < 0.625 and 0.64 < high < 0.66
        with pytest.raises(WavelengthOutOfRange, match="never|close to it"):
            fitted(choice(stated, band=(0.5, 0.8)))

    def test_over_a_band_it_is_fitted_and_the_error_stated(self) -> None:
        fit = fitted(choice(term("constant", n=2.1, k=0.3)))
        assert 0 < fit.rms_relative_error < 0.05

    def test_without_loss_it_is_an_index(self) -> None:
        assert fitted(choice(term("constant", n=1.45, k=0))).index == pytest.approx(1.45)

    def test_the_other_time_convention(self) -> None:
        turned = choice(term("constant", n=2, k=-0.1, exp_plus_iwt=True), band=(0.6, 0.65))
        assert complex(constants_of(turned, ()).at(0.62)) == pytest.approx(2 + 0.1j)
        with pytest.raises(ValidationError, match="gain"):
            term("constant", n=2, k=-0.1)


class TestDispersionModels:
    def test_drude_in_any_unit_is_the_formula(self) -> None:
        plasma, damping = 9.03, 0.0532
        omega = 1.239841984 / 0.633
        exact = 9.5 - plasma**2 / (omega**2 + 1j * damping * omega)
        for scale, unit in (
            (1.0, "eV"),
            (241.798924, "THz"),
            (8065.54394, "1/cm"),
            (HBAR_EV, "rad/s"),
            (HBAR_EV * 1e-15, "1/fs"),
        ):
            drude = term("drude", plasma_frequency=(plasma * scale, unit), damping=(damping * scale, unit))
            fit = fitted(choice(term("eps_inf", value=9.5), drude))
            assert complex(fit.epsilon(1 / 0.633)) == pytest.approx(exact, rel=1e-6), unit
            assert fit.rms_relative_error < 1e-6 and len(fit.poles) == 1
        lifetime = term("drude", plasma_frequency=(9.03, "eV"), damping=(1e15 / (0.0532 * HBAR_EV), "fs"))
        fit = fitted(choice(term("eps_inf", value=9.5), lifetime))
        assert complex(fit.epsilon(1 / 0.633)) == pytest.approx(exact, rel=1e-6)

    def test_lorentz_strengths_and_the_factor_two_of_damping(self) -> None:
        omega, resonance, damping = 1.239841984 / 0.6, 2.7, 0.6
        exact = 5 + 1.1 * resonance**2 / (resonance**2 - omega**2 - 1j * damping * omega)
        background = term("eps_inf", value=5)
        forms = (
            term("lorentz", resonance=(2.7, "eV"), damping=(0.6, "eV"), delta_eps=1.1),
            term("lorentz", resonance=(2.7, "eV"), damping=(0.3, "eV"), delta_eps=1.1, half_damping=True),
            term(
                "lorentz", resonance=(2.7, "eV"), damping=(0.6, "eV"), plasma_frequency=(2.7 * 1.1**0.5, "eV")
            ),
            term(
                "lorentz",
                resonance=(2.7, "eV"),
                damping=(0.6, "eV"),
                plasma_frequency=(2.7, "eV"),
                weight=1.1,
            ),
        )
        for form in forms:
            assert complex(fitted(choice(background, form)).epsilon(1 / 0.6)) == pytest.approx(
                exact, rel=1e-6
            )

    def test_debye_by_an_overdamped_pole_with_its_error(self) -> None:
        band = (200.0, 1000.0)
        water = choice(
            term("eps_inf", value=4.9), term("debye", delta_eps=73.5, relaxation=(8.3, "ps")), band=band
        )
        fit, notes = fit_choice(water, constants_of(water, ()))
        frequency = np.linspace(1 / band[1], 1 / band[0], 50)
        omega_tau = 2 * np.pi * frequency * 299_792_458e6 * 8.3e-12
        exact = 4.9 + 73.5 / (1 - 1j * omega_tau)
        assert np.abs(fit.epsilon(frequency) / exact - 1).max() < 5e-3
        assert fit.rms_relative_error < 5e-3 and any("no Debye pole" in note for note in notes)

    def test_a_constant_conductivity_by_a_pole_of_fast_damping(self) -> None:
        band = (0.8, 1.1)
        rod = choice(
            term("eps_inf", value=12.25), term("conductivity", loss=1.5, wavelength=(1.0, "um")), band=band
        )
        fit, _ = fit_choice(rod, constants_of(rod, ()))
        frequency = np.linspace(1 / band[1], 1 / band[0], 50)
        exact = 12.25 + 1.5j / frequency
        assert np.abs(fit.epsilon(frequency) / exact - 1).max() < 1e-3 and len(fit.poles) == 1

    @pytest.mark.parametrize(
        "number",
        [
            {"sigma": (1.0, "S/m")},
            {"sigma": (0.01, "S/cm")},
            {"resistivity": (100.0, "ohm cm")},
            {"resistivity": (100.0, "\u03a9\u00b7cm")},
            {"resistivity": (1.0, "Ohm m")},
        ],
    )
    def test_a_conductivity_in_the_units_of_wafers(self, number: dict[str, tuple[float, str]]) -> None:
        """1 S/m at 394.5 GHz: Im eps is sigma / (eps_0 omega) = 0.04557, by hand."""
        band = (690.0, 820.0)
        silicon = choice(term("eps_inf", value=3.418**2), term("conductivity", **number), band=band)
        wavelength = 299.792458 / 0.3945
        eps = constants_of(silicon, ()).at(np.array([wavelength]))[0] ** 2
        assert eps.imag == pytest.approx(1 / (8.8541878128e-12 * 2 * np.pi * 394.5e9), rel=1e-6)
        fit, _ = fit_choice(silicon, constants_of(silicon, ()))
        assert fit.epsilon(np.array([1 / wavelength]))[0] == pytest.approx(eps, rel=1e-3)

    def test_sellmeier_and_cauchy_follow_the_published_formula(self) -> None:
        silica = [
            term("sellmeier", strength=b, resonance=(c, "um"))
            for b, c in ((0.6961663, 0.0684043), (0.4079426, 0.1162414), (0.8974794, 9.896161))
        ]
        material = choice(*silica, band=(1.0, 1.7))
        page = load_page("main/SiO2/Malitson")
        wavelengths = np.linspace(1.0, 1.7, 9)
        assert constants_of(material, ()).at(wavelengths) == pytest.approx(page.at(wavelengths), abs=1e-6)
        assert fitted(material).rms_relative_error < 1e-3
        cauchy = choice(term("cauchy", coefficient=1.458), term("cauchy", coefficient=(3540, "nm^2")))
        assert constants_of(cauchy, ()).at(0.6).real == pytest.approx(1.458 + 0.00354 / 0.36, rel=1e-6)
        crystal = choice(
            term("eps_inf", value=2.7359),
            term("sellmeier", strength=(0.01878, "um^2"), resonance=(0.01822, "um^2")),
            term("sellmeier", coefficient=(-0.01354, "um^-2")),
        )
        assert constants_of(crystal, ()).at(0.532).real == pytest.approx(
            1.6749, abs=1e-3
        )  # BBO, ordinary (Eimerl 1987)

    def test_an_unusable_model_is_fitted_and_says_why(self) -> None:
        metal = choice(
            term("eps_inf", value=0.5), term("drude", plasma_frequency=(9, "eV"), damping=(0.07, "eV"))
        )
        fit, notes = fit_choice(metal, constants_of(metal, ()))
        assert fit.eps_inf >= 1 and fit.rms_relative_error < 0.02
        assert any("eps_inf 0.5 < 1" in note for note in notes)

    def test_the_stated_range_is_kept(self) -> None:
        ranged = (term("cauchy", coefficient=1.46), term("range", shortest=(500, "nm"), longest=(700, "nm")))
        assert constants_of(choice(*ranged, band=(0.5, 0.7)), ()).valid_um == pytest.approx((0.5, 0.7))
        with pytest.raises(WavelengthOutOfRange, match=r"0\.5 to 0\.7 um"):
            fitted(choice(*ranged, band=(0.5, 0.8)))

    @pytest.mark.parametrize(
        ("kind", "numbers"),
        [
            ("drude", {"plasma_frequency": (9, "eV"), "damping": (-0.1, "eV")}),
            ("drude", {"plasma_frequency": (9, "eV")}),
            ("drude", {"plasma_frequency": (9, "furlong"), "damping": (1, "eV")}),
            ("lorentz", {"resonance": (1, "eV"), "damping": 1}),
            ("lorentz", {"resonance": (0, "eV"), "damping": (1, "eV"), "delta_eps": 1}),
            ("eps_inf", {"value": float("inf")}),
            ("debye", {"delta_eps": 3, "relaxation": (0, "ps")}),
            ("conductivity", {"loss": 1.5}),
            ("conductivity", {}),
            ("conductivity", {"sigma": (1.0, "S")}),
            ("conductivity", {"sigma": (1.0, "S/m"), "resistivity": (1.0, "ohm m")}),
            ("conductivity", {"resistivity": (0.0, "ohm m")}),
            ("conductivity", {"loss": (1.5, "eV"), "wavelength": (1, "um")}),
            ("chi3", {}),
            ("kerr", {"value": (1e-20, "m^2/V^2")}),
            ("cauchy", {"coefficient": (1, "eV")}),
            ("constant", {"n": 1.5}),
        ],
    )
    def test_impossible_terms_are_refused(self, kind: str, numbers: dict[str, Any]) -> None:
        with pytest.raises(ValidationError):
            term(kind, **numbers)

    def test_formulas_without_an_index_are_refused(self) -> None:
        with pytest.raises(MaterialDataError, match="n\\^2 < 0|not passive"):
            constants_of(choice(term("sellmeier", strength=2.0, resonance=(0.65, "um"))), ())


class TestForms:
    @pytest.mark.parametrize(
        "more",
        [
            {"page": "main/Au/Johnson", "index": 1.5},
            {},
            {"axes": ("a", "b")},
            {"table": "t.csv", "index": 1.2},
        ],
    )
    def test_exactly_one_form(self, more: dict[str, Any]) -> None:
        with pytest.raises(ValidationError):
            MaterialChoice(name="film", band_um=(0.5, 0.8), reason="r", source="s", **more)

    def test_old_choices_keep_their_digest(self) -> None:
        old = MaterialChoice(name="gold", page="main/Au/Johnson", band_um=(0.5, 0.8), reason="r", source="s")
        assert set(old.model_dump()) == {"name", "page", "index", "band_um", "reason", "source"}

    def test_dossier_of_a_table_a_model_and_axes(self, tmp_path: Path) -> None:
        """Every form has plot, constants, fit error, alternatives where the name is known, and the same checkpoint record."""
        paper, run = tmp_path / "paper", tmp_path / "run"
        paper.mkdir()
        gold = load_page("main/Au/Johnson")
        wavelengths = np.linspace(0.5, 0.9, 60)
        index = gold.at(wavelengths)
        rows = "\n".join(
            f"{1000 * w:.4f},{i.real:.6f},{i.imag:.6f}" for w, i in zip(wavelengths, index, strict=True)
        )
        (paper / "gold.csv").write_text("wavelength_nm,n,k\n" + rows)
        table = MaterialChoice(
            name="gold", table="gold.csv", band_um=(0.6, 0.85), reason="r", source="supplement"
        )
        store = Store(tmp_path / "out")
        first = prepare_material(table, store=store, run_dir=run, meep_python=None, folders=(paper,))
        assert (
            first.rms_relative_error < 0.02
            and first.valid_um == pytest.approx((0.5, 0.9))
            and first.min_stable_resolution
        )
        assert "main/Au/Johnson" in first.comparison and "table gold.csv" in first.comparison
        assert first.plot is not None and (run / first.plot.path).is_file()
        assert recorded_constants(first, run).at(0.7) == pytest.approx(complex(gold.at(0.7)), rel=0.01)
        (run / first.constants.path).write_text("wavelength_um,n,k\n0.5,1,0\n0.9,1,0\n")  # type: ignore[union-attr]
        with pytest.raises(MaterialError, match="not what was prepared"):
            recorded_constants(first, run)
        model = choice(
            term("eps_inf", value=2.0),
            term("lorentz", resonance=(4, "eV"), damping=(0.1, "eV"), delta_eps=1.0),
            term("chi3", value=(2e-22, "m^2/V^2")),
        )
        second = prepare_material(model, store=store, run_dir=run, meep_python=None)
        assert second.description == "stated eps_inf + lorentz with chi3"
        assert second.parameters()["chi3"] == pytest.approx([2e-10] * 3)
        crystal = MaterialChoice(
            name="crystal", axes=("film", "film", "gold"), band_um=(0.6, 0.8), reason="r", source="s"
        )
        record = along_axes(crystal, (first, second))
        entry: Any = record.parameters()
        assert (
            entry["axes"]["z"]["poles"] == first.parameters()["poles"]
            and entry["axes"]["x"]["eps_inf"] == 2.0
        )
        assert MaterialRecord.model_validate_json(record.model_dump_json()) == record

    def test_a_changed_table_is_another_material(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("wavelength_nm,n\n500,1.5\n800,1.5\n")
        table = MaterialChoice(name="film", table="t.csv", band_um=(0.6, 0.7), reason="r", source="s")
        store = Store(tmp_path / "out")

        def prepared() -> MaterialRecord:
            return prepare_material(
                table, store=store, run_dir=tmp_path / "run", meep_python=None, folders=(tmp_path,)
            )

        assert prepared().index == pytest.approx(1.5)
        (tmp_path / "t.csv").write_text("wavelength_nm,n\n500,1.6\n800,1.6\n")
        assert prepared().index == pytest.approx(1.6)

    @pytest.mark.parametrize("name", ["../secret.csv", "/etc/passwd", "none.csv"])
    def test_tables_outside_the_folders_are_not_read(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "secret.csv").write_text("wavelength_nm,n\n500,1.5\n800,1.5\n")
        (tmp_path / "paper").mkdir()
        table = MaterialChoice(name="film", table=name, band_um=(0.6, 0.7), reason="r", source="s")
        with pytest.raises(MaterialDataError, match="no such table"):
            constants_of(table, (tmp_path / "paper",))

    def test_kerr_index_becomes_chi3(self) -> None:
        from tasks.reproduce.materials.stated_formulas import nonlinear_coefficients

        glass = choice(term("constant", n=1.45, k=0), term("kerr", value=(2.6e-20, "m^2/W")))
        _, chi3 = nonlinear_coefficients(glass, 1.45)
        assert chi3[0] == pytest.approx(1.94e-22 * 1e12, rel=0.01)  # silica: chi3 about 1.9e-22 m^2/V^2
