"""`python -m benchmarks.digitise`: drawn figures with known data, read back: how many are accepted, and whether all of those are right.

A figure is accepted when no panel is refused and every curve of it was read; asked when something was refused with a reason; wrong
when anything that was read is not so: an axis, a curve (95 % of its points within their stated errors of the data), a curve that
does not exist, a name, or a curve that is missing without a word.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.drawn_elsewhere import available, draw, plain_spec
from benchmarks.drawn_figures import matplotlib_figure, spec
from benchmarks.measures import machine
from schemas.documents.digitised import ReadPanel
from schemas.errors import InputError
from tasks.digitise.reading import Reading, read_figures
from tasks.digitise.reading_files import write_reading

_SYSTEM = Path("/usr/bin/python3")
_COVERED = 0.5  # of a curve's seen length along x


def programs() -> list[str]:
    """What can draw here."""
    older = (
        _SYSTEM.is_file()
        and not subprocess.run([_SYSTEM, "-c", "import matplotlib, cairo"], capture_output=True).returncode
    )
    return ["Matplotlib", *(["Matplotlib, older", "Matplotlib by cairo"] if older else []), *available()]


def drawn(program: str, seeds: list[int], folder: Path) -> list[tuple[dict[str, Any], Path]]:
    """Figures of a program: each as its data and its PDF."""
    made = []
    for seed in seeds:
        figure = spec(seed)
        out = folder / f"{program.replace(', ', '-').replace(' ', '-')}-{seed}.pdf"
        if program == "Matplotlib":
            matplotlib_figure(figure, out)
        elif program.startswith("Matplotlib"):
            out.with_suffix(".json").write_text(json.dumps(figure))
        else:
            figure = plain_spec(figure)
            if not draw(program, figure, out):
                print(f"{program} failed to draw figure {seed}", file=sys.stderr)
                continue
        made.append((figure, out))
    if program.startswith("Matplotlib,") or program.endswith("cairo"):
        script = Path(__file__).with_name("drawn_figures.py")
        backend = "cairo" if program.endswith("cairo") else "pdf"
        command = [str(_SYSTEM), str(script), backend, *(str(out.with_suffix(".json")) for _, out in made)]
        subprocess.run(command, check=True, capture_output=True)
    return made


def pictures_of(made: list[tuple[dict[str, Any], Path]], kind: str) -> list[tuple[dict[str, Any], Path]]:
    """The figures as pictures. kind: such as 150 dpi, or 150 dpi JPEG."""
    import pypdfium2

    found = []
    for figure, path in made:
        document = pypdfium2.PdfDocument(path)
        picture = document[0].render(scale=int(kind.split()[0]) / 72).to_pil().convert("RGB")
        document.close()
        out = path.with_name(f"{path.stem}-{kind.replace(' ', '-')}.{'jpg' if 'JPEG' in kind else 'png'}")
        picture.save(out, quality=85) if "JPEG" in kind else picture.save(out)
        found.append((figure, out))
    return found


def judged(figure: dict[str, Any], reading: Reading) -> tuple[str, str]:
    """accepted, asked or wrong, and why."""
    panels = list(reading.figures.panels)
    expected = [panel for panel in figure["panels"]]
    faults, asked = [], []
    insets = any(panel["inset"] for panel in expected)
    left = list(panels)
    for number, panel in enumerate(expected):
        same = [p for p in left if _axes_fit(panel, p)]
        if not same:
            asked.append(f"panel {number + 1} was not read")
            continue
        best = max(same, key=lambda p: len(_matches(panel, p, reading)[0]))
        left.remove(best)
        matched, extra, missing, names = _matches(panel, best, reading)
        if extra:
            faults.append(f"curves that do not exist: {extra}")
        if names:
            faults.append(f"wrong names: {names}")
        if missing and not best.refused:
            (asked if best.not_read else faults).append(f"missing: {missing} {best.not_read[:2]}")
        if best.refused and matched + missing or best.refused and not best.refused.startswith("no curve"):
            asked.append(best.refused)
    for panel in left:
        if not panel.refused and not insets:
            faults.append(
                f"a panel that does not exist or has wrong axes: {[a.labels[:3] for a in panel.axes]}"
            )
        elif insets and not panel.refused:
            wrong = _matches(_in_inset(expected[0]), panel, reading)[1]
            if wrong:
                faults.append(f"inset: {wrong}")
        elif panel.refused:
            asked.append(panel.refused)
    if reading.figures.refused:
        asked.append(reading.figures.refused)
    return (
        ("wrong", "; ".join(faults)) if faults else ("asked", "; ".join(asked)) if asked else ("accepted", "")
    )


def _in_inset(panel: dict[str, Any]) -> dict[str, Any]:
    """A panel as its inset shows it: the first curve drawn through as a line, on linear axes, whatever it is outside."""
    first = {**panel["curves"][0], "dash": "-"}
    return {**panel, "curves": [first, *panel["curves"][1:]], "x_log": False, "y_log": False}


def _axes_fit(panel: dict[str, Any], read: ReadPanel) -> bool:
    """Whether a panel's frame, through the axes that were read, spans the limits that were drawn. One axis is enough if the other was refused."""
    fits = []
    for axis in read.axes:
        if axis.scale is None or axis.side in ("top", "right"):
            continue
        k = 0 if axis.side == "bottom" else 1
        ends = np.array([read.frame[k], read.frame[k + 2]]) * axis.scale.slope + axis.scale.intercept
        log = panel["x_log" if k == 0 else "y_log"]
        limits = np.array(panel["xlim" if k == 0 else "ylim"])
        if k == 0 and panel["x_reversed"]:
            limits = limits[::-1]
        if (axis.scale.kind == "logarithmic") != log:
            fits.append(False)
            continue
        wanted = np.log10(limits) if log else limits
        fits.append(bool(np.abs(ends - wanted).max() < 0.01 * abs(wanted[1] - wanted[0])))
    return bool(fits) and all(fits)


