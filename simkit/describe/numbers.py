"""Numbers that remember how they were made: every number of a description is an expression of declared parameters.

A number also knows its power of length, so that a length that was typed as a pure number cannot be added to one that
was declared, and Maxwell's freedom of scale holds by construction.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar, cast

from simkit.describe.errors import BranchOnValue, DescriptionError, MixedUnits, UndeclaredNumber
from simkit.describe.syntax import again

Walked = TypeVar("Walked")
NEUTRAL = (0.0, 0.5, 1.0, 2.0)
_TWOS = {4.0: "(2 * 2)", 8.0: "((2 * 2) * 2)", 0.25: "((1 / 2) / 2)", 0.125: "(((1 / 2) / 2) / 2)"}
LONGEST = 6000  # characters of an expression
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "exp": math.exp,
    "log": math.log,
}
_INFINITE = ("inf", "(-inf)", "-inf")
TWO = {"maximum": max, "minimum": min}
_OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def _real(value: Any, expression: str) -> float:
    """A value that may be a number here. Raises UndeclaredNumber, which is a ValueError."""
    if isinstance(value, complex) or value != value:
        raise UndeclaredNumber(
            f"{expression[:200]} is {'complex' if isinstance(value, complex) else 'no number (NaN)'}; every "
            "number is finite and real"
        )
    if math.isinf(value) and expression not in _INFINITE:
        raise UndeclaredNumber(
            f"{expression[:200]} is infinite; every number is finite, only a bound of a body is inf or -inf"
        )
    return float(value)


class Number(float):
    """A value in base units with the expression it came from and its power of length.

    float(), int() and round() lose the expression: what they return is refused where a declared number is needed.
    """

    expression: str
    power: float

    def __new__(cls, value: float, expression: str, power: float = 0) -> Number:
        """Raises UndeclaredNumber for what is no finite real number; infinity is a bound, written as `inf` or `-inf` alone."""
        self = super().__new__(cls, _real(value, expression))
        self.expression, self.power = expression, power
        return self

    def __add__(self, other: Any) -> Number:
        return _sum(self, other, "+")

    def __radd__(self, other: Any) -> Number:
        return _sum(other, self, "+")

    def __sub__(self, other: Any) -> Number:
        return _sum(self, other, "-")

    def __rsub__(self, other: Any) -> Number:
        return _sum(other, self, "-")

    def __mul__(self, other: Any) -> Number:
        a, b = lift(self), _factor(other)
        return Number(float(a) * float(b), f"({a.expression} * {b.expression})", a.power + b.power)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Number:
        return _quotient(self, other)

    def __rtruediv__(self, other: Any) -> Number:
        return _quotient(other, self)

    def __pow__(self, other: Any, modulo: Any = None) -> Number:
        a, b = lift(self), lift(other)
        if b.power or (a.power and names(b.expression)):
            raise MixedUnits(
                f"{a.expression} ** {b.expression}: the exponent must be a pure number, and a neutral one "
                "where the base has a unit"
            )
        expression = f"({a.expression} ** {b.expression})"
        try:
            return Number(float(a) ** float(b), expression, a.power * float(b))
        except ArithmeticError as error:
            raise UndeclaredNumber(f"{expression[:200]} is not defined: {error}") from error

    def __rpow__(self, other: Any, modulo: Any = None) -> Number:
        return lift(other).__pow__(self)

    def __neg__(self) -> Number:
        return Number(-float(self), f"(-{self.expression})", self.power)

    def __pos__(self) -> Number:
        return self

    def __abs__(self) -> Number:
        if names(self.expression):
            raise BranchOnValue(
                f"abs({self.expression}) hides a decision; write the positive difference itself"
            )
        return -self if float(self) < 0 else self

    def _branch(self, other: Any) -> tuple[float, float]:
        """Both sides of a comparison, which no variant changes: numbers of loops over counts."""
        if names(self.expression) or (isinstance(other, Number) and names(other.expression)):
            raise BranchOnValue(
                f"a description may not compare values ({self.expression}): every variant is made from its "
                "expressions. Use maximum(a, b) or minimum(a, b), or p.count('name') for a number of objects"
            )
        return float(self), float(other)

    def __lt__(self, other: Any) -> bool:
        one, two = self._branch(other)
        return one < two

    def __le__(self, other: Any) -> bool:
        one, two = self._branch(other)
        return one <= two

    def __gt__(self, other: Any) -> bool:
        one, two = self._branch(other)
        return one > two

    def __ge__(self, other: Any) -> bool:
        one, two = self._branch(other)
        return one >= two

    def __bool__(self) -> bool:
        if names(self.expression):
            raise BranchOnValue(f"a description may not ask whether {self.expression} is zero")
        return float(self) != 0

    def __repr__(self) -> str:
        return f"{float(self):g} (= {self.expression})"


def lift(value: Any) -> Number:
    """A traced number of `value`: itself, or a neutral literal. Raises UndeclaredNumber for anything else."""
    if isinstance(value, Number):
        return value
    if isinstance(value, Count):
        return _whole(int(value))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise UndeclaredNumber(f"{value!r} is not a number")
    if value in (math.inf, -math.inf):
        return Number(value, "inf" if value > 0 else "(-inf)")
    if abs(value) not in NEUTRAL:
        hint = ""
        if value and math.log2(abs(value)).is_integer():
            hint = "; 4 and 8 may be typed where they multiply or divide a declared number: p.a / 4"
        elif _counts.largest:
            hint = (
                "; in a loop over n = p.count('n') write (i + 1 / 2) / n or p.a * i / n, with n itself in it"
            )
        raise UndeclaredNumber(
            f"undeclared number {value!r}: numbers of structure and light are declared parameters (p.name) or arithmetic "
            "on them; only 0, 1/2, 1, 2 and pi may be typed. A value of the paper needs its quotation, anything else is "
            f'an assumption with an id: {{"id": "k", "value": {value!r}, "unit": "1", "origin": "assumption", '
            '"assumption_id": "A1"}, then p.k; equal objects are counted by p.count(\'name\') or a Python range'
            + hint
        )
    return Number(value, f"{value:g}")


def _factor(value: Any) -> Number:
    """As `lift`; 4, 8 and their inverses, as Python makes them of 2 * 2, are the twos that they stand for, and a whole number or one
    and a half up to a count that was taken (the index of a loop over it, from -n to n or to 2n + 1) the twos and ones."""
    if not isinstance(value, (Number, bool)) and isinstance(value, (int, float)) and value in _TWOS:
        return Number(value, _TWOS[value])
    if type(value) in (int, float) and 1 < abs(value) <= _counts.largest and value not in NEUTRAL:
        if float(value).is_integer():
            return _whole(int(value))
        if (2 * value).is_integer():
            return _whole(int(2 * value)) / 2
    return lift(value)


def _whole(value: int) -> Number:
    """A whole number in ones and twos."""
    return Number(
        value, "0" if not value else _spelt(abs(value)) if value > 0 else f"(-{_spelt(abs(value))})"
    )


class Count(int):
    """A declared number of objects: an int for loops, lists and comparisons, and a traced number in arithmetic with any other.

    Sums and products with whole numbers stay counts, a quotient is a pure number: `(2 * i - 1) / (2 * n)`, `(i + 1 / 2) / n`.
    """

    def __add__(self, other: Any) -> Any:
        return Count(int(self) + other) if isinstance(other, int) else _whole(int(self)) + other

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return Count(int(self) - other) if isinstance(other, int) else _whole(int(self)) - other

    def __rsub__(self, other: Any) -> Any:
        return Count(other - int(self)) if isinstance(other, int) else other - _whole(int(self))

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, int):
            return Count(int(self) * other)
        return (
            _whole(int(self)) * other if isinstance(other, float) else NotImplemented
        )  # of a list: so many of it

    __rmul__ = __mul__

    def __neg__(self) -> Count:
        return Count(-int(self))

    def __truediv__(self, other: Any) -> Any:
        return _quotient(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _quotient(other, self)


class _Counts:
    """The largest number of objects that the description at hand has taken."""

    largest = 0


_counts = _Counts()


def taken(count: int) -> None:
    """Says that a declared number of objects shapes the description; 0: a new description begins."""
    _counts.largest = max(_counts.largest, 2 * count + 1) if count else 0


def _spelt(whole: int) -> str:
    """A whole number above 0 in ones and twos: 5 is "(2 * 2 + 1)"."""
    if whole <= 2:
        return str(whole)
    half = f"(2 * {_spelt(whole // 2)})"
    return f"({half} + 1)" if whole % 2 else half


def _of_loop(value: Any) -> bool:
    """Whether a number is made of counts and typed numbers alone."""
    return isinstance(value, Number) and not names(value.expression) and "pi" not in value.expression


pi = Number(math.pi, "pi")
inf = Number(math.inf, "inf")


def _sum(left: Any, right: Any, sign: str) -> Number:
    a, b = (
        (_factor if _of_loop(other) else lift)(own) for own, other in ((left, right), (right, left))
    )  # "i - (n - 1) / 2"
    if a.power != b.power and float(a) != 0 and float(b) != 0 and not (math.isinf(a) or math.isinf(b)):
        raise MixedUnits(
            f"{a.expression} {sign} {b.expression}: {_kind(a)} and {_kind(b)} cannot be added; every length "
            "is a declared parameter with its unit"
        )
    value = float(a) + float(b) if sign == "+" else float(a) - float(b)
    power = b.power if float(a) == 0 and not names(a.expression) else a.power
    return Number(value, f"({a.expression} {sign} {b.expression})", power)


def quotient(left: Any, right: Any) -> Any:
    """left / right; a traced number where one of them is one, or a count, by which Python's own would divide a plain float."""
    if isinstance(right, Count) and type(left) is float:
        return _quotient(left, right)
    return left / right


