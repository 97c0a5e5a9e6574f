"""The form of the selection: of an item, a page, a row, a column, several nodes, or an invalid node."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QWidget

from batchwright.base.i18n import _, ngettext, pgettext
from batchwright.base.json_values import Json, JsonObject, is_array, is_object, to_json
from batchwright.base.local_formats import joined
from batchwright.base.text import truncate
from batchwright.layout.attributes import DISPLAY_POSITION, Attribute, AttributeType
from batchwright.layout.editing.edits import Duplicate, Edit, MergeColumns, Remove, SplitRow
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.item_types.registry import Item
from batchwright.layout.model import Layout, Page, Row
from batchwright.layout.nodes import ObjectNode
from batchwright.layout.option_values import as_text
from batchwright.ui.editor.core.item_labels import item_label
from batchwright.ui.editor.core.keyboard_moves import Direction, keyboard_move
from batchwright.ui.editor.inspector.collapsible import CollapsibleSection
from batchwright.ui.editor.inspector.fields import SegmentedField
from batchwright.ui.editor.inspector.form import NodeForm, capitalized
from batchwright.ui.editor.inspector.text_binding import TextBinding
from batchwright.ui.editor.item_types.registry import item_editor
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.accessibility.announcements import announce
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize, IconButton
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.text import ElidedLabel, Label

_MAX_TEXT = 500
"""Maximum number of characters of a key and of a value."""
_CONTAINER_KEYS = ("id", "display_position")


class ServerIdView(QWidget):
    """The id of the node in the batch or collection at the current connection, or when it will get one."""

    def __init__(self, form: NodeForm) -> None:
        super().__init__()
        self._form = form
        self._id = ""
        self._id_label = ElidedLabel("", TextRole.SMALL, "text2", in_middle=True, tabular=True)
        self._copy_button = IconButton("copy", _("Copy id"), glyph_size=16)
        self._copy_button.clicked.connect(self._copy)
        self._note = Label("", TextRole.SMALL, "text3", wraps=True)
        line = row(gap=4)
        line.addWidget(self._id_label, 1)
        line.addWidget(self._copy_button)
        column(Label(_("Id"), TextRole.SMALL_NAME), line, self._note, gap=5, parent=self)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current id. An id from a file is shown until the service has assigned one."""
        study, from_file = self._form.study, self._form.value("id")
        remote = study.remote(study.connection)
        assigned = remote.ids.get(self._form.key)
        self._id = assigned or ("" if from_file is None else as_text(from_file))
        self._id_label.setText(truncate(self._id, _MAX_TEXT))
        note = "" if assigned else _unassigned_text(study, self._id)
        self._note.setText(note)
        for widget, is_shown in (
            (self._id_label, bool(self._id)),
            (self._copy_button, bool(self._id)),
            (self._note, bool(note)),
        ):
            widget.setVisible(is_shown)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._id)
        announce(self, _("Copied"))


def _unassigned_text(study: Study, id_from_file: str) -> str:
    """When the service will assign an id."""
    remote = study.remote(study.connection)
    if study.is_collection:
        if id_from_file:
            return _(
                "From the file. The service assigns its own id when the collection is created or updated."
            )
        if remote.collection_id is not None:
            return _("Assigned by the service when the collection is updated")
        return _("Assigned by the service when the collection is created")
    if id_from_file:
        return _("From the file. The service assigns its own id when the batch is created or updated.")
    if remote.batch_id is not None:
        return _("Assigned by the service when the batch is updated")
    return _("Assigned by the service when the batch is created")


def _container_id(form: NodeForm, title: str) -> tuple[QWidget, ...]:
    """The id of a row or column, which those of a collection do not have."""
    return () if form.study.is_collection else (CollapsibleSection(title, ServerIdView(form)),)


