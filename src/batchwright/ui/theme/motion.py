"""Detects whether the system requests reduced motion; Qt does not provide this setting.

Without a setting, animations are enabled.
"""

import asyncio
import subprocess
import sys

_PORTAL = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
_READ = ("org.freedesktop.portal.Settings", "Read")
_REDUCED_MOTION_SETTINGS = {
    ("org.freedesktop.appearance", "reduced-motion"): 1,
    ("org.gnome.desktop.interface", "enable-animations"): False,
    ("org.kde.kdeglobals.KDE", "AnimationDurationFactor"): "0",
}
"""Settings of Linux desktops by group and name, with the value that requests reduced motion."""
_TIMEOUT_MS = 1000
"""Timeout of a query."""
_SPI_GETCLIENTAREAANIMATION = 0x1042
"""SPI_GETCLIENTAREAANIMATION."""
_MAC_COMMAND = ("/usr/bin/defaults", "read", "com.apple.universalaccess", "reduceMotion")


async def system_animations_enabled() -> bool:
    """Whether animations are enabled in the system."""
    if sys.platform == "win32":
        return _windows_animations_enabled()
    if sys.platform == "darwin":
        return await asyncio.to_thread(_mac_animations_enabled)
    return await _desktop_animations_enabled()


async def _desktop_animations_enabled() -> bool:
    """Read the settings portal, which GNOME, KDE and others provide."""
    from PySide6.QtDBus import QDBusConnection

    if not QDBusConnection.sessionBus().isConnected():
        return True
    for (group, name), reduced in _REDUCED_MOTION_SETTINGS.items():
        if await _read_setting(group, name) == reduced:
            return False
    return True


async def _read_setting(group: str, name: str) -> object:
    """A setting of the desktop; None if it does not exist."""
    from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher, QDBusVariant

    request = QDBusMessage.createMethodCall(*_PORTAL, *_READ)
    request.setArguments([group, name])
    finished = asyncio.Event()
    watcher = QDBusPendingCallWatcher(QDBusConnection.sessionBus().asyncCall(request, _TIMEOUT_MS))
    watcher.finished.connect(finished.set)
    if not watcher.isFinished():
        await finished.wait()
    reply = watcher.reply()
    if reply.type() is not QDBusMessage.MessageType.ReplyMessage:
        return None
    value = next(iter(reply.arguments()), None)
    while isinstance(value, QDBusVariant):
        value = value.variant()
    return value


def _windows_animations_enabled() -> bool:
    from ctypes import byref, c_int, windll  # type: ignore[attr-defined]  # exists only on Windows

    enabled = c_int(1)
    windll.user32.SystemParametersInfoW(_SPI_GETCLIENTAREAANIMATION, 0, byref(enabled), 0)
    return bool(enabled.value)


def _mac_animations_enabled() -> bool:
    result = subprocess.run(_MAC_COMMAND, capture_output=True, check=False)  # noqa: S603 - the system's own program
    return result.stdout.strip() != b"1"