def _quotient(left: Any, right: Any) -> Number:
    a, b = _factor(left), _factor(right)
    if float(b) == 0:
        raise UndeclaredNumber(f"{a.expression} / {b.expression}: division by zero")
    return Number(float(a) / float(b), f"({a.expression} / {b.expression})", a.power - b.power)


def _kind(number: Number) -> str:
    names_of: dict[float, str] = {
        0: "a pure number",
        1: "a length",
        -1: "a frequency (1/length)",
        2: "an area",
    }
    return f"{number.expression} ({names_of.get(number.power, f'length to the power {number.power:g}')})"


def _traced(name: str) -> Callable[[Any], Number]:
    def function(value: Any) -> Number:
        number = lift(value)
        if number.power and name != "sqrt":
            raise MixedUnits(f"{name}({number.expression}): the argument must be a pure number or an angle")
        try:
            return Number(FUNCTIONS[name](float(number)), f"{name}({number.expression})", number.power / 2)
        except (ValueError, ArithmeticError) as error:
            raise UndeclaredNumber(f"{name}({number!r}) is not defined: {error}") from error

    function.__name__, function.__doc__ = name, f"{name} of a traced number"
    return function


_TRACED = {name: _traced(name) for name in FUNCTIONS}
sqrt, sin, cos, tan, asin, acos, atan, exp, log = _TRACED.values()


