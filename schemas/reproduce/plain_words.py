"""Words that change nothing of what a number is the number of: what is not among them has to be matched by what was computed.

A word that is missing here lowers an honest target to PARTIAL, and is told; a word too many lets a lie through. So only words
go in that leave the value as it is, whatever they stand beside.
"""

from __future__ import annotations

import re

# Words at which the phrase of a noun begins or ends.
STOPS = frozenset("""
a an the this that these those its their his her our his such any some no each every all both either neither another's
of in on at by for from to with within without into onto over under above below between among along across through during after
before around near inside outside per via upon against about beyond toward towards behind beside as than like due
and or but nor yet so while whereas although though because since if when where which who whose whom that how why whether
it they we he she one i you there here it's
is are was were be been being am has have had having do does did can could may might must shall should will would
not only also even still just very more most less least much many few several up down out off i.e e.g viz respectively
""".split())

_VERBS = """
reach attain exhibit show display have yield give produce obtain find observe see calculate compute simulate predict estimate measure
locate situate centre center lie occur appear arise emerge exist amount equal become remain keep stay hold take get achieve record
report note determine extract evaluate deduce derive read detect identify define denote call name label mark plot draw depict
illustrate present demonstrate confirm reveal indicate suggest imply mean correspond match agree compare coincide follow lead result
cause induce excite drive support sustain host feature contain include comprise possess provide offer allow enable ensure need
require expect anticipate assume consider choose select set fix vary change shift move tune grow rise raise increase decrease fall
drop reduce lower decline diminish enhance enlarge improve boost amplify suppress vanish peak exceed surpass pass cross approach
span cover extend range begin start end stop open close form make create generate build develop establish use employ apply perform
carry run converge approximate describe express represent characterise characterize manifest reside sit stand come go turn tend
seem prove happen belong relate depend vary originate stem attribute assign ascribe due associate connect relate correlate
feature undergo experience witness resolve discern visualise visualize recognise recognize distinguish dominate govern determine
limit broaden narrow split separate merge overlap couple interact interfere propagate travel illuminate light impinge
transmit reflect absorb scatter emit radiate diffract extinguish convert lose gain deliver inject launch confine guide trap store
located placed situated centered centred found seen obtained shown given taken made done known chosen risen fallen begun grown
drawn held kept left led lit met put read run said set sent split spent told lay lies goes comes does
fulfil fulfill satisfy obey meet beat achieve plot scan sweep monitor record
model simulate optimise optimize design fit redshift blueshift red-shift blue-shift shift
"""
_ENDINGS = ("", "s", "es", "d", "ed", "ing")


