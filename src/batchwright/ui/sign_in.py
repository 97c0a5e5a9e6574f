"""The dialogs that ask for a token: for a connection that has none, and for a new one."""

from dataclasses import dataclass, field

from PySide6.QtWidgets import QCheckBox, QLineEdit
from typing_extensions import override

from batchwright.ui.kit.dialogs import Dialog
from batchwright.ui.kit.fields import Field
from batchwright.words import _


@dataclass(frozen=True)
class Given:
    """What a person typed; the token is never shown nor written to a file."""

    name: str = ""
    url: str = ""
    workspace_id: str = ""
    token: str = field(default="", repr=False)
    is_kept: bool = True


@dataclass(frozen=True)
class Fault:
    """What is wrong, and with which attribute of `Given`."""

    field: str
    sentence: str


class SignIn(Dialog):
    """Asks for a token, and for a new connection also where it leads."""

    def __init__(self, given: Given, fault: Fault | None = None, *, is_new: bool = False) -> None:
        super().__init__(
            _("Add a connection") if is_new else _("Sign in to {name}").format(name=given.name),
            _("The token is checked before anything else is sent, and shown to nobody."),
            _("Check and add") if is_new else _("Sign in"),
        )
        self._given = given
        self.taken: Given | None = None
        """What was typed when the act was chosen; the fields are gone by the time the answer arrives."""
        self._fields: dict[str, Field] = {}
        if is_new:
            self._ask("name", _("Name"), given.name, _("What you call it, such as “Lab account”"))
            self._ask("url", _("Address"), given.url, _("https, or http to this computer only"))
            self._ask(
                "workspace_id", _("Workspace id"), given.workspace_id, _("The workspace that work belongs to")
            )
        self._ask("token", _("Token"), given.token, _("Made in the settings of your account"))
        token = self._line("token")
        token.setEchoMode(QLineEdit.EchoMode.Password)
        self._keep = QCheckBox(_("Keep it in the key ring of this computer"))
        self._keep.setChecked(given.is_kept)
        self.put(self._keep)
        if fault is not None and fault.field in self._fields:
            self._fields[fault.field].show_error(fault.sentence)
        elif fault is not None:
            self.warn(fault.sentence, is_live=False)
        for one in self._fields.values():
            self._line_of(one).textChanged.connect(self._refresh)
        self._refresh()

    @property
    def given(self) -> Given:
        """What was typed."""
        texts = {name: self._line(name).text().strip() for name in self._fields}
        kept = {"name": self._given.name, "url": self._given.url, "workspace_id": self._given.workspace_id}
        return Given(**{**kept, **texts}, is_kept=self._keep.isChecked())

    @override
    def accept(self) -> None:
        self.taken = self.given
        super().accept()

    def _ask(self, name: str, label: str, text: str, hint: str) -> None:
        self._fields[name] = Field(label, QLineEdit(text), hint=hint, required=True)
        self._line(name).setObjectName(name)
        self.put(self._fields[name])

    def _line(self, name: str) -> QLineEdit:
        return self._line_of(self._fields[name])

    def _line_of(self, one: Field) -> QLineEdit:
        if not isinstance(one.control, QLineEdit):
            raise TypeError("every field here is a line")
        return one.control

    def _refresh(self) -> None:
        empty = [name for name in self._fields if not self._line(name).text().strip()]
        self.act.allow(_("Fill in every field first") if empty else "")
