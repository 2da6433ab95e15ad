"""What words say that a number is of: the materials, bodies, states and kinds of light that they name, and the light's colour.

What these tables do not know is none. Names of one material ("TiO2", "titania") are one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.reproduce.materials.material_names import MATERIAL, MATERIALS
from schemas.reproduce.words.said import Said

_STATES = re.compile(  # one word, of whatever ending: "annealing", "annealed"
    r"\b(?:(?P<state>heat|cool|anneal|baked|freez|frozen|molten|stretch|strained|bent\b|swollen|wet(?:ted)?\b|oxidi[sz]|corrod|aged\b|"
    r"irradiat|doped|hydrogenat|magneti[sz]ed|contaminat|scratch|porous|bare\b|uncoated|after\s+(?:an?|one|two|three|several|\d+)\s+(?:hour|day|week|month|year))\w*|"
    r"(?P<body>sphere|grating|prism|cube|cone|pyramid|lens|antenna|dimer|nanowire|fib(?:re|er))(?:e?s)?\b|"
    r"(?P<light>sunlight|daylight|white(?=\slight)|sound\b|electron(?=s?\b)|neutron(?=s?\b)|x-ray(?=s?\b)|incoherent|pulse(?=[sd]?\b)|diffuse\b|hemispheric|(?<=light\sfrom\s)(?:all|every)\s+(?:directions?|sides?|angles?)|"
    r"(?:intense|strong|focus?sed|converging)(?=\s+(?:beam|light|laser|illumination)))\w*)",
    re.IGNORECASE,
)
_COMPARED = re.compile(  # what stands behind is not what the number is of
    r"(?i)\b(?:than|compared|relative\s+to|unlike|like|as\s+(?:much|well|good|high|low|large|strong)\b[^.;,]{0,30}?\bas|similar\s+to|instead\s+of|without)\b"
)
_COLOURS = {
    "ultraviolet": (0.01, 0.42),
    "violet": (0.38, 0.46),
    "blue": (0.42, 0.505),
    "green": (0.485, 0.58),
    "yellow": (0.555, 0.61),
    "orange": (0.58, 0.645),
    "red": (0.595, 0.8),
    "near-infrared": (0.7, 3.0),
    "near infrared": (0.7, 3.0),
    "mid-infrared": (2.0, 60.0),
    "infrared": (0.7, 1000.0),
    "visible": (0.37, 0.8),
}
_COLOUR = re.compile(
    rf"(?i)\b(?:(?:in|of|for|with|under|at)\s+the\s+(?P<the>{'|'.join(_COLOURS)})(?=\s*(?:[,.;:)]|$|(?:part|range|region|spectr\w*|the|an?|of|it|its|only|and)\b|[A-Z\d]))|"
    rf"(?<![-\w])(?P<of>{'|'.join(_COLOURS)})(?:-|\s+)(?:(?:laser|incident|visible)\s+)?(?:light|lasers?|photons?|beams?|radiation|illumination)\b)"
)


def subjects_in(text: str) -> tuple[Said, ...]:
    """Every material, body, state and kind of light that a text names. text: as `written.readable` leaves it."""
    found = [
        Said("subject", MATERIALS[int(str(match.lastgroup)[1:])][0], match.start(), match.end())
        for match in MATERIAL.finditer(text)
    ]
    for match in _STATES.finditer(text):
        word = " ".join((match["state"] or match["body"] or match["light"]).lower().split())
        found.append(Said("subject", word, match.start(), match.end()))
    return tuple(found)


def subjects_of(text: str) -> frozenset[str]:
    """The same without their places."""
    return frozenset(one.value for one in subjects_in(text))


def compared_in(clause: str) -> int:
    """Where a clause begins to speak of what its number is compared with; its length where it does not."""
    found = _COMPARED.search(clause)
    return found.start() if found else len(clause)


def colours_in(text: str) -> Iterator[Said]:
    """The colours of light that a text names; their values are both ends in um."""
    for match in _COLOUR.finditer(text):
        low, high = _COLOURS[(match["the"] or match["of"]).lower()]
        yield Said("colour", f"{low} {high}", match.start(), match.end())
