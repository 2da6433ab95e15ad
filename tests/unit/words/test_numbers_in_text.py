"""The one reader of numbers and units in text: every spelling is found with its value, and what is no number is left alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.redaction import WITHHELD, Secrets, withhold
from schemas.reproduce.words import written
from schemas.reproduce.words.same_number import rounding, same
from schemas.text.legible import legible
from schemas.text.numbers import Number, numbers_in
from schemas.text.unit_forms import unit_name

pytestmark = pytest.mark.unit
FEW = settings(max_examples=60, derandomize=True, database=None)
SECRETS = Secrets.of(
    [(720.7, "nm"), (1200.0, "1"), (60000.0, "1"), (12.5, "ps"), (0.873, "1")], [(45.0, "nm"), (0.15, "um")]
)


def told(text: str) -> list[tuple[float, str]]:
    return [(n.value, n.any_unit) for n in numbers_in(text) if n.standing != "hidden"]


SPELLINGS = [
    ("Q of 1,200", 1200, ""),
    ("a Q of 60 000", 60000, ""),
    ("60\u202f000", 60000, ""),
    ("60\u00a0000", 60000, ""),
    ("60'000", 60000, ""),
    ("6x10^4", 60000, ""),
    ("6 × 10⁴", 60000, ""),
    ("6·10^4", 60000, ""),
    ("6*10**4", 60000, ""),
    ("6e4", 60000, ""),
    ("6E+04", 60000, ""),
    (r"$6\times 10^{4}$", 60000, ""),
    ("6&times;10<sup>4</sup>", 60000, ""),
    ("6 times ten to the four", 60000, ""),
    ("6 times 10 to the power of 4", 60000, ""),
    ("0·873", 0.873, ""),
    ("1.2 × 10 4", 12000, ""),
    ("7.207 10^2 nm", 720.7, "nm"),
    ("10^4", 1e4, ""),
    ("4.1597e14 Hz", 4.1597e14, "Hz"),
    ("7.207 × 10⁻⁷ m", 7.207e-7, "m"),
    ("2.6137e15 rad/s", 2.6137e15, "rad/s"),
    ("2.6137e15 rad s⁻¹", 2.6137e15, "rad/s"),
    ("1.3875 1/um", 1.3875, "1/um"),
    ("1.3875 µm⁻¹", 1.3875, "1/um"),
    ("13875 cm^-1", 13875, "1/cm"),
    ("0.0125 ns", 0.0125, "ns"),
    ("150 MHz", 150, "MHz"),
    ("416 terahertz", 416, "THz"),
    ("1.72 electron volts", 1.72, "eV"),
    ("45°", 45, "deg"),
    ("45 degrees", 45, "deg"),
    ("3.7 per cent", 3.7, "%"),
    ("720.7 [nm]", 720.7, "nm"),
    ("720.7 (nm)", 720.7, "nm"),
    ("720,7 nm", 720.7, "nm"),
    ("0,873", 0.873, ""),
    ("7\u200b20.7\u2060 nm", 720.7, "nm"),
    ("7**20**.7 nm", 720.7, "nm"),
    ("<b>7</b>20.7 nm", 720.7, "nm"),
    (r"\SI{720.7}{\nano\metre}", 720.7, "nm"),
    (r"$7\mathbf{20}.7\,\mathrm{nm}$", 720.7, "nm"),
    ("７２０．７ nm", 720.7, "nm"),
    ("٧٢٠٫٧ nm", 720.7, "nm"),
    ("७२० nm", 720, "nm"),
    ("&#55;20.7&nbsp;nm", 720.7, "nm"),
    ("3½ nm", 3.5, "nm"),
    ("one hundred and twenty nm", 120, "nm"),
    ("a hundred nm", 100, "nm"),
    ("twelve thousand three hundred and four", 12304, ""),
    ("seven hundred and twenty point seven nanometres", 720.7, "nm"),
    ("three and a half micrometres", 3.5, "um"),
    ("two thirds of it", 2 / 3, ""),
    ("siebenhundertzwanzig Komma sieben nm", 720.7, "nm"),
    ("sept cent vingt nm", 720, "nm"),
    ("quatre-vingt-dix-sept nm", 97, "nm"),
    ("setecientos veinte nm", 720, "nm"),
    ("settecentoventi nm", 720, "nm"),
    ("setecentos e vinte nm", 720, "nm"),
    ("zevenhonderdtwintig nm", 720, "nm"),
    ("семьсот двадцать нм", 720, "nm"),
    ("七百二十纳米", 720, "nm"),
    ("七二〇 nm", 720, "nm"),
    ("DCCXX nm", 720, "nm"),
]


@pytest.mark.parametrize(("text", "value", "unit"), SPELLINGS)
def test_a_number_is_one_number_in_every_spelling(text, value, unit):
    assert told(text) == [(pytest.approx(value), unit)]
    assert told(f"It is said to be {text}, as shown.") == [(pytest.approx(value), unit)]


@pytest.mark.parametrize(
    "text",
    [
        "S11 and TE0 of fig1, Si3N4 on SiO2, film_720, x523.4, version 1.2.3, AZ5214, run n003",
        "I think that II and CD are names, MIX them",
        "once the due date is six-sided, per se, a cent, and seize the mil",
        "I, as one says, do",
        "n + k = m",
        "",
    ],
)
def test_names_and_pronouns_hold_no_amount(text):
    assert [n for n in numbers_in(text) if n.value > 12 and n.value != 600 and n.standing == "whole"] == []
    assert withhold(text, SECRETS) == text


@pytest.mark.parametrize(
    ("text", "standings"),
    [
        ("Ge-20nm", "part"),
        ("x^20", "part"),
        ("1/40", "part part hidden"),
        ("3D", "name"),
        ("2-port", "name"),
        ("10,15", "part part hidden"),
        ("R720.7 nm", "hidden"),
        ("7 2 0 nm", "whole whole whole hidden"),
        ("fifteen fifty nm", "whole whole hidden"),
        ("several hundred nm", "part"),
        ("1.550 um", "whole hidden"),
        ("45 ± 20.7 nm", "whole hidden"),
        ("layer 1 550 nm", "whole whole whole hidden"),
    ],
)
def test_what_is_no_whole_number_is_told_from_one(text, standings):
    assert [n.standing for n in numbers_in(text)] == standings.split()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("one hundred and twenty nm", [(120, 120, "nm")]),
        ("Q of 1,200", [(1200, 1200, "")]),
        ("six to seven nm", [(6, 6, "nm"), (6, 7, "nm"), (7, 7, "nm")]),
        ("Ge-20nm on Fig. 3, x^20, siebenhundertzwanzig nm, R720.7 nm, DCCXX nm", []),
        ("1550(5) nm", [(1550, 1550, "nm")]),
        ("in 2009, 45 nm", [(45, 45, "nm")]),
        ("4.1597e14 Hz", [(4.1597e14, 4.1597e14, "Hz")]),
        ("a film = 6 pixels of 0.015 um = thick", [(6, 6, ""), (0.015, 0.015, "um")]),
        ("The core gives 1.842, 3 % less, here", [(1.842, 1.842, ""), (3, 3, "%")]),
        ("an index of n_B 1.842, 20 pm below the other", [(1.842, 1.842, ""), (20, 20, "pm")]),
        ("widths of 10, 20 and 30 nm more", [(10, 10, "nm"), (20, 20, "nm"), (30, 30, "nm")]),
    ],
)
def test_a_quotation_states_what_stands_whole_and_nothing_else(text, found):
    assert sorted((n.low, n.high, n.unit) for n in written.numbers_in(text) if not n.label) == sorted(found)


@pytest.mark.parametrize(
    "words",
    [
        *(
            text
            for text, value, unit in SPELLINGS
            if (value, unit) in ((720.7, "nm"), (720, "nm"), (1200, ""), (60000, ""), (0.873, ""))
        ),
        "4.1597e14 Hz",
        "415.97 THz",
        "7.207e-7 m",
        "2.6137e15 rad/s",
        "1.3875 1/um",
        "8.718 1/um",
        "2.404 fs",
        "1.7204 eV",
        "2.7563e-19 J",
        "0.0125 ns",
        "1.25e-11 s",
        "872 ‰",
        "R720.7 nm",
        "7 2 0 . 7 nm",
        "7 20.7 nm",
        "frequency (THz): 416",
        "f/THz = 416",
        "a wavenumber of 13875",
        "1.2 thousand",
        "six times ten to the fourth",
        "six times 10 to the 4th power",
        "two times ten to the 12.5 ps",
        "ten to the power of twelve point five ps",
        "Q of 1.2 k",
        "1.2k",
        "60 k",
        "0.06 M",
        "sevenhundredtwenty nm",
        "seven two oh point seven",
        "seven twenty nm",
        "0 ± 720.7 nm",
        "7207/10 nm",
        "720·7 nm",
        "<!-- 720.7 nm --> 721 nm",
        "7<i title='3'>20.7</i> nm",
        "7<!-- 1 -->20.7 nm",
    ],
)
def test_a_result_is_kept_from_the_blind_in_every_spelling(words):
    hidden = withhold(f"expect {words} here", SECRETS)
    assert WITHHELD in hidden and not re.search(
        r"7\W*2\W*0|207|4\.1597|7204|7207|seven|sieben|sept\b|sete|семь|七|DCC|twenty", hidden
    )


@pytest.mark.parametrize(
    "words",
    [
        "45 nm",
        "4.5e-8 m",
        "0.045 µm",
        "four hundred and fifty Å",
        "forty-five nanometres",
        "4.5 10^-2 um",
        "XLV nm",
        "150 nm",
        "0,15 um",
        "1.5×10² nm",
        "0.150 um",
        "45.0(5) nm",
        "６×10 and two films at 90 degrees",
    ],
)
def test_a_declared_input_stays_visible_in_every_spelling(words):
    assert withhold(f"a film of {words}, see Fig. 2", SECRETS) == f"a film of {words}, see Fig. 2"


def test_a_cut_takes_the_markup_of_a_number_along_and_overlapping_readings_once():
    assert (
        withhold("at 7<b>20</b>.7 nm, 7\u200b2\u200b0 nm and 7 2 0.7 nm", SECRETS)
        == f"at {WITHHELD} nm, {WITHHELD} nm and {WITHHELD} nm"
    )


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((12.5, "ps"), (0.0125, "ns"), True),
        ((12.5, "ps"), (78.54, "ps"), False),
        ((45, "deg"), (0.785398, "rad"), True),
        ((37, "‰"), (3.7, "%"), True),
        ((720.7, "nm"), (45, "deg"), False),
        ((720.7, "nm"), (0.7207, ""), True),
        ((1, "1"), (1000, ""), False),
    ],
)
def test_numbers_are_the_same_in_units_of_one_dimension_only(one, other, expected):
    assert same(*one, *other, 1e-4) is expected and same(*other, *one, 1e-4) is expected


def test_units_are_named_as_plans_name_them_and_a_rounding_is_half_of_the_last_digit():
    assert [unit_name(u) for u in ("", "µm", "cm-1", "rad s^-1", "degrees", "per cent", "furlong")] == [
        "1",
        "um",
        "1/cm",
        "rad/s",
        "deg",
        "%",
        "furlong",
    ]
    assert [round(rounding(n), 5) for n in numbers_in("0.15, 7, seven, 720")] == [0.03226, 0, 0, 0.00069]


@dataclass(frozen=True)
class Spelled:
    value: float
    text: str


_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()


def said(n: int) -> str:
    if n < 20:
        return _ONES[n]
    if n < 100:
        return _TENS[n // 10] + (f"-{_ONES[n % 10]}" if n % 10 else "")
    if n < 1000:
        return f"{_ONES[n // 100]} hundred" + (f" and {said(n % 100)}" if n % 100 else "")
    return f"{said(n // 1000)} thousand" + (
        f" {'and ' if n % 1000 < 100 else ''}{said(n % 1000)}" if n % 1000 else ""
    )


@st.composite
def spelled(draw: st.DrawFn) -> Spelled:
    """A number of three to seven digits with up to three decimals, in one of the ways in which people write it."""
    whole = draw(st.integers(100, 9_999_999))
    decimals = draw(st.integers(0, 3))
    value = whole / 10**decimals
    text = f"{value:.{decimals}f}"
    way = draw(
        st.sampled_from(
            [
                "plain",
                "comma",
                "thin",
                "power",
                "superscript",
                "tex",
                "e",
                "wide",
                "broken",
                "bold",
                "html",
                "words",
            ]
        )
    )
    mantissa, exponent = f"{value:.6e}".split("e")
    power = int(exponent)
    if way == "words":
        n = whole % 1_000_000
        return Spelled(float(n), said(n))
    grouped = f"{value:,.{decimals}f}"
    if way == "power":
        return Spelled(
            float(f"{mantissa}e{power}"),
            f"{mantissa}{draw(st.sampled_from(['x', ' x ', '×', '·', ' ']))}10^{power}",
        )
    if way == "superscript":
        return Spelled(
            float(f"{mantissa}e{power}"),
            f"{mantissa} × 10{str(power).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}",
        )
    written_as = {
        "plain": text,
        "comma": grouped,
        "thin": grouped.replace(",", draw(st.sampled_from("\u2009\u202f\u00a0"))),
        "tex": rf"${mantissa}\times 10^{{{power}}}$",
        "e": f"{mantissa}e{power}",
        "wide": "".join(chr(ord(c) + 0xFEE0) for c in text),
        "broken": draw(st.sampled_from("\u200b\u2060\ufeff\u00ad")).join(text),
        "bold": f"{text[:1]}**{text[1:2]}**{text[2:]}",
        "html": f"{text[:1]}<b>{text[1:2]}</b>{text[2:]}",
    }[way]
    return Spelled(float(f"{mantissa}e{power}") if way in ("tex", "e") else value, written_as)


UNITS = {
    "nm": 720.7,
    "um": 0.7207,
    "THz": 415.97,
    "eV": 1.7204,
    "m": 7.207e-7,
    "Hz": 4.1597e14,
    "": 720.7,
    "%": 87.3,
    "ps": 12.5,
    "rad/s": 2.6137e15,
}


@FEW
@given(
    spelled(),
    st.sampled_from(["", " nm", " µm", "\u2009THz", " eV", " %", " kHz", " degrees"]),
    st.sampled_from(["is ", "(", "= ", ""]),
)
def test_any_number_in_any_spelling_is_found_with_its_value(number, unit, before):
    text = f"{before}{number.text}{unit}"
    found = [n for n in numbers_in(text) if n.standing == "whole"]
    assert [n.value for n in found] == [pytest.approx(number.value)], text
    assert found[0].unit == ("" if not unit else unit_name(unit.strip())), text


@FEW
@given(spelled(), st.sampled_from(["", " nm", " µm", " eV", " %"]))
def test_any_result_is_cut_from_any_spelling_and_stays_where_it_is_an_input(number, unit):
    name = unit_name(unit.strip()) if unit else ""
    text = f"expect {number.text}{unit} here"
    if number.value > 12 and (number.value, name) != (100, "%"):
        assert (
            withhold(text, Secrets.of([(number.value, name)], []))
            == f"expect {'$' * number.text.startswith('$')}{WITHHELD}"
            + text[text.index(number.text) + len(number.text) - (2 if number.text.startswith("$") else 0) :]
        ), text
    assert withhold(text, Secrets.of([(number.value * 3.3, name)], [(number.value, name)])) == text


@FEW
@given(st.text(alphabet=st.characters(exclude_categories=("Nd", "Nl", "No", "Cs")), max_size=80))
def test_text_without_numbers_is_left_alone(text):
    words = re.compile(r"(?i)[a-z\u00c0-\u04ff\u2e80-\uffef]{2,}")
    plain = words.sub("ab", text)
    assert numbers_in(plain) == () and withhold(plain, SECRETS) == plain


@FEW
@given(
    st.text(max_size=120)
    | st.text(alphabet="0123456789., -+×x^e·/()nmµ%°$\\{}*_<>b&;\u200b\u2009½²⁷一百sevntyhudri", max_size=60)
)
def test_any_text_is_read_and_every_number_stands_where_it_is_said_to(text):
    read = legible(text)
    assert len(read.text) == len(read.starts) == len(read.ends) and len(written.readable(text)) == len(text)
    found = numbers_in(text)
    assert all(0 <= n.start < n.end <= n.after <= len(text) and abs(n.value) < float("inf") for n in found)
    assert all(
        n.range_with is None or (n.range_with < len(found) and isinstance(found[n.range_with], Number))
        for n in found
    )
    withhold(text, SECRETS)
    written.numbers_in(text)


@FEW
@given(value=st.integers(1, 2000), error=st.integers(1, 40), gap=st.sampled_from(["", " "]))
def test_a_plus_minus_that_is_typed_reads_as_its_sign(value: int, error: int, gap: str) -> None:
    """ "+-3 nm" was read as -3 nm, which no target's own window holds."""
    assert told(f"{value}{gap}+-{gap}{error} nm") == told(f"{value}{gap}±{gap}{error} nm") == [(value, "nm")]
    assert (-error, "nm") not in told(f"within +-{error} nm") and (-error, "nm") in told(f"at -{error} nm")


