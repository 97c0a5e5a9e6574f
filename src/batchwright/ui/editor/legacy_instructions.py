"""The dialog for the instructions of a legacy batch, which has a list of instructions in place of a layout.

Each instruction is a collapsible section with the form that the inspector shows for the same item type.
"""

from collections.abc import Awaitable, Callable, Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object, json_equal
from batchwright.client.errors import ChangedMeanwhile, is_service_error
from batchwright.layout.editing.edits import AddPage, Remove
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.ids import to_request
from batchwright.layout.item_types.registry import ITEM_TYPES, Item
from batchwright.layout.nodes import NodePath
from batchwright.layout.option_values import as_text
from batchwright.layout.rules import Problem, Severity
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project
from batchwright.ui.editor.core.item_labels import item_label, item_type_label
from batchwright.ui.editor.inspector.collapsible import CollapsibleHeader
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.inspector.forms import item_rows
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.glyphs import icon
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog, WarningBanner
from batchwright.ui.widgets.fields import TextArea
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import Separator
from batchwright.ui.widgets.text import Label
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite
from batchwright.workflows.messages import describe


class LegacyInstructionsState(QObject):
    """The instructions while they are edited, without widgets.

    Each instruction is the only item of a page in a temporary study, so that the rules and forms of items
    apply to it.
    """

    changed = Signal()

    def __init__(self, records: Sequence[InstructionRecord], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.study = Study(self)
        self.load([record.item for record in records], records)
        self.study.changed.connect(self.changed)

    def load(self, items: Sequence[JsonObject], records: Sequence[InstructionRecord]) -> None:
        """Show other instructions.

        Args:
            items: the instructions, with the ids of existing ones.
            records: the instructions as the service has them.
        """
        originals = [record.item for record in records]
        self._original = read([_page(item) for item in originals], random_keys())
        self._service_ids = frozenset(record.id for record in records)
        is_original = json_equal(list(items), originals)
        layout = self._original if is_original else read([_page(item) for item in items], random_keys())
        self.study.open(Project("", layout), None)

    @property
    def items(self) -> tuple[Item, ...]:
        """The instructions in order."""
        return tuple(item for _path, item in self.study.layout.walk())

    @property
    def disabled_reason(self) -> str:
        """Why the instructions cannot be saved at present; empty if they can."""
        if self.items and any(map(_is_error, self.study.problems)):
            return _("Fix the marked problems first")
        return _("No changes yet") if self.study.layout == self._original else ""

    @property
    def removes_all(self) -> bool:
        """Whether saving removes all instructions of the batch."""
        return bool(self._original.pages) and not self.items

    def error_of(self, key: str) -> str:
        """The message of the first error of an instruction; empty if there is none."""
        path = self.study.layout.paths((key,)).get(key)
        errors = (
            problem.message for problem in self.study.problems if problem.path == path and _is_error(problem)
        )
        return next(errors, "")

    def add(self, item_type: type[Item]) -> str:
        """Append an empty instruction and return its key."""
        (page,) = read([_page(item_type.new_attributes())], random_keys()).pages
        self.study.apply(AddPage((page,), InsertionPoint(None, len(self.study.layout.pages))))
        return self.items[-1].key

    def remove(self, key: str) -> None:
        """Remove an instruction."""
        layout = self.study.layout
        page = layout.at(NodePath(layout.paths((key,))[key].page))
        self.study.apply(Remove((page.key,)))

    def to_request(self) -> InstructionsWrite:
        """The request body: existing instructions with their ids, and option values as strings."""
        pages = read(to_request(self.study.layout, {}, self._service_ids), random_keys())
        items = [_with_string_values(item.attributes) for _path, item in pages.walk()]
        return InstructionsWrite.model_validate({"instructions": items})


_ShowInstructions = Callable[[Sequence[JsonObject], Sequence[InstructionRecord]], InstructionsWrite | None]


async def edit_instructions(
    host: QWidget,
    name: str,
    records: Sequence[InstructionRecord],
    save: Callable[[InstructionsWrite, _ShowInstructions], Awaitable[bool]],
    *,
    deprecation: str,
    live: str,
) -> bool:
    """Show the dialog until the instructions are saved or it is cancelled.

    Args:
        host: the widget over whose window the dialog is shown.
        name: the name of the batch.
        records: the instructions as the service has them.
        save: replaces them after the user has confirmed the changes; False if the user has not. It gets
            the instructions, and `InstructionsDialog.show_instructions`. Its errors are shown in the dialog.
        deprecation: when the service removes legacy instructions, and what to do instead.
        live: the title of the live service; empty in a rehearsal.

    Returns:
        False if the dialog was cancelled.
    """
    instructions = LegacyInstructionsState(records)
    dialog = InstructionsDialog(name, instructions, deprecation=deprecation, live=live)

    async def attempt() -> bool:
        dialog.show_waiting()
        try:
            is_saved = await save(instructions.to_request(), dialog.show_instructions)
        except Exception as error:
            if not (is_service_error(error) or isinstance(error, ChangedMeanwhile)):
                raise
            dialog.show_error(error)
            return False
        if not is_saved:
            dialog.show_ready()
        return is_saved

    return await dialog.ask_until(host, attempt)


class InstructionsDialog(Dialog):
    """One section for each instruction, and a button that adds one. The arguments are those of
    `edit_instructions`.
    """

    help_address = "run.md#older-batches"

    def __init__(
        self, name: str, instructions: LegacyInstructionsState, *, deprecation: str, live: str
    ) -> None:
        text = _("Participants see each record, and below it these questions.")
        if live:
            text += " " + _("They are replaced at {service}.").format(service=live)
        super().__init__(
            _("Instructions of “{name}”").format(name=name),
            text,
            _("Save instructions"),
            width=WIDE,
        )
        self.instructions = instructions
        self.sections: list[InstructionSection] = []
        content = QWidget()
        self._sections_layout, self._error_area = column(gap=0, parent=content), column()
        if deprecation:
            self.add(_notice(deprecation))
        self._add_button = self._create_add_button()
        self.add(content, row(self._add_button, None), self._error_area)
        instructions.changed.connect(self._refresh)
        self._rebuild("")
        self._refresh()

    def show_instructions(
        self, items: Sequence[JsonObject], records: Sequence[InstructionRecord]
    ) -> InstructionsWrite | None:
        """Show other instructions, and return the request for them; the arguments are those of `load`.

        Returns:
            None if there is nothing to save, or if problems have to be fixed first.
        """
        self.instructions.load(items, records)
        self._rebuild("")
        return None if self.instructions.disabled_reason else self.instructions.to_request()

    def show_waiting(self) -> None:
        """Show that the instructions are being saved."""
        clear(self._error_area)
        self.accept_button.setText(_("Saving"))
        self.accept_button.set_disabled_reason(_("Waiting for the service"))

    def show_ready(self) -> None:
        """Show that the instructions can be changed and saved again."""
        self._refresh()

    def show_error(self, error: Exception) -> None:
        """Show why the instructions could not be saved."""
        self._refresh()
        warning = WarningBanner(str(describe(error)), is_live=False)
        self._error_area.add(warning)
        self.reveal(warning)

    def _create_add_button(self) -> Button:
        button = Button(_("Add an instruction"), glyph="plus", height=ButtonSize.SMALL)
        menu = QMenu(button)
        for item_type in ITEM_TYPES.values():
            if item_type.is_instruction:
                label = item_type_label(item_type)
                menu.addAction(icon(label.glyph), label.title).setData(item_type)
        menu.triggered.connect(lambda action: self._rebuild(self.instructions.add(action.data())))
        button.setMenu(menu)
        return button

    def _rebuild(self, open_key: str) -> None:
        """Create the sections again; that of the instruction with the key `open_key` is open."""
        clear(self._sections_layout)
        self.sections = []
        for number, item in enumerate(self.instructions.items, start=1):
            section = InstructionSection(self.instructions, number, item)
            section.header.toggled.connect(
                lambda is_open, section=section: self._collapse_others(section) if is_open else None
            )
            section.remove_requested.connect(self._remove)
            self.sections.append(section)
            self._sections_layout.add(section)
            if item.key == open_key:
                self.reveal(section.start_editing())

    def _collapse_others(self, open_section: "InstructionSection") -> None:
        for section in self.sections:
            if section is not open_section:
                section.header.setChecked(False)

    def _remove(self, key: str) -> None:
        """Remove an instruction and focus the next one."""
        number = [item.key for item in self.instructions.items].index(key)
        self.instructions.remove(key)
        self._rebuild("")
        headers = [section.header for section in self.sections]
        successor = headers[min(number, len(headers) - 1)] if headers else self._add_button
        successor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _refresh(self) -> None:
        removes_all = self.instructions.removes_all
        self.accept_button.setText(_("Remove all instructions") if removes_all else _("Save instructions"))
        self.accept_button.set_disabled_reason(self.instructions.disabled_reason)


class InstructionSection(QWidget):
    """An instruction: a header with its type and question, and its form while the section is open."""

    remove_requested = Signal(str)

    def __init__(self, instructions: LegacyInstructionsState, number: int, item: Item) -> None:
        super().__init__()
        self._instructions, self._key = instructions, item.key
        self._form: NodeForm | None = None
        self.header = CollapsibleHeader(f"{number}. {item_label(item).title}")
        self.header.toggled.connect(self._on_toggled)
        self._content = QWidget()
        self._content.hide()
        self._rows = column(gap=14, margins=(22, 6, 2, 16), parent=self._content)
        column(self.header, self._content, Separator(), gap=2, parent=self)
        instructions.changed.connect(self._refresh)
        self._refresh()

    def start_editing(self) -> QWidget:
        """Open the section; focus and return the field for the question."""
        self.header.setChecked(True)
        question = self._content.findChild(TextArea)
        first = question if isinstance(question, TextArea) else self.header
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        return first

    def _on_toggled(self, is_open: bool) -> None:
        """Show or hide the form. It is created when the section is first opened."""
        if is_open and self._form is None:
            self._form = NodeForm(self._instructions.study, self._key)
            self._form.setParent(self)
            remove = Button(_("Remove"), ButtonKind.DANGER, glyph="trash", height=ButtonSize.SMALL)
            remove.clicked.connect(lambda: self.remove_requested.emit(self._key))
            self._rows.add(*item_rows(self._form), row(remove, None))
        self._content.setVisible(is_open)

    def _refresh(self) -> None:
        item = self._instructions.study.layout.find(self._key)
        if not isinstance(item, Item):
            return  # it was removed, and this section is about to be deleted
        self.header.set_summary(self._instructions.error_of(self._key) or item.text("description"))
        if self._form is not None:
            self._form.show_node(self._key)


def _is_error(problem: Problem) -> bool:
    return problem.severity is not Severity.ADVICE  # the service rejects unfilled attributes, too


def _page(item: JsonObject) -> Json:
    return {"rows": [{"columns": [{"items": [item]}]}]}


def _with_string_values(item: JsonObject) -> JsonObject:
    """The item with its option values as strings, which the request requires."""
    options = item.get("options")
    if not is_array(options):
        return item
    return {**item, "options": [_with_string_value(option) for option in options]}


def _with_string_value(option: Json) -> Json:
    if not is_object(option) or "value" not in option:
        return option
    return {**option, "value": as_text(option["value"])}


def _notice(text: str) -> QWidget:
    container = QWidget()
    layout = row(gap=8, parent=container)
    layout.addWidget(Glyph("warning-fill", "warn", 16), 0, Qt.AlignmentFlag.AlignTop)
    layout.addWidget(Label(text, TextRole.SMALL, "text2", wraps=True), 1)
    return container
