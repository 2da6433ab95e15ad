"""One running server and the conversation with it: it lives in an event loop, and is called from other threads."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import CancelledError, Future
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from mcp import ClientSession, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import McpError

from schemas.errors import ReproLabError
from schemas.talking.tools import Skill
from schemas.text.visible import one_visible_line
from tasks.tools.launching import launch
from tasks.tools.tool_limits import ToolLimits
from tasks.tools.transport import Incoming, Outgoing, ServerProcess, stdio

META = "reprolab"
Asked = Callable[[str, dict[str, Any], list[str]], dict[str, Any]]
_CLOSING_S, _CONNECT_S, _PAGES = 5.0, 20.0, 8


class NotAsked(Exception):
    """An agent was not asked, and the tool is told why."""


class ServerFailed(Exception):
    """A server could not be used; the text says why, in words for whoever called it."""


class Session:
    """A server from its start to its end. tools: what it lists. used: whether a tool was called. Its methods block, and may not
    be called in the loop."""

    def __init__(
        self, skill: Skill, work_dir: Path | None, loop: asyncio.AbstractEventLoop, limits: ToolLimits
    ):
        self.skill, self.work_dir, self.limits, self._loop = skill, work_dir, limits, loop
        self.tools: tuple[types.Tool, ...] = ()
        self.alive = self.used = False
        self._server: ServerProcess | None = None
        self._client: ClientSession | None = None
        self._box: queue.SimpleQueue[tuple[str, Any]] | None = None
        self._stop = asyncio.Event()
        self._ready: Future[tuple[types.Tool, ...]] = Future()
        self._fault, self._may_ask = "", False
        self._life = asyncio.run_coroutine_threadsafe(self._live(), loop)
        try:
            self.tools = self._ready.result(limits.start_s)
        except TimeoutError:
            self.close(f"it did not list its tools within {limits.start_s:.0f} s")
            raise ServerFailed(self._told("could not be started")) from None

    def call(
        self, name: str, arguments: dict[str, Any], meta: dict[str, Any], on_ask: Asked | None
    ) -> types.CallToolResult:
        """The server's answer. on_ask runs in the calling thread, and its time does not count. Raises ServerFailed."""
        box: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._box, self.used = box, True
        if self._server is not None:
            self._server.counted_anew()
        pending = asyncio.run_coroutine_threadsafe(
            self._request(name, arguments, meta, on_ask is not None), self._loop
        )
        pending.add_done_callback(lambda done: box.put(("done", done)))
        left = self.skill.timeout_s
        try:
            while True:
                begun = time.monotonic()
                try:
                    kind, item = box.get(timeout=max(0.0, left))
                except queue.Empty:
                    self.close(f"it gave no answer within {self.skill.timeout_s:g} s and was ended")
                    raise ServerFailed(self._told("did not answer")) from None
                left -= time.monotonic() - begun
                if kind == "ask":
                    self._answer(item, on_ask)
                elif kind == "done" and not item.cancelled():
                    return self._result(item)
                else:
                    raise ServerFailed(self._told("ended during the call"))
        finally:
            self._box = None
            pending.cancel()

    def close(self, fault: str = "") -> None:
        """End the server and all it started. fault: why, if it is to blame."""
        self.alive = False
        if fault and self._server is not None:
            self._server.kill(fault)
        elif fault:
            self._fault = fault
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stop.set)
        try:
            self._life.result(_CLOSING_S)
        except TimeoutError:
            self._life.cancel()
            if self._server is not None:
                self._server.kill()
        except (CancelledError, Exception):  # how it ended was told where it mattered
            return

    def _answer(self, item: tuple[dict[str, Any], asyncio.Future[Any]], on_ask: Asked | None) -> None:
        request, waiting = item
        assert on_ask is not None
        found: dict[str, Any] | NotAsked
        try:
            found = on_ask(
                str(request.get("agent", "")),
                dict(request.get("context", {})),
                list(request.get("images", ())),
            )
        except NotAsked as refused:
            found = refused
        except BaseException:
            self.close()  # the tool is in the middle of its work, and its answer is no longer wanted
            raise

        def tell() -> None:
            if not waiting.done():
                waiting.set_result(found)

        self._loop.call_soon_threadsafe(tell)

    def _result(self, done: Future[types.CallToolResult]) -> types.CallToolResult:
        try:
            return done.result()
        except McpError as error:
            server = self._server
            if (
                error.error.code == types.CONNECTION_CLOSED
                or not self.alive
                or (server is not None and server.fault)
            ):
                self.close()
                raise ServerFailed(self._told("ended during the call")) from None
            raise ServerFailed(
                f"the server of {self.skill.name} refused the call: {one_visible_line(str(error))}"
            ) from None
        except Exception as error:
            self.close()
            words = one_visible_line(str(error), 200)
            raise ServerFailed(self._told(f"gave no answer that fits the protocol ({words})")) from None

    def _told(self, what: str) -> str:
        server = self._server
        reasons = [one for one in (self._fault, server.fault if server else "") if one]
        if server is not None:
            with suppress(TimeoutError, CancelledError, Exception):  # its end may be on the way
                self._life.result(1.0)
            code = server.process.returncode
            if not reasons and code is not None:
                reasons.append(f"exit status {code}" if code >= 0 else f"signal {-code}")
            if words := server.last_words():
                reasons.append(f"its last words: {words[-1500:]}")
        return f"the server of {self.skill.name} {what}" + (f": {'; '.join(reasons)}" if reasons else "")

    async def _live(self) -> None:
        try:
            async with (
                self._streams() as (incoming, outgoing),
                ClientSession(incoming, outgoing, sampling_callback=self._sampled) as client,
            ):
                await client.initialize()
                self._client = client
                tools = await self._listed(client)
                self.alive = True
                self._ready.set_result(tools)
                ended = asyncio.create_task(self._server.process.wait()) if self._server else None
                stop = asyncio.create_task(self._stop.wait())
                await asyncio.wait(
                    [task for task in (stop, ended) if task], return_when=asyncio.FIRST_COMPLETED
                )
                for task in (stop, ended):
                    if task:
                        task.cancel()
        except BaseException as error:
            if not self._ready.done():
                self._ready.set_exception(ServerFailed(self._failure(error)))
            if not isinstance(error, Exception):
                raise
        finally:
            self.alive = False
            if not self._ready.done():
                self._ready.set_exception(ServerFailed(self._failure(None)))
            if self._box is not None:
                self._box.put(("lost", None))

    def _failure(self, error: BaseException | None) -> str:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if isinstance(error, ServerFailed):
            return str(error)
        if isinstance(error, ReproLabError):
            return error.text()
        server = self._server
        words = server.last_words()[-1500:] if server else ""
        fault = (server.fault if server else "") or (one_visible_line(str(error), 300) if error else "")
        return "; ".join(
            part for part in (f"the server of {self.skill.name} could not be started", fault, words) if part
        )

    @asynccontextmanager
    async def _streams(self) -> AsyncIterator[tuple[Incoming, Outgoing]]:
        if self.skill.url:
            patience = httpx.Timeout(self.skill.timeout_s, connect=_CONNECT_S)
            async with (
                httpx.AsyncClient(timeout=patience, headers=self._token()) as client,
                streamable_http_client(self.skill.url, http_client=client) as (incoming, outgoing, _),
            ):
                yield incoming, outgoing
            return
        with launch(self.skill, self.work_dir) as order:
            async with stdio(order, self.limits) as (incoming, outgoing, server):
                self._server = server
                yield incoming, outgoing

    def _token(self) -> dict[str, str]:
        """The header that a server at an address wants. Raises ServerFailed where its variable is not set."""
        name = self.skill.token
        if not name:
            return {}
        if not (value := os.environ.get(name, "").strip()).isascii() or not value.isprintable() or not value:
            raise ServerFailed(
                f"the skill {self.skill.name} needs the variable {name} with the token of {self.skill.url}"
            )
        return {"Authorization": f"Bearer {value}"}

    async def _listed(self, client: ClientSession) -> tuple[types.Tool, ...]:
        found: list[types.Tool] = []
        cursor = None
        for _ in range(_PAGES):
            page = await client.list_tools(params=types.PaginatedRequestParams(cursor=cursor))
            found += page.tools
            cursor = page.nextCursor
            if cursor is None or len(found) > self.limits.tools:
                break
        return tuple(found)

    async def _request(
        self, name: str, arguments: dict[str, Any], meta: dict[str, Any], may_ask: bool
    ) -> types.CallToolResult:
        assert self._client is not None
        self._may_ask = may_ask and self.skill.ours
        request = types.CallToolRequestParams(
            name=name, arguments=arguments, _meta=types.RequestParams.Meta(**{META: meta})
        )
        return await self._client.send_request(
            types.ClientRequest(types.CallToolRequest(params=request)), types.CallToolResult
        )

    async def _sampled(
        self, context: Any, params: types.CreateMessageRequestParams
    ) -> types.CreateMessageResult | types.ErrorData:
        request = (params.metadata or {}).get(META)
        if not isinstance(request, dict) or self._box is None or not self._may_ask:
            return _refused(
                "only a tool of ReproLab's skills may ask an agent, while a flow that has agents calls it"
            )
        waiting: asyncio.Future[dict[str, Any] | NotAsked] = asyncio.get_running_loop().create_future()
        self._box.put(("ask", (request, waiting)))
        found = await waiting
        if isinstance(found, NotAsked):
            return _refused(str(found))
        text = json.dumps(found, ensure_ascii=False)
        return types.CreateMessageResult(
            role="assistant", model="reprolab", content=types.TextContent(type="text", text=text)
        )


def _refused(words: str) -> types.ErrorData:
    return types.ErrorData(code=types.INVALID_REQUEST, message=words)
