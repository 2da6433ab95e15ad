"""What a paper says in its title, abstract and conclusions, and in its own name in the introduction, that it found, in numbers: read
by code, so that no plan can pass them by.

A number is a result where its clause names a quantity that a simulation finds (a reflectance, a quality factor, a maximum and
its place), and no other theory is named for it; the others are told as numbers. What else stands beside it (that it is
computed, expected, about that much, that something else is denied) excuses nothing. Words that these tables do not know pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from schemas.reproduce.paper import PaperInput
from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.clauses import clause_of, extremum_of, governing, process_of, sentence_of
from schemas.reproduce.words.input_nouns import kinds_in_words
from schemas.reproduce.words.labels import without_bibliography
from schemas.reproduce.words.same_number import same
from schemas.reproduce.words.subject_words import subjects_of
from schemas.reproduce.words.told_in_words import told_in_words
from schemas.reproduce.words.unclaimed import reported
from schemas.reproduce.words.written import Written, numbers_in, readable
from schemas.text.unit_forms import unit_name

_ABSTRACT = r"(?:abstract|summary)"
_CONCLUSIONS = r"(?:conclusions?|concluding remarks|(?:summary|discussion) and (?:conclusions?|outlook))"
_HEAD = r"^#{{0,6}}[ \t*]*(?:\d+\.?[ \t]+)?{0}\b(?:[ \t]+and[ \t]+\w+)?[ \t*:.\u2014-]*"
_SECTIONS = tuple(
    (name, re.compile(_HEAD.format(form), re.IGNORECASE | re.MULTILINE))
    for name, form in (("abstract", _ABSTRACT), ("conclusions", _CONCLUSIONS))
)
_END = re.compile(  # a heading, or what stands in its place on a line of its own
    r"^(?P<level>#+)[ \t]|^[ \t*]*(?:\d+\.?[ \t]+)?(?:introduction|keywords?|acknowledg\w+|references)[ \t*]*(?::.*)?$",
    re.IGNORECASE | re.MULTILINE,
)
_OF_MATERIAL = re.compile(r"\s*of\s+[\w-]+(?:\s+[\w-]+)?")
_COVERED = re.compile(
    r"(?i)\b(?:clad|coated|covered|capped|passivated|overgrown|encapsulated|buried|filled|protected)\s+(?:with|by|in|under|below|beneath)\s+"
    r"(?:(?:about|some|only)\s+)?$"
)
_OBJECTS = re.compile(  # a structure has them: nothing that is found
    r"(?i)[\s-]+(?:(?!for|in|at|of|with|to|by|per|and|from|on|over)[a-z-]+[\s-]+)?(?:rods?|holes|pillars?|posts?|cylinders?|wires?|spheres?|particles|dis[kc]s|rings?|layers?|"
    r"films?|pairs?|periods?|cells?|slits?|grooves|ridges|bars|teeth|elements|bilayers?|repetitions|antennas|emitters)\b"
)
_TITLE = re.compile(r"\A\s*#[ \t]+.*\n")
_HEADING = re.compile(r"(?m)^#+[ \t*]*(?:\d+\.?[ \t]+)?(.*)$")
_INTRODUCTION = re.compile(_HEAD.format("introduction"), re.IGNORECASE | re.MULTILINE)
_OWN_WORK = re.compile(
    r"(?i)\b(?:we|this\s+(?:work|paper|letter|article|study))\b[^.;]*?\b(?:show|demonstrat|report|find|found|obtain|achiev|present|"
    r"prove|attain|reach)"
)
# What a last section may be that concludes nothing; any other concludes, whatever it is called.
_NO_CLOSING = re.compile(
    r"(?i)\b(?:results?|findings?|methods?|methodology|experiments?|materials?|theory|calculations?|simulations?|structures?|geometry|"
    r"model|setup|discussion|data|codes?|availability|acknowledg\w+|funding|authors?|contributions?|appendi\w+|supplement\w*|notes?|"
    r"introduction|abstract|disclosures?|interests?)\b"
)
_LONGEST, _MOST, _MOST_RESULTS, _COUNTS, _SHOWN = 4000, 40, 200, 12, 240
_COUNTLESS = ("quality_factor", "field_enhancement")  # of which a small whole number counts nothing
_FOLD = re.compile(r"(?i)[\s-]*(?:fold|times)\b")
# "R = 0.44", "R_max = 44 %": what the letters of optics stand for.
_LETTER = re.compile(
    r"(?<![\w'.])(?P<letter>[RTA])(?:_?\{?(?:max|min|peak|tot|total|s|p|0|TE|TM)\}?)?\s*(?:=|\u2248|~|>|<|\u2265|\u2264|of|is)\s*(?:about\s+|only\s+)?$"
)
_OF_LETTER = {"R": "reflected", "T": "transmitted", "A": "absorbed"}
_TURNED = re.compile(r"(?i)\b(?:phases?|retardances?|lifetimes?|decay\s+times?|delays?)\b")
_PLACED = re.compile(
    r"(?i)\b(?:maxim\w+|minim\w+|peaks?|dips?|resonan\w+)\b[^.;]{0,40}?\b(?:lies?|found|occurs?|appears?|is|are)\s+(?:\w+\s+)?(?:at|near)\s+(?:about\s+)?(?:an?\s+(?:\w+\s+){1,3}of\s+)?$"
)
_BAND_GAP = re.compile(r"(?i)\b(?:band|stop)[- ]?(?:gaps?|bands?)\b")
_SHIFT = re.compile(r"(?i)\b(?:shift|mov|tun|displac)\w*\b[^.;]*\bby\s+(?:about\s+|some\s+)?$")
# Where a number that another one of the clause is given for only says where that is: "96.7 % reach the mode at 1.55 um".
_GIVEN_AT = re.compile(r"(?i)\b(?:at|for)\s+(?:an?\s+|the\s+)?(?:(?:\w+\s+)?wavelengths?\s+(?:of\s+)?)?$")
_EACH = re.compile(r"(?i)\b(?:per|every|(?:for\s+)?each)\s+$")  # "0.94 GHz for each 0.1 mm"
# "a gap from 27 to 42 GHz, at a phase of 180 degrees", "less than 1.3 dB of loss up to 40 GHz"
_WHERE, _AS_FAR = (
    re.compile(r"(?i)\bat\s+an?\s+(?:[a-z]+\s+){1,3}of\s+$"),
    re.compile(r"(?i)\b(?:up|down)\s+to\s+$"),
)
_RIGHT_BEFORE = re.compile(r"\d\s+(?:at|for)\s+(?:an?\s+|the\s+)?(?:[a-z]+\s+of\s+)?$")  # "0.105 at 0.22 um"
# What a number before it is told for: "5.6 nm at an in-plane wavevector of 0.5 per micrometre", "a Q of 97 for d = 36 nm". It is called a
# size, an angle or a wave vector of what is built and lit, and has its unit; whatever else is a result.
OF_BODY = (
    r"(?:total|outer|inner|fixed|given|lateral|in-plane|transverse|tangential|grating|lattice|slab|layer|film|cap|spacer|coating|cladding|"
    r"core|rod|slit|slot|hole|ridge|rib|tooth|wire|pillar|disc|disk|ring|sphere|cylinder|shell|mirror|gold|silver|metal|silicon|silica|nitride|"
    r"oxide|glass|germanium|titania|tantala|polymer|air|guide|waveguide)"
)
_SETTING = re.compile(
    rf"(?i)[\s,(]*(?:at|for|with)\s+(?:(?:an?|the)\s+)?(?:{OF_BODY}\s+){{0,3}}?(?:"
    r"(?P<length>(?:thickness|width|height|depth|diameter|radius|period|pitch|gap|spacing|separation|length|cap|layer|film|coating|cladding|"
    r"spacer|shell|slab|substrate|rod|adlayer)\s+of|(?-i:[dthwarRDgps\u039b])(?:_?[a-z0-9{},]{1,4})?\s*=)|"
    r"(?P<angle>(?:angle|tilt)(?:\s+of\s+incidence)?\s+of|\u03b8(?:_?[a-z0-9{},]{1,4})?\s*=)|"
    r"(?P<vector>(?:wave[\s-]?vector|wave[\s-]?number)\s+of|(?-i:k)(?:_?[a-z0-9{},|\u2225]{1,4})?(?:/2\u03c0)?\s*=))\s*"
)
_ITS_DIMENSION = {
    "length": ("length",),
    "angle": ("angle",),
    "vector": ("frequency", "angular wavenumber", "wave vector"),
}
_MEETS = re.compile(r"(?i)\b(?:reach|fall|fell|drop|exceed|ris|rose|below|above|decreas|increas)")
_LEVELS_MET = (
    (0.0, ""),
    (0.0, "%"),
    (0.5, ""),
    (50.0, "%"),
    (100.0, "%"),
    (3.0, "dB"),
)  # something is sought where these are met
_SOUGHT = re.compile(  # what is found where a simulation finds it
    r"(?i)\b(?:maxim|minim|peak|dip|resonan|lines?\b|modes?\b|best|optim|critical|threshold|onset|cut-?off|cross|vanish|edge|match|coincid|"
    r"equal|zero|total|turn|design|complet|perfect|unity|found|l(?:ies|ay)\b|located|appear|occur|sits?\b|(?:larg|high|small|low|great|strong|weak|long|short|narrow|broad|wid)est\b|most\b|least\b|only\b|already\b|first\b)"
)
# What a simulation finds, and what a number of it measures.
_FOUND = {
    "quality_factor": "pure",
    "field_enhancement": "pure",
    "effective_index": "pure",
    "power": "pure",
    "rate": "pure",
    "gap_ratio": "pure",
    "width": "length spectral",
    "band_frequency": "spectral",
}
_TAKEN_IN = frozenset(
    "vertical lateral along diameter radius period gap place waist index permittivity ratio count".split()
)
# What another theory gives, named as such ("scalar theory"), is no result of this paper's simulation; what "the model" gives is.
_THEORY = re.compile(
    r"(?i)\b(?!(?:the|an?|its|this|that|and|or|of)\b)[a-z][\w-]+\s+(?:theor(?:y|ies)|formulas?|formulae|approximations?|estimates?|models?|laws?)\s+"
    r"(?:\w+\s+){0,2}?(?:gives?|predicts?|yields?|suggests?|states?|(?:over|under)estimates?)\b"
)
_OURS = re.compile(r"(?i)\b(?:we|our|ours|this|present|here|rigorous|exact|full)\b")
_POWER = re.compile(
    r"(?i)\b(?:reflect|transmi|absor|effici|emissi|scatter|extinct|intensit|field|enhanc|quality|purcell)\w*"
)
_EXTREMUM = re.compile(r"(?i)\b(?:maxim\w+|minim\w+|peaks?|dips?|resonan\w+|lines?)\b")
_MODE = re.compile(r"(?i)\b(?:resonan\w+|modes?|anomal\w+)\b")
# Before a level that something crosses, or that a whole range keeps to.
_BOUND = re.compile(
    r"(?i)(?:(?P<above>\b(?:above|over|exceed\w*|(?:more|greater|higher|larger|better) than|at least|beyond)|[>\u2265])|"
    r"(?P<below>\b(?:below|under|(?:less|lower|smaller|fewer) than|at most|within)|[<\u2264]))\s*(?:an?\s+)?$"
)
# "We assumed an effective index of 2.8", "was chosen as 5 %", "is excited at 1.55 um"; nothing between that says anything else.
_TAKEN = re.compile(
    r"(?i)\b(?:assum|adopt|choos|chos|set|fix|excit|pump|operat|illuminat|launch|driv|evaluat)\w*\s+(?:(?:as|at|to|an?|the|its|for|of)\s+|[a-z]+\s+(?:[a-z]+\s+){0,3}?of\s+){1,3}$"
)
_NOT_OURS = re.compile(  # "does not lie at 720.7 nm", "would be 90 %": with one verb, the denied or supposed one
    r"(?i)\b(?:not|never|n['\u2019]t|cannot|would|might)\s+[a-z]+\s+(?:(?:at|by|up|to|as|an?|the|of|about|around)\s+){0,2}$"
)
_SAYS = re.compile(
    r"(?i)\b(?:is|are|was|were|be|been|has|have|had|lies?|peaks?|reach\w*|shows?|exhibits?|occurs?|appears?|find|found|obtain\w*|"
    r"observ\w*|attain\w*|report\w*|demonstrat\w*|achiev\w*|places?|gives?|gets?|vanish\w*|falls?|drops?|rises?|extends?|"
    r"supports?|resonates?|equals?|amounts?|takes?|reflects?|transmits?|absorbs?|scatters?|yields?)\b"
)


@dataclass(frozen=True)
class Claim:
    """A number of the abstract or the conclusions. result: whether its clause says that the paper found it. bound: "above" or "below"
    of a level that something crosses or keeps to. process: what its clause says happens to the light, '' if nothing or more. setting:
    whether all that its words say by it, wherever it stands, is at which value of an input another number holds."""

    place: str
    number: Written
    words: str
    result: bool
    bound: str = ""
    process: str = ""
    setting: bool = False

    @property
    def told(self) -> str:
        """The number with its unit."""
        n = self.number
        return f"{n.low:g}{f' to {n.high:g}' if n.low < n.high else ''} {n.unit}".strip()

    def among(self, values: Iterable[tuple[float, str]], loosest: float = 0.05) -> bool:
        """Whether both ends of it are among values with units, as rounded as they are written: to `loosest` of themselves at most,
        as those in words are ("nine tenths")."""
        known, own = tuple(values), _plain(self.number.unit)
        return all(
            any(same(end, own, value, _plain(unit), self._rounding(end, loosest)) for value, unit in known)
            for end in (self.number.low, self.number.high)
        )

    def _rounding(self, end: float, loosest: float) -> float:
        if not end:
            return 1e-3
        return max(1e-3, min(loosest, self.number.half / abs(end) * 1.001)) if self.number.half else 0.05


def _plain(unit: str) -> str:
    return unit_name(unit) if unit else ""


def claims_of(paper: PaperInput) -> tuple[Claim, ...]:
    """The numbers of title, abstract, conclusions and the introduction's own claims that have a unit or a quantity's name, each
    once, at most 40."""
    found: dict[tuple[float, float, str, str], Claim] = {}
    for place, text in (("title", paper.title), *sections_of(paper.text)):
        for claim in _claims(place, text):
            key = (claim.number.low, claim.number.high, claim.number.unit, claim.process)
            known = found.setdefault(key, claim)
            own = claim if claim.result and not known.result else known
            found[key] = replace(own, setting=claim.setting and known.setting)
    results = [claim for claim in found.values() if claim.result][:_MOST_RESULTS]
    told = [claim for claim in found.values() if not claim.result][:_MOST]
    return (*results, *told)


def claims_in(text: str, place: str) -> tuple[Claim, ...]:
    """Every number of a statement that is a result by what it is; no small whole ones without a unit of their own."""
    plain, words = readable(text), " ".join(readable(text).split())
    said = tuple(
        Claim(place, n, words[:_SHOWN], True, process=process) for n, process in told_in_words(plain)
    )
    return said + tuple(
        _claim(place, plain, number, True, words)
        for number in numbers_told(plain)
        if not (plain[number.start : number.end].isdigit() and number.high <= _COUNTS)
        and not (not number.unit and number.high == int(number.high) and _OBJECTS.match(plain, number.end))
    )


def sections_of(text: str) -> Iterator[tuple[str, str]]:
    """(name, text) of abstract and conclusions, and of what the introduction says in the paper's own name. Where no abstract is
    headed so, it is what stands before the first heading; where no conclusions are, the last section that could be some."""
    body = without_bibliography(text)
    if begin := _INTRODUCTION.search(body):
        told = section(body, begin.end())
        for own in _OWN_WORK.finditer(told):
            low, high = sentence_of(told, own.start(), own.end())
            yield "introduction", told[low:high]
    headings = list(_HEADING.finditer(body))
    for name, head in _SECTIONS:
        if begin := head.search(body):
            yield name, section(body, begin.end(), begin[0].count("#"))
        elif name == "conclusions" and len(headings) > 2 and not _NO_CLOSING.search(headings[-1][1]):
            yield name, section(body, headings[-1].end())
        elif name == "abstract":
            title = _TITLE.match(body)
            start = title.end() if title else 0
            if _END.search(body, start):  # without any heading, nothing says where an abstract would end
                yield name, section(body, start)


def section(text: str, start: int, level: int = 0) -> str:
    """The text from `start` to the next heading of its own level or above, of limited length."""
    ends = (
        found.start()
        for found in _END.finditer(text, start)
        if not found["level"] or len(found["level"]) <= max(2, level)
    )
    return text[start : min(next(ends, len(text)), start + _LONGEST)]


def numbers_told(text: str) -> Iterator[Written]:
    """The numbers of a text that state something: no labels, no ends of ranges, no small bare counts."""
    for number in numbers_in(text):
        bare = not number.unit or text[number.start].isalpha()  # "from one m to the next" is no length
        whole = number.high == int(number.high) and "." not in text[number.start : number.end]
        count = bare and whole and abs(number.high) <= _COUNTS and not _multiplies(text, number)
        if not (number.label or number.in_range or count):
            yield number


def _multiplies(text: str, number: Written) -> bool:
    """Whether a small whole number counts nothing: "a 12-fold increase", "an enhancement of 12"."""
    return (
        number.high > 1
        and not text[number.start].isalpha()
        and (_FOLD.match(text, number.end) is not None or governing(text, number) in _COUNTLESS)
    )


def _claims(place: str, text: str) -> Iterator[Claim]:
    plain = readable(text)
    for number, process in told_in_words(plain):
        start, end = sentence_of(plain, number.start, number.end)
        yield Claim(place, number, " ".join(plain[start:end].split())[:_SHOWN], True, process=process)
    for number in numbers_told(plain):
        result = _is_result(plain, number)
        if result or number.unit or governing(plain, number):
            start, end = sentence_of(plain, number.start, number.end)
            before = " ".join(plain[start : number.end].split())
            words = " ".join(plain[start:end].split())
            yield _claim(place, plain, number, result, words[max(0, len(before) - _SHOWN) :])


def _claim(place: str, plain: str, number: Written, result: bool, words: str) -> Claim:
    bound = _BOUND.search(plain[max(0, number.start - 30) : number.start])
    letter = _letter(plain, number)
    process = _OF_LETTER[letter] if letter else process_of(plain, number)
    setting = _is_setting(plain, number)
    return Claim(
        place, number, words[:_SHOWN], result, str(bound.lastgroup) if bound else "", process, setting
    )


def _is_setting(plain: str, number: Written) -> bool:
    """Whether a number is only what a number before it, that measures something else, is told for, and nothing that is found."""
    low, _ = clause_of(plain, number.start, number.end)
    clause = plain[low : number.start]
    before = [n for n in numbers_in(clause) if not n.label]
    told = _SETTING.fullmatch(clause, before[-1].end) if before else None
    if told is None or dimension(number.unit or "1") not in _ITS_DIMENSION[str(told.lastgroup)]:
        return False
    level = before[-1].unit in ("", "%", "dB") and _MEETS.search(clause[: before[-1].end])
    return (
        not level
        and (before[-1].low, before[-1].unit) not in _LEVELS_MET
        and not _SOUGHT.search(clause)
        and dimension(before[-1].unit or "1") != dimension(number.unit or "1")
    )


def _letter(plain: str, number: Written) -> str:
    """The letter of optics that a share of the light stands behind: "R = 0.44"."""
    found = _LETTER.search(plain[max(0, number.start - 30) : number.start])
    share = dimension(number.unit or "1") == "fraction" and 0 <= number.low <= (100 if number.unit else 1)
    return found["letter"] if found and share else ""


def _is_result(plain: str, number: Written) -> bool:
    low, high = clause_of(plain, number.start, number.end)
    before = plain[sentence_of(plain, number.start, number.end)[0] : number.start]
    if _THEORY.search(before) and not _OURS.search(before):
        return False
    clause = plain[low : number.start]
    if (
        _EACH.search(clause)
        or _of_another(number, clause, before)
        or _TAKEN.search(clause)
        or _NOT_OURS.search(clause)
        or reported(before, plain[number.end : high])
    ):
        return False
    noun, kinds, measures = governing(plain, number), kinds_in_words(plain, number), _measures(number.unit)
    if _letter(plain, number) or (
        measures == "pure" and _FOLD.match(plain, number.end) and _POWER.search(plain[low:high])
    ):
        return True
    if noun in _FOUND and measures in _FOUND[noun].split() and measures == "pure":
        return noun in ("effective_index", "gap_ratio") or not kinds & _TAKEN_IN
    if measures == "pure":
        if number.unit != "" and process_of(plain, number) != "":
            return True
        taken_in = kinds & _TAKEN_IN and not _PLACED.search(clause)  # "for n = 2.0 it has two peaks"
        return not taken_in and extremum_of(plain, number) in ("maximum", "minimum")
    if measures == "other":
        return (number.unit == "dB" and noun == "power") or (
            dimension(number.unit) in ("angle", "time")
            and not kinds & {"angle"}
            and (_TURNED.search(clause) is not None or _PLACED.search(clause) is not None)
        )
    of = _OF_MATERIAL.match(plain, number.end) if measures == "length" else None
    if of and subjects_of(of[0]) and _COVERED.search(clause):
        return False  # a size of the structure: "clad with 30 nm of alumina"
    if _BAND_GAP.search(clause) or _SHIFT.search(clause) and _EXTREMUM.search(clause):
        return True
    if noun == "width" and _EXTREMUM.search(clause):
        return _SAYS.search(clause) is not None
    if kinds & _TAKEN_IN or not _SAYS.search(clause):
        return False  # a place in a spectrum that the clause only starts from: "at 1550 nm the effective index is"
    if (
        _GIVEN_AT.search(clause)
        and not _EXTREMUM.search(clause)
        and (
            _RIGHT_BEFORE.search(clause)
            or any(_measures(n.unit) == "pure" and n.unit for n in numbers_in(clause))
        )
    ):
        return False
    if noun in _FOUND and measures in _FOUND[noun].split():
        return True
    if extremum_of(plain, number) in ("maximum", "minimum"):
        return True
    return _MODE.search(clause) is not None


def _of_another(number: Written, clause: str, before: str) -> bool:
    """Whether it only says where, or how far, a number before it holds that measures something else."""
    where = _WHERE.search(before) and not _EXTREMUM.search(before)
    told = before if where else clause if _AS_FAR.search(clause) else ""
    own = dimension(number.unit or "1")
    return any(n.unit and dimension(n.unit) != own for n in numbers_in(told))


def _measures(unit: str) -> str:
    if dimension(unit) == "fraction":
        return "pure"
    return {"length": "length", "frequency": "spectral", "normalised": "spectral"}.get(
        dimension(unit), "other"
    )
