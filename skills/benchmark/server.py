"""benchmark: analyze_results, plot, statistical_test on CSV, JSON and NPY files of the work directory."""

from __future__ import annotations

import io
from typing import Any, Literal

from schemas.reading.beneath import Unopened, parts_of
from skills import kit
from skills.benchmark.reading import Unreadable, column_of, columns_of
from skills.benchmark.statistics import compared, finite, summary
from skills.executions.files import write_below

server = kit.skill("benchmark", "Summaries, plots and tests of significance of result files.")
_MOST_POINTS = 200_000


@server.tool()
def analyze_results(file: kit.WorkPath, ctx: kit.Call, columns: list[str] | None = None) -> str:
    """Summarise the columns of a CSV, JSON or NPY file: n, extremes, mean with its standard error, median, spread."""
    try:
        found = columns_of(kit.work_dir(ctx), file)
    except Unreadable as error:
        raise kit.ToolError(str(error)) from None
    missing = [name for name in columns or () if name not in found]
    if missing:
        raise kit.ToolError(
            f"{file} has no column {', '.join(missing)}; it has {', '.join(list(found)[:40])}"
        )
    return kit.answer(
        {name: summary(values) for name, values in found.items() if not columns or name in columns}
    )


@server.tool()
def statistical_test(
    file: kit.WorkPath,
    column: str,
    ctx: kit.Call,
    other_file: kit.WorkPath = "",
    other_column: str = "",
    test: Literal["t", "paired_t", "mann_whitney", "wilcoxon", "ks"] = "t",
) -> str:
    """Compare two columns (of one file or two): p value, difference of the means with its 95 % interval, medians.
    t is Welch's; paired_t and wilcoxon take values in pairs."""
    work = kit.work_dir(ctx)
    try:
        one, other = (
            column_of(work, file, column),
            column_of(work, other_file or file, other_column or column),
        )
        if not other_file and (other_column or column) == column:
            raise ValueError("a column cannot be compared with itself; name other_file or other_column")
        return kit.answer(compared(one, other, test))
    except ValueError as error:
        raise kit.ToolError(str(error)) from None


@server.tool()
def plot(
    file: kit.WorkPath,
    y: list[str],
    ctx: kit.Call,
    x: str = "",
    output: kit.WorkPath = "plot.png",
    kind: Literal["line", "scatter", "histogram"] = "line",
    x_label: str = "",
    y_label: str = "",
    title: str = "",
    log_x: bool = False,
    log_y: bool = False,
) -> list[Any]:
    """Draw columns of a result file against x (or their index) as a PNG below the work directory, and see it."""
    work = kit.work_dir(ctx)
    try:
        name = "/".join(parts_of(output))
        if not name.endswith(".png"):
            raise ValueError(f"{name}: a plot is written as .png")
        found = columns_of(work, file)
        series = {column: column_of(work, file, column) for column in y}
        along = column_of(work, file, x) if x else None
        wrong = [
            column for column, values in series.items() if along is not None and values.size != along.size
        ]
        if wrong or not y or max(values.size for values in found.values()) > _MOST_POINTS:
            raise ValueError(
                f"{', '.join(wrong) or 'y'} cannot be drawn: columns as long as x, at most {_MOST_POINTS} points"
            )
        data = _drawn(series, along, kind, x_label or x or "index", y_label, title, log_x, log_y)
        write_below(work, name, data)
    except (Unopened, ValueError) as error:
        raise kit.ToolError(str(error)) from None
    return [f"wrote {name} ({len(data)} bytes)", kit.Image(data=data, format="png")]


def _drawn(
    series: dict[str, Any],
    along: Any,
    kind: str,
    x_label: str,
    y_label: str,
    title: str,
    log_x: bool,
    log_y: bool,
) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for name, values in series.items():
        label = name.replace("$", r"\$")
        if kind == "histogram":
            axes.hist(finite(values), bins="auto", alpha=0.6, label=label)
        else:
            axes.plot(
                range(values.size) if along is None else along,
                values,
                "." if kind == "scatter" else "-",
                label=label,
            )
    axes.set(
        xlabel=x_label.replace("$", r"\$"),
        ylabel=y_label.replace("$", r"\$"),
        title=title.replace("$", r"\$"),
    )
    if log_x:
        axes.set_xscale("log")
    if log_y:
        axes.set_yscale("log")
    axes.legend()
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=120)
    return buffer.getvalue()


if __name__ == "__main__":
    server.main()
