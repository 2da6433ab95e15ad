"""The specification's paper input (`paper_title`, `paper_text`, figures of `id` and `image_path`), read as our own form.

Source: the workflow specification, context of PlannerAgent and ResultsAnalyzerAgent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Form = Literal["reprolab", "specification"]

ASSUMED_ERROR_PERCENT = 1.0
"""Uncertainty of digitised data whose error nobody stated."""

_OWN_TOP, _SPEC_TOP = (
    ("title", "domain", "text"),
    (
        "paper_title",
        "paper_text",
        "paper_domain",
        "paper_figures",
        "supplementary",
        "supplementary_figures",
        "digitized_data_paths",
    ),
)
FIGURE_LISTS = ("paper_figures", "supplementary_figures")
"""Where the specification's form has figures, beside `figures`."""
_BOTH_TOP = ("paper_id", "citation", "figures", "supplementary_text", "scope", "materials", "patterns")
_OWN_FIGURE, _SPEC_FIGURE = (
    ("figure_id", "image", "data"),
    ("id", "description", "image_path", "digitized_data_path"),
)
_SPEC_ALLOWED = {
    "paper": (*_SPEC_TOP, *_BOTH_TOP),
    "figure": (*_SPEC_FIGURE, "caption"),
    "supplementary": ("text", "figures", "supplementary_text", "supplementary_figures"),
}
_NAMES = {
    "title": "paper_title",
    "text": "paper_text",
    "domain": "paper_domain",
    "figure_id": "id",
    "image": "image_path",
    "data": "digitized_data_path",
    "caption": "description",
}


@dataclass
class Given:
    """A paper's JSON in our own form. fields: for PaperInput. notes: defaults taken. problems: what cannot be read."""

    fields: dict[str, Any]
    form: Form = "reprolab"
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    origins: list[str] = field(default_factory=list)  # of each figure: where it stood in the file

    def place(self, location: Sequence[int | str]) -> str:
        """Where a field stands in the file the person wrote."""
        parts = [str(part) for part in location]
        if self.form == "reprolab":
            return ".".join(parts)
        if (
            len(parts) > 1
            and parts[0] == "figures"
            and parts[1].isdigit()
            and int(parts[1]) < len(self.origins)
        ):
            parts[:2] = [self.origins[int(parts[1])]]
        return ".".join([_NAMES.get(part, part) for part in parts])


def own_form(raw: dict[str, Any]) -> Given:
    """A paper's JSON object, in either form, as our own. Mixtures are a problem; nothing is guessed between them."""
    own, spec = _names_used(raw)
    if own and spec:
        return Given(
            raw,
            "specification" if "paper_title" in raw else "reprolab",
            problems=(
                f"two forms are mixed: {', '.join(own)} belong to ReproLab's own form, {', '.join(spec)} to the "
                "specification's; use one of them throughout (docs/guide/papers.md)",
            ),
        )
    return _translated(raw) if spec else Given(dict(raw))


