"""Words of others as LaTeX and HTML: shown, never run.

LaTeX: pdfLaTeX with T1 fonts. A character it has no glyph for is written with its plain letters, or as [?].
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Mapping

from schemas.text.visible import visible

_SPECIAL: Mapping[str, str] = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": "'",
    "-": "{-}",
    "\u00a0": "~",
    "\u2013": "--",
    "\u2014": "---",
    "\u2018": "`",
    "\u2019": "'",
    "\u201c": "``",
    "\u201d": "''",
    "\u2026": r"\ldots{}",
    "\u2022": r"\textbullet{}",
    "\u2212": r"$-$",
    "\u00b1": r"$\pm$",
    "\u00d7": r"$\times$",
    "\u00b7": r"$\cdot$",
    "\u2264": r"$\leq$",
    "\u2265": r"$\geq$",
    "\u2248": r"$\approx$",
    "\u2260": r"$\neq$",
    "\u2192": r"$\rightarrow$",
    "\u2190": r"$\leftarrow$",
    "\u221e": r"$\infty$",
    "\u2202": r"$\partial$",
    "\u2211": r"$\sum$",
    "\u221a": r"$\sqrt{}$",
    "\u2208": r"$\in$",
    "\u223c": r"$\sim$",
    "\u00b5": r"$\mu$",
    "\u00b0": r"$^\circ$",
    "\u20ac": r"\texteuro{}",
    "\u2032": r"$'$",
    "\u00df": r"\ss{}",
    "\u2020": r"$^{\dagger}$",
}
_GREEK = {
    letter: rf"$\{name}$"
    for letter, name in zip(
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ",
        (
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega "
            "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
        ).split(),
        strict=True,
    )
}
_NO_GLYPH = frozenset("ĦħĸĿŀŁłŉŦŧĦ\u0149\u017f") - frozenset("Łł")


def latex(text: str) -> str:
    """Text as LaTeX text: no character of it is a command, a comment or the end of a group."""
    return "".join(_latex(letter) for letter in visible(text))


def _latex(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    if letter in _GREEK:
        return _GREEK[letter]
    if letter < "\x7f" or letter == "\n":
        return letter
    if (0xC0 <= ord(letter) <= 0x17F or letter in "¡¿£§©®¶«»") and letter not in _NO_GLYPH:
        return letter
    plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return "".join(_latex(part) for part in plain) or "[?]"


def latex_code(text: str) -> str:
    """A short piece of code in a typewriter face that may break at underscores, dots and slashes."""
    shown = latex(text)
    for mark in (r"\_", ".", "/"):
        shown = shown.replace(mark, mark + r"\allowbreak{}")
    return rf"\texttt{{{shown}}}"


def web(text: str) -> str:
    """Text as HTML text or as the value of an attribute in quotes."""
    return html.escape(visible(text), quote=True)
