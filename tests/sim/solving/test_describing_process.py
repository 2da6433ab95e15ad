"""The process that describes: kept by digest, isolated, and whatever it writes is read as hostile."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.files.store import Store
from tasks.reproduce.describing import in_sandbox
from tasks.reproduce.describing.in_sandbox import DescriptionRefused, describe
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.sim
# reach the operating system in spite of the missing names, as a liar would
ESCAPE = """
def system():
    for kind in ().__class__.__mro__[1].__subclasses__():
        if kind.__name__ == "_wrap_close":
            return kind.__init__.__globals__["sys"].modules
"""
WRITE = (
    ESCAPE
    + """
def describe(p):
    modules = system()
    modules["builtins"].open("problem.json", "w").write({text})
    modules["os"]._exit(0)
"""
)


def test_code_is_run_once_and_its_document_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)
    made = describe(CODE, FILM, store=store)
    assert made.problem.quantities[0].id == "R"
    monkeypatch.setattr(in_sandbox, "run_sandboxed", lambda *a, **k: pytest.fail("it was run again"))
    assert describe(CODE, FILM, store=store).parametric == made.parametric
    with pytest.raises(pytest.fail.Exception):
        describe(CODE, [{**FILM[0], "value": 101}, *FILM[1:]], store=store)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("'[' * 100000 + ']' * 100000", "not valid JSON"),
        ("'{\"scenes\": ' + '[' * 60 + ']' * 60 + '}'", "nested too deeply"),
        ("'{\"scenes\": NaN}'", "no JSON number"),
        ("'{\"a\": \"' + 'x' * 6000000 + '\"}'", "too large"),
        ("'{\"scenes\": []}'", "at least 1 item"),
    ],
)
def test_what_a_liar_writes_is_refused(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(DescriptionRefused, match=told):
        describe(WRITE.format(text=text), FILM, store=Store(tmp_path))


def test_files_and_network_of_the_host_are_out_of_reach(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    attempt = (
        ESCAPE
        + f"""
def describe(p):
    real = system()["builtins"]
    said = []
    for attack in (lambda: real.open({str(secret)!r}).read(), lambda: real.__import__("os").listdir({str(tmp_path)!r}),
                   lambda: real.__import__("socket").create_connection(("1.1.1.1", 53), 2)):
        try:
            attack()
            said.append("DONE")
        except real.OSError:
            said.append("refused")
    raise ValueError(" ".join(said))
"""
    )
    with pytest.raises(DescriptionRefused, match="refused refused refused"):
        describe(attempt, FILM, store=Store(tmp_path))


@pytest.mark.parametrize(
    ("body", "told"), [("while True: pass", "limit on cpu"), ("x = [[]] * 10 ** 12", "MemoryError")]
)
def test_a_description_has_small_limits(
    tmp_path: Path, body: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        in_sandbox, "LIMITS", in_sandbox.Limits(wall_s=60, cpu_s=2, memory_mb=400, processes=8)
    )
    with pytest.raises(DescriptionRefused, match=told):
        describe(f"def describe(p):\n    {body}\n", FILM, store=Store(tmp_path))
