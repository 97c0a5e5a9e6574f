"""`batchwright serve` as a person starts it."""

import json
import subprocess
import sys
from typing import Any


def serve(*arguments: str, **more: Any) -> subprocess.Popen[bytes]:
    """The command, with its output to be read."""
    command = [sys.executable, "-m", "batchwright", "serve", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def ready_line(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """What it says when it is ready."""
    assert process.stdout is not None
    line: dict[str, Any] = json.loads(process.stdout.readline())
    return line


def refusal(process: subprocess.Popen[bytes]) -> str:
    """The one sentence that it ends with because it cannot serve."""
    with process:
        out, error = process.communicate(timeout=60)
    assert (process.returncode, out, error.count(b"\n")) == (2, b"", 1), error.decode()
    return error.decode()
