"""The closed language of a Measured quantity's function: arithmetic on arrays, and nothing that reaches outside.

Standard library only. What is allowed is listed, so that a reader can see what a function can know: no import, no text,
no name of Python's own machinery, and of numbers only 0, 1/2, 1, 2 and 1j; any other is a declared parameter in `given`.
"""

from __future__ import annotations

import ast

from simkit.describe.syntax import parse

FUNCTIONS = (
    "abs",
    "all",
    "angle",
    "any",
    "arange",
    "arccos",
    "arcsin",
    "arctan",
    "arctan2",
    "argmax",
    "argmin",
    "argsort",
    "array",
    "clip",
    "concatenate",
    "conj",
    "convolve",
    "cos",
    "cosh",
    "cumsum",
    "diff",
    "dot",
    "exp",
    "flip",
    "gradient",
    "hypot",
    "imag",
    "interp",
    "isfinite",
    "log",
    "log10",
    "max",
    "maximum",
    "mean",
    "median",
    "min",
    "minimum",
    "nonzero",
    "ones_like",
    "polyfit",
    "polyval",
    "prod",
    "real",
    "sign",
    "sin",
    "sinh",
    "sort",
    "sqrt",
    "std",
    "sum",
    "tan",
    "tanh",
    "trapezoid",
    "unwrap",
    "where",
    "zeros_like",
)
CONSTANTS = ("pi", "inf", "nan")
PLAIN = (
    "abs",
    "all",
    "any",
    "enumerate",
    "float",
    "int",
    "len",
    "list",
    "max",
    "min",
    "range",
    "reversed",
    "sorted",
    "sum",
    "tuple",
    "zip",
)
OF_ARRAYS = (
    "x",
    "y",
    "real",
    "imag",
    "size",
    "sum",
    "max",
    "min",
    "mean",
    "argmax",
    "argmin",
    "copy",
    "conj",
)
NEUTRAL = (0, 0.5, 1, 2, 1j)
LONGEST = 3000  # characters
_KEYWORDS = ("axis", "left", "right")
_NODES = (
    ast.Module,
    ast.FunctionDef,
    ast.arguments,
    ast.arg,
    ast.Return,
    ast.Assign,
    ast.AugAssign,
    ast.For,
    ast.While,
    ast.If,
    ast.IfExp,
    ast.Pass,
    ast.Break,
    ast.Continue,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.Call,
    ast.keyword,
    ast.Attribute,
    ast.Subscript,
    ast.Slice,
    ast.Name,
    ast.Constant,
    ast.Tuple,
    ast.List,
    ast.ListComp,
    ast.GeneratorExp,
    ast.comprehension,
    ast.Lambda,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
    ast.expr_context,
)


def checked(code: str, arguments: int) -> str:
    """The function as it is printed: without comments, one layout. `arguments`: how many it is called with.

    Raises ValueError with line, what was found and what is allowed.
    """
    if len(code) > LONGEST:
        raise ValueError(
            f"the code has {len(code)} characters; at most {LONGEST}: what is longer nobody can read in a report"
        )
    try:
        tree = parse(code)
        text = ast.unparse(tree)
        parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"the code is no Python: {error}") from error
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if len(functions) != len(tree.body) or [f.name for f in functions].count("measure") != 1:
        raise ValueError(
            "the code is `def measure(...)`, with functions of its own before it where needed, and nothing else"
        )
    measure = next(f for f in functions if f.name == "measure")
    if len(measure.args.args) != arguments:
        raise ValueError(
            f"measure takes {arguments} argument(s), one for each of `of` and `given`, in their order; found "
            f"{len(measure.args.args)}"
        )
    known = {*PLAIN, *(f.name for f in functions), *_bound(tree)}
    for node in ast.walk(tree):
        fault = _fault(node, known)
        if fault:
            raise ValueError(f"line {getattr(node, 'lineno', 1)}: {fault}")
    return text


def _bound(tree: ast.Module) -> set[str]:
    """Names that the code gives values to."""
    return {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)} | {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _fault(node: ast.AST, known: set[str]) -> str:
    if not isinstance(node, _NODES):
        return f"{type(node).__name__} is not allowed: a measure is arithmetic, loops and conditions"
    if isinstance(node, ast.Constant):
        return _of_constant(node.value)
    if isinstance(node, ast.FunctionDef):
        plain = not (
            node.decorator_list
            or node.args.defaults
            or node.args.vararg
            or node.args.kwarg
            or node.args.kwonlyargs
            or node.args.posonlyargs
            or node.args.kw_defaults
        )
        return _of_name(node.name) or ("" if plain else "arguments are plain names, without defaults")
    if isinstance(node, ast.Lambda) and (
        node.args.defaults or node.args.vararg or node.args.kwarg or node.args.kwonlyargs
    ):
        return "arguments are plain names, without defaults"
    if isinstance(node, ast.arg):
        return _of_name(node.arg)
    if isinstance(node, ast.keyword):
        return (
            ""
            if node.arg in _KEYWORDS
            else f"argument {node.arg!r} is not allowed; of names: {', '.join(_KEYWORDS)}"
        )
    if isinstance(node, ast.Attribute):
        return _of_attribute(node)
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            return _of_name(node.id)
        return (
            ""
            if node.id in known or node.id == "np"
            else (f"{node.id!r} is unknown; allowed: np, {', '.join(PLAIN)}, and the measure's own names")
        )
    return ""


def _of_constant(value: object) -> str:
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, (int, float, complex)):
        return (
            ""
            if value in NEUTRAL
            else (
                f"undeclared number {value!r}: only 0, 1/2, 1, 2, 1j and np.pi may be typed; a value of the paper or an assumption "
                f"is a declared parameter: given=(p.k,), and an argument `k` of measure in the place of {value!r}"
            )
        )
    return "text is not allowed: a measure computes with numbers alone"


def _of_name(name: str) -> str:
    if name.startswith("_") or name == "np" or name in PLAIN:
        return f"the name {name!r} cannot be given a value"
    return ""


def _of_attribute(node: ast.Attribute) -> str:
    if not isinstance(node.ctx, ast.Load):
        return "what is measured cannot be changed"
    if isinstance(node.value, ast.Name) and node.value.id == "np":
        return (
            ""
            if node.attr in (*FUNCTIONS, *CONSTANTS)
            else (f"np.{node.attr} is not allowed; of numpy: {', '.join((*FUNCTIONS, *CONSTANTS))}")
        )
    return (
        ""
        if node.attr in OF_ARRAYS
        else f".{node.attr} is not allowed; of curves and arrays: {', '.join(OF_ARRAYS)}"
    )
