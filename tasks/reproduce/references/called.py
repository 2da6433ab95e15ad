"""Whether what was computed is what the paper's words call its number.

Every modifier and complement that `phrases.py` finds is matched by the computed quantity, by its curve's feature, or by nothing: then
the target is at most PARTIAL. So is a number whose words name no quantity of the computed kind.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.planning.plan import Stage, Target
from schemas.reproduce.simulations.features import ON_X, CurveFeature, as_feature
from schemas.reproduce.simulations.units import canonical
from schemas.reproduce.words.bound import Called, Saying
from schemas.reproduce.words.claim_words import CLAIMS
from schemas.reproduce.words.clauses import processes_of
from simkit.describe.crystal import PATHS
from tasks.reproduce.describing.answering import Answering, answering, process_measured
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.judging.doubts import doubted
from tasks.reproduce.references.matching import FIELDS, NORMAL, matches
from tasks.reproduce.references.sizes_told import over_a_size, over_its_size, share_untold

_LOSS_IN_DB = r"(?:loss|los[et]|extinct)\w*(?=.{0,80}?\d\s*dB\b)"
# What must stand in words that a number of this kind answers.
_NAMED: dict[str, str] = {
    "reflectance": r"reflect|\bR(?:_\w+)?\b|albedo",
    "transmittance": rf"{_LOSS_IN_DB}|transmi|transparen|\bT(?:_\w+)?\b",
    "absorptance": r"absor|\bA(?:_\w+)?\b|emissivit",
    "order_efficiency": r"order|diffract|effici|reflect|transmi",
    "phase": r"phase|retard",
    "group_delay": r"delay",
    "harmonic_efficiency": r"harmonic|conver|\bSH|\bTH|effici",
    "kerr_phase": r"phase",
    "port_transmittance": rf"{_LOSS_IN_DB}|transmi|throughput|coupl|split|power|effici|crosstalk|output|deliver|receiv|\bhands?\b|"
    r"\bport|\bT(?:_\w+)?\b",
    "port_reflectance": r"reflect|return\s+loss|\bback|\bR(?:_\w+)?\b",
    "loss": r"\bloss|radiat|absor|scatter",
    "power_through": r"power|flux|fraction|share|radiat|effici|upward|downward|\b[UD](?:_\w+)?\b|direction",
    "port_phase": r"phase",
    "port_delay": r"delay",
    "cross_section": r"cross.?section|scatter|absor|extinct|effici|\b[QC]_",
    "differential_cross_section": r"forward|backward|back.?scatter|differential|direction|radar|\b(?:Q|C|sigma|\u03c3)_\w|"
    r"scattering\s+(?:at|into|towards)",
    "far_field": r"pattern|intens|far|direct|lobe|scatter",
    "radiation_pattern": r"pattern|intens|far|direct|lobe|radiat|gain",
    **dict.fromkeys(("device_pattern", "mode_pattern"), r"pattern|intens|far|direct|lobe|radiat"),
    "half_space_pattern": r"pattern|intens|far|direct|lobe|radiat|emission|angular|power",
    "cone_share": r"fraction|share|portion|collect|effici|extract|out-?coupl|supercritical|undercritical|critical angle|"
    r"(?:emit|radiat|emission|power|light|photons?|fluorescence)\w*.{0,60}(?:into|within|through|beyond)",
    "guided_share": r"guid|\bmode|\bbeta\b|\u03b2|coupl|channel",
    "resonance_frequency": r"resona(?:n|te)|frequen|mode|wavelength|energ|omega|line",
    "quality_factor": r"quality|\bQ(?:_\w+)?(?:-factor|\b)",
    "line_width": r"line-?\s?width|fwhm|(?:full|half)[\s-]width|\bwidths?\b(?=.{0,40}(?:line|resona(?:n|te)|peak|dip|mode\b|spectr))|"
    r"(?:line|resonan\w*|peak|dip|spectral|mode(?:'s)?)\s+(?:\w+\s+){0,2}widths?\b|\b(?:nm|thz|ghz)\s+(?:wide|broad)",
    "mode_volume": r"volume|area",
    "decay_time": r"life-?time|decay|ring",
    "band_frequency": r"band|frequen|mode|cut.?off",
    "band_edge": r"band|frequen|mode|edge|cut.?off",
    "gap": r"\bgap|stop.?band|band",
    "effective_index": r"effective|\bmod(?:e|al)|\bn_?\{?eff|bloch|propagation|index|indices",
    "group_index": r"group|\bn_?\{?g",
    "beat_length": r"length|\bbeat|coupl",
    "propagation_length": r"propagat|decay|attenuat|1/e|\bL_",
    "attenuation": r"attenuat|\bloss|absor|dB",
    **dict.fromkeys(
        ("purcell_factor", "purcell_spectrum"), r"purcell|emission|decay|\brate|density of states|LDOS|power"
    ),
    **dict.fromkeys(FIELDS, r"field|intens|enhanc|\bE\b|\|E"),
}
# Names that are no other quantity's: where one stands, no words before it say what the number is.
_QUANTITY = re.compile(
    r"(?i)reflect[ai]|transmi|absorpt|scattering|extinction|quality|finesse|group|effective ind|\bn_?eff|purcell|emission|"
    r"enhance|\bphase|delay|\bloss|volume|life-?time|coupling length|band ?gap|mid-?gap|cross.?section|efficien|"
    r"frequenc|refractive|intensit|amplitude"
)
_OF_GAP = {
    "width": r"width|wide|size|large|broad|extent|gap of|opens",
    "middle": r"cent|mid|around",
    "ratio": r"ratio|relative|gap[- ](?:to[- ])?mid|%",
    "lower_edge": r"low|bottom|edge|from|between|below|begin|start|opens",
    "upper_edge": r"upp|top|edge|\bto\b|between|above|end",
}
_EVERY_WAY = re.compile(
    r"(?i)\b(?:complete|full|absolute|omni\w*)\b|\b(?:all|any|every|each|whatever)\s+(?:\w+\s+)?directions?\b"
)
_UPRIGHT = {
    "+": re.compile(r"(?i)\bup(?:wards?)?\b|\bsuperstrate\b|\babove\b"),
    "-": re.compile(r"(?i)\bdown(?:wards?)?\b|\bsubstrate\b|\bbelow\b"),
}
_ONE_WAY = re.compile(
    r"(?i)\u0393|gamma|(?-i:\b[XMK]\b)|\balong\b|\bpartial|stop.?bands?|pseudo|\bdirections?\b"
)
_ZONE = {
    "corner": re.compile(r"(?i)\bcorners?\s+of\s+(?:the|its)\s+(?:[\w-]+\s+)?zone|\bzone(?:'s)?\s+corner"),
    "centre": re.compile(
        r"(?i)\bcent(?:er|re)\s+of\s+(?:the|its)\s+(?:[\w-]+\s+)?zone|\bzone(?:'s)?\s+cent(?:er|re)"
    ),
}
_PLACES = {
    ("corner", "square"): "M",
    ("corner", "hexagonal"): "K",
    ("centre", "square"): "Gamma",
    ("centre", "hexagonal"): "Gamma",
}
# A phase is of one wave over another: what stands for the other, and a part of a structure that adds it.
_OVER_A_WAVE = re.compile(
    r"(?i)\b(?:behind|ahead\s+of|relative\s+to|(?:with\s+)?respect\s+to|compared\s+(?:to|with)|than|over\s+that\s+of|from\s+that\s+of)\s+"
    r"(?P<other>[^,;.]*)"
)
_INCIDENT = re.compile(
    r"(?i)incident|incoming|input|entering|entrance|source|launched|illuminat|first\s+(?:face|interface)|front"
)
_OTHER_WIDTH = re.compile(
    r"(?i)\b(?:angular|near[- ]?field|field|gap|rim|spot|pulse|beam|free\s+spectral|spacing|between|(?:caused|limited|given)\s+by|due\s+to|"
    r"owing\s+to|because\s+of|part\s+of|laser|emitter|source|thermal)\b"
)
_ADDS = re.compile(r"(?i)\b(?:adds?|added\s+by|contribut\w*|due\s+to|owing\s+to)\b")
_WHICH = re.compile(
    r"(?i)\b(?:long-range|odd|even|second|third|fourth|two|three|four|higher|upper|lower|next)\b|(?<![\d.])[2-9](?![\d.])"
)
_PARITY = re.compile(r"(?i)\b(?:odd|even)\b")
_TELL_WHICH = ("order", "higher", "between bands", "odd", "even", "lower edge", "upper edge")
# What words say of two results: a ratio, a difference; one in % is of points where they say so.
_OF_PAIR = ("change", "times", "ratio of", "contrast", "relative", "normalised", "half of")
_POINTS = re.compile(r"(?i)(?:%|\bper\s?cent(?:age)?|\d)[\s-]+points?\b|\babsolute\b")
_PORT = re.compile(
    r"(?i)\b(?P<where>through|bar|opposite|cross|drop|side|upper|lower|top|bottom)[-\s]+(?:[a-z]+[-\s]+)?"
    r"(?:port|arm|guide|waveguide|output|channel|branch|exit)(?P<many>s)?\b"
)
_WHERE = {
    "bar": "through",
    "opposite": "through",
    "drop": "cross",
    "side": "cross",
    "top": "upper",
    "bottom": "lower",
}
_WHATEVER = re.compile(
    r"(?i)\b(?:no\s+matter|whatever|regardless\s+of|irrespective\s+of)\s+(?!(?:\w+\s+){0,3}(?:polari|sign|phase))(?:\w+\s+){0,3}\w+"
)
_MOST = 3  # reasons that are told


def as_called(
    stage: Stage,
    found: Sequence[TargetEvidence],
    calls: Mapping[str, Called],
    description: Description | None,
) -> tuple[TargetEvidence, ...]:
    """The evidence of a stage's targets, at most PARTIAL where nothing computed is what the paper's words call the number."""
    if description is None:  # a free script's results are PARTIAL anyway
        return tuple(found)
    targets = {target.target_id: target for target in stage.numeric_targets}
    return tuple(
        doubted(
            evidence,
            unmatched(calls[name], targets[name], answering(description, name))[:_MOST]
            if (name := evidence.target_id) in calls
            else (),
            "called",
            calls[name].spoken if name in calls else "",
        )
        for evidence in found
    )


def unmatched(called: Called, target: Target, answers: Sequence[Answering]) -> list[str]:
    """What the words say of a target's number and nothing that was computed matches, in sentences."""
    feature = as_feature(target.reference.feature) if target.reference.feature is not None else None
    out = [called.column_fault] if called.column_fault else []
    pair = target.reference.made_of is not None and feature is None
    for saying in called.sayings:
        if pair and saying.kind in _OF_PAIR:
            out += [] if _of_pair(saying, target, called.spoken) else [_told(saying)]
            continue
        # "m = 8 has 1.94 times the Q of m = 7": of two results each has its own mode.
        needed = any if pair and saying.kind in _TELL_WHICH else all
        if not answers or not needed(
            matches(saying, feature, answer, target, called.spoken) for answer in answers
        ):
            out.append(_told(saying))
    if called.before and (all_of := _WHATEVER.search(called.before[0])) and feature is None:
        out.append(f"its words say {all_of[0]!r}, and one case was computed")
    for answer in answers:
        out += [*_of_kind(called, feature, answer, target), *_at_its_light(called, feature, answer, target)]
        out += [*_in_the_zone(called, answer), *_untold(called, answer), *_of_port(called, answer)]
        out += [
            *_of_which_extremum(called, answer),
            *share_untold(answer, (called.told, called.spoken, *called.before[1:])),
        ]
    return list(dict.fromkeys(out))


