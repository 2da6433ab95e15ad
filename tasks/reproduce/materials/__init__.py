"""Optical constants: the database, passive Drude-Lorentz fits, their stability, plots and comparisons."""

from tasks.reproduce.materials.comparison import (
    Alternative,
    alternatives,
    comparison_markdown,
    comparison_table,
)
from tasks.reproduce.materials.constants import OpticalConstants
from tasks.reproduce.materials.database import PageInfo, load_page, page_info, search_pages
from tasks.reproduce.materials.drude_lorentz import MaterialFit, Pole
from tasks.reproduce.materials.errors import (
    FitFailed,
    MaterialDataError,
    MaterialError,
    MeepLibraryError,
    UnknownMaterial,
    WavelengthOutOfRange,
)
from tasks.reproduce.materials.fitting import fit_like, fit_material
from tasks.reproduce.materials.plots import plot_comparison, plot_material
from tasks.reproduce.materials.stability import Stability, min_stable_resolution, pitfalls, stability

__all__ = [
    "Alternative",
    "FitFailed",
    "MaterialDataError",
    "MaterialError",
    "MaterialFit",
    "MeepLibraryError",
    "OpticalConstants",
    "PageInfo",
    "Pole",
    "Stability",
    "UnknownMaterial",
    "WavelengthOutOfRange",
    "alternatives",
    "comparison_markdown",
    "comparison_table",
    "fit_like",
    "fit_material",
    "load_page",
    "min_stable_resolution",
    "page_info",
    "pitfalls",
    "plot_comparison",
    "plot_material",
    "search_pages",
    "stability",
]
