"""`make attack`: every test marked `attack` is one attack; the table says what was tried, what must hold, what happened.

    @pytest.mark.attack("paper folder", "refused with a reason")
    @pytest.mark.attack("degraded mode", "declared: the network can be used", declared=True)

A parametrised test is one attack for each case. declared: a weakness that is told to people (docs/reference/security.md); the
test shows that it is as told.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import pytest

GROUPS = (
    "sandbox",
    "degraded mode",
    "paper folder",
    "answers",
    "outputs",
    "shown text",
    "secrets",
    "server",
    "parameters",
    "judgement",
)
_COLUMNS = (14, 74, 52)
AT_LEAST = 120


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--attack-table", action="store_true", help="print the table of attacks and their outcomes at the end"
    )
    parser.addoption("--attack-all", action="store_true", help="exit with 1 if a group of attacks is missing")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "attack(group, expected, declared=False): an attack, and what must come of it"
    )


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
        item.user_properties.append(
            ("attack", (group, _plain(said), expected, bool(mark.kwargs.get("declared"))))
        )


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The exit code is 1 if an attack is neither held nor declared; of the whole list also if there are too few."""
    config = session.config
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if config.getoption("--attack-table") and reporter is not None and not hasattr(config, "workerinput"):
        rows = _rows(reporter)
        missing = _too_few(rows) if config.getoption("--attack-all") else ""
        if missing or any(row.outcome not in ("held", "declared") for row in rows):
            session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if not config.getoption("--attack-table"):
        return
    rows, write = _rows(terminalreporter), terminalreporter.write_line
    for row in (Row("group", "attack", "expected", "outcome"), *rows):
        write(
            "  ".join(cell[:width].ljust(width) for cell, width in zip(row, _COLUMNS, strict=False))
            + "  "
            + row.outcome
        )
    declared = [row for row in rows if row.outcome == "declared"]
    for title, chosen in (
        (
            "Declared: weaknesses that are told to people (docs/reference/security.md), and are as told",
            declared,
        ),
        ("NEITHER HELD NOR DECLARED", [row for row in rows if row.outcome not in ("held", "declared")]),
    ):
        write(f"\n{title}:" if chosen else f"\n{title}: none")
        for row in chosen:
            write(
                f"  {row.group}: {row.attack}: {row.expected}"
                + (f" [{row.outcome}]" if row not in declared else "")
            )
    write("")
    for group in GROUPS:
        if counts := Counter(row.outcome for row in rows if row.group == group):
            write(
                f"{group}: {sum(counts.values())} attacks, "
                + ", ".join(f"{n} {what}" for what, n in counts.most_common())
            )
    total = Counter(row.outcome for row in rows)
    write(f"\n{len(rows)} attacks: " + ", ".join(f"{count} {what}" for what, count in total.most_common()))
    if config.getoption("--attack-all") and (missing := _too_few(rows)):
        write(f"NOT THE WHOLE LIST: {missing}")


class Row(NamedTuple):
    """One attack and what came of it: held, declared, CAME THROUGH, COULD NOT BE TRIED, not tried here."""

    group: str
    attack: str
    expected: str
    outcome: str


def _rows(reporter: Any) -> list[Row]:
    rows: dict[str, Row] = {}
    for reports in reporter.stats.values():
        for report in reports:
            found = dict(getattr(report, "user_properties", ())).get("attack")
            if found is None or (report.when != "call" and report.passed):
                continue
            group, attack, expected, declared = found
            rows[report.nodeid] = Row(group, attack, expected, _outcome(report, declared))
    return sorted(rows.values(), key=lambda row: GROUPS.index(row.group))


def _too_few(rows: list[Row]) -> str:
    """What the whole list lacks; '' if nothing."""
    missing = [group for group in GROUPS if not any(row.group == group for row in rows)]
    few = f"{len(rows)} attacks where at least {AT_LEAST} are known" if len(rows) < AT_LEAST else ""
    return "; ".join(filter(None, (f"no attack of {', '.join(missing)}" if missing else "", few)))


def _outcome(report: pytest.TestReport, declared: bool) -> str:
    if report.skipped:
        return "not tried here"
    if report.failed and report.when != "call":
        return "COULD NOT BE TRIED"
    return ("declared" if declared else "held") if report.passed else "CAME THROUGH"


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)
