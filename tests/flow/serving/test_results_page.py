"""Results in a real browser: signed in as on Prefect's page, a report with a program in it, two runs compared, on a phone too."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from flows.results.site import Site
from flows.results.two_runs import compare_runs
from flows.serving.server_app import Door
from tasks.reproduce.report.sections.about_paper import ANCHOR
from tasks.reproduce.report.write import write_report
from tests.flow.browser import CHROMIUM, Browser
from tests.flow.kit import wait_until
from tests.unit.report.report_fixture import make_facts, make_paper, make_state, settings
from tests.unit.report.test_open_run import kept
from tests.unit.report.test_regression_causes import THEN, found
from tests.unit.results.test_notices import PrefectsApi
from tests.unit.results.test_regressions_page import kept as kept_regression
from tests.unit.results.test_two_runs import another

pytestmark = [pytest.mark.flow, pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")]

PASSWORD = "password-of-this-server-0000"
PROGRAM = """<p id=said>quiet</p><script>document.getElementById("said").textContent =
"STOLEN " + localStorage.getItem("prefect-password")</script>
<form action="/api/flow_runs/filter" method=post><input type=submit value=send></form><a href="run.json">its data</a>"""


async def prefect(scope: Any, receive: Any, send: Any) -> None:
    """Stands where Prefect does: any page of its origin."""
    start = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]}
    await send(start)
    await send({"type": "http.response.body", "body": b"<title>Prefect</title>its page"})


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    outputs = tmp_path_factory.mktemp("results") / "out"
    folder = kept(outputs)
    (folder / "REPRODUCTION_REPORT_ge_on_gold.html").write_text(PROGRAM)
    picture = next(t.pictures[0] for t in compare_runs(folder, folder).targets if t.target == "fig2_R")
    table = (folder / picture).with_suffix(".csv")
    table.write_text("x,simulation_x1,paper\n500,0.5,0.5\n600,0.7,0.6\n700,0.4,0.4\n")
    other = another(folder, "run-0002")
    (other / picture).with_suffix(".csv").write_text("x,simulation_x1\n500,0.5\n600,0.8\n700,0.4\n")
    for day, step in enumerate((0.0, 0.001, 0.05), 1):
        kept_regression(outputs, f"2026010{day}-{day}", found(THEN, step=step), THEN)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        site = f"http://127.0.0.1:{listening.getsockname()[1]}"
        door = Door(prefect, [site], Site(outputs, f"reprolab:{PASSWORD}", api=PrefectsApi()))
        server = uvicorn.Server(uvicorn.Config(door, log_level="error"))
        serving = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
        serving.start()
        try:
            yield site
        finally:
            server.should_exit = True
            serving.join(30)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("chromium")) as found:
        yield found


@pytest.mark.parametrize("width", [1400, 400])
def test_a_person_signs_in_once_compares_two_runs_and_takes_a_file_home(
    address: str, browser: Browser, tmp_path: Path, width: int
) -> None:
    browser.size(width, 900)
    browser.open(address)
    browser.forget()
    browser.open(f"{address}/reprolab")  # a link that lost its end
    browser.says("Password")
    browser.run("document.querySelector('input').value = 'wrong'")
    browser.click("Sign in")
    browser.says("That is not the password")
    browser.run(f"document.querySelector('input').value = {PASSWORD!r}")
    browser.click("Sign in")
    browser.says("2 of 2 runs")
    browser.run("document.querySelector('input[name=text]').value = 'nothing like it'")
    browser.click("Search")
    browser.says("0 of 2 runs")
    browser.open(f"{address}/reprolab/")
    browser.click("Compare 1 with 2")
    browser.says("both runs have the same plan")
    assert browser.run("document.querySelectorAll('table')[1].rows.length") > 2
    of_target = "[...document.querySelectorAll('.over figure')].find(e => e.innerText.startsWith('fig2_R'))"
    drawn = browser.run(f"[...{of_target}.querySelectorAll('polyline')].map(e => e.getTotalLength() > 50)")
    assert drawn == [True] * 4, drawn  # both curves, the reference, what is between them
    browser.says("largest difference 0.1 (14 % of the first's largest value)")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    for path in (
        "",
        "runs/ge_on_gold/run-0001/",
        "runs/ge_on_gold/run-0001/paper/figures/",
        "regressions/",
        "regressions/film/",
        "notifications",
    ):
        browser.open(f"{address}/reprolab/{path}")
        assert browser.run("document.documentElement.scrollWidth <= innerWidth"), (path, width)
        seen = (
            "Promise.all([...document.images].map(e => (e.loading = 'eager', e.decode()))).then(() => true)"
        )
        assert browser.run(seen) is True, path
    browser.taken_home(tmp_path)
    browser.open(f"{address}/reprolab/runs/ge_on_gold/run-0001/")
    name = "REPRODUCTION_REPORT_ge_on_gold.html"
    browser.press(f"document.querySelector('a[href$=\"{name}?download=1\"]')")
    wait_until((tmp_path / name).is_file, "the report that was taken home")
    assert (tmp_path / name).read_text() == PROGRAM


@pytest.mark.parametrize("width", [1400, 400])
def test_a_drift_is_seen_in_its_colour_and_its_report_is_opened(
    address: str, browser: Browser, width: int
) -> None:
    browser.size(width, 900)
    _signed_in(address, browser)
    browser.click("Regressions")
    browser.click("film")
    browser.says("Regressions of film")
    colours = browser.run("[...document.querySelectorAll('circle')].map(e => getComputedStyle(e).fill)")
    assert len(colours) == len(set(colours)) == 3  # as it was, a note, beyond its uncertainty
    browser.press("[...document.querySelectorAll('a')].find(e => e.innerText === 'report')")
    browser.says("Regression of film: broken")


def test_whom_to_tell_is_set_and_tried_with_a_mouse(address: str, browser: Browser) -> None:
    _signed_in(address, browser)
    browser.click("Notifications")
    browser.says("Told now: nobody")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nobody = f"http://127.0.0.1:{closed.getsockname()[1]}/hook"
    browser.run(f"document.querySelector('[name=webhook]').value = {nobody!r}")
    browser.click("Keep")
    browser.says("Told now: webhook")
    assert browser.run("document.querySelector('[name=webhook]').value") == ""
    browser.click("Send a try")
    browser.says("webhook: not sent, it was not reached")
    browser.click("Tell nobody")
    browser.says("Told now: nobody")


def _signed_in(address: str, browser: Browser) -> None:
    browser.open(address)
    browser.run(f"localStorage.setItem('prefect-password', btoa('reprolab:{PASSWORD}'))")
    browser.open(f"{address}/reprolab/")
    browser.says("2 of 2 runs")


def test_no_results_page_and_no_report_asks_another_computer(
    address: str, browser: Browser, tmp_path: Path
) -> None:
    here, run = address.removeprefix("http://"), "runs/ge_on_gold/run-0001/"
    elsewhere = "fetch('http://elsewhere.test:4299/x').catch(() => 0)"
    browser.rest()
    browser.asked()  # what the page before it still sent
    browser.run(elsewhere)
    assert browser.asked() == {"elsewhere.test:4299"}, "what goes out of a page without a policy is seen"
    _signed_in(address, browser)
    browser.open(address)
    browser.run(elsewhere)
    assert browser.asked() == {here}, "the policy of ours lets nothing out"
    for path in ("", run, f"{run}paper/figures/", "regressions/", "regressions/film/", "notifications"):
        browser.open(f"{address}/reprolab/{path}")
        assert browser.asked() == {here}, path
    paper, state = make_paper(tmp_path), make_state(tmp_path)
    _, report = write_report(
        state, paper, run_dir=tmp_path, paper_dir=tmp_path, settings=settings(), facts=make_facts()
    )
    browser.open(report.as_uri())
    browser.run("document.querySelectorAll('details').forEach(e => e.open = true)")
    assert browser.run("[...document.images].every(e => e.src.startsWith('data:'))") is True
    assert browser.asked() == set(), "a report is whole in its file"


@pytest.mark.attack("server", "results: a program in a report has neither this origin nor the password")
def test_a_report_cannot_do_what_the_page_may(address: str, browser: Browser) -> None:
    browser.open(address)
    browser.run(f"localStorage.setItem('prefect-password', btoa('reprolab:{PASSWORD}'))")
    browser.open(f"{address}/reprolab/runs/ge_on_gold/run-0001/REPRODUCTION_REPORT_ge_on_gold.html")
    browser.says("quiet")
    assert "STOLEN" not in browser.run("document.body.innerText") and browser.run("self.origin") == "null"
    assert "SecurityError" in browser.run(
        "(() => { try { return localStorage.length } catch (e) { return e.name } })()"
    )
    asked = f"fetch('{address}/reprolab/').then(r => r.text(), e => 'refused')"
    assert browser.run(asked) == "refused"
    browser.run("document.querySelector('input').click()")  # forms of it go nowhere
    assert "quiet" in browser.run("document.body.innerText")
    browser.click("its data")
    wait_until(lambda: "run-0001" in str(browser.run("document.body.innerText")), "the linked file")


def test_the_main_curve_is_on_the_first_screen_before_what_was_found_about_the_paper(
    tmp_path: Path, browser: Browser
) -> None:
    """However much was found: here more than a screen of it."""
    paper, state = make_paper(tmp_path), make_state(tmp_path)
    told = tuple(
        f"the index is 1.{number} in the text and 1.{number + 1} in the caption" for number in range(40)
    )
    _, report = write_report(
        state.model_copy(update={"contradictions": told}),
        paper,
        run_dir=tmp_path,
        paper_dir=tmp_path,
        settings=settings(),
        facts=make_facts(),
    )
    browser.size(1400, 900)
    browser.open(report.as_uri())
    box = "(e => {const r = e.getBoundingClientRect(); return [r.top, r.bottom, r.width].map(Math.round)})"
    top, bottom, width = browser.run(f"{box}(document.querySelector('.large .tile img'))")
    found = browser.run(f"{box}(document.getElementById('{ANCHOR}'))")
    assert 0 < top and bottom <= 900 and width > 1000, (top, bottom, width)
    assert bottom < found[0] and found[1] - found[0] > 900, found
    small = browser.run("document.querySelectorAll('.tiles:not(.large) img').length")
    assert small == browser.run("document.querySelectorAll('.tile img').length") - 1


def test_a_report_on_a_phone_begins_with_verdict_claim_and_targets(tmp_path: Path, browser: Browser) -> None:
    """The targets are cards; every other table scrolls in its own box, never the page."""
    paper, state = make_paper(tmp_path), make_state(tmp_path)
    facts = make_facts()
    _, report = write_report(
        state, paper, run_dir=tmp_path, paper_dir=tmp_path, settings=settings(), facts=facts
    )
    browser.size(390, 844)
    browser.open(report.as_uri())
    where = "(e => Math.round(e.getBoundingClientRect().top))"
    verdict, claim, target, plot = (
        browser.run(f"{where}({found})")
        for found in (
            "document.querySelector('.overall .badge')",
            "[...document.querySelectorAll('p')].find(e => e.innerText.startsWith('Main claim'))",
            "document.querySelector('.cards tbody tr')",
            "document.querySelector('.tiles')",
        )
    )
    assert 0 < verdict < claim < target < 844 - 60 and target < plot, (verdict, claim, target, plot)
    browser.run("document.querySelectorAll('details').forEach(e => e.open = true)")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    hidden = (
        "[...document.querySelectorAll('thead')].filter(e => getComputedStyle(e).display === 'none').length"
    )
    assert browser.run(hidden) == 1 == browser.run("document.querySelectorAll('.cards').length")
    scrolling = "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth)"
    assert browser.run(f"{scrolling}.length") > 5
    assert browser.run(f"{scrolling}.filter(e => e.closest('.cards')).length") == 0
