"""Reads and changes the instructions of a legacy batch: one line each, of which one is open."""

from collections.abc import Awaitable, Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from batchwright.base.i18n import _
from batchwright.client.errors import ChangedMeanwhile, is_service_error
from batchwright.layout.item_types.registry import Item
from batchwright.ui.editor.inspector.collapsible import CollapsibleHeader
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.inspector.forms import item_rows
from batchwright.ui.editor.item_labels import item_label, item_type_label
from batchwright.ui.editor.legacy_instructions import TYPES, LegacyInstructionsState
from batchwright.ui.icons import icon
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs import WIDE, Dialog, WarningBanner
from batchwright.ui.widgets.fields import TextArea
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import Separator
from batchwright.ui.widgets.text import Label
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite
from batchwright.workflows.messages import describe


async def edit_instructions(
    host: QWidget,
    name: str,
    records: Sequence[InstructionRecord],
    save: Callable[[InstructionsWrite], Awaitable[None]],
    *,
    deprecation: str,
    live: str,
) -> bool:
    """Show the instructions of a batch until they are saved.

    Args:
        host: the dialog is shown over it.
        name: of the batch.
        records: the instructions as the service has them.
        save: replaces them; its error is shown in the dialog.
        deprecation: when the service removes instructions, and what to do instead.
        live: the title of the live service that is reached; empty in a rehearsal.

    Returns:
        False if the dialog was cancelled.
    """
    instructions = LegacyInstructionsState(records)
    dialog = InstructionsDialog(name, instructions, ending=deprecation, live=live)

    async def attempt() -> bool:
        dialog.show_waiting()
        try:
            await save(instructions.wanted())
        except Exception as error:
            if not (is_service_error(error) or isinstance(error, ChangedMeanwhile)):
                raise
            dialog.show_error(error)
            return False
        return True

    return await dialog.ask_until(host, attempt)


class InstructionsDialog(Dialog):
    """The instructions, each with the form that it has in a layout. Use it with `ask_until`.

    Args:
        name: of the batch.
        instructions: those that are edited.
        ending: when the service gives instructions up, and what to do instead.
        live: the service reached, where it is a live one.
    """

    def __init__(self, name: str, instructions: LegacyInstructionsState, *, ending: str, live: str) -> None:
        said = _("Participants see each record, and below it these questions.")
        if live:
            said += " " + _("They are replaced at {service}.").format(service=live)
        super().__init__(
            _("Instructions of “{name}”").format(name=name),
            said,
            _("Save instructions"),
            ButtonKind.LIVE if live else ButtonKind.PRIMARY,
            width=WIDE,
        )
        self._instructions = instructions
        self._entries: list[_Entry] = []
        listed = QWidget()
        self._list, self._fault = column(gap=0, parent=listed), column()
        if ending:
            self.add(_advice(ending))
        self._add = self._made_add()
        self.add(listed, row(self._add, None), self._fault)
        instructions.changed.connect(self._refresh)
        self._rebuild("")
        self._refresh()

    def show_waiting(self) -> None:
        """Show that the service is being asked."""
        clear(self._fault)
        self.accept_button.setText(_("Saving"))
        self.accept_button.set_disabled_reason(_("The service is asked"))

    def show_error(self, error: Exception) -> None:
        """Show what went wrong; what was written stays here."""
        self._refresh()
        warning = WarningBanner(str(describe(error)), is_live=False)
        self._fault.add(warning)
        self.reveal(warning)

    def _made_add(self) -> Button:
        add = Button(_("Add an instruction"), glyph="plus", height=ButtonSize.SMALL)
        menu = QMenu(add)
        for kind in TYPES:
            shown = item_type_label(kind)
            entry = menu.addAction(icon(shown.glyph), shown.title)
            entry.setData(kind)
        menu.triggered.connect(lambda entry: self._rebuild(self._instructions.add(entry.data())))
        add.setMenu(menu)
        return add

    def _rebuild(self, opened: str) -> None:
        """Show every instruction, that of the key `opened` with its form."""
        clear(self._list)
        self._entries = []
        for number, item in enumerate(self._instructions.items, start=1):
            entry = _Entry(self._instructions, number, item)
            entry.head.toggled.connect(lambda is_open, it=entry: self._fold_others(it) if is_open else None)
            entry.removed.connect(self._remove)
            self._entries.append(entry)
            self._list.add(entry)
            if item.key == opened:
                self.reveal(entry.begun())

    def _fold_others(self, opened: "_Entry") -> None:
        for entry in self._entries:
            if entry is not opened:
                entry.head.setChecked(False)

    def _remove(self, key: str) -> None:
        """Remove one; the keyboard focus goes to what takes its place."""
        number = [item.key for item in self._instructions.items].index(key)
        self._instructions.remove(key)
        self._rebuild("")
        heads = [entry.head for entry in self._entries]
        follower = heads[min(number, len(heads) - 1)] if heads else self._add
        follower.setFocus(Qt.FocusReason.OtherFocusReason)

    def _refresh(self) -> None:
        removes_all = self._instructions.removes_all
        self.accept_button.setText(_("Remove all instructions") if removes_all else _("Save instructions"))
        self.accept_button.set_disabled_reason(self._instructions.reason_not)


class _Entry(QWidget):
    """One instruction: its type and its question; its form while it is open."""

    removed = Signal(str)

    def __init__(self, instructions: LegacyInstructionsState, number: int, item: Item) -> None:
        super().__init__()
        self._instructions, self._key = instructions, item.key
        self._form: NodeForm | None = None
        self.head = CollapsibleHeader(f"{number}. {item_label(item).title}")
        self.head.toggled.connect(self._open)
        self._inside = QWidget()
        self._inside.hide()
        self._rows = column(gap=14, margins=(22, 6, 2, 16), parent=self._inside)
        column(self.head, self._inside, Separator(), gap=2, parent=self)
        instructions.changed.connect(self._refresh)
        self._refresh()

    def begun(self) -> QWidget:
        """Open it; its question gets the keyboard focus and is returned."""
        self.head.setChecked(True)
        question = self._inside.findChild(TextArea)
        first = question if isinstance(question, TextArea) else self.head
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        return first

    def _open(self, is_open: bool) -> None:
        if is_open and self._form is None:
            self._form = NodeForm(self._instructions.study, self._key)
            self._form.setParent(self)
            remove = Button(_("Remove"), ButtonKind.DANGER, glyph="trash", height=ButtonSize.SMALL)
            remove.clicked.connect(lambda: self.removed.emit(self._key))
            self._rows.add(*item_rows(self._form), row(remove, None))
        self._inside.setVisible(is_open)

    def _refresh(self) -> None:
        """Show it as it is now; one that was just removed is about to go."""
        item = self._instructions.study.layout.find(self._key)
        if not isinstance(item, Item):
            return
        self.head.set_summary(self._instructions.error_of(self._key) or item.text("description"))
        if self._form is not None:
            self._form.show_node(self._key)


def _advice(sentence: str) -> QWidget:
    """What to know beforehand."""
    part = QWidget()
    line = row(gap=8, parent=part)
    line.addWidget(Glyph("warning-fill", "warn", 16), 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(Label(sentence, TextRole.SMALL, "text2", wraps=True), 1)
    return part
