"""The rows of the list in which a side is chosen for what two versions have changed differently."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.client.content_review import HTML_TEXTS, MergedContent, Versions
from batchwright.layout.comparing.comparison import attribute_changes
from batchwright.layout.comparing.merge import ConflictIdentity, ConflictKind, MergeConflict
from batchwright.layout.item_types.registry import RichText
from batchwright.layout.model import Page
from batchwright.layout.nodes import Node, NodePath
from batchwright.ui.review.rows import (
    ValueRow,
    attribute_title,
    markup_row,
    node_title,
    text_title,
    value_row,
    value_text,
)


@dataclass(frozen=True)
class ConflictRow:
    """A conflict: what it is about, and both values of everything that differs, mine first."""

    identity: ConflictIdentity | str
    """The name of the text for a conflict about a text."""
    title: str
    place: str
    values: tuple[ValueRow, ...]

    @property
    def searched_text(self) -> str:
        """The text that a search looks at, in lower case."""
        texts = (text for value in self.values for text in (value.title, value.before, value.after))
        return "\n".join((self.title, self.place, *texts)).casefold()


def conflict_rows(
    merged: MergedContent, versions: Versions, place: Callable[[NodePath], str]
) -> tuple[ConflictRow, ...]:
    """The rows for the conflicts of a merge; `place` returns the text for the place of a node."""
    keys = frozenset(conflict.key for conflict in merged.conflicts)
    places = {
        key: place(path)
        for version in (versions.base, versions.theirs, versions.mine)
        if version is not None
        for key, path in version.layout.paths(keys).items()
    }
    return (*_text_rows(merged), *_layout_rows(merged.conflicts, places))


def _text_rows(merged: MergedContent) -> Iterator[ConflictRow]:
    for conflict in merged.text_conflicts:
        create_row = markup_row if conflict.attribute in HTML_TEXTS else value_row
        values = (create_row("", conflict.mine, conflict.theirs),)
        yield ConflictRow(conflict.attribute, text_title(conflict.attribute), "", values)


def _layout_rows(conflicts: Iterable[MergeConflict], places: dict[str, str]) -> Iterator[ConflictRow]:
    for conflict in conflicts:
        node, place = conflict.mine or conflict.theirs or conflict.base, places.get(conflict.key, "")
        title = _("Order of the pages") if node is None else node_title(node)
        if isinstance(node, Page) and place:
            title, place = place, ""
        yield ConflictRow(conflict.identity, title, place, tuple(_values(conflict)))


def _values(conflict: MergeConflict) -> Iterator[ValueRow]:
    match conflict.kind:
        case ConflictKind.REMOVED_BY_ME:
            yield ValueRow("", _("Removed"), _("Changed"))
        case ConflictKind.REMOVED_BY_THEM:
            yield ValueRow("", _("Changed"), _("Removed"))
        case ConflictKind.PARENT:
            yield ValueRow("", _("Where you moved it"), _("Where they moved it"))
        case ConflictKind.ORDER:
            yield ValueRow("", _("Your order"), _("Their order"))
        case ConflictKind.ATTRIBUTES:
            if conflict.mine is not None and conflict.theirs is not None:
                yield from _attribute_rows(conflict.mine, conflict.theirs)


def _attribute_rows(mine: Node, theirs: Node) -> Iterator[ValueRow]:
    for change in attribute_changes(mine, theirs):
        is_html = isinstance(mine, RichText) and change.name == "content"
        create_row = markup_row if is_html else value_row
        yield create_row(
            attribute_title(theirs, change.name) if change.name else _("Value"),
            value_text(mine, change.name, change.before),
            value_text(theirs, change.name, change.after),
        )
