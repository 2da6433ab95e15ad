"""Rules on the simulation: grid, modes, stopping, boundaries, targets, materials.

Sources: Meep's documentation and its issues 1773 and 2328 (backward mode coefficients), and measurements with
Meep 1.25.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tasks.reproduce.lint.finding import Finding
from tasks.reproduce.lint.syntax_tree import Source, closest, is_number


def resolution(source: Source) -> Iterator[Finding]:
    for call, name in source.calls:
        for keyword in call.keywords:
            if keyword.arg == "resolution" and source.is_fixed(keyword.value):
                yield Finding(
                    "fixed-resolution",
                    "warning",
                    call.lineno,
                    f"{name.rpartition('.')[2]}() gets a fixed resolution: a convergence run would repeat "
                    "the same grid",
                    "resolution=run.resolution(base)",
                )


def backward_modes(source: Source) -> Iterator[Finding]:
    for node in source.nodes(ast.Subscript):
        index = node.slice.elts[-1] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
        alpha = isinstance(node.value, ast.Attribute) and node.value.attr == "alpha"
        if alpha and isinstance(index, ast.Constant) and index.value == 1:
            yield Finding(
                "backward-mode",
                "warning",
                node.lineno,
                "reads the backward coefficient alpha[..., 1], which is wrong by cos^2(2 pi/N) with N pixels "
                "a wavelength",
                "take reflectance from flux with load_minus_flux_data, or give kpoint_func "
                "along the true direction",
            )


def empty_modes(source: Source) -> Iterator[Finding]:
    def mentions(node: ast.AST) -> bool:
        return any(isinstance(part, ast.Attribute) and part.attr == "modes" for part in ast.walk(node))

    tests = [node.test for node in source.nodes(ast.If)] + [node.test for node in source.nodes(ast.IfExp)]
    if any(map(mentions, tests)):
        return
    for call, name in source.calls:
        unguarded = not any(keyword.arg == "default" for keyword in call.keywords)
        if name in ("max", "min") and unguarded and call.args and mentions(call.args[0]):
            yield Finding(
                "empty-modes",
                "warning",
                call.lineno,
                f"{name}() of Harminv's modes fails when none is found",
                "use sk.resonances(...), or test the list first",
            )


def stops(source: Source) -> Iterator[Finding]:
    runs = [call for call, name in source.calls if name.endswith(".run") and _stop(call) is not None]
    if runs and all(source.is_fixed(stop) for stop in map(_stop, runs) if stop is not None):
        yield Finding(
            "fixed-stop",
            "warning",
            runs[0].lineno,
            "every run stops after a fixed time, whether or not the fields have decayed",
            "until_after_sources=sk.stop_when_decayed(...), or state why the time "
            "suffices: about 10 Q/(pi f)",
        )


def _stop(call: ast.Call) -> ast.expr | None:
    return next((item.value for item in call.keywords if item.arg in ("until", "until_after_sources")), None)


def boundaries(source: Source) -> Iterator[Finding]:
    for call, name in source.calls:
        thickness = call.args[:1] or [item.value for item in call.keywords if item.arg == "thickness"]
        last = name.rpartition(".")[2]
        if (
            last in ("PML", "Absorber")
            and thickness
            and is_number(thickness[0])
            and _value(thickness[0]) <= 0
        ):
            yield Finding(
                "pml",
                "blocking",
                call.lineno,
                f"{last} of thickness {_value(thickness[0]):g}",
                "at least half the longest wavelength",
            )


def _value(node: ast.expr) -> float:
    return float(ast.literal_eval(node))


def targets(source: Source, expected: Sequence[str]) -> Iterator[Finding]:
    for target in expected:
        if not source.names(target):
            yield Finding(
                "missing-target",
                "blocking",
                0,
                f"the target {target!r} is never named, so nothing answers it",
                f"hand its dataset over with targets={{column: {target!r}}}",
            )


def materials(source: Source, known: Sequence[str]) -> Iterator[Finding]:
    for call, name in source.calls:
        asked = call.args[0] if call.args else None
        if not name.endswith((".medium", ".epsilon")) or not isinstance(asked, ast.Constant):
            continue
        if isinstance(asked.value, str) and asked.value not in known:
            hint = closest(asked.value, known)
            yield Finding(
                "unknown-material",
                "blocking",
                call.lineno,
                f"asks for the material {asked.value!r}",
                f"known materials: {', '.join(sorted(known)) or 'none'}{hint}",
            )
