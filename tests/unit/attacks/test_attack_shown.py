"""Words of papers, models, servers and scripts on a terminal, on Prefect's pages and on manual pages: shown, never alive."""

from __future__ import annotations

import ast
import io
import sys
import unicodedata
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from agents.models.manual.manual_page import problems_page, request_page
from flows.questions import pausing
from flows.terminal.console import Console, show
from flows.terminal.expected_errors import guarded
from schemas.errors import InputError
from schemas.talking.interaction import Choice, Question
from schemas.talking.transcript import AgentRequest, Position, Section
from schemas.text.inert import inert_markdown
from schemas.text.visible import visible
from tasks.reproduce.report.text import clean

pytestmark = pytest.mark.unit
HIDDEN = {
    "clear the screen": "\x1b[2J",
    "title of the window": "\x1b]0;owned\x07",
    "colour": "\x1b[31m",
    "one byte CSI": "\x9b31m",
    "back over what was said": "SUCCESS\b\b\b\b\b\b\bFAILURE",
    "carriage return": "error\rready",
    "NUL": "\0",
    "bell": "\a",
    "right to left override": "evil\u202egnp.exe",
    "isolates": "a\u2066b\u2069",
    "marks": "a\u200eb\u200f",
    "Arabic mark": "\u061c",
    "zero width space": "in\u200bput",
    "zero width joiner": "a\u200db",
    "word joiner": "a\u2060b",
    "byte order mark": "a\ufeffb",
    "tags (text in text)": "a\U000e0069\U000e0067",
    "variation selectors": "a\U000e0100",
    "Hangul filler": "a\u3164b",
    "line separator": "a\u2028b",
    "half a pair": "a\ud800",
    "annotations": "a\ufff9b",
    "grapheme joiner": "a\u034fb",
}


def lurking(text: str) -> list[str]:
    return [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c not in "\n\t"]


@pytest.mark.attack("shown text", "what is hidden stands there as U+FFFD")
@pytest.mark.parametrize("case", HIDDEN)
def test_hidden(case: str) -> None:
    for shown in (visible(HIDDEN[case]), clean(HIDDEN[case]), inert_markdown(HIDDEN[case])):
        assert "\ufffd" in shown and not lurking(shown) and not set("\u034f\u3164\U000e0100") & set(shown)


