"""Words in which a paper says what was done, of what, and how: a sentence of others may praise or belittle in an idiom.

Whoever praises in words that no list of praise knows ("the old kernel belongs in a museum") needs one that is not here. A sentence
without a measured number and with such a word says at its end that no measurement stands beside it; what is technical comes
with the goal and the references, and is known then.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from tasks.explore.paper.markup import inlines, words_of

_GRAMMAR = """
a an the this that these those it its itself they their them themselves we our ours us i one ones each every
all any both either neither none some such other others another same own no not nor and or but if unless
until while whereas whether as because since although though so thus therefore hence then than too also only
just even still yet however instead rather otherwise else of in on at by to from for with without within
into onto out over under above below between among through across along around about after before during
against toward towards upon per via beside besides beyond near next behind up down off here there where when
what which who whom whose why how is are was were be been being am has have had having do does did done
doing can could may might must shall will would cannot again once more most less least few fewer fewest much
many several various enough very well almost nearly roughly exactly mainly mostly partly fully always never
often sometimes usually now first second third fourth fifth sixth last latter former two three four five six
seven eight nine ten eleven twelve half quarter whole single double triple zero anything something nothing
everything anywhere elsewhere ie eg etc vs far little back ways seventh eighth ninth tenth eleventh twelfth
apart
"""
_DONE = """
accept account act add adopt aim become became discover gain goes help improve lose miss matter walk agree
allocate allow alternate analyse analyze appear apply approximate arrange ask assign assume average avoid
base begin begun began bind bound break block bring brought build built calculate call cause chain change
check choose chose chosen claim close collect combine come came compare compile compose compute confirm
connect consider consist contain continue contribute control converge convert copy correspond cost count
cover create cross decide declare define delete depend derive describe design detect determine differ
discard discretise discretize discuss disperse display distinguish distribute divide draw drew drawn drop
end estimate evaluate examine exceed exclude exist expect explain explore express extend fail fall fell
fallen fill find found finish fit fix follow form freeze fuse remedy frozen gather generate get give gave
given go went gone group grow grew grown guess happen hold held identify implement imply include increase
decrease indicate initialise initialize insert inspect interpolate introduce investigate involve isolate
iterate join keep kept know knew known label lead led leave left let lie lay limit link list load look loop
make made manage map match mark mean measure merge minimise minimize model modify move multiply name need
note observe obtain occur omit open operate optimise optimize order pass perform place plan plot predict
prepare present preserve prevent print proceed process produce program propose prove provide publish put
question quote read reach receive recompute record reduce refer refine reflect refuse reject relate remain
remove reorder repeat replace report represent reproduce request require resolve restrict result return
review rewrite rewritten round run ran sample save say said scale search see seek sought saw seen seem
select separate serve set share shift show shown shape skip solve sort split start state stay stem step stop
store study subtract suggest sum support suppose swap switch take took taken tell told tend test think
thought time touch trace track transfer transform treat try tune turn understand understood unroll update
use vary visit wait want weigh work write wrote written yield neglect mispredict profile flush adjust adapt
affect alter arise assess associate attach attribute balance calibrate capture clarify classify clean
coincide comment commit complement complicate comprise concern confine conform conserve constrain construct
consume coordinate couple deduce delay depict deposit disable disagree duplicate edit emit enable enclose
encode encounter enforce ensure enter enumerate equip establish exhaust exhibit exit expand expose extract
fluctuate focus formulate halt handle hide hint illustrate impose incorporate incur induce infer inform
inherit install integrate intend interfere interpret interrupt invert invoke lack launch lock log maintain
mask mention mix monitor mount narrow normalise normalize obey overlap overwrite pad parse pause permit pick
postpone precede preclude prescribe probe propagate protect reverse revert rotate satisfy schedule scan
shorten simplify simulate specify stabilise submit supply suspect synchronise synchronize tabulate terminate
translate transmit trigger truncate undergo underlie unpack validate verify visualise visualize wrap
"""
_THINGS = """
ablation absence access account allocator amplitude accuracy addition algorithm amount analysis angle
appendix application approach approximation area argument arithmetic array aspect assumption attempt author
axis background band bar baseline basis batch behaviour behavior bias bit block border bottom boundary
branch budget buffer bug byte cache candidate case category cause cell chain chance chart choice chunk clock
cluster code coefficient column combination command comparison compiler component computation computer
condition conclusion configuration constant content context contribution control convergence copy core
correctness correlation counter cpu criterion criteria curve cycle data datum dataset decision default
definition degree density depth description detail deviation device diagram difference digit dimension
direction discretisation discretization discussion disk distance distribution document domain draft edge
effect efficiency element end energy entry environment equation error estimate evaluation evidence example
exception execution exercise experiment explanation explorer exponent expression factor failure fact feature
field figure file finding float fold form format formula fraction frame frequency function gap goal gradient
heuristic improvement graph grid ground group guide hand hardware header height hypothesis hypotheses idea
image implementation incidence index indices information input instance instruction integer interaction
interest interpreter interval introduction issue item iteration journal kernel key kind language law layer
layout length level library limit limitation line list literature load location logarithm loop machine
magnitude manner map margin mass matrix matrices maximum mean measure measurement mechanism median memory
message method metric middle minimum minima model module motion name nature neighbour neighbor network node
noise norm number object observation operand operation operator optimum option order origin output overhead
page pair panel paper parameter parent part particle partition path pattern peak period permutation phase
phenomenon physics piece pixel place plane plot point pointer polynomial population position possibility
power precision prediction presence principle problem procedure process processor product profile program
property publication python quantity quality quantile recursion question random range rank rate ratio reader
reading reason reference refinement region relation remainder repetition report representation resolution
resource respect response rest restriction result role root row rule run runtime sample scheme science score
script search section seed sequence series server session set shape share side signal significance
simulation size slice solution solver sort source space spectrum spectra speed spread square stack stage
standard statement state statistic statistics step strategy strip structure subject subset sum surface
symbol symmetry system table target task technique textbook transmittance reflectance absorption dispersion
detuning pi wavelength temperature temporary temporaries term test text theory thickness thread threshold
tile time title tolerance tool topic total tradition traffic transfer transform tree trial type uncertainty
unit use user value variable variance variant variation vector version view volume wave weight width window
word work vertex agreement dot flag insertion pivot tie polarisation polarization profiler oxide
manufacturing register alternative circumstance comma complement constraint coordinate counterpart diagonal
drift drop fluctuation flow grain granularity hint histogram instrument interference inverse lack lifetime
mask mode neighbourhood neighborhood offset overlap padding parity percentile practice precondition prefix
premise prompt proof protocol provenance query queue record residual segment sensor slope specification
stride suffix survey tail template transition truncation union vendor warm
"""
_LIKE = """
absolute accurate active actual additional adjacent alike alone analytic analytical appropriate arbitrary
artificial available average bare basic better best worse worst big bigger biggest central certain cheap
chosen classical coarse coarser common comparable complete complex compound computational conditional
consecutive consistent constant continuous convenient correct current customary deep deeper dense different
difficult direct discrete distinct due early earlier easy empty equal equivalent essential even exact excess
existing expensive experimental explicit external extra false fast faster fastest slow slower slowest final
fine finer finite fixed flat free frequent full further future general given global good great greater high
higher highest homogeneous hot ideal identical implicit important impossible incomplete incorrect
independent individual inherent inner internal intermediate irregular joint known large larger largest late
later latest likely linear local logical long longer longest low lower lowest main major manual material
mathematical maximal mean minimal minor missing modern multiple narrow narrower natural necessary needed
negative new nominal nonlinear normal numerical numeric obvious odd online open optical ordinary original
outer overall parallel partial particular periodic physical plain plausible polished poor possible practical
preliminary present previous primary prior private probable proper public pure quick quicker random rare raw
ready real reasonable recent recursive redundant regular related relative relevant remaining resulting right
wrong rough same scattered second secondary sensitive significant separate worth nearest sequential serial
sharp short shorter shortest similar simple simpler simultaneous slight small smaller smallest sole spatial
special specific square stable standard statistical steady straight strict subsequent sufficient suitable
systematic technical temporal textual theoretical thick thicker thin thinner thinnest top true typical
unable unchanged unclear uneven unexpected unexplained uniform unique unknown unlikely unmeasured untested
unused unvaried upper usual valid vertical horizontal visible weak weaker oblique adaptive alternative
ambiguous approximate asymptotic brief broad careful cold conventional cumulative deterministic diagonal
dominant dynamic exhaustive formal initial iterative lazy monotone naive nested null opposite optional
orthogonal peripheral pending piecewise preceding principal prone quadratic qualitative quantitative real-
valued reversible rigid scalar sensible static stochastic strided symmetric synthetic tentative transient
trivial unbiased vague variable warm
"""
_UNITS = "mm cm nm um ms ns us kb mb gb hz khz mhz ghz"


def _forms(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in re.findall(r"[a-z]{2,}|\ba\b", text.lower()))


GRAMMAR, DOING, THINGS, LIKENESS = (
    _forms((words,)) for words in (f"{_GRAMMAR} {_UNITS}", _DONE, _THINGS, _LIKE)
)
"""Words between others; verbs and their like; what there is; how it is."""
PLAIN = GRAMMAR | DOING | THINGS | LIKENESS
_WORD = re.compile(r"(?<![\w{])[^\W\d_]{2,}(?:['’][^\W\d_]+)?")
_ENDS = (
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("d", ""),
    ("ed", ""),
    ("ied", "y"),
    ("ing", ""),
    ("ing", "e"),
    ("ly", ""),
    ("ily", "y"),
    ("ally", ""),
    ("bly", "ble"),
    ("'s", ""),
    ("’s", ""),
)
_BEFORE = ("un", "non", "re", "pre", "sub", "multi", "over", "in")


def known_words(texts: Iterable[str]) -> frozenset[str]:
    """Words that may stand beside the plain ones: those of the goal and of the retrieved references, which no agent wrote."""
    return _forms(texts)


def unfamiliar(sentence: str, known: Collection[str] = frozenset()) -> str:
    """The first word of a sentence, code aside, that is neither plain nor known; '' where there is none."""
    text = " ".join(words_of(piece) for piece in inlines(sentence) if piece.kind in ("text", "emphasis"))
    return next((word[0] for word in _WORD.finditer(text) if not _familiar(word[0].lower(), known)), "")


def stem_of(word: str) -> str:
    """A word without the ending that a plural or a verb has."""
    for end, instead in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(end) and len(word) > len(end) + 1:
            word = word[: -len(end)] + instead
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _familiar(word: str, known: Collection[str]) -> bool:
    """Whether a word, one of its bases, or what stands behind a syllable such as un- is plain or known."""
    start = next((start for start in _BEFORE if word.startswith(start) and len(word) > len(start) + 3), "")
    return _listed(word, known) or (bool(start) and _listed(word[len(start) :], known))


def _listed(word: str, known: Collection[str]) -> bool:
    if word in PLAIN or word in known:
        return True
    for end, instead in _ENDS:
        if word.endswith(end) and len(base := word[: -len(end)] + instead) > 2:
            doubled = end in ("ed", "ing") and len(base) > 3 and base[-1] == base[-2] and base[:-1]
            if base in PLAIN or base in known or (doubled and doubled in PLAIN):
                return True
    return False
