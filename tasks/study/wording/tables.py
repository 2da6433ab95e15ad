"""Tables of a paper's results that only code writes: descriptives, and correlations of the numeric variables."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.study.results import CorrelationFound, DescribedVariable, Results
from tasks.study.statistics.apa import number
from tasks.study.wording.escaping import escaped


def written_tables(results: Results) -> str:
    """Both as Markdown, '' where there is nothing to describe."""
    parts = [_descriptives(results.descriptives), _matrix(results.correlations)]
    return "\n\n".join(part for part in parts if part)


def _descriptives(found: Sequence[DescribedVariable]) -> str:
    if not found:
        return ""
    lines = [
        "### Descriptives",
        "",
        "| variable | condition | n | missing | M | SD | Mdn | counts |",
        "|---" * 8 + "|",
    ]
    for item in found:
        counts = ", ".join(f"{escaped(name, 60)} {count}" for name, count in (item.counts or {}).items())
        cells = [item.variable, escaped(item.condition, 60), str(item.n), str(item.missing)]
        cells += ["" if value is None else number(value) for value in (item.mean, item.sd, item.median)]
        lines.append("| " + " | ".join([*cells, counts]) + " |")
    return "\n".join(lines)


def _matrix(found: Sequence[CorrelationFound]) -> str:
    if not found:
        return ""
    names = list(dict.fromkeys(name for item in found for name in (item.first, item.second)))
    known = {frozenset((item.first, item.second)): item for item in found}
    lines = [
        "### Correlations",
        "",
        "*Pearson's r with n, over participants (each with the mean of its rows); not tested, not corrected.*",
        "",
        "| | " + " | ".join(names[:-1]) + " |",
        "|---" * len(names) + "|",
    ]
    for place, name in enumerate(names[1:], 1):
        cells = [_cell(known.get(frozenset((name, other)))) for other in names[:place]]
        lines.append("| " + " | ".join([name, *cells, *[""] * (len(names) - 1 - place)]) + " |")
    return "\n".join(lines)


def _cell(item: CorrelationFound | None) -> str:
    if item is None:
        return ""
    return f"{'not defined' if item.r is None else number(item.r, bounded=True)} ({item.n})"
