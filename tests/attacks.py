"""`python -m tests.attacks`: run every test marked `attack` and print group, attack, expected, outcome; exit code as pytest's.

    python -m tests.attacks -m "attack and unit"    only those that need neither Meep nor a sandbox
"""

from __future__ import annotations

import sys

import pytest


def main(arguments: list[str]) -> int:
    """Exit code 0 if everything held or is declared."""
    chosen = [] if "-m" in arguments else ["-m", "attack"]
    return int(pytest.main(["tests", *chosen, "--attack-table", "--durations=0", "--timeout=600", *arguments]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
