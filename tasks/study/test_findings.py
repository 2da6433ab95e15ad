"""What each test shows, decided by code: whether, in which direction, and in words that only code writes into a paper."""

from __future__ import annotations

from dataclasses import dataclass, field

from schemas.study.design import StudyProtocol
from schemas.study.results import Results, TestResult
from schemas.study.scope import Hypothesis, ResearchPlan
from tasks.study.wording.escaping import escaped

LEVEL = 0.05
_BF_FOR, _BF_AGAINST = 3.0, 1 / 3  # a Bayes factor between decides nothing
_FIRST_MINUS_SECOND = ("d", "dz", "r_rb", "difference")
_WHAT = {
    "difference": "difference",
    "association": "association",
    "prediction": "prediction by all predictors together",
}


@dataclass(frozen=True)
class Finding:
    """What a hypothesis' test shows. shown: None where a Bayes factor decides nothing. centres: level -> where its values lie,
    of differences; only their order is meant. sign: of an association, or of the first of two levels less the second."""

    hypothesis: Hypothesis
    test: TestResult
    shown: bool | None
    centres: dict[str, float] = field(default_factory=dict)
    sign: int = 0

    @property
    def id(self) -> str:
        """The hypothesis."""
        return self.hypothesis.id

    @property
    def levels(self) -> list[str]:
        """The levels that were compared."""
        if self.test.against is not None:
            return []
        return [*self.centres] or [group.name for group in self.test.groups]

    @property
    def signed(self) -> bool:
        """Whether what was tested is positive or negative: an association, or a numeric predictor's coefficient."""
        return self.hypothesis.relation == "association" or bool(
            self.test.focus and self.sign and not self.test.compared
        )

    @property
    def what(self) -> str:
        """What was tested: a difference, an association, a prediction, equivalence, or the claim about two factors."""
        if self.test.bound:
            return "equivalence"
        if self.test.against is not None:
            return f"difference from {self.test.against:g}"
        if self.test.focus:
            others = [name for name in self.test.predictors if name != self.test.focus]
            held = f" with {', '.join(map(escaped, others))} held constant" if others else ""
            return f"effect of {escaped(self.test.focus)}{held}"
        return (
            self.test.claim.replace("_", " ") + " effect"
            if self.test.claim
            else _WHAT[self.hypothesis.relation]
        )

    @property
    def words(self) -> str:
        """What the test shows, as a sentence."""
        if self.test.bound:
            said = f"Equivalence within {self.test.bound}"
            return f"{said} was {'not decided' if self.shown is None else 'shown' if self.shown else 'not shown'}"
        article = "An" if self.what[0] in "aeiou" else "A"
        if self.shown is None:
            return f"Whether there is {article.lower()} {self.what} is not decided"
        if not self.shown:
            return f"No {self.what} was shown"
        return f"{article} {self.what} was shown{self._direction()}"

    def _direction(self) -> str:
        if self.test.compared and self.sign:
            first, second = map(escaped, self.test.compared)
            return f": {first} {'higher' if self.sign > 0 else 'lower'} than {second}"
        if self.signed:
            return {1: ": positive", -1: ": negative"}.get(self.sign, "")
        if self.test.against is not None:
            return {1: ": above it", -1: ": below it"}.get(self.sign, "")
        names = [escaped(name) for name in self.centres]
        if len(names) == 2 and self.sign:
            return f": {names[0]} {'higher' if self.sign > 0 else 'lower'} than {names[1]}"
        apart = [f"{escaped(low)} lower than {escaped(high)}" for low, high in self.apart()]
        return f"; by pairs: {', '.join(apart)}" if apart else ""

    def apart(self) -> list[tuple[str, str]]:
        """The pairs of more than two levels that differ, the lower first."""
        found = []
        for pair in self.test.pairs:
            p = pair.p_adjusted
            if p is not None and p < LEVEL and {pair.first, pair.second} <= {*self.centres}:
                found.append(tuple(sorted((pair.first, pair.second), key=self.centres.__getitem__)))
        return found  # type: ignore[return-value]

    def order(self, subject: str, reference: str) -> int:
        """1 where the subject lies higher, -1 lower, 0 where neither is known."""
        names = list(self.centres)
        if len(names) == 2 and self.sign and {subject, reference} == {*names}:
            return self.sign if subject == names[0] else -self.sign
        gap = self.centres[subject] - self.centres[reference]
        return (gap > 0) - (gap < 0)


def findings(plan: ResearchPlan, results: Results, protocol: StudyProtocol) -> list[Finding]:
    """What each test shows, in the plan's order."""
    level = level_of(protocol)
    tests = {item.id: item for item in results.tests}
    return [_finding(item, tests[item.id], level) for item in plan.hypotheses if item.id in tests]


def level_of(protocol: StudyProtocol) -> float:
    """The level of significance that was planned."""
    return protocol.effect.alpha if protocol.effect else LEVEL


def decisive(test: TestResult) -> float | None:
    """The p value that decides: corrected where the hypothesis is one of several."""
    return next((p for p in (test.p_adjusted, test.p_family, test.p) if p is not None), None)


def _finding(hypothesis: Hypothesis, test: TestResult, level: float) -> Finding:
    p, shown = decisive(test), None
    if p is not None:
        shown = p < level
    elif test.bayes is not None and test.bayes.bf10 is not None:
        bf = test.bayes.bf10
        shown = True if bf >= _BF_FOR else False if bf <= _BF_AGAINST else None
    centres = _centres(test)
    return Finding(hypothesis, test, shown, centres, _sign(hypothesis, test, centres))


def _centres(test: TestResult) -> dict[str, float]:
    if test.claim:
        effect = next((item for item in test.effects if item.name == test.claim), None)
        return dict(effect.means) if effect else {}
    found: dict[str, float] = {}
    if test.against is not None:
        return found
    for group in test.groups:
        mean = group.adjusted.value if group.adjusted else group.mean
        if mean is None:
            return {}
        found[group.name] = mean
    return found


def _sign(hypothesis: Hypothesis, test: TestResult, centres: dict[str, float]) -> int:
    value = 0.0
    if test.focus:
        value = (test.statistic or 0.0) if test.statistic_name in ("t", "z") else 0.0
    elif hypothesis.relation == "association" or test.against is not None:
        value = (test.effect.value if test.effect else test.statistic) or 0.0
    elif len(centres) == 2 and test.effect is not None and test.effect.name in _FIRST_MINUS_SECOND:
        value = test.effect.value
    elif len(centres) == 2:
        first, second = centres.values()
        value = first - second
    return (value > 0) - (value < 0)
