"""The inspector panel: a header that names the selected node, and its form below."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QMenu, QScrollArea, QWidget

from batchwright.base.i18n import _
from batchwright.base.text import truncate
from batchwright.layout.editing.edits import Duplicate, Edit, Remove
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.item_types.registry import Item
from batchwright.layout.model import Column, Page, Row
from batchwright.layout.nodes import InvalidNode, Node, NodePath
from batchwright.layout.rules.problems import WHOLE_NODE, AttributePath, Problem, Severity
from batchwright.ui.editor.core.item_labels import ItemLabel, item_label, selection_phrase
from batchwright.ui.editor.core.selection import SelectionModel
from batchwright.ui.editor.inspector.attribute_focus import focus_attribute
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.inspector.forms import (
    column_form,
    invalid_node_form,
    item_rows,
    multi_selection_form,
    page_form,
    row_form,
)
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.glyphs import icon
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize, IconButton
from batchwright.ui.widgets.fields import TextArea
from batchwright.ui.widgets.help_button import HelpButton, set_help_address
from batchwright.ui.widgets.icon_tile import Glyph, IconTile
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.surfaces import Edge, Separator, SunkenSurface, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label


class ItemProblems(QWidget):
    """The problems of the node as a whole, above its form, each with its quick fix."""

    def __init__(self, form: NodeForm) -> None:
        super().__init__()
        self._form = form
        self._lines = column(gap=8, parent=self)
        self._shown: tuple[Problem, ...] = ()
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current problems."""
        problems = self._form.problems.get(WHOLE_NODE, ())
        if problems != self._shown:
            self._shown = problems
            clear(self._lines)
            for problem in problems:
                self._lines.add(self._line(problem))
        if not problems or self.parentWidget() is not None:  # without a parent it would be a window
            self.setVisible(bool(problems))

    def _line(self, problem: Problem) -> QWidget:
        tone = "err" if problem.severity is Severity.ERROR else "warn"
        glyph = "warning-circle-fill" if tone == "err" else "warning-fill"
        surface = SunkenSurface(f"{tone}_soft")
        set_help_address(surface, f"rules.md#{problem.code.casefold()}")
        texts = row(gap=8)
        texts.addWidget(Glyph(glyph, tone, 16, text_role=TextRole.SMALL), 0, Qt.AlignmentFlag.AlignTop)
        texts.addWidget(Label(problem.message, TextRole.SMALL, tone, wraps=True), 1)
        texts.addWidget(HelpButton(problem.code), 0, Qt.AlignmentFlag.AlignTop)
        lines = column(texts, gap=8, margins=10, parent=surface)
        if problem.fix is not None:
            fix = Button(problem.fix.label, height=ButtonSize.SMALL)
            fix.clicked.connect(lambda: self._apply_fix(problem))
            lines.add(row(fix, None))
        return surface

    def _apply_fix(self, problem: Problem) -> None:
        if problem.fix is None:
            return
        try:
            self._form.study.apply(problem.fix)
        except EditRejected as error:
            self.setToolTip(tooltip_text(error.reason))


_MIN_WIDTH_PX, _DEFAULT_WIDTH_PX, _HEADER_HEIGHT_PX = 280, 320, 52
_FIELD_MARGIN_PX = 64
"""Margin in pixels that is scrolled into view above and below a focused field."""


