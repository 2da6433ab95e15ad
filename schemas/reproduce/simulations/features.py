"""Features of curves: the closed vocabulary of numbers that code computes from a saved curve, alike on both sides."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from schemas.base import Model

SimpleKind = Literal[
    "position",
    "value",
    "prominence",
    "width",
    "quality_factor",
    "value_at",
    "slope",
    "crossing",
    "integral",
    "mean",
    "cutoff",
]
Kind = Literal[
    "position",
    "value",
    "prominence",
    "width",
    "quality_factor",
    "value_at",
    "slope",
    "crossing",
    "integral",
    "mean",
    "cutoff",
    "ratio",
    "difference",
    "band_gap",
]
OldName = Literal["minimum_position", "maximum_position", "minimum_value", "maximum_value"]

# Which fields a kind reads, beside `window` and `curve`; the first group must be given.
_NEEDED: dict[str, tuple[str, ...]] = {
    "value_at": ("at",),
    "crossing": ("level",),
    "ratio": ("of",),
    "difference": ("of",),
}
_READ: dict[str, tuple[str, ...]] = {
    "position": ("extremum", "number"),
    "value": ("extremum", "number"),
    "prominence": ("extremum", "number"),
    "width": ("extremum", "number", "fraction", "level", "base"),
    "quality_factor": ("extremum", "number", "fraction", "level", "base"),
    "value_at": ("at",),
    "slope": (),
    "crossing": ("level", "direction", "number"),
    "integral": (),
    "mean": (),
    "cutoff": ("fraction", "direction"),
    "ratio": ("of",),
    "difference": ("of",),
    "band_gap": ("measure",),
}
# Kinds whose value lies on the abscissa, or on the ordinate; the others have units of their own.
ON_X, ON_Y = ("position", "width", "crossing", "cutoff"), ("value", "prominence", "value_at", "mean")


class _Feature(Model):
    window: tuple[float, ...] = Field(
        (), description="two numbers in the target's x_unit; empty: the target's x_range"
    )
    curve: Literal["first", "second"] = Field("first", description="second: of second_column")
    extremum: Literal["maximum", "minimum"] = "maximum"
    number: int = Field(
        0,
        ge=-1000,
        le=1000,
        description="n-th along ascending x; -1: the last; 0: the highest or deepest (crossing: the only one)",
    )
    fraction: float = Field(
        0.5,
        gt=0,
        lt=1,
        description="width: of the height above the base, 0.5 is the FWHM; cutoff: of the maximum",
    )
    base: Literal["foot", "zero"] = Field(
        "foot",
        description="width of a maximum: its height is counted from its foot, the higher of the minima beside it, or from y = 0",
    )
    level: tuple[float, ...] = Field(
        (), description="an absolute y; for crossing, or instead of fraction for a width"
    )
    direction: Literal["either", "rising", "falling"] = "either"
    at: tuple[float, ...] = Field((), description="value_at: the abscissa, in x_unit")


class SimpleFeature(_Feature):
    """A number of one curve."""

    kind: SimpleKind

    @model_validator(mode="after")
    def _fits(self) -> SimpleFeature:
        _check(self, self.kind)
        return self


class CurveFeature(_Feature):
    """A number of one curve, or of two: position, value, prominence, width or quality factor of an extremum; value_at;
    slope (of the straight line through the window); crossing of a level; integral; mean; cutoff; ratio or difference of
    two features; band_gap between two bands.
    """

    kind: Kind
    of: tuple[SimpleFeature, ...] = Field(
        (), description="ratio, difference: the two features, first over or minus second"
    )
    measure: Literal["width", "middle", "ratio"] = Field(
        "width", description="band_gap: ratio is width over middle"
    )

    @model_validator(mode="after")
    def _fits(self) -> CurveFeature:
        _check(self, self.kind)
        if self.of and len(self.of) != 2:
            raise ValueError(f"a {self.kind} is made of two features; found {len(self.of)}")
        if self.kind == "difference" and self.on_x is self.on_y:
            raise ValueError(
                f"a difference needs two features of one unit; found {self.of[0].kind} and {self.of[1].kind}, "
                f"allowed: both of {', '.join(ON_X)} or both of {', '.join(ON_Y)}"
            )
        return self

    @property
    def parts(self) -> tuple[SimpleFeature | CurveFeature, ...]:
        """The features that are measured on a curve each."""
        return self.of or (self,)

    @property
    def on_x(self) -> bool:
        """Whether the value has the unit of the abscissa."""
        return self.kind != "ratio" and all(part.kind in ON_X for part in self.parts)

    @property
    def on_y(self) -> bool:
        """Whether the value has the unit of the ordinate."""
        gap = self.kind == "band_gap" and self.measure != "ratio"
        return gap or (self.kind != "ratio" and all(part.kind in ON_Y for part in self.parts))

    @property
    def curves(self) -> int:
        """How many curves it is measured on: 1 or 2."""
        return 2 if self.kind == "band_gap" or any(part.curve == "second" for part in self.parts) else 1

    def words(self) -> str:
        """The feature in words, without window or level: what a blind agent may read."""
        if self.of:
            return f"{self.kind} of {' and '.join(_words(part) for part in self.of)}"
        return f"{self.measure} of the gap between two bands" if self.kind == "band_gap" else _words(self)

    def whole(self, x_unit: str = "", unit: str = "") -> str:
        """The feature with all its numbers, for the report: "falling crossing of 0.112", "value at 550 nm"."""
        if self.of:
            return f"{self.kind} of {' and '.join(_whole(part, x_unit, unit) for part in self.of)}"
        said = self.words() if self.kind == "band_gap" else _whole(self, x_unit, unit)
        return said + (_window_words(self, x_unit) if self.kind == "band_gap" else "")


Feature = OldName | CurveFeature


def as_feature(feature: Feature) -> CurveFeature:
    """A feature in the vocabulary; minimum_position and its like are the extremum of the whole range."""
    if isinstance(feature, CurveFeature):
        return feature
    extremum, kind = feature.split("_")
    return CurveFeature.model_validate({"kind": kind, "extremum": extremum})


def _words(part: SimpleFeature | CurveFeature) -> str:
    which = (
        f"{part.extremum}{f' {part.number}' if part.number else ''}"
        if "extremum" in _READ[part.kind]
        else "the curve"
    )
    return f"{part.kind.replace('_', ' ')} of {which}" + (" (second curve)" if part.curve == "second" else "")


def _whole(part: SimpleFeature | CurveFeature, x_unit: str, unit: str) -> str:
    """A simple feature with every number it reads."""
    along, up = (f" {u}" if u not in ("", "1") else "" for u in (x_unit, "" if part.kind in ON_X else unit))
    if part.kind == "value_at":
        said = f"value at {part.at[0]:g}{along}"
    elif part.kind == "crossing":
        way = "" if part.direction == "either" else f"{part.direction} "
        said = f"{way}crossing of {part.level[0]:g}{up}" + (f", number {part.number}" if part.number else "")
    elif part.kind == "cutoff":
        said = f"{'' if part.direction == 'either' else part.direction + ' '}cutoff at {part.fraction:g} of the maximum"
    else:
        said = _words(part).removesuffix(" (second curve)")
        if part.kind in ("width", "quality_factor"):
            said += (
                f" at the level {part.level[0]:g}" if part.level else f" at {part.fraction:g} of its height"
            ) + (" above zero" if part.base == "zero" else "")
    return said + (" (second curve)" if part.curve == "second" else "") + _window_words(part, x_unit)


def _window_words(part: SimpleFeature | CurveFeature, x_unit: str) -> str:
    unit = f" {x_unit}" if x_unit not in ("", "1") else ""
    return f" between {part.window[0]:g} and {part.window[1]:g}{unit}" if part.window else ""


def _check(feature: SimpleFeature | CurveFeature, kind: str) -> None:
    """Raise ValueError for fields that are missing, malformed, or not read by this kind."""
    for name, count in (("window", 2), ("level", 1), ("at", 1)):
        found = getattr(feature, name)
        if found and (len(found) != count or not all(abs(v) < 1e100 for v in found)):
            raise ValueError(f"{name} takes {count} finite number(s); found {list(found)}")
    if feature.window and not feature.window[0] < feature.window[1]:
        raise ValueError(f"window needs the smaller number first; found {list(feature.window)}")
    if feature.base == "zero" and (feature.level or feature.extremum == "minimum"):
        raise ValueError("base 'zero' is of a maximum, and stands instead of a level")
    missing = [name for name in _NEEDED.get(kind, ()) if not getattr(feature, name)]
    if missing:
        raise ValueError(f"a feature of kind {kind!r} also needs {', '.join(missing)}")
    read = (*_READ[kind], "kind", "window", "curve")
    extra = [
        name
        for name, field in type(feature).model_fields.items()
        if name not in read and getattr(feature, name) != field.default
    ]
    if extra:
        raise ValueError(
            f"a feature of kind {kind!r} does not read {', '.join(extra)}; it reads window, curve"
            + "".join(f", {name}" for name in _READ[kind])
        )
