"""Messages of a server over its standard streams, with bounds: a flood, rubbish or an endless line ends the server, not us."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCMessage

from schemas.text.visible import visible
from tasks.tools.launching import Launch
from tasks.tools.tool_limits import ToolLimits

_TAIL_BYTES, _PART, _PATIENCE_S = 4000, 1 << 16, 2.0
Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


class ServerProcess:
    """A server's process. fault: why it was ended, in words; empty while nothing is wrong."""

    def __init__(self, process: asyncio.subprocess.Process, limits: ToolLimits):
        self.process, self.limits, self.fault = process, limits, ""
        self.written = self.rubbish = self.messages = 0
        self._tail: deque[bytes] = deque()

    def counted_anew(self) -> None:
        """A call begins: what was written before is forgotten."""
        self.written = self.rubbish = self.messages = 0

    def count(self, part: bytes) -> bool:
        """Add to what the server wrote; False when that is too much, and the server was ended."""
        self.written += len(part)
        if self.written > self.limits.flood_bytes:
            self.kill(f"it wrote more than {self.limits.flood_bytes >> 20} MiB")
        return not self.fault

    def keep(self, part: bytes) -> None:
        """Keep the end of what it wrote to standard error, for people."""
        self._tail.append(part)
        while sum(map(len, self._tail)) - len(self._tail[0]) > _TAIL_BYTES:
            self._tail.popleft()

    def last_words(self) -> str:
        """The end of its standard error."""
        return visible(b"".join(self._tail)[-_TAIL_BYTES:].decode("utf-8", "replace")).strip()

    def kill(self, fault: str = "") -> None:
        """End it and all it started in its process group."""
        self.fault = self.fault or fault
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)


@asynccontextmanager
async def stdio(
    launch: Launch, limits: ToolLimits
) -> AsyncIterator[tuple[Incoming, Outgoing, ServerProcess]]:
    """A started server, with the streams that `mcp.ClientSession` takes. Raises OSError if it cannot be started."""
    process = await asyncio.create_subprocess_exec(
        *launch.command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=dict(launch.environment),
        cwd=launch.folder,
        start_new_session=True,
        pass_fds=launch.handles,
    )
    server = ServerProcess(process, limits)
    to_us, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_us = anyio.create_memory_object_stream[SessionMessage](0)
    jobs = [
        asyncio.create_task(job) for job in (_read(server, to_us), _write(server, from_us), _listen(server))
    ]
    try:
        yield incoming, outgoing, server
    finally:
        with contextlib.suppress(OSError, RuntimeError):
            assert process.stdin is not None
            process.stdin.close()  # the polite end of an MCP server
        if not server.fault:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), _PATIENCE_S)
        server.kill()
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        await process.wait()
        for stream in (to_us, incoming, outgoing, from_us):
            stream.close()


async def _read(server: ServerProcess, to_us: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
    stream, line = server.process.stdout, bytearray()
    assert stream is not None
    async with to_us:  # closed at the end of output: the session learns that the server is gone
        while part := await stream.read(_PART):
            if not server.count(part):
                continue  # to the end: an unread pipe keeps a dead process waiting
            *ends, rest = part.split(b"\n")
            for end in ends:
                message = _message(server, bytes(line + end))
                line.clear()
                if message is not None and not server.fault:
                    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                        await to_us.send(message)
            line += rest
            if len(line) > server.limits.message_bytes:
                server.kill(f"it sent a message of more than {server.limits.message_bytes >> 20} MiB")


def _message(server: ServerProcess, line: bytes) -> SessionMessage | None:
    if server.fault or not line.strip():
        return None
    server.messages += 1
    if server.messages > server.limits.messages:
        server.kill(f"it sent more than {server.limits.messages} messages")
        return None
    try:
        return SessionMessage(JSONRPCMessage.model_validate_json(line))
    except (ValueError, RecursionError):
        server.rubbish += 1
        if server.rubbish > server.limits.rubbish:
            server.kill(f"its output is no protocol: {visible(line[:200].decode('utf-8', 'replace'))!r}")
        return None


async def _write(server: ServerProcess, from_us: MemoryObjectReceiveStream[SessionMessage]) -> None:
    stream = server.process.stdin
    assert stream is not None
    async with from_us:
        async for message in from_us:
            text = message.message.model_dump_json(by_alias=True, exclude_none=True)
            with contextlib.suppress(OSError):  # it is gone, which the other direction tells
                stream.write(text.encode("utf-8", "replace") + b"\n")
                await stream.drain()


async def _listen(server: ServerProcess) -> None:
    stream = server.process.stderr
    assert stream is not None
    while part := await stream.read(_PART):
        if server.count(part):
            server.keep(part)
