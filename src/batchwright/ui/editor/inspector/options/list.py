"""The form field for a list of options or units: table, details, and a dialog to edit it as text."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import is_array
from batchwright.layout.attributes import Attribute
from batchwright.layout.rules.problems import AttributePath, Problem, Severity
from batchwright.ui.editor.inspector.fix_button import FixHint
from batchwright.ui.editor.inspector.form import NodeForm, capitalized
from batchwright.ui.editor.inspector.large_editor import expand_button
from batchwright.ui.editor.inspector.options.details import OptionDetails
from batchwright.ui.editor.inspector.options.model import OptionColumn, OptionModel
from batchwright.ui.editor.inspector.options.table import OptionTable
from batchwright.ui.editor.inspector.options.text_format import count_lines, format_options
from batchwright.ui.editor.inspector.presets import Preset
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.long_texts import fill
from batchwright.ui.widgets.stable_message_area import StableMessageArea
from batchwright.ui.widgets.surfaces import Panel, Separator
from batchwright.ui.widgets.text import Label

_VISIBLE_LINES = 9


class BulkDialog(Dialog):
    """Dialog with one line per option, as `label = value`. The layout changes only when the dialog is
    accepted.
    """

    help_address = "layout.md#questions"

    def __init__(self, model: OptionModel) -> None:
        title = capitalized(_(model.attribute.title))
        super().__init__(
            _("{what} as text").format(what=title),
            _("One line per entry: label = value. You can also paste lines from a spreadsheet."),
            _("Apply these lines"),
        )
        self._model = model
        self.area = TextArea(_VISIBLE_LINES)
        self.area.setLineWrapMode(TextArea.LineWrapMode.NoWrap)
        self.area.setPlaceholderText(_("Very good = 5"))
        self.area.installEventFilter(self)
        hint = _(
            'Numbers, true and false keep their type; in quotes they are text: "1". '
            "A line without a value gets one from its label. Headings and rules stay with their line."
        )
        self._field = InputField(title, self.area, hint=hint)
        self._entered = fill(self._field, format_options(model.options))
        self.add(self._field)
        self.area.textChanged.connect(self._refresh_count)
        self.accepted.connect(self._on_accepted)
        self._refresh_count()

    def _refresh_count(self) -> None:
        count = count_lines(self.area.toPlainText())
        self.accept_button.setText(
            _("Apply {count} lines").format(count=count) if count != 1 else _("Apply 1 line")
        )
        self.accept_button.set_disabled_reason("" if count else _("Enter at least one line"))

    def _on_accepted(self) -> None:
        if not self.area.isReadOnly():
            self._model.set_lines(self._entered())

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl+Enter accepts the dialog; Enter alone inserts a line break."""
        if watched is self.area and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
            if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                if self.accept_button.isEnabled():
                    self.accept()
                return True
        return super().eventFilter(watched, event)


def edit_as_text(model: OptionModel, host: QWidget) -> None:
    """Open the dialog over the window of `host`."""
    model.form.end_typing()
    ModalOverlay(host, BulkDialog(model))


class OptionList(QWidget):
    """A list attribute: a table with one row per option, and the problems of the list below it."""

    def __init__(self, form: NodeForm, attribute: Attribute, presets: Sequence[Preset]) -> None:
        super().__init__()
        self._form, self._attribute = form, attribute
        self.model = OptionModel(form, attribute)
        title = capitalized(_(attribute.title))
        self._count_label = Label("", TextRole.CAPTION, "text2", tabular=True)
        self.table = OptionTable(title, self.model)
        self.details = OptionDetails(self.model)
        self.table.row_selected.connect(self.details.show_row)
        panel = Panel(8)
        column(self.table, Separator(), self._footer(presets), gap=0, margins=1, parent=panel)
        self._problem_icon = Glyph("warning-circle-fill", "err", 14, text_role=TextRole.CAPTION)
        self._problem_label = Label("", TextRole.CAPTION, "err", wraps=True)
        self._problem_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        below = row(gap=7)
        below.addWidget(self._problem_icon, 0, Qt.AlignmentFlag.AlignTop)
        below.addWidget(self._problem_label, 1)
        self._fix_hint = FixHint(form)
        larger = expand_button(self.table, self.open_bulk_dialog, _("Edit as text"))
        head = row(Label(title, TextRole.SMALL_NAME), None, self._count_label, larger)
        message_area = StableMessageArea(self.table, below, self._fix_hint)
        content = column(column(head, panel, gap=5), message_area, gap=0)
        column(content, self.details, gap=5, parent=self)
        self.model.options_changed.connect(self.refresh)
        self.refresh()
        if self.details.has_required_field:
            # What must be filled in is shown before an option is selected.
            self.table.setCurrentIndex(self.model.index(0, OptionColumn.LABEL))

    def refresh(self) -> None:
        """Show the current options and problems."""
        self._count_label.setText(str(len(self.model.options)))
        problems = self.model.problems()
        problem = problems[0] if problems else None
        self._problem_label.setText(_problems_text(problems))
        is_advice = problem is not None and problem.severity is Severity.ADVICE
        self._problem_label.set_tone("warn" if is_advice else "err")
        self._problem_icon.show_glyph(
            *(("warning-fill", "warn") if is_advice else ("warning-circle-fill", "err"))
        )
        for widget in (self._problem_icon, self._problem_label):
            widget.setVisible(problem is not None)
        value = self._form.value(self._attribute.name)
        self._fix_hint.show_problem(problem, None if is_array(value) else value)

    @property
    def attribute_names(self) -> Collection[str]:
        """The one attribute that this field edits."""
        return (self._attribute.name,)

    def focus_attribute(self, path: AttributePath) -> None:
        """Edit the cell at `path`, or focus the field below the table that edits this attribute of the
        option.
        """
        row = path.entry or 0
        if row >= len(self.model.options):
            self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self.details.has_field(path.inner):
            self.table.setCurrentIndex(self.model.index(row, OptionColumn.LABEL))
            self.details.focus_attribute(path.inner)
        else:
            self.table.edit_cell(row, OptionColumn.VALUE if path.inner == "value" else OptionColumn.LABEL)

    def open_bulk_dialog(self) -> None:
        """Open the dialog in which all options are edited as lines of text."""
        edit_as_text(self.model, self.window())

    def _footer(self, presets: Sequence[Preset]) -> QWidget:
        footer = QWidget()
        what = _(self._attribute.entry_title)
        add = Button(
            _("Add {what}").format(what=what), ButtonKind.LINK, glyph="plus", height=ButtonSize.SMALL
        )
        add.clicked.connect(self.table.add_option)
        layout = row(add, None, gap=0, margins=(2, 3, 4, 3), parent=footer)
        layout.add(self._presets(presets))
        return footer

    def _presets(self, presets: Sequence[Preset]) -> Button:
        button = Button(_("Presets"), ButtonKind.LINK, height=ButtonSize.SMALL)
        menu = QMenu(button)
        for preset in presets:
            menu.addAction(preset.title).triggered.connect(
                lambda _checked=False, preset=preset: self.model.apply_preset(preset)
            )
        button.setMenu(menu)
        return button


def _problems_text(problems: Sequence[Problem]) -> str:
    """The message of the most severe problem, and how many more there are."""
    if len(problems) < 2:
        return "".join(problem.message for problem in problems)
    more = len(problems) - 1
    return ngettext("{first} And {count} more here.", "{first} And {count} more here.", more).format(
        first=problems[0].message, count=more
    )
