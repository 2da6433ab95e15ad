"""The user's skill of docs/reference/skills.md: a folder and three lines of YAML, beside one of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.explore.workflow import read_workflow
from schemas.talking.tools import ToolContext
from tasks.tools import Toolbox

pytestmark = pytest.mark.sim
EXAMPLE = Path(__file__).parents[1] / "skills" / "example"
PAGE = Path(__file__).parents[3] / "docs/reference/skills.md"


def test_the_page_shows_what_is_tested():
    page = PAGE.read_text()
    for name in ("server.py", "workflow.yaml"):
        assert (EXAMPLE / name).read_text().strip() in page


def test_a_folder_and_three_lines_of_yaml_are_a_skill(tmp_path):
    work = tmp_path / "nodes" / "n0" / "work"
    work.mkdir(parents=True)
    here = ToolContext(phase="bfts", run_dir=str(tmp_path), node_id="n0", work_dir=str(work))
    with Toolbox(read_workflow(EXAMPLE / "workflow.yaml").skills, work_dir=work) as box:
        offered = {tool.name: tool for tool in box.list_tools("bfts")}
        assert offered["count_words"].skill == "words" and "run_code" in offered
        assert "Count the words" in offered["count_words"].description
        assert not box.call("write_code", {"file": "a.txt", "content": "to be or not to be"}, here).is_error
        assert box.call("count_words", {"file": "a.txt"}, here).text == "6 words, 4 different ones"
        assert (work / "words.txt").read_text() == "6\n"
        missing = box.call("count_words", {"file": "b.txt"}, here)
        assert missing.is_error and "No such file" in missing.text
        assert box.call("count_words", {"file": str(EXAMPLE / "server.py")}, here).is_error
        assert box.list_tools("reproduce") == ()
