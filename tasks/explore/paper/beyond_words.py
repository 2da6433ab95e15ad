"""The words of sentences that say no more than their numbers, or nothing of results; and those that no number can carry."""

from __future__ import annotations

import re

NUMBER, OTHER, PLACE, FORMULA = "\x01", "\x02", "\x03", "\x04"
MARKS = re.compile("[\x01\x02\x03\x04]")
LONGEST = 3000
NODE = re.compile(r"\bn\d{3}\b")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# what no clause may hold that its numbers or its form are to carry: more than was run, and what nobody can see in a number
_BEYOND_RUN = (
    r"(?:machines?|computers?|processors?|sizes?|fields?|grids?|languages?|cases?|problems?|inputs?|methods?|programs?|codes?|repeats?|"
    r"runs?|days?|stencils?|dimensions?|ideas?|designs?|films?|candidates?|versions?|kinds?|others?|ones?)"
)
_OF_RESULT = r"(?:gains?|factors?|times?|differences?|improvements?|accurac\w+|results?|errors?|speeds?|values?|[\x01])"
MORE_THAN_RUN = re.compile(
    r"\b(?:always|never|no ?one|nobody|nothing|none|any\w*|ever|everywhere|everything|everyone|whatever|whoever|whenever|"
    r"no (?:other|more|further|longer|fewer|less)|others?|another|both|again|unchanged|because|since|due|thanks?|hence|thus|"
    r"therefore|so|why|through|cannot|impossible|must|guarantee\w*|prove[sn]?|linear\w*|quadratic\w*|cubic\w*|asymptot\w*|"
    r"scal(?:es?|ed|ing)|proportional\w*|grows?|doubl\w+|halv\w+|twice|without|most|necessar\w+|inevitab\w+|real|"
    r"(?!best\b|rest\b|test\b|tests\b|latest\b|largest\b|smallest\b|interest\b|honest\b)\w{3,}est)\b",
    re.IGNORECASE,
)
OF_ALL = re.compile(  # where it is no account of what was done
    rf"\b(?:(?:all|every|each)(?= (?:\w+ )?{_BEYOND_RUN}\b)|(?:same|whole|entire\w*|all)(?= (?:\w+ )?{_OF_RESULT}(?!\w))|"
    r"(?<!in )(?:all|every|each|same|whole)(?=\W*\Z)|only|alone)\b",
    re.IGNORECASE,
)
CARRIES = frozenset(  # verbs and words between a number and what it is of
    """
    needs need needed takes take took came come comes is are was were has have had gave gives give brought brings bring
    reflects reflect reached reaches measured gained gains went goes made makes make lies lay lie ended ends against versus
    instead beyond noise difference factor change changes changed update step experiment experiments program programs best
    first parent provided one ones node nodes mean median value values time per uncertainty error standard repeats faster
    slower better worse lower higher less more quicker smaller larger shorter longer below above than improves improved
    lowers lowered raises raised reduces reduced means costs differ differs differed no not inside within over under by
    check checks ran run runs ablation variant compared slowed slows sped down up gain gains worth saved saves rather single turns
    join joins mark marks
    theory predicted solved design designs baseline candidate version
""".split()
)
COMPARES = frozenset(
    "faster slower better worse lower higher less more quicker smaller larger shorter longer below above than improves improved lowers "
    "lowered raises raised reduces reduced".split()
)
VALUING = frozenset(
    """
    fast slow quick good bad ideal exact perfect possible impossible cheap optimal efficient correct robust stable unchanged linear
    quadratic constant free equal similar comparable simple easy necessary sufficient dominant unique typical universal general true
    false well important main major critical decisive fastest slowest best worst most least
""".split()
)
MEASURES = frozenset("gain ratio change time best baseline provided param".split())
"""Parts of names that numbers of any subject have."""
# of which a number tells nothing that is not in its name
QUANTITIES = frozenset(
    """
    memory traffic accuracy precision energy power bandwidth misses miss cache allocation throughput latency arithmetic
    simulation error errors correctness overhead stability quality
""".split()
)
# what was done, before the verb that ties it to a number: "Writing all results into one array brought", "With arrays alone the step took"
DEED = re.compile(
    r"\A\W*(?:(?:and|but) )?(?:\w{2,}ing\b|with\b|using\b|by \w{2,}ing\b|for\b|at\b|in\b)[^\x01]*?"
    r"(?=\b(?:brought|brings?|took|takes?|needs?|needed|gave|gives?|made|makes?|came|comes?|was|is|were|are|reached|reaches|lowers|lowered|"
    r"ended|reflects?|went|goes|saved|saves|slowed|sped|improved|lowered|"
    r"the (?:step|program|time|mean|value|best|design)|a (?:step|program|factor))\b|[\x01])",
    re.IGNORECASE,
)
WITH_ALONE = re.compile(r"\b(with (?:\w+ ){1,3})alone\b", re.IGNORECASE)
STATISTICS = frozenset(
    """
    time times value values uncertainty error errors bar bars median mean standard repeats repeat deviation number numbers run runs
    sample measurement measurements interval check checks program programs baseline parent provided first candidate node nodes
    turns ms five ten experiment experiments repeated machine difference metric
""".split()
)
ENDED = re.compile(
    r"\b(?:pass(?:ed)?|failed|stopped|ended|ran|tried|(?:was|were) (?:measured|made|run|shared))\b",
    re.IGNORECASE,
)
ASKED = re.compile(
    r"\b(?:we|i|this (?:paper|work|study|section)) (?:\w+ )?(?:ask|asks|asked|stud(?:y|ies|ied)|examined?|investigated?|"
    r"explored?|wonder(?:ed)?)\b[^\x01]*\Z|\A\W*how (?:little|much|many|far|fast|well)\b[^\x01]*\?\W*\Z",
    re.IGNORECASE,
)
LIKELY = re.compile(
    r"\b(?:is|are|was|were|seems?|appears?) (?:\w+ )?(?:likely|unlikely|possible|plausible|conceivable)\b",
    re.IGNORECASE,
)
UNTOLD = re.compile(
    r"\b(?:remains?|is|are|was|were|stays?|leaves?) (?:\w+ ){0,2}(?:open|unknown|unclear|unmeasured|untested|not known|not claimed)\b|"
    r"\b(?:not|never|nobody|no (?:\w+ ){1,5}?(?:was|were)) (?:\w+ )?(?:tested|tried|measured|varied|examined|read|claimed|known|"
    r"studied|searched|made|compared|counted|looked at)\b|\b(?:do|does|did)(?: not|n['’]t) (?:know|claim|say|tell|show|measure|test)\b|"
    r"\bcannot (?:\w+ )?(?:tell|say|know|decide|claim|exclude|rule out)\b|\bshould not\b|\bprove no\b|\bremains? (?:is )?to\b|"
    r"\bnothing follows\b|"
    r"\b(?:would|could) (?:be|tell|give|show|measure)\b|\b(?:next step|future work)\b",
    re.IGNORECASE,
)
SHOWS = re.compile(
    r"\A(?:and )?[\x03 ,and]+ (?:shows?|adds?|lists?|gives?|compares?|holds?|tells?)\b", re.IGNORECASE
)
SHOWING = frozenset(
    "show shows adds add list lists give gives compare compares hold holds tell tells all".split()
)
PLACES = re.compile(r"\x03(?:(?:,| and|, and) \x03)+")
AS_MUCH = re.compile(r"(\x01 times) as (?:fast|slow|good|long|large|small|high|low|quick) as\b")
AS_NONE = frozenset(("no difference", "no improvement", "no gain"))
DEFINES = re.compile(r"\b(?:where|let|define[sd]?|denotes?|stands? for|call(?:ed)?)\b", re.IGNORECASE)
STATES = re.compile(
    r"[=<>]|\\(?:propto|sim|approx|leq?|geq?|ll|gg|to|in|equiv)\b|\bO\b|\\mathcal|\\Theta|\\Omega|\^|\\frac"
)
