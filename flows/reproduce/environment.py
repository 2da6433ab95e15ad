"""What the environment sets for a run: the specification's variables, below the settings file and the options."""

from __future__ import annotations

import math
import os
from typing import Any

from pydantic import ValidationError

from schemas.errors import InputError
from schemas.reproduce.settings import ENVIRONMENT_LIMITS, Limits

_YES, _NO = ("1", "true", "yes"), ("", "0", "false", "no")


def limits_from_environment() -> dict[str, Any]:
    """The limits that environment variables set. Raises InputError naming the variable that does not fit."""
    found: dict[str, Any] = {}
    for name, (field, factor) in ENVIRONMENT_LIMITS.items():
        text = os.environ.get(name, "").strip()
        if not text:
            continue
        try:
            value = float(text) * factor
            if not math.isfinite(value):
                raise ValueError(text)
            found[field] = getattr(
                Limits.model_validate({field: int(value) if value.is_integer() else value}), field
            )
        except (ValueError, ValidationError, OverflowError) as error:
            why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else "a number"
            raise InputError(
                f"the environment variable {name} does not fit",
                found=text,
                allowed=why,
                fix=f"unset {name}, or give limits.{field} in the settings file (docs/reference/settings.md)",
            ) from None
    return found


def non_interactive() -> bool:
    """Whether REPROLAB_NON_INTERACTIVE says that nobody can be asked. Raises InputError for a strange value."""
    text = os.environ.get("REPROLAB_NON_INTERACTIVE", "").strip().lower()
    if text not in (*_YES, *_NO):
        raise InputError(
            "the environment variable REPROLAB_NON_INTERACTIVE does not fit",
            found=text,
            allowed="1 (nobody can be asked) or 0",
            fix="unset it, or set it to 1",
        )
    return text in _YES
