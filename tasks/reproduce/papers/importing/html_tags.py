"""Pictures and captions in HTML inside Markdown; scripts are passed over."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser

_SKIPPED = {"script", "style", "template", "noscript"}


@dataclass
class Picture:
    """A picture in a text: where it points to, and what is said about it. caption: of its <figure>, if any."""

    source: str
    alt: str = ""
    title: str = ""
    caption: str = ""


class Tags(HTMLParser):
    """Fed with the HTML of a text piece by piece, in its order; Markdown's own pictures and words go through it too."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pictures: list[Picture] = []
        self.text: list[str] = []
        self._skipping = ""
        self._figure: list[Picture] | None = None
        self._caption: list[str] | None = None

    def add(self, picture: Picture) -> None:
        """A picture at this place."""
        if not self._skipping:
            self.pictures.append(picture)
            if self._figure is not None:
                self._figure.append(picture)

    def taken(self) -> tuple[list[Picture], str]:
        """Pictures and words since the last call. What a script left open ends here."""
        found = self.pictures, " ".join("".join(self.text).split())
        self.pictures, self.text = [], []
        if self._skipping:
            self._skipping = ""
            self.reset()
        return found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._skipping:
            return
        values = {name: value or "" for name, value in attrs}
        if tag in _SKIPPED:
            self._skipping = tag
        elif tag == "figure":
            self._figure = []
        elif tag == "figcaption":
            self._caption = []
        elif tag == "img" and values.get("src", "").strip():
            self.add(Picture(values["src"].strip(), values.get("alt", ""), values.get("title", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == self._skipping:
            self._skipping = ""
        elif tag in ("figcaption", "figure"):
            self._close_caption()
            if tag == "figure":
                self._figure = None

    def handle_data(self, data: str) -> None:
        if not self._skipping:
            (self.text if self._caption is None else self._caption).append(data)

    def _close_caption(self) -> None:
        for picture in self._figure or []:
            picture.caption = picture.caption or " ".join("".join(self._caption or []).split())
        if self._figure is None and self._caption:
            self.text += self._caption
        self._caption = None
