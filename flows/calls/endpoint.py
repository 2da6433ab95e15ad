"""Which address a run asks with which key. Names come from outside, keys and passwords from this process alone.

A key of the environment goes to an address that the environment itself names (ANTHROPIC_BASE_URL, the vendor's own,
REPROLAB_ALLOW_MODELS) or that was typed on the command line; to no other.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from agents.models.access import ADDRESS, KEY, VENDOR, Access
from agents.models.address import without_credentials
from flows.run.credentials import storable
from flows.serving.runtime import from_outside
from schemas.errors import InputError
from schemas.run.settings import CoreSettings, ModelSettings
from schemas.text.visible import one_visible_line

if TYPE_CHECKING:
    from blocks import ModelEndpoint

Settings = TypeVar("Settings", bound=CoreSettings)
MODELS = "REPROLAB_ALLOW_MODELS"
_ENTRY = re.compile(r"(?:([A-Za-z_][A-Za-z0-9_]*)=)?(\S+)")
_TYPED: dict[str, str] = {}  # address as it may be stored -> as it was typed, for this process alone


class Allowed(NamedTuple):
    """An entry of REPROLAB_ALLOW_MODELS: an address, and the variable whose value is its key."""

    address: str
    variable: str

    @property
    def shown(self) -> str:
        """What may be named and shown."""
        return _plain(self.address)

    @property
    def access(self) -> Access:
        """The address as it stands here, with its key."""
        return Access(self.address, self.variable)


def allowed_models() -> tuple[Allowed, ...]:
    """REPROLAB_ALLOW_MODELS, then the address this process asks anyway.

    The variable's words: `ADDRESS`, whose key is ANTHROPIC_API_KEY, or `VARIABLE=ADDRESS`.
    """
    matches = (_ENTRY.fullmatch(word) for word in os.environ.get(MODELS, "").split())
    asked_anyway = Allowed(os.environ.get(ADDRESS) or VENDOR, KEY)
    return (*(Allowed(match[2], match[1] or KEY) for match in matches if match), asked_anyway)


def without_secrets(settings: Settings) -> Settings:
    """The settings as files and Prefect may keep them; what is left out of the address stays in this process."""
    if address := settings.model.base_url:
        _TYPED[without_credentials(address)] = address
    return storable(settings)


def check_address(model: ModelSettings) -> None:
    """Raises InputError for an address in a flow's parameters that this worker does not allow."""
    if model.base_url and from_outside():
        _entry(model.base_url, None, "settings.model.base_url", ["settings.model.block = NAME"])


def access(model: ModelSettings, block: ModelEndpoint | None = None) -> Access:
    """Address and key for a run. Raises InputError where they do not go together."""
    if block is None:
        if not model.base_url:
            return Access()
        if from_outside():
            return _entry(
                model.base_url, None, "settings.model.base_url", ["settings.model.block = NAME"]
            ).access
        if model.base_url in _TYPED:
            return Access(_TYPED[model.base_url])
        return _known(model.base_url) or Access(model.base_url)
    if model.base_url:
        raise InputError(
            "the model's address is given twice",
            found="settings.model.base_url and settings.model.block",
            fix="leave one of them out",
        )
    if not block.base_url and block.key_variable in (None, "", KEY):
        return Access()
    address = block.base_url or _plain(os.environ.get(ADDRESS) or VENDOR)
    if block.key_variable:
        return _entry(
            address, block.key_variable, "the model endpoint block's variable for its address", []
        ).access
    if address.strip() != without_credentials(address):
        raise InputError(
            "the model endpoint block holds more than an address, which all can read who reach the server",
            found=without_credentials(address),
            fix=f"name it alone, and set {MODELS} to the whole on the worker",
        )
    return _known(address) or Access(address, None)


def _known(address: str) -> Access | None:
    return next((entry.access for entry in allowed_models() if entry.shown == _plain(address)), None)


def _entry(address: str, variable: str | None, what: str, otherwise: list[str]) -> Allowed:
    """The worker's entry for an address, and for a variable where one is named."""
    for entry in allowed_models():
        if address.rstrip("/") == entry.shown and variable in (None, entry.variable):
            return entry
    raise InputError(
        f"{what}: this worker does not allow that",
        found=one_visible_line(without_credentials(address), 200),
        allowed="; ".join(
            [
                *otherwise,
                *(
                    f"{entry.variable}={entry.shown}" if variable else entry.shown
                    for entry in allowed_models()
                ),
            ]
        )
        or "nothing",
        fix=f"the worker's keeper can allow more with {MODELS} (docs/guide/deployment.md)",
    )


def _plain(address: str) -> str:
    return without_credentials(address).rstrip("/")
