"""What the window remembers: place, panels, last stage and look, in an ini file of the data folder."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QWidget

from batchwright.ui.theme import TEXT_SIZES, ColorSchemePreference
from batchwright.ui.widgets.splitters import Splitter

_GEOMETRY, _STAGE, _LOOK, _TEXT_SIZE, _MOTION = (
    "window/geometry",
    "window/stage",
    "look/scheme",
    "look/text_size",
    "look/motion",
)
_LOG_LEVEL = "log/level"
_FOLDER = "files/folder"
_FULL, _REDUCED = "full", "reduced"


class Settings:
    """The settings of the screen; whatever cannot be read is as if it had never been set."""

    def __init__(self, folder: Path) -> None:
        self._settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)

    @property
    def color_scheme(self) -> ColorSchemePreference:
        """The look that was asked for."""
        kept = self._text(_LOOK)
        return (
            ColorSchemePreference(kept)
            if kept in set(ColorSchemePreference)
            else ColorSchemePreference.SYSTEM
        )

    @color_scheme.setter
    def color_scheme(self, scheme: ColorSchemePreference) -> None:
        self._settings.setValue(_LOOK, scheme.value)

    @property
    def text_size(self) -> int | None:
        """The text size in per cent; None for the system's."""
        kept = self._text(_TEXT_SIZE)
        return int(kept) if kept in {str(size) for size in TEXT_SIZES} else None

    @text_size.setter
    def text_size(self, per_cent: int) -> None:
        self._settings.setValue(_TEXT_SIZE, str(per_cent))

    @property
    def log_level(self) -> str | None:
        """The level of the log, which is set by hand in the file; None for the usual one."""
        return self._text(_LOG_LEVEL) or None

    @property
    def animations_enabled(self) -> bool | None:
        """Whether things may slide and fade; None for as the system has it."""
        return {_FULL: True, _REDUCED: False}.get(self._text(_MOTION))

    @animations_enabled.setter
    def animations_enabled(self, enabled: bool | None) -> None:
        self._settings.setValue(_MOTION, {True: _FULL, False: _REDUCED, None: ""}[enabled])

    @property
    def stage(self) -> str:
        """The id of the stage that was shown last; empty when none was."""
        return self._text(_STAGE)

    @stage.setter
    def stage(self, id: str) -> None:
        self._settings.setValue(_STAGE, id)

    @property
    def folder(self) -> str:
        """The folder of the last file that was chosen in a dialog; empty when none was."""
        return self._text(_FOLDER)

    @folder.setter
    def folder(self, folder: str) -> None:
        self._settings.setValue(_FOLDER, folder)

    def save_window(self, window: QWidget) -> None:
        """Remember place and size of a window, and its splitters but those that were never shown."""
        self._settings.setValue(_GEOMETRY, _as_text(window.saveGeometry()))
        for splitter in filter(lambda splitter: splitter.was_shown, window.findChildren(Splitter)):
            self._settings.setValue(f"splitters/{splitter.objectName()}", splitter.state_text())
        self._settings.sync()

    def restore_window(self, window: QWidget) -> bool:
        """Give a window its place and size again; False when none is kept."""
        kept = self._text(_GEOMETRY)
        return bool(kept) and window.restoreGeometry(QByteArray.fromBase64(kept.encode()))

    def restore_splitters(self, stage: QWidget) -> None:
        """Give the splitters of a stage their sizes again."""
        for splitter in stage.findChildren(Splitter):
            kept = self._text(f"splitters/{splitter.objectName()}")
            if kept:
                splitter.restore_text(kept)

    def _text(self, key: str) -> str:
        kept = self._settings.value(key, "")
        return kept if isinstance(kept, str) else ""


def _as_text(state: QByteArray) -> str:
    return bytes(state.toBase64().data()).decode()
