"""The figures of `benchmarks.drawn_figures` drawn by gnuplot, R and pgfplots, as their users would: one panel or a column of them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

Spec = dict[str, Any]
_GNUPLOT_DASH = {"-": 1, "--": 2, ":": 3, "-.": 4, "": 1}
_R_DASH = {"-": 1, "--": 2, ":": 3, "-.": 4, "": 0}
_TEX_DASH = {"-": "solid", "--": "dashed", ":": "dotted", "-.": "dashdotted", "": "only marks"}
_GNUPLOT_MARK = {"o": 7, "s": 5, "^": 9, "D": 13, "v": 11, "x": 2, "+": 1}
_R_MARK = {"o": 1, "s": 15, "^": 17, "D": 18, "v": 6, "x": 4, "+": 3}
_TEX_MARK = {"o": "*", "s": "square*", "^": "triangle*", "D": "diamond*", "v": "triangle", "x": "x", "+": "+"}
PROGRAMS = {"gnuplot": "gnuplot", "R": "Rscript", "pgfplots": "pdflatex"}


def available() -> list[str]:
    """Those of the programs that this computer has."""
    return [name for name, program in PROGRAMS.items() if shutil.which(program)]


def draw(program: str, figure: Spec, out: Path) -> bool:
    """Draw a figure; False if the program failed. Its panels are those of the figure without insets and second axes."""
    folder = out.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    for p, panel in enumerate(figure["panels"]):
        for c, curve in enumerate(panel["curves"]):
            rows = [f"{x:.10g} {y:.10g}" for x, y in zip(curve["x"], curve["y"], strict=True)]
            (folder / f"{p}-{c}.dat").write_text("x y\n" + "\n".join(rows) + "\n")
    name, text, command = {"gnuplot": _gnuplot, "R": _r, "pgfplots": _pgfplots}[program](figure, out)
    (folder / name).write_text(text, encoding="utf-8")
    ended = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
    made = folder / "figure.pdf"
    if ended.returncode or not made.is_file():
        return False
    shutil.move(made, out)
    return True


def plain_spec(figure: Spec) -> Spec:
    """The figure with what only Matplotlib draws left out."""
    kept = figure["panels"][: 1 if figure["grid"][1] > 1 else figure["grid"][0]]
    panels = [{**panel, "inset": False, "twin": ""} for panel in kept]
    return {**figure, "grid": (len(panels), 1), "shared": False, "panels": panels}


def _gnuplot(figure: Spec, out: Path) -> tuple[str, str, list[str]]:
    rows = len(figure["panels"])
    lines = [
        f"set terminal pdfcairo size {figure['width']}in,{figure['height'] * rows}in font 'DejaVu {figure['font'].title()},{figure['size']:g}'"
        + (" enhanced" if figure["math"] or True else ""),
        "set output 'figure.pdf'", "set encoding utf8", f"set tics {figure['ticks']}",
    ]  # fmt: skip
    if figure["comma"]:
        lines.append("set decimalsign ','")
    if not figure["mirror"]:
        lines.append("set xtics nomirror; set ytics nomirror")
    if figure["minor"]:
        lines.append("set mxtics; set mytics")
    if figure["lines"] != "none":
        lines.append("set grid")
    if figure["spines"] == "two":
        lines.append("set border 3")
    lines.append(f"set multiplot layout {rows},1" if rows > 1 else "")
    for p, panel in enumerate(figure["panels"]):
        for axis, log in (("x", panel["x_log"]), ("y", panel["y_log"])):
            low, high = panel[f"{axis}lim"]
            low, high = (high, low) if axis == "x" and panel["x_reversed"] else (low, high)
            lines += [f"{'set' if log else 'unset'} logscale {axis}", f"set {axis}range [{low:.10g}:{high:.10g}]",
                      f"set format {axis} '{'10^{%T}' if log else '%g'}'", f"set {axis}label \"{panel[f'{axis}label']}\""]  # fmt: skip
        lines.append(
            {"inside": "set key inside", "outside": "set key outside", "none": "unset key"}[panel["legend"]]
        )
        parts = []
        for c, curve in enumerate(panel["curves"]):
            how = "points" if not curve["dash"] else "linespoints" if curve["marker"] else "lines"
            look = f"lc rgb '{curve['colour']}' lw {curve['width']} dt {_GNUPLOT_DASH[curve['dash']]}"
            mark = f" pt {_GNUPLOT_MARK[curve['marker']]} ps 0.6" if curve["marker"] else ""
            look = f"lc rgb '{curve['colour']}'" if how == "points" else look
            parts.append(
                f"'{p}-{c}.dat' every ::1 using 1:2 with {how} {look}{mark} title \"{curve['name']}\""
            )
        lines.append("plot " + ", \\\n  ".join(parts))
    return "figure.gp", "\n".join(lines) + "\n", ["gnuplot", "figure.gp"]


def _r(figure: Spec, out: Path) -> tuple[str, str, list[str]]:
    rows = len(figure["panels"])
    lines = [
        f"cairo_pdf('figure.pdf', width={figure['width']}, height={figure['height'] * rows})"
        if figure["seed"] % 2 else f"pdf('figure.pdf', width={figure['width']}, height={figure['height'] * rows})",
        f"options(OutDec='{',' if figure['comma'] else '.'}')",
        f"par(mfrow=c({rows},1), las={1 if figure['math'] else 0}, tcl={'0.4' if figure['ticks'] == 'in' else '-0.5'}, mar=c(4,4,1,1))",
    ]  # fmt: skip
    for p, panel in enumerate(figure["panels"]):
        x = panel["xlim"][::-1] if panel["x_reversed"] else panel["xlim"]
        log = ("x" if panel["x_log"] else "") + ("y" if panel["y_log"] else "")
        lines.append(
            f"plot(NA, xlim=c({x[0]:.10g},{x[1]:.10g}), ylim=c({panel['ylim'][0]:.10g},{panel['ylim'][1]:.10g}), log='{log}', "
            f"xlab=\"{_ascii(panel['xlabel'])}\", ylab=\"{_ascii(panel['ylabel'])}\", xaxs='i', yaxs='i', "
            f"bty='{'l' if figure['spines'] == 'two' else 'o'}')"
        )
        if figure["lines"] != "none":
            lines.append("grid()")
        for c, curve in enumerate(panel["curves"]):
            kind = "p" if not curve["dash"] else "o" if curve["marker"] else "l"
            mark = f", pch={_R_MARK[curve['marker']]}" if curve["marker"] else ""
            lines.append(
                f"d <- read.table('{p}-{c}.dat', header=TRUE); lines(d$x, d$y, type='{kind}', col='{curve['colour']}', "
                f"lwd={curve['width']}, lty={_R_DASH[curve['dash']] or 1}{mark})"
            )
        if panel["legend"] != "none":
            names = ",".join(f"'{_ascii(c['name'])}'" for c in panel["curves"])
            ltys = ",".join(str(_R_DASH[c["dash"]]) for c in panel["curves"])
            marks = ",".join(str(_R_MARK.get(c["marker"], "NA")) for c in panel["curves"])
            cols = ",".join(f"'{c['colour']}'" for c in panel["curves"])
            widths = ",".join(str(c["width"]) for c in panel["curves"])
            lines.append(
                f"legend('topright', legend=c({names}), lty=c({ltys}), pch=c({marks}), col=c({cols}), lwd=c({widths}))"
            )
    lines.append("invisible(dev.off())")
    return "figure.R", "\n".join(lines) + "\n", ["Rscript", "figure.R"]


def _ascii(words: str) -> str:
    return words.encode("ascii", "ignore").decode().replace('"', "").replace("'", "")


def _pgfplots(figure: Spec, out: Path) -> tuple[str, str, list[str]]:
    body = []
    for p, panel in enumerate(figure["panels"]):
        kind = {
            (False, False): "axis",
            (True, False): "semilogxaxis",
            (False, True): "semilogyaxis",
            (True, True): "loglogaxis",
        }[(panel["x_log"], panel["y_log"])]
        options = [
            f"width={figure['width']}in", f"height={figure['height']}in", f"xmin={panel['xlim'][0]:.10g}", f"xmax={panel['xlim'][1]:.10g}",
            f"ymin={panel['ylim'][0]:.10g}", f"ymax={panel['ylim'][1]:.10g}", f"xlabel={{{_ascii(panel['xlabel'])}}}",
            f"ylabel={{{_ascii(panel['ylabel'])}}}",
            f"tick align={'inside' if figure['ticks'] == 'in' else 'outside'}",
            f"legend pos={'north east' if panel['legend'] == 'inside' else 'outer north east'}",
        ]  # fmt: skip
        options += ["grid=major"] if figure["lines"] != "none" else []
        options += ["x dir=reverse"] if panel["x_reversed"] else []
        options += ["axis x line*=bottom", "axis y line*=left"] if figure["spines"] == "two" else []
        options += ["minor tick num=1"] if figure["minor"] else []
        options += (
            ["/pgf/number format/use comma"]
            if figure["comma"]
            else ["/pgf/number format/1000 sep={}"]
            if figure["math"]
            else []
        )
        plots = []
        for c, curve in enumerate(panel["curves"]):
            rgb = ",".join(str(int(curve["colour"][k : k + 2], 16)) for k in (1, 3, 5))
            look = [f"color={{rgb,255:red,{rgb.split(',')[0]};green,{rgb.split(',')[1]};blue,{rgb.split(',')[2]}}}", _TEX_DASH[curve["dash"]],
                    f"line width={curve['width']}pt", f"mark={_TEX_MARK.get(curve['marker'], 'none')}"]  # fmt: skip
            if curve["marker"]:
                look.append("mark size=1.5pt")
            plots.append(f"\\addplot[{', '.join(look)}] table {{{p}-{c}.dat}};")
            if panel["legend"] != "none":
                plots.append(f"\\addlegendentry{{{_ascii(curve['name'])}}}")
        body.append(
            f"\\begin{{tikzpicture}}\\begin{{{kind}}}[{', '.join(options)}]\n"
            + "\n".join(plots)
            + f"\n\\end{{{kind}}}\\end{{tikzpicture}}"
        )
    rows = len(figure["panels"])
    text = (
        "\\documentclass{article}\\usepackage{pgfplots}\\pgfplotsset{compat=1.18}\\pagestyle{empty}\\parindent0pt\n"
        f"\\paperwidth={figure['width'] + 3}in\\pdfpagewidth=\\paperwidth\\paperheight={rows * (figure['height'] + 1) + 2}in"
        "\\pdfpageheight=\\paperheight\\textheight=\\paperheight\\textwidth=\\paperwidth\\topmargin=-1in\\oddsidemargin=0in\n"
        "\\begin{document}\n" + "\n\n\\bigskip\n".join(body) + "\n\\end{document}\n"
    )
    return "figure.tex", text, ["pdflatex", "-interaction=batchmode", "figure.tex"]
