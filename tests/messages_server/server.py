"""The server: POST /v1/messages (streamed or not) and POST /v1/messages/count_tokens, on a free loopback port."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.messages_server.answerers import Answerer, label_of
from tests.messages_server.checks import refusal_of
from tests.messages_server.conversing import Turn, content_of, said_of
from tests.messages_server.faults import STATUS, Fault
from tests.messages_server.replies import cached_prefixes, count_tokens, events, input_tokens, message, sse


@dataclass(frozen=True)
class Delivery:
    """What became of one request: its number (from 1), the fault it met, whether its reply was sent in full, and the
    tokens the client was told of (of a stream that broke off, what had been told by then; None if nothing was)."""

    number: int
    fault: str | None
    whole: bool
    usage: dict[str, int] | None


class MessagesServer:
    """`with MessagesServer(answerer) as server:` serves at server.base_url.

    answerer: request body -> answer (a dict becomes JSON text; in a request with tools a Turn, or a recorded one).
    faults: one per message request in order, None for a good one; when they are used up all is well.
    api_key: if given, other keys get 401. models: if given, other models get 404. structured: False refuses output_config
    and strict tools like an older compatible server. forced: False refuses that a tool must be called, as thinking models may.
    tempered: False refuses a temperature.
    requests, headers: what was received. served: answers given in full. deliveries: what became of each request.
    stalled: set while a stream stalls.
    """

    def __init__(
        self,
        answerer: Answerer,
        faults: Sequence[Fault | None] = (),
        *,
        api_key: str | None = None,
        models: Sequence[str] | None = None,
        structured: bool = True,
        forced: bool = True,
        tempered: bool = True,
    ):
        self.answerer = answerer
        self.api_key, self.models, self.structured, self.forced = api_key, models, structured, forced
        self.tempered = tempered
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.deliveries: list[Delivery] = []
        self.served = 0
        self._faults = list(faults)
        self._prefixes: set[str] = set()
        self._lock = threading.Lock()
        self.closing, self.stalled = threading.Event(), threading.Event()
        handler = type("Handler", (_Handler,), {"owner": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def base_url(self) -> str:
        """The address to give as base_url."""
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def record(self, request: dict[str, Any], headers: dict[str, str]) -> tuple[int, Fault | None]:
        """Keep a request; its number (from 1) and its fault."""
        with self._lock:
            self.requests.append(request)
            self.headers.append(headers)
            return len(self.requests), self._faults.pop(0) if self._faults else None

    def reply(self, number: int, request: dict[str, Any], fault: Fault | None) -> dict[str, Any]:
        """The message that answers `request`, spoilt as `fault` says."""
        answer = self.answerer(request)
        kind = fault.kind if fault else ""
        if request.get("tools"):
            content, stop_reason = self._turn(
                answer if isinstance(answer, Turn) else said_of(answer), request, kind
            )
        else:
            text, stop_reason = _spoilt(
                answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False), kind
            )
            content = [{"type": "text", "text": text}] if text else []
        with self._lock:
            self.served += not kind
        whole = message(number, request["model"], content, stop_reason, self._usage(request, content))
        if kind == "refusal":
            whole["stop_details"] = {"type": "refusal", "category": "cyber", "explanation": "not with me"}
        return whole

    def asked(self) -> Counter[str]:
        """How often each label was asked for, refused requests included."""
        return Counter(label_of(request) for request in self.requests)

    def _turn(self, said: Turn, request: dict[str, Any], kind: str) -> tuple[list[dict[str, Any]], str]:
        """The blocks and the stop reason of a turn, spoilt as `kind` says."""
        if kind in ("refusal", "context_full", "empty"):
            return [], _spoilt("", kind)[1]
        content = content_of(said, request)
        for block in content:
            if block["type"] == "tool_use" and kind in ("rubbish_arguments", "max_tokens"):
                block["input"] = block["input"][:-1] + (
                    ', "twice": 1, "twice": NaN' if kind == "rubbish_arguments" else ""
                )
            if block["type"] == "tool_use" and kind == "unknown_tool":
                block["name"] = "no_such_tool"
        called = any(block["type"] == "tool_use" for block in content)
        return content, "max_tokens" if kind == "max_tokens" else "tool_use" if called else "end_turn"

    def delivered(
        self, number: int, fault: Fault | None, usage: dict[str, int] | None = None, *, whole: bool = False
    ) -> None:
        """Note what became of a request."""
        with self._lock:
            self.deliveries.append(Delivery(number, fault.kind if fault else None, whole, usage))

    def _usage(self, request: dict[str, Any], content: list[dict[str, Any]]) -> dict[str, int]:
        """Tokens as the API counts them: the longest prefix known from an earlier breakpoint is read from the
        cache, the rest up to the last breakpoint is written to it, what follows is fresh."""
        prefixes = cached_prefixes(request)
        with self._lock:
            read = max((tokens for prefix, tokens in prefixes if prefix in self._prefixes), default=0)
            self._prefixes |= {prefix for prefix, _ in prefixes}
        cached = prefixes[-1][1] if prefixes else 0
        return {
            "input_tokens": max(1, input_tokens(request) - cached),
            "output_tokens": count_tokens(content),
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": cached - read,
        }


def _unstreamed(block: dict[str, Any]) -> dict[str, Any]:
    """A block as it stands in a message that is not streamed."""
    return block | {"input": json.loads(block["input"])} if block["type"] == "tool_use" else block


def _spoilt(text: str, kind: str) -> tuple[str, str]:
    """A text and its stop reason, spoilt as `kind` says."""
    if kind == "max_tokens":
        return text[: len(text) // 2], "max_tokens"
    if kind in ("refusal", "context_full"):
        return "", "refusal" if kind == "refusal" else "model_context_window_exceeded"
    if kind == "schema_violation":
        return json.dumps({"no_such_field": 1}), "end_turn"
    return {"empty": "", "malformed_json": text[:-1] + ",}"}.get(kind, text), "end_turn"


class _Handler(BaseHTTPRequestHandler):
    """One connection. HTTP/1.0, so that the end of a body is the end of the connection."""

    owner: MessagesServer

    def log_message(self, *_: object) -> None:
        """Tests stay quiet."""

    def do_POST(self) -> None:
        """Route a request; errors of the answerer become HTTP 500 with their text."""
        try:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", "0"))))
        except ValueError:
            return self._error(400, "invalid_request_error", "The request body is not valid JSON")
        try:
            if self.path.split("?")[0] == "/v1/messages/count_tokens":
                return self._json(200, {"input_tokens": input_tokens(body)})
            if self.path.split("?")[0] == "/v1/messages":
                return self._messages(body)
        except (BrokenPipeError, ConnectionResetError):
            return None
        return self._error(404, "not_found_error", "Not found")

    def _messages(self, body: Any) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        number, fault = self.owner.record(body, headers)
        if self.owner.api_key and self.owner.api_key not in (
            headers.get("x-api-key"),
            headers.get("authorization", "").removeprefix("Bearer "),
        ):
            return self._error(401, "authentication_error", "invalid x-api-key")
        if not self.owner.tempered and "temperature" in body:
            return self._error(400, "invalid_request_error", "temperature: this model takes none")
        if not self.owner.structured and (
            "output_config" in body or any("strict" in tool for tool in body.get("tools", ()))
        ):
            return self._error(400, "invalid_request_error", "output_config: Extra inputs are not permitted")
        if not self.owner.forced and (body.get("tool_choice") or {}).get("type") in ("any", "tool"):
            return self._error(
                400, "invalid_request_error", "Thinking may not be enabled when tool_choice forces tool use."
            )
        refused = refusal_of(body)
        if refused:
            return self._error(400, "invalid_request_error", refused)
        if self.owner.models is not None and body["model"] not in self.owner.models:
            return self._error(404, "not_found_error", f"model: {body['model']}")
        if fault and self._refused(number, fault):
            return None
        try:
            whole = self.owner.reply(number, body, fault)
        except Exception as error:  # noqa: BLE001 - the test must see what its answerer raised
            return self._error(500, "api_error", f"{type(error).__name__}: {error}")
        if body.get("stream"):
            return self._stream(number, whole, fault)
        self._json(200, whole | {"content": [_unstreamed(block) for block in whole["content"]]})
        return self.owner.delivered(number, fault, whole["usage"], whole=True)

    def _refused(self, number: int, fault: Fault) -> bool:
        """Show a fault that comes before any answer; False for the others."""
        if fault.kind not in (*STATUS, "timeout", "reset", "web_page", "garbled_stream"):
            return False
        self.owner.delivered(number, fault)
        if fault.kind in STATUS:
            extra = {"retry-after": fault.retry_after} if fault.retry_after else {}
            self._error(*STATUS[fault.kind], headers=extra)
        elif fault.kind == "timeout":
            self.owner.closing.wait(fault.delay_s)
        elif fault.kind == "reset":
            self._reset()
        elif fault.kind == "web_page":
            self._send(200, "text/html", b"<html>Please log in</html>")
        else:
            self._send(200, "text/event-stream", b'event: message_start\ndata: {"type": "mess\n\n')
        return True

    def _stream(self, number: int, whole: dict[str, Any], fault: Fault | None) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        planned = list(events(whole))
        broken = fault is not None and fault.kind in ("truncated_stream", "stream_error", "stalled_stream")
        if broken:
            planned = planned[: len(planned) // 2]
        told: dict[str, int] = {}
        try:
            for name, data in planned:
                self.wfile.write(sse(name, data))
                told |= data["message"]["usage"] if name == "message_start" else data.get("usage", {})
            if fault and fault.kind == "stream_error":
                error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
                self.wfile.write(sse("error", error))
        except OSError:
            broken = True
            raise
        finally:
            self.owner.delivered(number, fault, told or None, whole=not broken)
        if fault and fault.kind == "stalled_stream":
            self.owner.stalled.set()
            self.owner.closing.wait(fault.delay_s)

    def _reset(self) -> None:
        """Close with RST instead of FIN."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def _error(self, status: int, kind: str, text: str, headers: dict[str, str] | None = None) -> None:
        self._json(status, {"type": "error", "error": {"type": kind, "message": text}}, headers)

    def _json(self, status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        self._send(status, "application/json", json.dumps(body).encode(), headers)

    def _send(self, status: int, kind: str, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {
            "content-type": kind,
            "content-length": str(len(content)),
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
