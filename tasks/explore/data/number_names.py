"""Names by which a text cites numbers: n003.time, best.time, best.time.gain."""

from __future__ import annotations

import re
from collections.abc import Collection


def slug(text: str, taken: Collection[str] = ()) -> str:
    """A metric's or parameter's name as a part of a number's name; another one where it is taken."""
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:40] or "value"
    name, count = plain, 2
    while name in taken:
        name, count = f"{plain}_{count}", count + 1
    return name


def slugs(names: Collection[str]) -> dict[str, str]:
    """Each name's slug, all different, in their order."""
    found: dict[str, str] = {}
    for name in names:
        found[name] = slug(name, set(found.values()))
    return found