def _of_pair(saying: Saying, target: Target, spoken: str) -> bool:
    """Whether words that make a number one of two results make it the ratio, or the difference, that was computed."""
    words = saying.words.lower()
    if saying.kind == "change" or (saying.kind == "ratio of" and words.startswith("difference")):
        points = canonical(target.unit) != "%" or _POINTS.search(spoken) is not None
        return target.reference.made_of == "difference" and points
    return target.reference.made_of == "ratio" and not words.startswith(("product", "sum"))


def _of_port(called: Called, answer: Answering) -> list[str]:
    """Light that leaves through another port than the words name: straight on or across, above or below the others of its side."""
    port, found = getattr(answer.quantity, "port", None), _PORT.search(called.spoken)
    if port is None or found is None:
        return []
    through = (port,) if isinstance(port, str) else tuple(dict.fromkeys(port))
    wrong = [
        f"its words say {found[0]!r}, and light was computed that leaves through port {' and '.join(through)}"
    ]
    if len(through) > 1:
        return [] if found["many"] else wrong
    (port,) = through
    ports = {one.id: one for one in answer.scene.ports}
    own, source, where = ports[port], ports[answer.scene.source], found["where"].lower()

    def straight(one: Any) -> bool:
        along = one.side[1] == source.side[1] and one.side != source.side
        return along and math.isclose(float(one.center), float(source.center), abs_tol=1e-6)

    beside = [float(one.center) for one in ports.values() if one.side == own.side]
    other = {
        "through": not straight(own) and any(map(straight, ports.values())),
        "cross": straight(own) and len(ports) > 2,
        "upper": float(own.center) < max(beside),
        "lower": float(own.center) > min(beside),
    }
    return wrong if other[_WHERE.get(where, where)] else []


