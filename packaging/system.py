"""System packages that Batchwright needs, and how to install them on Debian and Ubuntu."""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Need:
    """A dependency outside Python: how to detect it, and the packages that provide it."""

    what: str
    is_present: Callable[[], bool]
    packages: tuple[str, ...]


def library(*names: str) -> Callable[[], bool]:
    return lambda: all(map(_loads, names))


def program(*names: str) -> Callable[[], bool]:
    return lambda: all(map(shutil.which, names))


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _can_create_environments() -> bool:
    try:
        import ensurepip  # noqa: F401 - some distributions split it off
    except ImportError:
        return False
    return True


def _has_font() -> bool:
    folders = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts")
    return any(next(folder.rglob("*.[ot]tf"), None) for folder in folders if folder.is_dir())


QT_LIBRARIES = (
    *("libglib2.0-0", "libegl1", "libgl1", "libfontconfig1", "libfreetype6", "libdbus-1-3"),
    *("libxkbcommon0", "libbrotli1", "libgssapi-krb5-2"),
)
X_LIBRARIES = (
    *("libxcb-cursor0", "libxcb-icccm4", "libxcb-image0", "libxcb-keysyms1", "libxcb-randr0"),
    *("libxcb-render-util0", "libxcb-shape0", "libxcb-shm0", "libxcb-sync1", "libxcb-xfixes0"),
    *("libxcb-xkb1", "libxkbcommon-x11-0", "libx11-xcb1", "libwayland-client0", "libwayland-cursor0"),
)

TO_RUN = (
    Need("Python's venv module", _can_create_environments, ("python3-venv",)),
    Need(
        "Qt's libraries",
        library("libEGL.so.1", "libGL.so.1", "libfontconfig.so.1", "libdbus-1.so.3", "libxkbcommon.so.0"),
        QT_LIBRARIES,
    ),
    Need(
        "Qt's libraries for a screen",
        library("libxcb-cursor.so.0", "libxcb-icccm.so.4", "libxcb-xkb.so.1", "libxkbcommon-x11.so.0"),
        X_LIBRARIES,
    ),
    Need("a font", _has_font, ("fonts-dejavu-core",)),
)
TO_TEST = (
    *TO_RUN,
    Need("Xvfb", program("Xvfb", "xauth", "openbox", "xdotool"), ("xvfb", "xauth", "openbox", "xdotool")),
    Need(
        "a screen reader's bus",
        lambda: Path("/usr/libexec/at-spi-bus-launcher").exists(),
        ("at-spi2-core",),
    ),
    Need("Chromium", program("chromium"), ("chromium",)),
    Need(
        "a key ring",
        program("gnome-keyring-daemon", "dbus-daemon", "gdbus"),
        ("gnome-keyring", "dbus", "libglib2.0-bin"),
    ),
)


def provide(purpose: str) -> None:
    """Install missing packages if possible; otherwise print the command that would."""
    if not sys.platform.startswith("linux"):
        return
    missing = [need for need in (TO_TEST if purpose == "test" else TO_RUN) if not need.is_present()]
    if not missing:
        return
    packages = [package for need in missing for package in need.packages]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _install(packages)
        missing = [need for need in missing if not need.is_present()]
    for need in missing:
        print(f"Missing: {need.what}. What needs it is skipped.", file=sys.stderr)
    if missing:
        command_line = " ".join(package for need in missing for package in need.packages)
        print(
            f"On Debian and Ubuntu: apt-get install --no-install-recommends {command_line}", file=sys.stderr
        )


def _install(packages: list[str]) -> None:
    print(f"Installing {', '.join(packages)} ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["install", "-y", "-qq", "--no-install-recommends", *packages]
    for command in (["update", "-qq"], install):
        subprocess.run(["apt-get", *command], stdout=subprocess.DEVNULL, env=environment)
