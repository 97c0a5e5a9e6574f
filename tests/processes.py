"""Child processes of tests, which are killed when the test ends, and whether a process is running."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

if sys.platform == "win32":
    import _winapi

_QUERY = 0x1000
"""The right to ask for the state of a process of Windows."""


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
