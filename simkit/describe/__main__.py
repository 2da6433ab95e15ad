"""Run a description once: `python -m simkit.describe`, in the sandbox.

Reads describe.py and parameters.json in $SIMKIT_INPUTS; writes problem.json (the parametric document) or error.json
(what is wrong, in words) in $SIMKIT_OUTPUT. Nothing it writes is trusted: our process reads the document again.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import json
import os
import traceback
from pathlib import Path
from typing import Any

from pydantic import ValidationError

import simkit.describe as vocabulary
from simkit.describe.base import told
from simkit.describe.document import document
from simkit.describe.errors import DescriptionError
from simkit.describe.numbers import quotient
from simkit.describe.parameters import parameters_from
from simkit.describe.problem import Problem

WORDS = {name: getattr(vocabulary, name) for name in vocabulary.__all__}
PLAIN = (
    "range",
    "len",
    "enumerate",
    "zip",
    "tuple",
    "list",
    "dict",
    "reversed",
    "sum",
    "isinstance",
    "str",
    "int",
    "float",
    "bool",
    "abs",
    "round",
    "True",
    "False",
    "None",
    "ValueError",
    "map",
    "sorted",
)
_FILE, _QUOTIENT = "describe.py", "_quotient"


def main() -> None:
    """Describe once and write what came of it."""
    inputs, output = Path(os.environ["SIMKIT_INPUTS"]), Path(os.environ["SIMKIT_OUTPUT"])
    try:
        text = (inputs / _FILE).read_text(encoding="utf-8")
        entries = json.loads((inputs / "parameters.json").read_text(encoding="utf-8"))
        made = json.dumps(document(described(text, entries)))
    except Exception as error:  # noqa: BLE001  whatever generated code raises is told to its writer
        (output / "error.json").write_text(json.dumps({"error": explained(error)}), encoding="utf-8")
        return
    (output / "problem.json").write_text(made, encoding="utf-8")


def described(text: str, entries: list[Any]) -> Problem:
    """The problem that the code `text` describes for the declared parameters."""
    tree = ast.parse(text, _FILE)
    check_imports(tree)
    tree.body = [node for node in tree.body if not isinstance(node, (ast.Import, ast.ImportFrom))]
    tree = ast.fix_missing_locations(_Divided().visit(tree))
    allowed = {name: getattr(builtins, name) for name in PLAIN}
    space: dict[str, Any] = {**WORDS, "__builtins__": allowed, "__name__": "describe", _QUOTIENT: quotient}
    exec(compile(tree, _FILE, "exec"), space)  # noqa: S102  the sandbox is around us
    function = space.get("describe")
    if not callable(function):
        raise DescriptionError(
            "describe.py has no function describe(p); write `def describe(p): ... return Problem(...)`"
        )
    made = function(parameters_from(entries))
    if not isinstance(made, Problem):
        raise DescriptionError(
            f"describe(p) returned {type(made).__name__}; it returns a Problem(scenes=..., quantities=...)"
        )
    return made


class _Divided(ast.NodeTransformer):
    """Every quotient made by `quotient`: Python's own of 1.5 by a count would be a plain number, of which nobody knows the origin."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        made = ast.Call(ast.Name(_QUOTIENT, ast.Load()), [node.left, node.right], [])
        return ast.copy_location(made, node)


def check_imports(tree: ast.Module) -> None:
    """Raises DescriptionError for any import but the vocabulary's."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) or (
            isinstance(node, ast.ImportFrom) and node.module not in ("simkit.describe", "__future__")
        ):
            name = node.names[0].name if isinstance(node, ast.Import) else node.module
            raise DescriptionError(
                f"{_FILE}, line {node.lineno}: {name} cannot be imported; a description has "
                "`from simkit.describe import *` and nothing else"
            )
        if isinstance(node, ast.ImportFrom) and node.module == "simkit.describe":
            for alias in node.names:
                if alias.name != "*" and alias.name not in WORDS:
                    raise DescriptionError(f"{_FILE}, line {node.lineno}: " + _unknown(alias.name))


def explained(error: BaseException) -> str:
    """The error in words, with the line of the file it comes from."""
    if isinstance(error, SyntaxError):
        return f"{_FILE}, line {error.lineno}: {error.msg}"
    text = str(error)
    if isinstance(error, ValidationError):
        text = told(error, WORDS)
    elif isinstance(error, NameError) and getattr(error, "name", None):
        text = _unknown(str(error.name))
    elif isinstance(error, TypeError) and "positional argument" in text:
        text += "; arguments are given by name"
    elif not isinstance(error, (DescriptionError, ValueError)):
        text = f"{type(error).__name__}: {text}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == _FILE]
    if lines and not text.startswith(_FILE):
        text = f"{_FILE}, line {lines[-1]}: {text}"
    return text


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, [*WORDS, *PLAIN], 3, 0.5)
    return (
        f"{name!r} is no word of the vocabulary"
        + (f"; did you mean {' or '.join(near)}?" if near else ".")
        + f" Allowed: {', '.join(sorted(WORDS))}; of Python: {', '.join(PLAIN)}"
    )


if __name__ == "__main__":
    main()