def _names_used(raw: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Fields of our form only and of the specification's only, each once."""
    own, spec = [name for name in _OWN_TOP if name in raw], [name for name in _SPEC_TOP if name in raw]
    supplement = raw.get("supplementary")
    more = (
        [supplement.get(name) for name in ("figures", "supplementary_figures")]
        if isinstance(supplement, dict)
        else []
    )
    for figures in (*(raw.get(name) for name in ("figures", *FIGURE_LISTS)), *more):
        for figure in figures if isinstance(figures, list) else ():
            if isinstance(figure, dict):
                own += [f"figures.{name}" for name in _OWN_FIGURE if name in figure]
                spec += [f"figures.{name}" for name in _SPEC_FIGURE if name in figure]
    return list(dict.fromkeys(own)), list(dict.fromkeys(spec))


def _translated(raw: dict[str, Any]) -> Given:
    problems, notes = _unknown(raw, "paper", "paper"), []
    fields = {
        own: raw[name]
        for name, own in (
            ("paper_id", "paper_id"),
            ("paper_title", "title"),
            ("paper_text", "text"),
            ("citation", "citation"),
            ("scope", "scope"),
            ("materials", "materials"),
            ("patterns", "patterns"),
        )
        if name in raw
    }
    if raw.get("paper_domain"):
        fields["domain"] = raw["paper_domain"]
    else:
        notes.append("no paper_domain was given: photonics is assumed")
    if not raw.get("citation"):
        fields["citation"] = "No citation was given with the paper."
        notes.append("no citation was given, and the report says so; add the field `citation`")
    supplement = raw.get("supplementary")
    supplement = {"text": supplement} if isinstance(supplement, str) else supplement or {}
    if not isinstance(supplement, dict):
        problems.append(
            f"supplementary: must be an object of text and figures; found {type(supplement).__name__}"
        )
        supplement = {}
    problems += _unknown(supplement, "supplementary", "supplementary")
    text = [
        part
        for part in (
            raw.get("supplementary_text"),
            supplement.get("text"),
            supplement.get("supplementary_text"),
        )
        if part
    ]
    if len(text) > 1:
        problems.append(
            "the supplement's text is given twice; keep one of supplementary_text and supplementary.text"
        )
    if text:
        fields["supplementary_text"] = text[0]
    figures, origins = _figures(raw, supplement, notes, problems)
    fields["figures"] = figures
    return Given(fields, "specification", tuple(notes), tuple(problems), origins)


def _figures(
    raw: dict[str, Any], supplement: dict[str, Any], notes: list[str], problems: list[str]
) -> tuple[list[dict[str, Any]], list[str]]:
    """All figures in our own form, main ones first, and where each stood in the file."""
    paths = raw.get("digitized_data_paths") or {}
    if not isinstance(paths, dict):
        problems.append(f"digitized_data_paths: must map figure ids to paths; found {type(paths).__name__}")
        paths = {}
    made: list[dict[str, Any]] = []
    origins: list[str] = []
    ids: list[object] = []
    for name, listed, extra in (
        ("figures", raw.get("figures"), False),
        ("paper_figures", raw.get("paper_figures"), False),
        ("supplementary_figures", raw.get("supplementary_figures"), True),
        ("supplementary.figures", supplement.get("figures"), True),
        ("supplementary.supplementary_figures", supplement.get("supplementary_figures"), True),
    ):
        if listed is not None and not isinstance(listed, list):
            problems.append(f"{name}: must be a list of figures; found {type(listed).__name__}")
            continue
        for number, figure in enumerate(listed or ()):
            origin = f"{name}.{number}"
            if not isinstance(figure, dict):
                problems.append(f"{origin}: must be an object; found {type(figure).__name__}")
                continue
            problems += _unknown(figure, "figure", origin)
            ids.append(figure.get("id"))
            made.append(_figure(figure, extra, paths, notes))
            origins.append(origin)
    problems += [
        f"digitized_data_paths: {name[:60]!r} is no figure's id; found {', '.join(map(str, ids)) or 'none'}"
        for name in paths
        if name not in ids
    ]
    return made, origins


def _figure(
    figure: dict[str, Any], supplementary: bool, paths: dict[str, Any], notes: list[str]
) -> dict[str, Any]:
    """One figure in our own form."""
    given = figure.get("id")
    name = f"fig{given}" if isinstance(given, int) else given
    if isinstance(name, str):
        name = re.sub(r"[^A-Za-z0-9_.-]+", "_", name).strip("_.-")[:80]
    words = [text for text in (figure.get("caption"), figure.get("description")) if text]
    made: dict[str, Any] = {
        "caption": words[0] if len(set(map(str, words))) == 1 else "\n".join(map(str, words)),
        "supplementary": supplementary,
    }
    if name is not None:
        made["figure_id"] = name
    if name != given and given is not None:
        notes.append(f"the figure {str(given)[:60]!r} is called {name!r}")
    if figure.get("image_path"):
        made["image"] = figure["image_path"]
    data = figure.get("digitized_data_path") or (paths.get(given) if isinstance(given, str) else None)
    if data:
        made["data"] = [
            {
                "file": data,
                "origin": "digitised",
                "relative_error_percent": ASSUMED_ERROR_PERCENT,
                "source": f"digitised from {name}; by whom and how is not stated",
            }
        ]
        notes.append(
            f"data of {name}: digitised, its error is not stated and taken as {ASSUMED_ERROR_PERCENT:g} %"
        )
    return made


def _unknown(given: dict[str, Any], kind: str, where: str) -> list[str]:
    strange = [name[:60] for name in given if name not in _SPEC_ALLOWED[kind]]
    return (
        [f"{where}: unknown field {', '.join(strange)}; allowed: {', '.join(_SPEC_ALLOWED[kind])}"]
        if strange
        else []
    )
