"""One tree of errors. Each says what was wrong, what was found, what is allowed and what to do."""

from __future__ import annotations


class ReproLabError(Exception):
    """Base of every expected error; printed without a traceback.

    exit_code: the process exit code the command line uses for it.
    """

    exit_code = 1

    def __init__(self, what: str, *, found: object = None, allowed: object = None, fix: str | None = None):
        self.what, self.found, self.allowed, self.fix = what, found, allowed, fix
        super().__init__(self.text())

    def text(self) -> str:
        """The message, one fact a line."""
        lines = [self.what]
        if self.found is not None:
            lines.append(f"  found:   {self.found}")
        if self.allowed is not None:
            lines.append(f"  allowed: {self.allowed}")
        if self.fix:
            lines.append(f"  fix:     {self.fix}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:  # crosses process and Prefect boundaries unchanged
        return (_rebuild, (type(self), self.what, self.found, self.allowed, self.fix))


def _rebuild(
    kind: type[ReproLabError], what: str, found: object, allowed: object, fix: str | None
) -> ReproLabError:
    return kind(what, found=found, allowed=allowed, fix=fix)


class InputError(ReproLabError):
    """A paper, setting, answer or file given by a person does not fit."""

    exit_code = 2


class PrerequisiteError(ReproLabError):
    """The environment lacks something; the message is the fix. No agent is asked about it."""

    exit_code = 4


class StateError(ReproLabError):
    """A node wrote what it does not own, or ran without what it needs."""


class AnswerError(ReproLabError):
    """A model's answer does not fit its schema, or never came."""


class UnreadableAnswer(AnswerError):
    """An answer fits its schema, and the code that has to use it cannot."""


class ModelError(ReproLabError):
    """The model behind the agents failed (network, rate limit, authentication)."""


class LimitExceeded(ReproLabError):
    """A hard limit of the run (money, tokens, time) was reached."""


class ReplayError(ReproLabError):
    """A recorded transcript does not hold what the run asks for."""


class DiskReadForbidden(ReproLabError):
    """An artifact file for people was about to decide something."""


class AwaitingAnswer(ReproLabError):
    """The run needs a person and nobody can be asked now; it was saved and can be resumed."""

    exit_code = 3