def _matches(
    panel: dict[str, Any], read: ReadPanel, reading: Reading
) -> tuple[list[str], list[str], list[str], list[str]]:
    """Names of the curves matched, descriptions of those that match nothing, names of those missing, and wrong names."""
    truths = []
    for n, curve in enumerate(panel["curves"]):
        factor = 37.0 if panel["twin"] and n == 1 else 1.0
        x, y = np.array(curve["x"]), np.array(curve["y"]) * factor
        seen = _seen(panel, x, y) if factor == 1 else 1.0
        truths.append((curve, x, y, seen))
    spans: dict[int, float] = defaultdict(float)
    pixels = not reading.page.strokes  # recognised names may have wrong letters; colours are not exact
    extra, names = [], []
    for curve in read.curves:
        rows = reading.tables[curve.file]
        rows = rows[~np.isnan(rows[:, 0])]
        fits = [
            (n, share)
            for n, (c, x, y, _) in enumerate(truths)
            if (share := _within(rows, x, y, panel, bool(c["dash"]))) >= 0.95
        ]
        if not fits:
            extra.append(
                f"{curve.colour} {curve.kind} {curve.points} points, best {max((_within(rows, x, y, panel, True) for _, x, y, _ in truths), default=0):.2f}"
            )
            continue
        same = [n for n, _ in fits if _alike(truths[n][0]["colour"], curve.colour)] or [n for n, _ in fits]
        n = next((n for n in same if truths[n][0]["name"] == curve.name), same[0])
        if curve.name and not pixels and _bare(truths[n][0]["name"]) != _bare(curve.name):
            names.append(f"{curve.name!r} for {truths[n][0]['name']!r}")
        spans[n] += _extent(panel, rows[:, 0])
    missing = [
        c["name"] for n, (c, _, _, seen) in enumerate(truths) if seen > 0.15 and spans[n] < _COVERED * seen
    ]
    return [truths[n][0]["name"] for n in spans], extra, missing, names


def _alike(a: str, b: str) -> bool:
    return all(abs(int(a[k : k + 2], 16) - int(b[k : k + 2], 16)) < 40 for k in (1, 3, 5))


def _bare(name: str) -> str:
    return "".join(letter for letter in name if letter.isascii() and letter.isalnum())


def _unit(panel: dict[str, Any], x: Any) -> Any:
    low, high = panel["xlim"]
    with np.errstate(all="ignore"):
        return np.log10(x / low) / np.log10(high / low) if panel["x_log"] else (x - low) / (high - low)


def _extent(panel: dict[str, Any], x: Any) -> float:
    return float(np.ptp(_unit(panel, x)))


