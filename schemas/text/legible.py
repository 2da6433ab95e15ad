"""Text as its reader sees it: no zero-width characters, no markup, digits of every script as 0 to 9, one kind of dash.

HTML, LaTeX and Markdown that stand inside a number vanish, elsewhere they leave a space; a superscript is written ^ and a
subscript _. Every character knows where it came from, so that what is found can be cut out of the source.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,24}[0-9]{0,2});")
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u200a\u202f\u205f\u3000"
_SIGNS = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_SPACES, "\u2009"),
    "\u2009": "\u2009",
    "μ": "µ",
    "µ": "µ",
    "∼": "~",
    "≈": "~",
    "≃": "~",
    "⋅": "·",
    "∙": "·",
    "•": "·",
    "·": "·",
    "✕": "×",
    "✖": "×",
    "⨯": "×",
    "∗": "*",
    "º": "°",
    "\u02da": "°",
    "٫": ".",
    "٬": ",",
    "\u2019": "'",
    "\u2018": "'",
    "\u00b4": "'",
}
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-", strict=True))
_IN_NUMBER = frozenset("0123456789.,+-^×·_")

_TEX = {
    "times": "×",
    "cdot": "×",
    "pm": "±",
    "mu": "µ",
    "micro": "µ",
    "AA": "Å",
    "angstrom": "Å",
    "pi": "π",
    "lambda": "λ",
    "Delta": "Δ",
    "partial": "∂",
    "degree": "°",
    "textdegree": "°",
    "circ": "°",
    "sim": "~",
    "approx": "~",
    "percent": "%",
    "nano": "n",
    "pico": "p",
    "femto": "f",
    "milli": "m",
    "centi": "c",
    "kilo": "k",
    "mega": "M",
    "giga": "G",
    "tera": "T",
    "peta": "P",
    "meter": "m",
    "metre": "m",
    "hertz": "Hz",
    "second": "s",
    "electronvolt": "eV",
    "eV": "eV",
    "radian": "rad",
    "joule": "J",
    "per": "/",
    "in": "∈",
}
_FONTS = (
    "mathrm|textrm|text|mathbf|textbf|boldsymbol|mathit|textit|mathsf|textsf|mathtt|texttt|emph|mbox|hbox|operatorname|"
    "mathnormal|textnormal|underline|displaystyle|num|SI|qty|unit|si|rm|bf|it|tt|bm"
)
_INLINE = "b|i|u|s|em|strong|span|font|code|mark|small|big|del|ins|a|tt|kbd|q|wbr|math|mn|mi|mo|mrow|msup|msub|semantics"
_BLOCK = "br|p|div|li|td|th|tr|h[1-6]"
_ATTRIBUTES = (
    r"(?:\s{1,4}[\w:-]{1,40}(?:=(?:\"[^\"<>]{0,400}\"|'[^'<>]{0,400}'|[^\s<>\"']{1,400}))?){0,12}\s{0,4}/?"
)
_CONTROL = r"\x00-\x08\x0e-\x1f\x7f"
_MARKUP = re.compile(
    rf"(?P<degree>\s?\^\s?\{{?\s?\\(?:circ|degree)(?![A-Za-z]))|(?P<sup><(?i:sup){_ATTRIBUTES}>)|(?P<sub><(?i:sub){_ATTRIBUTES}>)|(?P<block></?(?i:{_BLOCK}){_ATTRIBUTES}>)"
    rf"|</?(?i:su[bp]|{_INLINE}){_ATTRIBUTES}>|<!--[^<>]{{0,400}}-->"
    rf"|\\(?:{_FONTS})(?![A-Za-z])\s?\{{?|\\(?P<command>[A-Za-z]{{1,40}})|\\(?P<thin>[,;: ])|\\(?P<none>!)|\\(?P<sign>[%$_&#])"
    r"|(?P<args>\}\s{0,4}\{)|(?P<product>(?<=[0-9])\s?\*\s?(?=[0-9]))|(?P<up>(?<=10)\*\*(?=[-+]?[0-9]))"
    rf"|(?P<joint>(?<=[0-9])_(?=[0-9]))|(?:[*$`{{}}~{_CONTROL}]|\\(?![A-Za-z%$_&#,;:! ]))+|(?<=[0-9])_"
)
_DIGIT = re.compile(r"\s.*[0-9]", re.DOTALL)  # behind a tag's name
_MARKED = re.compile(rf"[*\\<$`{{}}~_{_CONTROL}]")


@dataclass(frozen=True)
class Legible:
    """A text made legible. Character n of `text` stands for the source from starts[n] to ends[n].

    asides: where the source says something in tags and comments that its reader does not see.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    asides: tuple[tuple[int, int], ...] = ()

    def source(self, start: int, end: int) -> tuple[int, int]:
        """Where in the source the characters from start to end stand."""
        if start >= end:
            place = self.ends[start - 1] if start else 0
            return place, place
        return self.starts[start], self.ends[end - 1]


