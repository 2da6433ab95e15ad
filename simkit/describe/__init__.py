"""The vocabulary of a description: `from simkit.describe import *` and a function `describe(p)` that returns a Problem.

A description is pure: no Meep, no files, no clock. It runs once; every resolution, variant and witness is computed from
the document it gives. Lengths are declared parameters (p.radius) or arithmetic on them.
"""

from simkit.describe.crystal import BandEdge, BandFrequency, Bands, Chain, Crystal, Gap, Hexagonal, Square, Vectors
from simkit.describe.device import (
    Device,
    DeviceField,
    DevicePattern,
    Loss,
    Port,
    PortDelay,
    PortPhase,
    PortReflectance,
    PortTransmittance,
)
from simkit.describe.emitter import Emitter, PurcellFactor, PurcellSpectrum, RadiationPattern
from simkit.describe.errors import BranchOnValue, DescriptionError, MixedUnits, UndeclaredNumber
from simkit.describe.light import Frequencies, Line, Wavelengths
from simkit.describe.measured import Measured
from simkit.describe.media import Material, Medium, PerfectConductor, Pole, kerr, vacuum
from simkit.describe.numbers import acos, asin, atan, cos, exp, inf, log, maximum, minimum, pi, sin, sqrt, tan
from simkit.describe.problem import Problem, Sweep
from simkit.describe.resonator import (
    DecayTime,
    ModePattern,
    ModeProfile,
    ModeVolume,
    Periodic,
    QualityFactor,
    ResonanceFrequency,
    Resonator,
    RingDown,
)
from simkit.describe.scatterer import CrossSection, FarField, FieldAlong, NearField, Scatterer
from simkit.describe.shapes import Block, Cylinder, Ellipsoid, Prism, Repeat, Ring, Sphere
from simkit.describe.unit_cell import (
    Absorptance,
    Bar,
    CellField,
    Disk,
    Film,
    GroupDelay,
    HarmonicEfficiency,
    KerrPhase,
    OrderEfficiency,
    Phase,
    Polygon,
    Rectangle,
    Reflectance,
    Sheet,
    Transmittance,
    UnitCell,
)
from simkit.describe.waveguide import BeatLength, EffectiveIndex, GroupIndex, GuidedProfile, Waveguide

ERRORS = (BranchOnValue, DescriptionError, MixedUnits, UndeclaredNumber)
__all__ = [
    "Absorptance", "BandEdge", "BandFrequency", "Bands", "Bar", "BeatLength", "Block", "CellField", "Chain", "CrossSection",
    "Crystal", "Cylinder", "DecayTime", "Device", "DeviceField", "DevicePattern", "Disk", "EffectiveIndex", "Ellipsoid",
    "Emitter", "FarField", "FieldAlong", "Film", "Frequencies", "Gap", "GroupDelay", "GroupIndex", "GuidedProfile",
    "HarmonicEfficiency", "Hexagonal", "KerrPhase", "Line", "Loss", "Material", "Measured", "Medium", "ModePattern",
    "ModeProfile", "ModeVolume", "NearField", "OrderEfficiency", "PerfectConductor", "Periodic", "Phase", "Pole", "Polygon",
    "Port", "PortDelay", "PortPhase", "PortReflectance", "PortTransmittance", "Prism", "Problem", "PurcellFactor",
    "PurcellSpectrum", "QualityFactor", "RadiationPattern", "Rectangle", "Reflectance", "Repeat", "ResonanceFrequency",
    "Resonator", "Ring", "RingDown", "Scatterer", "Sheet", "Sphere", "Square", "Sweep", "Transmittance", "UnitCell",
    "Vectors", "Waveguide", "Wavelengths", "acos", "asin", "atan", "cos", "exp", "inf", "kerr", "log", "maximum", "minimum",
    "pi", "sin", "sqrt", "tan", "vacuum",
]
