"""Words for what there is and how it is arranged, and for elements that a structure may have: tables for `structure_words.py`."""

from __future__ import annotations

import re
from typing import Literal

Body = Literal[
    "air",
    "in air",
    "square lattice",
    "hexagonal lattice",
    "solid",
    "pattern",
    "several",
    "upright dipole",
    "flat dipole",
    "metal",
    "changed",
]
NAMED = {
    "sheet": re.compile(
        r"(?i)\bsheets?\b|graphene|monolayer|two-dimensional material|resistive|surface conductivit|\bohms?\b"
    ),
    "conductor": re.compile(
        r"(?i)metal|conduct|mirror|\bPEC\b|perfect(?:ly)?\s+reflect|gold|silver|alumini?um"
    ),
}
_DIPOLE = r"(?:dipoles?|emitters?|molecules?|currents?|dots?|atoms?)"
_FACE = r"(?:mirrors?|surfaces?|interfaces?|films?|metal|face|plane|substrate)"
NAMED |= {
    "upright dipole": re.compile(
        r"(?i)perpendicular|\bnormal(?!\s+incidence)|vertical|upright|\bpoint(?:s|ing)?\s+(?:straight\s+)?(?:at|to|away)"
    ),
    "flat dipole": re.compile(r"(?i)parallel|horizontal|in-plane|\balong\b"),
}
_AIR = r"(?:air|vacuum|free\s+space)"
BODIES: tuple[tuple[Body, re.Pattern[str]], ...] = (
    (
        "air",
        re.compile(
            rf"(?i)\b(?:has|have|with|and)\s+{_AIR}\s+(?:above|on\s+top|over|below|around|on\s+(?:the\s+other|its\s+other|both|all))|"
            rf"\b(?:surrounded\s+by|bounded\s+by|embedded\s+in|suspended\s+in|free\s+in|stands?\s+in|lies?\s+in)\s+{_AIR}\b|"
            rf"\b{_AIR}\s+(?:(?:is|lies)\s+)?(?:above|on\s+top|over)\b|\b{_AIR}[- ]clad\w*"
        ),
    ),
    (
        "in air",
        re.compile(
            r"(?i)\b(?:rods|cylinders|wires|spheres|pillars|posts|bodies)\b[^.;]{0,50}?\b(?:(?:stand|lie|sit|are)\s+in|surrounded\s+by)\s+"
            rf"{_AIR}\b"
        ),
    ),
    (
        "upright dipole",
        re.compile(
            rf"(?i)\b{_DIPOLE}\b[^.;]{{0,60}}?\b(?:point\w*|orient\w*|direct\w*|stand\w*|perpendicular(?:ly)?|normal|vertical(?:ly)?)\s+"
            rf"(?:straight\s+)?(?:(?:at|to|towards?|away\s+from|on)\s+)(?:the\s+)?(?:\w+\s+)?{_FACE}\b|\b(?:vertical|perpendicular|upright)\s+{_DIPOLE}\b"
        ),
    ),
    (
        "flat dipole",
        re.compile(
            rf"(?i)\b{_DIPOLE}\b[^.;]{{0,60}}?\b(?:parallel\s+to\s+(?:the\s+)?(?:\w+\s+)?{_FACE}|along\s+the\s+(?:line|{_FACE}))\b|"
            rf"\b(?:horizontal|parallel|in-plane)\s+{_DIPOLE}\b"
        ),
    ),
    (
        "metal",
        re.compile(
            r"(?i)\b(?:back|rear|bottom|underside|front|top|other\s+(?:side|face)|sides?|faces?)\s+(?:of\s+(?:it|the\s+\w+)\s+)?(?:is|are|was|were)\s+"
            r"(?:silvered|gilded|gilt|alumini[sz]ed|metalli[sz]ed|mirrored)\b|\b(?:silvered|gilded|alumini[sz]ed|metalli[sz]ed)\s+(?:back|rear|side|face)"
        ),
    ),
    (
        "changed",
        re.compile(
            r"(?i)\b(?:tak|remov|etch|wear|dissolv|consum|strip|polish|eat)\w*\s+(?:away\s+|off\s+)?(?:an?|one|two)\s+(?:half|third|thirds|quarter|fifth|tenth)s?\s+of\s+"
            r"(?:it|its|the\s+(?:films?|layers?|thickness|height|depth)|them)\b|\b(?:shrinks?|swells?|thins?|shortens?)\s+(?:it\s+|the\s+film\s+|them\s+)?"
            r"(?:by|to)\s+(?:an?|one|[\d.]+)\b"
        ),
    ),
    ("square lattice", re.compile(r"(?i)\bsquare\s+(?:\w+\s+)?(?:lattice|array|grid)\b")),
    (
        "hexagonal lattice",
        re.compile(r"(?i)\b(?:hexagonal|triangular|honeycomb)\s+(?:\w+\s+)?(?:lattice|array|grid)\b"),
    ),
    (
        "solid",
        re.compile(
            r"(?i)\b(?:an?|the|each|single|one|silicon|gold|silver|glass|dielectric|metal\w*)\s+(?:\w+\s+){0,2}(?:(?:nano|micro)?(?:spheres?|balls?|cubes?|"
            r"spheroids?|ellipsoids?)|point\s+(?:dipole|source|emitter)|molecule|quantum\s+dot|atom)\b"
        ),
    ),
    (
        "pattern",
        re.compile(
            r"(?i)\b(?:strips|stripes|grooves|teeth|pillars|nanopillars|posts|holes|islands|corrugat\w+|cut\s+into|patterned)\b"
        ),
    ),
    (
        "several",
        re.compile(
            r"(?i)\b(?:two|three|four|an?\s+pair\s+of|pair\s+of|double|further|additional|second|another)\s+(?:[a-z-]+\s+){0,2}?"
            r"(?:layers?|films?|sheets?|guides?|waveguides?|slabs?|rods?|wires?|cylinders?|spheres?|balls?|dis[kc]s?|rings?|"
            r"mirrors?|coatings?|cores?)\b"
        ),
    ),
)
FLAT = re.compile(
    r"(?i)\b(?:two[- ]dimension\w*|2D|infinite(?:ly)?\s+(?:long|high|extended)|endless\w*|in\s+the\s+plane|line\s+(?:source|of)|"
    r"cylinders?|per\s+unit\s+length|effective[- ]index\s+(?:method|approx\w+)|invariant)\b"
)