_UNITS = {
    "micron": "um",
    "micrometre": "um",
    "nanometre": "nm",
    "nm": "nm",
    "millimetre": "mm",
    "percent": "%",
    "degree": "deg",
}
_SHARES = {"half": 2, "quarter": 4, "third": 3, "fifth": 5, "tenth": 10, "hundredth": 100}


@FEW
@given(
    part=st.sampled_from(sorted(_SHARES)),
    count=st.sampled_from(["", "a ", "one ", "two ", "three-", "nine "]),
    joint=st.sampled_from([" a ", " of a ", " of one "]),
    unit=st.sampled_from(sorted(_UNITS)),
    before=st.sampled_from(["a film of ", "", "Its width is about "]),
    after=st.sampled_from([".", " thick, 300 nm long", " and air above it"]),
)
def test_a_share_of_a_unit_is_one_number(
    part: str, count: str, joint: str, unit: str, before: str, after: str
) -> None:
    """A quarter of a micron, two thirds of a degree; an ordinal without a count is one only before "of"."""
    many = {"": 1, "a ": 1, "one ": 1, "two ": 2, "three-": 3, "nine ": 9}[count]
    words = f"{count}{part}{'s' * (many > 1 and part != 'half')}{joint}{unit}"
    if part not in ("half", "quarter") and joint == " a ":
        joint, words = " of a ", words.replace(" a " + unit, " of a " + unit)
    assume(not (many > 1 and part == "half"))
    wanted = [(many / _SHARES[part], _UNITS[unit])]
    if "300 nm" in after:
        wanted.append((300.0, "nm"))
    found = [(n.low, n.unit) for n in written.numbers_in(before + words + after)]
    assert found == [(pytest.approx(value), name) for value, name in wanted], before + words + after


