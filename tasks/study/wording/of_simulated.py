"""What no text may say of simulated participants: that a test of their answers confirms something, or how a group of them is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.study.design import Quota
from schemas.study.scope import Hypothesis
from schemas.text.addressed.fold import latin
from tasks.prose.comparing import sentences

CONFIRMED = "a test of simulated answers that is called confirmatory"
OF_GROUP = "a claim about a group of simulated people"
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


def by_group(hypotheses: Sequence[Hypothesis], quotas: Sequence[Quota]) -> dict[str, str]:
    """Hypothesis -> why it is not tested: it needs what code drew for simulated people, as groups of them differ by it."""
    drawn = {quota.attribute for quota in quotas}
    return {
        item.id: f"it is about groups of simulated people ({', '.join(used)}); what a language model answers for a group shows what it "
        "takes that group to be, so that no such test is made; ask people, or drop it"
        for item in hypotheses
        if (used := [name for name in item.variables if name in drawn])
    }


_PEOPLE = r"(?:participants?|people|persons?|personas?|users?|adults?|respondents?|ones|those|individuals?|cooks?|drivers?|folk|group)"
_GROUPS = (
    r"wom[ae]n|m[ae]n|females?|males?|girls?|boys?|the elderly|seniors|millennials|students(?! t\b)|retirees|parents|mothers|fathers|"
    r"immigrants|liberals|conservatives"
)
_SUCH = (
    r"(?:younger|older|elderly|retired|black|white|hispanic|asian|christian|muslim|jewish|religious|liberal|conservative|rural|urban|"
    r"educated|wealthy|poor)"
)
_SAYS = re.compile(
    r"\b(?:more|less|fewer|higher|lower|easier|harder|better|worse|faster|slower|differ(?:s|ed|ence|ences|ent)?|than|prefer(?:s|red)?|"
    r"trust(?:s|ed)?|rate[sd]?|rating|like[sd]?|dislike[sd]?|tend(?:s|ed)?|especially|particularly|mostly|whereas|unlike|most|least|"
    r"found|felt|feel|feels|score[sd]?|strongest|weakest|largest|smallest|same|alike|equally|significant(?:ly)?)\b"
)
_NOTHING_SAID = re.compile(
    r"\b(?:whether|nothing (?:is |can be )?(?:said|known|concluded)|no (?:claims?|conclusions?|statements?|hypothes[ei]s|comparisons?)|"
    r"(?:cannot|could not|may not|did not|does not|do not|not) (?:be )?(?:compared?|told?|tell|conclude[d]?|tested|test|say|said|"
    r"show|shown))\b"
)


def told_of_groups(text: str, quotas: Sequence[Quota]) -> list[str]:
    """Sentences that say of a group of simulated people how it answered: a value that code drew beside a word for people, or a group by
    its usual name, with a word that compares or rates."""
    drawn = [share.value for quota in quotas for share in quota.shares]
    values = "|".join(re.escape(_letters(value)) for value in drawn if len(value) > 1)
    groups = rf"\b(?:{_GROUPS})\b(?!-)|\b{_SUCH} {_PEOPLE}\b"
    if values:
        groups += rf"|\b(?:{values}) {_PEOPLE}\b|\b{_PEOPLE} (?:aged|who|with|from|in|that)\b[^.;:]{{0,30}}?\b(?:{values})(?!\w)"
    named = "|".join(re.escape(_letters(quota.attribute.replace("_", " "))) for quota in quotas)
    if named:
        groups += rf"|\b(?:by|across|between|among|with|of|on) (?:the )?(?:participants )?(?:{named})s?\b"
    of_group = re.compile(groups)
    return [
        sentence.strip()[:160]
        for sentence in sentences(text)
        if of_group.search(words := _letters(sentence))
        and _SAYS.search(words)
        and not _NOTHING_SAID.search(words)
    ]


def _letters(text: str) -> str:
    """Its words as a reader takes them, whatever marks or foreign letters are in them; punctuation stays between them."""
    return " ".join(re.sub(r"[^\s.,;:!?()\[\]]+", lambda word: latin(word.group()), text).split())
