"""A reader's scope as words on the command line."""

from __future__ import annotations

import re

from pydantic import TypeAdapter, ValidationError

from schemas.base import Identifier
from schemas.errors import InputError
from schemas.reproduce.planning.scope import Scope

_NAMED = re.compile(r"(figure|section|claim)s?\s*[:=]\s*(.+)", re.IGNORECASE | re.DOTALL)
_HEADED = re.compile(r"([\w.-]+)\s*[:=]")
_IDENTIFIER: TypeAdapter[str] = TypeAdapter(Identifier)


def parse_scope(lines: list[str]) -> Scope:
    """The scope of `--scope` words: `figures: fig1, fig2`, `section: 3.2`, `claim: ...`; a bare word is a figure, a
    sentence is a claim. Raises InputError."""
    found: dict[str, list[str]] = {"figures": [], "sections": [], "claims": []}
    for line in lines:
        match = _NAMED.fullmatch(line.strip())
        if match and match[1].lower() == "figure":
            found["figures"] += [name for name in re.split(r"[,;\s]+", match[2]) if name]
        elif match:
            found[match[1].lower() + "s"].append(match[2].strip())
        elif unknown := _HEADED.match(line.strip()):
            raise InputError(
                "a scope begins with a word that is none of its kinds",
                found=line.strip()[:200],
                allowed="figures, sections or claim before the colon",
                fix=f"for example --scope 'figures: fig1'; for a claim in words: --scope 'claim: {unknown[1]}...'",
            )
        else:
            found["figures" if _is_name(line.strip()) else "claims"].append(line.strip())
    try:
        return Scope.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(
            "a scope does not fit",
            found=str(first["input"])[:200],
            allowed=f"{'.'.join(map(str, first['loc']))}: {first['msg']}",
            fix="for example --scope 'figures: fig1, fig3' --scope 'section: 3.2' --scope 'claim: the dip is at "
            "620 nm'",
        ) from error


def _is_name(text: str) -> bool:
    try:
        _IDENTIFIER.validate_python(text)
        return True
    except ValidationError:
        return False
