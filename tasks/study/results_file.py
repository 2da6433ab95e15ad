"""results.json and its text: the tests of all hypotheses, and every number under the name that text may use."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import pandas as pd

from schemas.errors import InputError
from schemas.study.design import Variable, Variables
from schemas.study.results import (
    Agreement,
    Assumption,
    CorrelationFound,
    DescribedVariable,
    NamedValue,
    NotTested,
    Reliability,
    Results,
    TestResult,
)
from schemas.study.scope import Hypothesis, ResearchPlan
from schemas.study.settings import Framework
from tasks.study.participants.doubts import doubts
from tasks.study.participants.raw_data import PARTICIPANT
from tasks.study.statistics import Effect, Plan, Tested, analysed, apa
from tasks.study.statistics.assumptions import ALPHA
from tasks.study.statistics.corrections import Method
from tasks.study.statistics.measures.describing import correlations, descriptives
from tasks.study.statistics.measures.reliability import of_scales
from tasks.study.wording.tables import written_tables


def plans_of(hypotheses: Sequence[Hypothesis], variables: Variables, columns: Sequence[str]) -> list[Plan]:
    """Hypotheses as columns of the data. Raises InputError for a variable that is not declared or has no column."""
    known = {item.name: item for item in variables.variables}
    who = next((item.name for item in variables.variables if item.role == "identifier"), PARTICIPANT)
    found = []
    for item in hypotheses:
        names = item.variables
        missing = [name for name in names if name not in known]
        if missing:
            raise InputError(
                f"the hypothesis {item.id} names variables that are not declared",
                found=", ".join(missing),
                allowed=", ".join(known),
                fix="declare them, or correct the hypothesis",
            )
        absent = [name for name in names if name not in columns]
        if absent:
            raise InputError(
                f"the data have no column for the hypothesis {item.id}",
                found=", ".join(absent),
                allowed=", ".join(columns),
                fix="name variables as their columns are named",
            )
        first = known[item.predictors[0]] if item.predictors else None
        other = known[item.predictors[1]] if item.claim else None
        found.append(
            Plan(
                id=item.id,
                relation=item.relation,
                outcome=item.outcome,
                predictors=item.predictors,
                kinds={name: known[name].kind for name in names},
                within=bool(first and first.within) and item.relation == "difference",
                participant=who if who in columns else "",
                levels=_levels(first) if first else (),
                expected_higher=item.expected_higher,
                confirmatory=item.confirmatory,
                claim=item.claim or "",
                other_within=bool(other and other.within),
                other_levels=_levels(other) if other else (),
                covariates=item.covariates,
                items=item.items or "",
                against=item.against,
                focus=item.focus or "",
                bound=item.equivalent_within or 0.0,
                bound_in=item.bound_in,
            )
        )
    return found


def by_person(plans: Sequence[Plan], data: bytes) -> list[Plan]:
    """The plans with units that the data (a CSV) know: a column that an agent declares as identifier never makes more of them
    than there are participants."""
    frame = frame_of(data)
    units = {name: frame[name].nunique() for name in frame.columns}
    return [
        replace(plan, participant=PARTICIPANT)
        if units.get(plan.participant, 0) > units.get(PARTICIPANT, len(frame))
        else plan
        for plan in plans
    ]


def labelled(plan: ResearchPlan, exploratory_because: Sequence[str]) -> ResearchPlan:
    """The plan as it counts: nothing is confirmatory where there is a reason against it, whatever an agent says."""
    if not exploratory_because:
        return plan
    return plan.model_copy(
        update={
            "hypotheses": tuple(item.model_copy(update={"confirmatory": False}) for item in plan.hypotheses)
        }
    )


def reopened_warning(reopened: Sequence[str]) -> str:
    """What every test says then."""
    return f"exploratory: decided again after results of this study were known ({', '.join(reopened)})"


def _levels(variable: Variable) -> tuple[str, ...]:
    return variable.levels if variable.kind in ("nominal", "ordinal") else ()


def results_of(
    data: bytes,
    plans: Sequence[Plan],
    *,
    framework: Framework = "frequentist",
    seed: int = 1,
    correction: Method = "holm",
    agreement: Sequence[Agreement] = (),
    scales: Mapping[str, Mapping[str, Any]] | None = None,
) -> Results:
    """All tests of `data` (a CSV); a hypothesis that they do not allow to test is told with what is lacking.

    scales: as `scales_of` gives them."""
    frame = frame_of(data)
    tests, cannot = analysed(plans, frame, seed=seed, correction=correction)
    if framework == "bayesian":
        cannot |= {item.id: without_evidence(item) for item in tests if without_evidence(item)}
        tests = [item for item in tests if item.id not in cannot]
    doubted = doubts(plans, frame, seed=seed, correction=correction, framework=framework)
    tests = [replace(item, warnings=(*item.warnings, *doubted.get(item.id, ()))) for item in tests]
    shown = tuple(_result(item, framework) for item in tests)
    consistent = [Reliability.model_validate(asdict(item)) for item in of_scales(scales or {}, frame, seed)]
    values = [
        *_sample(frame),
        *(value for item in tests for value in _values(item, framework)),
        *(
            NamedValue(
                name=slug(f"{item.measure}_{item.code or place}"),
                value=item.value,
                about=f"{item.coders} coders" + (f", on the code {item.code}" if item.code else ""),
                text="not defined" if item.value is None else apa.number(item.value, bounded=True),
            )
            for place, item in enumerate(agreement, 1)
        ),
        *(value for item in consistent for value in _of_scale(item)),
    ]
    return Results(
        data_sha256=hashlib.sha256(data).hexdigest(),
        framework=framework,
        seed=seed,
        tests=shown,
        not_tested=tuple(NotTested(id=name, because=why[:1000]) for name, why in cannot.items()),
        agreement=tuple(agreement),
        reliability=tuple(consistent),
        descriptives=tuple(
            DescribedVariable.model_validate(asdict(item)) for item in descriptives(plans, frame)
        ),
        correlations=tuple(
            CorrelationFound.model_validate(asdict(item)) for item in correlations(plans, frame)
        ),
        values=tuple(_unique(values)),
    )


def without_evidence(item: Tested) -> str:
    """Why a purely Bayesian analysis cannot report a test; '' where it can."""
    if item.bayes is not None and item.bayes.bf10 is not None:
        return ""
    return (
        f"{item.id}: the framework is Bayesian, and no Bayes factor is known here for this test ({item.test}); choose the framework "
        "both or frequentist, or another measure"
    )


def frame_of(data: bytes) -> pd.DataFrame:
    """A CSV as the tests read it: empty cells are missing, nothing else is."""
    return pd.read_csv(io.BytesIO(data), keep_default_na=False, na_values=[""])


def apa_text(results: Results) -> str:
    """results_apa.md: a paragraph for each hypothesis, all by code."""
    lines = ["# Results", ""]
    for item in results.tests:
        lines += [
            f"**{item.id}** ({item.of}; {item.because}). {item.apa}.",
            "",
        ]
        lines += [
            f"- {group.name}: "
            + apa.group_text(
                {"n": group.n, "counts": group.counts}
                if group.counts
                else {"n": group.n, "mean": group.mean, "sd": group.sd, "adjusted": group.adjusted}
            )
            for group in item.groups
        ]
        lines += [f"- {effect.apa}" for effect in (*item.effects, *item.simple)]
        lines += [f"- {pair.apa}" for pair in item.pairs]
        lines += [f"- {found.about}: {found.text}" for found in item.coefficients]
        lines += [f"- {name}: *β* = {apa.number(beta)}" for name, beta in item.standardised.items()]
        lines += [f"- {assumption_words(found)}" for found in item.assumptions]
        lines += [f"- {warning}" for warning in item.warnings]
        lines += [f"- {item.left_out} left out for missing values"] if item.left_out else []
        lines += [""]
    for missing in results.not_tested:
        lines += [f"**{missing.id}** was not tested: {missing.because}.", ""]
    lines += [f"- {agreement_text(item)}" for item in results.agreement]
    lines += [""] if results.agreement and results.reliability else []
    for scale in results.reliability:
        lines += reliability_lines(scale)
    lines += [written_tables(results).replace("### ", "## "), ""]
    return "\n".join(lines).rstrip() + "\n"


def reliability_lines(item: Reliability) -> list[str]:
    """A scale's coefficients, and each of its items."""
    where = f"{item.scale}, {item.condition}" if item.condition else item.scale
    told = [value.text for value in _of_scale(item)] + ([item.cannot] if item.cannot else [])
    lines = [f"**Scale {where}** ({len(item.items)} items, *n* = {item.n}): {'; '.join(told)}.", ""]
    for one in item.items:
        rest = "not defined" if one.rest is None else apa.number(one.rest, bounded=True)
        without = "not defined" if one.without is None else apa.number(one.without, bounded=True)
        lines.append(
            f"- {one.name}: *M* = {apa.number(one.mean)}, *SD* = {apa.number(one.sd)}, correlation with the others {rest}, "
            f"α without it {without}"
        )
    return [*lines, ""]


