"""The list of the studies that were not saved when the program closed, and their texts."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.local.autosave import RecoveryCopy, UnreadableCopy
from batchwright.ui.core.formatting import clock, day, number, short_folder
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog
from batchwright.ui.widgets.surfaces import Separator
from batchwright.ui.widgets.text import Label


class RecoveryDialog(Dialog):
    """Lists recovery copies. After it was accepted, `used` or `discarded` is the chosen one; None for all.

    Args:
        copies: each copy with the label of its button.
    """

    help_address = "home.md#open-a-study"

    def __init__(self, copies: Iterable[tuple[RecoveryCopy, str]]) -> None:
        copies = tuple(copies)
        super().__init__(
            several_studies_title(len(copies)),
            _("A study that you open replaces the one in this window. The others stay in this list."),
            _("Discard all…"),
            ButtonKind.DESTROY,
            width=WIDE,
            cancels_by_default=True,
        )
        self.used: RecoveryCopy | None = None
        self.discarded: RecoveryCopy | None = None
        self.cancel_button.setText(_("Close"))
        for index, (copy, label) in enumerate(reversed(copies)):  # the newest first
            self.add(*([Separator()] if index else []), self._row(copy, label))

    def _row(self, copy: RecoveryCopy, label: str) -> QWidget:
        texts = column(Label(copy.title, TextRole.STRONG, wraps=True), gap=1)
        texts.add(Label(description(copy), TextRole.SMALL, "text2", wraps=True))
        use = Button(label, height=ButtonSize.NOTICE)
        use.setAccessibleName(f"{label} {copy.title}")
        use.clicked.connect(partial(self._use, copy))
        discard = Button(_("Discard"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        discard.setAccessibleName(_("Discard “{name}”").format(name=copy.title))
        discard.clicked.connect(partial(self._discard, copy))
        shown = QWidget()
        layout = row(gap=12, parent=shown)
        layout.addLayout(texts, 1)
        layout.add(use, discard)
        return shown

    def _use(self, copy: RecoveryCopy) -> None:
        self.used = copy
        self.accept()

    def _discard(self, copy: RecoveryCopy) -> None:
        self.discarded = copy
        self.accept()


def several_studies_title(count: int) -> str:
    """The number of studies that were not saved."""
    return ngettext(
        "{count} study was not saved when Batchwright closed",
        "{count} studies were not saved when Batchwright closed",
        count,
    ).format(count=number(count))


def copy_title(copy: RecoveryCopy) -> str:
    """The title of a notice about one copy."""
    return _("“{name}” was not saved when Batchwright closed").format(name=copy.title)


def description(copy: RecoveryCopy) -> str:
    """The file of a study, the time of its last change, and why it cannot be opened if it cannot."""
    changed = _("Last change: {time}.").format(time=_moment(copy.at))
    text = _("It was never saved to a file. {changed}").format(changed=changed)
    if copy.file is not None:
        text = _("File: {file}. {changed}").format(file=short_folder(copy.file.path), changed=changed)
    if isinstance(copy, UnreadableCopy):
        reason = _("This Batchwright cannot open it, so it is kept: {reason}").format(reason=copy.reason)
        return f"{text} {reason}"
    return text


def _moment(at: datetime) -> str:
    return _("{day}, {time}").format(day=day(at, with_year=False), time=clock(at))
