"""The form of an item: the fields of its type, in their order."""

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.layout.item_types.registry import Item
from batchwright.ui.editor.inspector.collapsible import CollapsibleSection
from batchwright.ui.editor.inspector.form import NodeForm, capitalized
from batchwright.ui.editor.inspector.unknown_keys import ServerIdView, UnknownKeysView, unknown_keys
from batchwright.ui.editor.item_types.registry import item_editor


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
        capitalized(", ".join(titles)),
        *more,
        UnknownKeysView(form),
        ServerIdView(form),
        is_open=any(form.problem(name) for name in editor.more_fields),
    )
    return [*rows, section]
