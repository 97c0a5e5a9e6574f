"""The layout as a tree model: pages, rows, columns and items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from typing_extensions import override

from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level, Node, ObjectNode
from batchwright.layout.rules.problems import Problem, Severity
from batchwright.schema.model import Schema
from batchwright.ui.editor.core.item_labels import item_label, node_name
from batchwright.ui.editor.core.problem_signs import SEVERITY_ORDER, severity_text
from batchwright.ui.theme.glyphs import icon
from batchwright.ui.widgets.tables.models import Index, sanitized


@dataclass(eq=False)
class OutlineNode:
    """A node with its index among its siblings."""

    id: int
    node: Node
    index: int
    parent: "OutlineNode | None" = None
    children: list["OutlineNode"] | None = field(default=None, repr=False)
    """Its children; None until they are first requested."""


class OutlineModel(QAbstractItemModel):
    """The layout with the names of its pages and the severity of its problems."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = Layout()
        self._schema: Schema | None = None
        self._names: Mapping[str, str] = {}
        self._problems: Mapping[str, Sequence[Problem]] = {}
        self._pages: list[OutlineNode] = []
        self._ids = count(1)
        self._nodes: dict[int, OutlineNode] = {}
        """The nodes by the ids in Qt indexes.

        Ids are never reused, so an index of an earlier layout finds no node.
        """

    def show_layout(self, layout: Layout, schema: Schema | None) -> bool:
        """Show a layout. Returns False if it is shown already."""
        if layout is self._layout and schema is self._schema:
            return False
        self.beginResetModel()
        self._layout, self._schema = layout, schema
        self._nodes = {}
        self._pages = self._nodes_of(layout.pages, None)
        self.endResetModel()
        return True

    def show_names_and_problems(
        self, names: Mapping[str, str], problems: Mapping[str, Sequence[Problem]]
    ) -> None:
        """Set names of pages and problems, each by key. The caller repaints the view."""
        self._names, self._problems = names, problems

    def index_of(self, key: str) -> QModelIndex:
        """The index of a node; invalid if the node does not exist."""
        path = self._layout.paths((key,)).get(key)
        index = QModelIndex()
        for number in () if path is None else path.indices:
            index = self.index(number, 0, index)
        return index

    def key_at(self, index: Index) -> str | None:
        """The key of the node at an index."""
        node = self.node(index)
        return None if node is None else node.node.key

    def node(self, index: Index) -> OutlineNode | None:
        """The node at an index; None if it no longer exists."""
        return self._nodes.get(index.internalId()) if index.isValid() else None

    def worst_severity(self, node: Node) -> Severity | None:
        """The severity of the most severe problem of a node and its descendants."""
        if not self._problems:
            return None
        severities = {
            problem.severity for inner in node.walk_all() for problem in self._problems.get(inner.key, ())
        }
        return min(severities, key=SEVERITY_ORDER.index, default=None)

    @override
    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's own
        nodes = self._children_of(parent)
        has_cell = 0 <= row < len(nodes) and column == 0
        return self.createIndex(row, column, nodes[row].id) if has_cell else QModelIndex()

    @override
    def parent(self, child: Index) -> QModelIndex:  # type: ignore[override]  # Qt has a second one without arguments
        node = self.node(child)
        parent_node = node.parent if node is not None else None
        return (
            QModelIndex() if parent_node is None else self.createIndex(parent_node.index, 0, parent_node.id)
        )

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return len(self._children_of(parent))

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 1

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        exists = self.node(index) is not None
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled if exists else Qt.ItemFlag.NoItemFlags

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        node = self.node(index)
        if node is None:
            return None
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return sanitized(self._title(node), role)
        if role == Qt.ItemDataRole.DecorationRole:
            label = item_label(node.node, self._schema)
            return icon(label.glyph, label.family)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            worst = self.worst_severity(node.node)
            return "" if worst is None else severity_text(worst)
        return None

    def _title(self, node: OutlineNode) -> str:
        layout_node = node.node
        if not isinstance(layout_node, ObjectNode) or layout_node.level is Level.ITEM:
            return node_name(layout_node)
        title = f"{item_label(layout_node).title} {node.index + 1}"
        name = self._names.get(layout_node.key, "")
        return f"{title}  {name}" if name else title

    def _children_of(self, parent: Index) -> list[OutlineNode]:
        """The children of the node at an index: the pages if invalid, none if the node no longer exists."""
        if not parent.isValid():
            return self._pages
        node = self.node(parent)
        if node is None:
            return []
        if node.children is None:
            node.children = self._nodes_of(node.node.children, node)
        return node.children

    def _nodes_of(self, entries: Sequence[Node], parent: OutlineNode | None) -> list[OutlineNode]:
        nodes = [OutlineNode(next(self._ids), entry, number, parent) for number, entry in enumerate(entries)]
        self._nodes.update((node.id, node) for node in nodes)
        return nodes