def _of_scale(item: Reliability) -> list[NamedValue]:
    found, of = [], f"_{item.condition}" if item.condition else ""
    for name, sign, value, low, high in (
        ("alpha", "Cronbach's α", item.alpha, item.alpha_low, item.alpha_high),
        ("omega", "McDonald's ω", item.omega, item.omega_low, item.omega_high),
    ):
        if value is not None:
            text = f"{sign} = {apa.number(value, bounded=True)}"
            if low is not None and high is not None:
                text += f", 95% CI [{apa.number(low, bounded=True)}, {apa.number(high, bounded=True)}]"
            about = f"{sign} of {item.scale}" + (f" in {item.condition}" if item.condition else "")
            found.append(
                NamedValue(name=slug(f"{item.scale}_{name}{of}"), value=value, text=text, about=about)
            )
    return found


def agreement_text(item: Agreement) -> str:
    """A measure of agreement with its interval, how that was found or why there is none, and what it is of."""
    text = f"{item.measure} of the code {item.code}: " if item.code else f"{item.measure}: "
    text += "not defined" if item.value is None else apa.number(item.value, bounded=True)
    if item.low is not None and item.high is not None:
        text += f", 95% CI [{apa.number(item.low, bounded=True)}, {apa.number(item.high, bounded=True)}]"
    of = f"{item.units} units, {item.coders} coders"
    return f"{text} ({of}; {item.detail})" if item.detail else f"{text} ({of})"


