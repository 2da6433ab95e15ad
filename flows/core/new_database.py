"""A new SQLite database of Prefect as a copy of an empty one: its hundred migrations cost more than the rest of a start.

The first start in an installation migrates as ever and keeps a copy beside the packages, under Prefect's version; later ones
begin with that. Prefect looks at the revision of a copy as at that of any database. Where nothing may be written beside the
packages, every new database is migrated.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import anyio

_JOURNALS = ("", "-wal", "-shm", "-journal")  # one without its database belongs to another: it would be replayed onto the copy


def begin_database() -> None:
    """Make Prefect's database where its settings name one that is not there; does nothing for PostgreSQL."""
    import prefect
    from prefect.settings import get_current_settings

    settings = get_current_settings()
    path = settings.home / "prefect.db"
    named = settings.server.database.connection_url
    if named is not None and named.get_secret_value() != f"sqlite+aiosqlite:///{path}":
        return
    if any(os.path.lexists(f"{path}{end}") for end in _JOURNALS):
        return
    kept = Path(sys.prefix) / "share" / "reprolab" / f"prefect-{prefect.__version__}.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    if _is_migrated(kept):
        with suppress(FileExistsError):
            _put(lambda new: shutil.copyfile(kept, new), path, os.link)
        return
    anyio.run(_migrate)
    with suppress(OSError, sqlite3.Error):
        kept.parent.mkdir(parents=True, exist_ok=True)
        _put(lambda new: _copy_database(path, new), kept, os.replace)


async def _migrate() -> None:
    from prefect.server.database import provide_database_interface

    database = provide_database_interface()
    await database.create_db()
    await (await database.engine()).dispose()


def _copy_database(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


def _is_migrated(path: Path) -> bool:
    if not path.is_file():
        return False
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        return bool(database.execute("SELECT count(*) FROM alembic_version").fetchone()[0])
    return False


def _put(write: Callable[[Path], object], path: Path, place: Callable[[Path, Path], None]) -> None:
    """A whole file or none."""
    with tempfile.TemporaryDirectory(prefix=".new-", dir=path.parent) as folder:
        new = Path(folder) / path.name
        write(new)
        place(new, path)