def _seen(panel: dict[str, Any], x: Any, y: Any) -> float:
    """The part of the frame's width over which a curve lies inside the frame."""
    u = _unit(panel, x)
    inside = (u > 0) & (u < 1) & (y > panel["ylim"][0]) & (y < panel["ylim"][1])
    return float(np.ptp(u[inside])) if inside.sum() > 2 else 0.0


def _within(rows: Any, x: Any, y: Any, panel: dict[str, Any], line: bool) -> float:
    """The share of read points that lie within their errors of the data (drawn as straight lines between its points on the axes)."""
    with np.errstate(all="ignore"):
        px, py, ex, ey = rows[:, :4].T
        a = np.log10(x) if panel["x_log"] else x
        b = np.log10(y) if panel["y_log"] else y
        p = np.log10(px) if panel["x_log"] else px
        q = np.log10(py) if panel["y_log"] else py
        e = ex / px / np.log(10) if panel["x_log"] else ex
        f = ey / py / np.log(10) if panel["y_log"] else ey
    hits = 0
    for k in range(len(p)):
        u, v = (a - p[k]) / e[k], (b - q[k]) / f[k]
        if not line:
            hits += bool((np.maximum(np.abs(u), np.abs(v)) <= 1).any())
            continue
        du, dv = np.diff(u), np.diff(v)
        with np.errstate(all="ignore"):
            t = np.clip(np.nan_to_num(-(u[:-1] * du + v[:-1] * dv) / (du**2 + dv**2)), 0, 1)
            near = np.maximum(np.abs(u[:-1] + t * du), np.abs(v[:-1] + t * dv))
        hits += bool((near <= 1).any())
    return hits / max(len(p), 1)


def measure(count: int, first: int, keep: Path | None, only: str, kind: str = "") -> tuple[list[str], int]:
    """The table, as Markdown lines, and how many were wrong; refused and wrong figures are told on stderr. kind: of pictures."""
    lines = [
        "| drawn by | figures | accepted | asked | wrong | CPU s a figure |",
        "|---|---|---|---|---|---|",
    ]
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        for place_of, program in enumerate(p for p in programs() if only in p):
            seeds = list(range(first + 1000 * place_of, first + 1000 * place_of + count))
            done: Counter[str] = Counter()
            cpu = 0.0
            made = drawn(program, seeds, Path(place))
            for figure, path in pictures_of(made, kind) if kind else made:
                start = _cpu()
                try:
                    reading = read_figures(path)
                    result, why = judged(figure, reading)
                    if keep is not None and result != "accepted":
                        target = keep / f"{result}-{path.stem}"
                        if not target.exists():
                            write_reading(reading, target)
                            (target / f"figure{path.suffix}").write_bytes(path.read_bytes())
                except InputError as error:
                    result, why = "asked", str(error)
                cpu += _cpu() - start
                done[result] += 1
                if result != "accepted":
                    print(f"{result} {path.stem}: {why[:300]}", file=sys.stderr)
            total += done
            n = sum(done.values()) or 1
            lines.append(
                f"| {program} | {n} | {done['accepted']} | {done['asked']} | {done['wrong']} | {cpu / n:.2f} |"
            )
            print(lines[-1], file=sys.stderr)
    n = sum(total.values()) or 1
    lines.append(
        f"| all | {n} | {total['accepted']} ({100 * total['accepted'] / n:.0f} %) | {total['asked']} | {total['wrong']} | |"
    )
    return lines, total["wrong"]


def _cpu() -> float:
    mine, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime + children.ru_utime + children.ru_stime


def main() -> None:
    """Draw, read, judge. Exit code 1 if anything read is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", type=int, default=60, help="of each program")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--only", default="", help="programs whose name holds this")
    parser.add_argument("--keep", type=Path, help="a folder for what was not accepted")
    parser.add_argument(
        "--pictures", default="", help='as pictures instead, for example "150 dpi" or "150 dpi JPEG"'
    )
    chosen = parser.parse_args()
    start = time.time()
    lines, wrong = measure(chosen.figures, chosen.first, chosen.keep, chosen.only, chosen.pictures)
    lines += [
        "",
        f"Seeds from {chosen.first}, {chosen.figures} figures a program; {time.time() - start:.0f} s on {machine()}.",
    ]
    print("\n".join(lines))
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
