"""What answers is the light that the words speak of, over a column that holds what its name says."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.reproduce.rules.choice_words import choice_words
from agents.reproduce.rules.feature_rules import bound
from schemas.reproduce.planning.plan import Reference
from schemas.reproduce.simulations.axes import belied
from schemas.reproduce.words.bound import Bound
from schemas.reproduce.words.clauses import process_of
from schemas.reproduce.words.written import numbers_in
from simkit.describe.scatterer import CrossSection, FarField
from simkit.describe.unit_cell import OrderEfficiency, Phase, Reflectance, Transmittance
from tasks.reproduce.describing.answering import process_measured
from tasks.reproduce.judging.together import Stated, with_their_curves
from tests.unit.evidence.evidence_fixture import a_stage
from tests.unit.words.answers_fixture import a_paper, target
from tests.unit.words.test_feature_words import INPUTS, TEXT, quoted
from tests.unit.words.test_features_and_curves import read, simulated

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("name", "values", "light", "why"),
    [
        ("wavelength_nm", [0, 10, 80], (), "0 or negative"),
        ("wavelength_nm", [5, 80], ((550, "nm"), (0.6, "um")), "far from all light"),
        ("f_THz", [5, 80], ((550, "nm"),), "far from all light"),
        ("angle_deg", [400, 700], (), "no angles"),
        ("wavelength_nm", [450, 800], ((0.55, "um"),), ""),
        ("wavelength_nm", [5, 80], (), ""),
        ("f_THz", [300, 700], ((550, "nm"),), ""),
        ("angle_deg", [-80, 80], (), ""),
        ("gap_um", [0, 80], ((550, "nm"),), ""),
        ("wavelength", [5, 80], ((550, "nm"),), ""),
    ],
)
def test_the_values_of_a_column_are_what_its_name_says(
    name: str, values: list[float], light: tuple[tuple[float, str], ...], why: str
) -> None:
    said = belied(name, values, light)
    assert why in said and bool(said) == bool(why)


@pytest.mark.attack("judgement", "at most PARTIAL")
def test_a_curve_over_a_column_that_its_values_belie_is_at_most_partial(tmp_path: Path) -> None:
    """Lie: a column called a wavelength holds angles."""
    named_so = quoted("The maximum lies at 720 nm", 720, "nm", "peak_position", kind="position").model_copy(
        update={
            "reference": Reference(
                kind="feature",
                file="data/fig1.csv",
                x_column="wavelength_nm",
                y_column="R",
                feature={"kind": "position"},
            )
        }
    )
    run = simulated(tmp_path, 720, 720)
    for light, judged in (((), "SUCCESS"), (((550, "nm"),), "SUCCESS"), (((10.6, "um"),), "PARTIAL")):
        stage = a_stage(named_so)
        found = [run.judge(named_so)]
        told = with_their_curves(
            stage, found, run.outputs, Stated(light=light), root=run.root, paper_dir=run.paper_dir
        )
        assert [evidence.classification for evidence in told] == [judged]


@pytest.mark.parametrize(
    ("words", "process"),
    [
        ("The maximum of the reflectance lies at 720 nm.", "reflected"),
        ("The dip in transmission lies at 720 nm.", "transmitted"),
        ("At 720 nm light is scattered.", "scattered"),
        ("The scattering cross-section has its maximum at 720 nm.", "scattered"),
        ("The absorption efficiency peaks at 720 nm.", "absorbed"),
        ("The extinction cross section is largest at 720 nm.", "extinguished"),
        ("Q_sca has its maximum at 720 nm.", "scattered"),
        ("C_ext peaks at 720 nm.", "extinguished"),
        ("Q_abs is largest at 720 nm.", "absorbed"),
        ("The scattered and absorbed power peak at 720 nm.", ""),
        ("Of the light that is not reflected, 30 % of the power is transmitted.", "transmitted"),
        ("30 % of the incident light is absorbed, and the rest is reflected.", "absorbed"),
        ("The resonance lies at 720 nm.", ""),
        ("Reflection and transmission cross at 720 nm.", ""),
        ("The thickness of the reflector and of the absorber is 720 nm.", ""),
    ],
)
def test_what_the_words_say_happens_to_the_light(words: str, process: str) -> None:
    [number] = [n for n in numbers_in(words) if not n.label]
    assert process_of(words, number) == process


@pytest.mark.parametrize(
    ("measured", "process"),
    [
        (Reflectance(id="q", scene="s"), "reflected"),
        (Transmittance(id="q", scene="s"), "transmitted"),
        (CrossSection(id="q", scene="s", process="scattering"), "scattered"),
        (CrossSection(id="q", scene="s", process="absorption"), "absorbed"),
        (CrossSection(id="q", scene="s", process="extinction"), "extinguished"),
        (OrderEfficiency(id="q", scene="s", side="reflected", order=(1,)), "reflected"),
        (Phase(id="q", scene="s", side="transmitted"), "transmitted"),
        (FarField(id="q", scene="s"), ""),
    ],
)
def test_what_trusted_code_measures_of_the_light(measured: object, process: str) -> None:
    assert process_measured(measured) == process


@pytest.mark.attack("judgement", "at most PARTIAL")
def test_the_light_that_the_words_speak_of_is_what_answers(tmp_path: Path) -> None:
    """Lie: a reflectance's maximum, an extinction's, answered by whatever of our curves agrees."""
    said = quoted(
        "The maximum of the reflectance lies at 720.7 nm", 720.7, "nm", "peak_position", kind="position"
    )
    for number, (asked, measured, judged) in enumerate(
        (
            ("reflected", "reflected", "SUCCESS"),
            ("", "reflected", "SUCCESS"),
            ("transmitted", "reflected", "PARTIAL"),
            ("extinguished", "scattered", "PARTIAL"),
            ("scattered", "absorbed", "PARTIAL"),
            ("scattered", "", "SUCCESS"),
        )
    ):
        run = simulated(tmp_path / str(number), 720.7, 720.7)
        run.executions = [
            e.model_copy(
                update={
                    "datasets": tuple(
                        d.model_copy(
                            update={
                                "columns": tuple(
                                    c.model_copy(update={"process": measured}) if c.name == "R" else c
                                    for c in d.columns
                                )
                            }
                        )
                        for d in e.datasets
                    )
                }
            )
            for e in run.executions
        ]
        assert read(run, said, Bound(process=asked)) == [judged]
    assert bound(said, TEXT, INPUTS).process == "reflected"


def test_what_holds_unless_something_else_is_said() -> None:
    """A paper of two polarisations whose method says which one its numbers are of."""
    words = (
        "Unless something else is said, the electric field is along the axis of the cylinder. With the magnetic field along the "
        "cylinder it is alike. The lens of three shells has a peak intensity of 15.2."
    )
    asked = target("15.2", "1", "value maximum", "The lens of three shells has a peak intensity of 15.2.")
    for found in choice_words(asked, a_paper(words)):
        assert all(told.values == {"out"} for told in found["polarization"])