def _untold(called: Called, answer: Answering) -> list[str]:
    """A mode, band or gap beyond the first that no words of the number tell."""
    own = answer.quantity
    place = next((int(n) for name in ("mode", "band", "above") if (n := getattr(own, name, None))), 1)
    by_parity = {s.kind for s in called.sayings} <= {"odd", "even", "relative"} and not _WHICH.search(
        _PARITY.sub(" ", called.spoken)
    )  # the first of its parity
    if place > 2 and by_parity and _PARITY.search(called.spoken):
        return [
            f"its words say which parity it has, and {answer.type} number {place} was computed: {called.spoken[:120]!r}"
        ]
    if place < 2 or any(s.kind in _TELL_WHICH for s in called.sayings) or _WHICH.search(called.spoken):
        return []
    if any(_WHICH.search(meant) for meant in _meant(called)):
        return []
    return [
        f"the paper's words say nothing of which one the number is of, and {answer.type} number {place} was computed: "
        f"{called.spoken[:120]!r}"
    ]


def _meant(called: Called) -> Iterator[str]:
    """What the words around give a symbol to that alone is all that is said: "the transmitted first odd mode (T1)"."""
    symbol = called.spoken.strip()
    if re.fullmatch(r"[A-Za-z]{1,2}_?\d{0,2}", symbol):
        for words in called.before:
            for match in re.finditer(rf"([^.;()]{{3,80}})\(\s?{re.escape(symbol)}\s?\)", words):
                yield match[1]


