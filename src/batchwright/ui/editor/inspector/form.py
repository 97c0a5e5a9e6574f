"""The state of the form of one node, without widgets: its attributes and problems, and how to change them."""

from collections.abc import Mapping
from functools import cached_property, partial

from PySide6.QtCore import QObject, Signal

from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.editing.edits import Edit, SetAttributes
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.item_types.comparisons import compared_fields
from batchwright.layout.item_types.registry import Choice, DatasetField, Item
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import Node, NodePath, ObjectNode
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.problems import AttributePath, Fix, Problem, Severity
from batchwright.schema.model import Schema
from batchwright.ui.study.study_model import Study


class NodeForm(QObject):
    """The attributes and problems of one node of the study's layout. `changed` is emitted when they may
    differ.

    Consecutive keystrokes in one field are one undo step, which ends when the field loses the focus.
    """

    changed = Signal()

    def __init__(self, study: Study, key: str) -> None:
        super().__init__()
        self.study, self.key = study, key
        self.path: NodePath | None = None
        self.node: Node | None = None
        self._load()

    def show_node(self, key: str) -> None:
        """Show the current state of a node: the same one, or another one with the same fields."""
        if key != self.key:
            self.end_typing()
            self.key = key
        self._load()
        self.changed.emit()

    @property
    def attributes(self) -> JsonObject:
        """The current attributes of the node."""
        return self.node.attributes if isinstance(self.node, ObjectNode) else {}

    def value(self, name: str) -> Json:
        """The value of an attribute; None when it is not set."""
        return self.attributes.get(name)

    def text(self, name: str) -> str:
        """The value of an attribute as text."""
        value = self.value(name)
        return "" if value is None else as_text(value)

    def set(self, name: str, value: Json, *, typing: str = "") -> None:
        """Set an attribute, or remove it if `value` is None. `typing` identifies the field that is being
        typed into.
        """
        self.set_all({} if value is None else {name: value}, (name,) if value is None else (), typing=typing)

    def set_all(self, values: JsonObject, unset: tuple[str, ...] = (), *, typing: str = "") -> None:
        """Set and remove several attributes in one undo step."""
        self._apply(SetAttributes(self.key, values, unset), f"{self.key} {typing}" if typing else None)

    def set_with_neutral_labels(self, name: str, value: Json) -> None:
        """Set an attribute; fields that the page then compares get neutral labels, in the same undo step."""
        edit, items = SetAttributes(self.key, {name: value}), list[tuple[NodePath, Item]]()
        if self.path is not None and self.path.page is not None and self.node is not None:
            page = edit(Layout((self.study.layout.pages[self.path.page],))).pages[0]
            items = list(page.walk()) if isinstance(page, Page) else []
        compared = compared_fields(
            [(path, item.field) for path, item in items if isinstance(item, DatasetField)],
            [item for _path, item in items if isinstance(item, Choice)],
        )
        labels = partial(Schema.with_better_labels, compared=compared)
        self._apply(Fix(SetAttributes.label, edit, schema_edit=labels))

    def _apply(self, edit: Edit, merge_key: str | None = None) -> None:
        try:
            self.study.apply(edit, merge_key)
        except EditRejected:
            # The node was removed while its field still had the focus; the form is about to be replaced.
            self.node = None

    def end_typing(self) -> None:
        """End the current undo step: further typing is a new step."""
        self.study.close_step()

    def record_visit(self, attribute: AttributePath) -> None:
        """Record that the field of an attribute lost the focus.

        If it is empty, that is reported from now on.
        """
        if self.node is not None:
            self.study.record_field_visited(self.key, attribute)

    @cached_property
    def problems(self) -> Mapping[AttributePath, tuple[Problem, ...]]:
        """The problems of the node by attribute, errors before hints."""
        problems: dict[AttributePath, list[Problem]] = {}
        if self.node is not None:
            for problem in self.study.problems:
                if problem.path == self.path and problem.severity is not Severity.UNFILLED:
                    problems.setdefault(problem.attribute, []).append(problem)
        return {path: tuple(sorted(group, key=_is_advice)) for path, group in problems.items()}

    def problem(self, name: str) -> Problem | None:
        """The most severe problem of an attribute, including problems inside its value."""
        problems = [
            problem for path, group in self.problems.items() if path.name == name for problem in group
        ]
        return min(problems, key=_is_advice, default=None)

    def _load(self) -> None:
        self.__dict__.pop("problems", None)
        layout = self.study.layout
        self.path = layout.paths((self.key,)).get(self.key)
        self.node = None if self.path is None else layout.at(self.path)


def capitalized(text: str) -> str:
    """The title of an attribute as a label: with its first letter capitalized."""
    return text[:1].upper() + text[1:]


def _is_advice(problem: Problem) -> bool:
    return problem.severity is not Severity.ERROR
