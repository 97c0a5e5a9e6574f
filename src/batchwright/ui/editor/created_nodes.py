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
    pages_after = {id(page) for page in after.pages}
    pages_before = {id(page) for page in before.pages}
    existing_keys = {
        node.key for page in before.pages if id(page) not in pages_after for node in page.walk_all()
    }
    return {
        node.key: path
        for path, node in _nodes_on_new_pages(pages_before, after)
        if path.level is level and node.key not in existing_keys
    }


def _level(edit: Edit, before: Layout) -> Level | None:
    """The level of the nodes that an edit creates; None when it creates none."""
    if isinstance(edit, Add):
        return next((node.level for node in edit.nodes if isinstance(node, ObjectNode)), None)
    if isinstance(edit, (Copy, Duplicate)):
        return next((path.level for path in before.paths(edit.keys).values()), None)
    return Level.PAGE if isinstance(edit, SplitPage) else None


def _nodes_on_new_pages(old_pages: Container[int], layout: Layout) -> Iterator[tuple[NodePath, Node]]:
    """The nodes of all pages except the given page objects, with their paths."""
    for number, page in enumerate(layout.pages):
        if id(page) not in old_pages:
            yield NodePath(number), page
            if isinstance(page, Page):
                for path, node in page.nodes_with_paths():
                    yield path._replace(page=number), node
