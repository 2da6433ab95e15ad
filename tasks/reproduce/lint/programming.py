"""Rules on the program: what it may use, that it hands results over, that it ends."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from tasks.reproduce.lint.finding import Finding
from tasks.reproduce.lint.syntax_tree import Source, closest, is_path_escape

ALLOWED_IMPORTS = (
    "__future__",
    "cmath",
    "collections",
    "dataclasses",
    "functools",
    "itertools",
    "json",
    "math",
    "matplotlib",
    "meep",
    "numpy",
    "scipy",
    "simkit",
    "time",
    "typing",
)
TOLERATED_IMPORTS = (
    "abc",
    "contextlib",
    "copy",
    "csv",
    "enum",
    "fractions",
    "operator",
    "pathlib",
    "random",
    "re",
    "statistics",
    "string",
    "sys",
    "textwrap",
    "warnings",
)
_OWN_LIMITS = ("signal", "resource")
_PROCESS_MODULES = (
    "subprocess",
    "socket",
    "ctypes",
    "multiprocessing",
    "threading",
    "importlib",
    "os",
    "shutil",
)

SIMULATING = (
    "Simulation",
    "ModeSolver",
    "planewave_rt",
    "grating_rt",
    "scattering_box_2d",
    "resonances",
    "bloch_modes",
)
"""Names of calls that run a simulation: Meep's own and simkit's helpers."""

_FILE_CALLS = (
    "open",
    "savefig",
    "save",
    "savez",
    "savez_compressed",
    "savetxt",
    "load",
    "loadtxt",
    "genfromtxt",
    "fromfile",
    "tofile",
    "imsave",
    "imread",
    "Path",
    "memmap",
)
_HARNESS_FILES = ("results.json", "progress.jsonl")


def imports(source: Source) -> Iterator[Finding]:
    for line, module in source.imported:
        top = module.split(".")[0]
        if top in _OWN_LIMITS:
            yield Finding(
                "own-limits",
                "blocking",
                line,
                f"imports {top}: a program may not change its own limits",
                "remove it; time and memory are limited from outside",
            )
        elif module.startswith("meep.materials"):
            yield Finding(
                "library-materials",
                "warning",
                line,
                "meep.materials differs from the tables it names (Au 16 %, Ag 20 %, Cr 55 %) and some "
                "entries are unstable",
                "use run.medium(name), fitted to the confirmed table",
            )
        elif top in TOLERATED_IMPORTS:
            yield Finding(
                "import",
                "warning",
                line,
                f"imports {top}, which a simulation should not need",
                "simkit reads parameters and writes files",
            )
        elif top not in ALLOWED_IMPORTS:
            rule = "process" if top in _PROCESS_MODULES else "import"
            yield Finding(
                rule,
                "blocking",
                line,
                f"imports {module or 'relatively'}, which is not available",
                f"use only {', '.join(ALLOWED_IMPORTS)}",
            )


def forbidden_calls(source: Source) -> Iterator[Finding]:
    for call, name in source.calls:
        if name in ("exec", "eval", "compile", "__import__"):
            yield Finding("dynamic-code", "blocking", call.lineno, f"calls {name}()", "write the code out")
        elif name in ("input", "breakpoint") or name.endswith(("pyplot.show", "pyplot.pause")):
            yield Finding(
                "waits",
                "blocking",
                call.lineno,
                f"{name}() waits for a person",
                "save the picture: run.picture(...)",
            )
        elif name == "time.sleep":
            yield Finding(
                "waits", "blocking", call.lineno, "time.sleep() wastes the time budget", "remove it"
            )
        elif name.startswith("os.") or ".os." in name:
            yield Finding(
                "process",
                "blocking",
                call.lineno,
                f"calls {name}()",
                "a simulation starts nothing and moves no file",
            )
        if any(keyword.arg == "allow_pickle" and _true(keyword.value) for keyword in call.keywords):
            yield Finding(
                "pickle",
                "blocking",
                call.lineno,
                "loads or saves pickles",
                "plain arrays only, allow_pickle=False",
            )


def _true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and bool(node.value)


def files(source: Source) -> Iterator[Finding]:
    for call, name in source.calls:
        last = name.rpartition(".")[2]
        values = [
            *call.args[:1],
            *(item.value for item in call.keywords if item.arg in ("file", "fname", "filename")),
        ]
        for value in values if last in _FILE_CALLS else ():
            if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
                continue
            if value.value in _HARNESS_FILES:
                yield Finding(
                    "manifest",
                    "blocking",
                    call.lineno,
                    f"touches {value.value}, which simkit alone writes",
                    "hand results over with run.spectrum, run.scalar, run.bands, run.field and run.finish()",
                )
            elif is_path_escape(value.value):
                yield Finding(
                    "path",
                    "blocking",
                    call.lineno,
                    f"{last}() is given the path {value.value!r}",
                    "plain file names; the current directory is the work directory, inputs come through run",
                )


def overrides(source: Source) -> Iterator[Finding]:
    for line, target in source.assigned:
        if "time_limit" in target:
            yield Finding(
                "own-limits",
                "blocking",
                line,
                f"assigns {target}: a program may not change its own limits",
                "remove it",
            )
        elif target.split(".")[0] in ("meep", "simkit") and "." in target:
            yield Finding(
                "patching",
                "blocking",
                line,
                f"replaces {target}, which simkit relies on to guard the run",
                "remove it",
            )


def skeleton(source: Source) -> Iterator[Finding]:
    last_names = {name.rpartition(".")[2] for _, name in source.calls}
    if not last_names & set(SIMULATING):
        yield Finding(
            "nothing-simulated",
            "blocking",
            0,
            "no Meep or MPB simulation is created: nothing is simulated",
            "compute the targets with mp.Simulation, mpb.ModeSolver or a simkit helper; closed formulas and "
            "copied numbers are no reproduction",
        )
    if "finish" not in last_names:
        yield Finding(
            "never-finished",
            "blocking",
            0,
            "run.finish() is never called, so the results stay incomplete",
            "call run.finish() last",
        )
    if not any(name in ("simkit.start", "start") for _, name in source.calls):
        yield Finding(
            "never-started",
            "blocking",
            0,
            "simkit.start() is never called, so parameters, limits and guards are missing",
            "begin with: import simkit as sk; run = sk.start()",
        )


def endless(source: Source) -> Iterator[Finding]:
    for node in source.nodes(ast.While):
        leaves = any(isinstance(part, (ast.Break, ast.Return, ast.Raise)) for part in ast.walk(node))
        if _true(node.test) and not leaves:
            yield Finding(
                "endless", "blocking", node.lineno, "a loop without an end", "bound the number of rounds"
            )


def unknown_names(source: Source, known: Mapping[str, Collection[str]]) -> Iterator[Finding]:
    for line, name in source.attributes:
        module, _, last = name.rpartition(".")
        if module in known and last not in known[module] and last != "*" and name not in known:
            hint = closest(last, sorted(known[module]))
            yield Finding(
                "unknown-name",
                "blocking",
                line,
                f"{module} has no {last!r}",
                f"use a name that {module} has{hint}",
            )
