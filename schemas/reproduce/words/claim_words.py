"""What words may claim of a number, and the nouns that say what it is: tables for `phrases.py`.

Each claim has a kind, which `tasks/reproduce/references/called.py` matches with what was computed.
"""

from __future__ import annotations

import re

ORDINALS = {
    word: n
    for n, forms in enumerate(
        (
            "zeroth zero zero-order zeroth-order 0th",
            "first 1st first-order",
            "second 2nd second-order",
            "third 3rd third-order",
            "fourth 4th fourth-order",
            "fifth 5th fifth-order",
            "sixth 6th",
            "seventh 7th",
            "eighth 8th",
            "ninth 9th",
            "tenth 10th",
        )
    )
    for word in forms.split()
}
# Nouns that say what a number is the number of. Their modifiers and complements are what is read.
HEAD = re.compile(
    r"(?:reflect|transmi|absor|diffract|scatter|extinct|effici|emissi|enhanc|intensit|amplitud|maxim|minim|extrem|resona(?:n|te)|anomal|"
    r"line-?width|band-?width|beam-?width|finesse|purcell|life-?time|cross-?section|visibilit|contrast|contribut|throughput|crosstalk|"
    r"albedo|reflectivit|transparen)\w*$|"
    r"(?:peak|dip|null|notch|trough|crest|width|fwhm|quality|q|q-?factor|factor|index|indice|n_?eff|n_?g|gap|band|band-?gap|stop-?band|mode|"
    r"supermode|order|line|lobe|loss|losse|power|fraction|share|signal|field|phase|delay|volume|rate|frequenc(?:y|ie)|wavelength|"
    r"energ(?:y|ie)|value|edge|level|length|shift|splitting|depth|spot|focus|velocit(?:y|ie)|coefficient|ratio)s?$",
    re.IGNORECASE,
)
OWN = "\u00a7"  # stands for the number that is asked about
_EXTREMUM = (
    r"(?:maxim\w+|minim\w+|peaks?|dips?|null|notch|resonan\w+|modes?|orders?|(?:band|stop)[- ]?gaps?|stop[- ]?bands?|bands?|"
    r"gaps?|lobes?|line|harmonics?|anomal\w+)"
)
# Words that end the phrase of an ordinal: "with the second ring the peak rises", "the third slit has a dip".
_ENDS = (
    r"(?:the|an?|its|their|our|this|that|these|those|each|every|with|at|in|on|for|by|under|is|are|was|were|has|have|had|"
    r"shows?|gives?|makes?|adds?|brings?|raises?|lowers?|moves?|shifts?|yields?|produces?|causes?|carries)\b"
)
SPECIFIC = rf"(?:of\s+(?:the|its|their|our|these|those|all)\s+)?(?:(?!{_ENDS})[\w-]+\s+){{0,2}}?"
# "An additional period multiplies Q by 3.9": a result of this structure; what a reader multiplies by is none, nor what other work did.
MULTIPLIES = (
    r"(?<!\bwe\s)(?<!\bto\s)(?<!\bcan\s)(?<!\bwould\s)(?<!\bcould\s)\b"
    r"multipl(?:y|ies|ied|ying)\s+(?:(?:the|its|this)\s+)?"
    r"(?:(?:Q|quality|purcell) factor|Q|purcell factor|finesse|transmi\w+|reflect\w+|absor\w+|intensity|enhancement|efficiency|"
    r"(?:line)?width|"
    r"splitting|shift|sensitivity|lifetime|group index)\s+(?:of\s+(?:the|its|this)\s+[\w-]+\s+)?by\s+"
    r"(?:(?:an?|the)\s+factor\s+(?:of\s+)?)?(?:(?:about|some|nearly|almost|only|roughly)\s+)?(?=[\d\u00a7])"
)
CLAIMS = tuple(
    (kind, re.compile(form, re.IGNORECASE))
    for kind, form in (
        (
            "half width",
            r"\bhalf[- ]?(?:line-?|band-?)?widths?\b|\bhwhm\b|\bsemi-?widths?\b|\bhalf\s+(?:of\s+)?(?:the|its|this)\s+"
            r"(?:full\s+|line|band)?width|\bone-sided\b|\bhalf[- ](?:opening[- ])?angle\b",
        ),
        (
            "level",
            r"[-\u2212]?\s?(?P<db>\d+(?:\.\d+)?)[\s-]*dB\b"
            r"(?=[\s-]+(?!and\b|or\b|at\b|for\b|in\b|is\b|are\b|per\b|with\b|to\b|of\b|while\b|when\b|over\b|on\b|by\b)\w)|"
            r"(?:\bat\s+[-\u2212]?|[-\u2212](?=\s?(?:1|3|6|10|20)\s*dB))\s?(?P<db_level>\d+(?:\.\d+)?)\s*dB\b|(?P<e>\b1/e(?:\^?2|\u00b2)?|\be\^?[-\u2212]?[12]\b)|"
            r"(?:\bat|\bto|\babove|\bthe|\bexceed\w*|[>\u2265])\s+(?:an?\s+|the\s+|its\s+)?(?P<percent>\d+(?:\.\d+)?)\s*%[\s-]+"
            r"(?:level|of (?:its |the )?(?:max|peak|height|full)|transm|reflec|absor|power|width|bandwidth|point)|"
            r"\b(?P<half>half[- ](?:power|maxim\w+|max\b|height|depth|intensity))|"
            r"\b(?P<part>(?:a |one )?(?:quarter|third|tenth)|three quarters)[- ](?:of\s+)?(?:its |the )?(?:max|peak|height)",
        ),
        ("order", r"\b(?:order|mode|band|number|peak|resonance)\s+(?P<word>two|three|four|five|six)\b"),
        (
            "order",
            r"\bthe\s+(?P<ordinal>zeroth|first|second|third|fourth|fifth)\s+(?:one|is|has|lies|appears|at)\b",
        ),
        (
            "order",
            rf"\b(?P<ordinal>{'|'.join(sorted(ORDINALS, key=len, reverse=True))})(?:-order)?\s+{SPECIFIC}{_EXTREMUM}\b",
        ),
        (
            "order",
            r"\b(?P<ordinal>zeroth|zero|first|second|third|fourth|fifth|[0-5]th)-order\b(?!\s+(?:approx|perturb|conver|theor|accura))",
        ),
        (
            "order",
            r"(?<![\w.])(?P<nth>(?:[+\u2212-]|minus |plus )?\d{1,2})(?:st|nd|rd|th)\b(?:[- ]order)?"
            r"(?!\s+(?:row|layer|col|iter|step))",
        ),
        (
            "order",
            r"\b(?:band|gap|mode|order|peak|resonance|azimuthal|angular|number|index)\s*(?:number\s*)?(?:[a-z]\s*=\s*)?"
            r"(?P<number>[+\u2212-]?\d{1,2})(?![\d.]|\s?[a-z%])",
        ),
        ("order", r"\b(?-i:m)\s*=\s*(?P<azimuthal>[+\u2212-]?\d{1,3})(?![\d.])(?!\s*(?:nm|um|\u00b5m))"),
        (
            "order",
            rf"\b(?-i:[nlpqNM])\s*=\s*(?P<symbol>[+\u2212-]?\d{{1,2}})(?![\d.])(?=\)?\s+{SPECIFIC}{_EXTREMUM})|"
            rf"\b{_EXTREMUM}[,(]?\s+\(?{SPECIFIC}(?-i:[nlpqNM])\s*=\s*(?P<behind>[+\u2212-]?\d{{1,2}})(?![\d.])",
        ),
        ("order", r"\b(?:TE|TM|LP|HE|EH)_?\{?(?P<label>\d{1,2})\b"),
        (
            "fundamental",
            r"\bfundamental\b|(?<![\w-])lowest[- ](?:order|frequency|energy|lying|mode|band)\b|\bground[- ]state\b|"
            r"\bbasic mode\b",
        ),
        (
            "higher",
            rf"\b(?:high(?:er)?[- ]order|higher|secondary|other|another|next|subsequent|additional|remaining|last|adjacent|"
            rf"neighbou?ring|satellite|side|left|right|leftmost|rightmost|upper|lower|outer|inner|"
            rf"short(?:er|est)?[- ]wavelength|"
            rf"long(?:er|est)?[- ]wavelength|low(?:er|est)?[- ](?:energy|frequency)|high(?:er|est)?[- ](?:energy|frequency)|"
            rf"latter|former)\s+{SPECIFIC}(?:{_EXTREMUM}(?!\s+edge)|lobe|one)\b|\bhighest(?:-order)?\s+mode\b|"
            rf"\b(?:weak|small|shallow|broad|narrow|sharp|faint|long|short)(?:er|est)\s+(?:of\s+the\s+\w+\s+)?{SPECIFIC}(?!line){_EXTREMUM}|"
            rf"\bside-?(?:lobe|band)s?\b",
        ),
        (
            "group",
            r"\bgroup(?:[- ](?:ind(?:ex|ices)|velocit\w+|delay|effective))?\b(?!\s+(?:of|et)\b)|"
            r"\bn_?\{?g(?:r|roup)?\}?(?=\W|$)",
        ),
        ("loaded", r"(?<!un)(?<!-)\bloaded\b|(?<=\btotal )(?:Q\b|quality)"),
        (
            "unloaded",
            r"\b(?:unloaded|intrinsic|cold[- ]cavity|bare|uncoupled)\b(?=[^.;]{0,40}(?:\bQ\b|quality|factor(?!\s+of\s+\d)))|"
            r"\bQ_?\{?(?:i|0|int)\}?(?=\W)",
        ),
        (
            "radiative",
            r"\b(?:radiati(?:on|ve)|scattering)(?:[- ](?:limited|related|loss))?(?=\s+(?:Q\b|quality))|\bQ_?\{?rad",
        ),
        (
            "a part of the loss",
            r"\b(?:vertical|in-plane|lateral|horizontal|out-of-plane|transverse|longitudinal)\s+(?=Q\b|quality)|"
            r"\b(?!radiation)[\w]+-limited(?=\s+(?:Q\b|quality))|"
            r"\b(?:external|coupling|absorptive|absorption|material|absorption-limited|loss-limited)"
            r"(?=\s+(?:Q\b|quality|loss))|\bQ_?\{?(?:e|c|ext|abs|mat)\}?(?=\W)",
        ),
        (
            "change",
            r"\b(?:minus|plus|less|over)\s+(?:that|those)\b|\bsubtract\w*|"
            r"\b(?:rais|ris|increas|lower|reduc|decreas|enhanc|improv|grow|grew|exceed|fall|drop|chang|differ|higher|better|"
            rf"worse|down|up)\w*\b[^.;{OWN}]{{0,60}}?\bby\s+(?:about\s+|some\s+|only\s+)?{OWN}|{OWN}\s*(?:percentage\s+)?points\b|"
            rf"(?<!factor of ){OWN}\s*(?:more|less|higher|lower|larger|smaller|greater|stronger|weaker|brighter|darker|better|worse|"
            r"longer|shorter|wider|narrower)\b"
            rf"(?!\s+or\b)|{OWN}\s*(?:above|below)\s+(?:that|those|its|the\s+(?:value|one)|what)\b|"
            r"\b(?:reflect|transmi|absor|scatter|extinct|phase|index|effici|power|signal|loss)\w*\s+(?:change|variation|increase|"
            r"decrease|reduction|modulation|contrast|difference|drop|rise|gain|improvement)s?\b(?!\s+(?:to|from|at|with|by|as|in)\b)|"
            r"\b(?:change|variation|increase|decrease|reduction|modulation|difference|rise|drop|improvement)\s+(?:of|in)\s+"
            r"(?:the\s+|its\s+)?(?:[\w-]+\s+)?(?:reflect|transmi|absor|scatter|extinct|phase|index|effici|intens|power)",
        ),
        (
            "loss of",
            r"\b(?P<process>transmission|reflection|reflective|insertion|absorption|scattering|propagation|coupling|return|material|"
            r"mode|substrate|ohmic|metal)[- ]loss(?:es)?\b",
        ),
        (
            "loss per length",
            r"\b(?:propagation|attenuation|decay|1/e)\s+(?:length|distance|range)s?\b|\battenuations?\b",
        ),
        (
            "part",
            r"\bimaginary\b|\breal\s+(?:part|component)|\bin\s+(?:dB|decibels?|arbitrary units)\b|"
            r"\bpart of the (?!light|power)",
        ),
        (
            "of all",
            r"\b(?:at|for|of|over)\s+(?:all|every|each|any)\s+(?P<each>wavelengths?|colou?rs?|angles?|frequenc(?:y|ies)|thickness(?:es)?|directions?|"
            r"temperatures?|diameters?|periods?)\b",
        ),
        ("times", rf"{MULTIPLIES}{OWN}"),
        ("times", r"\btimes\s+(?:that|those)\b(?P<of>(?:\s+[\w-]+){0,6})"),
        (
            "times",
            rf"{OWN}\s*(?:times\s+)?as\s+(?:much|high|large|many|strong|bright|wide|long|low|small)\b(?P<as>(?:\s+[\w-]+){{0,6}})",
        ),
        (
            "uncertainty",
            r"\b(?:errors?|uncertaint(?:y|ies)|error\s+bars?|standard\s+deviations?|tolerances?|spreads?)\s+"
            rf"(?:(?:in|of|on)\s+(?:[\w-]+\s+){{0,4}}?)?(?:(?:of|is|was|amounts\s+to)\s+)?{OWN}",
        ),
        (
            "excepted",
            rf"\bshort\s+of\s+(?:the\s+)?{OWN}|"
            rf"\bof\s+which\s+(?:\w+\s+){{0,2}}?{OWN}|{OWN}\s*of\s+(?:what|that\s+of)\s+(?!(?:the\s+)?(?:incident|incoming|comes|"
            r"falls|arrives|enters|hits))",
        ),
        ("excepted", r"\b(?:except(?:ing)?|excluding|other than|apart from|save for|but (?:the|for))\b"),
        (
            "beside",
            r"\b(?:before|after|beside|next to|between|above|below|left of|right of|side of|flank of|shoulder of|"
            r"foot of|close to|"
            r"away from)\s+(?:the|this|its|that|a)\s+(?:[\w-]+\s+){0,2}?(?:maxim|minim|peak|dip|resonan)",
        ),
        (
            "mean",
            r"\b(?:(?<!\bwe )(?<!\bto )(?<!\bnot )(?<!\bmay )mean|"
            r"averag\w+|rms|root[- ]mean|median|typical values?)\b(?!\s+(?:free|permittivity|index|thickness))",
        ),
        ("integrated", r"\b(?:\w+[- ])?(?:integrat\w+|cumulat\w+|accumulat\w+|summed|sum)\b"),
        ("total", r"\btotal\b(?!\s+(?:q\b|quality|of\b|field|internal|length|thick))"),
        (
            "amplitude",
            r"\bamplitudes?\b|(?<!power )(?<!energy )(?<!intensity )\b(?:reflection|transmission)\s+coefficients?\b"
            r"(?!\s+(?:of\s+(?:the\s+)?(?:[\w-]+\s+){1,3})?(?:for|of|in)\s+(?:the\s+)?(?:power|energy|intensity)\b)|\|[rt]\||\bmodulus\b|\bfields?\s+of\s+the\s+(?:reflected|transmitted)\b|"
            r"\b(?:electric[- ])?field\s+(?:reflect|transmi)\w*",
        ),
        (
            "ratio of",
            r"\b(?:ratio|quotient|product|sum|difference)\s+(?:of|between)\s+(?![\d\u00a7#]|about|only|nearly|up to)",
        ),
        (
            "passes",
            r"\bround[- ]?trips?\b|\b(?:single|double|two|multi)[- ]pass\b|\bper[- ]pass\b|\b(?:one|two)[- ]way\b|"
            r"\beach pass\b|"
            r"\b(?:back and forth|there and back)\b",
        ),
        ("per", r"(?<![0-9] )\bper\s+(?P<per>(?:unit\s+)?[\w\u00b5]+)"),
        (
            "normalised",
            r"\b(?:normali[sz]ed?|relative|referred|referenced|scaled|divided)\s+(?:to|by|with respect to|over)\s+"
            r"(?P<to>(?:[\w|^/-]+\s*){1,6})|\b(?:with respect to|in units of|compared (?:to|with)|as a fraction of|"
            r"relative to)\s+(?P<unit>(?:[\w|^/-]+\s*){1,5})|"
            r"\bover\s+(?!this\b|that\b|these\b|an?\b)(?P<size>(?:[\w-]+\s+){0,2}?(?:radi|diameter|geometric|cross|area|width|height|side|length|incident|total|sum)\w*)|\bin\s+terms\s+of\s+(?P<terms>(?:[\w-]+\s*){1,3})",
        ),
        (
            "relative",
            r"\b(?:relative|normali[sz]ed|differential|net|excess|effective|internal|external|quantum|apparent|reduced)"
            r"(?=\s+(?:[\w-]+\s+){0,2}?(?:effici|reflect|transmi|absor|\w*width|rate|ind(?:ex|ices)|loss|intens|size|frequenc|wavelength|"
            r"emission|enhanc|power|Q\b|quality|gap|cross|gain|shift|delay|phase|value|yield|extinct|scatter|amplitude))",
        ),
        (
            "half of",
            r"\b(?:half|twice|double|triple|one third|a third|a quarter)\s+(?:of\s+)?(?:the|its|that|this|as)\b"
            r"(?!\s+(?:max|peak|height|depth|power|intens))|\b(?:second|third|fourth|[nm]th)\s+power\b|\bdoubled\b|\bhalved\b|"
            r"\b(?:square(?:d|\s+root)?|cube root|"
            r"(?:inverse|reciprocal)(?!\s+(?:proportion|relation|problem|design|lattice|space))|logarithm\w*|derivative|complement)\b",
        ),
        (
            "forward",
            r"\b(?:forward|backward|back-?scatter\w*|specular|diffuse|off-axis)\b(?:[- ]scatter\w*)?",
        ),
        ("conversion", r"\bconver(?:sion|ted)\b"),
        ("finesse", r"\bfinesse\b"),
        ("contrast", r"\bvisibility\b|(?<!-)(?<!index )\bcontrast\b"),
        (
            "lower edge",
            r"\b(?:lower|bottom|long-?wavelength|low-?frequency)\s+(?:band\s+|gap\s+)?(?:edge|limit|cut-?off|end)|"
            r"\bdielectric band edge",
        ),
        (
            "upper edge",
            r"\b(?:upper|top|short-?wavelength|high-?frequency)\s+(?:band\s+|gap\s+)?(?:edge|limit|cut-?off|end)|"
            r"\bair band edge",
        ),
        ("point", r"\b(?:at|point|of)\s+(?:the\s+)?(?P<k>Gamma|\u0393|X|M|K)(?=\s+point|\s+the\b|\W|$)"),
        (
            "between bands",
            r"\b(?:between|of)\s+(?:the\s+)?(?:bands?\s+)?(?P<low>[\w-]+)\s+and\s+(?:the\s+)?(?:bands?\s+)?(?P<high>[\w-]+)"
            r"(?:\s+(?:\w+\s+)?bands?)?",
        ),
        ("even", r"\beven\b(?=\s+\w*mode)"),
        ("odd", r"\bodd\b(?=\s+\w*mode)"),
    )
)
