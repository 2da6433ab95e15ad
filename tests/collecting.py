"""What a process of the suite spends before its first test: rewriting the asserts of all test modules, importing them.

Rewritten modules are kept beside their sources (tests/conftest.py). Several processes that come to the same modules at the
same time would each rewrite all: each first takes those of its own share.
"""

from __future__ import annotations

import gc
import importlib
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest


def share(files: list[Path], number: int, processes: int) -> list[Path]:
    """The files that process `number` of so many rewrites; every file is in one share."""
    return files[number::processes]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    gc.disable()  # nothing of what is imported ever goes
    given = getattr(session.config, "workerinput", None)
    if given is not None:
        number = int(given["workerid"].removeprefix("gw"))
        for file in share(_files(session.config), number, given["workercount"]):
            _import(file)
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def _files(config: pytest.Config) -> list[Path]:
    named = [config.invocation_params.dir / argument.partition("::")[0] for argument in config.args]
    return sorted(
        {file for path in named for file in ([path] if path.is_file() else path.rglob("test_*.py"))}
    )


def _import(file: Path) -> None:
    """As pytest will, which then finds it; what is wrong with it is told there."""
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    with warnings.catch_warnings(), suppress(Exception, pytest.skip.Exception):
        warnings.simplefilter("ignore")
        importlib.import_module(file.stem)
