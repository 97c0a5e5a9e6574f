"""Changing the type of the selected items. What would be lost is listed first and has to be confirmed."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.base.text import truncate
from batchwright.layout.edits import ChangeType
from batchwright.layout.item_types.registry import ITEM_TYPES, Item
from batchwright.layout.type_conversion import LostValue, convert, type_change
from batchwright.ui.editor.item_labels import item_type_label, node_name
from batchwright.ui.editor.state import EditorState
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.surfaces import SunkenSurface
from batchwright.ui.widgets.text import Label

_MAX_LISTED = 50
"""Maximum number of items whose lost values are listed."""
_MAX_TEXT = 300
"""Maximum number of characters of a lost value."""

LossesByItem = Sequence[tuple[str, Sequence[LostValue]]]
"""The names of items, each with the values that it would lose."""


def target_types() -> list[type[Item]]:
    """The types that items of some other type can be changed into, in the order of the specification."""
    targets = {change.to for item_type in ITEM_TYPES.values() for change in item_type.type_changes}
    return [item_type for name, item_type in ITEM_TYPES.items() if name in targets]


def can_change(model: EditorState, to: type[Item]) -> bool:
    """Whether all selected items can be changed into a type or have it, and at least one has another."""
    items = _selected(model)
    others = [item for item in items if item.kind != to.type]
    return (
        bool(others)
        and len(items) == len(model.keys)
        and all(type_change(item, to.type) is not None for item in others)
    )


def losses(items: Sequence[Item], to: type[Item]) -> LossesByItem:
    """What each item would lose; items that lose nothing are omitted."""
    converted = [
        (node_name(item), convert(item, change).lost)
        for item in items
        if (change := type_change(item, to.type)) is not None
    ]
    return [(name, lost) for name, lost in converted if lost]


async def change_type(model: EditorState, host: QWidget, to: type[Item]) -> None:
    """Change the selected items into a type, after a question if anything would be lost."""
    items, title = _selected(model), item_type_label(to).title
    lost = losses(items, to)
    if lost and not await ChangeTypeDialog(title, lost).ask(host):
        return
    was_sent = any(item.key in model.study.remote(model.study.connection).ids for item in items)
    if model.apply(ChangeType(tuple(item.key for item in items), to.type)) and was_sent:
        model.message.emit(
            ngettext(
                "This is a new item for the service. Answers to the old one stay with that.",
                "These are new items for the service. Answers to the old ones stay with those.",
                len(items),
            )
        )


class ChangeTypeDialog(Dialog):
    """Lists what a change of the type would lose, and asks whether to go on."""

    def __init__(self, type_title: str, lost: LossesByItem) -> None:
        super().__init__(
            _("Change to “{type}”?").format(type=type_title),
            ngettext(
                "The new type has no place for the following. You can undo the change.",
                "The new type has no place for the following of {count} items. You can undo the change.",
                len(lost),
            ).format(count=len(lost)),
            _("Change type"),
        )
        for name, values in lost[:_MAX_LISTED]:
            self.add(_losses_of_item(name, values))
        if len(lost) > _MAX_LISTED:
            rest = len(lost) - _MAX_LISTED
            text = ngettext("and {count} more item", "and {count} more items", rest)
            self.add(Label(text.format(count=rest), TextRole.SMALL, "text2"))


def _losses_of_item(name: str, values: Sequence[LostValue]) -> QWidget:
    surface = SunkenSurface()
    lines = column(Label(name, TextRole.SMALL_STRONG, wraps=True), gap=6, margins=12, parent=surface)
    for value in values:
        line = row(gap=12)
        title = Label(value.title[:1].upper() + value.title[1:], TextRole.SMALL, "text2", wraps=True)
        line.addWidget(title, 2, Qt.AlignmentFlag.AlignTop)
        line.addWidget(Label(truncate(value.text, _MAX_TEXT), TextRole.SMALL, wraps=True), 3)
        lines.addLayout(line)
    return surface


def _selected(model: EditorState) -> list[Item]:
    """The selected items, in reading order."""
    nodes = [model.layout.at(path) for path in model.paths().values()]
    return [node for node in nodes if isinstance(node, Item)]