class Inspector(Surface):
    """The form of the selected node, or of the current page if nothing is selected."""

    def __init__(self, study: Study, selection: SelectionModel) -> None:
        super().__init__("surface", Edge.LEFT)
        set_help_address(self, "layout.md#questions")
        self.setObjectName("inspector")
        self.setAccessibleName(_("Inspector"))
        self._study, self._selection = study, selection
        self._form: NodeForm | None = None
        self._form_key: object = None
        self._fields: list[QWidget] = []
        self._header = _Header()
        self._header.duplicate_requested.connect(self._duplicate)
        self._header.remove_requested.connect(self._remove)
        self.scroll_area = QScrollArea()
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.viewport().setAutoFillBackground(False)
        column(self._header, Separator(), gap=0, margins=(1, 0, 0, 0), parent=self).addWidget(
            self.scroll_area, 1
        )
        self.resize(theme().px(_DEFAULT_WIDTH_PX), self.height())
        selection.changed.connect(self.refresh)
        selection.edit_requested.connect(self.focus_first_field)
        study.changed.connect(self.refresh)
        theme().on_changed(self._rebuild)
        self._rebuild()

    def set_menu_actions(self, actions: Sequence[QAction]) -> None:
        """Set further actions of the header's menu, which has those that are enabled when it opens."""
        self._header.further_actions = actions

    @property
    def form(self) -> NodeForm | None:
        """The state of the form, or None if nothing or several nodes are selected."""
        return self._form

    def refresh(self) -> None:
        """Show the current selection. The form is rebuilt only if the selection needs different fields."""
        present = tuple(self._study.layout.paths(self._selection.targets))
        shape = self._form_key_of(present)
        if shape != self._form_key:
            self._form_key = shape
            self._build(present)
        elif self._form is not None:
            self._form.show_node(present[0])
        self._show_header(present)

    def _rebuild(self) -> None:
        """Build the form again, after the theme or its text size changed."""
        self.setMinimumWidth(theme().px(_MIN_WIDTH_PX))
        self._header.setFixedHeight(theme().px(_HEADER_HEIGHT_PX))
        self._form_key = None
        self.refresh()

    def focus_first_field(self) -> None:
        """Focus the first text field of the form and select its text."""
        inside = self.scroll_area.widget()
        fields = inside.findChildren(QWidget) if inside is not None else []
        for field in fields:
            if isinstance(field, (QLineEdit, TextArea)) and field.isVisibleTo(self):
                field.setFocus(Qt.FocusReason.ShortcutFocusReason)
                field.selectAll()
                return
        self.setFocus()

    def focus_attribute(self, path: AttributePath) -> bool:
        """Focus the field of an attribute and scroll it into view. Returns False if there is none."""
        if not focus_attribute(self._fields, path):
            return False
        inside, field = self.scroll_area.widget(), QApplication.focusWidget()
        if inside is not None and field is not None and inside.isAncestorOf(field):
            self.scroll_area.ensureWidgetVisible(field, 0, theme().px(_FIELD_MARGIN_PX))
        return True

    def _form_key_of(self, keys: tuple[str, ...]) -> object:
        """A value that determines which fields the form has: the form is rebuilt when it changes."""
        if len(keys) != 1:
            return keys
        node = self._study.layout.find(keys[0])
        is_collection = self._study.is_collection
        if isinstance(node, (Page, Row)):  # one form for all, which shows another one fast
            return type(node), is_collection
        inside = len(node.children) if isinstance(node, Column) else 0
        schema = self._study.schema is None
        return keys, type(node), inside, schema, is_collection, _unknown_type_keys(node)

    def _build(self, keys: tuple[str, ...]) -> None:
        if self._form is not None:
            self._form.deleteLater()
        self._form = NodeForm(self._study, keys[0]) if len(keys) == 1 else None
        inside = Surface("surface")
        self._fields = []
        if not keys:
            empty = EmptyState("cursor", _("Nothing selected"), _("Click an item to see its form here."))
            column(empty, parent=inside)
        else:
            self._fields = rows = self._fields_of(keys)
            box = column(*rows, gap=14, margins=16, parent=inside)
            box.addStretch(1)
        old = self.scroll_area.takeWidget()
        if old is not None:
            old.hide()
            old.deleteLater()
        self.scroll_area.setWidget(inside)

    def _fields_of(self, keys: tuple[str, ...]) -> list[QWidget]:
        form = self._form
        if form is None:
            return multi_selection_form(self._study, keys, self._apply)
        return [ItemProblems(form), *_fields_for(form)]

    def _show_header(self, keys: tuple[str, ...]) -> None:
        self._header.setVisible(bool(keys))
        if len(keys) == 1:
            node = self._study.layout.find(keys[0])
            path = self._study.layout.paths(keys)[keys[0]]
            if node is not None:
                self._header.show_node(item_label(node, self._study.schema), _path_text(path, self._study))
        elif keys:
            level = next(iter(self._study.layout.paths(keys[:1]).values())).level
            self._header.show_node(ItemLabel(selection_phrase(level, len(keys)), "stack", "content"), "")

    def _duplicate(self) -> None:
        self._apply(Duplicate(tuple(self._study.layout.paths(self._selection.targets))))

    def _remove(self) -> None:
        self._apply(Remove(tuple(self._study.layout.paths(self._selection.targets))))

    def _apply(self, edit: Edit) -> None:
        try:
            self._study.apply(edit)
        except EditRejected as error:
            self._header.show_message(error.reason)


