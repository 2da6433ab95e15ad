"""A paper's folder or JSON file in either form: what is understood, what is assumed, what is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tasks.reproduce.papers import load_paper, read_paper
from tasks.reproduce.references.paper_value import data_error
from tests.unit.commands.commands_fixture import reprolab

pytestmark = pytest.mark.unit

TEXT = "# A film\n\n" + "The reflectance of the film has its minimum at 620 nm. " * 6
SPECIFICATION: dict[str, Any] = {
    "paper_id": "film2023",
    "paper_title": "A film",
    "paper_text": TEXT,
    "paper_domain": "thin_films",
    "figures": [
        {
            "id": "Fig3a",
            "description": "Reflectance of the film.",
            "image_path": "pictures/a.png",
            "digitized_data_path": "a.csv",
        },
        {"id": "Fig 4(b)", "caption": "A sketch.", "image_path": ""},
    ],
    "supplementary": {
        "text": "More methods.",
        "figures": [{"id": "S1", "description": "More.", "image_path": None}],
    },
}


def write(folder: Path, fields: dict[str, Any], name: str = "paper.json") -> Path:
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (40, 30), "white").save(folder / "pictures" / "a.png")
    (folder / "a.csv").write_text("wavelength_nm,R\n500,0.1\n510,0.2\n")
    (folder / name).write_text(json.dumps(fields))
    return folder / name


def problems(path: Path) -> str:
    return "\n".join(read_paper(path).problems)


def test_the_specifications_json_file_is_read(tmp_path: Path) -> None:
    location = write(tmp_path, SPECIFICATION, "input.json")
    paper, folder = load_paper(location)
    assert (paper.title, paper.domain, paper.text, folder) == ("A film", "thin_films", TEXT, tmp_path)
    assert [f.figure_id for f in paper.figures] == ["Fig3a", "Fig_4_b", "S1"]
    assert [f.supplementary for f in paper.figures] == [False, False, True]
    assert (paper.figures[0].image, paper.figures[0].caption) == (
        "pictures/a.png",
        "Reflectance of the film.",
    )
    assert paper.figures[0].data[0].origin == "digitised" and paper.supplementary_text == "More methods."
    assert data_error(tmp_path, "a.csv") == 1.0, "the assumed error reaches the thresholds"


def test_its_other_spellings_and_the_folder_form(tmp_path: Path) -> None:
    fields = {
        k: v
        for k, v in SPECIFICATION.items()
        if k not in ("supplementary", "paper_text", "figures", "paper_domain")
    }
    fields |= {
        "paper_figures": [{"id": "f1", "description": "d"}],
        "supplementary_text": "Words.",
        "supplementary_figures": [{"id": "f2", "description": "d"}],
        "digitized_data_paths": {"f1": "a.csv"},
        "citation": "A. Author, J. Opt. 1, 1 (2023)",
    }
    write(tmp_path, fields)
    (tmp_path / "paper.md").write_text(TEXT)
    reading = read_paper(tmp_path)
    assert not reading.problems and reading.form == "specification" and reading.paper
    assert reading.paper.figures[0].data[0].file == "a.csv" and reading.paper.figures[1].supplementary
    assert reading.paper.domain == "photonics" and any(
        "photonics is assumed" in note for note in reading.notes
    )


def test_check_prints_the_form_and_what_was_read(tmp_path: Path) -> None:
    result = reprolab("papers", "check", str(write(tmp_path, SPECIFICATION, "input.json")))
    assert result.exit_code == 0, result.output
    for words in (
        "film2023: ready, in the specification's paper input form",
        "PNG 40 x 30",
        "a.csv: wavelength_nm, R; 2 rows",
        "3, 1 with a picture, 1 with data",
        "13 characters, 1 figures",
        "no citation was given",
        "'Fig 4(b)' is called 'Fig_4_b'",
        "error is not stated and taken as 1 %",
    ):
        assert words in result.output, words
    own = reprolab("papers", "check", "ge-on-gold")
    assert "ready, in ReproLab's own form" in own.output and "361 rows" in own.output


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"title": "A film"}, "two forms are mixed: title belong to ReproLab's own form, paper_title"),
        (
            {"figures": [{"figure_id": "f", "caption": "c"}]},
            "figures.figure_id belong to ReproLab's own form",
        ),
        ({"figures": [{"description": "no id"}]}, "figures.0.id: Field required"),
        (
            {"supplementary": {"figures": [{"description": "no id"}]}},
            "supplementary.figures.0.id: Field required",
        ),
        ({"figures": {"id": "f"}}, "figures: must be a list"),
        ({"figures": [{"id": "f", "image_path": "../a.png"}]}, "'../a.png' is not a file in"),
        ({"figures": [{"id": "f", "image_path": "/etc/passwd"}]}, "inside the folder"),
        ({"figures": [{"id": "f", "image_path": "a\0b.png"}]}, "is not a file in"),
        ({"figures": [{"id": "f", "image_path": "x" * 900}]}, "is not a file in"),
        (
            {"figures": [{"id": "f", "image_path": "x" * 5000}]},
            "figures.0.image_path: String should have at most 1000",
        ),
        ({"figures": [{"id": "f", "image_path": "https://example.org/a.png"}]}, "download it first"),
        ({"figures": [{"id": "f", "image_path": 7}]}, "figures.0.image_path: Input should be a valid string"),
        (
            {"figures": [{"id": "f"}], "digitized_data_paths": {"g": "a.csv"}},
            "'g' is no figure's id; found f",
        ),
        ({"figures": [{"id": "text"}]}, "text has a meaning of its own"),
        ({"figures": [{"id": "f"}, {"id": "f"}]}, "figure_id used twice: f"),
        ({"paper_title": None}, "paper_title: Input should be a valid string"),
        ({"paper_text": "short"}, "paper_text: String should have at least 200 characters"),
        ({"materials_json": 1}, "unknown field materials_json; allowed: paper_title"),
        ({"supplementary": 3}, "supplementary: must be an object"),
        ({"supplementary_text": "again"}, "given twice"),
        ({"scope": {"figures": ["fig9"]}}, "the scope names figures that the paper does not have: fig9"),
    ],
)
def test_what_does_not_fit_is_said_in_the_words_of_the_file(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    found = problems(write(tmp_path, SPECIFICATION | change))
    assert said in found, found


OWN: dict[str, Any] = {
    "paper_id": "film2023",
    "title": "A film",
    "citation": "A. Author, J. Opt. 1, 1 (2023)",
    "text": TEXT,
    "figures": [
        {
            "figure_id": "f1",
            "caption": "c",
            "image": "no.png",
            "data": [{"file": "no.csv", "origin": "digitised", "source": "read from it"}],
        }
    ],
    "materials": [{"name": "film", "file": "no_nk.csv", "source": "given with it"}],
    "patterns": [{"name": "mask", "file": "no.gds", "source": "given with it"}],
}
GIVEN: dict[str, Any] = SPECIFICATION | {
    "supplementary": None,
    "figures": [{"id": "f1", "description": "d", "image_path": "no.png", "digitized_data_path": "no.csv"}],
    "materials": OWN["materials"],
    "patterns": OWN["patterns"],
}
WRONG: dict[str, Any] = {"missing": None, "number": 7, "short": "x", "list": [[]], "object": {"x": 1}}


@pytest.mark.parametrize("form", [OWN, GIVEN], ids=["own", "specification"])
@given(data=st.data())
def test_a_wrong_field_hides_no_missing_file(form: dict[str, Any], data: st.DataObject) -> None:
    keys = [key for key in form if key not in ("figures", "materials", "patterns", "supplementary")]
    broken = data.draw(st.sets(st.sampled_from([*keys, "unknown"])))
    fields = {**form} | {key: WRONG[data.draw(st.sampled_from([*WRONG]))] for key in sorted(broken)}
    if data.draw(st.booleans()):
        kind = data.draw(st.sampled_from(["figures", "materials", "patterns"]))
        fields[kind] = [fields[kind][0] | {"unknown": 1}, data.draw(st.sampled_from([*WRONG.values()]))]
    with TemporaryDirectory() as folder:
        (Path(folder) / "input.json").write_text(json.dumps(fields))
        found = problems(Path(folder) / "input.json")
    for name in ("image 'no.png'", "data file 'no.csv'", "'no_nk.csv'", "pattern 'no.gds'"):
        assert f"{name} is not a file in" in found, found


def test_two_forms_that_are_mixed_hide_no_missing_file(tmp_path: Path) -> None:
    found = problems(write(tmp_path, GIVEN | {"title": "A film"}))
    assert "two forms are mixed" in found and "'no.png'" in found and "'no.csv'" in found


def test_the_command_names_the_schemas_errors_and_the_files_at_once(tmp_path: Path) -> None:
    for form, key in ((OWN, "title"), (GIVEN, "paper_title")):
        told = reprolab("papers", "check", str(write(tmp_path, form | {key: 7}, "input.json")))
        said = " ".join(told.output.split())
        assert told.exit_code == 2 and f"{key}: Input should be a valid string" in said
        assert "'no.png' is not a file" in said and "'no.csv' is not a file" in said


def test_a_paper_without_figures_is_one_if_it_states_numbers(tmp_path: Path) -> None:
    assert not problems(write(tmp_path, SPECIFICATION | {"figures": [], "supplementary": None}))
    wordy = SPECIFICATION | {
        "figures": [],
        "supplementary": None,
        "paper_text": "No number stands here. " * 20,
    }
    assert "nothing to compare with" in problems(write(tmp_path, wordy))


def test_hostile_files_are_named_and_nothing_is_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(json.dumps(SPECIFICATION))
    folder = tmp_path / "paper"
    folder.mkdir()
    os.symlink(tmp_path / "secret", folder / "paper.json")
    assert "paper.json is a link" in problems(folder)
    (folder / "paper.json").unlink()
    (folder / "paper.json").write_text("[" * 200_000)
    assert "nested too deeply" in problems(folder) or "not JSON" in problems(folder)
    write(folder, {k: v for k, v in SPECIFICATION.items() if k != "paper_text"})
    os.symlink(tmp_path / "secret", folder / "paper.md")
    assert "paper.md is a link" in problems(folder)
