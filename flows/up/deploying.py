"""Registers the block types and deploys prefect.yaml of the folder it is started in. Run by path from setting_up.py."""

from __future__ import annotations

import sys


def main() -> None:
    """One process for both: Prefect takes seconds to import."""
    from prefect.blocks.core import Block
    from prefect.cli import app

    import blocks

    for name in blocks.__all__:
        kind = getattr(blocks, name)
        if isinstance(kind, type) and issubclass(kind, Block):
            kind.register_type_and_schema()
    sys.argv = ["prefect", "--no-prompt", "deploy", "--all"]
    app()


if __name__ == "__main__":
    main()
