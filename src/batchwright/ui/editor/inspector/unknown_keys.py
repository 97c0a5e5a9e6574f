"""Read-only parts of a node's form: its service id, and keys that Batchwright does not know."""

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object, to_json
from batchwright.base.text import truncate
from batchwright.layout.attributes import Attribute, AttributeType
from batchwright.layout.item_types.registry import Item
from batchwright.layout.nodes import ObjectNode
from batchwright.layout.option_values import as_text
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.text import ElidedLabel, Label

_MAX_TEXT = 500
"""Maximum number of characters of a key and of a value."""
_CONTAINER_KEYS = ("id", "display_position")


class ServerIdView(QWidget):
    """The id that the service assigned to the node."""

    def __init__(self, form: NodeForm) -> None:
        super().__init__()
        self._form = form
        self._id_label = ElidedLabel("", TextRole.SMALL, "text2", in_middle=True, tabular=True)
        self._no_id_label = Label(
            _("Assigned by the service when the batch is created"), TextRole.SMALL, "text3", wraps=True
        )
        column(Label(_("Id"), TextRole.SMALL_NAME), self._id_label, self._no_id_label, gap=5, parent=self)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current id."""
        value = self._form.value("id")
        self._id_label.setText("" if value is None else truncate(as_text(value), _MAX_TEXT))
        self._id_label.setVisible(value is not None)
        self._no_id_label.setVisible(value is None)


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
