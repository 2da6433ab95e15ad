"""TeX in captions and quotations as plain Unicode: `$R_{15\\,\\mathrm{nm}}$` becomes `R₁₅ nm`; what is unknown is shown plain.

Only text between dollar signs that holds TeX is touched, so prices and shell variables stay as they are. The result is
plain text and is escaped like any other.
"""

from __future__ import annotations

import re

_GREEK = dict(
    zip(
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau upsilon "
        "phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split(),
        "αβγδεεζηθϑικλμνξπρστυφφχψωΓΔΘΛΞΠΣΥΦΨΩ",
        strict=True,
    )
)
_SYMBOLS = {
    "times": "×",
    "cdot": "·",
    "pm": "±",
    "mp": "∓",
    "approx": "≈",
    "sim": "~",
    "simeq": "≃",
    "leq": "≤",
    "le": "≤",
    "geq": "≥",
    "ge": "≥",
    "neq": "≠",
    "ll": "≪",
    "gg": "≫",
    "infty": "∞",
    "partial": "∂",
    "nabla": "∇",
    "to": "→",
    "rightarrow": "→",
    "propto": "∝",
    "parallel": "∥",
    "perp": "⊥",
    "circ": "°",
    "degree": "°",
    "AA": "Å",
    "hbar": "ħ",
    "ell": "ℓ",
    "int": "∫",
    "sum": "∑",
    "prime": "′",
    "dagger": "†",
    "ldots": "…",
    "dots": "…",
    "quad": " ",
    "qquad": " ",
    "langle": "⟨",
    "rangle": "⟩",
    "in": "∈",
    "Re": "Re",
    "Im": "Im",
} | _GREEK
_UP = str.maketrans("0123456789+-=()niT*′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀ*′")
_DOWN = str.maketrans("0123456789+-=()aeoxhklmnpstijruv", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ")
_RAISED, _LOWERED = frozenset(map(chr, _UP)), frozenset(map(chr, _DOWN))
_MATH = re.compile(r"\$\$([^$]{1,2000})\$\$|\$([^$\n]{1,1000})\$|\\\(([^$\n]{1,1000}?)\\\)")
_TEX = re.compile(r"[\\^_{}]|^\s*[A-Za-z]\s*$")
_WRAPPER = re.compile(
    r"\\(?:mathrm|mathbf|mathit|mathsf|mathcal|mathbb|text|textrm|textit|textbf|operatorname|rm|it|bf|left|"
    r"right|vec|hat|bar|tilde|displaystyle|si|SI|unit|mbox|boldsymbol)(?![A-Za-z])\s*"
)
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_ROOT = re.compile(r"\\sqrt\s*\{([^{}]*)\}")
_SCRIPT = re.compile(r"([\^_])(?:\{([^{}]*)\}|([^\s{}\\]))")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_LITERAL = {"^": "\ue000", "_": "\ue001"}  # marks that stay: not to be taken for scripts again


def readable(text: str) -> str:
    """The text with its TeX formulas as plain Unicode."""
    return _MATH.sub(_formula, text) if "$" in text or "\\(" in text else text


def _formula(match: re.Match[str]) -> str:
    inner = next(group for group in match.groups() if group is not None)
    return untex(inner) if _TEX.search(inner) else match.group(0)


def untex(tex: str) -> str:
    """One formula as plain text."""
    text = re.sub(r"\\([,;:!> ])|~", lambda found: "" if found.group(1) == "!" else " ", tex)
    text = re.sub(r"\\([%#&_$])", r"\1", _WRAPPER.sub("", text))
    text = _COMMAND.sub(_symbol, text)
    for _ in range(4):  # formulas nest; each round opens the innermost braces
        text = _SCRIPT.sub(_script, _ROOT.sub(r"√(\1)", _FRACTION.sub(_ratio, text)))
        text = re.sub(r"(?<![\^_}c])\{([^{}]*)\}", r"\1", text) if "\\" not in text else text
    text = _COMMAND.sub(lambda found: found.group(1), text)
    for mark, stand_in in _LITERAL.items():
        text = text.replace(stand_in, mark)
    return " ".join(re.sub(r"[{}\\]", "", text).split())


def _symbol(match: re.Match[str]) -> str:
    return _SYMBOLS.get(match.group(1), match.group(0))


def _ratio(match: re.Match[str]) -> str:
    parts = [part if re.fullmatch(r"[\w.]+", part) else f"({part})" for part in match.groups()]
    return "/".join(parts)


def _script(match: re.Match[str]) -> str:
    mark, text = match.group(1), (match.group(2) if match.group(2) is not None else match.group(3)).strip()
    if text == "°":
        return text
    table, known = (_UP, _RAISED) if mark == "^" else (_DOWN, _LOWERED)
    if text and all(c in known for c in text):
        return text.translate(table)
    return _LITERAL[mark] + (text if text.isalnum() else f"({text})")
