"""Numbers that a paper writes and does not claim: it denies them, supposes them, or reports them of somebody else's work.

What is read are the paper's own words around the number, wherever a quotation of it begins and ends.
"""

from __future__ import annotations

import re


def _any(*forms: str) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(form.replace(" ", r"\s+") for form in forms) + ")", re.IGNORECASE)


_DENIED = _any(r"(?:not|never|neither|cannot|nowhere|hardly|scarcely)\b(?! only\b)", r"\w+n['\u2019]t\b", "no longer",
               "rather than", "instead of", "contrary to", "far from", "as opposed to", r"(?:mistaken|erroneous|incorrect)\w*",
               r"wrong(?:ly)?\b", r"fail(?:s|ed)? to", r"contradict\w*", r"exclud\w+", r"rul\w+ out", r"(?:refut|disprov)\w+")
_SUPPOSED = _any(r"(?:would|might)\b", "(?:could|should) have", r"if\b[^.;]{0,120}\bwere\b", r"hypothetical\w*",
                 r"(?:suppos|imagin|conjectur|speculat)\w+", r"na[i\u00ef]ve(?:ly)?\b", r"(?:is|are|was|were) expected",
                 "one expects?")
_FOREIGN = _any(r"(?:previous|earlier|prior|other|older) (?:\w+ )?"
                r"(?:work|stud|paper|report|result|experiment|author|group|measurement|publication)",
                "(?:previously|earlier|elsewhere) (?:reported|measured|found|published|obtained|observed)",
                r"reported (?:previously|earlier|elsewhere|by\b|in (?:the )?(?:lit|ref|\[))", "in the literature", r"et al\b",
                r"according to (?!our|the (?:simul|calc|present))", r"(?:in|of|by|from) refs?\b", r"(?:in|of|by|from) \[\d")
_OWN = _any(r"(?:we|ours?|here|present|whereas|while|but)\b", r"this (?:work|paper|study)\b", "close to",
            "contrary to", r"unlike\b", "in contrast",            r"(?:agree|compar|consisten|confirm|reproduc)\w*")
_TAKEN_BACK = re.compile(
    r"^\W*(?:\w+\W+){0,4}?(?:would\b|can(?:\s*not|not)\b|could\s+not\b|(?:is|was|are|were|(?:has|have)\s+been)\s+"
    r"(?:not|never|wrong|refuted|disproved|retracted|excluded|erroneous|incorrect)\b)", re.IGNORECASE)


def unclaimed(sentence: str, clause: str, after: str) -> str:
    """How the paper uses a number without claiming it, with its words; '' where it claims it.

    sentence, clause: the paper's words before the number, from the beginning of either. after: those behind it, in its clause.
    """
    others = "" if _OWN.search(sentence) else sentence
    for pattern, words, how in ((_DENIED, clause, "denies"), (_SUPPOSED, clause, "only supposes"),
                                (_FOREIGN, others, "reports of other work"), (_TAKEN_BACK, after, "takes back")):
        if found := pattern.search(words):
            return f"the paper {how} this number: {' '.join(words[max(0, found.start() - 30):].split())[:120]!r}"
    return ""
