"""The dialogs of the Collections stage: create, replace, copy."""

from PySide6.QtWidgets import QLineEdit
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.fields import InputField


def create_dialog(name: str, service: str) -> Dialog:
    """The confirmation before a collection is created at a live service."""
    dialog = Dialog(
        _("Create the collection “{name}”?").format(name=name),
        _("Creates a collection with the pages of the study. It can be used at once; it needs no setup."),
        _("Create collection"),
        ButtonKind.LIVE,
    )
    _warn_of_live(dialog, service)
    return dialog


class ReplaceDialog(Dialog):
    """The confirmation before a collection is replaced: its answers, and changes made by others.

    Args:
        name: name of the collection.
        answers: number of its answers; None if they could not be counted.
        changed_since: when this study was last sent, if the collection has changed since; empty if that time
            is unknown, None if it has not changed.
        is_recorded: whether the study has a record of what it sent last.
        live: name of the live service; empty for the service on this computer.
    """

    def __init__(
        self, name: str, *, answers: int | None, changed_since: str | None, is_recorded: bool, live: str
    ) -> None:
        is_changed = changed_since is not None
        kind = ButtonKind.LIVE if live else ButtonKind.DESTROY if is_changed else ButtonKind.PRIMARY
        super().__init__(
            _("Save to the collection “{name}”?").format(name=name),
            _(
                "The collection gets the name, task details and pages of the study. Participants see them at "
                "once; what the study does not contain is deleted."
            ),
            _("Overwrite the change") if is_changed else _("Save to the service"),
            kind,
            cancels_by_default=True,
        )
        self.opens_theirs = False
        """Whether the user wants to open the collection as a study instead."""
        if answers != 0:
            self.add_warning(_answered(answers), is_live=False)
        if changed_since is not None:
            self.add_warning(_changed(changed_since), is_live=False)
            theirs = Button(_("Open their version"), height=ButtonSize.DIALOG)
            theirs.clicked.connect(self._open_theirs)
            self.add_side_button(theirs)
        elif not is_recorded:
            self.add_warning(
                _(
                    "The study file does not record what was last sent. Changes that others made to the "
                    "collection are overwritten."
                ),
                is_live=False,
            )
        if live:
            _warn_of_live(self, live)

    def _open_theirs(self) -> None:
        self.opens_theirs = True
        self.reject()


class CopyDialog(Dialog):
    """Asks for the name of the copy of a collection."""

    def __init__(self, name: str, live: str) -> None:
        super().__init__(
            _("Copy the collection"),
            _("The copy has the task details and the pages, but no answers."),
            _("Copy"),
            ButtonKind.LIVE if live else ButtonKind.PRIMARY,
        )
        self.name = ""
        """What the user entered, once the dialog was accepted."""
        self._name = QLineEdit(f"{name} (Copy)")
        self._name.setObjectName("name")
        self.add(InputField(_("Name of the copy"), self._name, hint=_("Only your workspace sees it.")))
        if live:
            _warn_of_live(self, live)
        self._name.textChanged.connect(self._refresh)
        self._name.selectAll()

    @override
    def accept(self) -> None:
        self.name = self._name.text().strip()
        super().accept()

    def _refresh(self) -> None:
        self.accept_button.set_disabled_reason(
            "" if self._name.text().strip() else _("Enter a name for the copy first")
        )


def _warn_of_live(dialog: Dialog, service: str) -> None:
    warning = _("This reaches {service}. It cannot be undone.").format(service=service)
    dialog.add_warning(warning, is_live=True)


def _answered(answers: int | None) -> str:
    kept = _("Answers to questions that are removed stay in the export.")
    if answers is None:
        return _("The answers could not be counted.") + " " + kept
    text = ngettext("The collection has {count} answer.", "The collection has {count} answers.", answers)
    return f"{text.format(count=number(answers))} {kept}"


def _changed(since: str) -> str:
    text = _(
        "The collection has changed since this study last sent it, by someone else or from another copy of "
        "the study. Saving overwrites that change."
    )
    if since:
        text = _(
            "The collection has changed since this study last sent it ({time}), by someone else or from "
            "another copy of the study. Saving overwrites that change."
        )
    return text.format(time=since)
