"""Tables and pictures as HTML for Jupyter: plain tags, every word of others escaped."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from schemas.text.visible import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def text(value: object) -> str:
    """A value as HTML: numbers to eight digits, nothing for None."""
    if value is None:
        return ""
    said = f"{value:.8g}" if isinstance(value, float) else str(value)
    return escape(visible(said, 4000))


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table; '' without rows."""
    if not rows:
        return ""
    top = "".join(f"<th>{text(name)}</th>" for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def paragraph(said: object) -> str:
    """A line of text; '' for none."""
    return f"<p>{text(said)}</p>" if said else ""


def picture(png: bytes) -> str:
    """A picture inside the page."""
    return f'<img alt="" src="data:image/png;base64,{base64.b64encode(png).decode()}">'


def png_of(figure: Figure) -> bytes:
    """A figure as PNG, 110 dots an inch."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(figure)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=110)
    return stream.getvalue()
