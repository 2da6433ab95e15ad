"""The system-call deny-list as a classic BPF program.

Sources: linux/filter.h, linux/seccomp.h and the x86_64 and aarch64 system-call tables of Linux 6.x.
Namespaces keep files and network away; this list removes kernel surface that no simulation needs and what
namespaces do not cover (vsock, memory in memfds, injection of terminal input).
"""

from __future__ import annotations

import errno
import platform
import socket
import struct

_LD, _JEQ, _JGE, _AND, _RET = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NR, _ARCH, _ARG0, _ARG1 = 0, 4, 16, 24  # offsets in struct seccomp_data (low words, little endian)
_CLONE_NEWUSER = 0x10000000
_X32_BIT = 0x40000000
_TERMINAL_INJECTION = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 16)  # 16: netlink, used by interface look-ups

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# name: (x86_64, aarch64); None where the architecture has no such call
_DENIED: dict[str, tuple[int | None, int | None]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "personality": (135, 92),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "vmsplice": (278, 75),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "fanotify_init": (300, 262),
}
_CLONE, _CLONE3 = (56, 220), (435, 435)
_IOCTL, _SOCKET = (16, 29), (41, 198)


def _op(code: int, value: int, jump_true: int = 0, jump_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, jump_true, jump_false, value)


def _fail(number: int) -> bytes:
    return _op(_RET, _ERRNO | number)


def seccomp_program(machine: str | None = None) -> bytes | None:
    """The filter for `machine` (default: this one), as an array of struct sock_filter.

    Returns None for an architecture without a table; the caller must say so.
    """
    machine = machine or platform.machine()
    if machine not in _AUDIT_ARCH:
        return None
    column = list(_AUDIT_ARCH).index(machine)
    code = [_op(_LD, _ARCH), _op(_JEQ, _AUDIT_ARCH[machine], 1, 0), _op(_RET, _KILL), _op(_LD, _NR)]
    if machine == "x86_64":
        code += [_op(_JGE, _X32_BIT, 0, 1), _fail(errno.EPERM)]
    for numbers in _DENIED.values():
        number = numbers[column]
        if number is not None:
            code += [_op(_JEQ, number, 0, 1), _fail(errno.EPERM)]
    # glibc falls back from clone3 to clone, whose flags a filter can read
    code += [_op(_JEQ, _CLONE3[column], 0, 1), _fail(errno.ENOSYS)]
    for number, checks in (
        (
            _CLONE[column],
            [_op(_LD, _ARG0), _op(_AND, _CLONE_NEWUSER), _op(_JEQ, 0, 1, 0), _fail(errno.EPERM)],
        ),
        (_IOCTL[column], [_op(_LD, _ARG1), *_refuse_values(_TERMINAL_INJECTION)]),
        (_SOCKET[column], [_op(_LD, _ARG0), *_allow_only(_FAMILIES)]),
    ):
        code += [_op(_JEQ, number, 0, len(checks) + 1), *checks, _op(_RET, _ALLOW)]
    return b"".join([*code, _op(_RET, _ALLOW)])


def _refuse_values(values: tuple[int, ...]) -> list[bytes]:
    return [part for value in values for part in (_op(_JEQ, value, 0, 1), _fail(errno.EPERM))]


def _allow_only(values: tuple[int, ...]) -> list[bytes]:
    tests = [_op(_JEQ, value, len(values) - index, 0) for index, value in enumerate(values)]
    return [*tests, _fail(errno.EACCES)]
