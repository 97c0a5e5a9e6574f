"""The dialog with the settings of the program; each takes effect at once."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.settings import POLL_INTERVALS_S, Settings
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.shell.view_actions import AppearanceSettings
from batchwright.ui.theme import TEXT_SIZES, ColorSchemePreference, TextRole, theme
from batchwright.ui.widgets.box_layouts import LayoutItem, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs import WIDE, Dialog
from batchwright.ui.widgets.fields import InputField, labelled
from batchwright.ui.widgets.file_dialogs import FolderChooser
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import SegmentedControl, Switch

_SECONDS_PER_MINUTE = 60

CHOOSING = "choose a path for the settings"
"""Name of the task that shows a file dialog."""


class SettingsDialog(Dialog):
    """Shows and changes the settings."""

    def __init__(self, context: StageContext, settings: Settings, dialogs: FolderChooser) -> None:
        super().__init__(_("Settings"), _("Changes take effect at once."), _("Close"), width=WIDE)
        self.cancel_button.hide()
        self._context, self._settings, self._dialogs = context, settings, dialogs
        self._appearance = AppearanceSettings(theme(), settings)
        self.add(
            _section(_("Appearance"), *self._appearance_rows()),
            _section(_("Files"), self._folder_field()),
            _section(_("Jobs"), *self._job_rows()),
        )

    def _appearance_rows(self) -> Sequence[LayoutItem]:
        schemes = SegmentedControl(
            _("Theme"),
            [
                (ColorSchemePreference.SYSTEM.value, _("System"), "circle-half"),
                (ColorSchemePreference.LIGHT.value, _("Light"), "sun"),
                (ColorSchemePreference.DARK.value, _("Dark"), "moon"),
            ],
        )
        schemes.choose(theme().color_scheme.value)
        schemes.chosen.connect(self._on_scheme_chosen)
        sizes = SegmentedControl(_("Text size"), [(str(size), f"{size} %", "") for size in TEXT_SIZES])
        sizes.choose(str(theme().text_size))
        sizes.chosen.connect(self._on_size_chosen)
        motion = Switch()
        motion.setChecked(theme().animations_enabled)
        motion.clicked.connect(self._appearance.toggle_animations)
        return (
            labelled(_("Theme"), schemes),
            labelled(_("Text size"), sizes),
            labelled(_("Animations"), motion),
        )

    def _on_scheme_chosen(self, id: str) -> None:
        self._appearance.set_color_scheme(ColorSchemePreference(id))

    def _on_size_chosen(self, id: str) -> None:
        self._appearance.set_text_size(int(id))

    def _folder_field(self) -> "_PathField":
        field = _PathField(
            _("Folder in which file dialogs start"),
            self._settings.fixed_folder,
            _("The folder of the last file"),
            _("The program’s own folders are listed under Help, About Batchwright."),
        )
        field.changed.connect(self._on_folder_changed)

        async def choose() -> None:
            current = Path(field.path) if field.path else None
            folder = await self._dialogs.folder_to_use(_("Choose the folder for files"), current)
            if folder is not None:
                field.set_path(str(folder))

        field.choice_requested.connect(lambda: self._context.tasks.start(CHOOSING, choose))
        return field

    def _on_folder_changed(self, folder: str) -> None:
        self._settings.fixed_folder = folder

    def _job_rows(self) -> Sequence[LayoutItem]:
        pauses = QComboBox()
        pauses.addItems([_duration(seconds) for seconds in POLL_INTERVALS_S])
        pauses.setCurrentIndex(POLL_INTERVALS_S.index(self._settings.longest_poll_s))
        pauses.currentIndexChanged.connect(self._on_pause_chosen)
        notifications = Switch()
        notifications.setChecked(self._settings.shows_notifications)
        notifications.toggled.connect(self._on_notifications_toggled)
        hint = _(
            "Of hosted services. New jobs are checked more often, those of this computer at least every 2 s."
        )
        return (
            labelled(_("Check jobs at least every"), pauses),
            Label(hint, TextRole.CAPTION, "text2", wraps=True),
            labelled(_("Show messages on the desktop when no window is active"), notifications),
        )

    def _on_pause_chosen(self, number: int) -> None:
        self._settings.longest_poll_s = POLL_INTERVALS_S[number]

    def _on_notifications_toggled(self, is_on: bool) -> None:
        self._settings.shows_notifications = is_on


class _PathField(InputField):
    """A path with buttons to choose and to clear it."""

    choice_requested = Signal()
    changed = Signal(str)

    def __init__(self, label: str, path: str, placeholder: str, hint: str) -> None:
        self._line, buttons = QLineEdit(), QWidget()
        choose, self._clear = (
            Button(text, ButtonKind.QUIET, height=ButtonSize.SMALL) for text in (_("Choose…"), _("Clear"))
        )
        row(choose, self._clear, gap=4, parent=buttons)
        super().__init__(label, self._line, hint=hint, corner=buttons)
        for button in (choose, self._clear):
            button.setAccessibleDescription(label)
        self._line.setReadOnly(True)
        self._line.setPlaceholderText(placeholder)
        choose.clicked.connect(self.choice_requested)
        self._clear.clicked.connect(lambda: self.set_path(""))
        self._show(path)

    @property
    def path(self) -> str:
        """The path; empty if there is none."""
        return self._line.text()

    def set_path(self, path: str) -> None:
        """Show another path, and emit `changed`."""
        self._show(path)
        self.changed.emit(path)

    def _show(self, path: str) -> None:
        self._line.setText(path)
        self._clear.setEnabled(bool(path))


def _section(title: str, *items: LayoutItem) -> LayoutItem:
    """A titled group of settings."""
    return column(Label(title, TextRole.SECTION), *items, 8, gap=10)


def _duration(seconds: int) -> str:
    """A pause in words."""
    if seconds % _SECONDS_PER_MINUTE:
        return ngettext("{count} second", "{count} seconds", seconds).format(count=seconds)
    minutes = seconds // _SECONDS_PER_MINUTE
    return ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)


async def open_settings(context: StageContext, settings: Settings, dialogs: FolderChooser) -> None:
    """Show the dialog over a window."""
    await SettingsDialog(context, settings, dialogs).ask(context.window)
