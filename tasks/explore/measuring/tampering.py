"""What no candidate needs: a measure program may import the candidate into its own process, where code can reach its clock.

These are the plain ways only. A program that computes its tricks, or hides them in a compiled library, is not found here;
a measure program that starts the candidate as a process of its own closes most of them (docs/guide/explore-search.md).
"""

from __future__ import annotations

import ast
import re
from hashlib import sha256
from pathlib import Path

from schemas.reading.beneath import Unopened, read_below
from simkit.describe.syntax import parse
from tasks.explore.measuring.reading import FILE_NAME
from tasks.explore.nodes.node_files import is_source, regular_files

_MAX_BYTES = 1_000_000
_WATCHED = frozenset(
    ("time", "timeit", "json", "os", "sys", "io", "builtins", "math", "statistics", "runpy", "hashlib")
)
_CALLS = {
    ("os", "_exit"),
    ("os", "abort"),
    ("sys", "_getframe"),
    ("gc", "get_objects"),
    ("gc", "get_referrers"),
    ("inspect", "stack"),
    ("inspect", "currentframe"),
}
_MODULES = frozenset(("__main__", "measure"))
# a script of the agent's own may well write such a file when it tries things; beside the running program only these can
_BESIDE = re.compile(
    r"\b(?:threading|_thread|atexit|signal|subprocess|multiprocessing|concurrent|ctypes|fork|popen|system)\b"
)
_SCRIPT = re.compile(r"\.(?:sh|bash|ya?ml|toml|ini|cfg|mk)$|(?:^|/)Makefile$")


def tampering(candidate: Path, allowed: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """What a candidate's sources hold that reaches for the harness, one sentence each; empty when nothing was found.

    allowed: sha256 of files that may (a copy of the measure program itself).
    """
    found: list[str] = []
    for path in regular_files(candidate):
        if not is_source(path) or path.endswith(".md"):
            continue
        try:
            raw = read_below(candidate, path, _MAX_BYTES)
        except Unopened:
            continue
        if sha256(raw).hexdigest() in allowed:
            continue
        text = raw.decode("utf-8", "replace")
        reasons = _python(text) if path.endswith(".py") else []
        if (
            FILE_NAME in text
            and not _SCRIPT.search(path)
            and (not path.endswith(".py") or _BESIDE.search(text))
        ):
            reasons.append(
                f"names {FILE_NAME}, which only the measure program writes, and can do so beside it"
            )
        found += [f"{path} {reason}" for reason in dict.fromkeys(reasons)]
    return tuple(found[:20])


def _python(text: str) -> list[str]:
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    reasons: list[str] = []
    names = _imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
            targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [node.target]
            reasons += [
                f"changes {module}.{name}" for target in targets for module, name in _attribute(target, names)
            ]
        elif isinstance(node, ast.Call):
            reasons += _call(node, names)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            modules = (
                [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            )
            reasons += [f"imports {module}" for module in modules if module in _MODULES]
    return reasons


def _imported(tree: ast.AST) -> dict[str, str]:
    """Local name -> module, for `import time as t`."""
    return {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }


def _attribute(target: ast.expr, names: dict[str, str]) -> list[tuple[str, str]]:
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        module = names.get(target.value.id, "")
        if module in _WATCHED and not (module == "sys" and target.attr in ("path", "dont_write_bytecode")):
            return [(module, target.attr)]
    if isinstance(target, ast.Subscript):  # sys.modules["time"] = ...
        return [found for found in _attribute(target.value, names) if found == ("sys", "modules")]
    if isinstance(target, (ast.Tuple, ast.List)):
        return [found for item in target.elts for found in _attribute(item, names)]
    return []


def _call(node: ast.Call, names: dict[str, str]) -> list[str]:
    function = node.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        module = names.get(function.value.id, "")
        if (module, function.attr) in _CALLS:
            return [f"calls {module}.{function.attr}"]
    if (
        isinstance(function, ast.Name)
        and function.id in ("setattr", "delattr")
        and node.args
        and isinstance(node.args[0], ast.Name)
        and names.get(node.args[0].id, "") in _WATCHED
    ):
        return [f"changes an attribute of {names[node.args[0].id]}"]
    return []
