"""Quoted parameters: number and unit stand together in the quotation, and the quotation stands in the paper."""

from __future__ import annotations

from collections.abc import Callable

from simkit.describe.parameters import Parameter, Parameters

# units that papers spell in ways of their own: what may follow the number, in normal form
_FIELDS = (
    "V/um",
    "V/m",
    "pm/V",
    "um/V",
    "m^2/V^2",
    "um^2/V^2",
    "W/m^2",
    "W/cm^2",
    "MW/cm^2",
    "GW/cm^2",
    "TW/cm^2",
    "m^2/W",
    "cm^2/W",
)
_SPELLED = {
    **{unit: (unit.lower(), unit.lower().replace("^", "")) for unit in _FIELDS},
    "ohm": ("ω", "ohm"),
    "um^3": ("um3", "um^3"),
    "a/c": ("a/c", "(a/c)"),
    "2pi/a": ("2pi/a", "(2pi/a)", "2π/a", "(2π/a)"),
}
InputFault = Callable[[float, str, str, str], str]
Follows = Callable[[float, str, str], tuple[str, ...]]


def quotation_faults(
    parameters: Parameters, text: str, input_fault: InputFault, follows: Follows
) -> tuple[str, ...]:
    """What is wrong with the quotations of the parameters that the paper is said to state, in words; () if nothing.

    input_fault(value, unit, quotation, text): why the words do not state the number with its unit (quoting.py of agents).
    follows(value, quotation, text): what stands behind the number, in normal form, for units of rare spelling.
    """
    faults = [
        (item, _fault(item, text, input_fault, follows))
        for item in parameters.items().values()
        if item.origin == "paper" and item.value is not None
    ]
    return tuple(f"parameter {item.id}: {fault}" for item, fault in faults if fault)


def _fault(item: Parameter, text: str, input_fault: InputFault, follows: Follows) -> str:
    assert item.value is not None
    if item.unit not in _SPELLED:
        return input_fault(item.value, item.unit, item.quotation, text)
    if any(
        said.lstrip("-0123456789.,").startswith(_SPELLED[item.unit])
        for said in follows(item.value, item.quotation, text)
    ):
        return ""
    return (
        f"{item.value:g} {item.unit} does not stand in its quotation {item.quotation[:160]!r} as a whole number with its "
        "unit, or these are no words of the paper"
    )
