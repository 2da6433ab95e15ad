"""Static checks on generated simulation code: parsed, never run. What a run would only show after minutes.

The sandbox contains hostile code; these rules catch mistakes and give the code generator a line to repair.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from simkit.describe.syntax import parse
from tasks.reproduce.lint import physics_rules, programming
from tasks.reproduce.lint.finding import Finding
from tasks.reproduce.lint.syntax_tree import Source

MAX_CODE_BYTES = 400_000

_RULES: tuple[Callable[[Source], Iterator[Finding]], ...] = (
    programming.imports,
    programming.forbidden_calls,
    programming.files,
    programming.overrides,
    programming.skeleton,
    programming.endless,
    physics_rules.resolution,
    physics_rules.backward_modes,
    physics_rules.empty_modes,
    physics_rules.stops,
    physics_rules.boundaries,
)


def lint(
    code: str,
    *,
    expected_targets: Sequence[str] = (),
    known_materials: Sequence[str] = (),
    known_names: Mapping[str, Collection[str]] | None = None,
) -> list[Finding]:
    """Findings on `code`, blocking ones first, then by line.

    expected_targets: target ids the code must answer; each must occur in a text literal (or fit an f-string).
    known_materials: names that `run.medium(...)` may be asked for.
    known_names: module -> its public names, such as {"simkit": [...], "meep": [...]}; others are refused.
    """
    if len(code.encode("utf-8", "replace")) > MAX_CODE_BYTES:
        return [
            Finding(
                "size",
                "blocking",
                0,
                f"the code exceeds {MAX_CODE_BYTES} bytes",
                "write data to files instead",
            )
        ]
    try:
        source = Source(parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 0
        return [
            Finding(
                "syntax", "blocking", line, f"the code cannot be parsed: {error}", "return valid Python 3.11"
            )
        ]
    try:
        found = [finding for rule in _RULES for finding in rule(source)]
        found += physics_rules.targets(source, expected_targets)
        found += physics_rules.materials(source, known_materials)
        found += programming.unknown_names(source, known_names or {})
    except (
        ValueError,
        TypeError,
        ArithmeticError,
        RecursionError,
    ) as error:  # odd numbers, expressions hundreds deep
        return [
            Finding(
                "syntax",
                "blocking",
                0,
                f"the code cannot be looked at: {type(error).__name__}: {error}"[:600],
                "write it plainly: short expressions, numbers that a simulation can have",
            )
        ]
    return sorted(
        set(found), key=lambda item: (item.severity != "blocking", item.line, item.rule, item.message)
    )


def blocking(findings: Sequence[Finding]) -> list[Finding]:
    """Those that must be repaired before the code may run."""
    return [item for item in findings if item.severity == "blocking"]
