"""Which words call for which quantities of the vocabulary of descriptions, and which for what none of them can give.

The vocabulary is closed, so the table is; a word that it does not know is said to be unknown, and nothing is guessed from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Called:
    """What words may call for. quantities: of the vocabulary, by the name of their class (`simkit.describe`)."""

    name: str
    quantities: tuple[str, ...]
    words: re.Pattern[str]


def _called(name: str, quantities: str, words: str) -> Called:
    return Called(name, tuple(quantities.split()), re.compile(words, re.IGNORECASE))


CALLED: tuple[Called, ...] = (
    _called(
        "reflectance",
        "Reflectance PortReflectance",
        r"\breflect(?:ance|ivit(?:y|ies)|ion(?! (?:grating|geometry|mode))|ed)\b|\breturn loss",
    ),
    _called(
        "transmittance",
        "Transmittance PortTransmittance",
        r"\btransmi(?:ttance|ssivity|ssion)s?\b|\btransmitted (?:power|intensity|light)\b(?! order)|"
        r"\b(?:coupling|insertion) efficienc|\bthroughput\b|\bextinction ratio",
    ),
    _called(
        "absorptance",
        "Absorptance",
        r"\babsor(?:ptance|ptivity|bance)\b|\babsorption\b(?! (?:cross|coefficient|efficien|length))(?!(?:,|"
        r" and| or)[^.;]{0,40}(?:cross|efficienc))|\bemissivity\b|\bthermal emittance",
    ),
    _called(
        "diffraction efficiency",
        "OrderEfficiency",
        r"\bdiffraction efficienc|\befficienc(?:y|ies) of the [^.;]{0,60}\borders?\b|"
        r"\bpower in (?:the )?[^.;]{0,60}\borders?\b|\bdiffracted (?:power|intensit|orders?)|\b(?:order|"
        r"grating) efficienc",
    ),
    _called(
        "phase",
        "Phase PortPhase",
        r"\bphases?\b(?! (?:velocity|matching|diagram|mask|transition|shifter))|\bretardance\b",
    ),
    _called("delay", "GroupDelay PortDelay", r"\b(?:group |photon |wigner )?delays?\b(?! line)|\bdwell time"),
    _called(
        "loss",
        "Loss PortTransmittance",
        r"\b(?:insertion|bend(?:ing)?|radiation|excess|scattering|coupling|crossing|splice) loss(?:es)?\b|"
        r"\bloss(?:es)? of the (?:bend|crossing|taper|splitter|junction|coupler)",
    ),
    _called(
        "cross section",
        "CrossSection",
        r"\bcross[- ]?sections?\b(?! (?:of|through|view) the (?:wave|structure|device|sample|guide|fib))|"
        r"\b(?:scattering|extinction|absorption) efficienc|\bQ_?\{?(?:sca|ext|abs)",
    ),
    _called(
        "scattering into one direction",
        "DifferentialCrossSection",
        r"\b(?:forward|backward)[- ]scatter\w*|\bback-?scatter\w*|\bdifferential (?:scattering )?cross[- ]sections?|\bkerker\b",
    ),
    _called(
        "field",
        "NearField PointField FieldAlong CellField DeviceField ModeProfile GuidedProfile",
        r"\b(?:near[- ]?field|field|intensity) (?:enhancement|distribution|profile|pattern|map|intensit)|"
        r"\bnear[- ]fields?\b|\bmode[- ](?:field )?profiles?\b|\b(?:electric|magnetic) fields?\b"
        r"(?! (?:vector |is |lies |points |swings )?(?:along|across|parallel|perpendicular|normal|transverse|polari[sz]|in the|out of))|"
        r"\b(?:magnitude|amplitude|modulus) of (?:the )?[EH]_?[a-z]?\b|\bintensity (?:along|across|in|at|"
        r"behind) the|\bfoc(?:us|al spot|al line)\b|\|E",
    ),
    _called(
        "pattern",
        "FarField RadiationPattern HalfSpacePattern DevicePattern ModePattern",
        r"\b(?:radiation|emission|scattering|far[- ]field) (?:patterns?|diagrams?)|\bfar[- ]fields?\b|"
        r"\bangular (?:distribution|dependence of the scatter|spectrum)|\bscattered intensity (?:against|over|"
        r"versus)|\bdirectivit|\bphase function\b",
    ),
    _called(
        "resonance",
        "ResonanceFrequency",
        r"\bresonan(?:ce|t)s? ?(?:wavelength|frequenc|position|energ|shift)|\bresonances\b(?! (?:in|"
        r"of) (?:the )?(?:reflect|transmi))|\beigenfrequenc|\bmode (?:wavelength|frequenc)|"
        r"\bcavity (?:wavelength|frequenc)",
    ),
    _called(
        "quality factor",
        "QualityFactor",
        r"\bquality[- ]factors?\b|\bQ[- ]?factors?\b|(?-i:\bQ\b)(?!_)|\bfinesse\b",
    ),
    _called("linewidth", "LineWidth", r"\b(?:line|band)-?\s?widths?\b|\bFWHM\b|\bfull width"),
    _called("mode volume", "ModeVolume", r"\b(?:mode|modal|effective) volumes?\b"),
    _called(
        "lifetime",
        "DecayTime RingDown",
        r"\bphoton lifetimes?\b|\bcavity lifetimes?\b|\bring-?down\b|\bdecay times?\b",
    ),
    _called(
        "bands",
        "Bands BandFrequency BandEdge",
        r"\bbands\b(?! of)|\b(?:band|dispersion) (?:diagrams?|structures?|relations?|curves?)\b|"
        r"\bdispersions?\b(?= of (?:the )?(?:bands?|modes?|surface|guided|lattice|crystal))|\bband edges?\b|"
        r"\bcut-?off frequenc",
    ),
    _called(
        "band gap",
        "Gap",
        r"\b(?:band|stop)[- ]?gaps?\b|\bphotonic gaps?\b|\bgap[- ](?:(?:to[- ])?mid-?gap|maps?\b)|"
        r"\bT[EM] gaps?\b",
    ),
    _called(
        "effective index",
        "EffectiveIndex",
        r"\beffective (?:refractive |mode |modal )?ind(?:ex|ices)|\b(?:mode|modal) ind(?:ex|ices)|"
        r"\bBloch(?:[- ](?:mode|wave))? ind(?:ex|ices)|"
        r"\bpropagation constants?\b|\bn_?\{?eff|\bneff\b",
    ),
    _called(
        "group index",
        "GroupIndex",
        r"\bgroup (?:ind(?:ex|ices)|velocit(?:y|ies))|\bslow[- ]?down factor|\bn_?\{?g\}?\b",
    ),
    _called("coupling length", "BeatLength", r"\b(?:coupling|beat|transfer|crossover) lengths?\b"),
    _called(
        "propagation length",
        "PropagationLength",
        r"\bpropagation (?:length|distance|range)s?\b|\b(?:plasmon(?:ic|s)?|SPPs?|modes?|modal|1/e|power|propagation) "
        r"(?:decay|attenuation) (?:length|distance)s?\b|\bL_?\{?(?:prop|spp)",
    ),
    _called(
        "attenuation",
        "Attenuation",
        r"\b(?:propagation|modal|mode|waveguide|guide|ohmic|linear) (?:loss(?:es)?|attenuations?)\b|\battenuation (?:coefficient|"
        r"constant)s?\b|\bdB ?(?:/|per) ?(?:cm|mm|m|km|um|\u00b5m|\u03bcm|micron|centimet|millimet|met)",
    ),
    _called(
        "emission rate",
        "PurcellFactor PurcellSpectrum",
        r"\bpurcell\b|\b(?:emission|decay|radiative) rates?\b|\blocal density of (?:optical |"
        r"photonic )?states\b|\bLDOS\b",
    ),
    _called(
        "share of a cone",
        "ConeShare",
        r"\b(?:collection|extraction|out-?coupling|coupling-out) efficienc|\bsuper-?critical(?:[- ]angle)?(?: light| emission| "
        r"fluorescence| share| fraction)?|\b(?:beyond|above|below) the critical angle|"
        r"\b(?:fraction|share|portion) of (?:the )?(?:\w+ )?(?:light|power|emission|photons|fluorescence)[^.;]{0,40}"
        r"\b(?:into|within|collect)",
    ),
    _called(
        "light in a guided mode",
        "GuidedShare",
        r"\b(?:beta|\u03b2)[- ]?(?:factors?\b|\s*=)|"
        r"\bcoupling (?:factor|efficienc\w+) (?:in)?to (?:the |a |its )?(?:\w+[- ]){0,3}(?:mode|guide|waveguide)s?\b|"
        r"\b(?:fraction|share|portion) of (?:the )?(?:\w+ ){0,3}(?:light|power|emission|photons|rate)[^.;]{0,60}\bguided\b|"
        r"\b(?:emission|decay) rates? into (?:the |a )?(?:\w+[- ]){0,3}(?:modes?|guides?)\b|\bguided (?:emission|decay) rates?\b",
    ),
    _called("harmonic", "HarmonicEfficiency", r"\b(?:second|third)[- ]harmonic\b|\b[ST]HG\b"),
    _called(
        "nonlinear phase", "KerrPhase", r"\bkerr (?:phase|shift)|\bnonlinear phase|\bself[- ]phase modulation"
    ),
    _called(
        "power through a line",
        "PowerThrough",
        r"\bpower (?:radiated|crossing|flow(?:s|ing)?|that leaves)\b|\bupward (?:power|radiation)|"
        r"\bdirectionality of (?:the|a) grating",
    ),
)

# What a paper shows that no scene computes: by the word for what is missing.
_OUT = tuple(
    (why, re.compile(words, re.IGNORECASE))
    for why, words in (
        (
            "a picture of a sample, or a drawing",
            r"\bmicrograph|\bmicroscop\w+ image|\bS[ET]M\b|\bphotograph|\bschematic|\bsketch|\bcartoon|"
            r"\billustration|\bartist|\bflow ?chart|\bset-?up\b|\bAFM\b",
        ),
        (
            "lasing or gain",
            r"\blas(?:ing|er)\b[^.;]{0,40}\b(?:threshold|output|power|curve|current|linewidth)|"
            r"\blight[- ]current\b|\bthreshold (?:current|pump|power)|\b(?:optical|modal|material|raman) gain\b|"
            r"\bamplified\b|\bL-?I curve",
        ),
        (
            "heat",
            r"\btemperatures?\b|\bthermal (?:conduct|expansion|tuning|drift|resist)|\bheat(?:ing|er)?\b|\bkelvin\b",
        ),
        (
            "carriers or currents",
            r"\bcarrier (?:density|lifetime|concentration|dynamics)|\bphotocurrents?\b|\bbias\b|\bvoltages?\b|"
            r"\bresponsivit|\bI-?V\b|\bquantum efficienc|\bopen-circuit|\bshort-circuit|\bcurrent densit",
        ),
        (
            "quantum statistics of light",
            r"\bcorrelation functions?\b|\bg\^?\(?2\)?|\bphoton statistics|\bantibunch|\bentangle|"
            r"\bsingle[- ]photon (?:source|purity)|\brabi\b|\bsqueez",
        ),
        (
            "motion or mechanics",
            r"\bmechanical\b|\boptomechanic|\bvibration|\bdisplacement noise|\bstress\b|\bstrain\b|\bacoustic|"
            r"\bphonon",
        ),
        (
            "electrons or charged particles",
            r"\belectron (?:beam|energy|bunch|source)|\baccelerat(?:ion|ed|or|ing)\b|\bEELS\b|\bcathodolumin|"
            r"\bx-ray",
        ),
        (
            "chemistry or biology",
            r"\bconcentration\b|\bbind(?:ing)? (?:affinity|kinetic)|\banalyte|\bcells? viab|\bassay\b",
        ),
        ("magneto-optics", r"\bfaraday rotation|\bmagneto-?optic|\bmagnetic circular"),
        (
            "disorder, statistics of samples",
            r"\bhistogram|\bdisorder|\bfabrication (?:error|tolerance|imperfection)|\byield\b|\broughness\b|"
            r"\bfabricated (?:devices|samples|cavities)\b",
        ),
        ("noise or bits", r"\bbit error|\beye diagram|\bnoise (?:figure|spectrum|floor)|\bdata rate"),
        (
            "four-wave mixing, combs, solitons",
            r"\bfour-wave|\bfrequency combs?\b|\bsolitons?\b|\bsupercontinuum|\braman (?:spectr|shift|scatter)|"
            r"\bbrillouin",
        ),
    )
)


def quantities_called(words: str) -> tuple[Called, ...]:
    """What the words call for, in the table's order; () where the table knows none of them."""
    return tuple(called for called in CALLED if called.words.search(words))


def out_of_reach(words: str) -> tuple[tuple[str, str], ...]:
    """(what is missing, the word that calls for it) of what no scene of the vocabulary computes."""
    return tuple((why, match[0]) for why, form in _OUT if (match := form.search(words)))
