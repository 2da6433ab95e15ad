"""Names by which papers call materials, words and symbols; names of one material (\"TiO2\", \"titania\") are one."""

from __future__ import annotations

import re

MATERIALS = (  # (name, its words, its symbols); compounds first: their parts are not named
    ("nitride", r"silicon[- ](?:oxy)?nitride", r"Si_?3_?N_?4|SiN(?:_?x)?"),
    ("other nitride", r"(?:gallium|alumini?um|boron|titanium|indium)[- ]nitride", r"GaN|AlN|hBN|TiN"),
    ("silicon carbide", r"silicon[- ]carbide", r"SiC"),
    ("silica", r"fused[- ](?:silica|quartz)|silica|silicon[- ](?:di)?oxide|quartz", r"SiO_?2"),
    ("titania", r"titania|titanium[- ](?:di)?oxide|rutile|anatase", r"TiO_?2"),
    ("alumina", r"alumina|sapphire|alumini?um[- ]oxide", r"Al_?2_?O_?3"),
    ("hafnia", r"hafnia|hafnium[- ](?:di)?oxide", r"HfO_?2"),
    ("zirconia", r"zirconia|zirconium[- ](?:di)?oxide", r"ZrO_?2"),
    ("tantala", r"tantala|tantalum[- ](?:pent)?oxide", r"Ta_?2_?O_?5"),
    ("niobia", r"niobia|niobium[- ](?:pent)?oxide", r"Nb_?2_?O_?5"),
    ("indium tin oxide", r"indium[- ]tin[- ]oxide", r"ITO"),
    ("vanadium oxide", r"vanadium[- ](?:di)?oxide", r"VO_?2"),
    ("zinc compound", r"zinc[- ](?:oxide|sul(?:ph|f)ide|selenide)", r"ZnO|ZnSe?"),
    ("fluoride", r"(?:(?:magnesium|calcium|barium|lithium)[- ])?fluoride", r"MgF_?2|CaF_?2|BaF_?2|LiF"),
    ("lithium niobate", r"lithium[- ]niobate", r"LiNbO_?3"),
    ("gallium arsenide", r"(?:(?:alumini?um|indium)[- ])?gallium[- ]arsenide", r"(?:Al|In)?GaAs|AlAs"),
    ("phosphide", r"(?:indium|gallium)[- ]phosphide", r"InP|GaP|InGaAsP"),
    ("layered material", r"graphene|mol\w+[- ]disul(?:ph|f)ide", r"MoS_?2|WS_?2|WSe_?2"),
    ("polymer", r"polystyrene|polycarbonate", r"PMMA|PDMS|SU-?8"),
    ("nitride", r"nitride", r"SiON"),
    ("silicon", r"silicon(?!-on-)", r"Si"),
    ("germanium", r"germanium", r"Ge"),
    ("gold", r"gold", r"Au"),
    ("silver", r"silver", r"Ag"),
    ("copper", r"copper", r"Cu"),
    ("aluminium", r"alumini?um", r"Al"),
    ("chromium", r"chromium|chrome", r"Cr"),
    ("nickel", r"nickel", r"Ni"),
    ("platinum", r"platinum|palladium", r"Pt|Pd"),
    ("titanium", r"titanium", r"Ti"),
    ("tungsten", r"tungsten", r"Mo"),
    ("diamond", r"diamond(?!-shaped)", r"YAG"),
)
METALS = frozenset("gold silver copper aluminium chromium nickel platinum titanium tungsten".split())
MATERIAL = re.compile(
    "|".join(
        rf"(?P<m{place}>(?<![A-Za-z])(?:{words}|(?-i:{symbols}))(?![A-Za-z_\d]))"
        for place, (_, words, symbols) in enumerate(MATERIALS)
    ),
    re.IGNORECASE,
)
_LONGEST = 24


def material_before(text: str, end: int) -> bool:
    """Whether the last word before a place names a material: "SiO2 (1.46)"."""
    words = text[max(0, end - _LONGEST) : end].rstrip()
    return any(match.end() == len(words) for match in MATERIAL.finditer(words))
