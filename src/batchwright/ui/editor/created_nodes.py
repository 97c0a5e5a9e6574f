"""The nodes that an edit created, which are selected after it."""

from collections.abc import Container, Iterator

from batchwright.layout.edits import Add, Copy, Duplicate, Edit, SplitPage
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import Level, Node, NodePath, ObjectNode


def created_nodes(edit: Edit, before: Layout, after: Layout) -> dict[str, NodePath]:
    """The paths of the nodes that an edit created, by key, in reading order; empty when it created none."""
    level = _level(edit, before)
    if level is None:
        return {}
    here = {id(page) for page in after.pages}
    there = {id(page) for page in before.pages}
    known = {entry.key for page in before.pages if id(page) not in here for entry in page.walk_all()}
    return {
        entry.key: path
        for path, entry in _on_pages_but(there, after)
        if path.level is level and entry.key not in known
    }


def _level(edit: Edit, before: Layout) -> Level | None:
    """The level of the entries that an edit makes; None when it makes none to select."""
    if isinstance(edit, Add):
        return next((entry.level for entry in edit.nodes if isinstance(entry, ObjectNode)), None)
    if isinstance(edit, (Copy, Duplicate)):
        return next((path.level for path in before.paths(edit.keys).values()), None)
    return Level.PAGE if isinstance(edit, SplitPage) else None


def _on_pages_but(known: Container[int], layout: Layout) -> Iterator[tuple[NodePath, Node]]:
    """The entries of the pages that are not these objects, with their places."""
    for number, page in enumerate(layout.pages):
        if id(page) not in known:
            yield NodePath(number), page
            if isinstance(page, Page):
                for path, entry in page.nodes_with_paths():
                    yield path._replace(page=number), entry
