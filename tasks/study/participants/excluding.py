"""Who is left out of the data: code evaluates the protocol's rules on the rows; words alone leave nobody out."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from numpy import corrcoef
from scipy.stats import rankdata

from schemas.errors import InputError
from schemas.study.checked_response import ResponseSuspicion, Suspicion
from schemas.study.design import StudyProtocol, Variable
from schemas.study.exclusion import ORDERED, ExclusionKind, ExclusionRule, Exclusions, LeftOut
from schemas.study.persona import ItemAnswer
from schemas.study.questionnaire import Questionnaire
from schemas.study.scope import ResearchPlan
from tasks.study.inputs.profiling import SHARED_BY
from tasks.study.participants.raw_data import CONDITION, PARTICIPANT, read_rows, write_rows
from tasks.study.participants.responses import same_answers, suspicions

_COPY = 0.9
"""A correlation of ranks from which on one column is another one under a new name."""
_RULE_OF: dict[Suspicion, ExclusionKind] = {
    "attention check failed": "failed_attention_check",
    "straight-lining": "straight_lining",
    "same as another": "same_as_another",
}


def excluded(
    data: bytes,
    protocol: StudyProtocol,
    questionnaire: Questionnaire | None,
    *,
    detailed: bool,
    late: bool = False,
) -> Exclusions:
    """Whom the protocol's rules leave out of raw data, and how many answered doubtfully without a rule against it.

    detailed: with what was found of each, as only simulated participants may be shown. late: the rules were made when the data
    were known. Raises InputError for a rule about a
    column that the data lack, or that needs numbers where the data hold none.
    """
    rows: dict[str, list[dict[str, str]]] = {}
    columns: set[str] = set()
    for row in read_rows(data):
        rows.setdefault(row[PARTICIPANT], []).append(row)
        columns |= {*row}
    lacking = {
        rule.words: absent
        for rule in protocol.rules
        if rule.kind != "value"
        and (absent := [name for name in needed_by(rule, questionnaire) if name not in columns])
    }
    doubts = _doubts(rows, questionnaire)
    rules: dict[str, ExclusionRule] = {rule.kind: rule for rule in protocol.rules if rule.kind != "value"}
    out: dict[str, LeftOut] = {}
    ignored: Counter[str] = Counter()
    for who, own in rows.items():
        for doubt in doubts[who]:
            rule = rules.get(_RULE_OF[doubt.suspicion])
            if rule is not None:
                out.setdefault(
                    who,
                    LeftOut(participant=who, rule=rule.words, detail=doubt.detail[:300] if detailed else ""),
                )
        ignored.update({doubt.suspicion for doubt in doubts[who] if _RULE_OF[doubt.suspicion] not in rules})
        for rule in protocol.rules:
            held = next((row for row in own if rule.kind == "value" and _holds(rule, row)), None)
            if held is not None:
                out.setdefault(
                    who,
                    LeftOut(
                        participant=who,
                        rule=rule.words,
                        detail=f"{rule.variable}: {held[rule.variable]}"[:300] if detailed else "",
                    ),
                )
    return Exclusions(
        asked=len(rows),
        rules=protocol.rules,
        left_out=tuple(out.values()),
        doubts=dict(sorted(ignored.items())),
        only_words=tuple(words for words in protocol.exclusions if not _in_rules(words, protocol.rules)),
        not_evaluated=tuple(
            f"{words}: the data have no column {', '.join(absent)}"[:400] for words, absent in lacking.items()
        ),
        late=late,
    )


def needed_by(rule: ExclusionRule, questionnaire: Questionnaire | None) -> tuple[str, ...]:
    """The columns without which a rule cannot be evaluated."""
    items = questionnaire.items if questionnaire is not None else ()
    if rule.kind == "value":
        return (rule.variable,)
    if rule.kind == "failed_attention_check":
        return tuple(item.id for item in items if item.expected is not None)
    if rule.kind == "straight_lining":
        return tuple(item.id for item in items if item.kind == "likert" and item.expected is None)
    return tuple(item.id for item in items)


def late_faults(
    rules: Iterable[ExclusionRule], plan: ResearchPlan, variables: Iterable[Variable], data: bytes
) -> list[str]:
    """What of rules that are made when the data are known could choose the result, or people. No cell is in it."""
    tested = {name for item in plan.hypotheses for name in item.variables}
    who = {PARTICIPANT, *(item.name for item in variables if item.role == "identifier")}
    faults, rows = [], read_rows(data)
    for rule in rules:
        if rule.kind != "value" or not rows or rule.variable not in rows[0]:
            continue
        if rule.variable in tested:
            faults.append(
                f"the exclusion rule '{rule.words}' acts on a variable of a hypothesis, in data that are known "
                "already; leave it out (missing values are left out anyway)"
            )
        elif rule.variable in who:
            faults.append(
                f"the exclusion rule '{rule.words}' names participants; a rule says what holds for many"
            )
        elif 0 < len({row[PARTICIPANT] for row in rows if _holds(rule, row)}) < SHARED_BY:
            faults.append(
                f"the exclusion rule '{rule.words}' holds for fewer than {SHARED_BY} participants: that picks "
                "people, in data that are known already; leave it out"
            )
        elif name := next(
            (name for name in sorted(tested) if name in rows[0] and _acts_on(rule, name, rows)), ""
        ):
            faults.append(
                f"the exclusion rule '{rule.words}' leaves out by {name}, a variable of a hypothesis, under "
                f"another name "
                f"({rule.variable}), in data that are known already; leave it out"
            )
    return faults


def _acts_on(rule: ExclusionRule, name: str, rows: Sequence[Mapping[str, str]]) -> bool:
    """Whether a rule on one column leaves out by another one: its column goes with that one, or those it holds for lie all on
    one side of the rest, or share no value with them."""
    known = [row for row in rows if row.get(name, "").strip()]
    inside = [row[name].strip() for row in known if _holds(rule, row)]
    rest = [row[name].strip() for row in known if not _holds(rule, row)]
    if not inside or not rest:
        return False
    numbers = [
        (one, other)
        for row in known
        if (one := _number(row[rule.variable])) is not None and (other := _number(row[name])) is not None
    ]
    if len({one for one, _ in numbers}) > 2 and len({other for _, other in numbers}) > 2:
        ranks = [rankdata(side) for side in zip(*numbers, strict=True)]
        if abs(float(corrcoef(ranks[0], ranks[1])[0, 1])) >= _COPY:
            return True
    low, high = ([n for cell in cells if (n := _number(cell)) is not None] for cells in (inside, rest))
    if len(low) < len(inside) or len(high) < len(rest):
        return not {*inside} & {*rest}
    return max(low) < min(high) or max(high) < min(low)


_SAID = {
    "failed_attention_check": r"attention|check item|instructed",
    "straight_lining": r"straight|same (?:answer|number|value|rating) (?:to|on|for) (?:all|every)",
    "same_as_another": r"duplicat|cop(?:y|ies)|same as another|identical",
}


def _in_rules(words: str, rules: Sequence[ExclusionRule]) -> bool:
    """Whether one of the rules that code evaluates says what these words say, as far as names and usual words tell."""
    return any(
        re.search(
            rf"\b{re.escape(rule.variable).replace('_', '[ _-]')}\b"
            if rule.kind == "value"
            else _SAID[rule.kind],
            words,
            re.IGNORECASE,
        )
        for rule in rules
    )


def without(data: bytes, participants: Collection[str]) -> bytes:
    """Raw data without these participants. Raises InputError where nobody is left."""
    rows = read_rows(data)
    kept = [row for row in rows if row[PARTICIPANT] not in participants]
    if not kept:
        raise InputError(
            "no participant is left",
            found=f"all {len({*participants})} are left out",
            fix="check the rules of exclusion",
        )
    return write_rows(list(rows[0]), kept) if participants else data


def rule_faults(
    rules: Iterable[ExclusionRule],
    columns: Collection[str],
    questionnaire: Questionnaire | None,
    *,
    numbers: Collection[str] | None = None,
) -> list[str]:
    """What of the rules cannot be evaluated on data of these columns. numbers: those that hold numbers, where known."""
    faults = []
    items = questionnaire.items if questionnaire is not None else ()
    for rule in rules:
        if rule.kind == "value":
            if rule.variable not in columns:
                faults.append(
                    f"the exclusion rule '{rule.words}' names no column of the data; columns are "
                    f"{', '.join(columns)}"[:600]
                )
            elif rule.comparison in ORDERED and numbers is not None and rule.variable not in numbers:
                faults.append(
                    f"the exclusion rule '{rule.words}' compares numbers; {rule.variable} holds none"
                )
        elif not items:
            faults.append(
                f"the exclusion rule '{rule.words}' needs a questionnaire; of these data none is known"
            )
        elif rule.kind == "failed_attention_check" and all(item.expected is None for item in items):
            faults.append(
                f"the exclusion rule '{rule.words}' needs an item with `expected`; the questionnaire has none"
            )
    return faults


def _holds(rule: ExclusionRule, row: Mapping[str, str]) -> bool:
    if rule.variable not in row:
        raise InputError(
            "a rule of exclusion names a column that the data lack",
            found=rule.words,
            allowed=", ".join(row)[:600],
            fix="correct the rule in the design",
        )
    cell = row[rule.variable].strip()
    if rule.comparison == "missing":
        return cell == ""
    if cell == "":
        return False
    limit, found = rule.number, _number(cell)
    if rule.comparison in ORDERED:
        if found is None or limit is None:
            raise InputError(
                "a rule of exclusion compares numbers, and the data hold none there",
                found=rule.words,
                allowed="a column of numbers",
                fix="correct the rule in the design",
            )
        return {
            "below": found < limit,
            "at_most": found <= limit,
            "above": found > limit,
            "at_least": found >= limit,
        }[rule.comparison]
    same = found == limit if found is not None and limit is not None else cell == rule.value.strip()
    return same if rule.comparison == "equals" else not same


def _doubts(
    rows: Mapping[str, Sequence[Mapping[str, str]]], questionnaire: Questionnaire | None
) -> dict[str, list[ResponseSuspicion]]:
    """Participant -> what is doubtful in the answers, as the questionnaire lets code see it."""
    if questionnaire is None:
        return {who: [] for who in rows}
    answers = {who: _answers(own, questionnaire) for who, own in rows.items()}
    copies = same_answers(answers)
    return {
        who: [*suspicions(given, questionnaire), *([copies[who]] if who in copies else [])]
        for who, given in answers.items()
    }


def _answers(rows: Sequence[Mapping[str, str]], questionnaire: Questionnaire) -> tuple[ItemAnswer, ...]:
    """A participant's rows as answers; what was asked once counts once, empty cells are no answers."""
    found: dict[tuple[str, str], ItemAnswer] = {}
    for row in rows:
        for item in questionnaire.items:
            cell = row.get(item.id, "").strip()
            if not cell:
                continue
            number = (
                _number(cell)
                if item.kind in ("likert", "number") or isinstance(item.expected, float)
                else None
            )
            where = row.get(CONDITION, "")[:40] if item.per_condition else ""
            value = cell if number is None else number
            found.setdefault((item.id, where), ItemAnswer(item=item.id, condition=where, value=value))
    return tuple(found.values())


def _number(cell: str) -> float | None:
    try:
        found = float(cell)
    except ValueError:
        return None
    return found if math.isfinite(found) else None
