"""A PNG or JPEG decoded by a program in the sandbox, because pictures are hostile until checked."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
import PIL
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from schemas.base import Model
from schemas.errors import InputError, PrerequisiteError
from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import one_visible_line
from tasks.documents.pdf import interpreter
from tasks.sandbox import Limits, run_sandboxed, scratch

MAX_PIXELS, MIN_SIDE = 25_000_000, 60
LIMITS = Limits(
    wall_s=120, cpu_s=30, memory_mb=1500, processes=8, file_mb=80, disk_mb=120, files=20, output_mb=1
)
_READER = Path(__file__).resolve().parent / "picture_reader"


class _Decoded(Model):
    error: Literal["", "large", "small", "damaged"] = ""
    detail: str = Field("", max_length=300)
    width: int = Field(0, ge=0, le=MAX_PIXELS)
    height: int = Field(0, ge=0, le=MAX_PIXELS)


def decoded(content: bytes, kind: str, name: str) -> NDArray[np.uint8]:
    """The pixels of a picture, (rows, columns, 3). kind: PNG or JPEG; name: for messages.

    Raises InputError: damaged, or more or fewer pixels than are read; PrerequisiteError where the sandbox has no Pillow.
    """
    python, prefixes = interpreter()
    with scratch("reprolab-picture-") as root:
        work, code = root / "work", root / "code"
        code.mkdir(mode=0o755)
        shutil.copytree(_READER, code / "picture_reader", ignore=shutil.ignore_patterns("__pycache__"))
        if _same_version(python):
            own = Path(PIL.__file__).resolve().parent
            for folder in (own, own.parent / "pillow.libs"):
                if folder.is_dir():
                    shutil.copytree(folder, code / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
        (root / "picture").write_bytes(content)
        for item in (code, *code.rglob("*"), root / "picture"):
            item.chmod(0o755 if item.is_dir() else 0o644)  # the sandbox's user must read them
        result = run_sandboxed(
            [python, "-m", "picture_reader", "/sandbox/in/picture", kind, str(MAX_PIXELS), str(MIN_SIDE)],
            work,
            readonly={code: "/sandbox/code", root / "picture": "/sandbox/in/picture"},
            prefixes=prefixes,
            env={"PYTHONPATH": "/sandbox/code"},
            limits=LIMITS,
            allow_degraded=True,
        )
        last = (result.stderr_tail.strip().splitlines() or ["no message"])[-1]
        if not result.ok and "No module named 'PIL'" in last:
            raise PrerequisiteError(
                "pictures cannot be decoded in the sandbox", found=f"no Pillow for {python}", fix="apt-get install python3-pil"
            )  # fmt: skip
        if not result.ok:
            found = (
                f"the limit on {result.stop_reason} was reached"
                if result.stop_reason
                else one_visible_line(last, 200)
            )
            raise InputError(
                f"{name} is damaged, or too much work to decode", found=found, fix="save it again"
            )
        try:
            told = _Decoded.model_validate_json(read_below(work, "result.json", 10_000))
            _refuse(told, name)
            pixels = np.frombuffer(read_below(work, "pixels.raw", 3 * MAX_PIXELS), np.uint8)
            return pixels.reshape(told.height, told.width, 3)
        except (Unopened, ValidationError, ValueError, RecursionError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{name} is damaged", found=str(error)[:200], fix="save it again") from error


def _refuse(told: _Decoded, name: str) -> None:
    """Raises InputError for a reason that the program names."""
    detail = one_visible_line(told.detail, 200)
    if told.error == "large" or told.width * told.height > MAX_PIXELS:
        raise InputError(
            f"{name} has too many pixels", found=detail, allowed=f"{MAX_PIXELS} pixels", fix="cut the figure out, or save it smaller"
        )  # fmt: skip
    if told.error == "small" or not told.error and min(told.width, told.height) < MIN_SIDE:
        raise InputError(f"{name} is too small", found=detail, allowed=f"{MIN_SIDE} pixels a side")
    if told.error:
        raise InputError(f"{name} is damaged", found=detail, fix="save it again")


@cache
def _same_version(python: str) -> bool:
    """Whether an interpreter can load what was built for ours."""
    asked = subprocess.run(
        [python, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, timeout=30
    )
    return asked.stdout.split() == [str(part) for part in sys.version_info[:2]]
