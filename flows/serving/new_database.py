"""A new SQLite database of Prefect as a copy of an empty one: its hundred migrations cost more than the rest of a start.

The first start in an installation migrates as ever, registers Prefect's types of blocks, and keeps a copy beside the packages,
under Prefect's version; later ones begin with that. A database that stands where the copy does is neither migrated nor given
its types of blocks again, which is a quarter of a start. Where nothing may be written beside the packages, every new database
is migrated.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path

import anyio

_JOURNALS = (
    "",
    "-wal",
    "-shm",
    "-journal",
)  # one without its database belongs to another: it would be replayed onto the copy


@contextmanager
def begun_database() -> Iterator[None]:
    """Prefect's database is made where its settings name one that is not there; inside, its server is started.

    Does nothing for PostgreSQL.
    """
    from prefect.settings import (
        PREFECT_SERVER_DATABASE_MIGRATE_ON_START,
        PREFECT_SERVER_MEMOIZE_BLOCK_AUTO_REGISTRATION,
        PREFECT_SERVER_REGISTER_BLOCKS_ON_START,
        temporary_settings,
    )

    done = (
        PREFECT_SERVER_DATABASE_MIGRATE_ON_START,
        PREFECT_SERVER_MEMOIZE_BLOCK_AUTO_REGISTRATION,
        PREFECT_SERVER_REGISTER_BLOCKS_ON_START,
    )
    with temporary_settings(dict.fromkeys(done, False)) if begin_database() else nullcontext():
        yield


def begin_database() -> bool:
    """Make the database if there is none; whether it needs neither migrations nor types of blocks."""
    import prefect
    from prefect.settings import get_current_settings

    settings = get_current_settings()
    path = settings.home / "prefect.db"
    named = settings.server.database.connection_url
    if named is not None and named.get_secret_value() != f"sqlite+aiosqlite:///{path}":
        return False
    kept = Path(sys.prefix) / "share" / "reprolab" / f"prefect-{prefect.__version__}-blocks.db"
    if any(os.path.lexists(f"{path}{end}") for end in _JOURNALS):
        return _as_far(path, kept)
    path.parent.mkdir(parents=True, exist_ok=True)
    if _stand(kept, "&immutable=1"):
        with suppress(FileExistsError):
            _put(lambda new: shutil.copyfile(kept, new), path, os.link)
        return _as_far(path, kept)
    anyio.run(_migrate)
    with suppress(OSError, sqlite3.Error):
        kept.parent.mkdir(parents=True, exist_ok=True)
        _put(lambda new: _copy_database(path, new), kept, os.replace)
    return _as_far(path, kept)


async def _migrate() -> None:
    from prefect.server.database import provide_database_interface
    from prefect.server.models.block_registration import run_block_auto_registration

    database = provide_database_interface()
    await database.create_db()
    async with await database.session() as session:
        await run_block_auto_registration(session=session)
    await (await database.engine()).dispose()


def _copy_database(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


def _as_far(path: Path, kept: Path) -> bool:
    """Whether a database stands where the copy does, with its types of blocks and maybe more."""
    found, complete = _stand(path), _stand(kept, "&immutable=1")
    return found is not None and complete is not None and found[0] == complete[0] and found[1] >= complete[1]


def _stand(path: Path, how: str = "") -> tuple[str, int] | None:
    """Revision and number of types of blocks; None if there is no whole database of Prefect."""
    if not path.is_file():
        return None
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"{path.as_uri()}?mode=ro{how}", uri=True)) as database,
    ):
        revision = database.execute("SELECT version_num FROM alembic_version").fetchone()
        types = database.execute("SELECT count(*) FROM block_type").fetchone()
        return (str(revision[0]), int(types[0])) if revision and types[0] else None
    return None


def _put(write: Callable[[Path], object], path: Path, place: Callable[[Path, Path], None]) -> None:
    """A whole file or none."""
    with tempfile.TemporaryDirectory(prefix=".new-", dir=path.parent) as folder:
        new = Path(folder) / path.name
        write(new)
        place(new, path)
