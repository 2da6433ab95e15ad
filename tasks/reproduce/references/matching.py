"""Whether what the paper's words say of a number is matched by what was computed: a rule for each kind of claim."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.features import CurveFeature
from schemas.reproduce.simulations.units import canonical
from schemas.reproduce.words.bound import Saying
from simkit.describe.base import INF
from tasks.reproduce.describing.answering import Answering
from tasks.reproduce.references.light_told import left_over, points_so
from tasks.reproduce.references.sizes_told import near, over_its_size

NORMAL = ("c/a", "a", "2pi/a", "pi/a")
FIELDS = ("near_field", "point_field", "cell_field", "device_field", "field_along")
POWERS = (
    "reflectance",
    "transmittance",
    "absorptance",
    "order_efficiency",
    "port_transmittance",
    "port_reflectance",
    "power_through",
)
_SHARES = (*POWERS, "loss", "harmonic_efficiency")
_GUIDED = (
    "effective_index",
    "group_index",
    "guided_profile",
    "port_transmittance",
    "port_reflectance",
    "port_phase",
    "port_delay",
)
_OF_BAND = ("band_frequency", "band_edge", "bands")
_PURCELL = ("purcell_factor", "purcell_spectrum")
_LOST_ON_THE_WAY = ("propagation", "mode", "ohmic", "metal", "absorption")
_INCIDENT = r"incident|input|incoming|launched|injected|pump|source|excitation|illumin"
_PERS = r"unit|cent$|crossing|bend|turn|corner|splitter|coupler|junction|device|interface|taper"


def matches(
    saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
) -> bool:
    if answer.type == "measured" and saying.kind in _OWN:
        return True  # arithmetic of the description's own, which witnesses and a reader judge
    if (
        saying.kind in _OF_Q
        and answer.type != "quality_factor"
        and re.search(r"(?i:quality)|\bQ\b", spoken)
        and (feature is None or feature.kind not in ("width", "quality_factor"))
    ):
        return True  # said of the quality factor beside it
    rule = _RULES.get(saying.kind)
    return rule is not None and rule(saying, feature, answer, target, spoken)


_OF_Q = ("loaded", "unloaded", "radiative", "a part of the loss")
_OWN = (
    "unknown",
    "mean",
    "integrated",
    "contrast",
    "finesse",
    "relative",
    "normalised",
    "amplitude",
    "half of",
    "conversion",
    "ratio of",
    "change",
    "excepted",
)
_UNKNOWN_INDEX = 2.0  # of a material's medium
Rule = Callable[[Saying, CurveFeature | None, Answering, Target, str], bool]


# The whole width of a line, as the words call this number itself: no comb's, filter's or pulse's, not that of another curve of the
# sentence, not a half of it.
_WHOLE = r"(?:full\s+)?(?:line)?width\s+at\s+half[- ](?:of\s+)?(?:(?:its|the)\s+)?max\w*"
_LINE = (
    r"(?:the|its|this|that|each|a)\s+(?:(?:cavity|guided|trapped|leaky|fundamental|first|second|narrow|broad|sharp|fano)\s+)?"
    r"(?:line|resonance|mode|peak|dip)"
)
_IS = r"\s*(?:\b(?:is|was|of|equals)\b|=|:)\s*(?:about\s+|only\s+)?"
_ALONE = r"\d[\d.]*\s?[A-Za-z\u00b5%]{1,4}\s*(?:[,;.)]|$)"
_AT_HALF = re.compile(
    rf"(?i)^\s*(?:(?:its|the|their)\s+)?{_WHOLE}(?:\s+of\s+{_LINE})?{_IS}{_ALONE}|"
    rf"(?:^|[,;.])\s*{_LINE}\s+(?:has|shows|with)\s+an?\s+{_WHOLE}{_IS}{_ALONE}|"
    rf"\blinewidth\s*\({_WHOLE}\){_IS}{_ALONE}"
)


def _level(
    saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
) -> bool:
    wanted = float(saying.value)
    wide = re.search(r"(?i)width|\bQ\b|quality|wide\b|fwhm", spoken) is not None
    if feature is None:
        fallen = answer.type == "propagation_length" and near(wanted, 1 / math.e)
        of_line = answer.type in ("line_width", "quality_factor") and _AT_HALF.search(spoken) is not None
        alone = len(re.findall(r"(?i)\bhalf|amplitude", spoken)) == 1
        return (of_line and alone and near(wanted, 0.5)) or (not wide and ("%" in saying.words or fallen))
    reads = [part for part in feature.parts if part.kind in ("width", "quality_factor", "cutoff", "crossing")]
    if not reads:
        return wide or "%" in saying.words
    return all(
        part.level
        and near(part.level[0], wanted)
        or part.kind in ("width", "quality_factor", "cutoff")
        and not part.level
        and near(part.fraction, wanted)
        and (part.kind == "cutoff" or "db" not in saying.words.lower())
        for part in reads
    )


def _order(
    saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
) -> bool:
    words, own = saying.words.lower(), answer.quantity
    if saying.value.startswith("label"):
        digits = saying.value.split()[1]
        fundamental = digits in ("0", "00") or words.startswith(
            ("lp01", "lp_01", "he11", "he_11", "lp_{01", "he_{11")
        )
        if fundamental:
            return _first(answer, "te")
        polarization = getattr(answer.scene, "polarization", "")
        counted = len(digits) == 1 and answer.scene.dimensions == "2D" and polarization != "all"
        mode = _mode(answer) or 0
        return answer.type in _GUIDED and (mode == int(digits) + 1 if counted else mode >= 2)
    number = int(saying.value)
    if re.search(r"maxim|minim|peak|dip|null|notch|resona(?:n|te)|anomal", words) and feature is not None:
        return any(part.number == number for part in feature.parts) or number in map(abs, answer.extrema)
    if re.match(r"\w\s*=", words) and getattr(answer.scene, "m", None) is None and number in answer.values:
        return True  # "at m = 4": a number of the structure that the paper calls so
    if answer.type == "order_efficiency":
        signed = re.search(r"[+\u2212-]\s*\d|minus|plus|positive|negative", words) is not None
        return sum(abs(one) for one in own.order) == abs(number) and (
            not number or not float(answer.scene.angle) or signed
        )
    if answer.type == "harmonic_efficiency":
        return bool(own.harmonic == number)
    if answer.type == "gap":
        return number in ((own.above,) if "gap" in words else (own.above, own.above + 1))
    if "order" in words and answer.type in _SHARES:
        return number == 0 and _only_zeroth(answer)
    if answer.type in _OF_BAND:
        return bool(own.band == number)
    if answer.type in _GUIDED:
        return _mode(answer) in ((number, number + 1) if "order" in words or "=" in words else (number,))
    if answer.scene.type == "resonator":
        return (
            answer.scene.m is not None
            and abs(answer.scene.m) == abs(number)
            and bool(re.search(r"\bm\s*=|azimuth|angular", words))
        )
    return feature is not None and any(part.number == number for part in feature.parts)


def _only_zeroth(answer: Answering) -> bool:
    """Whether a periodic structure has no other order than the zeroth in its band."""
    scene = answer.scene
    if scene.type != "unit_cell":
        return False
    indices = [
        float(side.index) if getattr(side, "index", None) is not None else _UNKNOWN_INDEX
        for side in (scene.below, scene.above)
    ]
    tilted = 1.0 if scene.angle else 0.0
    return all(
        float(period) * (max(indices) + tilted) < 1 / scene.band.frequencies()[1] for period in scene.period
    )


def _first(answer: Answering, spoken: str) -> bool:
    """Whether it is the first of its kind; of a guide's modes of both polarisations, of one of them."""
    mode = _mode(answer)
    if mode is not None:
        both = getattr(answer.scene, "polarization", "") == "all" and re.search(
            r"(?i)\bt[em]|te\b|tm\b", spoken
        )
        return mode == 1 or bool(both and mode == 2)
    if answer.type in (*_OF_BAND, "gap"):
        return bool((answer.quantity.above if answer.type == "gap" else answer.quantity.band) == 1)
    if answer.type == "order_efficiency":
        return set(answer.quantity.order) == {0}
    return getattr(answer.quantity, "choose", "only") in ("only", "strongest")


