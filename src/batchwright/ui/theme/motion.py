"""Whether the system wants things to move; Qt does not tell it, so each system is asked in its own way.

A system that says nothing has nothing against motion.
"""

import asyncio
import subprocess
import sys

_PORTAL = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
_READ = ("org.freedesktop.portal.Settings", "Read")
_STILL = {
    ("org.freedesktop.appearance", "reduced-motion"): 1,
    ("org.gnome.desktop.interface", "enable-animations"): False,
    ("org.kde.kdeglobals.KDE", "AnimationDurationFactor"): "0",
}
"""The settings of the desktops that speak of motion, by group and name, with the value that asks for none."""
_LONGEST = 1000
"""Milliseconds that a desktop may take to answer."""
_ANIMATIONS_OF_WINDOWS = 0x1042
"""SPI_GETCLIENTAREAANIMATION."""
_OF_MAC = ("/usr/bin/defaults", "read", "com.apple.universalaccess", "reduceMotion")


async def system_animations_enabled() -> bool:
    """Whether the system lets things slide and fade."""
    if sys.platform == "win32":
        return _windows_moves()
    if sys.platform == "darwin":
        return await asyncio.to_thread(_mac_moves)
    return await _desktop_moves()


async def _desktop_moves() -> bool:
    """What the desktop says by its settings portal: the way for GNOME, KDE and others alike."""
    from PySide6.QtDBus import QDBusConnection

    if not QDBusConnection.sessionBus().isConnected():
        return True
    said = [(await _setting(group, name), still) for (group, name), still in _STILL.items()]
    return all(found != still for found, still in said)


async def _setting(group: str, name: str) -> object:
    """A setting of the desktop; None where it has none of this name."""
    from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher, QDBusVariant

    question = QDBusMessage.createMethodCall(*_PORTAL, *_READ)
    question.setArguments([group, name])
    answered = asyncio.Event()
    watcher = QDBusPendingCallWatcher(QDBusConnection.sessionBus().asyncCall(question, _LONGEST))
    watcher.finished.connect(answered.set)
    if not watcher.isFinished():
        await answered.wait()
    answer = watcher.reply()
    if answer.type() is not QDBusMessage.MessageType.ReplyMessage:
        return None
    said = next(iter(answer.arguments()), None)
    while isinstance(said, QDBusVariant):
        said = said.variant()
    return said


def _windows_moves() -> bool:
    from ctypes import byref, c_int, windll  # type: ignore[attr-defined]  # there on Windows alone

    moves = c_int(1)
    windll.user32.SystemParametersInfoW(_ANIMATIONS_OF_WINDOWS, 0, byref(moves), 0)
    return bool(moves.value)


def _mac_moves() -> bool:
    asked = subprocess.run(_OF_MAC, capture_output=True, check=False)  # noqa: S603 - the system's own program
    return asked.stdout.strip() != b"1"
