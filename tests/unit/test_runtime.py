"""The process a run lives in."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.runtime import prepare_environment

pytestmark = pytest.mark.unit


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment of its own: everything set in it is undone."""
    import os

    monkeypatch.setattr(os, "environ", {"PATH": "/usr/bin"})
    return monkeypatch


def test_a_proxy_is_not_asked_for_this_computer(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import os

    os.environ |= {"https_proxy": "http://proxy:3128", "http_proxy": "http://proxy:3128", "no_proxy": "intranet"}
    prepare_environment(tmp_path)
    assert os.environ["no_proxy"] == "intranet,127.0.0.1,localhost,::1"
    assert os.environ["NO_PROXY"] == "127.0.0.1,localhost,::1"


def test_without_a_proxy_nothing_is_set(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import os

    prepare_environment(tmp_path)
    assert "no_proxy" not in os.environ and "NO_PROXY" not in os.environ