def _told(saying: Saying) -> str:
    what = "what was computed is not known to be that"
    if saying.kind == "unknown":
        return f"its words call it {saying.words!r}; {what}"
    return f"its words say {saying.words!r}; {what}"


def _of_kind(called: Called, feature: CurveFeature | None, answer: Answering, target: Target) -> list[str]:
    """Where the words do not name the kind of quantity whose value answers them."""
    if feature is not None and any(part.kind in (*ON_X, "quality_factor", "slope") for part in feature.parts):
        return []
    out, kind, spoken = _of_light(called, answer), answer.type, called.spoken
    own = process_measured(answer.quantity) or None
    for words in (spoken, *called.before) if kind in _NAMED else ():
        if re.search(_NAMED[kind], words, re.IGNORECASE) or own in processes_of(words):
            break
        if _QUANTITY.search(words):
            out.append(f"its words name no {kind.replace('_', ' ')}, which was computed")
            break
    else:
        out += [f"its words name no {kind.replace('_', ' ')}, which was computed"] if kind in _NAMED else []
    other = _OTHER_WIDTH.search(spoken) if kind == "line_width" else None
    out += [f"its words say {other[0]!r}, and the whole width of a mode's line was computed"] if other else []
    intensity = re.search(r"(?i)intens|power|squared|\^2|\u00b2|energy", spoken) is not None
    if kind in FIELDS and intensity != (answer.quantity.field == "intensity"):
        out.append(
            f"its words speak of {'an intensity' if intensity else 'a field'}, and "
            f"{'an intensity' if answer.quantity.field == 'intensity' else 'a field'} was computed"
        )
    out += _upside_down(spoken, answer)
    other = _OVER_A_WAVE.search(spoken) if kind == "phase" else None
    if (other and not _INCIDENT.search(other["other"])) or (kind == "phase" and _ADDS.search(spoken)):
        out.append(
            "its words speak of a phase over another wave's than the incident one's, over which it was computed"
        )
    if kind == "mode_volume" and canonical(target.unit) == "1":
        medium = (
            re.search(r"(?i)/\s*n\b|\bmaterial|\bmedium|dielectric|semiconductor|/n[)_^]", spoken) is not None
        )
        if medium != (answer.quantity.per == "medium"):
            out.append(f"its words do not say that the volume is in wavelengths of {answer.quantity.per}")
    if kind == "cross_section" and answer.quantity.per is not None and not _over_what_is_said(called, answer):
        out.append(
            "its words name no size that the cross-section is divided by, and it is not the body's shadow"
        )
    if kind == "gap" and not re.search(_OF_GAP[answer.quantity.what], spoken, re.IGNORECASE):
        out.append(
            f"its words do not speak of the gap's {answer.quantity.what.replace('_', ' ')}, which was computed"
        )
    elif (
        kind == "gap"
        and answer.quantity.what != "ratio"
        and re.search(r"(?i)\bratio|relative|gap[- ](?:to[- ])?mid", spoken)
    ):
        out.append(
            f"its words speak of a ratio, and the gap's {answer.quantity.what.replace('_', ' ')} was computed"
        )
    return out


