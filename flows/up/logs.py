"""What server and worker print, in files that do not grow without end."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

MOST_BYTES = 5 * 2**20  # of a file; the one before it is kept as NAME.1


class Log:
    """A pipe's end to print into, and a thread that writes what comes to a file, readable by its owner only."""

    def __init__(self, path: Path, most: int = MOST_BYTES):
        self.path, self.most = path, most
        self._read, self.write_end = os.pipe()  # closed in other programs
        self._thread = threading.Thread(target=self._copy, name=f"log {path.name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """No more is started that prints here; what is on its way is still written."""
        os.close(self.write_end)
        self._thread.join(5)

    def tail(self, characters: int = 2000) -> str:
        """The last of it, for a message."""
        with suppress(OSError), self.path.open("rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - characters))
            return stream.read().decode("utf-8", "replace").strip()
        return ""

    def _copy(self) -> None:
        out = self._opened()
        with os.fdopen(self._read, "rb", buffering=0) as source:
            while piece := source.read(65536):
                with suppress(OSError):  # a full disk: what is said is lost, whoever says it goes on
                    while piece:
                        size = os.fstat(out).st_size
                        fits = piece[: self.most - size] if size < self.most else b""
                        if len(fits) < len(piece):  # whole lines, as many as fit
                            fits = fits[: fits.rfind(b"\n") + 1] or (b"" if size else fits)
                        if not fits:
                            os.replace(self.path, self.path.with_name(self.path.name + ".1"))
                            os.close(out)
                            out = self._opened()
                            continue
                        piece = piece[os.write(out, fits) :]
        os.close(out)

    def _opened(self) -> int:
        return os.open(
            self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
        )
