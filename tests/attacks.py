"""`python -m tests.attacks`: run every test marked `attack` and print group, attack, expected, outcome, and what is declared.

python -m tests.attacks -m "attack and unit"    only those that need neither Meep nor a sandbox
"""

from __future__ import annotations

import sys

import pytest


def main(arguments: list[str]) -> int:
    """Exit code 0 if every attack held or is declared, and of the whole list none is missing."""
    chosen = [] if "-m" in arguments else ["-m", "attack", *([] if arguments else ["--attack-all"])]
    return int(
        pytest.main(["tests", *chosen, "--attack-table", "--durations=0", "--timeout=600", *arguments])
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
