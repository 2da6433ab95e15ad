"""Python read as a syntax tree, in a process with several threads.

Until CPython 3.13 all threads share one counter of the tree's depth (github.com/python/cpython/issues/106905): where another
thread reads at the same moment, sound text fails with a SystemError. Read again, it is read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

Read = TypeVar("Read")
_TIMES = 10


def again(read: Callable[[], Read]) -> Read:
    """What `read` returns, asked again where Python lost count. read: it may be called more than once."""
    for _ in range(_TIMES - 1):
        try:
            return read()
        except SystemError as error:
            if "recursion depth mismatch" not in str(error):
                raise
    return read()


def parse(code: str | bytes) -> ast.Module:
    """As ast.parse: raises SyntaxError, ValueError, RecursionError or MemoryError for what is no Python."""
    return again(lambda: ast.parse(code))