@pytest.mark.parametrize(
    "words",
    [
        "half a wavelength",
        "a quarter-wave layer",
        "half a period",
        "half of the light",
        "a radius of half a.",
        "the first half of a micrometre",
        "the upper half of a micrometre-thick film",
        "the third micrometre",
        "half a metal",
        "a quarter of the lattice constant a",
    ],
)
def test_a_share_of_a_thing_is_no_number(words: str) -> None:
    assert [n for n in written.numbers_in(words) if not n.label] == []


def test_a_share_of_a_large_number_and_a_share_beside_a_count() -> None:
    assert [n.low for n in written.numbers_in("half a million photons")] == [5e5]
    assert [(n.low, n.unit) for n in written.numbers_in("two and a quarter microns")] == [(2.25, "um")]
    assert [(n.low, n.unit) for n in written.numbers_in("one and a half times the period")] == [(1.5, "")]


@pytest.mark.parametrize("text", ["grooves half as deep again", "a third as wide", "it is half as high"])
def test_a_comparison_is_no_attosecond(text: str) -> None:
    assert numbers_in(text) == ()


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("the slope is 1.34 nm per nanometre of shift", 1.34, "1"),
        ("it moves by 18.5 nm for every nanometre", 18.5, "1"),
        ("0.5 nm per degree", 0.5, "nm/deg"),
        ("2 dB per centimetre", 2, "dB/cm"),
        ("20 nm per step", 20, "nm"),
        ("10 nm per side", 10, "nm"),
        ("2 per cent of the light", 2, "%"),
    ],
)
def test_a_unit_is_counted_for_another_in_words(text: str, value: float, unit: str) -> None:
    assert [(n.value, n.unit) for n in numbers_in(text)] == [(value, unit)]


@FEW
@given(
    st.integers(20, 90),
    st.integers(1, 9),
    st.integers(2, 19),
    st.sampled_from(["at N =", "for N =", "(at n ="]),
)
def test_a_from_ends_at_its_own_to_and_not_at_where_it_begins(
    high: int, low: int, place: int, where: str
) -> None:
    """'falls from 34.6 nm at N = 2 to 7.01 nm at N = 4': 2 to 7.01 nm was read, and 7.01 nm 'is one end of a range'."""
    text = f"It falls from {high}.5 nm {where} {place} to {low}.25 nm beyond."
    found = {(n.low, n.high, n.unit, n.in_range) for n in written.numbers_in(text)}
    assert {(high + 0.5, high + 0.5, "nm", False), (low + 0.25, low + 0.25, "nm", False)} <= found
    assert (float(place), float(place), "", False) in found
    kept = written.numbers_in(f"It falls by {high}.5 nm at d = {place} to {place + low} nm.")
    assert any((n.low, n.high) == (place, place + low) for n in kept)
