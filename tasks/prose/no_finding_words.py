"""The forms of sentences that state no finding, and the words that may stand in them beside names of what was measured."""

from __future__ import annotations

import re

_DONE = (
    r"(?:asked|tested|compared|measured|recruited|drawn|drew|assigned|randomi[sz]ed|counterbalanced|(?:pre-?)?registered|fixed|"
    r"planned|used|ran|run|conducted|collected|gathered|analy[sz]ed|computed|calculated|coded|adjusted|corrected|reported|"
    r"described|presented|discussed|studied|investigated|examined|explored|invited|instructed|excluded|removed|dropped|left out|"
    r"set|chosen|chose|selected|given|gave|designed|built|implemented|repeated|transcribed|translated|logged|recorded|sampled|"
    r"screened|paid|compensated|briefed|debriefed|trained|piloted|varied|manipulated|controlled|averaged|summed|recoded|reversed|"
    r"standardi[sz]ed|transformed|written|wrote|administered|completed|answered|seated|numbered|listed|defined|treated|modell?ed|"
    r"fitted|entered|estimated|specified|formulated|worded|phrased|posed|limited|restricted|pooled|published|cited|searched|"
    r"retrieved|archived|shared|released|simulated|generated|scripted|kept|stored|checked|inspected|plotted|called|rated|taken|"
    r"projected|concluded|read|told|addressed|considered|included|covered|replaced|weighted|known|approved)"
)
_NOUNS = (  # verbs behind who does something, elsewhere nouns
    r"(?<=\b(?:we|it) )X|(?<=\bthey )X|(?<=\bcode )X|(?<=\bplan )X|(?<=\bwho )X|(?<=\bpaper )X|(?<=\bstudy )X|(?<=\bmodel )X|"
    r"(?<=\bsubset )X|(?<=\bpackage )X|(?<=\bpeople )X|(?<=\bprotocol )X|(?<=\bsection )X|(?<=\bwhich )X|(?<=\bparticipants )X"
).replace(
    "X",
    r"(?:asks?|tests?|measures?|uses?|runs?|reports?|stud(?:y|ies)|plans?|holds?|covers?|lists?|offers?|repeats?|cites?|rests?|"
    r"analy[sz]es|opens?|need(?= to)|answers?)",
)
_DO = (
    r"(?:compares?|collects?|chooses?|choose|analy[sz]e|computes?|describes?|presents?|discuss(?:es)?|investigates?|examines?|"
    r"explores?|contributes?|treats?|concerns?|contains?|consists?|defines?|includes?|provides?|recommends?|assumes?|enters?|gives?|"
    r"appl(?:y|ies)|refers?|comes? from|came from|went through|took (?:part|place)|takes? part|met(?= both)|stands? for|"
    r"follows?(?= from)|"
    rf"{_NOUNS})"
)
_KNOW = (
    r"(?:allow|generali[sz]e|mean|prove|imply|speak (?:to|for)|rule out|apply|concern|know|tell|say|separate|show|conclude|infer|"
    r"claim|extend|transfer|answer|decide|settle|support|establish|test|measure|ask|record|collect|compare|examine|consider|vary|"
    r"control|include|explain|assess|analy[sz]e|read|distinguish|expect|assume)"
)
_BE = r"(?:is|are|was|were|been|be|being)"
_ADVERB = r"(?:(?:not|never|also|then|each|all|both|only|now|here|therefore|thus|first|\w+ly) ){0,2}"
_SUCH = r"(?:exploratory|confirmatory|descriptive|correlational|available|in the (?:package|appendix|supplement\w*))"
LOOSE = re.compile(  # what may also be said of a result
    r"\b(?:kept|set|given|gave|taken|called|told|drawn|drew|limited|considered|read|known|treated|covered|paid|answered|"
    r"addressed|reported|described|presented|run|ran|completed|removed|dropped|left out|approved|published|shared|released|told|stored)\b",
    re.IGNORECASE,
)
PASSIVE = re.compile(
    rf"\b{_BE} {_ADVERB}(?:{_DONE}|{_SUCH})\b|\b(?:can|could|should|must|would|has to|have to|needs? to|ought to|to) {_ADVERB}"
    rf"(?:(?:be|have) )?{_ADVERB}(?:{_DONE}|{_DO}|{_KNOW})\b",
    re.IGNORECASE,
)
ACTIVE = re.compile(
    r"\b(?!(?:read|told|called|kept|given|gave|chosen?|rated|taken|dropped|treated|known)\b(?! (?:written |informed )*consent\b))"
    rf"(?:{_DONE}|{_DO})\b",
    re.IGNORECASE,
)
OPEN = re.compile(
    rf"\b{_BE} {_ADVERB}(?:unknown|missing|open|unclear|untested|unmeasured|unvalidated|undecided|uncertain|not known|"
    r"not validated)\b|\bweak evidence\b|\bcannot\Z|"
    rf"\b(?:have|has) not (?:yet )?been \w+\b|\b(?:remains?|leaves?|stays?) (?:\w+ )?(?:open|unclear|unknown|untested)\b|"
    r"\bsays? (?:little|nothing)\b|\bno evidence about\b|"
    rf"\b(?:cannot|can ?not|can['\u2019]t|could not) {_ADVERB}(?:be )?(?:{_DONE}|{_KNOW})\b|"
    rf"\b(?:do|does|did)(?: not|n['\u2019]t) (?:\w+ly )?{_KNOW}\b|\blimit(?:s|ation|ations|ed)\b|"
    r"\bno (?:finding|statement|conclusion|claim|inference)s?\b|\bnobody (?:had to be|was) left out\b",
    re.IGNORECASE,
)
POSSIBLE = re.compile(
    r"(?<!nobody )(?<!no one )(?<!none )\b(?:may|might)\b(?! as well\b)(?!(?: \w+){0,3}? (?:say|said|conclude\w*|claim\w*|state\w?|"
    r"sure|certain\w*|doubt\w*|den(?:y|ied)|call\w*|boast|rejoice|note\w?)\b)(?! not (?:\w+ ){0,3}\w+er\b)|"
    r"\b(?:explanation|reason|interpretation|reading)s? (?:\w+ )?(?:could|would) be\b|"
    rf"\b(?:future|further|later|more) (?:work|stud(?:y|ies)|research|experiments?|trials?)\b.{{0,40}}\b(?:should|could|must|may) "
    rf"(?:\w+ly )?(?:be )?(?:{_DONE}|{_DO}|{_KNOW}|use|look|focus|turn|seek|involve|recruit|address|replicate|repeat|run|study|report)\b",
    re.IGNORECASE,
)
ASKING = re.compile(
    r"(?:\b(?:ask(?:ed|s)?|test(?:ed)?|examined?|investigated?|explored?|stud(?:y|ied))|"
    rf"(?:\bnot|n['\u2019]t|\bcannot) (?:\w+ly )?{_KNOW}|\b(?:unknown|unclear|open|untested|question(?: is| was)?)) (?:\w+ )?\Z",
    re.IGNORECASE,
)
SUPPOSED = frozenset({"if", "whether", "unless"})
UNDER = re.compile(  # it may be that ...; this does not mean that ...
    r"\b(?:may|might|could|would) be \Z|(?:\bnot|n['\u2019]t|\bcannot) (?:\w+ly )?(?:be )?(?:mean|imply|prove|show|say|tell|conclude|claim|"
    r"infer|establish|assume|expect|concluded|claimed|inferred|assumed|expected|read)(?: from .{0,40})? \Z",
    re.IGNORECASE,
)
TELLING = re.compile(
    r"\A(?:\w+ ){0,3}?(?:we|i|results?|data|findings?|tests?|analys[ie]s) (?:\w+ )?(?:conclude[ds]?|found|find|saw|see|observed?|"
    r"shows?|showed|report(?:ed)?|note|suggests?|indicates?|means?)\Z",
    re.IGNORECASE,
)
IS = re.compile(  # what the study's own things are called, or how many there are
    r"(?:the |all |its |their |our |these |both )?(?:\w+ ){0,2}?(?:data|tests?|items?|scales?|questionnaires?|tasks?|models?|p-values?|"
    r"coefficients?|analys[ei]s|samples?|hypotheses|variables?|factors?|conditions?|outcomes?|sections?|rules?|measures?) "
    r"(?:is|are|was|were)\b(?! (?:there|for|with|on|it|them|us)\b)|"
    r"(?:it|they|this|these) (?:is|are|was|were) (?:not )?(?:a|an|no)\b",
    re.IGNORECASE,
)
NAMING = re.compile(r"(?:it|this|that|these|they) (?:is|are|was|were)", re.IGNORECASE)
SEEN = re.compile(
    rf"(?:[\w'\u2019-]+ ){{0,4}}{_BE} (?:not )?(?:shown|found|seen|observed|detected|significant)\Z",
    re.IGNORECASE,
)
QUESTION_WORDS = frozenset({"how", "which", "what", "where", "when", "who"})
SUBORDINATE = (
    SUPPOSED
    | QUESTION_WORDS
    | frozenset("that because since as so although though while whereas until why whose whom".split())
)
SPLIT = re.compile(
    r"((?<!\w)-(?!\w)|(?:(?<!\b(?:of|in|to|by|on|at) )(?<!\b(?:for|and) )(?<!\b(?:with|than|from) )\bthat\b)|"
    r"[,;:()\[\]!?.\u2014\u2013\"\u201c\u201d]|\b(?:and|or|nor|but|yet|"
    r"(?<!such )(?<!as well )(?:as)(?! (?:well as|an?|the|in|planned by) )|"
    + "|".join(sorted(SUBORDINATE - {"as", "that"}, key=len, reverse=True))
    + r")\b)",
    re.IGNORECASE,
)
QUESTION = re.compile(
    r"\A\W*(?:(?:and|but|so) )?(?:do|does|did|is|are|was|were|how|what|which|whether|would|could|can|when|where|who)\b"
    r"(?!.*\b(?:not|no|wonder|doubts?|doubted|deny|denied|else|really|ever|still|could (?:\w+ )?be)\b)(?!.*n['\u2019]t\b)[^?]*\?\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
OWN = re.compile(
    r"\b(?:we|our|ours|us|this study|participants?|respondents?|the (?:present|current) (?:study|data|results))\b",
    re.IGNORECASE,
)
ABOUT_US = frozenset(
    """
    participant participants respondent respondents people person persons user users women men everyone
    everybody nobody anyone someone data result results finding findings outcome outcomes number numbers
    answer answers rating ratings score scores test tests hypothesis hypotheses prediction predictions
    expectation expectations guess guesses conjecture conjectures plan plans planned expected predicted
    study experiment evidence difference differences effect effects sample group groups condition
    conditions variable variables we us our ours they them it this that these those he she both neither
    either none all each everything nothing something anything former latter others so
""".split()
)
FUNCTION = """
    a an the this that these those each every both all such same own other another one two three four
    five six seven eight nine ten eleven twelve of in on at by for with within between across among from
    to into under per about as than via without during after its their our we us it they them there here
    also then only not and or was were is are be been being had has have did do does which who where
    when it's respectively i.e e.g using once twice
""".split()
_RESEARCH = """
    study studies experiment experiments survey surveys participant participants respondent respondents
    people person persons user users man men woman women adult adults student students group groups
    condition conditions level levels factor factors order orders block blocks session sessions trial
    trials task tasks item items scale scales questionnaire questionnaires question questions rating
    ratings answer answers response responses score scores measure measures variable variables outcome
    outcomes predictor predictors model models regression logistic multinomial linear ordinal nominal
    interval hypothesis hypotheses test tests t-test t-tests anova variance mean means median medians
    average sd deviation standard error errors coefficient coefficients correlation correlations rank
    rank-biserial statistic statistics p p-value p-values value values alpha power size sizes sample
    samples sampling effect effects difference differences comparison comparisons pair pairs paired
    pairwise interaction main simple confidence intervals degrees freedom number numbers count counts
    share shares rows row column columns data dataset file files package code codes coder coders coding
    book agreement reason reasons text texts analysis analyses design designs plan protocol procedure
    method methods section sections figure figures table tables result results way ways point points
    side sides sided two-sided one-sided confirmatory exploratory descriptive perceived reported
    self-reported self-report correlational simulated measured rated within-subjects between-subjects
    within-subject between-subject counterbalanced random randomly fixed drawn planned beforehand
    advance correction adjusted unadjusted corrected holm bonferroni welch wilcoxon mann-whitney
    kruskal-wallis friedman spearman pearson fisher rule rules kind kinds form five-point seven-point
    first second third week day days minute minutes seconds hour hours year years time times age gender
    part parts estimate estimates reliability consistency internal distribution distributions normality
    assumption assumptions reference category categories choice choices attention check checks exclusion
    exclusions question-wise public only once twice many few nothing nobody today even far above below
    again s ms krippendorff cohen cronbach kappa sum short summary brief overall rehearsal demonstration
    ordered paper language subset agent description descriptions
""".split()
KNOWN = frozenset((*FUNCTION, *_RESEARCH))
TESTED = frozenset(
    "hypothesis hypotheses prediction predictions expectation expectations conjecture conjectures guess guesses theory difference "
    "differences effect effects association associations correlation evidence proof support".split()
)
SHOWN = frozenset("seen shown found proven hoped wanted".split())
PRONOUNS = frozenset(
    "it this that they these those everything nothing nobody everyone everybody all none both".split()
)
RESULTS = frozenset("result results finding findings data evidence answers ratings numbers".split())
OF_RESULTS = TESTED | frozenset(
    "we us our this everything everyone all nothing result results finding findings evidence predicted expected plan "
    "planned effect effects difference differences".split()
)
AUXILIARY = frozenset(
    "is are was were am had has have did does do got gets get became becomes be been".split()
)
ADJECTIVES_FOLLOW = frozenset(("", *FUNCTION)) - AUXILIARY - {"they", "we", "it", "who"}
VERBS = AUXILIARY | {"not", "do", "who", "nothing", "nobody"}
PASTS = frozenset(
    """
    won beat lost came went rose fell grew drew led felt found saw took gave held kept stood said told
    thought meant left met made paid ran sank spoke struck swept spread shone shrank broke brought
    bought caught chose cost cut cast dealt drove earned fought flew forgot froze hit hurt knew laid lay
    lent let lit put read rang set shook shot showed shut sang sat slept slid sold sent split stole
    stuck swung taught tore threw woke wore bore bent bled bred built burnt clung crept dug fed fled hid
    hung leapt learnt rode sought spent sprang stank strode swam swore thrust trod wept wound began
""".split()
)
