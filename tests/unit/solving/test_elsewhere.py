"""What is sent to another worker and what became of it, where the process that waits is killed."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import pytest

from flows.reproduce.computing import elsewhere

pytestmark = pytest.mark.unit


class Killed(BaseException):
    """The end of a process, wherever it is."""


@pytest.fixture
def note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a run of the job left. The server is not asked."""
    monkeypatch.setattr(elsewhere, "get_client", lambda **_: nullcontext())
    (tmp_path / "run-1.ended.json").write_text("{}")
    return tmp_path / "run-1.ended.json"


def computed(note: Path) -> None:
    settings = SimpleNamespace(simulate_with="simulate/simulate", allow_degraded_sandbox=False)
    run = SimpleNamespace(settings=settings, store=SimpleNamespace(outputs=note.parent), run_id="r1")
    elsewhere._computed(run, note.parent / "run-1.json", note, "one", stale=note)  # type: ignore[arg-type]


def test_a_process_killed_while_it_looks_for_a_live_run_leaves_its_note(
    note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise Killed

    monkeypatch.setattr(elsewhere, "_on_its_way", killed)
    with pytest.raises(Killed):
        computed(note)
    assert note.is_file()


def test_the_note_of_a_run_on_its_way_stays_and_an_earlier_ones_goes(
    note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = SimpleNamespace(name="quiet-owl", state=SimpleNamespace(is_completed=lambda: True, message=""))
    sent: list[bool] = []
    monkeypatch.setattr(elsewhere, "_ended", lambda *_: ended)
    monkeypatch.setattr(elsewhere, "_on_its_way", lambda *_: uuid4())
    computed(note)
    assert note.is_file()

    def begun(*_: object, **__: object) -> SimpleNamespace:
        sent.append(note.is_file())
        note.write_text("{}")
        return SimpleNamespace(id=uuid4())

    monkeypatch.setattr(elsewhere, "_on_its_way", lambda *_: None)
    monkeypatch.setattr(elsewhere, "run_deployment", begun)
    computed(note)
    assert sent == [False], "an earlier run's note would be taken for the new one's"
