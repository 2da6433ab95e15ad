"""`make attack`: every test marked `attack` is one attack; the table says what was tried, what must hold, what happened.

    @pytest.mark.attack("paper folder", "refused with a reason")
    @pytest.mark.attack("degraded mode", "declared: the network can be used", declared=True)

A parametrised test is one attack for each case. declared: a weakness that is told to people (docs/security.md); the
test shows that it is as told.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

GROUPS = ("sandbox", "degraded mode", "paper folder", "answers", "outputs", "shown text", "secrets", "server", "parameters",
          "judgement")
_COLUMNS = (14, 74, 52)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--attack-table", action="store_true", help="print the table of attacks and their outcomes at the end")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "attack(group, expected, declared=False): an attack, and what must come of it")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        mark = item.get_closest_marker("attack")
        if mark is None:
            continue
        group, expected = mark.args
        if group not in GROUPS:
            raise pytest.UsageError(f"{item.nodeid}: attack group {group!r}; allowed: {', '.join(GROUPS)}")
        words = getattr(item, "originalname", item.name).removeprefix("test_").replace("_", " ")
        case = getattr(item, "callspec", None)
        said = f"{words}: {case.id}" if case is not None else words
        item.user_properties.append(("attack", (group, _plain(said), expected, bool(mark.kwargs.get("declared")))))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if not config.getoption("--attack-table"):
        return
    rows: dict[str, tuple[str, str, str, str]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            found = dict(getattr(report, "user_properties", ())).get("attack")
            if found is None or (report.when != "call" and report.passed):
                continue
            group, attack, expected, declared = found
            rows[report.nodeid] = (group, attack, expected, _outcome(report, declared))
    write = terminalreporter.write_line
    for row in (("group", "attack", "expected", "outcome"), *sorted(rows.values(), key=lambda row: GROUPS.index(row[0]))):
        write("  ".join(cell[:width].ljust(width) for cell, width in zip(row, _COLUMNS, strict=False)) + "  " + row[3])
    write("")
    for group in GROUPS:
        counts = Counter(row[3] for row in rows.values() if row[0] == group)
        if counts:
            write(f"{group}: {sum(counts.values())} attacks, " + ", ".join(f"{n} {what}" for what, n in counts.most_common()))
    total = Counter(row[3] for row in rows.values())
    write(f"\n{sum(total.values())} attacks: " + ", ".join(f"{count} {what}" for what, count in total.most_common()))


def _outcome(report: pytest.TestReport, declared: bool) -> str:
    if report.skipped:
        return "not tried here"
    return ("declared" if declared else "held") if report.passed else "CAME THROUGH"


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)
