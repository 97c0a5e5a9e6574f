"""The settings of the window, stored in `window.ini` in the data folder.

Geometry, splitters, open studies, last stage and last folder are stored as they change; the others are
changed in the dialog "Settings" or in the View menu, and take effect at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QWidget

from batchwright.base.json_values import InvalidJson, Json, is_array, is_object, parse, to_json
from batchwright.base.network_settings import NetworkSettings, proxy_error
from batchwright.ui.theme import TEXT_SIZES, ColorSchemePreference
from batchwright.ui.widgets.splitters import Splitter

_GEOMETRY, _STAGE, _COLOR_SCHEME, _TEXT_SIZE, _MOTION = (
    "window/geometry",
    "window/stage",
    "look/scheme",
    "look/text_size",
    "look/motion",
)
_OPEN_STUDIES = "window/studies"
_LOG_LEVEL = "log/level"
_FOLDER, _FIXED_FOLDER = "files/folder", "files/fixed_folder"
_LONGEST_POLL, _NOTIFICATIONS = "jobs/longest_poll_s", "jobs/notifications"
_PROXY, _PROXY_USER = "network/proxy", "network/proxy_user"
_CERTIFICATES = "network/certificates"
_UPDATES, _LAST_UPDATE_CHECK = "updates/check", "updates/last_check"
_SAVE_OPTIONS, _RESULTS_SECTION = "results/save_options", "results/section"
_ANSWER_COLUMNS = "results/answer_columns"
_FULL, _REDUCED = "full", "reduced"
_ON, _OFF = "on", "off"

POLL_INTERVALS_S = (5, 15, 30, 60, 300)
"""The choices of `longest_poll_s`."""
_DEFAULT_POLL_S = 15


@dataclass(frozen=True)
class OpenStudy:
    """A study that is open in a window: its file, and the id of the stage shown."""

    path: Path
    stage: str


class Settings:
    """Reads and writes the settings; an invalid value counts as not set."""

    def __init__(self, folder: Path) -> None:
        self._settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)

    @property
    def color_scheme(self) -> ColorSchemePreference:
        """The preferred colour scheme: light, dark, or that of the system."""
        stored = self._text(_COLOR_SCHEME)
        return (
            ColorSchemePreference(stored)
            if stored in set(ColorSchemePreference)
            else ColorSchemePreference.SYSTEM
        )

    @color_scheme.setter
    def color_scheme(self, scheme: ColorSchemePreference) -> None:
        self._settings.setValue(_COLOR_SCHEME, scheme.value)

    @property
    def text_size(self) -> int | None:
        """The text size in per cent; None for that of the system."""
        stored = self._text(_TEXT_SIZE)
        return int(stored) if stored in {str(size) for size in TEXT_SIZES} else None

    @text_size.setter
    def text_size(self, per_cent: int) -> None:
        self._settings.setValue(_TEXT_SIZE, str(per_cent))

    @property
    def log_level(self) -> str | None:
        """The log level, which can only be set by editing the file; None for the default."""
        return self._text(_LOG_LEVEL) or None

    @property
    def animations_enabled(self) -> bool | None:
        """Whether animations are shown; None to follow the system."""
        return {_FULL: True, _REDUCED: False}.get(self._text(_MOTION))

    @animations_enabled.setter
    def animations_enabled(self, enabled: bool | None) -> None:
        self._settings.setValue(_MOTION, {True: _FULL, False: _REDUCED, None: ""}[enabled])

    @property
    def stage(self) -> str:
        """The id of the stage shown last; empty if none is stored."""
        return self._text(_STAGE)

    @stage.setter
    def stage(self, id: str) -> None:
        self._settings.setValue(_STAGE, id)

    @property
    def open_studies(self) -> tuple[OpenStudy, ...]:
        """The studies that were open when the program ended, one for each window."""
        return tuple(_studies_in(self._text(_OPEN_STUDIES)))

    @open_studies.setter
    def open_studies(self, studies: Sequence[OpenStudy]) -> None:
        entries: list[Json] = [{"path": str(study.path), "stage": study.stage} for study in studies]
        self._settings.setValue(_OPEN_STUDIES, to_json(entries))

    @property
    def folder(self) -> str:
        """The folder of the file last chosen in a dialog; empty if none is stored."""
        return self._text(_FOLDER)

    @folder.setter
    def folder(self, folder: str) -> None:
        self._settings.setValue(_FOLDER, folder)

    @property
    def fixed_folder(self) -> str:
        """The folder in which file dialogs start; empty for the folder of the last file."""
        return self._text(_FIXED_FOLDER)

    @fixed_folder.setter
    def fixed_folder(self, folder: str) -> None:
        self._settings.setValue(_FIXED_FOLDER, folder)

    @property
    def longest_poll_s(self) -> int:
        """The longest pause in seconds between two polls of a job of a hosted service."""
        stored = self._text(_LONGEST_POLL)
        return int(stored) if stored in {str(seconds) for seconds in POLL_INTERVALS_S} else _DEFAULT_POLL_S

    @longest_poll_s.setter
    def longest_poll_s(self, seconds: int) -> None:
        self._settings.setValue(_LONGEST_POLL, str(seconds))

    @property
    def shows_notifications(self) -> bool:
        """Whether messages are shown on the desktop while no window is active."""
        return self._text(_NOTIFICATIONS) != _OFF

    @shows_notifications.setter
    def shows_notifications(self, shows: bool) -> None:
        self._settings.setValue(_NOTIFICATIONS, _ON if shows else _OFF)

    @property
    def network(self) -> NetworkSettings:
        """The proxy, without its password, and the certificates for hosted services.

        An invalid proxy counts as not set.
        """
        proxy = self._text(_PROXY)
        return NetworkSettings(
            "" if proxy_error(proxy) else proxy, self._text(_CERTIFICATES), self._text(_PROXY_USER)
        )

    @network.setter
    def network(self, network: NetworkSettings) -> None:
        self._settings.setValue(_PROXY, network.proxy)
        self._settings.setValue(_PROXY_USER, network.proxy_user)
        self._settings.setValue(_CERTIFICATES, network.certificates)

    @property
    def checks_for_updates(self) -> bool:
        """Whether the program looks for a newer version once a day; off unless the user switches it on."""
        return self._text(_UPDATES) == _ON

    @checks_for_updates.setter
    def checks_for_updates(self, checks: bool) -> None:
        self._settings.setValue(_UPDATES, _ON if checks else _OFF)

    @property
    def last_update_check(self) -> str:
        """The date of the last daily check in ISO format; empty if there was none."""
        return self._text(_LAST_UPDATE_CHECK)

    @last_update_check.setter
    def last_update_check(self, day: str) -> None:
        self._settings.setValue(_LAST_UPDATE_CHECK, day)

    @property
    def results_section(self) -> str:
        """The id of the section of Results shown last; empty if none is stored."""
        return self._text(_RESULTS_SECTION)

    @results_section.setter
    def results_section(self, id: str) -> None:
        self._settings.setValue(_RESULTS_SECTION, id)

    @property
    def answer_columns(self) -> str:
        """The columns chosen for the answers in Results, as JSON; empty if none are stored."""
        return self._text(_ANSWER_COLUMNS)

    @answer_columns.setter
    def answer_columns(self, columns: str) -> None:
        self._settings.setValue(_ANSWER_COLUMNS, columns)

    @property
    def save_options(self) -> str:
        """The choices made when results were last saved, as JSON; empty if none are stored."""
        return self._text(_SAVE_OPTIONS)

    @save_options.setter
    def save_options(self, options: str) -> None:
        self._settings.setValue(_SAVE_OPTIONS, options)

    def save_window(self, window: QWidget) -> None:
        """Store the geometry of a window and the sizes of its splitters, except those never shown."""
        self._settings.setValue(_GEOMETRY, _as_text(window.saveGeometry()))
        for splitter in filter(lambda splitter: splitter.was_shown, window.findChildren(Splitter)):
            self._settings.setValue(f"splitters/{splitter.objectName()}", splitter.state_text())
        self._settings.sync()

    def restore_window(self, window: QWidget) -> bool:
        """Restore the geometry of a window; returns False if none is stored."""
        stored = self._text(_GEOMETRY)
        return bool(stored) and window.restoreGeometry(QByteArray.fromBase64(stored.encode()))

    def restore_splitters(self, stage: QWidget) -> None:
        """Restore the sizes of the splitters in a stage."""
        for splitter in stage.findChildren(Splitter):
            stored = self._text(f"splitters/{splitter.objectName()}")
            if stored:
                splitter.restore_text(stored)

    def _text(self, key: str) -> str:
        stored = self._settings.value(key, "")
        return stored if isinstance(stored, str) else ""


def _as_text(state: QByteArray) -> str:
    return bytes(state.toBase64().data()).decode()


def _studies_in(text: str) -> Iterator[OpenStudy]:
    """The studies that a setting lists; anything else in it is skipped."""
    try:
        entries = parse(text.encode()) if text else []
    except InvalidJson:
        return
    for entry in entries if is_array(entries) else ():
        path, stage = (entry.get("path"), entry.get("stage")) if is_object(entry) else (None, None)
        if isinstance(path, str) and isinstance(stage, str):
            yield OpenStudy(Path(path), stage)
