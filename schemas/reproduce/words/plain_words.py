"""Words that change nothing of what a number is the number of: what is not among them has to be matched by what was computed.

A word that is missing here lowers an honest target to PARTIAL, and is told; a word too many lets a lie through. So only words
go in that leave the value as it is, whatever they stand beside.
"""

from __future__ import annotations

import re

# Words at which the phrase of a noun begins or ends.
STOPS = frozenset(
    """
a about above across after against all along also although am among an and another's any are around as at be because been
before behind being below beside between beyond both but by can could did do does down due during e.g each either even every
few for from had has have having he her here his how i i.e if in inside into is it it's its just least less like many may
might more most much must near neither no nor not of off on one only onto or our out outside over per respectively several
shall she should since so some still such than that the their there these they this those though through to toward towards
under up upon very via viz was we were when where whereas whether which while who whom whose why will with within without
would yet you
""".split()
)

_VERBS = """
absorb achieve agree allow amount amplify anticipate appear apply approach approximate arise ascribe assign associate assume
attain attribute beat become begin begun belong blue-shift blueshift boost broaden build calculate call carry cause center
centered centre centred change characterise characterize choose chosen close coincide come comes compare comprise compute
confine confirm connect consider contain converge convert correlate correspond couple cover create cross decline decrease
deduce define deliver demonstrate denote depend depict derive describe design detect determine develop diffract diminish
discern display distinguish does dominate done draw drawn drive drop due emerge emit employ enable end enhance enlarge ensure
equal establish estimate evaluate exceed excite exhibit exist expect experience express extend extinguish extract fall fallen
feature find fit fix follow form found fulfil fulfill gain generate get give given go goes govern grow grown guide hand happen
have held hold host identify illuminate illustrate impinge imply improve include increase indicate induce inject interact
interfere keep kept known label launch lay lead led left lie lies light limit lit locate located lose lower made make manifest
mark match mean measure meet merge met model monitor move multiply name narrow need note obey observe obtain obtained occur
offer open optimise optimize originate overlap pass peak perform placed plot possess predict present produce propagate prove
provide put radiate raise range reach read receive recognise recognize record red-shift redshift reduce reflect relate remain
report represent require reside resolve result reveal rise risen run said satisfy scan scatter see seem seen select sent
separate set shift show shown simulate sit situate situated span spent split stand start stay stem stop store suggest support
suppress surpass sustain sweep take taken tend told transmit trap travel tune turn undergo use vanish vary visualise visualize
witness yield
"""


def _forms(verb: str) -> set[str]:
    stem = verb[:-1] if verb.endswith("e") else verb
    forms = {verb, f"{verb}s", f"{verb}es", f"{verb}d", f"{stem}ed", f"{stem}ing"}
    forms |= {*(f"{verb}{verb[-1]}{end}" for end in ("ed", "ing"))}
    return forms | ({f"{verb[:-1]}ies", f"{verb[:-1]}ied"} if verb.endswith("y") else set())


VERBS = frozenset(form for verb in _VERBS.split() for form in _forms(verb))