@pytest.mark.attack("shown text", "the console shows it and does not obey")
@pytest.mark.parametrize("case", HIDDEN)
def test_the_console_with(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    stream = io.StringIO()
    stream.isatty = lambda: True  # type: ignore[method-assign]
    console = Console(stream)
    console.simulation("s", 0.5, 3.0, HIDDEN[case])
    console.say(HIDDEN[case], stage="s")
    assert not lurking(stream.getvalue().replace("\r\x1b[2K", ""))
    show(HIDDEN[case])
    with pytest.raises(BaseException):  # noqa: B017,PT011 - typer's exit
        guarded(lambda: (_ for _ in ()).throw(InputError(HIDDEN[case], found=HIDDEN[case])))
    assert not lurking("".join(capsys.readouterr()))


@pytest.mark.attack("shown text", "nothing is printed but through `show`")
def test_nothing_is_printed_past_the_door() -> None:
    flows = Path(sys.modules["flows"].__path__[0])
    bare = [
        f"{path.name}:{node.lineno}"
        for path in flows.rglob("*.py")
        if path.name != "console.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert bare == []


ALIVE = {
    "a script": "<script>alert(1)</script>",
    "a handler": "a <img src=x onerror=alert(1)>",
    "a comment": "<!-- hidden words -->",
    "a frame": "<iframe src='https://evil.test'>",
    "SVG": "<svg/onload=alert(1)>",
    "a closing tag": "</div></body>",
    "a remote picture": "![x](https://evil.test/track.png)",
    "a picture by reference": "![x][y]\n\n[y]: https://evil.test/t.png",
    "a script link": "[x](javascript:alert(1))",
    "a data link": "[x](data:text/html,<script>alert(1)</script>)",
    "an SVG as data": "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "an entity in the scheme": "[x](javascript&#58;alert(1))",
    "the address on the next line": "[x](\njavascript:alert(1))",
    "in angle brackets": "[x](<javascript:alert(1)>)",
    "an autolink": "<https://evil.test>",
    "protocol-relative": "![x](//evil.test/t.png)",
    "a mail link": "<a@evil.test>",
    "after a closed fence": "```\nx\n```\n<script>x</script>",
    "a fence in a quotation": "> ```\n\n<script>x</script>",
    "a fence with backticks in its name": "``` a`b\n<script>x</script>",
    "tildes": "~~~\n~~~\n<script>x</script>",
    "a fence in a list": "- ```\n\n<script>x</script>",
    "a shorter end": "````\n```\n````\n<img src=x>",
    "a table": "| a |\n|---|\n| <b onclick=x> ![z](https://evil.test) |",
    "a forged data tag": "<data onclick=alert(1)>",
    "a definition in a quotation": "> [y]: https://evil.test\n\n[y] ![y]",
    "escaped backslash": "\\\\<img src=x onerror=y>",
    "upper case": "<SCRIPT>x</SCRIPT>",
    "a declaration": "<!DOCTYPE html>",
    "processing": "<?php x ?>",
    "CDATA": "<![CDATA[x]]>",
}


def assert_inert(text: str) -> None:
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    reader.validateLink = lambda address: True  # type: ignore[method-assign]
    for token in reader.parse(text):
        assert token.type != "html_block" or token.content.strip().startswith(("<data title=", "</data>")), (
            token.content
        )
        for child in token.children or ():
            assert child.type != "html_inline" or child.content in ("<br>", "<data>", "</data>"), (
                child.content
            )
            address = str(child.attrs.get("src") or child.attrs.get("href") or "")
            assert ":" not in address or address.startswith("data:image/png;base64,"), address
            assert not address.startswith("/"), address


@pytest.mark.attack("shown text", "Prefect's page shows it and does nothing")
@pytest.mark.parametrize("case", ALIVE)
def test_on_a_page_of_prefect(case: str) -> None:
    question = Question(
        question_id="q",
        kind="material_checkpoint",
        title=ALIVE[case],
        reason="r",
        body=f"words\n\n{ALIVE[case]}",
        choices=(Choice(name="go", effect=ALIVE[case]),),
    )
    for text in (inert_markdown(ALIVE[case]), inert_markdown(pausing.page_text(question))):
        assert_inert(text)


@pytest.mark.attack("shown text", "the manual page shows it and does nothing")
@pytest.mark.parametrize("case", ALIVE)
def test_on_a_manual_page(case: str, tmp_path: Path) -> None:
    request = AgentRequest(
        position=Position(agent="planner"),
        prompt_id="p",
        prompt_digest="0",
        answer_type="A",
        answer_schema={},
        model_kind="manual",
        model_name="m",
        system=(Section(title="rules", text="rules"),),
        context=(Section(title=ALIVE[case], text=ALIVE[case]),),
    )
    page = request_page(request, tmp_path / "requests")
    head, _, rest = page.partition("\n")
    assert head.startswith("<!-- ") and head.endswith("-->")
    assert_inert(rest)
    assert_inert(problems_page("planner.-.1.1.0", "x", (ALIVE[case],)))


def test_our_own_markdown_stays() -> None:
    ours = (
        "# Title\n\n| a | b |\n|---|---|\n| 1<br>2 | x < y |\n\n**bold** [plan](plan.md) ![p](runs/p.png)\n\n"
        "![q](data:image/png;base64,iVBORw0KGgo=)\n\n```python\nif a<b and c[0]:\n    f[0](x)\n```\n\n- item"
    )
    assert inert_markdown(ours) == ours


def test_scripts_of_other_languages_stay() -> None:
    words = "Réflexion, отражение, 反射率, تداخل, λ/4 → 150 nm, Å, \u2009±\u00a03"
    assert visible(words) == words