def _higher(
    saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
) -> bool:
    if any(answer.extrema) or (feature is not None and any(part.number for part in feature.parts)):
        return True
    if answer.type == "order_efficiency":
        return any(answer.quantity.order)
    place = _mode(answer) or getattr(answer.quantity, "band", None) or getattr(answer.quantity, "above", 0)
    return bool((place or 0) >= 2)


def _mode(answer: Answering) -> int | None:
    """The number of the guided mode; of a device the source's, where light leaves in any."""
    mode = getattr(answer.quantity, "mode", None)
    return (
        mode if mode is not None else getattr(answer.scene, "mode", None) if answer.type in _GUIDED else None
    )


def _normalised(
    saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
) -> bool:
    to, words, own = saying.value, saying.words.lower(), answer.quantity
    sized = re.search(r"radius|radii|diameter|geometric|cross|\barea|width|height|\bside|length", to)
    if words.startswith("compared") and not re.search(r"(?i)factor|times|fold|ratio|enhanc", spoken):
        return True
    if feature is not None and feature.kind in ("ratio", "difference"):
        return True
    if re.search(_INCIDENT, to):
        return answer.type in (*_SHARES, *FIELDS, "phase", "group_delay")
    if answer.type == "cross_section" and sized:
        return over_its_size(to, answer)
    if answer.type in _PURCELL and _surrounds(answer, to):
        return True
    if re.search(r"vacuum|free|homogen|bulk|background|isolated|unbounded|empty|absence", to):
        return answer.type in _PURCELL or getattr(own, "over", "") in ("alone", "isotropic")
    if re.search(r"max|peak|largest", to):
        return getattr(own, "over", "") == "maximum" or answer.type in ("guided_profile", "mode_profile")
    if re.search(r"mid|cent", to):
        return answer.type == "gap" and own.what == "ratio"
    if re.search(r"lattice|period|\bc\b|\bc/a|\ba\b|pi", to):
        return canonical(target.unit) in NORMAL
    return False