def assumption_words(found: Assumption) -> str:
    """An assumption as found: whether it holds, and why where its test alone would say otherwise."""
    verdict = "not checked" if found.holds is None else "taken to hold" if found.holds else "does not hold"
    told = [apa.p_value(found.p)] if found.p is not None else []
    told += [found.detail] if found.detail and (found.holds is not True or (found.p or 1) < ALPHA) else []
    return f"{found.name}: {verdict}" + (f" ({'; '.join(told)})" if told else "")


def _result(item: Tested, framework: Framework) -> TestResult:
    raw = asdict(item)
    raw["apa"] = apa.sentence(item, framework)
    raw["coefficients"] = [_coefficient(item.id, name, *found) for name, found in item.coefficients.items()]
    raw["statistic"] = item.statistic
    raw["pairs"] = [
        {**part, "apa": apa.pair_text(pair, framework)}
        for part, pair in zip(raw["pairs"], item.pairs, strict=True)
    ]
    for several in ("effects", "simple"):
        raw[several] = [
            {**part, "apa": apa.factor_text(effect, framework)}
            for part, effect in zip(raw[several], getattr(item, several), strict=True)
        ]
    if framework == "bayesian":
        raw["p"] = raw["p_adjusted"] = raw["p_family"] = None
        for several in ("pairs", "effects", "simple"):
            raw[several] = [{**part, "p": None, "p_adjusted": None} for part in raw[several]]
    if framework == "frequentist":
        raw["bayes"] = None
    return TestResult.model_validate(raw)


def _coefficient(
    test: str, name: str, estimate: float, error: float, low: float, high: float, p: float
) -> NamedValue:
    text = apa.coefficient_text(estimate, error, low, high, p)
    return NamedValue(
        name=slug(f"{test}_b_{name}"), value=estimate, text=text, about=f"coefficient of {name}"
    )


def _sample(frame: pd.DataFrame) -> list[NamedValue]:
    rows = [_count("n_rows", len(frame), "rows of the data")]
    who = frame[PARTICIPANT].nunique() if PARTICIPANT in frame.columns else len(frame)
    return [*rows, _count("n_participants", int(who), "participants")]


def _count(name: str, value: int, about: str) -> NamedValue:
    return NamedValue(name=name, value=value, text=str(value), about=about)


