"""Words that name a feature of a curve; that call a number the most, the least or a mean, whatever the word; and an input light."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.reproduce.rules.made_of import CHANGED_BY
from simkit.describe.parameters import Parameter

EXTREMUM = (
    r"maxim|minim|\bpeak|\bdips?\b|\bnull|trough|crest|notch|highest|lowest|largest|smallest|greatest|strongest|"
    r"deepest|brightest|resonan|\bmodes?\b|\blines?\b|\bbands?\b|anomal|extrem|vanish|suppress"
)

# What must stand in the sentence for a kind of feature to be taken; value_at is bound by its abscissa.
NAMED: dict[str, str] = {
    "position": EXTREMUM + r"|\breach",
    "value": EXTREMUM
    + r"|up to\b|down to\b|\breach|as (?:high|low|large|small) as\b|at (?:most|least|best)\b|exceed|"
    r"(?:falls?|drops?|rises?|increas\w+|decreas\w+) to\b|unity|perfect|complete",
    "prominence": r"prominen|depth|height|contrast|modulat|visib|amplitude|extinct|" + EXTREMUM,
    "width": r"width|fwhm|half[ -]maxim|\bwide\b|broad|\bnarrow",
    "quality_factor": r"quality|finesse|\bQ\b",
    "slope": r"slope|steep|sensitiv|dispersion|gradient|\brate\b|\bper\b|linear",
    "crossing": r"cross|intersect|\blevel|equal|threshold|onset|cut-?off|\bedge|\bhalf\b|falls?\b|drops?\b|rises?\b|exceed|"
    r"above|below|reach|pass(?:es)?\b|\bzero\b",
    "integral": r"integra|\btotal|\barea|\bsum|oscillator strength",
    "mean": r"\bmean\b|averag",
    "cutoff": r"cut-?off|\bedge|onset|\bdB\b|\bhalf\b|falls?\b|drops?\b|rises?\b|threshold",
    "ratio": r"ratio|\btimes\b|fold\b|factor|contrast|\bover\b|relative|finesse|enhanc|larger|smaller|higher|lower|stronger|"
    r"weaker|\btwice\b|\bhalf\b|normali[sz]ed|visib|in comparison|compared (?:with|to)\b|"
    r"(?:\d|%|per ?cent|third|quarter|tenth) of (?:it|that|its|those)\b",
    "difference": r"shift|split|spacing|separat|differ|distance|free[ -]spectral|\bfsr\b|mov(?:es?|ed|ing)|between|apart|"
    r"contrast|detun|\bgap\b|period|modulat|depth|swing|range|change|vari|retard|\blags?\b|birefring|dichro|"
    rf"{CHANGED_BY}",
    "band_gap": r"\bgap|stop ?-?band|\bband",
}
# How a paper names them, for who is refused.
NAMED_BY = {
    "position": "'its maximum lies at 720 nm'",
    "value": "'has a maximum of 30 %', 'falls to 3 %'",
    "prominence": "'a dip 12 % deep', 'a contrast of 0.8'",
    "width": "'a full width of 12 nm'",
    "quality_factor": "'a quality factor of 300'",
    "slope": "'a slope of 2 nm per degree'",
    "crossing": "'crosses one half at 633 nm', 'falls below 10 % at 1.2 um'",
    "integral": "'0.3 in total'",
    "mean": "'a mean of 12 % over the band'",
    "cutoff": "'drops to one half at 1.2 um', 'an edge at 900 nm'",
    "ratio": "'1.5 times that of', 'a ratio of 3', '0.58 of it'",
    "difference": "'a shift of 7 nm', 'is lowered by 25 MHz', 'they differ by 3 nm'",
    "band_gap": "'a gap of 0.1 c/a'",
}

# A value that no other exceeds, whatever the word: of the value itself, not of "the thinnest film" or "the largest period".
_MOST_OF_ALL = re.compile(
    r"(?i)\b(?:(?:high|larg|great|strong|bright|steep|low|small|weak|deep|faint|dim|dark|full|pur)est|most|least|best|summit|apex|"
    r"zenith|crests?|culminat\w*|tops?\s+out|extremum)\b"
    r"(?!\s+(?:\w+\s+)?(?:films?|layers?|coating\w*|diam\w+|radi\w+|thick\w*|gaps?|periods?|pitch\w*|width\w*|heights?|depths?|orders?|"
    r"angles?|ind(?:ex|ices)|spacings?|separations?|lengths?|sizes?|number\w*|dis[ck]s?|rods?|wires?|particles?|spheres?|gratings?|stacks?|"
    r"samples?|structures?|modes?|bands?|resonanc\w+|lines?|frequenc\w+|wavelengths?|of\s+(?:the\s+)?(?:light|power|energy|field|cases?)|likely|cases?|common\w*)\b)"
)
_MEAN = re.compile(
    r"(?i)\b(?:on\s+average|averages|averaged?\s+(?:of|over|value)|mean\s+(?:of|value)|the\s+(?:mean|average))\b"
)
_OF_LIGHT = re.compile(
    r"(?i)wave|light|laser|lamp|illumin|\blit\b|prob|frequenc|photon|pump|source|excit|emi[ts]|radiat|\u03bb|lambda|"
    r"\bat\s+(?:about\s+)?[\d.]"
)


def most_or_mean(clause: str) -> str:
    """What a clause calls its number: the most or the least of all, or a mean; '' if nothing of the kind."""
    found = _MOST_OF_ALL.search(clause) or _MEAN.search(clause)
    return found[0] if found else ""


def lights(inputs: Sequence[Parameter]) -> list[Parameter]:
    """The inputs that the paper's words call light: "slots of 540 nm" are no wavelength at which a number is told."""
    return [item for item in inputs if not item.quotation or _OF_LIGHT.search(item.quotation)]
