"""Runs Windows' programs under Wine, with a home of their own in `build/wine`."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from project import BUILD

WINE = BUILD / "wine"
HOME = WINE / "home"
DRIVE_C = HOME / "drive_c"
LOADER = Path("/usr/lib/wine/wine64")
"""Wine's loader on Debian, which is not on the path."""
SERVER = LOADER.with_name("wineserver")
"""What all of Wine's processes of one home talk to; without it, they end."""
BYTECODE = WINE / "bytecode"
"""What Windows' Python has compiled: once, and apart from what other Pythons have."""
RUNTIME = "ucrtbase"
"""The C runtime."""
OVERRIDES = f"{RUNTIME}=n,b;wbemprox=;mscoree=;mshtml="
"""The C runtime is that of the shims; without WMI, `platform` uses its fallback; no dialogs appear."""


def wine(*command: str | Path, python_path: Sequence[Path] = (), **variables: str) -> int:
    """Run a command and print its output; returns its exit code."""
    process = wine_process(*command, python_path=python_path, **variables)
    assert process.stdout is not None
    for line in process.stdout:
        sys.stdout.buffer.write(line)
        sys.stdout.flush()
    return process.wait()


def wine_process(
    *command: str | Path, python_path: Sequence[Path] = (), **variables: str
) -> subprocess.Popen[bytes]:
    """Start a command with Wine's own home.

    Its standard streams are pipes: Windows' Python reads no others.
    """
    return subprocess.Popen(
        [LOADER, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=wine_environment(python_path, variables),
    )


def wine_environment(python_path: Sequence[Path], variables: Mapping[str, str]) -> dict[str, str]:
    """The environment of commands for Wine."""
    python = {
        "PYTHONPATH": ";".join(map(windows_path, python_path)),
        "PYTHONIOENCODING": "utf-8",
        "PYTHONPYCACHEPREFIX": windows_path(BYTECODE),
    }
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {
        **inherited,
        "WINEPREFIX": str(HOME),
        "WINEDEBUG": os.environ.get("WINEDEBUG", "-all"),
        "WINEDLLOVERRIDES": OVERRIDES,
        **(python if python_path else {}),
        **variables,
    }


def windows_path(path: Path) -> str:
    """The path of a file of this computer, as Wine shows it to Windows' programs."""
    return "Z:" + str(path).replace("/", "\\")
