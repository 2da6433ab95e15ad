"""The pictures of the pages in docs/images, taken from a `reprolab up` as it is: `python -m tests.flow.pictures OUTPUTS [NAME ...]`.

It wants there: a reproduction that was finished, one that waits, one that ended otherwise, an exploration, a regression. What is
missing is named and its picture stays as it was.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from flows.results.kept_regressions import KeptRegressions
from flows.results.kept_runs import ENDED, KeptRuns
from flows.up.place import Place, password_of, who_is_up
from tests.flow.browser import Browser
from tests.flow.kit import wait_until

IMAGES = Path(__file__).resolve().parents[2] / "docs/images"
WIDE, NARROW = (1400, 1000), (800, 1000)


class Photographer:
    """A browser that is signed in at an `up`, and what is there to be seen."""

    def __init__(self, browser: Browser, outputs: Path) -> None:
        self.browser, self.outputs = browser, outputs
        place = Place(outputs)
        found = who_is_up(place) or {}
        self.site, password = str(found["address"]), password_of(place)
        self.api = httpx.Client(base_url=str(found["api"]), auth=("reprolab", password), timeout=60)
        browser.size(*WIDE)
        browser.open(f"{self.site}/reprolab#{password}")
        browser.says("Dashboard")

    def run(self, flow: str, *states: str) -> str:
        """The newest run of a flow in one of these states, one of a worker before one of a terminal. Raises LookupError."""
        asked = {
            "flow_runs": {"state": {"name": {"any_": [*states]}}},
            "sort": "EXPECTED_START_TIME_DESC",
            "limit": 1,
        }
        for of in ("deployments", "flows"):
            found = self.api.post("/flow_runs/filter", json={**asked, of: {"name": {"any_": [flow]}}}).json()
            if found:
                return str(found[0]["id"])
        raise LookupError(f"no run of {flow} that is {' or '.join(states)}")

    def artifact(self, run: str, end: str) -> str:
        """The artifact of a run, or of one of its stages, whose key ends so. Raises LookupError."""
        name = self.api.get(f"/flow_runs/{run}").json()["name"].rpartition(" ")[2]
        asked: dict[str, Any] = {"artifacts": {"flow_run_id": {"any_": [run]}}, "limit": 200}
        found = self.api.post("/artifacts/filter", json=asked).json()
        found += self.api.post(
            "/artifacts/filter", json={"artifacts": {"key": {"like_": f"{name}%{end}"}}, "limit": 200}
        ).json()
        for each in found:
            if (each["key"] or "").endswith(end):
                return str(each["id"])
        raise LookupError(f"no artifact ...{end} of {name}")

    def page(self, path: str, words: str, size: tuple[int, int] = WIDE) -> None:
        """Open a page, wait until it holds these words, and let it come to rest."""
        self.browser.size(*size)
        self.browser.open(f"{self.site}{path}")
        self.browser.says(words)
        time.sleep(4)  # Prefect's pages draw their parts one after another, and say of none when it is done

    def menu(self, what: str = "") -> None:
        """The menu of the run that is shown; what: the entry that is chosen."""
        menu = "[...document.querySelectorAll('button[aria-haspopup=menu]')].filter(e => e.offsetParent)[0]"
        wait_until(lambda: self.browser.run(f"!!{menu}"), "the menu of the run", 60, 0.25)
        self.browser.press(menu)
        if what:
            self.browser.click(what)
        time.sleep(2)


def _form(deployment: str) -> Callable[[Photographer], None]:
    def shown(by: Photographer) -> None:
        made = by.api.get(f"/deployments/name/{deployment}/{deployment}").json()["id"]
        by.page(f"/v2/deployments/deployment/{made}/run", "Everything else", (1400, 1400))

    return shown


def _run(flow: str, *states: str) -> Callable[[Photographer], None]:
    return lambda by: by.page(f"/v2/runs/flow-run/{by.run(flow, *states)}", "Logs")


def _artifact(
    flow: str, end: str, words: str, *states: str, size: tuple[int, int] = WIDE
) -> Callable[[Photographer], None]:
    def shown(by: Photographer) -> None:
        by.page(f"/v2/artifacts/artifact/{by.artifact(by.run(flow, *states), end)}", words, size)

    return shown


def _waiting(what: str) -> Callable[[Photographer], None]:
    def shown(by: Photographer) -> None:
        _run("reproduce", "Paused", "Suspended")(by)
        by.menu(what)

    return shown


def _two_runs(by: Photographer) -> None:
    ended = [run for run in KeptRuns(by.outputs).newest_first() if run.standing == ENDED and run.report]
    one = next((a for n, a in enumerate(ended) if any(b.subject == a.subject for b in ended[n + 1 :])), None)
    if one is None:
        raise LookupError("no two finished runs of one paper")
    other = next(run for run in ended if run.subject == one.subject and run is not one)
    by.page(
        f"/reprolab/compare?one={other.subject}/{other.run_id}&other={one.subject}/{one.run_id}", "Targets"
    )
    by.browser.run("document.querySelector('.over').scrollIntoView({block: 'end'})")


def _one_run(by: Photographer) -> None:
    ended = next((r for r in KeptRuns(by.outputs).newest_first() if r.standing == ENDED and r.report), None)
    if ended is None:
        raise LookupError("no finished run")
    by.page(f"/reprolab/runs/{ended.subject}/{ended.run_id}/", "Open the report")


def _report(by: Photographer) -> None:
    ended = [run for run in KeptRuns(by.outputs).newest_first() if run.standing == ENDED and run.report]
    if not ended:
        raise LookupError("no finished run")
    run = ended[0]
    by.page(f"/reprolab/runs/{run.subject}/{run.run_id}/{run.report}", "Executive Summary", (1250, 1700))


def _trend(by: Photographer) -> None:
    found = KeptRegressions(by.outputs).by_paper()
    if not found:
        raise LookupError("no regression")
    by.page(f"/reprolab/regressions/{max(found, key=lambda paper: len(found[paper]))}/", "oldest left")


GOOD = ("Completed",)
OTHERWISE = ("Partial", "NotReproduced", "Stopped", "OtherCourse")
REGRESSED = ("Broken", "Drifted")
PICTURES: dict[str, Callable[[Photographer], None]] = {
    "prefect-form": _form("reproduce"),
    "prefect-explore-form": _form("explore"),
    "prefect-run": _run("reproduce", *GOOD),
    "prefect-ended": _run("reproduce", *OTHERWISE),
    "prefect-menu": _waiting(""),
    "prefect-question": _waiting("Resume"),
    "prefect-overview": _artifact("reproduce", "-overview", "Stages", *GOOD),
    "prefect-comparison": _artifact("reproduce", "-comparison-thicknesses", "SUCCESS", *GOOD, size=NARROW),
    "prefect-exploration": _artifact("explore", "-overview", "Experiments", "Running", "Cancelled", *GOOD),
    "prefect-regression": _artifact("regress", "regression-coupler", "Regression of", *REGRESSED),
    "prefect-regression-narrow": _artifact(
        "regress", "regression-coupler", "Regression of", *REGRESSED, size=NARROW
    ),
    "results-runs": lambda by: by.page("/reprolab/", "newest first"),
    "results-run": _one_run,
    "results-compare": _two_runs,
    "results-trend": _trend,
    "report": _report,
    "results-notifications": lambda by: by.page("/reprolab/notifications", "Whom to tell", (1200, 600)),
}


def main(outputs: Path, names: list[str]) -> None:
    """Take those that are named, or all."""
    with tempfile.TemporaryDirectory() as folder, Browser(Path(folder)) as browser:
        by = Photographer(browser, outputs.resolve())
        for name in names or PICTURES:
            try:
                PICTURES[name](by)
                browser.picture(IMAGES / f"{name}.png")
                print(name)
            except (LookupError, AssertionError) as error:
                print(f"{name}: left as it was, {error}", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
