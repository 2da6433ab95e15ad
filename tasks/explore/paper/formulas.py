"""Formulas of a model: commands of an allow-list only, balanced, short; as LaTeX, and as HTML without any script."""

from __future__ import annotations

import re

from tasks.explore.paper.escape import web

_GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
).split()
_SYMBOLS = {
    "times": "×",
    "cdot": "·",
    "pm": "±",
    "mp": "∓",
    "leq": "≤",
    "le": "≤",
    "geq": "≥",
    "ge": "≥",
    "neq": "≠",
    "ne": "≠",
    "approx": "≈",
    "sim": "∼",
    "propto": "∝",
    "equiv": "≡",
    "ll": "≪",
    "gg": "≫",
    "in": "∈",
    "infty": "∞",
    "partial": "∂",
    "nabla": "∇",
    "sum": "∑",
    "prod": "∏",
    "int": "∫",
    "to": "→",
    "rightarrow": "→",
    "leftarrow": "←",
    "ldots": "…",
    "cdots": "⋯",
    "dots": "…",
    "forall": "∀",
    "exists": "∃",
    "langle": "⟨",
    "rangle": "⟩",
    "lfloor": "⌊",
    "rfloor": "⌋",
    "lceil": "⌈",
    "rceil": "⌉",
    "odot": "⊙",
    "otimes": "⊗",
    "oplus": "⊕",
    "ell": "ℓ",
    "hbar": "ℏ",
    "quad": " ",
    "qquad": "  ",
    ",": " ",
    ";": " ",
    "!": "",
    " ": " ",
    "|": "‖",
    "mid": "|",
    "circ": "∘",
    "top": "⊤",
    "dagger": "†",
    "left": "",
    "right": "",
}
_FUNCTIONS = "log ln exp sin cos tan arctan min max arg sup inf lim det".split()
_WITH_ARGUMENT = "frac sqrt mathrm mathbf mathit mathcal text hat bar tilde vec overline operatorname".split()
_NAMED = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ϵ",
    "varepsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "vartheta": "ϑ",
    "iota": "ι",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "upsilon": "υ",
    "phi": "ϕ",
    "varphi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
    "Gamma": "Γ",
    "Delta": "Δ",
    "Theta": "Θ",
    "Lambda": "Λ",
    "Xi": "Ξ",
    "Pi": "Π",
    "Sigma": "Σ",
    "Upsilon": "Υ",
    "Phi": "Φ",
    "Psi": "Ψ",
    "Omega": "Ω",
}
ALLOWED = frozenset([*_GREEK, *_SYMBOLS, *_FUNCTIONS, *_WITH_ARGUMENT])
_TOKEN = re.compile(r"\\([A-Za-z]+|.)|(.)", re.DOTALL)
_PLAIN = re.compile(r"[A-Za-z0-9 +\-*/=<>()\[\]{}^_,.;:!'|]\Z")
_MOST_DEPTH = 8


def formula_faults(formula: str) -> list[str]:
    """Why it may not stand in the paper; empty when it may."""
    found, depth = [], 0
    for command, letter in _TOKEN.findall(formula):
        if command and command not in ALLOWED and command not in "{}":
            found.append(f"the command \\{command[:30]} is not allowed in a formula")
        if letter and not _PLAIN.match(letter):
            found.append(
                f"the character {letter!r} is not allowed in a formula; use a command such as \\alpha"
            )
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth < 0 or depth > _MOST_DEPTH:
            found.append("its braces do not close, or are too deep")
            break
    if depth > 0:
        found.append("its braces do not close")
    if len(re.findall(r"\\left(?![A-Za-z])", formula)) != len(re.findall(r"\\right(?![A-Za-z])", formula)):
        found.append("\\left without its \\right")
    if re.search(r"[_^]\s*(?:[_^}]|\Z)|[_^]\s*[^\s{\\]\s*[_^]\s*[^\s{\\]\s*[_^]", formula):
        found.append("an index or exponent is missing or stands twice")
    if re.search(
        r"\\(?:frac|sqrt|mathrm|mathbf|mathit|mathcal|text|hat|bar|tilde|vec|overline|operatorname)\s*(?!\s*\{)",
        formula,
    ):
        found.append("a command lacks its argument in braces")
    if re.search(r"\\frac\s*\{[^{}]*\}\s*(?!\s*\{)", formula):
        found.append("\\frac lacks its second argument in braces")
    return list(dict.fromkeys(found))


def formula_html(formula: str) -> str:
    """A checked formula as HTML: letters slanted, indices and exponents as such, fractions with a stroke."""
    return f'<span class="math">{_html(_group(formula.strip()))}</span>'


def _group(formula: str) -> list[str]:
    """Its tokens."""
    return [found[0] for found in re.finditer(r"\\(?:[A-Za-z]+|.)|\S|\s", formula)]


_UPRIGHT = ('<span class="upright">', "</span>")
_AROUND = {
    "^": ("<sup>", "</sup>"),
    "_": ("<sub>", "</sub>"),
    "\\sqrt": ("√(", ")"),
    "\\mathrm": _UPRIGHT,
    "\\text": _UPRIGHT,
    "\\operatorname": _UPRIGHT,
    "\\mathbf": ("<b>", "</b>"),
}
"""What stands around the argument of a command."""


def _html(tokens: list[str]) -> str:
    out, at = [], 0

    def argument() -> str:
        nonlocal at
        while at < len(tokens) and tokens[at].isspace():
            at += 1
        if at >= len(tokens):
            return ""
        if tokens[at] != "{":
            at += 1
            return _html(tokens[at - 1 : at])
        depth, start = 0, at + 1
        while at < len(tokens):
            depth += {"{": 1, "}": -1}.get(tokens[at], 0)
            at += 1
            if depth == 0:
                break
        return _html(tokens[start : at - 1])

    while at < len(tokens):
        token = tokens[at]
        at += 1
        name = token[1:]
        if token in _AROUND:
            opening, closing = _AROUND[token]
            out.append(f"{opening}{argument()}{closing}")
        elif token == "\\frac":
            out.append(f"({argument()})/({argument()})")
        elif token.startswith("\\") and name in _WITH_ARGUMENT:
            out.append(argument())
        elif token.startswith("\\"):
            out.append(
                web(_NAMED.get(name) or _SYMBOLS.get(name, f" {name} " if name in _FUNCTIONS else name))
            )
        elif token == "{":
            at -= 1
            out.append(argument())
        elif token != "}":
            out.append(f"<i>{token}</i>" if token.isalpha() else web({"-": "−", "*": "∗"}.get(token, token)))
    return "".join(out)
