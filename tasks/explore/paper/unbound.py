"""Statements of a text about how good something is that no measured number stands beside: they are taken out.

What compares, ranks, praises or gives an amount in words belongs to a number of the same sentence that a measurement of ours
wrote, or, where it is not about this work, to a retrieved reference. Words about sizes (smaller, longer) count where they are
said of a result: of a metric, of time, of an error. Questions, aims, conjectures, rules ("lower is better") and what a text
says that it does not claim are no statements. What nothing of a run can measure (the best ever known) may never stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from schemas.explore.science_data import ScienceData
from tasks.explore.paper.formula_claims import compared
from tasks.explore.paper.markup import Inline, inlines, words_of
from tasks.explore.paper.own_numbers import is_measured, named_numbers, number_of_its_own
from tasks.prose.comparing import SPOKEN, asked, sentences
from tasks.prose.numerals import TERMS

_MORE = (
    r"(?:smaller|larger|bigger|longer|shorter|lower|higher|greater|less|fewer|more|tiny|huge|zero|half|negligible|"
    r"vanishing)"
)
_MOST = (
    r"(?:smallest|largest|biggest|longest|shortest|lowest|highest|greatest|least|fewest|most|minimal|maximal|minimum|"
    r"maximum)"
)
_RESULTS = (
    "times?|(?:milli|micro|nano)?seconds|(?:clock )?cycles|waiting|"
    "run-?times?|durations?|speeds?|costs?|errors?|accurac(?:y|ies)|performance|throughput|latenc(?:y|ies)|"
    "overheads?|efficienc(?:y|ies)|quality|scores?|figures? of merit"
)
_NOT_RESULTS = frozenset(
    "mean median max min total per the of largest smallest value values number count rate update ns "
    "ms".split()
)
_COPULA = (
    r"(?:is|are|was|were|be|becomes?|became|gets?|got|stays?|stayed|remains?|remained|looks?|looked|seems?|seemed|"
    r"appears?|appeared|proves?|proved|comes? out|came out|turns? out|turned out|ends? up|ended up|runs?|ran|works?|"
    r"worked|performs?|performed|converges?|converged|finishe[sd]|does|did|do|goes|went|fares?|fared|makes? it|made it)"
)
_FAR = r"(?:(?:to be|by far|far|much|a lot|a bit|no|not|any|even|still|also|always|both|all|now|thus|then|\w+ly)\s+){0,4}"
_ER = (
    r"(?!(?:under|over|other|after|never|ever|either|neither|rather|further|together|another|number|order|water|paper|layer|"
    r"computer|whether|per|proper|inner|outer|upper|former|latter|later|earlier|sober|super|longer|smaller|larger|bigger|"
    r"shorter|lower|higher|greater|fewer|wider|narrower|thicker|thinner|older|newer|younger|deeper|heavier|lighter)\b)"
    r"\w{2,}er"
)
_EST = (
    r"(?!(?:test|rest|latest|honest|modest|nearest|request|interest|largest|smallest|biggest|longest|shortest|lowest|"
    r"highest|"
    r"greatest|fewest|least|oldest|newest|deepest|thickest|thinnest|widest|earliest)\b)\w{2,}est|best|worst|optimal|perfect"
)
_ADJECTIVES = (
    r"(?:accurate|precise|efficient|economical|effective|robust|stable|reliable|powerful|compact|"
    r"performant|competitive|favou?rable|successful|promising|useful|scalable|responsive|elegant)"
)
_GAINS = (
    r"gains?|improvements?|speed-?ups?|slow-?downs?|savings?|boosts?|degradations?|superiority|breakthroughs?|"
    r"victor(?:y|ies)|triumphs?"
)
_AIM = (
    r"(?:aims?|aimed|goals?|tasks?|tr(?:y|ies|ied)|attempts?|attempted|wants?|wanted|wish(?:es)?|seeks?|sought|hopes?|"
    r"hoped|"
    r"meant|asked|intended|intends?|order|ideas?|plan(?:s|ned)?|ways?|proposed|designed|how|so as|effort|efforts)"
)
_SAYING = r"(?:and|but|is|was|are|were|that|did|does|has|have|had|found|saw|seen|said|say|called|noted|concluded|argued|shown)"
_GAP = rf"(?:(?!{_SAYING}\b)[\w'-]+\s+)"
_LABEL = re.compile(r"`(?:draft|improve|debug|ablation|validation|other)`")


def _any_of(*words: str) -> str:
    return rf"\b(?:{'|'.join(words)})(?!\w)"


_QUALITY = tuple(words for kind, words in SPOKEN if kind in ("better", "worse"))
_COMPARES = "|".join(
    (
        *_QUALITY,
        r"betters(?= )|bettered",
        r"no (?:\w+ )?difference|(?:do|does|did) not differ|indistinguishable",
        rf"(?:superior|inferior|(?:just|equally|every bit|{_COPULA}) (?:\w+ly )?as (?:fast|slow|good|bad|quick|cheap|"
        rf"{_ADJECTIVES}))|"
        rf"{_COPULA} {_FAR}(?:ahead|behind)|on (?:a )?par|(?:catche?s|caught) up with|rivals?|rivalled",
        _GAINS,
        rf"(?:more|less|most|least) (?:\w+ly )?{_ADJECTIVES}",
        rf"{_COPULA}\s+{_FAR}{_ER}",
        rf"{_COPULA}\s+{_FAR}(?:(?:the|our|its|their|among the)\s+)?(?:\w+ly )?(?:{_EST})",
        r"(?:\w{3,}est|best|most \w+) (?:of all|in the (?:field|world|class|literature)|among|ever|known|so far|to date)",
        r"significan(?:t|ce|tly)",
        r"statistically",
        r"(?:has|had|have|gives?|gave|brings?|brought|shows?|showed|offers?|holds?|held|keeps?|kept|yields?|confers?) "
        r"(?:an?|the|its|no|some) (?:\w+ )?(?:advantage|edge|benefit|lead|upper hand|margin)",
        r"(?:ranks|ranked|(?:we|ours|they) rank|comes?|came|finishe[sd]|place[sd]|stands?|stood) (?:\w+ )?(?:first|second|third|"
        r"last|top|highest|lowest|"
        r"ahead|in front)",
        r"(?:takes?|took|wins?|won|earns?|earned|holds?|tops?|leads?|heads?|led) (?:the )?(?:lead|crown|"
        r"(?:first|top|second|third|last) (?:place|rank|spot|position)|field|table|ranking|race|contest|comparison)",
        r"in the lead|on top|number one|(?:first|top) (?:place|spot)|out in front|in a class of its own",
        r"by (?:a )?(?:wide|large|small|narrow|clear|huge|comfortable|good|considerable|substantial) (?:margin|amount)|by far",
        r"excellent|outstanding|superb|impressive(?:ly)?|remarkabl[ey]|dramatic(?:ally)?|drastic(?:ally)?|spectacular(?:ly)?|"
        r"striking(?:ly)?|tremendous(?:ly)?|stunning|astonishing(?:ly)?|exceptional(?:ly)?|phenomenal(?:ly)?|flawless(?:ly)?|"
        r"very well|extremely well|(?:highly|very|extremely) (?:efficient|fast|accurate|precise|effective|quick)",
        r"makes? (?:all|a (?:big|real|clear|huge)) the difference|ma(?:kes|de|king) (?:a|no) (?:\w+ )?difference",
        r"costs? (?:next to )?nothing|(?:comes?|came) (?:for free|at no cost)|at (?:almost |practically )?no cost|for free|"
        r"come(?:s)? close(?! to the)|came close",
        r"(?:works?|worked|did|does|performs?|performed) (?:best|well|worst|badly|"
        r"poorly)",
        rf"{_COPULA} {_FAR}(?:(?:too|so|very|how|quite|really) )?(?:fast|quick|slow|cheap|good|bad|poor|great|competitive|"
        rf"impressive|"
        r"speedy|snappy|efficient|accurate|successful|preferable|promising|favou?rable)(?! (?:guide|question|reason|idea))",
        r"(?:fast|quick|slow|speedy) (?:programs?|kernels?|codes?|versions?|ones?)",
        r"scales? (?:perfectly|well|nicely|ideally|superbly)",
        r"(?:win|lose|help|outdo|saves? (?:a lot|much|most|more|space|work)|costs? (?:less|more)|shaves?|crush(?:es|ed)?|flies|"
        r"flew|soars?|"
        r"soared|triumph(?:s|ed)|prevail(?:s|ed)?|thrash(?:es|ed)|needs? ages)(?! to)",
        r"in the dust|no match for|(?:is|are|was|were) no match|"
        r"takes? the cake|game[- ]changers?|(?:an?|this|quantum|giant|great) leap|world of difference|"
        r"champions?|"
        r"winners?|hands down|head and shoulders|makes? up for|to (?:the|its) limits?|theoretical (?:bound|limit|optimum)|right "
        r"choice|"
        r"(?:a|great|full|big|huge) success|achieved (?:our|the|its) (?:goal|aim)|reached (?:our|the|its) (?:goal|aim)|"
        r"bottlenecks?",
        r"(?:hardly|barely|almost|next to|practically|virtually|close to|down to|all but) (?:any|no|none|nothing|gone|zero)",
        r"(?:confirm|support|prove|verif|bear|bore)\w* (?:out )?(?:our|the|its|this) (?:\w+ )?(?:hypothes|expectation|claim|"
        r"prediction|idea|"
        r"theor|conjectur)\w*",
        r"(?<![a-z] )compared (?:with|to)(?= )|in comparison (?:with|to)",
        r"(?:largest|biggest|greatest|smallest) (?:jump|step|leap|effect|part|share|drop|change|difference)s?",
        r"worth (?:\w+ )?(?:more|less|most|least)|(?:never|ever) been so|by comparison|the bulk of|most of what|"
        r"explains? (?:all|most|much|nearly all|almost all) of|leaves? (?:[\w-]+ ){1,4}(?:standing|behind|far back)",
        r"(?:to|at|near) (?:its|the|their) (?:peak|optimum|ceiling)|close to (?:ideal|optimal|perfect|the (?:bound|optimum|limit))|"
        r"at (?:memory|full|top|light|record|peak) speed",
        r"(?:collaps|plummet|plung|skyrocket|soar|explod|evaporat|tumbl|plateau|stagnat|crater)(?:e?s|e?d|ing)?|"
        rf"{_COPULA} {_FAR}(?:tolerable|acceptable|satisfactory|satisfying|negligible|unbearable|sufficient|adequate|competitive)",
        r"succeed(?:s|ed)? (?:in|where|best)",
        r"pa(?:ys?|id) (?:off|dividends)",
        r"(?:at|with|in|for) (?:a fraction|next to none) of",
        r"turn(?:s|ed|ing)? the tables?",
        r"(?:hypothes[ei]s|conjectures?|expectations?|predictions?|ideas?) (?:\w+ )?(?:held|holds?|stands?|stood|"
        r"(?:is|was|are|were) (?:\w+ )?(?:right|true|correct|confirmed|borne out))",
        r"(?:problem|task|matter|puzzle) (?:is|was|has been) (?:\w+ )?(?:solved|settled|closed|done)",
        r"worth \w+ing(?! out)",
        r"(?:goal|aim|target|claim)s? (?:of \w+ \w+ )?(?:is|was|has been) (?:\w+ )?(?:reached|met|achieved|attained)|"
        r"effects? (?:is|was|are|were) (?:\w+ )?(?:real|genuine|beyond the noise)|reach(?:es|ed)? (?:the |its )(?:roofline|peak|bound|"
        r"ceiling)|first of its kind|sets? (?:an? |the )?(?:new )?standards?|over before|(?:as|so) far as (?:one|it|we) can|"
        r"all (?:that|one|we|you|it) (?:can|needs?|could) (?:be )?|what (?:the )?others do|(?:last|final) word|"
        r"changes (?:the|its|our|this) (?:field|subject|picture|rules)|limited (?:only )?by \w+ (?:only|alone)",
    )
)
_WORLD = re.compile(
    _any_of(
        r"state[\s-]of[\s-]the[\s-]art",
        r"(?:world|all-time|new) records?",
        r"record-?(?:breaking|setting)",
        "unrivall?ed",
        "unmatched",
        "unbeat(?:en|able)",
        "unsurpassed",
        "unprecedented",
        "unparalleled",
        "peerless",
        "second to none",
        "without (?:equal|rival|peer)",
        r"world-?(?:class|leading|best)",
        "cutting[\\s-]edge",
        "revolutionary",
        "ground-?breaking",
        "has no (?:equal|rival|peer)s?",
        r"(?:best|fastest|most \w+|\w{3,}est) (?:\w+ )?(?:ever|known|in the (?:world|literature|field)|published|on record)",
        r"(?:than|over|beyond|beats?|beating|outperform\w*|surpass\w*|outdo\w*|better) (?:any(?:thing|one|body)?(?! (?:\w+ "
        r")?(?:program|node|"
        r"candidate|experiment|variant|fraction|design|one)s? (?:that was )?(?:measured|tried|tested|here|of this|in the tree))|"
        r"every(?:thing|one|body)? (?:else|known|published|before|other)|all (?:known|published|existing|previous|prior|other "
        r"(?:known|published|approaches|methods|work|codes?|librar\w+))|(?:the )?(?:existing|previous|prior|published|competing|"
        r"conventional|traditional|commercial|hand-?(?:tuned|written|optimi[sz]ed)) (?:\w+ )?"
        r"(?:work|results?|methods?|approaches|codes?|programs?|librar\w+|solutions?|records?|art|schemes?|"
        r"designs?))",
    ),
    re.IGNORECASE,
)
_CLAIM = re.compile(rf"\b(?:{_COMPARES})(?!\w)", re.IGNORECASE)
_NO_STATEMENT = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        r"\b(?:lower|higher|smaller|larger|less|more|fewer) (?:values? )?(?:is|are|means?|counts? as) (?:the )?(?:better|worse)\b",
        rf"\bno (?:{_ER}|better|faster|lower|higher|smaller) \w+ (?:\w+ )?(?:was|were|could be) found\b",
        r"\bno (?:design|program|candidate|node|experiment|version|film|one)s? gains?\b",
        r"\bsignificant (?:digits?|figures?|bits?|decimals?)\b",
        r"\b(?:counts?|counted|reported|taken|treated|called|shown|told|read|noted) as (?:an? |no )?(?:\w+ )?(?:difference|"
        r"improvement|"
        r"gain|better|worse|none)\b",
        r"\b(?:is|are|as) no (?:improvement|gain)\b(?=\s*(?:[.,;:]|\Z))",
        rf"\b(?:any|an?|each|every|the) (?:{_GAINS}|difference)\b(?=[^.;]{{0,60}}\b(?:only if|must|counts? (?:only|as|if|where)|"
        r"has to)\b)",
        r"\b(?:ask|asks|asked|questions?|decides?|know|knows|known|unclear|open|tell|told|see)\b[^.;,]{0,40}\b(?:which|what|whether|if)\b"
        r"[^,;]*",
        rf"\b{_AIM} (?:(?:was|is) )?{_GAP}{{0,4}}?to {_GAP}{{0,4}}(?:{_COMPARES})(?!\w)",
        rf"(?:\A|[:;]\s+)To {_GAP}{{0,3}}(?:{_COMPARES})(?!\w)",
        rf"\b(?:in search of|looked for|looks? for|sought|searched for|search(?:es)? for) {_GAP}{{0,3}}(?:{_COMPARES})(?!\w)",
        rf"\b(?:may|might|could|would|should) {_GAP}{{0,5}}(?:{_COMPARES})(?!\w)",
        rf"\b(?:if|unless|until|wherever|whenever) (?!anything)(?:[\w-]+ ){{1,4}}?(?:{_COMPARES})(?!\w)",
        r"\b(?:not|never|nobody|nothing|cannot|no one|neither) (?:\w+ )?(?:claim\w*|say|says|said|conclude\w*|tell|imply|implies|"
        r"mean|"
        r"means|suggest\w*|prove[sdn]?|(?:is|was) (?:claimed|said|known|concluded|varied|tested|measured))\b"
        r"(?:(?!\b(?:not|no|never|enough|but)\b|n't)[^,;])*",
        rf"\bhow (?:\w+ ){{0,2}}(?:{_GAINS}|differences?) (?:depends?|varies|var(?:y|ied)|scales?|changes?|behaves?)\b",
        r"\b(?:optical|modal|net|laser|material|antenna|round-trip|small-signal|unsaturated) gains?\b|\bgain (?:medi(?:um|a)|"
        r"coefficients?|"
        r"spectr\w+|materials?|sections?|saturation|curves?)\b",
    )
)
_ASKING_HEADING = re.compile(r"\s*#+\s*(?:what|which|where|whether)\b", re.IGNORECASE)
_OURS = re.compile(
    r"\b(?:ours?|we|us|this work|this paper|here|best|n\d{3}|the (?:present|proposed|new)|it|"
    r"its)\b",
    re.IGNORECASE,
)
_MARK = "\x01"


def unbound(sentence: str, data: ScienceData, headline: bool = False) -> str:
    """The words of a sentence that state how good something is and that no measured number stands beside; '' where none do.

    headline: of the title, the abstract or the conclusion, where no number stands that only a node's own program reported, and one
    that a node set only as the condition of a measurement ("with all films {{...}} too thick").
    """
    pieces = inlines(_LABEL.sub(" ", sentence))
    if headline and (own := number_of_its_own(pieces, data)):
        return own
    words = _words(pieces)
    if asks_or_cites(pieces, words):
        return ""
    if outside := _WORLD.search(words):
        return outside[0]
    if _measured(pieces, data):
        return ""
    return compared(pieces) or next(_said(words, data), "")


def _words(pieces: Sequence[Inline]) -> str:
    words = "".join(words_of(piece) or (_MARK if piece.kind == "number" else " ") for piece in pieces)
    return TERMS.sub(" ", words)


def asks_or_cites(pieces: Sequence[Inline], words: str) -> bool:
    """Whether a sentence only asks, or speaks of cited work and not of this one."""
    cited = any(piece.kind == "cite" for piece in pieces) and not _OURS.search(words)
    return words.rstrip().endswith("?") or cited or bool(_ASKING_HEADING.match(words))


def _measured(pieces: Sequence[Inline], data: ScienceData) -> bool:
    return any(is_measured(number) for number in named_numbers(pieces, data))


def unbound_in(text: str, data: ScienceData, headline: bool = False) -> list[str]:
    """Each such sentence of a text, as a fault."""
    return [
        f"no measured number stands beside {words!r} (name it in the same sentence, or leave the sentence out): "
        f"...{sentence.strip()[:160]}..."
        for block in text.split("\n\n")
        for line in _lines(block)
        for sentence in sentences(line)
        if (words := unbound(sentence, data, headline))
    ]


def without_unbound(text: str, data: ScienceData, headline: bool = False) -> tuple[str, list[str]]:
    """The text without such sentences, and these; a heading, a line of a list or a paragraph that is left empty goes whole."""
    kept, removed = [], []
    for block in text.split("\n\n"):
        lines = []
        for line in _lines(block):
            found = sentences(line)
            good = [sentence for sentence in found if not unbound(sentence, data, headline)]
            removed += [sentence.strip() for sentence in found if sentence not in good]
            lines.append("".join(good).rstrip() if len(good) < len(found) else line)
        if joined := "\n".join(line for line in lines if line.strip(" -#")):
            kept.append(joined)
    return "\n\n".join(kept), removed


def _said(words: str, data: ScienceData) -> Iterator[str]:
    plain = words
    for pattern in _NO_STATEMENT:
        plain = pattern.sub(lambda match: " " * len(match[0]), plain)
    for pattern in (_CLAIM, _of_results(data.summary_stats.primary_metric)):
        for match in pattern.finditer(plain):
            if not asked(plain[: match.start()]):
                yield " ".join(match[0].split())


@lru_cache(maxsize=64)
def _of_results(metric: str) -> re.Pattern[str]:
    """Sizes, amounts and changes that are said of a result: a lower error, most of the error is gone, it cut the time."""
    own = [
        re.escape(word) + "s?"
        for word in re.findall(r"[a-z]{3,}", metric.lower())
        if word not in _NOT_RESULTS
    ]
    result = f"(?:{'|'.join((*own, _RESULTS))})"
    changes = (
        r"(?:reduc(?:es?|ed|ing)|lower(?:s|ed|ing)|cut(?:s|ting)?|slash(?:es|ed)?|shrinks?|shrank|decreas(?:es?|ed|ing)|"
        r"rais(?:es?|ed|ing)|increas(?:es?|ed|ing)|boosts?|boosted|enhance[sd]?|drops?|dropped|falls?|fell|rises?|rose|"
        r"grows?|grew|saves?|saved|trims?|trimmed|shav(?:es?|ed)|curbs?|curbed|diminish(?:es|ed)?|minimi[sz]e[sd]?|"
        r"maximi[sz]e[sd]?|halts?|eliminate[sd]?|removes?|removed|vanish(?:es|ed)?|disappear(?:s|ed)?|s[aiu]nks?|"
        r"(?:go|goes|went) (?:up|down)|doubl\w+|brings? down|"
        r"brought down|drives? down|drove down|pushe[sd]|lifts?|lifted|suffers?|suffered|recover(?:s|ed)?)"
    )
    return re.compile(
        "|".join(
            (
                rf"\b{_MORE} (?:\w+ ){{0,2}}?{result}\b(?! (?:steps?|limits?|bars?)\b)",
                rf"\b(?:has|had|have|gives?|gave|reach(?:es|ed)?|achieve[sd]?|attain(?:s|ed)?|yields?|yielded|deliver(?:s|ed)?|shows?|showed|"
                rf"with|gets?|got|needs?|needed|takes?|took) (?:by far )?(?:the |its )?{_MOST} (?:\w+ )?{result}\b(?! bars?\b)",
                rf"\b{result} (?:\w+ ){{0,4}}?{_COPULA} {_FAR}(?:the )?(?:{_MORE}|{_MOST}|low|high|small)\b",
                rf"\b{changes} (?:\w+ ){{0,3}}?{result}\b",
                rf"\b{result} (?:\w+ ){{0,3}}?(?:has |have |had |is |are |was |were )?(?:\w+ly )?{changes}\b",
                r"\b(?:a fraction|a sliver|a handful|most|much|the bulk|the (?:lion's|larger|largest|greater|smaller) (?:share|part)|"
                rf"(?:nearly|almost|virtually) all|hardly any|little|none|nothing) of (?:\w+ ){{0,3}}?(?:{result}|{_GAINS}|it\b)",
                rf"\b(?:hardly|barely|almost|scarcely|nearly|virtually) (?:any|no) (?:\w+ )?{result}\b(?! bars?\b)",
                rf"\bno {result}\b(?! bars?\b)",
            )
        ),
        re.IGNORECASE,
    )


def _lines(block: str) -> list[str]:
    return block.split("\n") if block.lstrip().startswith(("- ", "#")) else [block]
