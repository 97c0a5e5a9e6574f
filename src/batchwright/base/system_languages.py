"""The languages that the user has chosen in the system, the preferred one first, and how numbers are written.

Environment variables have precedence, as for all programs that use gettext. Windows and macOS set none for
programs that are started on the desktop: there, the system is asked.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""In the order in which gettext reads them; the first one that is set counts."""
_NUMBER_VARIABLES = ("LC_ALL", "LC_NUMERIC")
_MAX_NAME = 85
"""Characters of the longest name of a locale on Windows."""
_NAMES = 0x8
"""Asks Windows for names such as `de-DE` instead of numbers."""


def system_languages() -> list[str]:
    """BCP 47 tags, such as `de-AT`; none if nothing is chosen, as in the locale “C”."""
    value = next(filter(None, map(os.environ.get, _VARIABLES)), None)
    if value is not None:
        return [tag for name in value.split(":") if (tag := _tag(name))]
    return {"win32": _languages_of_windows, "darwin": _languages_of_macos}.get(sys.platform, list)()


def system_numbers() -> str:
    """The BCP 47 tag of how the user writes numbers; empty if only the languages say it."""
    name = next(filter(None, map(os.environ.get, _NUMBER_VARIABLES)), None)
    if name is None:
        name = {"win32": _numbers_of_windows, "darwin": _numbers_of_macos}.get(sys.platform, str)()
    return _tag(name)


def _tag(name: str) -> str:
    """The tag for the name of a locale, such as `pt-BR` for `pt_BR.UTF-8@latin`; empty for “C”."""
    tag = name.partition(".")[0].partition("@")[0].replace("_", "-")
    return "" if tag in {"C", "POSIX"} else tag


def _languages_of_windows() -> list[str]:
    import ctypes  # only Windows needs it  # noqa: PLC0415

    count, size = ctypes.c_ulong(), ctypes.c_ulong()
    ask = vars(ctypes)["windll"].kernel32.GetUserPreferredUILanguages  # only Windows has it
    ask(_NAMES, ctypes.byref(count), None, ctypes.byref(size))
    names = ctypes.create_unicode_buffer(max(1, size.value))
    ask(_NAMES, ctypes.byref(count), names, ctypes.byref(size))
    return [name for name in ctypes.wstring_at(names, size.value).split("\0") if name]


def _numbers_of_windows() -> str:
    import ctypes  # only Windows needs it  # noqa: PLC0415

    name = ctypes.create_unicode_buffer(_MAX_NAME)
    vars(ctypes)["windll"].kernel32.GetUserDefaultLocaleName(name, _MAX_NAME)
    return name.value


def _languages_of_macos() -> list[str]:
    languages = _preferences_of_macos().get("AppleLanguages", [])
    return [language for language in languages if isinstance(language, str)]


def _numbers_of_macos() -> str:
    return str(_preferences_of_macos().get("AppleLocale", ""))


def _preferences_of_macos() -> dict[str, Any]:
    import plistlib  # only macOS needs it  # noqa: PLC0415

    with suppress(OSError, ValueError):
        file = Path.home() / "Library" / "Preferences" / ".GlobalPreferences.plist"
        preferences: dict[str, Any] = plistlib.loads(file.read_bytes())
        return preferences
    return {}
