"""What people of a server may ask of Prefect's API, by their role; and their names in what they start and answer.

Prefect knows one password, which may do everything, commands on the workers included. A person's password is known here alone: what
their role allows is handed on under the server's own. Whatever is not named below is for those who administer.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable
from typing import Any

from flows.serving.people import PERSON, STARTED_BY, People, Person
from flows.serving.server_app import App, Receive, Scope, Send, answer

_ID = "[0-9a-fA-F-]{36}"
_READ = re.compile(
    r"(?:ui/)?[a-z_/-]+/(?:filter|count|history|paginate|lateness|count-task-runs|count-deployments|next-runs|dashboard/counts)"
    rf"|ui/schemas/validate|events/count-by/[a-z]+|flow_runs/{_ID}/input/filter|work_pools/[^/]+/concurrency_status"
    r"|work_pools/[^/]+/(?:queues|workers)/filter|v2/concurrency_limits/filter"
)
_RESUME = re.compile(rf"flow_runs/{_ID}/resume")
_CREATE = re.compile(rf"deployments/{_ID}/create_flow_run")
_SET_STATE = re.compile(rf"flow_runs/{_ID}/set_state")
# Read by those who administer: blocks, which hold secrets. Secrets in settings are hidden by Prefect, whose pages ask for them.
_CLOSED = re.compile(r"admin/storage.*|.*block_documents.*")
# States to which the buttons Retry, Cancel and Pause bring a run.
_STATES = ("SCHEDULED", "CANCELLING", "CANCELLED", "PAUSED")
_OF_RUN = {"parameters", "name", "tags", "idempotency_key", "state"}
# Sent by Prefect's form with every run, and left out: it runs as its deployment says. Job variables are commands.
_OF_DEPLOYMENT = {"job_variables", "enforce_parameter_schema", "empirical_policy", "work_queue_name"}
_OF_ANSWER = {"run_input"}
_OF_STATE = {"state", "force"}
_DETAILS = ("scheduled_time", "pause_timeout", "pause_reschedule", "pause_key")
_MOST_BODY = 2**22
Note = Callable[[str], None]


class NotAllowed(Exception):
    """What a person asked for that their role does not give, in words."""


def needed(method: str, path: str) -> str:
    """The role that a request to the API needs. path: below /api/."""
    if _CLOSED.fullmatch(path):
        return "administer"
    if method in ("GET", "HEAD", "OPTIONS") or method == "POST" and _READ.fullmatch(path):
        return "look"
    if method == "POST" and _RESUME.fullmatch(path):
        return "answer"
    if method == "POST" and (_CREATE.fullmatch(path) or _SET_STATE.fullmatch(path)):
        return "start"
    return "administer"


def as_sent_on(person: Person, path: str, body: bytes) -> bytes:
    """The content of a request that starts, answers or sets a state, with the person's name, and without what would be more than
    that. Raises NotAllowed."""
    try:
        found = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise NotAllowed("the request is no JSON") from None
    if not isinstance(found, dict):
        raise NotAllowed("the request is no JSON object")
    if person.role != "administer":
        allowed = _OF_RUN if _CREATE.fullmatch(path) else _OF_ANSWER if _RESUME.fullmatch(path) else _OF_STATE
        found = {name: value for name, value in found.items() if value and name not in _OF_DEPLOYMENT}
        if more := sorted(found.keys() - allowed):
            raise NotAllowed(f"{', '.join(more)[:200]} would be set by those who administer")
        _check_values(found)
    if _CREATE.fullmatch(path):
        tags = found.get("tags") or []
        if not isinstance(tags, list):
            raise NotAllowed("tags are a list")
        found["tags"] = [tag for tag in tags if not str(tag).startswith(STARTED_BY)] + [
            STARTED_BY + person.name
        ]
    if _RESUME.fullmatch(path):
        found["run_input"] = {**_object(found.get("run_input") or {}), PERSON: person.name}
    elif "state" in found and person.role != "administer":
        state = _object(found["state"])
        if state.get("type") not in (_STATES if _SET_STATE.fullmatch(path) else _STATES[:1]):
            raise NotAllowed(f"a run is brought to {', '.join(_STATES)} by hand, to nothing else")
        details = _object(state.get("state_details") or {})
        kept = {name: value for name, value in state.items() if name in ("type", "name", "message")}
        found["state"] = {
            **kept,
            "state_details": {name: details[name] for name in _DETAILS if name in details},
        }
    return json.dumps(found).encode()


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise NotAllowed("a part of the request is no JSON object")
    return value


def _check_values(found: object) -> None:
    """Nothing that the server or a worker would fill in from blocks, variables or templates. Raises NotAllowed."""
    waiting = [found]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if "$ref" in value or value.get("__prefect_kind", "none") not in ("none", "json"):
                raise NotAllowed("blocks, variables and templates as values are for those who administer")
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value


class Roles:
    """Prefect behind the roles of its people. whole: the server's own password, as Prefect takes it. note: keeps who did what."""

    def __init__(self, app: App, people: People, whole: str, note: Note) -> None:
        self.app, self.people, self.whole, self.note = app, people, whole, note
        self.header = b"Basic " + b64encode(whole.encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or websocket. That of no person of ours goes on as it is: Prefect asks it for the password."""
        if scope["type"] == "websocket":
            return await self.app(scope, self._socket(scope, receive), send)
        sent = [value for name, value in scope.get("headers", ()) if name.lower() == b"authorization"]
        person = (
            self.people.of(sent[0].decode("latin-1")) if len(sent) == 1 and sent[0] != self.header else None
        )
        if scope["type"] != "http" or person is None:
            return await self.app(scope, receive, send)
        method, path = scope["method"], scope["path"].removeprefix("/api/")
        role = needed(method, path) if scope["path"].startswith("/api/") else "look"
        headers = [(name, value) for name, value in scope["headers"] if name.lower() != b"authorization"]
        try:
            if not person.may(role):
                raise NotAllowed(f"this needs the role {role}")
            if role in ("answer", "start"):
                body = as_sent_on(person, path, await _all_of(receive))
                headers = [(name, value) for name, value in headers if name.lower() != b"content-length"]
                headers.append((b"content-length", str(len(body)).encode()))
                receive = _once(body, receive)
        except NotAllowed as refused:
            self.note(f"{person.name} ({person.role}) refused {method} {scope['path']}: {refused}")
            words = f"{person.name} has the role {person.role}: {refused}"
            told = json.dumps({"exception_message": words, "detail": words}).encode()
            return await answer(send, 403, told, b"default-src 'none'", b"application/json")
        scope = {**scope, "headers": [*headers, (b"authorization", self.header)]}
        if role == "look":
            return await self.app(scope, receive, send)

        async def noted(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.note(f"{person.name} ({person.role}) {message['status']} {method} {scope['path']}")
            await send(message)

        await self.app(scope, receive, noted)

    def _socket(self, scope: Scope, receive: Receive) -> Receive:
        """What a browser sends through a websocket; its first message holds the password, for which the server's own is put."""
        first = True

        async def received() -> Any:
            nonlocal first
            message = await receive()
            if not first or message["type"] != "websocket.receive":
                return message
            first = False
            try:
                said = json.loads(message.get("text") or message.get("bytes") or "")
                person = self.people.named(said["token"])
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                return message
            reading = scope["path"] in ("/api/events/out", "/api/logs/out")
            if person is None or not person.may("look" if reading else "administer"):
                return message
            return {"type": "websocket.receive", "text": json.dumps({**said, "token": self.whole})}

        return received


async def _all_of(receive: Receive) -> bytes:
    """The content of a request. Raises NotAllowed where it is too long or does not end."""
    body = b""
    while True:
        message = await receive()
        body += bytes(message.get("body", b""))
        if len(body) > _MOST_BODY:
            raise NotAllowed(f"the request is longer than {_MOST_BODY} bytes")
        if message["type"] != "http.request":
            raise NotAllowed("the request did not end")
        if not message.get("more_body"):
            return body


def _once(body: bytes, receive: Receive) -> Receive:
    """A request's content again, and then what comes after it."""
    given = False

    async def again() -> Any:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