class UnknownKeysView(QWidget):
    """The unknown keys of a node and of the objects in its attributes.

    They are kept verbatim in the layout.
    """

    def __init__(self, form: NodeForm) -> None:
        super().__init__()
        self._form = form
        self._shown: Mapping[str, Json] = {}
        self._lines = column(gap=5)
        column(Label(_("Other keys, kept unchanged"), TextRole.SMALL_NAME), self._lines, gap=5, parent=self)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current keys."""
        node = self._form.node
        keys = unknown_keys(node) if isinstance(node, ObjectNode) else {}
        if keys != self._shown:
            self._shown = keys
            clear(self._lines)
            for name, value in keys.items():
                layout = row(Label(truncate(name, _MAX_TEXT), TextRole.SMALL), gap=12)
                layout.addWidget(ElidedLabel(truncate(to_json(value), _MAX_TEXT), TextRole.SMALL, "text2"), 1)
                self._lines.add(layout)
        if not keys or self.parentWidget() is not None:  # without a parent it would be a window
            self.setVisible(bool(keys))


def unknown_keys(node: ObjectNode) -> Mapping[str, Json]:
    """The unknown keys with their values; a key inside an attribute is named by its path: `option 2, colour`.

    Keys of the node itself are named without a path.
    """
    if isinstance(node, Item):
        return dict(_unknown(node.known_attributes, node.attributes, ("id", "type"), ""))
    return dict(_unknown((), node.attributes, _CONTAINER_KEYS, ""))


def _unknown(
    attributes: Sequence[Attribute], container: JsonObject, other_names: Sequence[str], prefix: str
) -> Iterator[tuple[str, Json]]:
    known_names = {*other_names, *(attribute.name for attribute in attributes)}
    yield from ((f"{prefix}{name}", value) for name, value in container.items() if name not in known_names)
    for attribute in attributes:
        value = container.get(attribute.name)
        inner = (
            [value]
            if attribute.kind is AttributeType.OBJECT
            else value
            if attribute.kind is AttributeType.OBJECTS
            else ()
        )
        for number, entry in enumerate(inner if is_array(inner) else (), 1):
            if is_object(entry):
                label = (
                    _(attribute.title)
                    if attribute.kind is AttributeType.OBJECT
                    else f"{_(attribute.entry_title)} {number}"
                )
                yield from _unknown(attribute.nested, entry, (), f"{prefix}{label}, ")


_MAX_JSON_CHARACTERS = 2000
"""Maximum number of characters of an unreadable element."""


def page_form(form: NodeForm) -> list[QWidget]:
    """The fields of a page."""
    position = SegmentedField(
        form,
        DISPLAY_POSITION,
        {"intro": pgettext("pages at the beginning", "First"), "body": _("Each record"), "outro": _("Last")},
        hint=_("First and Last pages are shown once and can contain only images and rich text."),
    )
    return [
        PageNameField(form),
        *(() if form.study.is_collection else (position,)),
        UnknownKeysView(form),
        CollapsibleSection(_("Page id"), ServerIdView(form)),
    ]


class RowColumns(QWidget):
    """The number of columns of a row, and buttons that split or merge them."""

    def __init__(self, form: NodeForm) -> None:
        super().__init__()
        self._form = form
        self._text = Label("", wraps=True)
        self._split = Button(_("Split into two columns"), glyph="columns")
        self._merge = Button(_("Merge columns"), glyph="rows")
        self._split.clicked.connect(lambda: form.study.apply(self._split_edit()))
        self._merge.clicked.connect(lambda: form.study.apply(MergeColumns(form.key)))
        column(self._text, self._split, self._merge, gap=14, parent=self)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current row."""
        node, study = self._form.node, self._form.study
        count = len(node.columns) if isinstance(node, Row) else 0
        text = ngettext("{count} column.", "{count} columns, side by side.", count).format(count=count)
        self._text.setText(text)
        row_alone = Layout((Page("", {}, (node,)),)) if isinstance(node, Row) else Layout()
        split_reason = _rejection_reason(self._split_edit(), row_alone)
        if study.is_collection:
            split_reason = _("Collections have no columns.")
        self._split.set_disabled_reason(split_reason)
        self._merge.set_disabled_reason(_rejection_reason(MergeColumns(self._form.key), row_alone))

    def _split_edit(self) -> SplitRow:
        """The second half of the items moves to the right column: with two items, one each."""
        node = self._form.node
        items = node.children[0].children if isinstance(node, Row) and node.children else ()
        return SplitRow(self._form.key, (len(items) + 1) // 2, seed=f"{self._form.key}.split")


def row_form(form: NodeForm) -> list[QWidget]:
    """The fields of a row: its columns, and buttons that split or merge them."""
    return [RowColumns(form), UnknownKeysView(form), *_container_id(form, _("Row id"))]


def column_form(form: NodeForm) -> list[QWidget]:
    """The content of the form of a column, which has no attributes."""
    count = 0 if form.node is None else len(form.node.children)
    text = ngettext("{count} item.", "{count} items, one below the other.", count).format(count=count)
    return [
        Label(text, wraps=True),
        UnknownKeysView(form),
        *_container_id(form, _("Column id")),
    ]


def multi_selection_form(study: Study, keys: tuple[str, ...], do: Callable[[Edit], None]) -> list[QWidget]:
    """The form of several selected nodes: how many of each type are selected, and buttons that act on all of
    them.
    """
    layout = study.layout
    counts = Counter(item_label(layout.at(path), study.schema) for path in layout.paths(keys).values())
    rows = []
    for label, count in counts.items():
        container = QWidget()
        row(
            Glyph(label.glyph, label.family, 16),
            Label(label.title),
            None,
            Label(str(count)),
            parent=container,
        )
        rows.append(container)
    hint = _("Ctrl+C copies all, Ctrl+X cuts them. Select one alone to edit it.")
    return [*rows, _command_buttons(study, keys, do), Label(hint, TextRole.SMALL, "text2", wraps=True)]


def _command_buttons(study: Study, keys: tuple[str, ...], do: Callable[[Edit], None]) -> QWidget:
    """Buttons that move, duplicate or remove all selected nodes."""

    def move(direction: Direction) -> None:
        edit = keyboard_move(study.layout, keys, direction)
        if edit is not None:
            do(edit)

    up = Button(_("Move up"), glyph="arrow-up", height=ButtonSize.SMALL)
    down = Button(_("Move down"), glyph="arrow-down", height=ButtonSize.SMALL)
    double = Button(_("Duplicate"), glyph="copy", height=ButtonSize.SMALL)
    remove = Button(_("Remove"), glyph="trash", height=ButtonSize.SMALL)
    up.clicked.connect(lambda: move(Direction.UP))
    down.clicked.connect(lambda: move(Direction.DOWN))
    double.clicked.connect(lambda: do(Duplicate(keys)))
    remove.clicked.connect(lambda: do(Remove(keys)))
    container = QWidget()
    column(row(up, down, None), row(double, remove, None), gap=8, parent=container)
    return container


def invalid_node_form(value: Json) -> list[QWidget]:
    """The form of an element that cannot be read: an explanation and its JSON."""
    message = _("This is not valid, so it has no form. It can be moved or removed.")
    json_text = truncate(to_json(value), _MAX_JSON_CHARACTERS)
    return [
        Label(message, TextRole.SMALL, "text2", wraps=True),
        Label(_("Original value"), TextRole.SMALL_NAME),
        Label(json_text, TextRole.SMALL, "text2", wraps=True),
    ]


class PageNameField(InputField):
    """The name of a page. It is for the designers of the study; participants do not see it."""

    def __init__(self, form: NodeForm) -> None:
        self._form = form
        field = QLineEdit()
        field.setPlaceholderText(_("Compare, for example"))
        super().__init__(_("Page name"), field, hint=_("Participants do not see it."))
        self._binding = TextBinding(field, self._type, form.end_typing)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current name."""
        shown = self._form.study.page_names.get(self._form.key, "")
        field = self.control
        # The study strips names; while the user types, the text may end in a space.
        if isinstance(field, QLineEdit) and field.text().strip() != shown:
            self._binding.show_text(shown)

    def _type(self, text: str) -> None:
        self._form.study.set_page_name(self._form.key, text)


def _rejection_reason(edit: Edit, layout: Layout) -> str:
    """Why an edit is rejected at present; empty if it would succeed."""
    try:
        edit(layout)
    except EditRejected as error:
        return error.reason
    return ""


def item_rows(form: NodeForm) -> list[QWidget]:
    """The fields of an item; rarely needed ones are in a collapsible section at the end."""
    item = form.node
    if not isinstance(item, Item):
        return []
    editor = item_editor(item)
    if editor is None:
        return [UnknownKeysView(form), CollapsibleSection(_("Item id"), ServerIdView(form))]
    attributes = {attribute.name: attribute for attribute in item.known_attributes}
    rows = [create_field(form, attributes[name]) for name, create_field in editor.fields.items()]
    more = [create_field(form, attributes[name]) for name, create_field in editor.more_fields.items()]
    titles = [*(_(attributes[name].title) for name in editor.more_fields), _("item id")]
    if unknown_keys(item):
        titles.insert(-1, _("other keys"))
    section = CollapsibleSection(
        capitalized(joined(titles)),
        *more,
        UnknownKeysView(form),
        ServerIdView(form),
        is_open=any(form.problem(name) for name in editor.more_fields),
    )
    return [*rows, section]
