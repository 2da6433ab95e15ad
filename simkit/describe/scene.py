"""What every scene and every quantity has."""

from __future__ import annotations

import hashlib
import json
from typing import ClassVar

from pydantic import Field

from simkit.describe.base import Described, Point

NAME = r"^[a-zA-Z][a-zA-Z0-9_]{0,39}$"


class Scene(Described):
    """A physical situation. It places its own sources, monitors, references, absorbers and mirrors (simkit/arrange)."""

    id: str = Field(pattern=NAME)


class Quantity(Described):
    """Something measured in a scene. `answers`: ids of the targets it answers.

    curve: whether it is a curve over the scene's band (else a single number). power: of length of its value.
    """

    id: str = Field(pattern=NAME)
    scene: str = Field(description="id of the scene")
    answers: tuple[str, ...] = ()
    of_scene: ClassVar[str] = ""  # kind of scene it is measured in
    curve: ClassVar[bool] = False
    power: ClassVar[int] = 0
    needs_line: ClassVar[bool] = False  # whether it is of one wavelength only

    @property
    def mark(self) -> str:
        """Its definition in a few letters, whatever it and its scene are called: what is recorded for it goes by this name, so that the
        same in another stage is the same run."""
        own = self.model_dump(mode="json", exclude={"id", "scene", "answers"})
        return hashlib.sha256(json.dumps(own, sort_keys=True).encode()).hexdigest()[:8]


class Spanned(Described):
    """Of a field: `start` and `end` apart along one axis are a line, apart along two the corners of a rectangle.

    A curve on a line is over the position on it, which grows towards `end` and is zero beside `origin`.
    """

    start: Point
    end: Point
    origin: Point = (0, 0, 0)
