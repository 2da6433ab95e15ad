"""What can go wrong between an agent and the model behind it. All survive pickling (Prefect moves them)."""

from __future__ import annotations

from typing import Any, Literal

from schemas.errors import AnswerError, ModelError, PrerequisiteError, ReplayError
from schemas.talking.transcript import Usage

FatalReason = Literal["authentication", "configuration", "not_found", "billing", "too_large", "request"]


class _Extras:
    """Carries extra attributes of an error across pickling."""

    _extras: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        facts = {name: getattr(self, name) for name in ("found", "allowed", "fix", *self._extras)}
        return (_rebuild, (type(self), getattr(self, "what"), facts))  # noqa: B009


def _rebuild(kind: type[Any], what: str, facts: dict[str, Any]) -> Any:
    return kind(what, **facts)


class TransientModelError(_Extras, ModelError):
    """Rate limit, overload, time-out, broken connection: the same request may succeed later.

    retry_after_s: seconds the server asked to wait, None if it did not say.
    usage: tokens already paid for by earlier tries of the same call.
    """

    _extras = ("retry_after_s", "usage", "price_usd")

    def __init__(
        self,
        what: str,
        *,
        found: object = None,
        allowed: object = None,
        fix: str | None = None,
        retry_after_s: float | None = None,
        usage: Usage | None = None,
        price_usd: float | Literal["unknown"] | None = None,
    ):
        self.retry_after_s = retry_after_s
        self.usage = usage or Usage()
        self.price_usd = price_usd
        super().__init__(what, found=found, allowed=allowed, fix=fix)


class FatalModelError(_Extras, ModelError):
    """Key, configuration, model name or request is wrong: repeating cannot help.

    reason: what kind; "too_large" means the request exceeds the model's context (context overflow).
    """

    _extras = ("reason", "usage", "price_usd")

    def __init__(
        self,
        what: str,
        *,
        found: object = None,
        allowed: object = None,
        fix: str | None = None,
        reason: FatalReason = "request",
        usage: Usage | None = None,
        price_usd: float | Literal["unknown"] | None = None,
    ):
        self.reason = reason
        if reason == "authentication":  # a key is missing on this computer
            self.exit_code = PrerequisiteError.exit_code
        self.usage = usage or Usage()
        self.price_usd = price_usd
        super().__init__(what, found=found, allowed=allowed, fix=fix)


class InvalidAnswer(_Extras, AnswerError):
    """The answer does not fit its schema.

    raw: the last answer as text. problems: what does not fit, one a line. usage, price_usd: what it cost all the same.
    """

    _extras = ("raw", "problems", "usage", "price_usd", "tries")

    def __init__(
        self,
        what: str,
        *,
        found: object = None,
        allowed: object = None,
        fix: str | None = None,
        raw: str = "",
        problems: tuple[str, ...] = (),
        usage: Usage | None = None,
        price_usd: float | Literal["unknown"] | None = None,
        tries: int = 1,
    ):
        self.raw = raw
        self.problems = tuple(problems)
        self.usage = usage or Usage()
        self.price_usd = price_usd
        self.tries = tries
        super().__init__(what, found=found, allowed=allowed, fix=fix)


class NotRecorded(ReplayError):
    """A replay that may leave its recording has no answer there, and no rule stands in: what needs it ends."""
