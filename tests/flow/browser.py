"""A real browser for tests: headless Chromium, driven through its debugging port."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any, Self

from websockets.sync.client import connect

from tests.flow.kit import wait_until

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """`with Browser(folder) as browser:` one page; names under .test are this computer."""

    def __init__(self, folder: Path):
        self.folder = folder / "browser"
        self.folder.mkdir()
        self._numbers = itertools.count(1)

    def __enter__(self) -> Self:
        assert CHROMIUM is not None
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run",
                 "--disable-dev-shm-usage", "--no-proxy-server", "--host-resolver-rules=MAP *.test 127.0.0.1",
                 f"--user-data-dir={self.folder / 'profile'}", "about:blank"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                env={**os.environ, "HOME": str(self.folder)})
        told = self.folder / "profile" / "DevToolsActivePort"
        port, path = wait_until(lambda: told.is_file() and told.read_text().split(), "the browser's start", 60)
        self._browser = connect(f"ws://127.0.0.1:{port}{path}", max_size=None, open_timeout=30)
        page = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
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
        wait_until(lambda: self.run("document.readyState === 'complete' && location.href !== 'about:blank'"), address, 60)

    def run(self, script: str) -> Any:
        """The value of an expression in the page; a promise is waited for, a failure becomes its text."""
        found = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True,
                           sessionId=self._session)
        failed = found.get("exceptionDetails")
        return f"failed: {failed['exception'].get('description', failed)}" if failed else found["result"].get("value")

    def _call(self, method: str, sessionId: str = "", **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._browser.send(json.dumps({"id": number, "method": method, "params": parameters}
                                      | ({"sessionId": sessionId} if sessionId else {})))
        while True:
            found = json.loads(self._browser.recv(timeout=60))
            if found.get("id") == number:
                assert "error" not in found, found
                return dict(found["result"])
