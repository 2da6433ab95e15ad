"""Who the participants were is said everywhere, simulated and real rows never meet, and no number is typed."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from schemas.errors import InputError, StateError
from schemas.study.artifacts import ArtifactType
from schemas.study.paper import SECTIONS
from schemas.study.pipeline import InputType, PipelineMode
from schemas.study.statement import STATEMENT
from tasks.study.inputs import analyse, read_all
from tasks.study.paper_of_sections import compiled
from tasks.study.participants.raw_data import read_rows
from tasks.study.participants.real_data import imported
from tasks.study.results_file import apa_text, plans_of, results_of
from tasks.study.statistics.__main__ import plan_text
from tasks.study.wording.citing import invented
from tasks.study.wording.honesty import check_rows, missing_statement
from tasks.study.wording.placeholders import design_values, values_of
from tasks.study.wording.typed import filled, typed_numbers
from tasks.study.workspace import Workspace
from tasks.study.workspace.given import import_input
from tasks.study.workspace.package import compile_package
from tests.unit.study.study_fixture import artifact, nodes, plan, protocol, variables

pytestmark = pytest.mark.unit
A, B = PipelineMode.SIMULATED, PipelineMode.REAL_DATA


def data(mark: str = "true") -> bytes:
    return b"participant,condition,ease,simulated\n" + b"".join(
        f"p{i},{c},{4 + (c == 'voice') + (i * 7 % 5) / 4},{mark}\n".encode()
        for i in range(12)
        for c in ("voice", "touch")
    )


def picture() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (400, 200), "white").save(stream, "PNG")
    return stream.getvalue()


SECTION_TEXTS = {
    name: f"Words of the {name.replace('_', ' ')} about voice and touch. {{{{h1_apa}}}}." for name in SECTIONS
}


def written(base: Path, mode: PipelineMode, project: str = "voice") -> tuple[Workspace, str]:
    """A workspace with all that a package needs, and plan.json."""
    space = Workspace.create(base, project, mode=mode, input_type=InputType.TOPIC, nodes=nodes())
    rows = data("true" if mode is A else "false")
    plans = plans_of(plan().hypotheses, variables(), ["participant", "condition", "ease"])
    results = results_of(rows, plans)
    paper = compiled("Voice or touch", SECTION_TEXTS, values_of(results), simulated=mode is A)
    for name, kind, path, content in (
        ("scope/plan", ArtifactType.RESEARCH_PLAN, "output/plan.json", plan()),
        ("design/protocol", ArtifactType.STUDY_PROTOCOL, "output/protocol.json", protocol()),
        ("collect/raw_data", ArtifactType.RAW_DATA, "output/raw_data.csv", rows),
        ("analyze/results", ArtifactType.RESULTS, "output/results.json", results),
        ("analyze/apa", ArtifactType.RESULTS_APA, "output/results_apa.md", apa_text(results)),
        ("analyze/figure", ArtifactType.FIGURE, "figures/ease.png", picture()),
        ("analyze/script", ArtifactType.ANALYSIS_SCRIPT, "scripts/figures.py", "print('figures')\n"),
        ("synthesize/paper", ArtifactType.PAPER_DRAFT, "output/paper.md", paper),
    ):
        phase = name.split("/")[0]
        space.write(artifact(name, kind, f"phases/{phase}/{path}", phase), content)  # type: ignore[arg-type]
    return space, plan_text(plans, seed=1, correction="holm")


def test_the_package_of_simulated_participants_says_so_in_every_file(tmp_path: Path) -> None:
    space, again = written(tmp_path, A)
    made = compile_package(space, plan=again)
    package = space.root / "artifacts"
    assert missing_statement(package) == []
    assert {
        "paper.md",
        "README.md",
        "manifest.json",
        "package.json",
        "data/raw_data.csv",
        "data/results.json",
        "figures/ease.png",
        "analysis_code/figures.py",
        "analysis_code/plan.json",
        "materials/protocol.json",
        "analysis_code/study_statistics/__main__.py",
    } <= {str(path.relative_to(package)) for path in package.rglob("*")}
    assert made.sources["paper.md"] == "synthesize/paper" and made.notice == STATEMENT
    assert (package / "paper.md").read_text().count(STATEMENT) == 2, "first page and abstract"
    assert compile_package(space, plan=again).sources == made.sources, "again, in place of the first"
    assert not list(space.root.glob(".package-*"))


def test_the_digest_of_a_package_does_not_tell_the_name_of_its_folder(tmp_path: Path) -> None:
    made = []
    for project in ("voice", "voice-20261123-0101-abcd"):
        space, again = written(tmp_path, A, project)
        made.append(compile_package(space, plan=again).content_sha256)
    assert made[0] == made[1] != ""


def test_earlier_rounds_stay_in_the_package(tmp_path: Path) -> None:
    space, again = written(tmp_path, A)
    compile_package(space, plan=again)
    first = (space.root / "artifacts/data/results.json").read_bytes()
    results = results_of(
        data(), plans_of(plan().hypotheses, variables(), ["participant", "condition", "ease"]), seed=2
    )
    more = data() + b"p99,voice,1,true\n"
    for name, kind, path, content in (
        ("collect-2/raw_data", ArtifactType.RAW_DATA, "phases/collect-2/output/raw_data.csv", more),
        ("analyze-2/results", ArtifactType.RESULTS, "phases/analyze-2/output/results.json", results),
    ):
        space.write(artifact(name, kind, path, name.split("/")[0]), content)  # type: ignore[arg-type]
    compile_package(space, plan=again)
    package = space.root / "artifacts"
    assert (
        (package / "earlier_rounds/analyze/results.json").read_bytes()
        == first
        != (package / "data/results.json").read_bytes()
    )
    assert b"p99" not in (package / "earlier_rounds/collect/raw_data.csv").read_bytes()
    assert b"p99" in (package / "data/raw_data.csv").read_bytes() and missing_statement(package) == []
    assert "../data/raw_data.csv plan.json" in (package / "README.md").read_text()


def change(path: Path, old: str, new: str, times: int = -1) -> None:
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, times))


LIES = {
    "paper.md": (lambda path: change(path, f"*{STATEMENT}*", ""), "abstract"),
    "paper.md ": (lambda path: change(path, f"> **{STATEMENT}**", ""), "first page"),
    "paper.md  ": (lambda path: change(path, STATEMENT, f"<!-- {STATEMENT} -->"), "abstract"),
    "data/raw_data.csv": (lambda path: change(path, ",true", ",false", 1), "does not say"),
    "data/results.json": (
        lambda path: change(path, f'"notice": "{STATEMENT}"', '"notice": ""'),
        "does not say",
    ),
    "figures/ease.png": (lambda path: path.write_bytes(picture()), "does not say"),
    "analysis_code/figures.py": (lambda path: change(path, STATEMENT, ""), "does not say"),
    "README.md": (lambda path: change(path, "simulated", "recruited"), "does not say"),
    "data/extra.xlsx": (lambda path: path.write_bytes(b"x"), "cannot say"),
    "analysis_code/study_statistics/apa.py": (
        lambda path: path.write_text("print('other')\n"),
        "does not say",
    ),
    "data/link.md": (lambda path: path.symlink_to("/etc/hostname"), "link"),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    space, again = written(tmp_path_factory.mktemp("sound"), A)
    compile_package(space, plan=again)
    return space.root / "artifacts"


@pytest.mark.parametrize("name", LIES)
def test_whatever_hides_it_is_found(tmp_path: Path, sound: Path, name: str) -> None:
    package = tmp_path / "package"
    shutil.copytree(sound, package)
    make, said = LIES[name]
    make(package / name.strip())
    found = missing_statement(package)
    assert any(item.path == name.strip() and said in item.why for item in found), found


def test_a_package_of_real_data_says_nothing_of_simulation(tmp_path: Path) -> None:
    space, again = written(tmp_path, B)
    compile_package(space, plan=again)
    assert STATEMENT not in (space.root / "artifacts" / "paper.md").read_text()
    assert missing_statement(space.root / "artifacts")


def test_an_incomplete_or_changed_study_leaves_the_package_as_it_was(tmp_path: Path) -> None:
    space = Workspace.create(tmp_path, "empty", mode=A, input_type=InputType.TOPIC, nodes=nodes())
    with pytest.raises(StateError, match="no paper_draft"):
        compile_package(space)
    space, again = written(tmp_path, A)
    compile_package(space, plan=again)
    before = (space.root / "artifacts" / "paper.md").read_bytes()
    change(space.root / "phases/collect/output/raw_data.csv", "p1,", "p99,", 1)
    with pytest.raises(StateError, match="changed after it was written"):
        compile_package(space, plan=again)
    assert (space.root / "artifacts" / "paper.md").read_bytes() == before and not list(
        space.root.glob(".package-*")
    )


def test_simulated_and_real_rows_are_never_mixed(tmp_path: Path) -> None:
    check_rows(data("true"), A)
    check_rows(data("false"), B)
    for mode, mark in ((A, "false"), (B, "true")):
        with pytest.raises(InputError, match="12 of|24 of 24 rows"):
            check_rows(data(mark), mode)
    with pytest.raises(InputError, match=r"1 of 25 rows, such as row 25"):
        check_rows(data("false") + b"p9,voice,5,yes\n", B)
    path = tmp_path / "handed_in.csv"
    path.write_text("id,score,Simulated\na,1,no\nb,2,\nc,3,TRUE\n")
    with pytest.raises(InputError, match=r"marked as simulated(.|\n)*row 3"):
        imported(read_all(path)["handed_in.csv"], analyse(path).tables[0])


def test_real_data_are_numbered_and_lose_what_identifies(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        "Worker ID,E-mail,Task Score,colour\nA7,a@x.org,3,red\nB9,b@x.org,NA,blue\nC2,c@x.org,5,red\n"
    )
    made = imported(read_all(path)["a.csv"], analyse(path).tables[0])
    assert read_rows(made.data)[1] == {
        "participant": "p0002",
        "task_score": "",
        "colour": "blue",
        "simulated": "false",
    }
    assert made.left_out == ("E-mail",) and b"x.org" not in made.data and b"A7" not in made.data
    assert made.renamed == {"Task Score": "task_score", "colour": "colour"}


def test_the_input_is_copied_once_it_was_analysed_and_did_not_change(tmp_path: Path) -> None:
    space = Workspace.create(tmp_path / "w", "one", mode=A, input_type=InputType.TOPIC)
    path = tmp_path / "question.txt"
    path.write_text("Is voice easier?")
    report = analyse(path)
    assert [item.name for item in import_input(space.root, path, report)] == ["question.txt"]
    assert json.loads((space.root / "input" / "meta.json").read_text())["kind"] == "text"
    path.write_text("Is touch easier?")
    with pytest.raises(InputError, match="changed while it was read"):
        import_input(space.root, path, report)
    assert (space.root / "input" / "question.txt").read_text() == "Is voice easier?"


@pytest.mark.parametrize(
    "text",
    [
        "as was shown (Smith, 2019)",
        "(see Smith & Jones, 2019a; Miller, 2020)",
        "Smith (2019) showed",
        "Smith et al. (2019)",
        "**Smith** (2019)",
        "Smith et al. found",
        "Smith and colleagues found",
        "as before [12]",
        "[3, 4]",
        "doi:10.1000/xyz",
        "https://doi.org/10.1000/xyz",
        "[@smith2019]",
        "[@given; @smith2019]",
        "Jones and Smith [2019]",
        "as Smith in 2019 showed",
        "as Smith showed in 2019",
        "Smith's 2019 study",
        "by Smith and Lee in 2018",
        "(Smith, in press)",
        "Smith (submitted)",
        "Smith, n.d.",
        "王伟 (2019)",
        "(王伟, 2019)",
        "Иванов и Петров (2019)",
        "محمد (2019)",
        "김철수 (2020)",
        "PMID 12345",
        "PMC123456",
        "ISBN 978-3-16-148410-0",
        "doi 10.1000/xyz",
        "arXiv 2001.12345",
    ],
)
def test_a_reference_that_nobody_gave_is_found(text: str) -> None:
    assert invented(f"Others say so, {text} in words.", ("given",), "Written in 2019.\nSomebody was here."), (
        text
    )


@pytest.mark.parametrize(
    "text",
    [
        "as was shown (Smith, 2019)",
        "Smith (2019)",
        "[@given]",
        "the survey of 1996",
        "in March 2019",
        "(March 2019)",
        "(Figure 3)",
        "the election study in 1996",
        "people in Germany in 2019.",
        "In 1996, respondents said so.",
        "Participants reported in 2020",
        "Smith showed in 2019",
        "on iOS (2019)",
        "It was published in 2019.",
        "Clinton and Dole",
        "a scale [from 1 to 7]",
        "![Ease](figures/ease.png)",
        "{{h1_apa}}",
    ],
)
def test_given_references_and_other_years_are_none(text: str) -> None:
    assert invented(text, ("given",), "Read Smith, J. (2019). Timers.") == []


VALUES = {"h1_p": "*p* = .012", "h1_effect": "*d* = 0.50", "n_participants": "12"}


def test_text_gets_its_numbers_by_name() -> None:
    assert filled("It was so ({{h1_p}}, {{ h1_effect }}).", VALUES) == "It was so (*p* = .012, *d* = 0.50)."
    with pytest.raises(InputError, match=r"do not exist(.|\n)*h2_p"):
        filled("It was so ({{h2_p}}).", VALUES)
    assert design_values(protocol(30)) == {"planned_n": "30", "n_conditions": "2"}


@pytest.mark.parametrize(
    "text",
    [
        "p = .03",
        "p < 0.05",
        "p-value of 0.2",
        "*p* < .001",
        "p was .04",
        "(p=.04)",
        "$p < 0.01$",
        "t(18) = 2",
        "F(1, 20) = 7",
        "M = 4",
        "SD = 1",
        "n = 30",
        "N = 12",
        "d = 1",
        "r = .5",
        "BF10 = 3",
        "χ²(1) = 5",
        "43%",
        "43 percent",
        "a mean of 4.25",
        "the mean was 4",
        "κ = 1",
        "`p = .03`",
        "```\nM = 4\n```",
        "0,42",
        "d von -0,42",
        "42 Prozent",
        "42&nbsp;%",
        "24 of 30",
        "24 out of the 30",
        "24/30",
        "24 von 30",
        "½ of them",
        "0\u200b.42",
        "0<!-- x -->.42",
        "30 simulated participants",
        "ein Mittelwert von 4",
        "5,2 auf der Skala",
        "**p** = **.04**",
        "p ≈ ٠.٠٤",
        "p = {{h1_p}} or 0.04",
        "OR = 2",
        "CI [1, 2]",
        "odds ratio 5",
        "an odds ratio of about 5",
        "t statistic 4",
        "1e-5",
        "p around 1e-5",
        "10⁻⁵",
        "5 × 10",
        "9 in 10",
        "9 to 1",
        "nine in ten",
        "a correlation close to 1",
        "r close to minus one",
        "point zero three",
        "one point nine two",
        "a factor of ten",
        "tenfold",
        "twice as easy",
        "thirty participants",
        "forty percent",
        "two thirds of the participants",
        "half of them",
        "a difference of 2 points",
        "a z-score of 3",
        "degrees of freedom 18",
    ],
)
def test_a_typed_statistic_is_refused(text: str) -> None:
    assert typed_numbers(text), text
    with pytest.raises(InputError, match="was typed"):
        filled(f"We found this: {text}.", VALUES)


@pytest.mark.parametrize(
    "text",
    [
        "as Smith (2019) showed",
        "in 2 conditions",
        "a 7-point scale",
        "Figure 3 and Section 2",
        "the h1 hypothesis",
        "{{h1_p}} in 12 minutes",
        "in the 1996 respondents' words",
        "items 1, 2 and 3",
        "`h1_p` in code",
        "from 1 to 7",
        "see https://example.org/1.5",
        "iOS 17 on 3 phones",
        "version 1.2.3",
        "one participant said",
        "from one to seven",
        "at this point one asks",
        "effects in 2 conditions",
        "between 9:30 and 10",
        "points 1 (not at all) to 7 (fully)",
        "the right half of the figure",
        "a timer of twelve minutes",
    ],
)
def test_years_counts_and_names_may_be_typed(text: str) -> None:
    given = "2 conditions, 3 phones, a session of 12 minutes; from 1 to 7, a 7-point scale"
    assert typed_numbers(text, given) == []
    assert typed_numbers(text + ". SD = 4.", given) == ["4."]


def test_a_paper_lacks_no_section_and_gets_every_number() -> None:
    with pytest.raises(InputError, match=r"missing(.|\n)*abstract"):
        compiled("T", {**SECTION_TEXTS, "abstract": " "}, {"h1_apa": "x"}, simulated=True)
    for title in ("Voice is easier, p = .03", "42 % prefer voice"):
        with pytest.raises(InputError, match="was typed"):
            compiled(title, SECTION_TEXTS, {"h1_apa": "x"}, simulated=True)
    assert "{{" not in compiled("T", SECTION_TEXTS, {"h1_apa": "x"}, simulated=False)