@lru_cache(maxsize=16)
def legible(text: str) -> Legible:
    """The text as its reader sees it, with the place of each character."""
    chars, starts, ends = _signs(text)
    marked = "".join(chars)
    if not _MARKED.search(marked):
        return Legible(marked, starts, ends)
    kept: list[str] = []
    begins: list[int] = []
    finishes: list[int] = []
    done = 0
    asides = [
        (starts[match.start()], ends[match.end() - 1])
        for match in _MARKUP.finditer(marked)
        if match[0][0] == "<" and _DIGIT.search(match[0])
    ]
    for match in _MARKUP.finditer(marked):
        kept.append(marked[done : match.start()])
        begins += starts[done : match.start()]
        finishes += ends[done : match.start()]
        shown = _shown(match, marked)
        kept.append(shown)
        begins += [starts[match.start()]] * len(shown)
        finishes += [ends[match.end() - 1]] * len(shown)
        done = match.end()
    kept.append(marked[done:])
    return Legible("".join(kept), [*begins, *starts[done:]], [*finishes, *ends[done:]], tuple(asides))


def _signs(text: str) -> tuple[Sequence[str], Sequence[int], Sequence[int]]:
    """Its characters, each with where it begins and ends in the text."""
    if text.isascii() and "&" not in text:
        return text, range(len(text)), range(1, len(text) + 1)
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    script = ""  # of the last character: a run of superscripts gets one ^
    pieces = [(match.start(), match.end()) for match in _ENTITY.finditer(text)] if "&" in text else []
    entities, place = dict(pieces), 0
    while place < len(text):
        end = entities.get(place, place + 1)
        for char in unescape(text[place:end]) if end > place + 1 else text[place]:
            shown, now = _sign(char)
            if now and now != script and chars and (chars[-1].isalnum() or chars[-1] in ")]}|°%'.\""):
                shown = now + shown
            if shown.startswith("0.") and not char.isascii() and chars and chars[-1].isdigit():
                shown = shown[1:]  # 3½
            if shown:
                script = now
            chars += shown
            starts += [place] * len(shown)
            ends += [end] * len(shown)
        place = end
    return chars, starts, ends


def _sign(char: str) -> tuple[str, str]:
    """What a reader takes a character for, and '^' or '_' if it is raised or lowered."""
    if char.isascii():
        return char, ""
    if char in _RAISED:
        return _RAISED[char], "^"
    if char in _LOWERED:
        return _LOWERED[char], "_"
    if char in _SIGNS:
        return _SIGNS[char], ""
    kind = unicodedata.category(char)
    if kind in ("Cf", "Mn", "Me", "Cc") or char in "\u115f\u1160\u3164\uffa0\u2800":
        return "", ""  # zero width, or empty
    if kind == "Nd":
        return str(unicodedata.decimal(char)), ""
    if kind == "No" and (value := unicodedata.numeric(char)) != int(value):
        return f"{value:.6g}", ""  # ½
    plain = unicodedata.normalize("NFKC", char)
    return "".join(_SIGNS.get(one, one) for one in plain if unicodedata.category(one) not in ("Mn", "Cf")), ""


def _shown(match: re.Match[str], marked: str) -> str:
    """What is left of a piece of markup: nothing inside a number, elsewhere what it means, or a space."""
    before, after = marked[match.start() - 1 : match.start()], marked[match.end() : match.end() + 1]
    if match["sup"] or match["up"]:
        return "^"
    if match["sub"]:
        return "_"
    if match["degree"]:
        return "°"
    if match["product"]:
        return "×"
    if match["joint"] or match["none"]:
        return ""
    if match["sign"]:
        return match["sign"]
    if match["command"]:
        return _TEX.get(match["command"], " ")
    if match["thin"] or match["args"] or match["block"]:
        return "\u2009" if match["thin"] else " "
    return "" if before in _IN_NUMBER and after in _IN_NUMBER else " "