def _values(item: Tested, framework: Framework) -> list[NamedValue]:
    def value(name: str, number: float | None, text: str, about: str) -> NamedValue:
        return NamedValue(name=slug(f"{item.id}_{name}"), value=number, text=text, about=about)

    found = [
        value("apa", None, apa.sentence(item, framework), "the whole test"),
        value("test", None, item.test, "name of the test"),
        _count(slug(f"{item.id}_n"), item.n, "rows or participants tested"),
        value("statistic", item.statistic, apa.statistic_text(item), "statistic"),
    ]
    if item.bound:
        found.append(value("bound", None, item.bound, "bound of equivalence"))
    if framework != "bayesian":
        found.append(value("p", item.p, apa.p_value(item.p), "p value"))
        if item.p_adjusted is not None:
            found.append(
                value(
                    "p_adjusted",
                    item.p_adjusted,
                    apa.adjusted_p(item.p_adjusted, item.adjustment)
                    if item.adjustment
                    else apa.p_value(item.p_adjusted),
                    f"p value, {item.adjustment or 'of the only confirmatory test'}",
                )
            )
        if item.p_family is not None:
            found.append(
                value(
                    "p_adjusted",
                    item.p_family,
                    apa.adjusted_p(item.p_family, item.adjustment),
                    f"p value, {item.adjustment}",
                )
            )
    if framework != "frequentist":
        found.append(
            value("bf10", item.bayes.bf10 if item.bayes else None, apa.bayes_text(item), "Bayes factor")
        )
    if item.difference is not None:
        text = apa.effect_text(item.difference)
        found.append(value("difference", item.difference.value, text, "difference of means"))
    if item.effect is not None:
        found.append(
            value(
                "effect", item.effect.value, apa.effect_text(item.effect), f"effect size {item.effect.name}"
            )
        )
    for group in item.groups:
        at = f"at_{group['name']}"
        found.append(value(at, None, apa.group_text(group), f"values of {group['name']}"))
        found.append(value(f"{at}_n", group["n"], str(group["n"]), f"n of {group['name']}"))
        if adjusted := group.get("adjusted"):
            text = apa.effect_text(Effect(**adjusted))
            found.append(
                value(f"{at}_adjusted", adjusted["value"], text, f"adjusted mean of {group['name']}")
            )
        found += [
            value(f"{at}_{name}", group[name], apa.number(group[name]), f"{name} of {group['name']}")
            for name in ("mean", "sd", "median")
            if name in group
        ]
    found += [
        value(
            f"pair_{pair.first}_{pair.second}",
            pair.statistic,
            apa.pair_text(pair, framework),
            f"{pair.first} against {pair.second}, {pair.test}",
        )
        for pair in item.pairs
    ]
    for kind, effects in (("factor", item.effects), ("simple", item.simple)):
        for effect in effects:
            found.append(
                value(
                    f"{kind}_{effect.name}",
                    effect.statistic,
                    apa.factor_text(effect, framework),
                    f"{'simple ' * (kind == 'simple')}effect of {effect.name}",
                )
            )
            found += [
                value(
                    f"mean_{effect.name}_{name}",
                    number,
                    apa.number(number),
                    f"mean of {name}, levels of the other factor counted alike",
                )
                for name, number in effect.means.items()
            ]
            if effect.omega is not None:
                found.append(
                    value(
                        f"omega_{effect.name}",
                        effect.omega.value,
                        apa.effect_text(effect.omega),
                        f"partial omega squared of {effect.name}",
                    )
                )
    found += [
        value(f"beta_{name}", number, f"*β* = {apa.number(number)}", f"standardised coefficient of {name}")
        for name, number in item.standardised.items()
    ]
    return [*found, *(_coefficient(item.id, name, *numbers) for name, numbers in item.coefficients.items())]


def _unique(values: Sequence[NamedValue]) -> list[NamedValue]:
    """Levels whose names differ in signs only get numbers, so that no name means two things."""
    seen: dict[str, int] = {}
    found = []
    for item in values:
        seen[item.name] = times = seen.get(item.name, 0) + 1
        found.append(item if times == 1 else item.model_copy(update={"name": f"{item.name}_no{times}"}))
    return found


def slug(name: str) -> str:
    """A name as text may use it."""
    slug = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:120]
    return slug if slug[:1].isalpha() else f"x_{slug}"
