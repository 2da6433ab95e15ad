"""The paper as one HTML page: no script, no address outside, figures inside it, everything of others escaped."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping

from schemas.explore.figures import Figure
from schemas.explore.paper import HEADINGS
from schemas.explore.science_data import Number
from schemas.literature.found_works import Reference
from tasks.explore.paper.availability import availability_html
from tasks.explore.paper.escape import web
from tasks.explore.paper.formulas import formula_html
from tasks.explore.paper.latex import micro
from tasks.explore.paper.markup import Block, Inline, inlines
from tasks.explore.paper.paper_pieces import Layout, Placed
from tasks.explore.paper.printed_numbers import Printed
from tasks.explore.paper.results_table import AGAINST, evidence_rows, evidence_words, results_table

_WORDS = ("text", "emphasis", "code")
_STYLE = """
body{font:17px/1.55 Georgia,'Times New Roman',serif;max-width:44em;margin:3em auto;padding:0 1.2em;
color:#1a1a1a;background:#fff}
h1{font-size:1.75em;line-height:1.2;text-align:center;margin:.6em 0 .2em}h2{font-size:1.25em;margin:1.8em 0 .4em}
h3{font-size:1.05em;margin:1.2em 0 .3em}.by{text-align:center;color:#555;margin:0 0 2em}
.abstract{font-size:.95em;margin:0 2em 2em}.abstract h2{font-size:1em;text-align:center;margin:0 0 .4em}
figure{margin:1.6em 0;text-align:center}figure img{max-width:100%;height:auto}
figcaption,caption{font-size:.88em;text-align:left;color:#333;margin:.4em 0;caption-side:top}
table{border-collapse:collapse;margin:1.2em auto;font-size:.88em;border-top:2px solid #1a1a1a;border-bottom:2px solid #1a1a1a}
th{border-bottom:1px solid #1a1a1a}th,td{padding:.25em .8em;text-align:left}td.number,th.number{text-align:right}
code{font:.86em ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}a{color:#1d4f91;text-decoration:none}
.number{white-space:nowrap}.formula{text-align:center;margin:1em 0}.math .upright{font-style:normal}
.wide{overflow-x:auto}.references li{margin:.3em 0}@media print{body{margin:0;max-width:none}}
""".strip()


class PageWriter:
    """Writes one layout. pictures: figure name -> bytes of its PNG."""

    def __init__(self, layout: Layout, pictures: Mapping[str, bytes]):
        self.layout, self.pictures, self._section = layout, pictures, ""

    def document(self) -> str:
        """The whole page full_paper.html."""
        self._section = "title"
        title = self._line(inlines(self.layout.source.title))
        body = []
        for placed in self.layout.placed:
            self._section = placed.section.name
            head, text = HEADINGS[placed.section.name], self._blocks(placed)
            if placed.section.name == "abstract":
                body.append(f'<section class="abstract" id="sec-abstract"><h2>{head}</h2>{text}</section>')
            else:
                number = self.layout.section_number(placed.section.name)
                body.append(
                    f'<section id="sec-{placed.section.name}"><h2>{number}&ensp;{head}</h2>{text}</section>'
                )
        plain = web(
            "".join(piece.text for piece in inlines(self.layout.source.title) if piece.kind in _WORDS)
        )
        where = self.layout.source.availability
        tail = [*body, availability_html(where) if where else "", self._references(), self._evidence()]
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
            'style-src \'unsafe-inline\'"><meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{plain}</title><style>{_STYLE}</style></head><body>\n<h1>{title}</h1>\n"
            '<p class="by">ReproLab. Written by language models from experiments that code measured; no person has '
            "checked it.</p>\n" + "\n".join(tail) + "\n</body></html>\n"
        )

    def _line(self, pieces: Iterable[Inline]) -> str:
        return "".join(self._piece(piece) for piece in pieces)

    def _piece(self, piece: Inline) -> str:
        if piece.kind == "number":
            shown = self.layout.number(piece, self._section)
            if isinstance(shown, str):
                return web(shown)
            evidence = self.layout.claims[-1]
            return f'<span class="number" title="{web(f"{evidence.number}, {evidence.file}")}">{number_html(shown)}</span>'
        if piece.kind == "cite":
            links = [
                f'<a href="#ref-{web(key)}">{self.layout.cited.index(key) + 1}</a>' for key in piece.keys
            ]
            return f"[{', '.join(links)}]"
        if piece.kind == "reference":
            return self._reference(piece)
        if piece.kind == "math":
            return formula_html(piece.text)
        tag = {"code": "code", "emphasis": "em"}.get(piece.kind)
        return f"<{tag}>{web(piece.text)}</{tag}>" if tag else web(piece.text)

    def _reference(self, piece: Inline) -> str:
        kind, _, name = piece.text.partition(":")
        if kind == "fig":
            return f'<a href="#fig-{web(name)}">Figure {self.layout.figure_number(name)}</a>'
        if kind == "tab":
            return '<a href="#tab-results">Table 1</a>'
        return f'<a href="#sec-{web(name)}">Section {self.layout.section_number(name)}</a>'

    def _blocks(self, placed: Placed) -> str:
        out = []
        for at, block in enumerate(placed.blocks):
            out.append(self._block(block))
            out += [self._figure(figure) for figure in placed.figures_behind.get(at, ())]
            if placed.table_behind == at:
                out.append(self._table())
        return "\n".join(out)

    def _block(self, block: Block) -> str:
        lines = [self._line(item) for item in block.items]
        if block.kind == "list":
            return "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"
        if block.kind == "formula":
            return f'<p class="formula">{lines[0]}</p>'
        return f"<h3>{lines[0]}</h3>" if block.kind == "heading" else f"<p>{lines[0]}</p>"

    def _figure(self, figure: Figure) -> str:
        kept, self._section = self._section, f"caption of {figure.name}"
        caption = self._line(inlines(self.layout.caption(figure)))
        self._section = kept
        data = base64.b64encode(self.pictures[figure.name]).decode()
        return (
            f'<figure id="fig-{figure.name}"><img alt="{web(figure.alt)}" src="data:image/png;base64,{data}">'
            f"<figcaption><b>Figure {self.layout.figure_number(figure.name)}.</b> {caption}</figcaption></figure>"
        )

    def _table(self) -> str:
        table = results_table(self.layout.data)
        if not table.rows:
            return ""
        kept, self._section = self._section, "table of results"
        heads = [
            web(name.replace("_", " ")) + (f" [{web(micro(unit))}]" if unit not in ("", "1") else "")
            for name, unit in table.metrics
        ]
        rows = [
            "<tr><td>"
            + web(found.node_id)
            + "</td><td>"
            + web(found.label)
            + "</td>"
            + "".join(map(self._cell, numbers))
            + f"<td>{AGAINST[found.against_parent]}</td></tr>"
            for found, numbers in table.rows
        ]
        self._section = kept
        return (
            f'<div class="wide"><table id="tab-results"><caption><b>Table 1.</b> {web(table.caption())}</caption>'
            "<thead><tr><th>Node</th><th>Kind</th>"
            + "".join(f'<th class="number">{head}</th>' for head in heads)
            + "<th>Against parent</th></tr></thead><tbody>"
            + "".join(rows)
            + "</tbody></table></div>"
        )

    def _cell(self, number: Number | None) -> str:
        if number is None:
            return "<td>none</td>"
        shown = self.layout.number(Inline("number", number.name), self._section)
        assert isinstance(shown, Printed)
        return f'<td class="number">{number_html(Printed(shown.value, shown.uncertainty, shown.power))}</td>'

    def _references(self) -> str:
        found = "".join(
            f'<li id="ref-{web(reference.key)}">{_entry(reference)}</li>'
            for reference in self.layout.references()
        )
        return f'<section class="references"><h2>References</h2><ol>{found}</ol></section>' if found else ""

    def _evidence(self) -> str:
        rows = "".join(
            f"<tr><td><code>{web(claim.number)}</code></td><td>{web(claim.rendered)}</td><td><code>{web(claim.file)}"
            f"</code></td><td><code>{claim.sha256}</code></td><td>{web(claim.node_id or 'all')}</td></tr>"
            for claim in evidence_rows(self.layout.claims)
        )
        if not rows:
            return ""
        return (
            f'<section id="evidence"><h2>Evidence</h2><p>{web(evidence_words(self.layout.claims))}</p>'
            '<div class="wide"><table><thead><tr>'
            "<th>Number</th><th>As printed</th><th>File</th><th>SHA-256</th><th>Node</th></tr></thead><tbody>"
            f"{rows}</tbody></table></div></section>"
        )


def number_html(shown: Printed) -> str:
    """1.23 ± 0.04 ms, powers raised."""
    text = web(Printed(shown.value, shown.uncertainty, 0, "" if shown.power else micro(shown.unit)).text())
    mark = f"<sup>{web(shown.mark)}</sup>" if shown.mark else ""
    if not shown.power:
        return text.replace("-", "−") + mark
    inner = f"({text})" if shown.uncertainty else text
    return (
        f"{inner} × 10<sup>{shown.power}</sup>".replace("-", "−") + f" {web(micro(shown.unit))}"
    ).rstrip() + mark


def _entry(reference: Reference) -> str:
    parts = [
        ", ".join(reference.authors),
        reference.title,
        reference.venue,
        str(reference.year or ""),
        f"doi:{reference.doi}" if reference.doi else reference.url,
    ]
    return web(". ".join(part for part in parts if part)) + "."