def _fields_for(form: NodeForm) -> list[QWidget]:
    match form.node:
        case Page():
            return page_form(form)
        case Row():
            return row_form(form)
        case Column():
            return column_form(form)
        case InvalidNode():
            return invalid_node_form(form.node.value)
    return item_rows(form)


def _path_text(path: NodePath, study: Study) -> str:
    """The path of a node as text. The column is omitted if the row has only one."""
    row = NodePath(path.page, path.row)
    if study.is_collection:
        text = study.shown_path(path).label
    elif path.item is not None and len(study.layout.at(row).children) == 1:
        text = _("{row}, item {number}").format(row=row.label, number=path.item + 1)
    else:
        text = path.label
    return text[:1].upper() + text[1:]


def _unknown_type_keys(node: Node | None) -> tuple[str, ...]:
    """The keys of an item of unknown type, which its form lists."""
    return tuple(node.attributes) if isinstance(node, Item) and type(node) is Item else ()


class _Header(Surface):
    """The header: type and position of the selected node, and a menu of further commands."""

    duplicate_requested = Signal()
    remove_requested = Signal()

    def __init__(self) -> None:
        super().__init__("surface")
        self._tile = IconTile("list-bullets", "question", 28)
        self._title = ElidedLabel("", TextRole.STRONG)
        self._path_label = ElidedLabel("", TextRole.CAPTION, "text2")
        self.further_actions: Sequence[QAction] = ()
        more = self._more = IconButton("dots-three-bold", _("More actions"))
        more.clicked.connect(self._open_menu)
        layout = row(gap=10, margins=(15, 8, 12, 8), parent=self)
        layout.addWidget(self._tile)
        layout.addLayout(column(self._title, self._path_label, gap=1), 1)
        layout.addLayout(row(HelpButton(_("Inspector")), more, gap=2))

    def _open_menu(self) -> None:
        menu = QMenu(self._more)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(icon("copy"), _("Duplicate")).triggered.connect(self.duplicate_requested)
        for action in self.further_actions:
            if action.isEnabled():
                menu.addAction(action)
        menu.addAction(icon("trash"), _("Remove")).triggered.connect(self.remove_requested)
        menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))

    def show_node(self, label: ItemLabel, path: str) -> None:
        """Show the type and the place of the selected node."""
        self._tile.show_glyph(label.glyph, label.family)
        self._title.setText(truncate(label.title))
        self._path_label.setText(path)
        self._path_label.setVisible(bool(path))

    def show_message(self, message: str) -> None:
        """Show why a command cannot be executed, in place of the path."""
        self._path_label.setText(message)


class InspectorToggle(QObject):
    """Hides the inspector in a narrow window or with large text, and opens it beside the canvas.

    So the item remains visible while its form is filled in; an overlay would cover the canvas.
    """

    shown_changed = Signal()
    """The inspector was shown or hidden."""

    def __init__(self, inspector: QWidget, *others: QWidget) -> None:
        """Toggle between `inspector` and `others`."""
        super().__init__(inspector)
        self._inspector, self._others = inspector, others
        self._is_open = False
        self.is_narrow = False
        self.button = IconButton("pencil-simple", _("Edit the selection"), height=ButtonSize.STAGE)
        self.button.setCheckable(True)
        self.button.clicked.connect(self.toggle)
        self.button.hide()

    @property
    def is_overlay(self) -> bool:
        """Whether the inspector replaces the others."""
        return self.is_narrow and self._is_open

    def update_layout(self, *, is_narrow: bool) -> None:
        """Show both if the window is wide enough."""
        if is_narrow != self.is_narrow:
            self.is_narrow, self._is_open = is_narrow, False
            self._refresh()

    def open(self) -> None:
        """Show the inspector."""
        self._is_open = True
        self._refresh()

    def close(self) -> None:
        """Show the others again."""
        if self._is_open:
            self._is_open = False
            self._refresh()

    def toggle(self) -> None:
        """Show whichever of the two is hidden."""
        self._is_open = not self._is_open
        self._refresh()

    def _refresh(self) -> None:
        self._inspector.setVisible(not self.is_narrow or self._is_open)
        for panel in self._others:
            panel.setVisible(not self.is_overlay)
        self.button.setVisible(self.is_narrow)
        self.button.setChecked(self.is_overlay)
        self.shown_changed.emit()
