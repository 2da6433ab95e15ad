"""The system-call filter, run by a small interpreter of classic BPF on both architectures."""

from __future__ import annotations

import errno
import struct

import pytest

from tasks.sandbox.seccomp import seccomp_program

pytestmark = pytest.mark.unit

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CALLS = {
    "x86_64": {"read": 0, "ioctl": 16, "socket": 41, "clone": 56, "ptrace": 101, "mount": 165, "memfd": 319},
    "aarch64": {
        "read": 63,
        "ioctl": 29,
        "socket": 198,
        "clone": 220,
        "ptrace": 117,
        "mount": 40,
        "memfd": 279,
    },
}


def judged(machine: str, number: int, *arguments: int, arch: int | None = None) -> int:
    """What the kernel would do with a call; Linux, Documentation/networking/filter.rst."""
    program = seccomp_program(machine)
    assert program is not None
    data = struct.pack("=IIQ6Q", number, arch or ARCH[machine], 0, *arguments, *[0] * (6 - len(arguments)))
    code = list(struct.iter_unpack("=HBBI", program))
    accumulator = counter = 0
    while True:
        operation, yes, no, value = code[counter]
        counter += 1
        if operation == 0x20:
            accumulator = struct.unpack_from("=I", data, value)[0]
        elif operation == 0x54:
            accumulator &= value
        elif operation == 0x06:
            return value
        else:
            holds = {0x15: accumulator == value, 0x35: accumulator >= value}[operation]
            counter += yes if holds else no


@pytest.mark.parametrize("machine", ARCH)
def test_what_is_allowed_and_refused(machine: str) -> None:
    call = CALLS[machine]
    refused = ERRNO | errno.EPERM
    assert judged(machine, call["read"]) == ALLOW
    assert {judged(machine, call[name]) for name in ("ptrace", "mount", "memfd")} == {refused}
    assert judged(machine, 435) == ERRNO | errno.ENOSYS
    assert judged(machine, call["clone"], 0x11) == ALLOW
    assert judged(machine, call["clone"], 0x10000011) == refused
    assert judged(machine, call["ioctl"], 0, 0x5413) == ALLOW
    assert {judged(machine, call["ioctl"], 0, code) for code in (0x5412, 0x541C)} == {refused}
    assert {judged(machine, call["socket"], family) for family in (1, 2, 10, 16)} == {ALLOW}
    assert {judged(machine, call["socket"], family) for family in (0, 17, 38, 40)} == {ERRNO | errno.EACCES}


def test_calls_of_another_architecture_are_refused() -> None:
    assert judged("x86_64", 0, arch=0x40000003) == KILL
    assert judged("x86_64", 0x40000000 | 101) == ERRNO | errno.EPERM


def test_an_unknown_architecture_has_no_filter() -> None:
    assert seccomp_program("riscv64") is None
