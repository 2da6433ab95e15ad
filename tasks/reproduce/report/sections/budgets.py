"""What each difference is worth: E, its uncertainties and E_n in one table, and a budget for each target to unfold."""

from __future__ import annotations

from schemas.reproduce.judging.budget import NOT_KNOWN, SYMBOLS, Budget, Contribution, Side
from tasks.reproduce.report.document import Block, Cell, Facts, Fold, Paragraph, Table
from tasks.reproduce.report.sections.naming import target_cell
from tasks.reproduce.report.source import Source
from tasks.reproduce.report.text import NONE, num, number, quantity

SHOWN_ONLY = (
    "In the terms of ASME V&V 20, the GUM and ISO 13528, from what was kept; no verdict and no threshold reads it. Standard "
    "uncertainties u; U = 2 u. u_D is what digitising, digits and the paper's own words leave open: an error of its own that the "
    "paper does not state is not in it, so a difference that remains may be either's. Of a curve or map E is the size of its "
    "error and has no sign."
)
_SIDES = {"numerical": "simulation", "input": "inputs", "reference": "reference"}


def validation_blocks(source: Source) -> tuple[Block, ...]:
    """One line for each compared target."""
    rows = []
    for line, _ in source.compared:
        budget = source.budgets.get(line.target_id)
        if budget is None:
            rows.append(
                (
                    target_cell(line),
                    Cell(NONE),
                    Cell(NOT_KNOWN, number=True),
                    *(Cell(NOT_KNOWN) for _ in range(5)),
                    Cell("no budget was kept"),
                )
            )
            continue
        rows.append(
            (
                target_cell(line),
                Cell(budget.unit),
                _size(budget.error),
                *(Cell(_standard(budget, side, "")) for side in SYMBOLS),
                Cell(_at_least(budget.u_val, budget.known(), "")),
                Cell(_e_n(budget)),
                Cell(budget.conclusion),
            )
        )
    columns = ("Target", "Unit", "E = S - D", *SYMBOLS.values(), "u_val", "E_n", "In words")
    table = Table(columns, tuple(rows), "What each difference is worth", empty="No target was compared.")
    return (table, Paragraph(SHOWN_ONLY)) if rows else ()


def budget_fold(source: Source, target_id: str) -> Fold | Paragraph:
    """The uncertainty budget of one target."""
    budget = source.budgets.get(target_id)
    if budget is None:
        return Paragraph("No uncertainty budget was kept: there was no value or no reference.")
    return Fold(
        f"Uncertainty budget of {target_id}",
        (_totals(budget), Paragraph(budget.conclusion), Paragraph(budget.stated_as), _rows(budget)),
    )


def _totals(budget: Budget) -> Facts:
    def known(value: float | None) -> Cell:
        return Cell(quantity(value, budget.unit, 3) if value is not None else NOT_KNOWN)

    sides = (
        (("S, simulated", Cell(quantity(budget.simulated, budget.unit, 6))),)
        + (("D, reference", Cell(quantity(budget.reference, budget.unit, 6))),)
        if budget.of == "value"
        else ()
    )
    order = "none" if budget.observed_order is None else number(budget.observed_order, 3)
    return Facts(
        (
            *sides,
            ("E = S - D" if budget.of == "value" else "E, size of the error", known(budget.error)),
            *((symbol, Cell(_standard(budget, side, budget.unit))) for side, symbol in SYMBOLS.items()),
            (
                "u_val = sqrt(u_num² + u_input² + u_D²)",
                Cell(_at_least(budget.u_val, budget.known(), budget.unit)),
            ),
            ("U_S = 2 sqrt(u_num² + u_input²)", known(budget.expanded_simulation)),
            ("U_D = 2 u_D", known(budget.expanded_reference)),
            ("E_n = E / sqrt(U_S² + U_D²)", Cell(_e_n(budget))),
            ("Numerical uncertainty as stated", known(budget.stated)),
            ("Observed order of convergence", Cell(order)),
        )
    )


def _rows(budget: Budget) -> Table:
    rows = tuple(
        (
            Cell(entry.source, code=entry.side == "input"),
            Cell(_SIDES[entry.side]),
            _size(entry.stated),
            Cell(entry.coverage if entry.stated is not None else NONE),
            Cell(entry.evaluation),
            _sensitivity(entry),
            _size(entry.standard),
            Cell("; ".join(text for text in (entry.varied, entry.how) if text) or NONE),
        )
        for entry in budget.contributions
    )
    total = (
        Cell("u_val"),
        Cell(""),
        Cell("", number=True),
        *(Cell(""), Cell("")),
        Cell("", number=True),
        Cell(_at_least(budget.u_val, budget.known(), ""), number=True),
        Cell("simulation: added as they are, fits in quadrature; the rest in quadrature"),
    )
    unit = "" if budget.unit in ("", "1") else f", {budget.unit}"
    return Table(
        ("Source", "Side", f"Stated{unit}", "As", "Type", "Sensitivity", f"u{unit}", "From"),
        (*rows, total),
        "A bound divided by √3, an expanded uncertainty (k = 2) by 2; type B throughout, nothing here is observed repeatedly",
    )


def _size(value: float | None) -> Cell:
    return Cell(number(value, 3) if value is not None else NOT_KNOWN, number=True)


def _sensitivity(entry: Contribution) -> Cell:
    """Of an input the size of its slope; everything else is an error of the value itself."""
    return num(entry.sensitivity, 3) if entry.side == "input" else Cell("1", number=True)


def _standard(budget: Budget, side: Side, unit: str) -> str:
    return _at_least(budget.standard(side), budget.known(side), unit)


def _at_least(found: float | None, least: float, unit: str) -> str:
    if found is not None:
        return quantity(found, unit, 3)
    return f"{NOT_KNOWN}, at least {quantity(least, unit, 3)}" if least > 0 else NOT_KNOWN


def _e_n(budget: Budget) -> str:
    if budget.e_n is not None:
        return number(budget.e_n, 3)
    most = budget.e_n_at_most if budget.missing else None
    return NOT_KNOWN if most is None else f"{NOT_KNOWN}, at most {number(most, 3)} in size"
