"""What no text may say of simulated participants: that a test of their answers confirms something."""

from __future__ import annotations

import re

from schemas.text.addressed.fold import latin
from tasks.prose.comparing import sentences

CONFIRMED = "a test of simulated answers that is called confirmatory"
_WORD = r"(?:confirmator\w*|konfirmator\w*|confirmatoire\w*|验证性\w*|preregist(?:ered|ration\w*))"
_CALLED = re.compile(_WORD)
# closed forms only, so that the denial of something else excuses no word
_DENIED = re.compile(
    r"\b(?:not|no(?: (?:test|hypothes[ei]s|analys[ei]s|result)s? (?:is|are|was|were))?|never|"
    r"nothing(?: (?:here|in it))?(?: is| was)?|none(?: of (?:the|its|our|these) \w+)?(?: is| are| was| were)?|"
    rf"neither|rather than|instead of|nicht|kein\w*) (?:(?:a|an|any|be|been|as) )?{_WORD}"
)


def called_confirmatory(text: str) -> list[str]:
    """Sentences that call what was tested on simulated answers confirmatory or preregistered, without denying it."""
    return [
        sentence.strip()[:160]
        for sentence in sentences(text)
        if _CALLED.search(_DENIED.sub(" ", _letters(sentence)))
    ]


def _letters(text: str) -> str:
    """Its words as a reader takes them, whatever marks or foreign letters are in them; punctuation stays between them."""
    return " ".join(re.sub(r"[^\s.,;:!?()\[\]]+", lambda word: latin(word.group()), text).split())