def _surrounds(answer: Answering, to: str) -> bool:
    """Whether words name what a dipole's scene is filled with: "as in air", "relative to the host"."""
    index = float(getattr(answer.scene.background, "index", None) or 0.0)
    return re.search(r"\b(?:host|matrix|surround\w*)\b", to) is not None or (
        near(index, 1.0) and re.search(r"\bair\b", to) is not None
    )


def _relative(
    saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
) -> bool:
    word, own = re.split(r"\s", saying.words.lower())[0], answer.quantity
    if (
        feature is not None
        and feature.kind in ("ratio", "difference")
        and word in ("relative", "normalized", "normalised")
    ):
        return True
    if word == "effective":
        return (
            answer.type in ("effective_index", "beat_length")
            or "index" not in spoken.lower()
            and answer.type == "mode_volume"
        )
    if word == "excess":
        return answer.type == "loss" or left_over(answer, spoken)
    if word == "reduced":
        return True
    if word == "relative":
        return answer.type in _PURCELL or (answer.type == "gap" and own.what == "ratio")
    if word.startswith("normal"):
        return (
            canonical(target.unit) in NORMAL
            or answer.type in (*_SHARES, *_PURCELL, *FIELDS)
            or bool(getattr(own, "per", None))
            or getattr(own, "over", "") == "maximum"
            or answer.type.endswith("_profile")
        )
    return False


def _place(
    saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
) -> bool:
    """At a named light: the value there, or the one wavelength computed at, is the input that the paper calls so."""
    if feature is not None and feature.kind != "value_at":
        return True  # an extremum or a width, where it is
    if feature is None and answer.line is None:
        return True
    return bool(set(saying.inputs) & answer.light) if feature is None else bool(saying.inputs)


def _at_extremum(
    saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
) -> bool:
    if feature is not None:
        return feature.kind not in ("value_at", "slope", "integral", "mean")
    return answer.scene.type in ("resonator", "crystal", "waveguide")


