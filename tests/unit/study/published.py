"""Published analyses through the tests of a study: `python -m tests.unit.study.published` writes docs/measured/published.md."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from schemas.study.scope import tested_words
from tasks.study.statistics import Plan, Tested, analysed

DATA = json.loads((Path(__file__).with_name("published.json")).read_text())
PAGE = Path(__file__).resolve().parents[3] / "docs" / "measured" / "published.md"
HEAD = """# Published analyses

Written by `python -m tests.unit.study.published`: analyses whose numbers are published (what R prints of the data sets that come with it,
where no other source stands), through the tests of `reprolab study`, which chose the test by
rule from the kinds of variables. Each published number is compared with ours in as many digits as it is printed with
(`tests/unit/study/test_study_published.py`). Potthoff and Roy's children, a mixed design, are in `test_study_mixed.py`: our F are the
published ones, and by rule a permutation test is used, as a child's values are no normal residuals. Where our rules choose another test
than the published one (R's paired t of sleep, whose differences are not normal; its analysis of variance of warpbreaks) or refuse it
(regressions of stackloss, swiss, attitude and longley: fewer than ten rows for each coefficient), nothing is compared.

"""


@dataclass(frozen=True)
class Published:
    """An analysis. kinds: of the outcome and each predictor; numbers: what -> as it is printed; '< x' where only a bound
    is; source: where R's own output is not alone."""

    data: str
    relation: str
    outcome: str
    predictors: tuple[str, ...]
    kinds: tuple[str, ...]
    test: str
    numbers: dict[str, str]
    levels: tuple[str, ...] = ()
    claim: str = ""
    within: bool = False
    source: str = "R"
    covariates: tuple[str, ...] = ()
    bound: float = 0.0
    participant: str = ""
    against: float | None = None

    @property
    def frame(self) -> pd.DataFrame:
        """The data, a row each of what was counted."""
        found = pd.DataFrame(DATA[self.data])
        if "freq" in found:
            found = found.loc[found.index.repeat(found["freq"])].drop(columns="freq").reset_index(drop=True)
        return found

    @cached_property
    def tested(self) -> Tested:
        """Ours. Fails where it is not tested."""
        names = (self.outcome, *self.predictors, *self.covariates)
        plan = Plan(
            "h1",
            self.relation,  # type: ignore[arg-type]
            self.outcome,
            self.predictors,
            dict(zip(names, self.kinds, strict=True)),  # type: ignore[arg-type]
            within=self.within,
            participant=self.participant or ("id" if self.within else ""),
            levels=self.levels,
            claim=self.claim,
            covariates=self.covariates,
            bound=self.bound,
            against=self.against,
        )
        found, cannot = analysed([plan], self.frame)
        assert not cannot, cannot
        return found[0]


def ours(found: Tested, what: str) -> float:
    """A number of a test by its name: statistic, p, df1, effect, low, high, b NAME, F NAME and p NAME of a factor; of a group
    its adjusted mean (M NAME) with its ends (low NAME, high NAME); t FIRST-SECOND of a pair; F slopes and p slopes."""
    kind, _, name = what.partition(" ")
    if name == "slopes":
        slopes = found.assumptions[0]
        value = slopes.statistic if kind == "F" else slopes.p
    elif name and kind in ("M", "low", "high"):
        group = next(item for item in found.groups if item["name"] == name)
        value = group["adjusted"]["value" if kind == "M" else kind]
    elif kind == "t":
        value = next(item.statistic for item in found.pairs if f"{item.first}-{item.second}" == name)
    elif name:
        effects = {item.name: item for item in found.effects}
        value = (
            found.coefficients[name][0]
            if kind == "b"
            else found.coefficients[name][1]
            if kind == "SE"
            else effects[name].statistic
            if kind == "F"
            else effects[name].p
        )
    elif what.startswith("df"):
        value = found.df[int(what[2:]) - 1]
    else:
        effect = found.effect
        value = {
            "statistic": found.statistic,
            "p": found.p,
            "effect": effect and effect.value,
            "low": effect and effect.low,
            "high": effect and effect.high,
        }[what]
    assert value is not None, what
    return float(value)


def as_printed(value: float, like: str) -> str:
    """A number in the digits of another: 1.294e-10, 0.8268."""
    if "e" in like:
        digits = len(like.split("e")[0].split(".")[1])
        return f"{value:.{digits}e}"
    return f"{value:.{len(like.partition('.')[2])}f}"


def agrees(value: float, printed: str) -> bool:
    """Whether a number is the printed one, in its digits; of a bound, below it."""
    if printed.startswith("<"):
        return value < float(printed[1:])
    return as_printed(value, printed) == printed


NUMBER, RANK, NAME = "ratio", "ordinal", "nominal"
ANALYSES = (
    Published("sleep", "difference", "extra", ("group",), (NUMBER, NAME), "Student's t test",
              {"statistic": "-1.8608", "df1": "18", "p": "0.07919"}),
    Published("rounding_times", "difference", "seconds", ("way",), (RANK, NAME), "Friedman test",
              {"statistic": "11.143", "df1": "2", "p": "0.003805"}, within=True, source="R; Hollander and Wolfe, 1973, p. 140"),
    Published("tooth_growth", "difference", "len", ("supp", "dose"), (NUMBER, NAME, NAME), "two-way analysis of variance",
              {"F supp": "15.572", "F dose": "92.000", "F supp by dose": "4.107", "p supp": "0.0002312", "p supp by dose": "0.02186"},
              claim="interaction"),
    Published("plant_growth", "difference", "weight", ("group",), (NUMBER, NAME), "one-way analysis of variance",
              {"statistic": "4.846", "df1": "2", "df2": "27", "p": "0.0159"}),
    Published("chickwts", "difference", "weight", ("feed",), (NUMBER, NAME), "one-way analysis of variance",
              {"statistic": "15.365", "df1": "5", "df2": "65", "p": "5.936e-10"}),
    Published("insect_sprays", "difference", "count", ("spray",), (RANK, NAME), "Kruskal-Wallis test",
              {"statistic": "54.691", "df1": "5", "p": "1.511e-10"}),
    Published("iris", "difference", "sepal_length", ("species",), (NUMBER, NAME), "Welch's analysis of variance",
              {"statistic": "138.91", "df1": "2", "df2": "92.211", "p": "< 2.2e-16"}),
    Published("mtcars", "difference", "mpg", ("am",), (NUMBER, NAME), "Welch's t test",
              {"statistic": "-3.7671", "df1": "18.332", "p": "0.001374"}),
    Published("mtcars", "difference", "mpg", ("am",), (RANK, NAME), "Mann-Whitney U test", {"statistic": "42", "p": "0.001871"}),
    Published("mtcars", "difference", "mpg", ("cyl",), (RANK, NAME), "Kruskal-Wallis test",
              {"statistic": "25.746", "df1": "2", "p": "2.566e-06"}),
    Published("mtcars", "association", "mpg", ("wt",), (NUMBER, NUMBER), "Pearson's correlation",
              {"effect": "-0.8676594", "low": "-0.9338264", "high": "-0.7440872", "p": "1.294e-10"}),
    Published("mtcars", "association", "mpg", ("wt",), (RANK, RANK), "Spearman's rank correlation",
              {"effect": "-0.886422", "p": "1.488e-11"}),
    Published("mtcars", "prediction", "mpg", ("wt", "hp"), (NUMBER, NUMBER, NUMBER), "linear regression",
              {"statistic": "69.21", "df1": "2", "df2": "29", "p": "9.109e-12", "effect": "0.8268", "b wt": "-3.87783",
               "b hp": "-0.03177"}),
    Published("mtcars", "prediction", "am", ("wt",), (NAME, NUMBER), "logistic regression", {"statistic": "24.05", "b wt": "-4.024"}),
    Published("cars", "association", "dist", ("speed",), (NUMBER, NUMBER), "Pearson's correlation",
              {"effect": "0.8068949", "p": "1.49e-12"}),
    Published("cars", "prediction", "dist", ("speed",), (NUMBER, NUMBER), "linear regression",
              {"statistic": "89.57", "df1": "1", "df2": "48", "p": "1.490e-12", "b speed": "3.9324"}),
    Published("airquality", "difference", "ozone", ("month",), (RANK, NAME), "Kruskal-Wallis test",
              {"statistic": "29.267", "df1": "4", "p": "6.901e-06"}),
    Published("ucb_admissions", "association", "admit", ("gender",), (NAME, NAME), "Pearson's chi-squared test",
              {"statistic": "92.205", "df1": "1", "p": "< 2.2e-16"}),
    Published("hair_eye_color", "association", "eye", ("hair",), (NAME, NAME), "Pearson's chi-squared test",
              {"statistic": "138.29", "df1": "9", "p": "< 2.2e-16"}),
    Published("anscombe", "association", "y1", ("x1",), (NUMBER, NUMBER), "Pearson's correlation", {"effect": "0.8164205", "p": "0.00217"}),
    Published("morley", "difference", "speed", ("expt",), (RANK, NAME), "Kruskal-Wallis test",
              {"statistic": "15.022", "df1": "4", "p": "0.004656"}),
    Published("trees", "prediction", "volume", ("girth", "height"), (NUMBER,) * 3, "linear regression",
              {"statistic": "255", "df2": "28", "p": "< 2.2e-16", "effect": "0.948", "b girth": "4.7082", "b height": "0.3393"}),
    Published("cats", "difference", "bwt", ("sex",), (NUMBER, NAME), "Welch's t test",
              {"statistic": "-8.7095", "df1": "136.84", "p": "8.831e-15"}),
    Published("faithful", "prediction", "eruptions", ("waiting",), (NUMBER, NUMBER), "linear regression",
              {"statistic": "1162", "df2": "270", "p": "< 2.2e-16", "effect": "0.8115", "b waiting": "0.075628"}),
    Published("trees", "association", "volume", ("girth",), (NUMBER, NUMBER), "Pearson's correlation", {"effect": "0.9671194"}),
    Published("faithful", "association", "eruptions", ("waiting",), (NUMBER, NUMBER), "Pearson's correlation", {"effect": "0.9008112"}),
    Published("women", "association", "weight", ("height",), (NUMBER, NUMBER), "Pearson's correlation",
              {"effect": "0.9954948", "p": "1.091e-14"}),
    Published("fiber", "difference", "strength", ("machine",), (NUMBER, NAME, NUMBER), "analysis of covariance",
              {"statistic": "2.61", "df2": "11", "p": "0.118", "F slopes": "0.49", "p slopes": "0.63", "M A": "40.4", "low A": "38.8",
               "high A": "42.0", "M B": "41.4", "low B": "39.8", "high B": "43.1", "M C": "38.8", "low C": "37.1", "high C": "40.5",
               "t A-B": "-1.024", "t A-C": "1.431", "t B-C": "2.283"},
              covariates=("diameter",), source="Montgomery; R's emmeans"),
    Published("libido", "difference", "libido", ("dose",), (NUMBER, NAME, NUMBER), "analysis of covariance with separate slopes",
              {"F slopes": "4.18", "p slopes": "0.028"}, covariates=("partner",), source="Field"),
    Published("mtcars", "association", "mpg", ("hp",), (NUMBER,) * 3, "partial correlation (Pearson)",
              {"effect": "-0.3258012", "p": "0.07367905"}, covariates=("disp",), source="R's ppcor"),
    Published("sleep", "difference", "extra", ("group",), (NUMBER, NAME), "two one-sided Welch tests",
              {"statistic": "-1.272", "df1": "17.78", "p": "0.890", "effect": "-1.58", "low": "-3.0534", "high": "-0.1066"}, bound=0.5,
              source="R's TOSTER"),
    Published("sleepstudy", "association", "reaction", ("days",), (NUMBER, NUMBER),
              "linear mixed model (REML, Satterthwaite's degrees of freedom)",
              {"statistic": "6.771", "df1": "17.0", "p": "3.26e-06", "b days": "10.467", "SE days": "1.546", "low": "7.2060",
               "high": "13.7286"}, participant="subject", source="R's lme4, lmerTest"),
    Published("sleep", "difference", "extra", (), (NUMBER,), "one-sample t test",
              {"statistic": "3.413", "df1": "19", "p": "0.002918"}, against=0.0),
    Published("attitude", "association", "rating", ("complaints",), (NUMBER, NUMBER), "Pearson's correlation", {"effect": "0.8254176"}),
)  # fmt: skip


def page() -> str:
    """The table as Markdown."""
    lines = ["| data | analysis | test | published | ours |", "|---|---|---|---|---|"]
    for item in ANALYSES:
        found = item.tested
        shown = ", ".join(f"{what} {text}" for what, text in item.numbers.items())
        mine = ", ".join(
            f"{what} {as_printed(ours(found, what), text.removeprefix('< '))}"
            for what, text in item.numbers.items()
        )
        what = tested_words(item.outcome, item.predictors, item.covariates, item.against)
        lines.append(f"| {item.data} ({item.source}) | {what} | {found.test} | {shown} | {mine} |")
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
