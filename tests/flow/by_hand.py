"""What a person does on Prefect's pages with a mouse: start a run, answer it, press Retry; or the same by requests.

Prefect has two sets of pages: our links and the sign-in open the new ones, "Switch to V1 UI" and paths of before the old ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.flow.browser import CHROMIUM, Browser
from tests.flow.deployed import PASSWORD, Deployed
from tests.flow.kit import wait_until


class ByRequests:
    """As the page would ask the server, where there is no browser."""

    def __init__(self, deployed: Deployed) -> None:
        self.deployed = deployed

    def start(self, paper: Path) -> str:
        """A run of that paper by the model server `tiny`, whose questions keep the worker for a second; its flow run."""
        return self.deployed.start(
            "reproduce/reproduce",
            {
                "paper": str(paper),
                "model": "anthropic",
                "endpoint": "tiny",
                "outputs": "block:shared",
                "settings": {"limits": {"hold_worker_minutes": 0.02}},
            },
        )

    def answer(self, run: str, choice: str) -> None:
        """Answer the question on the page of that flow run."""
        reply = self.deployed.resume(run, {"choice": choice, "text": ""})
        assert reply["status"] == "ACCEPT", reply

    def retry(self, run: str) -> None:
        """The button Retry."""
        wanted = {
            "state": {"type": "SCHEDULED", "name": "AwaitingRetry", "message": "Retry from the page"},
            "force": True,
        }
        assert self.deployed.post(f"/flow_runs/{run}/set_state", wanted).status_code in (200, 201)

    def sees(self, run: str, *words: str) -> None:
        """The words are on the page of that flow run."""
        shown = str(self.deployed.api.get(f"/flow_runs/{run}").json())
        assert all(word in shown for word in words), shown


class ByMouse(ByRequests):
    """In a browser, as a person. size: of the window."""

    size = (1400, 1000)

    def __init__(self, deployed: Deployed, browser: Browser) -> None:
        super().__init__(deployed)
        self.browser, self.place = browser, str(deployed.api.base_url).removesuffix("/api/")
        browser.size(*self.size)
        browser.open(f"{self.place}/")
        browser.run(f"localStorage.setItem('prefect-password', btoa('{PASSWORD}'))")

    def start(self, paper: Path) -> str:
        self._until(
            lambda: self._fill_and_submit(paper), lambda: bool(self._newest(paper)), "Submit of a new run"
        )
        return self._newest(paper)

    def _fill_and_submit(self, paper: Path) -> None:
        made = self.deployed.api.get("/deployments/name/reproduce/reproduce").json()["id"]
        self.browser.open(f"{self.place}/deployments/deployment/{made}/run")
        self.browser.says("Everything else")
        self.browser.fits()
        self.browser.click("Another one")
        for title, words in (
            ("Paper", str(paper)),
            ("Who answers for the agents", "anthropic"),
            ("Model server", "tiny"),
            ("Folder for results", "block:shared"),
        ):
            self.browser.fill(title, words)
        self.browser.click("Set by hand")
        self.browser.fill("Hold worker, minutes", "0.02")
        self.browser.holds("Hold worker, minutes", "0.02")
        self.browser.click("Submit")

    def answer(self, run: str, choice: str) -> None:
        def submit() -> None:
            self._open(run)
            self.browser.click("Resume")
            self.browser.says("Are the materials right?")
            self.browser.fill("Your answer", choice)
            self.browser.click("Submit")

        self._until(submit, lambda: self.deployed.state(run)["type"] != "PAUSED", "Submit of an answer")

    def retry(self, run: str) -> None:
        def press() -> None:
            self._open(run)
            self.browser.click("Retry")
            self.browser.says("This will retry flow run")
            self.browser.click("Retry")

        self._until(press, lambda: self.deployed.state(run)["type"] not in ("CRASHED", "FAILED"), "Retry")

    def sees(self, run: str, *words: str) -> None:
        self._open(run)
        for word in words:
            self.browser.says(word)
        self.browser.fits()
        self.browser.rest()

    def _until(self, act: Callable[[], None], done: Callable[[], bool], what: str) -> None:
        """Do it, and again from a fresh page while it does not help: a browser does not ask twice where SQLite is locked."""
        for _ in range(4):
            with suppress(AssertionError):
                act()
                wait_until(done, what, 30, 0.25)
                self.browser.rest()
                return
            if done():
                self.browser.rest()
                return
        raise AssertionError(
            f"{what} does nothing; the page says {str(self.browser.run('document.body.innerText'))[-2000:]}"
        )

    def _open(self, run: str) -> None:
        self.browser.open(f"{self.place}/runs/flow-run/{run}")

    def _newest(self, paper: Path) -> str:
        runs = self.deployed.api.post(
            "/flow_runs/filter", json={"sort": "EXPECTED_START_TIME_DESC", "limit": 5}
        ).json()
        return next((str(run["id"]) for run in runs if run["parameters"].get("paper") == str(paper)), "")


class ByMenu(ByMouse):
    """On the new pages, where what can be done with a run stands in its menu."""

    def _fill_and_submit(self, paper: Path) -> None:
        made = self.deployed.api.get("/deployments/name/reproduce/reproduce").json()["id"]
        self.browser.open(f"{self.place}/v2/deployments/deployment/{made}/run")
        self.browser.says("Everything else")
        self.browser.fits()
        self.browser.click("Another one")
        self.browser.click("Set by hand")
        self._write("Paper", str(paper))
        self.browser.press("document.querySelector('[aria-label=\"Select Who answers for the agents\"]')")
        self.browser.click("anthropic")
        self._write("Model server", "tiny")
        self._write("Folder for results", "block:shared")
        self._write("Hold worker, minutes", "0.02")
        self.browser.fits()
        self.browser.click("Submit")

    def _write(self, title: str, words: str) -> None:
        """Write into the field below that label, and see that it is kept."""
        field = (
            "[...document.querySelectorAll('label')].filter(e => e.offsetParent && "
            f"e.innerText.replace(' (Optional)', '').trim() === {json.dumps(title)}).map(e => "
            "document.getElementById(e.htmlFor) || e.closest('.group').querySelector('textarea, input'))[0]"
        )
        wait_until(lambda: self.browser.run(f"!!{field}"), f"the field {title!r}", 60, 0.25)
        self.browser.run(
            "(e => {Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value')"
            f".set.call(e, {json.dumps(words)}); for (const kind of ['input', 'change']) "
            f"e.dispatchEvent(new Event(kind, {{bubbles: true}}))}})({field})"
        )
        wait_until(
            lambda: self.browser.run(f"{field}.value") == words, f"{words!r} in the field {title!r}", 10, 0.25
        )

    def answer(self, run: str, choice: str) -> None:
        def submit() -> None:
            self._choose(run, "Resume")
            self.browser.says("Are the materials right?")
            self.browser.fits()
            self.browser.press("document.querySelector('[role=dialog] [aria-label=\"Select Your answer\"]')")
            self.browser.click(choice)
            self.browser.click("Resume")

        self._until(submit, lambda: self.deployed.state(run)["type"] != "PAUSED", "Resume in the menu")

    def retry(self, run: str) -> None:
        def press() -> None:
            self._choose(run, "Retry")
            self.browser.says("Will become:")
            self.browser.fits()
            self.browser.click("Retry")

        self._until(
            press, lambda: self.deployed.state(run)["type"] not in ("CRASHED", "FAILED"), "Retry in the menu"
        )

    def _choose(self, run: str, what: str) -> None:
        self._open(run)
        menu = "[...document.querySelectorAll('button[aria-haspopup=menu]')].filter(e => e.offsetParent)[0]"
        wait_until(lambda: self.browser.run(f"!!{menu}"), "the menu of the run", 60, 0.25)
        self.browser.press(menu)
        self.browser.click(what)

    def _open(self, run: str) -> None:
        self.browser.open(f"{self.place}/v2/runs/flow-run/{run}")


class OnAPhone(ByMenu):
    """On the new pages, in a window as narrow as a phone's: all of it is in the window, and nothing lies over what is pressed.

    The page of a run folds tags there; the run's id is in its name."""

    size = (400, 860)

    def sees(self, run: str, *words: str) -> None:
        super().sees(run, *(word.removeprefix("run:") for word in words))


@contextmanager
def person(deployed: Deployed, folder: Path, way: type[ByRequests]) -> Iterator[ByRequests]:
    """Somebody who does it that way; without Chromium on this computer by requests."""
    if not issubclass(way, ByMouse) or CHROMIUM is None:
        yield ByRequests(deployed)
        return
    with Browser(folder) as browser:
        yield way(deployed, browser)