# Said of a quantity, an extremum or a body: how it looks, how it was had, what it belongs to.
HARMLESS = frozenset(
    """
1d 2d 3d a ab-initio absence absolute absorber absorbers absorbing absorption accordance achievable achieved achiral actual
add-drop add-port aforementioned ag agreement air al alas algaas all-dielectric all-pass almost alumina aluminium aluminum
ambient amorphous amount analysis analytic analytical anapole angle angles angular anisotropic anode antenna antennas
anti-bonding antibonding antinode antinodes aperture apertures apex apodized appearance appreciable approach approx
approximate approximately approximation area arm around array arrays article aspect associated asymmetric atom atoms
attainable attenuated-total au axial axis azimuthal back back-reflector backplane balanced band bandgap bandgaps bands
bandwidth bandwidths bar bar-port bare bare-film bars basis beam beam-splitter because behavior behaviour bend bends best better
bic big biosensor blaze blazed bloch block blocks blue blue-shift bonding bound bow-tie bowtie bragg branch branches brewster
brick bricks bright bright-mode broad broad-band broadband broader broadest bubble bulk buried bus bus-coupled bus-waveguide c
ca calculated calculation calculations capped case cases cathode cavities cavity cavity-mode cell center centers central
centre certain chain chalcogenide change changes character characteristic chip chiral chirped choice chromium circular
circularly circulator cladding clear close closed cluster coarse coated coating coatings cobalt coefficient-free coincidence
collective collective-resonance colossal column comb common comparison competition complete complex composite computation
computations computed concentric condition conditions cone configuration confinement conformal conical connected consequence
considerable constant contact continuous contour control conventional copper core corner corners corresponding corrugated
corrugation cost counter-propagating coupled coupled-mode coupled-wave coupler couplers coupling cover coverage covered crescent
critical cross cross-port crosses crossing crossings crystal crystalline crystals cu cube cubes cubic cubic-shaped curve
curved curves cylinder cylinders cylindrical dark dark-mode data db decay decent decrease decreased deduced deep
deep-subwavelength deeper deeper-lying deepest defect definition deg degenerate degrees delocalized dense densest dependence
deposited depth derived design designed designing designs desired detector determined device devices diagonal diameter
diameters diamond dielectric different dilute dimer dimers diode dioxide dip dipolar dipole dipoles dips direction directional
directions disc discernible discrete discs disk disks dispersion dispersive distance distances distinct distinctive dominant doped
dot dots dramatic drastic drop drop-port droplet dual duty dye edge edge-state edges effect effective effects eigen-mode
eigenfrequencies eigenfrequency eigenmode eigenmodes eit electric electrically electrode electromagnetic element elements
ellipse ellipsoid elliptical elliptically elongated embedded emergence emission emitter emitters emitting end ends energies
energy energy-flux engineered enhanced enhancement enormous entire environment eot eq equation essential estimate estimated
estimation etch etched ethanol ev evaluated evanescent ever evident evolution exact exact-theory examined example excellent exceptional
exceptionally exchange excitation exciton excitonic existence expected experiment experimentally experiments expression
extinction extracted extraordinary extremum ez fabry-p\u00e9rot fabry-perot face faces facet factor factors faint fair fano fano-like
fano-shaped fano-type far far-field fast favorable favourable fdfd fdtd feature features fem few-mode fiber fibers fibre
fibres field fields fig figure fill filled filling film films filter filters fin final fine fingerprint finite finite-size
finite-valued fins fit fitting flat flat-top flattened flexible floquet flux focal focus formation formula found free-space
free-standing freestanding frequencies frequency fresnel front full full-vectorial full-wave fully function functions fundamental
fundamental-mode fwhm gaas gallium gap gap-plasmon gap-to-midgap gaps gaussian ge general gentle geometrical geometry
germanium ghz giant giant-sized glass global gmr gold gold-coated good graded graph graphene grating gratings grazing great
greatest green groove grooves ground ground-plane guide guided guided-mode guides h-shaped h1 half-wave half-wavelength height
helical helix help heterostructure hexagonal hexapole high high-contrast high-efficiency high-index high-q high-quality
higher-than highest hole hole-array holes hollow hologram horizontal hot hot-spot hotspot hub huge huygens hybrid hybridised
hybridization hybridized hz ideal idealised idealized identical illuminated image immense imperfect impressive in-band
in-plane incidence incident incoming increase increased indentation indication indium infinite infrared inp input input-port
inset instead intense intensity interaction interface interfaces interference interferometer intermediate interplay interval
inverted iron irregular isolated isotropic ito jet junction kerker kind known l-shaped l3 large larger largest laser lateral
latex lattice lattice-mode lattice-resonance launched layer layered layers leaky left-handed length lengths lens lenses level
light line line-shape linear linearly lines lineshape linewidth linewidths liquid lithium lithographic lobe lobes local
localised localised-surface localization localized location long longer longitudinal loop lorentz lorentzian lossless lossy
low low-loss lowest lsp lspr macroscopic magnesium magnetic magnetically magnitude main major map marked matching material
materials maximal maximisation maximised maximized maximum means measure measured media medium meep membrane membranes mesa
meta-atom meta-atoms metal metalens metallic metals metamaterial metamaterials metasurface metasurfaces method methods mev
microcavity microdisk microring microscopic microsphere microspheres microwave mid-gap mid-infrared middle midgap mie minimal
minimisation minimum minor minus minute mirror mirrors modal mode model models moderate modes modest modestly modulator
molecule molecules monitor monomer monopole mount mpb multi-mode multilayer multilayers multimode multipolar multipole
nanoantenna nanoantennas nanobeam nanobrick nanocavity nanocrescent nanocube nanodisk nanodisks nanofin nanogap nanohole
nanohole-array nanoholes nanojet nanoparticle nanoparticles nanopatch nanopillar nanopillars nanoridge nanorod nanorods
nanoscale nanoscopic nanoshell nanoshells nanoslit nanosphere nanospheres nanowire nanowires narrow narrow-band narrowband
narrower narrowest natural nature near near-field near-infrared near-perfect near-unity nearly nearly-perfect negative never
new nickel niobate nitride nm node nodes nominal non-zero nonresonant nonuniform nonvanishing nonzero normal normal-incidence
normally-incident notable noticeable novel number numbers numeric numerical numerically numerics oblique observation observed
obtained octupolar octupole oil one-dimensional onset open operating operation optical optically optimal optimisation
optimised optimization optimized optimum order orders ordinary origin oscillating out-of-band out-of-plane outcome outgoing
output output-port outstanding overall overlap overlap-free overlapping oxide p-polarised p-polarized package pair pairs
palladium panel paper parallel parameter parameters particle particle-array particles particular pass-band passband patch
patches pattern patterned patterns peak peak-like peaks pedestal perfect perfect-absorption perforated performance period
periodic periodicity periods perovskite perpendicular phenomenon phonon photodetector photolithographic photon photonic
photons pillar pillars pitch pixel plain planar plane plane-wave planes plasmon plasmonic plate plates platinum plot plus pmma
point points polar polarisation polarisations polarised polariton polaritonic polarization polarizations polarized polarizer
polymer polystyrene porous port ports position positive possible post posts power poynting practical precise predicted
prediction presence present principal prism probe process processes profile profile-like profiles prominent pronounced
propagating properties property proposed protrusion pseudo-mode pulse pump pure q-factor quadrupolar quadrupole quality-wise
quantity quarter-wave quarter-wavelength quartz quasi-bic quasi-bound quasi-te quasi-tm r rad radial radiating radiating-mode
radiation radii radius range rapid ratio ratios rayleigh rcwa reached real real-valued realistic reasonable record-high
rectangular red red-shift reduced ref reflecting reflection reflector refraction refractive refs region regions relation
relevant remarkable reported residual resist resonance resonances resonant resonator resonators response responses result
resultant resulting results rib ribbon ribbons ridge ridge-waveguide ridges right-handed rigid rigorous rigorous-coupled-wave
ring rings ripple robust rod rods role rotated rotational rough roughened roughly row s-polarised s-polarized same sample
sample-holder samples sapphire scalar scattering scattering-type schematic screen section selected selection semi-analytical
semi-infinite semiconductor sensitive sensor separation set shallow shape sharp sharp-edged sharpened sharper sharpest shell
shift shifts short shorter shown si si3n4 side side-coupled sides sidewall sidewalls sign signal signature significant silica
silicon silver silver-coated simple simulated simulation simulations sin single single-mode sinusoidal sio2 sizable size
sizeable sizes slab slabs slanted slight slim slit slits slot slot-waveguide slots slow slow-light slr small smaller smallest
smooth so-called soft sole solid solution solutions soon sort source spacer spacing sparse special specific spectra spectral
spectrally spectrum sphere spheres spherical spheroid spiral split split-ring splitter splitters spontaneous spoof spot spots
spp square square-wave srr stack stacks standard standing star state state-of-the-art states steady steep steeper stepped
stopband stopbands strength strict striking strikingly strip strip-waveguide strips strong stronger strongest structure
structured structures study sub-wavelength sub-wavelength-scale subradiant subradiation substantial substrate substrates
subwavelength successive sudden super-mode superb supercell superior superlattice supermodes superradiant superstrate
supported suppressed suppression surface surface-lattice surface-plasmon surrounding surroundings suspended switch symmetric
symmetrical symmetry synthetic system t table tabulated tall tamm tangential taper tapered tapers target target-wavelength targeted te
te-like te-mode te-polarised te-polarized teeth telecom terahertz terms text textured then theoretical theoretically theories theory
therefore thermal thermally thick thickness thicknesses thin thin-film three-dimensional through through-port thus thz tilted time times
tin tiny tio2 tip titania titanium tm tm-like tm-mode tm-polarised tm-polarized tooth top topological toroidal total-field
transfer transmission transmitting transparency transparent transverse trapezoidal trapped-mode traveling travelling
tremendous trend triangle triangles triangular triangular-shaped trimer true truncated tunable tuned tungsten tuning twisted
two-dimensional type typical typical-size u-shaped ultimate ultra-high ultra-low ultra-narrow ultra-sharp ultra-thin ultrafast
ultrahigh ultralow ultranarrow ultrathin ultraviolet um undercut undisturbed uniform unique unit unit-cell unity
unity-amplitude unperturbed unpolarised unpolarized unprecedented upright use usual v-shaped vacancy vacuum value values
vanadium variable variation variations vectorial versatile vertical view virtue visible visible-light w1 wafer wall water wave
waveguide waveguide-mode waveguides waveguiding wavelength wavelengths waves weak weaker weakest wedge well well-defined
well-known wgm whispering-gallery whole wide wide-band wideband wider width widths window windows wire wires wood work working
x x-polarised x-polarized y y-polarised y-polarized z zero zero-width zone
""".split()
)

_OF_RATE = ("per", "over")
_ADVERB = re.compile(r"\w{2,}ly$")
_SHAPE = re.compile(
    r"\w+-(?:layer|layered|dimensional|shaped|like|based|type|mode|film|coated|clad|core|shell|perot|"
    r"contrast)$|(?:nano|micro|meta|quasi-?|ultra-?)\w+$|\w+['\u2019]s?$|\w+-?fold$"
)


def harmless(word: str) -> bool:
    """Whether a word, in lower case, leaves what a number is the number of as it is."""
    return (
        word in HARMLESS
        or word in STOPS
        or word in VERBS
        or bool(_ADVERB.fullmatch(word))
        or bool(_SHAPE.fullmatch(word))
        or word.rstrip("s") in HARMLESS
        or ("-" in word and all(_part(part) for part in word.split("-") if part))
    )


def _part(word: str) -> bool:
    return harmless(word) and word not in _OF_RATE
