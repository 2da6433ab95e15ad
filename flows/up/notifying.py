"""Whom the automations tell: a webhook or a mailbox, kept as Prefect's own notification blocks on the server."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

from flows.up.api import Api
from schemas.errors import InputError

_NONE = "none"
TRIED_SUBJECT = "ReproLab: a try"
TRIED_BODY = "Whoever reads this is told of questions, bad ends and drift."
# Apprise, which Prefect's notification blocks send with, takes addresses of mail servers; Prefect has no block for them, but
# its block for Slack hands an address that is not Slack's on as it is.
_KINDS = {"webhook": ("custom-webhook", ("http", "https")), "email": ("slack-webhook", ("mailto", "mailtos"))}
_FORMS = "webhook=https://..., email=mailtos://USER:PASSWORD@HOST:PORT?from=...&to=..., or none"


def targets(given: list[str]) -> dict[str, str] | None:
    """Addresses by kind from `webhook=URL`, `email=URL`; empty for `none`, None where nothing is given. Raises InputError."""
    if not given:
        return None
    if given == [_NONE]:
        return {}
    found = {}
    for text in given:
        kind, _, address = text.partition("=")
        try:
            parts = urlsplit(address)
            fits = (
                kind in _KINDS
                and parts.scheme in _KINDS[kind][1]
                and bool(parts.hostname)
                and (parts.port or 1) > 0
            )
        except ValueError:
            fits = False
        if not fits:  # the address may hold a secret: it is not repeated
            raise InputError(
                "nobody can be told at such an address",
                allowed=_FORMS,
                found=f"{kind[:20]!r}=..." if "=" in text else "no =",
            )
        found[kind] = address
    return found


def content(kind: str, address: str) -> dict[str, Any]:
    """What the block of a kind holds; the address is one of its secrets."""
    if kind == "email":
        return {"url": address, "notify_type": "warning"}
    return {
        "name": "ReproLab",
        "method": "POST",
        "url": "{{url}}",
        "secrets": {"url": address},
        "json_data": {"text": "{{subject}}\n{{body}}", "subject": "{{subject}}", "body": "{{body}}"},
    }


def keep(api: Api, wanted: dict[str, str] | None) -> dict[str, str]:
    """Write the blocks that are wanted, remove those that are not; None leaves all as they are. Ids by kind."""
    kept = {}
    for kind, (slug, _) in _KINDS.items():
        name = f"reprolab-{kind}"
        old = api.get(f"/block_types/slug/{slug}/block_documents/name/{name}")
        if wanted is None or (wanted and kind not in wanted):
            pass
        elif kind not in wanted:
            if old:
                api.delete(f"/block_documents/{old['id']}")
            continue
        elif old:
            api.patch(
                f"/block_documents/{old['id']}",
                {"data": content(kind, wanted[kind]), "merge_existing_data": False},
            )
        else:
            of = api.get(f"/block_types/slug/{slug}")["id"]
            schema = api.post(
                "/block_schemas/filter", {"block_schemas": {"block_type_id": {"any_": [of]}}, "limit": 1}
            )[0]
            old = api.post(
                "/block_documents/",
                {
                    "name": name,
                    "data": content(kind, wanted[kind]),
                    "block_type_id": of,
                    "block_schema_id": schema["id"],
                },
            )
        if old:
            kept[kind] = old["id"]
    return kept


def tried(api: Api) -> dict[str, str]:
    """Send a word to each of those who are kept, by their own block; why it did not go, by kind, '' where it did.

    Nothing that a server says is repeated: it may hold the address, which is a secret.
    """
    from httpx import HTTPStatusError
    from prefect.blocks.abstract import NotificationError
    from prefect.blocks.notifications import CustomWebhookNotificationBlock, SlackWebhook

    made: dict[str, type[CustomWebhookNotificationBlock | SlackWebhook]] = {
        "webhook": CustomWebhookNotificationBlock,
        "email": SlackWebhook,
    }
    found = {}
    for kind, number in keep(api, None).items():
        kept = api.get(f"/block_documents/{number}?include_secrets=true")
        try:
            block = made[kind].model_validate(kept["data"])
            with block.raise_on_failure():
                asyncio.run(block.anotify(TRIED_BODY, TRIED_SUBJECT))
            found[kind] = ""
        except HTTPStatusError as error:
            found[kind] = f"it answered HTTP {error.response.status_code}"
        except NotificationError:
            found[kind] = "the mail server did not take it: its name, port, user, password, or the addresses"
        except Exception as error:  # noqa: BLE001  whatever a network does; its words may hold the address
            found[kind] = f"it was not reached ({type(error).__name__})"
    return found
