"""Child processes of tests: their start, how they end or are killed, and whether a process is running."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

if sys.platform == "win32":
    import _winapi

_QUERY = 0x1000
"""The right to ask for the state of a process of Windows."""

WITH_CONSOLE = 0x10 if sys.platform == "win32" else 0
"""The flag of `subprocess` for a process with a console of its own, in which `stop` presses Ctrl+C."""

_PRESS_CTRL_C = """
import ctypes, sys
console = ctypes.windll.kernel32
console.FreeConsole()
console.AttachConsole(int(sys.argv[1]))
console.SetConsoleCtrlHandler(None, True)
console.GenerateConsoleCtrlEvent(0, 0)
"""


@contextmanager
def started(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> Iterator["subprocess.Popen[str]"]:
    """Start a program with pipes for its output; it is killed if it still runs at the end of the block.

    `Popen` as a context manager would wait for it forever when an assertion in the block fails.
    """
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


def stop(id: int) -> None:
    """Ask a process to end: by SIGTERM, or by Ctrl+C on Windows, where `SIGTERM` would kill it."""
    if sys.platform == "win32":
        subprocess.run([sys.executable, "-c", _PRESS_CTRL_C, str(id)], check=True, stdin=subprocess.DEVNULL)
    else:
        os.kill(id, signal.SIGTERM)


def kill(id: int) -> None:
    """Kill a process, which it does not notice."""
    os.kill(id, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)


def is_running(id: int) -> bool:
    """Whether the process with an id is running."""
    if sys.platform == "win32":  # where `os.kill` would end it
        try:
            process = _winapi.OpenProcess(_QUERY, False, id)
        except OSError:
            return False
        try:
            return _winapi.GetExitCodeProcess(process) == _winapi.STILL_ACTIVE
        finally:
            _winapi.CloseHandle(process)
    try:
        os.kill(id, 0)
    except ProcessLookupError:
        return False
    return True
