"""Prefect's database of a new outputs folder: migrated once in an installation, copied afterwards, never over another."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.flow.kit import ROOT

pytestmark = pytest.mark.flow
CODE = """import sys
sys.prefix = sys.argv[1]
from flows.serving.new_database import begin_database
begin_database()
"""


def begun(home: Path, prefix: Path) -> Path:
    """The database after a start with that PREFECT_HOME in an installation below `prefix`."""
    subprocess.run(
        [sys.executable, "-c", CODE, str(prefix)],
        check=True,
        cwd=ROOT,
        env={**os.environ, "PREFECT_HOME": str(home)},
    )
    return home / "prefect.db"


def revision(path: Path) -> str:
    with closing(sqlite3.connect(path)) as database:
        return str(database.execute("SELECT version_num FROM alembic_version").fetchone()[0])


@pytest.mark.long
def test_a_new_database_is_a_copy_of_a_migrated_one_and_an_old_one_stays(tmp_path: Path) -> None:
    share = tmp_path / "installed" / "share" / "reprolab"
    share.mkdir(parents=True)
    import prefect

    kept = share / f"prefect-{prefect.__version__}-blocks.db"
    kept.write_bytes(b"")  # a broken one is none
    first = begun(tmp_path / "first", tmp_path / "installed")
    assert revision(first) == revision(kept) != ""
    with closing(sqlite3.connect(kept)) as database:
        database.execute("CREATE TABLE mark (x)")
        database.commit()
    second = begun(tmp_path / "second", tmp_path / "installed")
    with closing(sqlite3.connect(second)) as database:
        assert revision(second) == revision(first) and not database.execute("SELECT * FROM mark").fetchall()
    second.write_bytes(b"somebody's")
    assert begun(tmp_path / "second", tmp_path / "installed").read_bytes() == b"somebody's"
    alone = tmp_path / "third" / "prefect.db-wal"  # it would be replayed onto a copy
    alone.parent.mkdir()
    alone.write_bytes(b"of another database")
    assert (
        not begun(tmp_path / "third", tmp_path / "installed").exists()
        and alone.read_bytes() == b"of another database"
    )
