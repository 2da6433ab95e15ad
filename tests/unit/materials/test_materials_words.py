"""Words about materials: of people at the checkpoint, of papers that state numbers, and the pages that fit their names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.input_rules import input_words
from agents.reproduce.rules.material_rules import _fault, assumed_indices, material_issues
from schemas.errors import InputError
from schemas.reproduce.materials.prepared_material import MaterialChange, MaterialChoice
from schemas.reproduce.materials.stated import StatedNumber
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.parameters import Assumption
from schemas.reproduce.planning.plan import Plan
from tasks.reproduce.materials.changes import changed_plan, hand_in, material_change, settled_materials
from tasks.reproduce.materials.checkpoint_words import corrections
from tasks.reproduce.materials.hints import (
    MAX_MATERIALS,
    MAX_PAGES,
    database_hint,
    glasses_named,
    spectral_band,
)
from tasks.reproduce.materials.material_findings import material_findings
from tasks.reproduce.materials.names import books_named, common_name

pytestmark = pytest.mark.unit

GOLD = {"name": "gold", "page": "main/Au/Johnson", "band_um": [0.5, 0.8], "reason": "r", "source": "s"}
GLASS = {"name": "glass", "index": 1.5, "band_um": [0.5, 0.8], "reason": "r", "source": "s"}


def plan(*materials: dict[str, object]) -> Plan:
    reference = {"kind": "fresnel", "material": "gold"}
    target = {
        "target_id": "t",
        "figure_id": "materials",
        "description": "reflectance of bare gold",
        "kind": "curve",
        "quantity": "efficiency",
        "x_unit": "nm",
        "reference": reference,
    }
    stage = {
        "stage_id": "stage0",
        "stage_type": "MATERIAL_VALIDATION",
        "name": "Gold against Fresnel",
        "targets": [target],
        "description": "A half-space of gold (golden-section points) in air.",
        "materials": ["gold"],
    }
    return Plan.model_validate(
        {
            "title": "t",
            "summary": "s",
            "main_claim": "Gold shines.",
            "stages": [stage],
            "materials": list(materials) or [GOLD, GLASS],
        }
    )


def in_use(made: Plan) -> dict[str, MaterialChoice]:
    return {material.name: material for material in made.materials}


class TestAnswers:
    def one(self, text: str) -> MaterialChoice:
        return corrections(text, in_use(plan()))[0].choice

    def test_every_form_is_read(self) -> None:
        assert self.one("gold=main/Ag/Johnson").page == "main/Ag/Johnson"
        assert self.one("gold = table:data/film_nk.csv").table == "data/film_nk.csv"
        assert self.one("gold=1.45").index == 1.45
        constant = self.one("gold=2.1+0.3i@633nm").terms[0]
        assert [(n.name, n.value, n.unit) for n in constant.numbers] == [
            ("n", 2.1, "1"),
            ("k", 0.3, "1"),
            ("wavelength", 633, "nm"),
        ]
        drude = self.one("gold=eps_inf(9.5)+drude(plasma_frequency=9.03 eV, damping=5.3e-2 eV)")
        assert drude.words() == "stated eps_inf + drude" and drude.terms[1].number("damping").value == 0.053  # type: ignore[union-attr]
        assert self.one("glass=axes(x=gold, y=gold, z=gold)").axes == ("gold", "gold", "gold")

    def test_several_with_name_and_reason(self) -> None:
        found = corrections(
            "gold=main/Ag/Johnson as silver, glass=drude(plasma_frequency=9 eV, damping=1 eV) because it is "
            "silver; see the caption",
            in_use(plan()),
        )
        assert [(c.replaced, c.choice.name, c.named) for c in found] == [
            ("gold", "silver", True),
            ("glass", "glass", False),
        ]
        assert {c.reason for c in found} == {"it is silver; see the caption"} and found[0].choice.band_um == (
            0.5,
            0.8,
        )

    @pytest.mark.parametrize(
        "text",
        [
            "silver=main/Ag/Johnson",
            "gold",
            "gold=",
            "gold=2.1-0.3i@633nm",
            "gold=drude(9 eV)",
            "gold=magic(x=1)",
            "gold=1e99",
            "gold=axes(x=a)",
            "gold=drude(damping=x eV)",
            "gold=1.4;gold=1.5",
            "gold=eps_inf(2)+" + "(" * 50,
        ],
    )
    def test_nonsense_names_what_is_wrong_and_the_forms(self, text: str) -> None:
        with pytest.raises(InputError) as caught:
            made = plan()
            for correction in corrections(text, in_use(made)):
                material_change(
                    "change_database",
                    correction,
                    made,
                    made.materials[0],
                    folders=(),
                    handed_in=Path("/nowhere"),
                )
        assert "allowed:" in str(caught.value)


class TestChanges:
    def change(self, kind: str, text: str, tmp_path: Path) -> MaterialChange:
        made = plan()
        correction = corrections(text, in_use(made))[0]
        return material_change(
            kind,
            correction,
            made,
            in_use(made)[correction.replaced],
            folders=(tmp_path,),  # type: ignore[arg-type]
            handed_in=tmp_path / "materials" / "handed_in",
        )

    def test_another_material_changes_name_stages_and_reasons(self, tmp_path: Path) -> None:
        change = self.change(
            "change_material", "gold=main/Ag/Johnson because the caption says silver", tmp_path
        )
        assert (change.replaced, change.choice.name, change.stages) == ("gold", "silver", ("stage0",))
        after = changed_plan(plan(), change)
        stage = after.stages[0]
        assert [m.name for m in after.materials] == ["silver", "glass"]
        assert stage.materials == ("silver",) and stage.targets[0].reference.material == "silver"
        assert (
            stage.name == "Silver against Fresnel"
            and "half-space of silver (golden-section" in stage.description
        )
        assert "the caption says silver" in stage.description and "main/Au/Johnson" in after.summary
        assert after.main_claim == "Gold shines.", "the paper's claim stays the paper's"

    def test_a_role_keeps_its_name_and_a_taken_name_is_refused(self, tmp_path: Path) -> None:
        assert self.change("change_material", "glass=main/SiO2/Malitson", tmp_path).choice.name == "glass"
        with pytest.raises(InputError, match="another material 'glass'"):
            self.change("change_material", "gold=main/Ag/Johnson as glass", tmp_path)
        with pytest.raises(InputError, match="does not cover"):
            self.change("change_database", "gold=main/Au/Windt", tmp_path)
        with pytest.raises(InputError, match="did you mean"):
            self.change("change_database", "gold=main/Au/Jonson", tmp_path)

    def test_a_correction_holds_under_a_later_plan(self, tmp_path: Path) -> None:
        change = self.change("change_material", "gold=main/Ag/Johnson", tmp_path)
        later = plan({**GOLD, "band_um": [0.55, 0.7]}, GLASS)
        kept = settled_materials(later.materials, (change,))[0]
        assert (kept.name, kept.page, kept.band_um) == ("gold", "main/Ag/Johnson", (0.55, 0.7))

    def test_a_table_of_a_persons_own_is_checked_copied_and_kept(self, tmp_path: Path) -> None:
        mine, target = tmp_path / "elsewhere" / "mine.csv", tmp_path / "run" / "handed_in"
        mine.parent.mkdir()
        mine.write_text("wavelength_nm,n,k\n400,2,0\n900,2.2,0\n")
        name = hand_in(str(mine), (), target)
        mine.write_text("wavelength_nm,n,k\n400,9,0\n900,9,0\n")
        assert hand_in(str(mine), (), target) == name and "2.2" in (target.parent / name).read_text()
        with pytest.raises(InputError):
            hand_in("/etc/passwd", (), target)


class TestFindings:
    def test_what_cannot_be_had_blocks(self, tmp_path: Path) -> None:
        choices = [
            MaterialChoice.model_validate({**GOLD, **more, "name": name, "page": more.get("page")})
            for name, more in (
                ("a", {"page": "main/Au/Jonson"}),
                ("b", {"page": "main/Au/Windt"}),
                ("c", {"table": "none.csv"}),
                ("d", {"axes": ["a", "b", "nobody"]}),
                ("e", {"page": "main/Au/Johnson"}),
            )
        ]
        found = {issue.where: issue for issue in material_findings(choices, (tmp_path,))}
        assert set(found) == {f"materials.{name}" for name in "abcd"}
        assert all(issue.severity == "blocking" for issue in found.values())


class TestQuotedNumbers:
    TEXT = (
        "A film of silver. Its permittivity is a Drude model with eps_inf = 4.0, plasma energy 9.2 eV and a damping of "
        "21 meV. A doped one has the plasma energy 9.2 eV, and its damping is omega_p/80. The dye has n = 1.7 and k = 0.02 at 532 nm. "
        + "More words. "
        * 20
    )

    def issues(self, *terms: dict[str, object], **more: object) -> list[str]:
        paper = PaperInput(
            paper_id="p",
            title="A film",
            citation="nobody, nowhere 2020",
            text=self.TEXT,
            figures=[{"figure_id": "fig1", "caption": "c"}],
        )  # type: ignore[list-item]
        made = plan({**GOLD, "page": None, "terms": list(terms), **more}, GLASS)
        return [
            f"{issue.where}: {issue.description}"
            for issue in material_issues(made, paper, paper.words())
            if issue.severity == "blocking"
        ]

    @pytest.mark.parametrize(
        ("words", "name", "value", "unit", "fine"),
        [
            ("silicon of 100 \u03a9 cm", "resistivity", 100, "ohm cm", True),
            ("a resistivity of 100 \u03a9\u00b7cm", "resistivity", 100, "ohm cm", True),
            ("a resistivity of 100 Ohm-cm", "resistivity", 100, "ohm cm", True),
            ("a conductivity of 1 S/m, as a constant", "sigma", 1, "S/m", True),
            ("a conductivity of 1 S m^-1 there", "sigma", 1, "S/m", True),
            ("a resistivity of 10 k\u03a9 cm", "resistivity", 10, "ohm cm", False),
            ("a resistivity of 2.4 \u00b5\u03a9 cm", "resistivity", 2.4, "ohm cm", False),
            ("a conductivity of 4.1 MS/m", "sigma", 4.1, "S/m", False),
            ("a conductivity of 4.1 S/mm", "sigma", 4.1, "S/m", False),
            ("a conductivity of 4.1 S/cm and is metallic", "sigma", 4.1, "S/m", False),
            ("a thickness of 5 um is made of gold", "sigma", 5, "S/m", False),
            ("a load of 377 \u03a9 matches it", "resistivity", 377, "ohm m", False),
        ],
    )
    def test_a_conductivity_has_its_whole_unit_behind_it(
        self, words: str, name: str, value: float, unit: str, fine: bool
    ) -> None:
        number = StatedNumber(name=name, value=value, unit=unit, quotation=words)  # type: ignore[arg-type]
        assert (_fault(number, f"The bar has {words}. More words.") is None) is fine

    def number(self, name: str, value: float, unit: str, quotation: str) -> dict[str, object]:
        return {"name": name, "value": value, "unit": unit, "quotation": quotation}

    def drude(self, plasma: dict[str, object]) -> dict[str, object]:
        return {
            "kind": "drude",
            "numbers": [plasma, self.number("damping", 21, "meV", "a damping of 21 meV")],
        }

    def test_numbers_with_units_in_the_papers_words_pass(self) -> None:
        assert (
            self.issues(self.drude(self.number("plasma_frequency", 9.2, "eV", "plasma energy 9.2 eV"))) == []
        )
        words = "n = 1.7 and k = 0.02 at 532 nm"
        numbers = [
            self.number(*item, words)
            for item in (("n", 1.7, "1"), ("k", 0.02, "1"), ("wavelength", 532, "nm"))
        ]
        assert self.issues({"kind": "constant", "numbers": numbers}) == []

    @pytest.mark.parametrize(
        ("value", "unit", "quotation", "says"),
        [
            (9.2, "eV", "", "no words of the paper"),
            (9.2, "eV", "plasma energy of 9.2 eV", "not in the paper"),
            (9.3, "eV", "plasma energy 9.2 eV", "does not stand in its quotation"),
            (9.2, "rad/s", "plasma energy 9.2 eV", "the unit 'rad/s' does not stand"),
            (9.2, "eV", "plasma energy 9.2", "the unit 'eV' does not stand"),
        ],
    )
    def test_invented_numbers_block(self, value: float, unit: str, quotation: str, says: str) -> None:
        found = self.issues(self.drude(self.number("plasma_frequency", value, unit, quotation)))
        assert len(found) == 1 and says in found[0]

    RELATION = "plasma energy 9.2 eV, and its damping is omega_p/80"

    @pytest.mark.parametrize(
        ("value", "unit", "follows", "says"),
        [
            (0.115, "eV", "9.2 / 80", ""),
            (0.115, "eV", "9.2 / 80.", ""),
            (1.0286, "eV", "9.2 / 80**0.5", ""),
            (1.0286, "eV", "9.2 / sqrt(80)", ""),
            (1.0286, "eV", "9.2 * 80**(-1/2)", ""),
            (9.2, "eV", "9.2 * 80**0.0", "0.0 in"),
            (0.2, "eV", "9.2 / 80", "is 0.115, not 0.2"),
            (0.23, "eV", "9.2 / 40", "40 in '9.2 / 40' stands in no words"),
            (0.115, "THz", "9.2 / 80", "the unit 'THz' does not stand"),
            (0.115, "eV", "9.2 / omega", "is no arithmetic"),
            (0.115, "eV", "9.2 / (80 - 80)", "is no arithmetic"),
            (0.115, "eV", "__import__('os')", "is no arithmetic"),
        ],
    )
    def test_a_number_given_by_a_relation_is_computed_from_the_papers(
        self, value: float, unit: str, follows: str, says: str
    ) -> None:
        number = self.number("plasma_frequency", value, unit, self.RELATION) | {"follows": follows}
        found = self.issues(self.drude(number))
        assert (len(found) == 1 and says in found[0]) if says else found == []

    def test_a_number_given_by_a_relation_is_listed_as_an_assumption(self) -> None:
        number = self.number("plasma_frequency", 0.115, "eV", self.RELATION) | {"follows": "9.2 / 80"}
        made = plan({**GOLD, "page": None, "terms": [self.drude(number)]}, GLASS | {"index": 1})
        paper = PaperInput(
            paper_id="p",
            title="A film",
            citation="nobody, nowhere 2020",
            text=self.TEXT,
            figures=[{"figure_id": "fig1", "caption": "c"}],
        )  # type: ignore[list-item]
        [found] = assumed_indices(made, paper, ())
        assert found.value == "0.115 eV" and "9.2 / 80" in found.reason and found.source == "agent"
        words = input_words((), made.materials, paper.words())
        assert "9.2 / 80" in words["material gold"].fault, (
            "a person decides: any number follows from some others"
        )
        assert not input_words((), plan(GOLD, GLASS).materials, paper.words())["material gold"].fault

    def test_only_tables_the_paper_lists(self) -> None:
        found = self.issues(terms=[], table="data/secret.csv")
        assert len(found) == 1 and "no table handed in" in found[0]


class TestHints:
    def test_names_synonyms_and_formulas(self) -> None:
        found = books_named(
            "Gold (Au) discs on ITO, fused silica and silicon nitride; sin(x) as in [W1]; Na is N_A."
        )
        assert set(found) == {"main/Au", "other/In2O3-SnO2", "main/SiO2", "main/Si3N4"}
        assert set(books_named("SiO$_2$ and Si₃N₄")) == {"main/SiO2", "main/Si3N4"}
        assert (
            common_name("main/Ag/Johnson") == "silver"
            and common_name("other/In2O3-SnO2/Konig") == "indium_tin_oxide"
        )

    def test_every_book_exists(self) -> None:
        from tasks.reproduce.materials.database import pages_of_book
        from tasks.reproduce.materials.names import BOOKS

        assert [book for book in BOOKS if not pages_of_book(*book.split("/"))] == []

    def test_the_band_is_of_the_data_or_of_spectral_sentences(self) -> None:
        assert spectral_band("A 50 nm film. The spectrum from 500 to 900 nm is flat.") == pytest.approx(
            (0.5, 0.9)
        )
        assert spectral_band("A gap of 50 nm and a period of 600 nm.") is None
        assert spectral_band("", [("energy_eV", 1.0, 2.0)]) == pytest.approx((0.6199, 1.2398), rel=1e-3)

    def test_few_pages_that_cover_the_band_with_their_range(self) -> None:
        hint = database_hint(
            "Gold as in Olmon et al., silica. The spectrum from 2.5 to 5 um.",
            handed_in=("film.csv (film: table S1)",),
        )
        lines = hint.splitlines()
        gold = [line for line in lines if line.startswith("- main/Au/")]
        assert 0 < len(gold) <= MAX_PAGES and "Olmon" in gold[0] and "0.300–24.93 µm" in gold[0]
        assert not any("main/Au/Johnson" in line for line in gold), "its table ends at 1.9 um"
        assert "film.csv" in lines[0] and "main/SiO2/Malitson" in hint
        assert len(hint) < 3000 and "main/Si/" not in hint

    def test_what_others_used_is_not_offered(self) -> None:
        """Section by section: an introduction's detail names no material, unless nothing else names one."""
        intro = "## 1. Introduction\n\nRuby glass holds gold grains.\n\n### 1.1 More\n\nSilver, too.\n\n"
        model = "## 2. Model\n\nA sphere of silicon.\n"
        hint = database_hint(intro + model)
        assert "main/Si/" in hint and "main/Au" not in hint and "main/Ag" not in hint
        assert "main/Au/" in database_hint(intro + "## 2. Model\n\nA sphere.\n")
        assert "main/Au/" in database_hint(
            "## Introduction\n\nA sphere of gold, and that is the whole paper."
        )
        whole = model + "\n## References\n\n1. On gold. Author Green, 2008."
        assert "main/Au" not in database_hint(
            whole, own=model
        ) and "main/Si/Green-2008" in whole + database_hint(whole)

    @pytest.mark.parametrize(
        ("words", "page"),
        [
            ("two prisms of N-SF11", "specs/SCHOTT-optical/N-SF11"),
            ("the cover is N\u2011BK7", "specs/SCHOTT-optical/N-BK7"),
            ("a lens of S-LAH66 and air", "specs/OHARA-optical/S-LAH66"),
            ("a substrate of F2 by Hikari", "specs/HIKARI-optical/F2"),
            ("BK7 glass by CDGM", "popular_glass/BK7/CDGM"),
            ("the crown H-K9L", "specs/CDGM-optical/H-K9L"),
        ],
    )
    def test_makers_names_of_glasses(self, words: str, page: str) -> None:
        found = [pages[0].page for pages in glasses_named(f"We take {words}.").values()]
        assert found == [page] and f"- {page}:" in database_hint(f"We take {words}.")

    @pytest.mark.parametrize(
        "words", ["filter F2 and sensor SF11", "state S1-N2 of GPT-4", "SU-8 and CO2", "Fig. F2, TE-A1, K7"]
    )
    def test_labels_are_no_glasses(self, words: str) -> None:
        assert glasses_named(words) == {}

    @settings(max_examples=40, deadline=None)
    @given(st.text("ABFKLNSH-0123456789 .\u2011glas#\n", max_size=200))
    def test_any_text_has_a_hint(self, text: str) -> None:
        """Whatever stands in a paper: few glasses, each a page of the database, and no end of searching."""
        found = glasses_named(text)
        assert len(found) <= MAX_MATERIALS and all(0 < len(pages) <= MAX_PAGES for pages in found.values())
        assert all(name in pages[0].page.split("/") for name, pages in found.items())
        assert database_hint(text)


def test_an_index_of_the_planners_own_is_an_assumption_whoever_lists_it():
    """Lie: the film gets the index that agrees, 'common for such films', and no assumption says so."""
    paper = PaperInput(
        paper_id="p",
        title="A film",
        citation="nobody, nowhere (2020)",
        text="Glass of refractive index 1.52 carries a film. " * 5,
    )

    made = plan(
        GOLD,
        *(
            GLASS | {"name": name, "index": index, "source": source}
            for name, index, source in (
                ("glass", 1.52, "refractive index 1.52"),
                ("film", 2.3, "common for such films"),
                ("gap", 1, "air"),
                ("oil", 1.6, "assumed"),
            )
        ),
    )
    own = Assumption(
        assumption_id="A1",
        category="material",
        parameter="index of the oil",
        value="1.6",
        source="inferred",
        reason="typical",
        sensitivity="low",
    )
    [found] = assumed_indices(made, paper, (own,))
    assert (found.value, found.category, found.source, found.sensitivity) == (
        "2.3",
        "material",
        "agent",
        "high",
    )
    assert "film" in found.parameter and "common for such films" in found.reason
