"""A real browser for tests: headless Chromium, driven through its debugging port."""

from __future__ import annotations

import base64
import itertools
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.sync.client import connect

from tests.flow.kit import wait_until

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Refused(AssertionError):
    """What the browser answers instead of a result."""


class Browser:
    """`with Browser(folder) as browser:` one page; names under .test are this computer."""

    def __init__(self, folder: Path):
        self.folder = folder / "browser"
        self.folder.mkdir()
        self._numbers = itertools.count(1)
        self._asked: dict[str, set[str]] = {}

    def __enter__(self) -> Self:
        assert CHROMIUM is not None
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [
                    CHROMIUM,
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--remote-debugging-port=0",
                    "--no-first-run",
                    "--disable-dev-shm-usage",
                    "--no-proxy-server",
                    "--host-resolver-rules=MAP *.test 127.0.0.1",
                    f"--user-data-dir={self.folder / 'profile'}",
                    "about:blank",
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**os.environ, "HOME": str(self.folder)},
            )
        told = self.folder / "profile" / "DevToolsActivePort"
        port, path = wait_until(
            lambda: told.is_file() and told.read_text().split(), "the browser's start", 60
        )
        self._browser = connect(f"ws://127.0.0.1:{port}{path}", max_size=None, open_timeout=30)
        page = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self._call("Network.enable", sessionId=self._session)
        return self

    def __exit__(self, *_: object) -> None:
        self._browser.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(30)
        shutil.rmtree(self.folder / "profile", ignore_errors=True)

    def open(self, address: str) -> None:
        """Go to an address and wait until it is loaded."""
        self._call("Page.navigate", url="about:blank", sessionId=self._session)
        self._call("Page.navigate", url=address, sessionId=self._session)
        wait_until(self._loaded, address)

    def _loaded(self) -> bool:
        try:
            return bool(self.run("document.readyState === 'complete' && location.href !== 'about:blank'"))
        except Refused as refused:
            if "navigated" not in str(refused):
                raise
            return False  # the page that was asked has gone

    def rest(self) -> None:
        """Show nothing: Prefect's page of a run draws sixty times a second, without a graphics card on the processor."""
        self._call("Page.navigate", url="about:blank", sessionId=self._session)

    def run(self, script: str) -> Any:
        """The value of an expression in the page; a promise is waited for, a failure becomes its text."""
        found = self._call(
            "Runtime.evaluate",
            expression=script,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
            sessionId=self._session,
        )
        failed = found.get("exceptionDetails")
        return (
            f"failed: {failed['exception'].get('description', failed)}"
            if failed
            else found["result"].get("value")
        )

    def _hear(self, event: str, told: dict[str, Any]) -> None:
        """Keep what the page asks the network for; what a policy of the page stopped was never sent."""
        if event in ("Network.requestWillBeSent", "Network.webSocketCreated"):
            self._asked.setdefault(told["requestId"], set()).add(told.get("url") or told["request"]["url"])
        elif event == "Network.loadingFailed" and told.get("blockedReason"):
            self._asked.pop(told["requestId"], None)

    def asked(self) -> set[str]:
        """Hosts and ports to which a page has sent anything since this was last asked."""
        self.run("new Promise(done => setTimeout(done, 500))")  # what the page begins late
        sent = [urlsplit(address) for found in self._asked.values() for address in found]
        self._asked.clear()
        return {one.netloc for one in sent if one.scheme in ("http", "https", "ws", "wss")}

    def size(self, width: int, height: int) -> None:
        """The window's size in pixels."""
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
            sessionId=self._session,
        )

    def fits(self) -> None:
        """Nothing of the page is beside the window: AssertionError where it scrolls sideways."""
        wide, window = self.run("[document.documentElement.scrollWidth, innerWidth]")
        assert wide <= window, (
            f"{self.run('location.pathname')} is {wide} pixels wide in a window of {window}"
        )

    def forget(self) -> None:
        """Nobody is signed in any more, and nothing of the page is kept."""
        self._call("Network.clearBrowserCookies", sessionId=self._session)
        self.run("localStorage.clear(); sessionStorage.clear()")

    def taken_home(self, folder: Path) -> None:
        """Downloads go to this folder."""
        self._call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def picture(self, path: Path) -> None:
        """What the window shows, as PNG."""
        found = self._call("Page.captureScreenshot", format="png", sessionId=self._session)
        path.write_bytes(base64.b64decode(found["data"]))

    def says(self, words: str, seconds: float = 60) -> None:
        """Wait until the page shows these words."""
        wait_until(
            lambda: words in str(self.run("document.body.innerText")),
            f"the words {words!r} on the page",
            seconds,
            0.25,
        )

    def click(self, words: str, among: str = "button, a, [role=option], [role=menuitem]") -> None:
        """Press, as with a mouse, the last thing that shows just these words."""
        find = (
            f"[...document.querySelectorAll({json.dumps(among)})].filter(e => e.offsetParent && "
            f"e.innerText.trim() === {json.dumps(words)}).pop()"
        )
        self.press(find, repr(words))

    def press(self, element: str, words: str = "") -> None:
        """Press the element that an expression names, once it is there."""
        wait_until(lambda: self.run(f"!!{element}") is True, f"{words or element} to press", 60, 0.25)
        where = (
            f"(e => {{e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect(); "
            "const [x, y] = [r.x + r.width / 2, r.y + r.height / 2]; const there = document.elementFromPoint(x, y); "
            "return [x, y, !!there && (e.contains(there) || there.contains(e)), String(there && there.outerHTML)]})"
            f"({element})"
        )
        # A menu or dialog slides in, a picture above it is loaded: it is pressed once it stands still.
        end, before = time.monotonic() + 30, None
        while (found := self.run(where))[:2] != before or not found[2]:
            assert time.monotonic() < end, (
                f"{words or element} moves, is not in the window or covered: {found}"
            )
            before = found[:2]
            time.sleep(0.25)
        x, y = found[:2]
        for kind in ("mousePressed", "mouseReleased"):
            self._call(
                "Input.dispatchMouseEvent",
                type=kind,
                x=x,
                y=y,
                button="left",
                clickCount=1,
                sessionId=self._session,
            )

    def fill(self, title: str, words: str) -> None:
        """Write into the field of a Prefect form with that title, in place of what it holds, or choose from its list."""
        field = self._field(title)
        wait_until(lambda: self.run(f"!!{field}"), f"the field {title!r}", 60, 0.25)
        self.run(
            "(e => {Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value')"
            f".set.call(e, {json.dumps(words)}); for (const kind of ['input', 'change', 'blur']) "
            f"e.dispatchEvent(new Event(kind, {{bubbles: true}}))}})({field})"
        )

    def holds(self, title: str, words: str) -> None:
        """The field still holds what was written: a page that is drawn again meanwhile drops it. AssertionError if not."""
        for _ in range(4):
            found = self.run(f"({self._field(title)} || {{}}).value")
            assert found == words, f"{title} holds {found!r} instead of {words!r}"
            self.run("new Promise(done => setTimeout(done, 250))")

    @staticmethod
    def _field(title: str) -> str:
        return (
            "[...document.querySelectorAll('.schema-form-property__label')].filter(e => e.offsetParent && "
            f"e.innerText.replace(' (Optional)', '').trim() === {json.dumps(title)}).map(e => e.closest("
            "'.schema-form-property').querySelector('.p-label__body').querySelector('textarea, input, select'))[0]"
        )

    def _call(self, method: str, sessionId: str = "", **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._browser.send(
            json.dumps(
                {"id": number, "method": method, "params": parameters}
                | ({"sessionId": sessionId} if sessionId else {})
            )
        )
        while True:
            found = json.loads(self._browser.recv(timeout=60))
            self._hear(found.get("method", ""), found.get("params", {}))
            if found.get("id") == number:
                if "error" in found:
                    raise Refused(str(found))
                return dict(found["result"])