def _larger(name: str) -> Callable[[Any, Any], Number]:
    def function(left: Any, right: Any) -> Number:
        a, b = lift(left), lift(right)
        if a.power != b.power and float(a) and float(b):
            raise MixedUnits(f"{name}({a.expression}, {b.expression}): {_kind(a)} and {_kind(b)}")
        return Number(
            TWO[name](float(a), float(b)), f"{name}({a.expression}, {b.expression})", a.power or b.power
        )

    function.__name__, function.__doc__ = name, f"the {name} of two traced numbers"
    return function


maximum, minimum = _larger("maximum"), _larger("minimum")


def evaluate(expression: str, values: Mapping[str, float]) -> float:
    """The value of an expression in base units; names are parameters. Nothing else of Python is understood.

    Raises ValueError for anything but arithmetic with a finite real value, KeyError for an unknown name.
    """

    def walk(node: ast.AST) -> float:
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, (int, float))
            and not isinstance(node.value, bool)
        ):
            return float(node.value)
        if isinstance(node, ast.Name):
            return (
                {"pi": math.pi, "inf": math.inf}[node.id]
                if node.id in ("pi", "inf")
                else float(values[node.id])
            )
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -walk(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return _real(_OPERATORS[type(node.op)](walk(node.left), walk(node.right)), expression)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            arguments = [walk(argument) for argument in node.args]
            if node.func.id in FUNCTIONS and len(arguments) == 1:
                return FUNCTIONS[node.func.id](arguments[0])
            if node.func.id in TWO and len(arguments) == 2:
                return float(TWO[node.func.id](*arguments))
        raise ValueError(f"not arithmetic: {ast.unparse(node)[:60]}")

    return _walked(walk, expression)


def _tree(expression: str) -> ast.expr:
    """What an expression says. Raises DescriptionError for a text that is none, or too long or too deep for Python."""
    if not isinstance(expression, str) or len(expression) > LONGEST:
        raise DescriptionError(
            f"an expression is text of at most {LONGEST} characters; found {str(expression)[:60]}..."
        )
    try:
        return again(lambda: ast.parse(expression, mode="eval")).body
    except (
        SyntaxError,
        ValueError,
        MemoryError,
        RecursionError,
    ) as error:  # a NUL is a ValueError, in earlier versions
        raise DescriptionError(
            f"not arithmetic, or nested too deep: {expression[:60]}; a row of bodies is a Repeat"
        ) from error


def _walked(walk: Callable[[ast.AST], Walked], expression: str) -> Walked:
    """What `walk` makes of an expression. Raises DescriptionError where it is nested too deep for it, or not defined."""
    try:
        return walk(_tree(expression))
    except ArithmeticError as error:
        raise DescriptionError(f"{expression[:200]} is not defined: {error}") from error
    except RecursionError as error:
        raise DescriptionError(f"nested too deep: {expression[:60]}; a row of bodies is a Repeat") from error


def retraced(expression: Any, number: Callable[[str], Number]) -> Number:
    """The traced number of an expression read from a document: its value, unit and literals are found anew, not believed.

    number: a declared parameter by name. Raises DescriptionError.
    """

    def walk(node: ast.AST) -> Number:
        if isinstance(node, ast.Constant):
            return lift(node.value)
        if isinstance(node, ast.Name):
            return {"pi": pi, "inf": inf}[node.id] if node.id in ("pi", "inf") else number(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -walk(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            left, right = (
                cast(Any, side.value if isinstance(side, ast.Constant) else walk(side))
                for side in (node.left, node.right)
            )
            made: Number = _OPERATORS[type(node.op)](left if isinstance(right, Number) else lift(left), right)  # type: ignore[assignment]
            return made
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            arguments = [walk(argument) for argument in node.args]
            if node.func.id in FUNCTIONS and len(arguments) == 1:
                return _TRACED[node.func.id](arguments[0])
            if node.func.id in TWO and len(arguments) == 2:
                return (maximum if node.func.id == "maximum" else minimum)(*arguments)
        raise DescriptionError(f"not arithmetic of declared parameters: {ast.unparse(node)[:60]}")

    return _walked(walk, expression)


class _Folded(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, (ast.Add, ast.Mult)) and all(
            isinstance(side, ast.Constant) and isinstance(side.value, int) for side in (node.left, node.right)
        ):
            return ast.Constant(int(evaluate(ast.unparse(node), {})))
        return node


def plainly(expression: str) -> str:
    """An expression for a reader: whole numbers that were made of ones and twos as such, without needless brackets."""
    return _walked(lambda node: ast.unparse(_Folded().visit(node)), expression)


@lru_cache(maxsize=4096)
def names(expression: str) -> frozenset[str]:
    """Parameters an expression rests on."""
    found = {n.id for n in ast.walk(_tree(expression)) if isinstance(n, ast.Name)}
    return frozenset(found - set(FUNCTIONS) - set(TWO) - {"pi", "inf"})


def arithmetic(expression: str) -> tuple[int, int]:
    """(operations, typed literals) of an expression: long or odd ones are shown to a reader."""
    nodes = list(ast.walk(_tree(expression)))
    return sum(isinstance(n, ast.BinOp) for n in nodes), sum(isinstance(n, ast.Constant) for n in nodes)
