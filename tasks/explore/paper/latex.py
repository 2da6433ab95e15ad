"""The paper as LaTeX: our template, everything of others escaped, numbers injected."""

from __future__ import annotations

import re
from collections.abc import Iterable

from schemas.explore.figures import Figure
from schemas.explore.paper import HEADINGS
from schemas.explore.reviewing import Venue
from schemas.explore.science_data import Number
from tasks.explore.paper.availability import availability_macros
from tasks.explore.paper.escape import latex, latex_code
from tasks.explore.paper.markup import Block, Inline, inlines
from tasks.explore.paper.paper_pieces import Layout, Placed
from tasks.explore.paper.printed_numbers import Printed
from tasks.explore.paper.results_table import AGAINST, evidence_rows, evidence_words, results_table
from tasks.explore.paper.template import AVAILABILITY, BOTTOM, PREAMBLE, class_parts

_WORDS = {"fig": "Figure", "sec": "Section", "tab": "Table"}


def number_latex(shown: Printed) -> str:
    """1.23 ± 0.04 ms, kept on one line."""
    inner = rf"{shown.value} \pm {shown.uncertainty}" if shown.uncertainty else shown.value
    if shown.uncertainty and (shown.power or shown.unit == "%"):
        inner = f"({inner})"
    if shown.power:
        inner += rf" \times 10^{{{shown.power}}}"
    unit = rf"\,{latex(micro(shown.unit))}" if shown.unit else ""
    return rf"\mbox{{${inner}${unit}{latex(shown.mark)}}}"


def micro(unit: str) -> str:
    """um as µm."""
    return re.sub(r"\bu(?=[mslgWVAJF]\b)", "µ", unit)


