"""What our skills share: a server, where a call belongs, and asking an agent through the client (MCP sampling)."""

from __future__ import annotations

import argparse
import ctypes
import hmac
import inspect
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import anyio
from mcp.server.fastmcp import Context, FastMCP, Image
from mcp.server.fastmcp.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import McpError
from mcp.types import SamplingMessage, TextContent
from pydantic import Field

from schemas.errors import InputError
from schemas.talking.tools import PATH, WORDS, ToolContext
from tasks.files.private import kept_secret
from tasks.files.store import private_folder

META, OUTPUTS = "reprolab", "REPROLAB_OUTPUTS"
_PDEATHSIG = 1
_HERE = ("127.0.0.1", "localhost", "[::1]")
Call = Context[Any, Any, Any]
Action = Callable[[], Any]
WorkPath = Annotated[str, Field(json_schema_extra={"format": PATH})]
"""A tool's argument that names a file below the work directory; code refuses others before the call."""
Words = Annotated[str, Field(json_schema_extra={"format": WORDS})]
"""A tool's argument that is free text (code, a command, a question): what looks like a path in it is none."""

__all__ = [
    "Call",
    "Image",
    "ToolError",
    "WorkPath",
    "Words",
    "answer",
    "ask",
    "asker",
    "context",
    "skill",
    "work_dir",
]


class Door:
    """An ASGI application that answers 401 to requests without the token."""

    def __init__(self, app: Any, token: str):
        if not token:
            raise ValueError("a server over HTTP needs a token")
        self._app, self._wanted = app, f"Bearer {token}".encode()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Let a request with the token pass."""
        given = [value for name, value in scope.get("headers", ()) if name == b"authorization"]
        if scope["type"] == "lifespan" or (len(given) == 1 and hmac.compare_digest(given[0], self._wanted)):
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await send(
                {
                    "type": "http.response.start",
                    "status": 401,
                    "headers": [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain")],
                }
            )
            await send(
                {
                    "type": "http.response.body",
                    "body": b"this server needs its token: Authorization: Bearer TOKEN\n",
                }
            )


Offered = TypeVar("Offered", bound=Callable[..., Any])


class SkillServer(FastMCP[Any]):
    """FastMCP whose tools answer texts and pictures, and whose standard output belongs to the protocol alone.

    token: who serves over HTTP answers to those who send it.
    """

    token = ""

    def tool(self, *arguments: Any, **settings: Any) -> Callable[[Offered], Offered]:
        """As FastMCP's, without an output schema; a tool's description is its docstring, evenly indented."""
        settings.setdefault("structured_output", False)
        register = super().tool(*arguments, **settings)

        def described(function: Offered) -> Offered:
            function.__doc__ = inspect.cleandoc(function.__doc__ or "")
            register(function)
            return function

        return described

    async def run_stdio_async(self) -> None:
        """Serve on descriptors of its own: what a library prints or a child reads is no message."""
        streams = [
            os.fdopen(os.dup(number), mode, encoding="utf-8", errors="replace")
            for number, mode in ((0, "r"), (1, "w"))
        ]
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        os.close(nothing)
        async with stdio_server(*(anyio.wrap_file(stream) for stream in streams)) as (incoming, outgoing):
            await self._mcp_server.run(incoming, outgoing, self._mcp_server.create_initialization_options())

    async def run_streamable_http_async(self) -> None:
        """Serve over HTTP behind a door: other accounts of this computer reach its address, too."""
        import uvicorn

        app = Door(self.streamable_http_app(), self.token)
        await uvicorn.Server(
            uvicorn.Config(app, host=self.settings.host, port=self.settings.port, log_level="warning")
        ).serve()

    def main(self) -> None:
        """Serve on standard input and output, or with --http HOST:PORT at http://HOST:PORT/mcp to who knows the token."""
        parser = argparse.ArgumentParser(description=self.instructions or self.name)
        parser.add_argument(
            "--http", metavar="HOST:PORT", help="serve streamable HTTP there instead of standard input"
        )
        where = parser.parse_args().http
        _end_with_parent()
        if where:
            host, _, port = where.rpartition(":")
            if host not in ("", *_HERE) or not port.isdigit():
                parser.error(
                    f"--http {where}: it listens on this computer only (127.0.0.1:PORT), as whoever reaches it may "
                    "use all it can do; reach it from elsewhere through an ssh tunnel"
                )
            self.settings.host, self.settings.port = host.strip("[]") or _HERE[0], int(port)
            try:
                self.token = token()
            except InputError as error:
                parser.exit(error.exit_code, f"{error.text()}\n")
            note(
                f"{self.name} at http://{self.settings.host}:{self.settings.port}/mcp, for requests with the header\n"
                f"Authorization: Bearer TOKEN, where TOKEN is what {_token_file()} holds"
            )
        self.run("streamable-http" if where else "stdio")


