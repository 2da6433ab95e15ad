"""Whom to tell of questions, bad ends and drift: seen by everybody, set and tried by who administers.

A change brings the password with it, as every request to Prefect's API does; the cookie that reads results does not do.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from flows.results.rendering import ALWAYS, own, page
from flows.results.sign_in import SignIn
from flows.serving.people import People
from flows.up import automations, notifying
from flows.up.api import Api
from schemas.errors import InputError, ReproLabError

MOST_BYTES = 10_000
_KINDS = ("webhook", "email")
_ROLE = "administer"


class Notices:
    """The page and its one form. api: of Prefect's server, which keeps the addresses; None where it is not ours to set."""

    def __init__(
        self, api: Api | None, door: SignIn, people: People | None, note: Callable[[str], None]
    ) -> None:
        self.api, self.door, self.people, self.note = api, door, people, note

    def routes(self, path: str) -> list[Route]:
        """Seen and changed at the same address."""
        return [Route(path, self.seen), Route(path, self.changed, methods=["POST"])]

    def seen(self, request: Request) -> Response:
        """Who is told now, of what, and the form."""
        if self.api is None:
            raise _not_ours()
        ours = [
            (name.removeprefix("reprolab: "), known["enabled"])
            for name, known in sorted(automations.on_server(self.api).items())
            if name.startswith("reprolab: ")
            and any(action["type"] == "send-notification" for action in known["actions"])
        ]
        kept = notifying.keep(self.api, None)
        return page("notifications.html.j2", script=own("notifications.js"), kept=[*kept], automations=ours)

    async def changed(self, request: Request) -> Response:
        """{"do": "keep" | "none" | "try", "webhook": URL, "email": URL}; what came of it as {"said": [...], "kept": [...]}."""
        sent = request.headers.get("authorization", "")
        who = self.door.knows(sent)
        if who is None:
            return _told(401, "a change needs the password itself: sign out and in, or open the link again")
        person = self.people.of(sent) if who and self.people else None
        if who and not (person and person.may(_ROLE)):
            return _told(403, f"{who} has another role: this needs the role {_ROLE}")
        try:
            asked = _asked(await _body(request))
            return await run_in_threadpool(self._done, who or "the server's own password", asked)
        except ReproLabError as error:
            return _told(400, *error.text().splitlines())

    def _done(self, who: str, asked: dict[str, str]) -> Response:
        if self.api is None:
            raise _not_ours()
        if asked["do"] == "try":
            answers = notifying.tried(self.api)
            said = [f"{kind}: {f'not sent, {why}' if why else 'sent'}" for kind, why in answers.items()]
            said = said or ["nobody is kept to be told; keep an address first"]
        else:
            given = [f"{kind}={asked[kind]}" for kind in _KINDS if asked[kind]]
            if asked["do"] == "keep" and not given:
                raise InputError("no address was given", fix="fill in one of the fields, then Keep")
            wanted = notifying.targets(given if asked["do"] == "keep" else ["none"])
            lost_after = automations.lost_after_s(self.api)
            kept = notifying.keep(self.api, wanted)
            automations.apply(self.api, [*kept.values()], lost_after)
            said = [f"told from now on: {', '.join(kept)}" if kept else "nobody is told from now on"]
        self.note(f"{who} {asked['do']} notifications: {'; '.join(said)}")
        return _told(200, *said, kept=[*notifying.keep(self.api, None)])


def _not_ours() -> InputError:
    return InputError("this server keeps nobody to tell", allowed="one that shows this page as part of `up`")


def _told(status: int, *said: str, kept: list[str] | None = None) -> Response:
    return JSONResponse({"said": said, "kept": kept}, status, headers=ALWAYS)


async def _body(request: Request) -> bytes:
    found = b""
    async for part in request.stream():
        found += part
        if len(found) > MOST_BYTES:
            raise InputError("the request is too long", allowed=f"{MOST_BYTES} bytes")
    return found


def _asked(body: bytes) -> dict[str, str]:
    try:
        found: Any = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    known = {"do", *_KINDS}
    if (
        not isinstance(found, dict)
        or not found.keys() <= known
        or not all(isinstance(value, str) for value in found.values())
        or found.get("do") not in ("keep", "none", "try")
    ):
        raise InputError(
            "the request does not fit",
            allowed='{"do": "keep", "none" or "try", "webhook": URL, "email": URL}',
        )
    return {name: found.get(name, "").strip() for name in known}
