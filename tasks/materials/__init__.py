"""Optical constants: the database, passive Drude-Lorentz fits, their stability, plots and comparisons."""

from tasks.materials.comparison import Alternative, alternatives, comparison_markdown, comparison_table
from tasks.materials.constants import OpticalConstants
from tasks.materials.database import PageInfo, load_page, page_info, search_pages
from tasks.materials.errors import (
    FitFailed,
    MaterialDataError,
    MaterialError,
    MeepLibraryError,
    UnknownMaterial,
    WavelengthOutOfRange,
)
from tasks.materials.fitting import fit_material
from tasks.materials.model import MaterialFit, Pole
from tasks.materials.plots import plot_comparison, plot_material
from tasks.materials.stability import Stability, min_stable_resolution, pitfalls, stability

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
