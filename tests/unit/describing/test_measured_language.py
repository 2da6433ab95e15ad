"""What a function of the writer's own may say: arithmetic on what was measured, and nothing a lie could be hidden in."""

from __future__ import annotations

import pytest

from simkit.describe.__main__ import described
from simkit.describe.document import document
from simkit.describe.language import checked
from simkit.describe.measured import Measured
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.uncertainty.free import described_by
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.unit
BODY = "def measure(R):\n    return {}"


def with_measure(arguments: str) -> str:
    return CODE.replace(
        'Transmittance(id="T", scene="film")',
        f'Transmittance(id="T", scene="film"), Measured(id="m", scene="film", {arguments})',
    )


def test_arithmetic_is_printed_without_its_writers_words() -> None:
    code = "def half(y):\n    return y / 2  # a remark\n\ndef measure(R):\n    # truth\n    return np.sum(half(R.y)) * np.pi\n"
    assert "#" not in checked(code, 1) and "np.sum(half(R.y)) * np.pi" in checked(code, 1)


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("0.2049", r"line 2: undeclared number 0.2049"),
        ("R.y[0] * 3", "undeclared number 3"),
        ("float('0.2049')", "text is not allowed"),
        ("np.load('R.npy')", "np.load is not allowed"),
        ("np.random.normal()", r"\.normal is not allowed"),
        ("R.y.tofile", ".tofile is not allowed"),
        ("().__class__", ".__class__ is not allowed"),
        ("open", "'open' is unknown"),
        ("exec", "'exec' is unknown"),
        ("(lambda: R)()", ""),
        ("[y := 1]", "NamedExpr is not allowed"),
        ("np.sum(R.y, out=R.y)", "argument 'out'"),
        ("f'{R.y}'", "JoinedStr is not allowed"),
        ("np", ""),
    ],
)
def test_what_a_measure_cannot_say(expression: str, told: str) -> None:
    if not told:
        assert checked(BODY.format(expression), 1)
        return
    with pytest.raises(ValueError, match=told):
        checked(BODY.format(expression), 1)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import time\ndef measure(R):\n    return 1", "nothing else"),
        ("kept = [0]\ndef measure(R):\n    return kept[0]", "nothing else"),
        ("def measure(R=[]):\n    return 1", "without defaults"),
        ("def measure(*R):\n    return 1", "takes 1 argument"),
        ("def measure(R):\n    global kept\n    kept = R\n    return 1", "Global is not allowed"),
        ("def measure(R):\n    import os\n    return 1", "Import is not allowed"),
        ("def measure(R):\n    R.y = R.x\n    return 1", "cannot be changed"),
        ("def measure(R):\n    np = R\n    return 1", "cannot be given a value"),
        (
            "def measure(R):\n    try:\n        return 1\n    except ValueError:\n        return 2",
            "Try is not allowed",
        ),
        ("def measure(R):\n    'a text with 0.2049'\n    return 1", "Expr is not allowed"),
        ("def measure(R):\n    return (", "no Python"),
        ("def measure(R):\n    return 1" + " + 1" * 2000, "nobody can read"),
    ],
)
def test_what_a_measure_is_not(code: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        checked(code, 1)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            "of=('R',), given=(p.shortest,), code='def measure(R, a):\\n    return a'",
            "shaped by the numerical parameter",
        ),
        (
            "of=('Q',), code='def measure(Q):\\n    return Q'",
            "'Q' is no quantity of film with a class of its own; those are: R, T",
        ),
        ("of=('m',), code='def measure(m):\\n    return m'", "'m' is no quantity of film"),
        ("of=('R',), given=(0.3,), code='def measure(R, a):\\n    return a'", "undeclared number 0.3"),
        ("of=('R', 'T'), code='def measure(R):\\n    return 1'", "takes 2 argument"),
    ],
)
def test_what_a_measured_quantity_cannot_be_made_of(arguments: str, told: str) -> None:
    with pytest.raises(Exception, match=told):
        from_document(document(described(with_measure(arguments), FILM)), declared(FILM))


def test_it_follows_its_parameters_and_shows_them() -> None:
    code = with_measure(
        "of=('R',), given=(p.t * 2,), length_power=1, code='def measure(R, a):\\n    return a * np.mean(R.y)'"
    )
    made = from_document(document(described(code, FILM)), declared(FILM))
    own = described_by(made.problem, "m")
    assert isinstance(own, Measured) and own.sees() == ("R", "(t * 2)") and not own.curve
    assert described_by(made.resolved({"t": 0.2}), "m").given == (0.4,)  # type: ignore[union-attr]
