"""The section on code and data: its sentences, from the bundle's lock and the record of its publication."""

from __future__ import annotations

from schemas.explore.paper import Availability
from tasks.explore.paper.escape import latex, latex_code, web


def _sentences(found: Availability) -> tuple[str, str]:
    first = "The programs, their inputs and a script that repeats the measurements are in a bundle whose SHA-256 is "
    second = (
        "It is fetched and verified with"
        if found.ref
        else "It has not been published; it lies beside this paper."
    )
    return first, second


def clone_command(found: Availability) -> str:
    """What a reader types."""
    return f"reprolab clone {found.ref} --expect-sha256 {found.digest}"


def availability_macros(found: Availability) -> str:
    """\\codeavailability, \\codedigest and \\coderef, as the template's section uses them."""
    first, second = _sentences(found)
    parts = r"\allowbreak{}".join(found.digest[at : at + 8] for at in range(0, len(found.digest), 8))
    shown = rf"\texttt{{{parts}}}"
    reference = latex_code(found.ref) if found.ref else "none"
    text = latex(first) + r"\codedigest. " + latex(second)
    if found.ref:
        text += r" \texttt{reprolab clone} \coderef{} \texttt{{-}{-}expect{-}sha256} followed by that digest."
    if found.doi:
        text += rf" Its DOI is {latex(found.doi)}."
    return (
        rf"\newcommand{{\codedigest}}{{{shown}}}"
        + "\n"
        + rf"\newcommand{{\coderef}}{{{reference}}}"
        + "\n"
        + rf"\newcommand{{\codeavailability}}{{{text}}}"
    )


def availability_html(found: Availability) -> str:
    """The same as a section of the page."""
    first, second = _sentences(found)
    command = f" <code>{web(clone_command(found))}</code>." if found.ref else ""
    doi = f" Its DOI is {web(found.doi)}." if found.doi else ""
    return (
        f'<section id="sec-availability"><h2>Code and data availability</h2><p>{web(first)}<code>{found.digest}</code>. '
        f"{web(second)}{command}{doi}</p></section>"
    )