class LatexWriter:
    """Writes one layout; `layout.claims` holds each number printed afterwards."""

    def __init__(self, layout: Layout, venue: Venue):
        self.layout, self.venue, self._section = layout, venue, ""

    def document(self) -> str:
        """The whole file full_paper.tex."""
        layout = self.layout
        self._section = "title"
        title = self._line(inlines(layout.source.title))
        body, abstract = [], ""
        for placed in layout.placed:
            self._section = placed.section.name
            text = self._blocks(placed)
            if placed.section.name == "abstract":
                abstract = text
            else:
                body.append(
                    f"\\section{{{HEADINGS[placed.section.name]}}}\\label{{sec:{placed.section.name}}}\n{text}"
                )
        parts = {**class_parts(self.venue.columns), "@title@": title, "@abstract@": abstract.strip()}
        bottom = {"@bibliography@": self._bibliography(), "@evidence@": self._evidence()}
        where = layout.source.availability
        parts["@macros@"] = availability_macros(where) if where else ""
        return "\n".join(
            [_filled(PREAMBLE, parts), *body, AVAILABILITY if where else "", _filled(BOTTOM, bottom)]
        )

    def _line(self, pieces: Iterable[Inline]) -> str:
        return "".join(self._piece(piece) for piece in pieces)

    def _piece(self, piece: Inline) -> str:
        if piece.kind == "number":
            shown = self.layout.number(piece, self._section)
            return latex(shown) if isinstance(shown, str) else number_latex(shown)
        if piece.kind == "cite":
            return rf"\cite{{{piece.text}}}"
        if piece.kind == "reference":
            kind, _, name = piece.text.partition(":")
            return rf"{_WORDS[kind]}~\ref{{{label(kind, name)}}}"
        if piece.kind == "math":
            return f"${piece.text}$"
        if piece.kind == "code":
            return latex_code(piece.text)
        return rf"\emph{{{latex(piece.text)}}}" if piece.kind == "emphasis" else _quotes(latex(piece.text))

    def _blocks(self, placed: Placed) -> str:
        out = []
        for at, block in enumerate(placed.blocks):
            follows = block.kind == "paragraph" and at > 0 and placed.blocks[at - 1].kind == "formula"
            out.append(("\\noindent " if follows else "") + self._block(block))
            out += [self._figure(figure) for figure in placed.figures_behind.get(at, ())]
            if placed.table_behind == at:
                out.append(self._table())
        return "\n\n".join(part for part in out if part) + "\n"

    def _block(self, block: Block) -> str:
        if block.kind == "formula":
            return f"\\begin{{equation*}}\n{block.items[0][0].text}\n\\end{{equation*}}"
        lines = [self._line(item) for item in block.items]
        if block.kind == "list":
            return (
                "\\begin{itemize}\n" + "\n".join(rf"\item {{}}{line}" for line in lines) + "\n\\end{itemize}"
            )
        return rf"\subsection*{{{lines[0]}}}" if block.kind == "heading" else lines[0]

    def _figure(self, figure: Figure) -> str:
        kept, self._section = self._section, f"caption of {figure.name}"
        file = f"figures/{figure.name}.{'pdf' if figure.pdf else 'png'}"
        caption = self._line(inlines(self.layout.caption(figure)))
        self._section = kept
        return (
            f"\\begin{{figure}}[tbp]\n\\centering\n\\includegraphics[width=\\figurewidth]{{{file}}}\n"
            f"\\caption{{{caption}}}\\label{{{label('fig', figure.name)}}}\n\\end{{figure}}"
        )

    def _table(self) -> str:
        table = results_table(self.layout.data)
        if not table.rows:
            return ""
        kept, self._section = self._section, "table of results"
        heads = [
            latex(name.replace("_", " ")) + (f" [{latex(micro(unit))}]" if unit not in ("", "1") else "")
            for name, unit in table.metrics
        ]
        rows = [
            " & ".join(
                [
                    latex(found.node_id),
                    latex(found.label),
                    *map(self._cell, numbers),
                    AGAINST[found.against_parent],
                ]
            )
            + r" \\"
            for found, numbers in table.rows
        ]
        self._section = kept
        return (
            f"\\begin{{table}}[tbp]\n\\centering\\small\n"
            f"\\caption{{{latex(table.caption())}}}\\label{{tab:results}}\n"
            "\\fitted{\\begin{tabular}{@{}ll"
            + "r" * len(heads)
            + "l@{}}\n\\toprule\n"
            + " & ".join(["Node", "Kind", *heads, "Against parent"])
            + " \\\\\n\\midrule\n"
            + "\n".join(rows)
            + "\n\\bottomrule\n\\end{tabular}}\n\\end{table}"
        )

    def _cell(self, number: Number | None) -> str:
        if number is None:
            return "none"
        shown = self.layout.number(Inline("number", number.name), self._section)
        assert isinstance(shown, Printed)
        return number_latex(Printed(shown.value, shown.uncertainty, shown.power))

    def _bibliography(self) -> str:
        return "\\bibliographystyle{unsrtnat}\n\\bibliography{refs}" if self.layout.references() else ""

    def _evidence(self) -> str:
        rows = [
            " & ".join(
                [
                    latex_code(claim.number),
                    latex(claim.rendered),
                    latex_code(claim.file),
                    rf"\texttt{{{claim.sha256[:12]}}}",
                    latex(claim.node_id or "all"),
                ]
            )
            + r" \\"
            for claim in evidence_rows(self.layout.claims)
        ]
        if not rows:
            return ""
        columns = r">{\raggedright}p{0.24\linewidth}>{\raggedright}p{0.2\linewidth}>{\raggedright}p{0.28\linewidth}ll"
        return (
            "\\onecolumn\\section*{Evidence}\\label{sec:evidence}\n"
            + latex(evidence_words(self.layout.claims))
            + "\n"
            f"{{\\footnotesize\\begin{{longtable}}{{@{{}}{columns}@{{}}}}\n\\toprule\n"
            "Number & As printed & File & SHA-256 & Node \\\\\n\\midrule\\endhead\n\\bottomrule\\endlastfoot\n"
            + "\n".join(rows)
            + "\n\\end{longtable}}"
        )


def label(kind: str, name: str) -> str:
    """A label that LaTeX takes as it is."""
    return f"{kind}:{name.replace('_', '-')}" if kind == "fig" else f"{kind}:{name}"


def _filled(template: str, parts: dict[str, str]) -> str:
    """All parts at once, so that no text can pose as another part's mark."""
    return re.sub("|".join(map(re.escape, parts)), lambda found: parts[found[0]], template)


def _quotes(text: str) -> str:
    """Straight double quotes as pairs of curly ones."""
    parts = text.split(r"\textquotedbl{}")
    return "".join(
        part + ("" if at == len(parts) - 1 else "``" if at % 2 == 0 else "''")
        for at, part in enumerate(parts)
    )
