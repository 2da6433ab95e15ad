"""Comparison thresholds: the default profile and a named looser one. Canonical; prompts and reports read them here."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Model

Quantity = Literal[
    "peak_position",
    "plasmonic_peak_position",
    "fwhm",
    "quality_factor",
    "efficiency",
    "curve",
    "band_frequency",
    "gap_ratio",
    "field_map",
    "field_enhancement",
    "effective_index",
    "scalar",
]
Measure = Literal["relative_percent", "absolute", "absolute_percentage_points"]


class Threshold(Model):
    """Error up to which a quantity is excellent, acceptable, or to be investigated; beyond it is a failure.

    For curves the three numbers bound the normalised RMS difference (percent of the reference's range) after
    alignment; pearson gives the lowest correlation for excellent, acceptable and investigate.
    """

    measure: Measure
    excellent: float
    acceptable: float
    investigate: float
    pearson: tuple[float, float, float] | None = None
    share: tuple[float, float, float] | None = Field(
        None, description="percent of the value: where that is more than the three numbers, it counts instead"
    )
    most: tuple[float, float, float] | None = Field(
        None,
        description="percent of the value that no bound exceeds, down to a tenth of the three numbers: without it a "
        "diffraction order of 0.01 agrees with anything from 0 to 0.02. Not of minima, whose depth is a "
        "difference of large waves and known in absolute numbers only",
    )

    def words(self) -> tuple[str, str, str]:
        """The three bounds as they are written in tables."""
        levels = (self.excellent, self.acceptable, self.investigate)
        shares, most = self.share or (None, None, None), self.most or (None, None, None)
        return tuple(
            f"{level:g}"
            + (f" or {share:g} %" if share is not None else "")  # type: ignore[return-value]
            + (f", at most {cap:g} %" if cap is not None else "")
            for level, share, cap in zip(levels, shares, most, strict=True)
        )


def _relative(excellent: float, acceptable: float, investigate: float) -> Threshold:
    return Threshold(
        measure="relative_percent", excellent=excellent, acceptable=acceptable, investigate=investigate
    )


# No standard has them: set where right and wrong reproductions were seen to part. What holds with them is measured in
# docs/measured/benchmarks.md (right ones) and docs/measured/lies.md (wrong ones).
DEFAULT: dict[str, Threshold] = {
    "peak_position": _relative(0.5, 2, 5),
    "plasmonic_peak_position": _relative(2, 5, 10),
    "fwhm": _relative(10, 30, 50),
    "quality_factor": _relative(10, 30, 50),
    "efficiency": Threshold(
        measure="absolute",
        excellent=0.005,
        acceptable=0.01,
        investigate=0.02,
        share=(2, 5, 10),
        most=(10, 20, 40),
    ),
    "curve": Threshold(
        measure="relative_percent", excellent=3, acceptable=10, investigate=20, pearson=(0.99, 0.95, 0.90)
    ),
    "band_frequency": _relative(0.5, 2, 5),
    "gap_ratio": Threshold(
        measure="absolute_percentage_points", excellent=0.1, acceptable=0.2, investigate=0.5, share=(2, 5, 10)
    ),
    "field_map": Threshold(
        measure="relative_percent", excellent=5, acceptable=15, investigate=30, pearson=(0.95, 0.85, 0.70)
    ),
    "field_enhancement": _relative(20, 50, 100),
    "effective_index": _relative(0.5, 2, 3),
    "scalar": _relative(2, 5, 10),
}
# No single source: what papers of the field commonly call agreement.
LOOSE: dict[str, Threshold] = {
    "peak_position": _relative(2, 5, 10),
    "plasmonic_peak_position": _relative(2, 5, 10),
    "fwhm": _relative(10, 30, 50),
    "quality_factor": _relative(10, 30, 50),
    "efficiency": Threshold(
        measure="absolute",
        excellent=0.01,
        acceptable=0.02,
        investigate=0.04,
        share=(5, 10, 20),
        most=(20, 40, 80),
    ),
    "curve": Threshold(
        measure="relative_percent", excellent=5, acceptable=15, investigate=30, pearson=(0.95, 0.85, 0.70)
    ),
    "band_frequency": _relative(2, 5, 10),
    "gap_ratio": Threshold(
        measure="absolute_percentage_points", excellent=0.2, acceptable=0.5, investigate=1, share=(5, 10, 20)
    ),
    "field_map": Threshold(
        measure="relative_percent", excellent=10, acceptable=25, investigate=40, pearson=(0.90, 0.75, 0.60)
    ),
    "field_enhancement": _relative(20, 50, 100),
    "effective_index": _relative(1, 3, 5),
    "scalar": _relative(5, 10, 20),
}
PROFILES: dict[str, dict[str, Threshold]] = {"default": DEFAULT, "loose": LOOSE}


def threshold(profile: str, quantity: str) -> Threshold:
    """The threshold of a quantity in a named profile."""
    return PROFILES[profile][quantity]
