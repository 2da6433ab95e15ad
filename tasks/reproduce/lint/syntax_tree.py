"""A syntax tree with what the rules ask of it: imports, calls with resolved names, texts, assignments."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Sequence
from functools import cached_property
from typing import TypeVar

_Node = TypeVar("_Node", bound=ast.AST)
_MIN_TEMPLATE_LETTERS = 3
_MAX_CHAIN = 20
_FILLED = re.compile(r"\{[^{}]*\}|%[-+.0-9]*[sdfgeri]")


class Source:
    """One parsed module. Aliases are resolved: `mp.PML` is "meep.PML" after `import meep as mp`."""

    def __init__(self, tree: ast.Module):
        self._all = list(ast.walk(tree))

    def nodes(self, kind: type[_Node]) -> list[_Node]:
        """Every node of one kind."""
        return [node for node in self._all if isinstance(node, kind)]

    @cached_property
    def imported(self) -> list[tuple[int, str]]:
        """(line, module) of every import; names imported from a package count as its modules."""
        found: list[tuple[int, str]] = []
        for node in self._all:
            if isinstance(node, ast.Import):
                found += [(node.lineno, alias.name) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = "" if node.level else node.module or ""
                found += [(node.lineno, f"{base}.{alias.name}" if base else "") for alias in node.names]
        return found

    @cached_property
    def _aliases(self) -> dict[str, str]:
        aliases: dict[str, str] = {}
        for node in self._all:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.split(".")[0]
                    aliases[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        return aliases

    def dotted(self, node: ast.AST) -> str:
        """ "a.b.c" for a chain of attributes, aliases resolved; "?" for a part that is no plain name."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute) and len(parts) < _MAX_CHAIN:
            parts.append(node.attr)
            node = node.value
        first = self._aliases.get(node.id, node.id) if isinstance(node, ast.Name) else "?"
        return ".".join([first, *reversed(parts)])

    @cached_property
    def calls(self) -> list[tuple[ast.Call, str]]:
        """Every call with the resolved name of what is called."""
        return [(node, self.dotted(node.func)) for node in self._all if isinstance(node, ast.Call)]

    @cached_property
    def attributes(self) -> list[tuple[int, str]]:
        """(line, resolved name) of every attribute chain and every name imported from a module."""
        chains = [(node.lineno, self.dotted(node)) for node in self._all if isinstance(node, ast.Attribute)]
        return chains + [item for item in self.imported if "." in item[1]]

    @cached_property
    def assigned(self) -> list[tuple[int, str]]:
        """(line, resolved target) of every assignment to an attribute or item; an item shows its text key."""
        targets: list[ast.expr] = []
        for node in self._all:
            if isinstance(node, ast.Assign):
                targets += node.targets
            elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
                targets.append(node.target)
        found = []
        for target in targets:
            if isinstance(target, ast.Attribute):
                found.append((target.lineno, self.dotted(target)))
            elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
                found.append((target.lineno, f"{self.dotted(target.value)}[{target.slice.value!r}]"))
        return found

    @cached_property
    def _fixed_names(self) -> set[str]:
        values: dict[str, list[ast.expr]] = {}
        for node in self.nodes(ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    values.setdefault(target.id, []).append(node.value)
        return {name for name, given in values.items() if all(is_number(value) for value in given)}

    def is_fixed(self, node: ast.expr) -> bool:
        """True for a literal number, or a name that is only ever assigned one."""
        return is_number(node) or (isinstance(node, ast.Name) and node.id in self._fixed_names)

    @cached_property
    def texts(self) -> list[str]:
        """Every text literal that is used; docstrings, which answer nothing, are left out."""
        bare = {id(node.value) for node in self.nodes(ast.Expr)}
        return [text for node in self.nodes(ast.Constant) if id(node) not in bare and (text := _text(node))]

    @cached_property
    def _templates(self) -> list[list[str | None]]:
        """Fixed parts, None for what is filled in, of f-strings, templates and concatenations."""
        found = [[_text(part) for part in text.values] for text in self.nodes(ast.JoinedStr)]
        found += [_template_parts(text) for text in self.texts if _FILLED.search(text)]
        sums = [node for node in self.nodes(ast.BinOp) if isinstance(node.op, ast.Add)]
        found += [[_text(node.left), _text(node.right)] for node in sums]
        return [parts for parts in found if sum(len(part) for part in parts if part) >= _MIN_TEMPLATE_LETTERS]

    def names(self, target: str) -> bool:
        """True when a text literal holds `target`, or a composed text could become it."""
        whole = re.compile(rf"(?<![A-Za-z0-9_.-]){re.escape(target)}(?![A-Za-z0-9_-])")
        if any(whole.search(text) for text in self.texts):
            return True
        return any(_could_be(parts, target) for parts in self._templates)


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _template_parts(text: str) -> list[str | None]:
    parts: list[str | None] = []
    for piece in _FILLED.split(text):
        parts += [piece, None]
    return parts[:-1]


def _could_be(parts: list[str | None], target: str) -> bool:
    """Linear matching of fixed parts in order; a regular expression could be made to take forever."""
    at, free = 0, False
    for index, part in enumerate(parts):
        if part is None:
            free = True
            continue
        last = index == len(parts) - 1
        found = target.rfind(part, at) if last and free else target.find(part, at)
        if found < 0 or (not free and found != at):
            return False
        at, free = found + len(part), False
    return free or at == len(target)


def is_number(node: ast.expr) -> bool:
    """True for a literal number, signed or not."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        node = node.operand
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, (int, float))
        and not isinstance(node.value, bool)
    )


def is_path_escape(text: str) -> bool:
    """True for a path that leads out of the current directory."""
    return text.startswith(("/", "~", "\\")) or ".." in text.replace("\\", "/").split("/")


def closest(name: str, known: Sequence[str]) -> str:
    """ "; did you mean ...?" when a known name is close, else nothing."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
