"""A diagram as SVG: elements and attributes of an allow-list, no number as text, rasterised by rsvg-convert in the sandbox."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, ParseError, XMLParser, tostring

from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import visible
from tasks.documents.typesetting import SVG, rsvg_convert
from tasks.explore.figures.plotting import Drawn
from tasks.explore.paper.markup import Inline
from tasks.explore.paper.typed_numerals import typed_numbers
from tasks.sandbox import Limits, run_sandboxed, scratch

LIMITS = Limits(
    wall_s=120, cpu_s=20, memory_mb=512, processes=16, file_mb=20, disk_mb=64, files=20, output_mb=1
)
_SPACE = "http://www.w3.org/2000/svg"
_ELEMENTS = frozenset(
    "svg g rect circle ellipse line polyline polygon path text tspan defs marker title desc".split()
)
_ATTRIBUTES = frozenset(
    (
        "width height viewBox version x y x1 y1 x2 y2 cx cy r rx ry d points dx dy fill stroke stroke-width stroke-dasharray "
        "stroke-linecap stroke-linejoin fill-opacity stroke-opacity opacity transform font-size font-family font-weight font-style "
        "text-anchor dominant-baseline id class marker-start marker-mid marker-end markerWidth markerHeight markerUnits refX refY "
        "orient preserveAspectRatio letter-spacing role aria-label"
    ).split()
)
_VALUE = re.compile(r"(?:[\w #%.,:()+-]|url\(#[\w-]{1,60}\)){0,20000}\Z")
_MOST_ELEMENTS = 600
_MOST = 8 << 20


class _Refused(ValueError):
    pass


def svg_faults(text: str, names: Iterable[str] = ()) -> list[str]:
    """Why an SVG may not stand in a paper; empty when it may."""
    try:
        root = _parsed(text)
    except (_Refused, ParseError) as error:
        return [f"the SVG cannot be read: {error}"]
    found: list[str] = []
    elements = list(root.iter())
    if len(elements) > _MOST_ELEMENTS:
        found.append(f"it has {len(elements)} elements; at most {_MOST_ELEMENTS}")
    if (
        _local(root) != "svg"
        or not re.fullmatch(r"[\d.]+(?:px)?", root.get("width", ""))
        or "viewBox" not in root.attrib
    ):
        found.append("its root is svg with width, height and viewBox in pixels")
    for element in elements[:_MOST_ELEMENTS]:
        name = _local(element)
        if name not in _ELEMENTS:
            found.append(f"the element {name[:40]!r} is not allowed")
        for key, value in element.attrib.items():
            if key not in _ATTRIBUTES:
                found.append(f"the attribute {key[:60]!r} is not allowed")
            elif not _VALUE.match(value) or "url(" in value.replace("url(#", ""):
                found.append(f"the value of {key} is not allowed: {value[:60]!r}")
    words = " ".join(
        "".join(element.itertext()) for element in elements if _local(element) in ("text", "title", "desc")
    )
    found += typed_numbers([Inline("text", " ".join(words.split()))], frozenset(names))
    return list(dict.fromkeys(found))


def draw_svg(text: str, names: Iterable[str] = (), *, allow_degraded: bool = False) -> Drawn:
    """The diagram as PNG and PDF, from the tree as we read it, not from the text as it came."""
    faults = svg_faults(text, names)
    program = rsvg_convert()
    if program is None:
        faults.append(f"no program here makes a picture of an SVG ({SVG}); answer with plots only")
    if faults or program is None:
        return Drawn(faults=tuple(faults))
    clean = tostring(_parsed(text))
    with scratch("reprolab-svg-") as folder:
        inputs = folder / "in"
        inputs.mkdir(mode=0o755)
        (inputs / "figure.svg").write_bytes(clean)
        (inputs / "figure.svg").chmod(0o644)
        made = {}
        for kind, options in (("png", ["--zoom=2"]), ("pdf", [])):
            result = run_sandboxed(
                [
                    str(program),
                    f"--format={kind}",
                    *options,
                    "--background-color=white",
                    "-o",
                    f"figure.{kind}",
                    "/sandbox/in/figure.svg",
                ],
                folder / "work",
                readonly={inputs: "/sandbox/in"},
                env={"SOURCE_DATE_EPOCH": "0"},
                limits=LIMITS,
                allow_degraded=allow_degraded,
            )
            try:
                made[kind] = read_below(folder / "work", f"figure.{kind}", _MOST) if result.ok else b""
            except Unopened:
                made[kind] = b""
    if not made["png"].startswith(b"\x89PNG"):
        return Drawn(faults=("the SVG could not be drawn: " + " ".join(result.stderr_tail.split())[-200:],))
    return Drawn(made["png"], made["pdf"] if made["pdf"].startswith(b"%PDF-") else b"")


def _parsed(text: str) -> Element:
    """Without entities, document types and instructions. Raises _Refused, ParseError."""
    if re.search(r"<[!?](?!--|\?xml\s)", text.removeprefix("\ufeff").lstrip().removeprefix("<?xml ")):
        raise _Refused("document types, entities and instructions are not allowed")
    parser = XMLParser()
    parser.feed(visible(text))
    return parser.close()


def _local(element: Element) -> str:
    tag = element.tag if isinstance(element.tag, str) else "comment"
    return tag.removeprefix(f"{{{_SPACE}}}")
