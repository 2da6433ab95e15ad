"""Readings of a paper that leaves a choice, and which of them are alternatives that the paper itself states."""

from __future__ import annotations

import re
import unicodedata

from pydantic import Field

from schemas.base import Identifier, Model

_SAY_NOTHING = frozenset(
    "a an the of at in on is are was be and or to for from with by as it nm um mm cm m thz ghz ev".split()
)


class Reading(Model):
    """One way to read a paper that leaves a choice, and the targets that test it.

    With the paper's words it is a stated reading; several of one parameter, with different values, are alternatives.
    Without words it is inferred: its targets are tested and shown, and count for nothing.
    """

    name: str
    targets: tuple[Identifier, ...] = Field(min_length=1)
    parameter: str = Field(
        "",
        description="what is read in several ways, in the paper's word or symbol: it stands in the "
        "quotation of each of its readings",
    )
    value: str = Field(
        "", description="what this reading takes it to be, as the quotation says it, for example '300 nm'"
    )
    quotation: str = Field(
        "",
        description="verbatim words of the paper that state this reading, with parameter and value; "
        "empty if inferred",
    )
    reason: str = Field("", description="why it is tested")

    def fault(self) -> str:
        """Why its words state no reading; empty if they do, or if it is an inferred one."""
        if not self.quotation:
            return ""
        missing = [
            name for name in ("parameter", "value") if set(_words(getattr(self, name))) <= _SAY_NOTHING
        ]
        if missing:
            return f"a stated reading names what it reads and how; {' and '.join(missing)} not given"
        said = f" {' '.join(_words(self.quotation))} "
        absent = [part for part in (self.parameter, self.value) if f" {' '.join(_words(part))} " not in said]
        if set(_words(self.parameter)) & set(_words(self.value)) - _SAY_NOTHING:
            return f"parameter {self.parameter!r} and value {self.value!r} are the same words"
        return f"its quotation does not say {' and '.join(map(repr, absent))}" if absent else ""


def alternatives(readings: tuple[Reading, ...]) -> tuple[tuple[Reading, ...], ...]:
    """Groups of stated readings of one parameter with different values, whose words say both."""
    groups: dict[tuple[str, ...], dict[tuple[str, ...], list[Reading]]] = {}
    for reading in readings:
        if reading.quotation and not reading.fault():
            groups.setdefault(_words(reading.parameter), {}).setdefault(_words(reading.value), []).append(
                reading
            )
    return tuple(
        tuple(reading for same in group.values() for reading in same)
        for group in groups.values()
        if len(group) > 1
    )


def _words(text: str) -> tuple[str, ...]:
    """Its words and numbers in lower case, a number apart from its unit; no dashes, quotes or Markdown."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("_", " ")
    return tuple(re.findall(r"\d+(?:\.\d+)?|[^\W\d]+|[%\u00b0]", plain))