def _over_what_is_said(called: Called, answer: Answering) -> bool:
    """Whether a cross-section is over what its own phrase names (a saying of it then), the paper elsewhere, or else the shadow."""
    return (
        re.search(r"(?i)normali|over the|divided|per\b", called.spoken) is not None
        or over_its_size("geometric", answer)
        or over_a_size(called.over, answer)
    )


def _upside_down(spoken: str, answer: Answering) -> list[str]:
    """Where the words speak of light that goes up, or down, and the other was computed."""
    side = getattr(
        answer.quantity, {"power_through": "towards", "device_pattern": "side"}.get(answer.type, ""), ""
    )
    said = {sign for sign, form in _UPRIGHT.items() if form.search(spoken)}
    if side[1:] != "y" or len(said) != 1 or side[0] in said:
        return []
    names = {"+": "up", "-": "down"}
    return [
        f"its words speak of light that goes {names[said.pop()]}, and what goes {names[side[0]]} was computed"
    ]


def _of_light(called: Called, answer: Answering) -> list[str]:
    """Where the words speak of several processes, and what was computed is not the one that is named last before the number."""
    own, said = process_measured(answer.quantity), processes_of(called.told)
    joined = re.search(
        r"(?i)(?:reflect|transmi|absor|scatter|exti)\w*(?:,|,? and|,? or)\s+(?:the\s+)?(?:reflect|transmi|absor|scatter|exti)",
        called.told,
    )
    if not own or len(set(said)) < 2 or own == said[-1] or (joined and own in said):
        return []
    return [f"its words speak of {said[-1]} light, and {own} light was computed"]


def _of_which_extremum(called: Called, answer: Answering) -> list[str]:
    """Where another extremum than the highest was followed over a sweep, and the words single none out."""
    words = " ".join((called.spoken, *called.before[:1]))
    if not any(answer.extrema) or any(
        form.search(words) for kind, form in CLAIMS if kind in ("order", "higher")
    ):
        return []
    return [
        f"its words do not say which extremum it is of, and number {max(answer.extrema, key=abs)} was followed"
    ]


def _in_the_zone(called: Called, answer: Answering) -> list[str]:
    """Where bands were followed on a shorter way than the usual one, and the words do not say so; or read at another place."""
    if answer.type in ("gap", "band_edge"):
        scene, words = answer.scene, " ".join((called.spoken, *called.before[:1]))
        usual = {scene.point(corner) for corner in PATHS[scene.lattice.type]}
        if not usual <= set(scene.corners()) and (_EVERY_WAY.search(words) or not _ONE_WAY.search(words)):
            return [
                "its words do not speak of some directions only, and bands were followed along "
                + " - ".join(str(corner) for corner in scene.path)
            ]
    for place, form in _ZONE.items() if answer.type == "band_frequency" else ():
        meant = _PLACES.get((place, answer.scene.lattice.type))
        if (
            meant
            and form.search(called.spoken)
            and answer.scene.point(answer.quantity.k) != answer.scene.point(meant)
        ):
            return [
                f"its words place it at the {place} of the zone, and it was computed at {answer.quantity.k}"
            ]
    return []


def _at_its_light(
    called: Called, feature: CurveFeature | None, answer: Answering, target: Target
) -> list[str]:
    """Where the words place the number at a wavelength, and it was computed at one wavelength that is another."""
    if answer.line is None or feature is not None or canonical(target.unit) in NORMAL:
        return []
    close = [value for value in called.at_light if 0.5 < value / answer.line < 2]
    if close and not any(abs(value - answer.line) <= 1e-3 * value for value in close):
        return [f"its words place it at {close[0]:g} um, and it was computed at {answer.line:g} um"]
    return []
