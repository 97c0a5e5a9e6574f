"""Runs a command of Windows without the rights of an administrator, and ends with its exit code.

`python as_plain_user.py COMMAND ARGUMENT ...`; under Wine, every user is an administrator.
"""

import ctypes
import subprocess
import sys
from ctypes import wintypes

TOKEN_ALL_ACCESS = 0xF01FF
ADMINISTRATORS = "S-1-5-32-544"
INFINITE = 0xFFFFFFFF


class SidAndAttributes(ctypes.Structure):
    _fields_ = [("sid", ctypes.c_void_p), ("attributes", wintypes.DWORD)]


class ProcessInformation(ctypes.Structure):
    _fields_ = [
        ("process", wintypes.HANDLE),
        ("thread", wintypes.HANDLE),
        ("process_id", wintypes.DWORD),
        ("thread_id", wintypes.DWORD),
    ]


def run(command: list[str]) -> int:
    kernel, security = ctypes.CDLL("kernel32"), ctypes.CDLL("advapi32")
    kernel.GetCurrentProcess.restype = wintypes.HANDLE
    token, restricted, group = wintypes.HANDLE(), wintypes.HANDLE(), SidAndAttributes()
    require(
        security.OpenProcessToken(
            wintypes.HANDLE(kernel.GetCurrentProcess()), TOKEN_ALL_ACCESS, ctypes.byref(token)
        )
    )
    sid = ctypes.c_void_p()
    require(security.ConvertStringSidToSidW(ADMINISTRATORS, ctypes.byref(sid)))
    group.sid = sid.value
    require(
        security.CreateRestrictedToken(
            token, 0, 1, ctypes.byref(group), 0, None, 0, None, ctypes.byref(restricted)
        )
    )
    start, process = (ctypes.c_byte * 104)(), ProcessInformation()
    ctypes.cast(start, ctypes.POINTER(wintypes.DWORD))[0] = len(start)
    line = ctypes.create_unicode_buffer(subprocess.list2cmdline(command))
    require(
        security.CreateProcessAsUserW(
            restricted, None, line, None, None, False, 0, None, None, start, ctypes.byref(process)
        )
    )
    kernel.WaitForSingleObject(wintypes.HANDLE(process.process), wintypes.DWORD(INFINITE))
    code = wintypes.DWORD()
    kernel.GetExitCodeProcess(wintypes.HANDLE(process.process), ctypes.byref(code))
    return code.value


def require(is_done: int) -> None:
    if not is_done:
        sys.exit("A step is not possible here.")


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