def _forms(verb: str) -> set[str]:
    stem = verb[:-1] if verb.endswith("e") else verb
    forms = {verb, f"{verb}s", f"{verb}es", f"{verb}d", f"{stem}ed", f"{stem}ing", f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing"}
    return forms | ({f"{verb[:-1]}ies", f"{verb[:-1]}ied"} if verb.endswith("y") else set())


VERBS = frozenset(form for verb in _VERBS.split() for form in _forms(verb))

# Said of a quantity, an extremum or a body: how it looks, how it was had, what it belongs to.
HARMLESS = frozenset("""
main major principal strong stronger strongest narrow narrower narrowest sharp sharper sharpest broad broader broadest deep deeper
deepest pronounced clear distinct prominent dominant weak weaker weakest small smaller smallest large larger largest high
highest low lowest big huge giant great greatest good better best tall wide steep smooth flat shallow faint intense bright
dark remarkable significant considerable substantial excellent moderate modest appreciable notable striking dramatic drastic
perfect near-perfect near-unity ultra-high ultrahigh ultra-low ultralow ultra-narrow ultranarrow ultra-sharp high-quality
high-efficiency low-loss unity single sole isolated unique characteristic typical corresponding associated resulting resultant
complete entire whole same present proposed new final actual real true exact precise approximate rigorous numerical numeric
simulated calculated computed predicted theoretical expected obtained observed measured found estimated extracted reported shown
deduced derived evaluated determined achieved achievable attainable possible reached targeted target desired designed optimized
optimised optimal optimum ideal maximal minimal maximum minimum peak top extraordinary ordinary enhanced reduced increased
decreased suppressed well-defined well-known so-called usual conventional standard common visible noticeable evident
asymmetric symmetric symmetrical lorentzian fano fano-like fano-type fano-shaped gaussian lorentz spectral optical photonic
plasmonic electromagnetic dielectric metallic resonant nonresonant resonance resonances local localized localised collective
periodic guided leaky radiating bound quasi-bound hybrid hybridized hybridised coupled bonding antibonding anti-bonding bright
dipole dipolar quadrupole quadrupolar octupole octupolar hexapole multipole multipolar monopole electric magnetic toroidal
fabry-perot fabry-p\u00e9rot whispering-gallery bragg mie fresnel brewster rayleigh wood tamm kerker bloch floquet huygens
plasmon polariton polaritonic exciton excitonic phonon surface bulk cavity defect edge-state slab lattice surface-lattice
guided-mode waveguide-mode lattice-mode gap-plasmon slow-light fast slow transparent transparency anapole bic quasi-bic
narrowband narrow-band broadband broad-band wideband wide-band sharp-edged high-q q-factor infrared near-infrared mid-infrared
ultraviolet visible-light terahertz microwave te tm ez hz te-polarized tm-polarized te-polarised tm-polarised s-polarized
p-polarized s-polarised p-polarised x-polarized y-polarized x-polarised y-polarised polarized polarised unpolarized te-like
tm-like quasi-te quasi-tm te-mode tm-mode linear linearly transverse longitudinal axial lateral vertical horizontal in-plane
out-of-plane radial normal-incidence normally-incident oblique normal incident incoming launched input output total-field
far-field near-field far near two-dimensional three-dimensional one-dimensional 2d 3d 1d lossless lossy real-valued
refractive vacuum free-space wavelength frequency energy value values position location height depth level strength magnitude
width widths linewidth linewidths bandwidth bandwidths line lines spectrum spectra curve curves point points region regions range
interval window windows band bands peak peaks dip dips mode modes order orders feature features resonance extremum dispersion
light radiation power intensity signal wave waves beam field fields photon photons pulse flux energy-flux poynting
number numbers factor factors ratio ratios coefficient-free amount quantity result results data case cases example figure fig panel
table text inset eq equation section ref refs article paper work study method methods theory theories model models
approach approximation simulation simulations calculation calculations computation computations experiment experiments
fdtd fem rcwa meep mpb fdfd numerics analysis agreement accordance comparison line-shape lineshape shape profile profiles
function functions response responses behaviour behavior effect effects phenomenon structure structures sample samples device
devices geometry design designs configuration system array arrays grating gratings film films layer layers coating coatings stack
stacks multilayer multilayers slab slabs membrane membranes substrate substrates superstrate mirror mirrors reflector filter
filters absorber absorbers antenna antennas nanoantenna nanoantennas metasurface metasurfaces metamaterial metamaterials crystal
crystals lattice cavity cavities resonator resonators ring rings disk disks disc discs microring microdisk microcavity nanocavity
sphere spheres particle particles nanoparticle nanoparticles nanosphere nanospheres nanorod nanorods rod rods cylinder cylinders
wire wires nanowire nanowires strip strips ribbon ribbons bar bars pillar pillars post posts cube cubes nanocube cone tip hole
holes nanohole nanoholes aperture apertures slit slits slot slots groove grooves ridge ridges tooth teeth dimer dimers trimer
monomer cluster shell core cladding cover spacer cavity-mode waveguide waveguides guide guides fibre fiber fibres fibers coupler
couplers splitter splitters bend bends crossing crossings junction taper tapers bus bus-waveguide port ports facet interface
interfaces prism lens lenses metalens element elements pixel unit cell unit-cell supercell meta-atom meta-atoms nanodisk
nanodisks nanopillar nanopillars nanoshell nanoshells emitter emitters dipoles dot dots atom atoms molecule molecules dye
gold silver aluminium aluminum copper silicon germanium silica glass quartz sapphire titania tio2 sio2 si ge au ag al cu gaas
algaas alas inp sin si3n4 nitride oxide alumina polymer pmma water air vacuum medium media material materials environment
surroundings semiconductor dielectric metal metals graphene amorphous crystalline thin thick bare-film
geometrical surface-plasmon spp lspr lsp gmr slr srr wgm eot eit fwhm nm um thz ghz ev mev deg db degrees c a x y z r t rad
wavelengths frequencies energies angle angles incidence distance distances period periods periodicity pitch thickness thicknesses radius radii
diameter diameters gap gaps length lengths separation spacing size sizes filling fill duty direction directions axis plane planes
centre center centers middle edge edges end ends side sides state states solution solutions process processes time times
parameter parameters condition conditions change changes variation variations increase decrease shift shifts red-shift blue-shift
presence origin excitation interference coupling interaction hybridization confinement localization enhancement
suppression reflection transmission absorption scattering extinction emission fundamental approx ca
ultrathin ultra-thin thin-film all-dielectric high-index high-contrast subwavelength sub-wavelength deep-subwavelength nanoscale
plane-wave open closed finite infinite semi-infinite long short red blue green central
effective hot ambient background balanced buried composite concentric conformal conical connected constant continuous corrugated
critical curved degenerate delocalized diagonal directional discrete dual dynamic elongated engineered essential exceptional extra
favourable favorable flexible gentle global helical idealized idealised identical illuminated imperfect incoherent coherent inherent
intermediate inverted irregular joint known layered magnetic mechanical mutual natural novel opposite overlapping parallel
perpendicular planar plane plain pure random rapid relevant retarded rigid robust selected sensitive separate shallow shared
sinusoidal slanted soft static steady stepped strict successive sudden superior synthetic tapered thermal topological trapezoidal
truncated tunable tuned twisted ultimate ultrafast undisturbed unperturbed upright variable versatile virtual aforementioned
spot spots hot-spot hotspot jet nanojet microsphere microspheres corner corners triangle triangles star apex bubble droplet liquid
oil ethanol polystyrene latex perovskite resist diamond chalcogenide niobate lithium indium gallium tungsten titanium nickel
chromium platinum palladium iron cobalt magnesium tin ito vanadium dioxide source detector monitor wall ground back-reflector
electrode contact cathode anode laser diode photodetector sensor modulator switch polarizer plate hologram circulator interferometer
arm branch branches comb loop spiral helix chain row pair pairs vacancy backplane ground-plane eigenmode eigenmodes eigenfrequency
eigenfrequencies subradiation bandgap bandgaps stopband stopbands passband pass-band in-band out-of-band fundamental-mode
polarisation polarization polarisations polarizations cubic square-wave absolute transfer full longer shorter wider higher-than residual spontaneous decay pattern patterns lobe lobes focal
focus azimuthal angular polar mid-gap midgap gap-to-midgap never ever nearly-perfect slight steeper deeper-lying finite-size
expression formula definition relation estimate estimation prediction fit fitting trend dependence map contour panel row column
excellent reasonable fair close overall general particular specific certain special simple complex
realistic practical typical-size nominal initial original previous earlier later early late first-principles ab-initio analytical
analytic semi-analytical full-wave full-vectorial vectorial scalar rigorous-coupled-wave coupled-wave coupled-mode temporal
spatial modal evanescent propagating standing travelling traveling counter-propagating localised-surface optically
electrically magnetically thermally spectrally spatially temporally zero-width zero unity-amplitude non-zero nonzero positive negative
available usable useful operational operating operation design designing target-wavelength working pump probe excitation laser
nanoscopic microscopic macroscopic tiny minute minor slim fine coarse rough exact-theory experimentally numerically
lattice-resonance collective-resonance interband intraband absorbing reflecting transmitting scattering-type emitting
dispersive nondispersive anisotropic isotropic homogeneous inhomogeneous uniform nonuniform graded chirped apodized
quarter-wave half-wave quarter-wavelength half-wavelength subradiant superradiant radiating-mode perfect-absorption
hexagonal triangular square rectangular circular elliptical spherical cylindrical cubic-shaped rotational rotated tilted
bowtie bow-tie patch patches nanopatch cross crosses split split-ring u-shaped l-shaped h-shaped v-shaped chiral achiral
l3 h1 w1 nanobeam beam-splitter add-drop all-pass bus-coupled side-coupled drop through through-port drop-port cross-port bar-port
add-port output-port input-port photolithographic lithographic etched deposited embedded suspended free-standing freestanding
supported coated capped covered filled hollow solid porous dense sparse dilute single-mode multimode multi-mode few-mode
theoretically approximately roughly nearly almost around well fully
""".split())

_ADVERB = re.compile(r"\w{2,}ly$")
_SHAPE = re.compile(r"(?:single|double|multi|two|three|four|five|six|ten|\w+)-(?:layer|layered|dimensional|shaped|like|based|type|mode|"
                    r"film|coated|clad|core|shell|perot|contrast)$|(?:nano|micro|meta|quasi-?|ultra-?)\w+$")


def harmless(word: str) -> bool:
    """Whether a word, in lower case, leaves what a number is the number of as it is."""
    return (word in HARMLESS or word in STOPS or word in VERBS or bool(_ADVERB.fullmatch(word)) or bool(_SHAPE.fullmatch(word))
            or word.rstrip("s") in HARMLESS or ("-" in word and all(harmless(part) for part in word.split("-") if part)))