_BAND = re.compile(
    r"(?i)band|range|spectr|window|interval|wavelength|frequenc|\d\s*(?:[nµu]m|micro\w+|nano\w+|[TGM]Hz|m?eV|cm)\b"
)
_OTHER_MEAN = re.compile(
    r"(?i)\brms\b|root|median|typical|polari|angle|inciden|azimuth|orient|direction|reali[sz]|sample|device|period|weight|solar|"
    r"\b(?:both|all|two|three|many|several|geometric|harmonic|running|moving)\b"
)
_OVER = re.compile(r"(?i)\b(?:over|across|throughout|between|within)\b(.*)")


def _mean(
    saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
) -> bool:
    """The mean over a band that the words name; not over polarisations, angles or samples."""
    over = _OVER.search(spoken)
    return (
        _kind(feature) == "mean"
        and _OTHER_MEAN.search(spoken) is None
        and _BAND.search(over[1] if over else spoken) is not None
    )


def _amplitude(
    saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
) -> bool:
    if feature is not None and feature.kind == "prominence":
        return True
    return getattr(answer.quantity, "field", "intensity") != "intensity" or answer.type.endswith("_profile")


def _points(
    saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
) -> bool:
    if answer.type != "band_frequency":
        return True
    label = str(answer.quantity.k)
    return label.lower() == saying.value.replace("\u03b3", "gamma") or "(" in label


def _between(
    saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
) -> bool:
    low, high = (int(number) for number in saying.value.split())
    return answer.type != "gap" or (answer.quantity.above, answer.quantity.above + 1) == (low, high)


def _edge(*whats: str, band: str) -> Rule:
    def rule(
        saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
    ) -> bool:
        if answer.type == "band_edge":
            return bool(answer.quantity.edge == band)
        if answer.type == "gap":
            return answer.quantity.what in whats
        return feature is not None and feature.kind in ("crossing", "cutoff")

    return rule


def _led_out(answer: Answering) -> bool:
    """Whether a guide without an end stands beside a resonator."""
    bodies = getattr(answer.scene, "bodies", ()) if answer.scene.type == "resonator" else ()
    axes = "xy" if getattr(answer.scene, "dimensions", "") == "2D" else "xyz"
    return len(bodies) > 1 and any(
        max(abs(float(end)) for axis in axes for end in getattr(body, axis, (0,))) >= INF for body in bodies
    )


def _where(test: Callable[[CurveFeature | None, Answering], bool]) -> Rule:
    return lambda saying, feature, answer, target, spoken: test(feature, answer)


def _kind(feature: CurveFeature | None) -> str:
    return feature.kind if feature is not None else ""


_WITHOUT = re.compile(r"without|absence|free\s+space|vacuum|homogeneous|bulk|unbounded|infinite|far\s+from")


def _times(
    saying: Saying, feature: CurveFeature | None, answer: Answering, target: Target, spoken: str
) -> bool:
    """ "1.2 times that without the mirror" of a rate that is over just that, "30 times that of the incident light" of a field."""
    if answer.type in ("purcell_factor", "purcell_spectrum"):
        return _WITHOUT.search(saying.value) is not None or _surrounds(answer, saying.value)
    if answer.type in FIELDS:
        return re.search(r"incident|incoming|illuminat", saying.value) is not None
    return _kind(feature) in ("difference", "ratio", "prominence")


# A part of what a dipole gives off, or more than one dipole.
_NOT_OF_ONE = re.compile(
    r"(?i)guided|radiat|\binto\b|collect|\bboth\b|\btwo\b|\bthree\b|ensemble|emitters|dipoles|orientation|average"
)


def _total(answer: Answering, spoken: str) -> bool:
    if answer.type in _PURCELL:
        return not _NOT_OF_ONE.search(re.sub(r"(?i)guided wavelengths?", "", spoken))
    if answer.type == "port_transmittance":
        all_ports = len(answer.scene.ports) <= len(answer.quantity.ports) + 1
        return all_ports and answer.quantity.mode is None
    return answer.type != "order_efficiency"