def skill(name: str, about: str) -> SkillServer:
    """A server; `@server.tool()` registers a function, whose docstring is what a model reads."""
    return SkillServer(name, instructions=about, log_level="WARNING")


def context(ctx: Call) -> ToolContext:
    """Where this call belongs, as the client says; empty fields for a client that says nothing."""
    meta = ctx.request_context.meta
    said = (meta.model_extra or {}).get(META) if meta is not None else None
    return ToolContext.model_validate(said or {})


def work_dir(ctx: Call) -> Path:
    """The directory this call may write in. Raises ToolError without one."""
    found = context(ctx).work_dir
    if not found or not Path(found).is_dir():
        raise ToolError("this tool works in a directory, and the call came without one")
    return Path(found)


async def ask(
    ctx: Call, *, agent: str, context: dict[str, Any], images: Sequence[Path | str] = ()
) -> dict[str, Any]:
    """The checked answer of an agent of the roster, whom the flow at the other end asks, records and pays.

    context: what the agent is shown, JSON values. images: pictures below run_dir or work_dir. Raises ToolError.
    """
    request = {"agent": agent, "context": context, "images": [str(path) for path in images]}
    try:
        result = await ctx.session.create_message(
            [SamplingMessage(role="user", content=TextContent(type="text", text=f"agent {agent}"))],
            max_tokens=1,
            metadata={META: request},
            related_request_id=ctx.request_id,
        )
    except McpError as error:
        raise ToolError(f"the agent {agent} could not be asked: {error}") from None
    if not isinstance(result.content, TextContent):
        raise ToolError(f"the agent {agent} answered no text")
    found = json.loads(result.content.text)
    if not isinstance(found, dict):
        raise ToolError(f"the agent {agent} answered no object")
    return found


def asker(ctx: Call) -> Callable[[str, dict[str, Any], Sequence[Path]], Awaitable[dict[str, Any]]]:
    """`ask` bound to a call, for code that is handed the way to ask: (agent, context, pictures) -> answer."""

    async def asked(agent: str, context: dict[str, Any], images: Sequence[Path] = ()) -> dict[str, Any]:
        return await ask(ctx, agent=agent, context=context, images=images)

    return asked


def answer(value: Any) -> str:
    """Data as a tool's text: JSON, numbers finite or null."""
    return json.dumps(value, ensure_ascii=False, indent=1, default=str)


def _end_with_parent() -> None:
    """A server that a run started ends when the run is killed, also in the middle of a call. Source: prctl(2)."""
    parent = os.environ.get("REPROLAB_TOOL_PARENT")
    if parent:
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL)
        if str(os.getppid()) != parent:
            sys.exit(1)


def outputs() -> Path:
    """The folder of results: REPROLAB_OUTPUTS, or `outputs` where the server was started."""
    return Path(os.environ.get(OUTPUTS) or "outputs").resolve()


def token() -> str:
    """The token of this account's servers over HTTP, made at the first start and kept. Raises InputError."""
    for folder in (_token_file().parent.parent, _token_file().parent):
        if folder.is_symlink() or private_folder(folder).stat().st_uid != os.getuid():
            raise InputError(
                f"{folder} is a link or another account's", fix=f"choose a folder of your own with {OUTPUTS}"
            )
    return kept_secret(_token_file(), "delete it, and start again")


def _token_file() -> Path:
    return outputs() / ".reprolab" / "served" / "token"


def note(text: str) -> None:
    """A line for whoever keeps the server; never part of the protocol."""
    print(text, file=sys.stderr, flush=True)
