"""ReproLab from Python: `describe`, `solve`, `compare`, `open_run`.

They do what `reprolab describe` and `reprolab solve` do, by the same code and in the same sandbox; what they give is frozen, knows
its units and the parts of its uncertainty, and shows itself in Jupyter (docs/guide/python.md). Importing this loads nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reprolab.compared import Comparison, compare
    from reprolab.described import Described, describe
    from reprolab.kept import KeptRun, KeptTarget, open_run
    from reprolab.quantities import Points, Quantity
    from reprolab.solved import Solved, solve
    from schemas.errors import ReproLabError

_HOMES = {
    "Comparison": "reprolab.compared",
    "Described": "reprolab.described",
    "KeptRun": "reprolab.kept",
    "KeptTarget": "reprolab.kept",
    "Points": "reprolab.quantities",
    "Quantity": "reprolab.quantities",
    "ReproLabError": "schemas.errors",
    "Solved": "reprolab.solved",
    "compare": "reprolab.compared",
    "describe": "reprolab.described",
    "open_run": "reprolab.kept",
    "solve": "reprolab.solved",
}
__all__ = [
    "Comparison",
    "Described",
    "KeptRun",
    "KeptTarget",
    "Points",
    "Quantity",
    "ReproLabError",
    "Solved",
    "compare",
    "describe",
    "open_run",
    "solve",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'reprolab' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
