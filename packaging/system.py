"""System packages that Batchwright needs, and how to install them on Debian and Ubuntu."""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Need:
    """A dependency outside Python: how to detect it, and the packages that provide it."""

    what: str
    is_present: Callable[[], bool]
    packages: tuple[str, ...]
    without: str = "What needs it is skipped."


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

HOST_LIBRARIES = (
    *("libc.so", "libgcc_s.", "libstdc++.", "libzstd.", "liblz4.", "libcap.", "libgcrypt.", "libgpg-error."),
    *("libglib-2.0.", "libgio-2.0.", "libgobject-2.0.", "libgmodule-2.0.", "libgthread-2.0.", "libpcre2-8."),
    *("libmount.", "libblkid.", "libselinux.", "libsystemd.", "libdbus-1.", "libtinfo.", "libreadline."),
    *("libfontconfig.", "libfreetype.", "libpng16.", "libexpat.", "libbrotlicommon.", "libbrotlidec."),
    *(
        "libX11.",
        "libX11-xcb.",
        "libXau.",
        "libXdmcp.",
        "libXext.",
        "libXfixes.",
        "libXrandr.",
        "libXrender.",
    ),
    *("libgssapi_krb5.", "libkrb5.", "libkrb5support.", "libk5crypto.", "libkeyutils.", "libcom_err."),
    *("libbsd.", "libmd.", "libz.", "liblzma.", "libuuid."),
    *("libcups.", "libavahi-client.", "libavahi-common.", "libgnutls.", "libp11-kit.", "libidn2."),
    *("libunistring.", "libtasn1.", "libnettle.", "libhogweed.", "libgmp."),
)
"""Libraries that every Linux desktop has, and that must fit to it: they are not part of the built program."""

TO_RUN = (
    Need(
        "Python's venv module",
        _can_create_environments,
        ("python3-venv",),
        without="This Python cannot create an environment.",
    ),
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
XVFB = Need("Xvfb", program("Xvfb", "xauth", "openbox", "xdotool"), ("xvfb", "xauth", "openbox", "xdotool"))
INSTALLER_CHECKS = (
    Need("the compiler of the Windows installer", program("makensis"), ("nsis",)),
    Need(
        "the checks of menu entries",
        program("desktop-file-validate", "appstreamcli"),
        ("desktop-file-utils", "appstream"),
    ),
    Need("the database of file types", program("update-mime-database"), ("shared-mime-info",)),
)
TO_TEST = (
    *TO_RUN,
    XVFB,
    *INSTALLER_CHECKS,
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
TO_BUILD = (
    *TO_RUN,
    Need("the tools for binaries", program("strip", "objdump", "ldd"), ("binutils",)),
    Need(
        "the tools for Debian packages", program("dpkg-deb", "dpkg-shlibdeps", "xz"), ("dpkg-dev", "xz-utils")
    ),
    *INSTALLER_CHECKS,
    Need("the check of Debian packages", program("lintian"), ("lintian",)),
    Need("the check of the Flatpak manifest", program("flatpak-builder"), ("flatpak-builder",)),
    Need("a fresh system", program("debootstrap"), ("debootstrap",)),
    XVFB,
    Need("a session bus", program("dbus-run-session", "gio"), ("dbus-daemon", "libglib2.0-bin")),
)
WINDOWS_UNDER_WINE = (
    Need("Wine", lambda: Path("/usr/lib/wine/wine64").exists(), ("wine64",)),
    Need("the compiler for Windows", program("x86_64-w64-mingw32-gcc"), ("gcc-mingw-w64-x86-64",)),
    Need("Maven", program("mvn"), ("maven",)),
    Need("the compiler of MSI packages", program("wixl"), ("wixl",)),
    Need("screenshots", program("import"), ("imagemagick",)),
    Need("what reads texts in screenshots", program("tesseract"), ("tesseract-ocr",)),
    XVFB,
    *INSTALLER_CHECKS,
)
NEEDS = {"run": TO_RUN, "test": TO_TEST, "build": TO_BUILD, "wine": WINDOWS_UNDER_WINE}


def provide(purpose: str) -> None:
    """Install missing packages if possible; otherwise print the command that would.

    Before the package manager is called, what is missing and the command are printed, and on a terminal the
    user is asked.
    """
    if not sys.platform.startswith("linux"):
        return
    missing = [need for need in NEEDS[purpose] if not need.is_present()]
    if not missing:
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        if _may_install(missing):
            _install(_packages(missing))
        missing = [need for need in missing if not need.is_present()]
    for need in missing:
        print(f"Missing: {need.what}. {need.without}", file=sys.stderr)
    if missing:
        print(f"On Debian and Ubuntu: {_command_line(missing)}", file=sys.stderr)


def _packages(needs: Sequence[Need]) -> list[str]:
    return [package for need in needs for package in need.packages]


def _command_line(needs: Sequence[Need]) -> str:
    return f"apt-get install --no-install-recommends {' '.join(_packages(needs))}"


def _may_install(needs: Sequence[Need]) -> bool:
    """Say what will be installed and how to do it by hand; ask if there is a terminal."""
    print("Batchwright needs packages of the system that are not installed:")
    for need in needs:
        print(f"  {need.what}: {', '.join(need.packages)}")
    print("To install them by hand:")
    print(f"  apt-get update && {_command_line(needs)}", flush=True)
    if not sys.stdin.isatty():
        return True
    try:
        answer = input("Install them now? [Y/n] ")
    except EOFError:
        return False
    return answer.strip().lower() in ("", "y", "yes")


def _install(packages: list[str]) -> None:
    print("Installing them with apt-get ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["install", "-y", "-qq", "--no-install-recommends", *packages]
    for command in (["update", "-qq"], install):
        subprocess.run(["apt-get", *command], stdout=subprocess.DEVNULL, env=environment)