_RULES: dict[str, Rule] = {
    "level": _level,
    "order": _order,
    "higher": _higher,
    "normalised": _normalised,
    "relative": _relative,
    "place": _place,
    "at extremum": _at_extremum,
    "amplitude": _amplitude,
    "point": _points,
    "between bands": _between,
    "fundamental": lambda saying, feature, answer, target, spoken: _first(answer, spoken),
    "group": lambda saying, feature, answer, target, spoken: (
        (answer.type == "bands" and _kind(feature) == "slope")
        if "veloc" in saying.words
        else answer.type in ("group_index", "group_delay", "port_delay")
    ),
    "loaded": _where(
        lambda feature, answer: (
            _led_out(answer)
            or (_kind(feature) in ("width", "quality_factor") and answer.scene.type != "resonator")
        )
    ),
    "unloaded": _where(lambda feature, answer: answer.scene.type == "resonator" and not _led_out(answer)),
    "radiative": _where(
        lambda feature, answer: (
            answer.scene.type == "resonator" and not answer.materials and not _led_out(answer)
        )
    ),
    "integrated": _where(lambda feature, answer: _kind(feature) == "integral"),
    "total": lambda saying, feature, answer, target, spoken: _total(answer, spoken),
    "per": lambda saying, feature, answer, target, spoken: (
        bool(re.match(_PERS, saying.value)) or "/" in target.unit
    ),
    "half of": lambda saying, feature, answer, target, spoken: (
        _kind(feature) == "ratio"
        or (saying.words.lower() == "squared" and getattr(answer.quantity, "field", "") == "intensity")
    ),
    "forward": lambda saying, feature, answer, target, spoken: (
        answer.type == "far_field"
        or (_first(answer, "") and answer.type == "order_efficiency")
        or (
            answer.type == "differential_cross_section"
            and points_so(saying.words, float(answer.quantity.angle))
        )
    ),
    "change": _where(lambda feature, answer: _kind(feature) in ("difference", "ratio", "prominence")),
    "times": _times,
    "uncertainty": _where(lambda feature, answer: False),
    "of all": lambda saying, feature, answer, target, spoken: (
        (
            feature is not None
            and (any(part.extremum for part in feature.parts) or feature.kind in ("mean", "integral"))
        )
        or (saying.value.startswith("direction") and answer.type in ("gap", *_OF_BAND))
    ),
    "loss per length": _where(lambda feature, answer: answer.type in ("propagation_length", "attenuation")),
    "loss of": lambda saying, feature, answer, target, spoken: (
        (answer.type == "attenuation" and saying.value in _LOST_ON_THE_WAY)
        or {"reflection": "reflectance", "absorption": "absorptance"}.get(saying.value) == answer.type
        or left_over(answer, spoken, saying.value)
    ),
    "part": lambda saying, feature, answer, target, spoken: (
        answer.type in ("effective_index", "resonance_frequency", "band_frequency")
        and saying.words.lower().startswith("real")
    ),
    "excepted": _where(lambda feature, answer: False),
    "beside": _where(lambda feature, answer: _kind(feature) != "position"),
    "ratio of": _where(
        lambda feature, answer: _kind(feature) in ("ratio", "difference") or answer.type == "gap"
    ),
    "conversion": _where(lambda feature, answer: answer.type == "harmonic_efficiency"),
    "a part of the loss": _where(
        lambda feature, answer: answer.type == "cross_section"
    ),  # Q_abs, an efficiency
    "half width": _where(lambda feature, answer: False),
    "mean": _mean,
    "passes": _where(lambda feature, answer: False),
    "finesse": _where(lambda feature, answer: _kind(feature) == "ratio"),
    "contrast": lambda saying, feature, answer, target, spoken: (
        "contrast" in saying.words.lower() and _kind(feature) in ("ratio", "difference", "prominence")
    ),
    "lower edge": _edge("lower_edge", band="maximum"),
    "upper edge": _edge("upper_edge", band="minimum"),
    "even": _where(
        lambda feature, answer: (
            answer.scene.type != "waveguide"
            or answer.scene.period is not None
            or answer.scene.polarization == "all"
            or (_mode(answer) or 1) % 2 == 1
        )
    ),
    "odd": _where(
        lambda feature, answer: (
            answer.scene.type != "waveguide"
            or answer.scene.period is not None
            or answer.scene.polarization == "all"
            or (_mode(answer) or 2) % 2 == 0
        )
    ),
}
