"""The settings of the window, stored in `window.ini` in the data folder.

Geometry, splitters, open studies, last stage and last folder are stored as they change; the others are
changed in the dialog "Settings" or in the View menu, and take effect at once, except the language.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import N_, _, languages
from batchwright.base.json_values import InvalidJson, Json, is_array, is_object, parse, to_json
from batchwright.base.local_formats import joined
from batchwright.base.network_settings import NetworkSettings, proxy_error
from batchwright.base.policy import (
    CERTIFICATES,
    FILES_FOLDER,
    LANGUAGE,
    POLICY_KEYS,
    PROXY,
    PROXY_USER,
    UPDATE_CHECK,
    PolicyKey,
    computer_policy,
)
from batchwright.ui.theme import TEXT_SIZES, ColorSchemePreference, theme
from batchwright.ui.widgets.splitters import Splitter

T = TypeVar("T")

_GEOMETRY = "window/geometry"

POLL_INTERVALS_S = (5, 15, 30, 60, 300)
"""The choices of `longest_poll_s`."""
_DEFAULT_POLL_S = 15


@dataclass(frozen=True)
class OpenStudy:
    """A study that is open in a window: its file, and the id of the stage shown."""

    path: Path
    stage: str


@dataclass(frozen=True)
class Setting(Generic[T]):
    """A value stored in the file, read and assigned as an attribute of `Settings`."""

    key: str
    """The section and the name in the file."""
    parse: Callable[[str], T]
    """Returns the value for what is stored; its argument is empty if nothing is."""
    to_text: Callable[[T], str]
    """Returns what is stored for a value."""
    title: str = ""
    """The title in the support report; empty to leave the setting out."""
    in_report: Callable[[T], str] = str
    """Returns the text in the support report, without paths and addresses."""
    policy_key: PolicyKey[T] | None = None
    """By which a policy presets or locks it; None if no policy does."""

    def __get__(self, settings: "Settings", owner: "type[Settings]") -> T:
        key, policy = self.policy_key, settings.policy
        if key is None:
            return self.parse(settings.stored_text(self.key))
        preset = None if settings.is_stored(self.key) else policy.preset(key)
        fixed = next((value for value in (policy.locked(key), preset) if value is not None), None)
        return self.parse(settings.stored_text(self.key)) if fixed is None else fixed

    def __set__(self, settings: "Settings", value: T) -> None:
        if self.policy_key is None or value != self.__get__(settings, Settings):  # a preset may change later
            settings.store_text(self.key, self.to_text(value))


def _text(
    key: str,
    title: str = "",
    in_report: Callable[[str], str] = str,
    policy_key: PolicyKey[str] | None = None,
) -> Setting[str]:
    """A text; empty if it is not set."""
    return Setting(key, str, str, title, in_report, policy_key)


def _choice(
    key: str, choices: Mapping[str, T], default: T, title: str, in_report: Callable[[T], str]
) -> Setting[T]:
    """A value that is stored as its key in `choices`; the default one if it is not set."""
    texts = {value: text for text, value in choices.items()}
    return Setting(
        key, lambda text: choices.get(text, default), lambda value: texts.get(value, ""), title, in_report
    )


def _switch(
    key: str, title: str, *, default: bool, policy_key: PolicyKey[bool] | None = None
) -> Setting[bool]:
    setting = _choice(key, {"on": True, "off": False}, default, title, _on_or_off)
    return replace(setting, policy_key=policy_key)


def _on_or_off(is_on: bool) -> str:
    return _("on") if is_on else _("off")


def _set_or_not(text: str) -> str:
    return _("set") if text else _("not set")


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


def _to_study_list(studies: Sequence[OpenStudy]) -> str:
    entries: list[Json] = [{"path": str(study.path), "stage": study.stage} for study in studies]
    return to_json(entries)


class Settings:
    """Reads and writes the settings; an invalid value counts as not set.

    A value that the policy locks has precedence over the stored one, and a stored one over a preset. The
    support report lists the settings in the order in which they stand here.
    """

    language = Setting(
        "look/language",
        lambda tag: tag if tag in languages() else "",
        str,
        N_("Language"),
        lambda tag: tag or _("system"),
        LANGUAGE,
    )
    """The tag of the window's language from its next start on, such as `pt-BR`; empty for the system's."""
    color_scheme = _choice(
        "look/scheme",
        {scheme.value: scheme for scheme in ColorSchemePreference},
        ColorSchemePreference.SYSTEM,
        N_("Theme"),
        lambda scheme: scheme.value,
    )
    """The preferred colour scheme: light, dark, or that of the system."""
    text_size = _choice(
        "look/text_size",
        {str(size): size for size in TEXT_SIZES},
        None,
        N_("Text size"),
        lambda _size: _("{number} %").format(number=theme().text_size),
    )
    """The text size in per cent; None for that of the system."""
    animations_enabled = _choice(
        "look/motion",
        {"full": True, "reduced": False},
        None,
        N_("Animations"),
        lambda _enabled: _on_or_off(theme().animations_enabled),
    )
    """Whether animations are shown; None to follow the system."""
    longest_poll_s = _choice(
        "jobs/longest_poll_s",
        {str(seconds): seconds for seconds in POLL_INTERVALS_S},
        _DEFAULT_POLL_S,
        N_("Longest pause between polls"),
        lambda seconds: f"{seconds} s",
    )
    """The longest pause in seconds between two polls of a job of a hosted service."""
    shows_notifications = _switch("jobs/notifications", N_("Messages on the desktop"), default=True)
    """Whether messages are shown on the desktop while no window is active."""
    fixed_folder = _text("files/fixed_folder", N_("Fixed folder for files"), _set_or_not, FILES_FOLDER)
    """The folder in which file dialogs start; empty for the folder of the last file."""
    _proxy = Setting(
        "network/proxy",
        lambda text: "" if proxy_error(text) else text,
        str,
        N_("Proxy"),
        lambda url: _("manual") if url else _("system"),
        PROXY,
    )
    _proxy_user = _text("network/proxy_user", policy_key=PROXY_USER)
    _certificates = _text("network/certificates", N_("Certificates"), _set_or_not, CERTIFICATES)
    checks_for_updates = _switch("updates/check", N_("Update check"), default=False, policy_key=UPDATE_CHECK)
    """Whether the program looks for a newer version once a day; off unless the user switches it on."""
    log_level = _text("log/level", N_("Log level"), lambda level: level or _("default"))
    """The log level, which can only be set by editing the file; empty for the default."""

    callouts = Setting("window/callouts", lambda text: tuple(filter(None, text.split(" "))), " ".join)
    """The names of the callouts that are still to be shown."""
    stage = _text("window/stage")
    """The id of the stage shown last; empty if none is stored."""
    open_studies = Setting("window/studies", lambda text: tuple(_studies_in(text)), _to_study_list)
    """The studies that were open when the program ended, one for each window."""
    folder = _text("files/folder")
    """The folder of the file last chosen in a dialog; empty if none is stored."""
    last_update_check = _text("updates/last_check")
    """The date of the last daily check in ISO format; empty if there was none."""
    results_section = _text("results/section")
    """The id of the section of Results shown last; empty if none is stored."""
    answer_columns = _text("results/answer_columns")
    """The columns chosen for the answers in Results, as JSON; empty if none are stored."""
    record_columns = _text("data/columns")
    """How the columns of the latest data files are arranged, as JSON; empty if none are stored."""
    record_form = _text("data/record_form")
    """How the values of a record were last shown; empty if none was."""
    save_options = _text("results/save_options")
    """The choices made when results were last saved, as JSON; empty if none are stored."""

    def __init__(self, folder: Path) -> None:
        self.policy = computer_policy()
        self._settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)

    @property
    def network(self) -> NetworkSettings:
        """The proxy, without its password, and the certificates for hosted services."""
        return NetworkSettings(self._proxy, self._certificates, self._proxy_user)

    @network.setter
    def network(self, network: NetworkSettings) -> None:
        self._proxy, self._proxy_user = network.proxy, network.proxy_user
        self._certificates = network.certificates

    def report(self) -> dict[str, str]:
        """The texts of the settings and of the policy in the support report, by title."""
        settings = (value for value in vars(Settings).values() if isinstance(value, Setting))
        texts = {
            _(setting.title): setting.in_report(setting.__get__(self, Settings))
            for setting in settings
            if setting.title
        }
        policy = self.policy
        path = _("none") if policy.path is None else str(policy.path)
        texts[_("Policy")] = policy.problem or path
        for title, names in ((_("Locked by the policy"), policy.locks), (_("Preset by it"), policy.presets)):
            if names:
                texts[title] = joined(_(key.title) for key in POLICY_KEYS if key.name in names)
        return texts

    @property
    def is_new(self) -> bool:
        """Whether nothing is stored yet, as before the first window is opened."""
        return not self._settings.allKeys()

    def stored_text(self, key: str) -> str:
        """What is stored under a key; empty if it is not a text."""
        stored = self._settings.value(key, "")
        return stored if isinstance(stored, str) else ""

    def is_stored(self, key: str) -> bool:
        """Whether something is stored under a key, be it empty."""
        return self._settings.contains(key)

    def store_text(self, key: str, text: str) -> None:
        """Store a text under a key."""
        self._settings.setValue(key, text)

    def save_window(self, window: QWidget) -> None:
        """Store the geometry of a window and the sizes of its splitters, except those never shown."""
        self._settings.setValue(_GEOMETRY, _as_text(window.saveGeometry()))
        for splitter in filter(lambda splitter: splitter.was_shown, window.findChildren(Splitter)):
            self._settings.setValue(f"splitters/{splitter.objectName()}", splitter.state_text())
        self._settings.sync()

    def restore_window(self, window: QWidget) -> bool:
        """Restore the geometry of a window; returns False if none is stored."""
        stored = self.stored_text(_GEOMETRY)
        return bool(stored) and window.restoreGeometry(QByteArray.fromBase64(stored.encode()))

    def restore_splitters(self, stage: QWidget) -> None:
        """Restore the sizes of the splitters in a stage."""
        for splitter in stage.findChildren(Splitter):
            stored = self.stored_text(f"splitters/{splitter.objectName()}")
            if stored:
                splitter.restore_text(stored)


def _as_text(state: QByteArray) -> str:
    return bytes(state.toBase64().data()).decode()
