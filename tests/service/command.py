"""Runs `batchwright serve` as a user starts it."""

import json
import subprocess
import sys
from typing import Any

from tests.processes import WITH_CONSOLE


def serve(*arguments: str, **more: Any) -> subprocess.Popen[bytes]:
    """Start the command with its output piped; `tests.processes.stop` ends it."""
    command = [sys.executable, "-m", "batchwright", "serve", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, creationflags=WITH_CONSOLE, **more)


def ready_message(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """The JSON line that it prints when it is ready."""
    assert process.stdout is not None
    message: dict[str, Any] = json.loads(process.stdout.readline())
    return message


def start_error(process: subprocess.Popen[bytes]) -> str:
    """The single error message with which it exits because it cannot serve."""
    with process:
        out, error = process.communicate(timeout=60)
    assert (process.returncode, out, error.count(b"\n")) == (2, b"", 1), error.decode()
    return error.decode()
