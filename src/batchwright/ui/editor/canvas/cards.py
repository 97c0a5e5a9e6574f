"""The cards of the canvas, one for each item. A card is reused as long as the item keeps its key."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject
from batchwright.layout.item_types.registry import DatasetField
from batchwright.layout.nodes import Node, NodePath
from batchwright.layout.rules.problems import Problem
from batchwright.layout.rules.problems import Severity as Weight
from batchwright.schema.model import Field, Schema
from batchwright.ui.content.card_footer import CardFooter, FooterSeverity
from batchwright.ui.content.cards import Card, CardState
from batchwright.ui.editor.canvas.label_field import LabelField
from batchwright.ui.editor.core.item_labels import ItemLabel, item_label, spoken_name
from batchwright.ui.editor.core.keyboard_moves import Direction
from batchwright.ui.editor.core.problem_signs import count_of, severity_count_text
from batchwright.ui.editor.dnd.drag_source import exceeds_drag_distance
from batchwright.ui.editor.item_types.registry import card_body
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.widgets.box_layouts import clear

ARROWS = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right})
_MULTI_SELECT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@dataclass(frozen=True)
class CardContext:
    """The schema and the record that fill the cards."""

    schema: Schema | None
    record: JsonObject | None


class ItemCard(Card):
    """The card of an item. It can be selected, dragged and opened for editing."""

    select_requested = Signal(str, bool)
    """The key of the clicked item, and whether it is added to the selection."""
    drag_requested = Signal(str)
    """A drag of the item with this key starts."""
    edit_requested = Signal(str)
    """The item with this key is to be edited."""
    fix_requested = Signal(object)
    duplicate_requested = Signal(str)
    remove_requested = Signal(str)
    move_requested = Signal(str, object)
    """The key of the item and the `Direction` to move it in."""
    arrow_pressed = Signal(str, object)
    """The key of the item and the event of the arrow key, which has the modifiers."""
    label_entered = Signal(str, str)
    """The name of a dataset field, and the label that was entered for it."""

    def __init__(self, node: Node, context: CardContext, parent: QWidget | None = None) -> None:
        self._label = item_label(node, context.schema)
        super().__init__(self._label.glyph, self._label.family, self._label.title, parent=parent)
        self.node = node
        self._problem: Problem | None = None
        self._shown_content: object = None
        self._shown_problems: object = None
        self._described: object = None
        self._press_position: QPoint | None = None
        self._is_selected = False
        self._field: Field | None = None
        """The dataset field that the card shows, if the schema has it."""
        self._label_field: LabelField | None = None
        self.chosen.connect(self._request_select)
        self.opened.connect(lambda: self.edit_requested.emit(self.node.key))
        self.fix_clicked.connect(lambda: self.fix_requested.emit(self._problem))
        self.add_action("copy", _("Duplicate"), lambda: self.duplicate_requested.emit(self.node.key))
        self.add_action("trash", _("Remove"), lambda: self.remove_requested.emit(self.node.key))
        self.show_node(node, context)

    @property
    def family(self) -> str:
        """The family of the item's type, which determines the colour."""
        return self._label.family

    def can_show(self, node: Node, context: CardContext) -> bool:
        """Whether this card can be reused for a node: its icon would stay the same."""
        label = item_label(node, context.schema)
        return (label.glyph, label.family) == (self._label.glyph, self._label.family)

    @override
    def accessible_actions(self) -> dict[str, Callable[[], object]]:
        moves = {
            _("Move up"): Direction.UP,
            _("Move down"): Direction.DOWN,
            _("Move left"): Direction.LEFT,
            _("Move right"): Direction.RIGHT,
        }
        actions = {name: partial(self._request_move, direction) for name, direction in moves.items()}
        label = {_("Edit label"): self.edit_label} if self._field is not None else {}
        return {**super().accessible_actions(), **label, **actions}

    def edit_label(self) -> None:
        """Edit the label of the dataset field in place of the title; without such a field, do nothing."""
        if self._field is None or self._label_field is not None:
            return
        self._label_field = field = LabelField(self._field.label or "")
        field.ended.connect(self._on_label_ended)
        self.show_head_editor(field)
        field.show()
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_label_ended(self, is_applied: bool) -> None:
        field, self._label_field = self._label_field, None
        if field is None:
            return
        if field.hasFocus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.show_head_editor(None)
        if is_applied and isinstance(self.node, DatasetField):
            self.label_entered.emit(self.node.field, field.text().strip())

    def _request_move(self, direction: Direction) -> None:
        self.move_requested.emit(self.node.key, direction)

    def show_node(self, node: Node, context: CardContext) -> None:
        """Show an item, unless it is displayed already."""
        content = (node, *_shown_values(node, context))
        before = self._shown_content
        if isinstance(before, tuple) and before[0] is node and before[1:] == content[1:]:
            return
        self._shown_content, self.node, self._label = content, node, item_label(node, context.schema)
        self.setObjectName(f"card {node.key}")
        self._show_header(node, self._label, context.schema)
        clear(self.body)
        body = card_body(node, context.schema, context.record)
        self.add(*body, None)
        if self.isVisible() and (layout := self.layout()) is not None:
            # Not left to the event loop, which shows new widgets late while the user types.
            for widget in body:
                if isinstance(widget, QWidget):
                    widget.show()
            layout.activate()

    def show_problems(self, problems: Sequence[Problem], *, is_unchecked: bool) -> None:
        """Show the problems in the footer."""
        shown = (tuple(problems), is_unchecked)
        if shown != self._shown_problems:
            self._shown_problems, self._problem = shown, problems[0] if problems else None
            self.show_footer(_footer(problems, is_unchecked=is_unchecked))

    def describe(self, path: NodePath, problems: Sequence[Problem]) -> None:
        """Describe the position and the problems for screen readers."""
        described = (path, tuple(problems))
        if described != self._described:
            self._described = described
            texts = [path.label, *(problem.message for problem in problems)]
            self.setAccessibleDescription(sanitize(". ".join(part for part in texts if part)))

    def show_selected(self, *, is_selected: bool) -> None:
        """Show whether the card is selected."""
        if is_selected == self._is_selected:
            return
        self._is_selected = is_selected
        self.show_state(CardState.SELECTED if is_selected else CardState.RESTING)

    def _show_header(self, node: Node, label: ItemLabel, schema: Schema | None) -> None:
        self._field = schema.fields.get(node.field) if schema and isinstance(node, DatasetField) else None
        field_label = (self._field.label if self._field is not None else None) or ""
        self.show_title(label.title, field_label, is_name=isinstance(node, DatasetField))
        self.setAccessibleName(sanitize_line(spoken_name(node, schema)))

    def _request_select(self) -> None:
        self.select_requested.emit(self.node.key, False)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        self._press_position = event.position().toPoint()
        if event.modifiers() & _MULTI_SELECT:
            self.select_requested.emit(self.node.key, True)
        elif not self._is_selected:
            self._request_select()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._field is not None and self.is_on_note(event.position().toPoint()):
            self.edit_label()
        else:
            super().mouseDoubleClickEvent(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if exceeds_drag_distance(event, self._press_position):
            self._press_position = None
            self.drag_requested.emit(self.node.key)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select this card alone if one of several selected cards was clicked and not dragged."""
        if self._press_position is not None and self._is_selected and not event.modifiers() & _MULTI_SELECT:
            self._request_select()
        self._press_position = None

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ARROWS and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.arrow_pressed.emit(self.node.key, event)
        elif event.key() == Qt.Key.Key_Space and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.select_requested.emit(self.node.key, True)
        elif event.key() == Qt.Key.Key_F2 and self._field is not None:
            self.edit_label()
        else:
            super().keyPressEvent(event)


def _shown_values(node: Node, context: CardContext) -> tuple[object, ...]:
    """The parts of the context that an item displays; the card is redrawn only if they change."""
    if not isinstance(node, DatasetField):
        return ()
    field = context.schema.fields.get(node.field) if context.schema is not None else None
    has = context.record is not None and node.field in context.record
    return (
        field,
        context.record is None,
        has,
        context.record[node.field] if has and context.record else None,
    )


def _footer(problems: Sequence[Problem], *, is_unchecked: bool) -> CardFooter | None:
    """The most severe problem with its fix, or the number of attributes that are still to be filled in."""
    if problems:
        problem = problems[0]
        if problem.severity is Weight.UNFILLED:
            return CardFooter(
                FooterSeverity.UNFILLED,
                severity_count_text(Weight.UNFILLED, count_of(problems, Weight.UNFILLED)),
            )
        severity = FooterSeverity.ERROR if problem.severity is Weight.ERROR else FooterSeverity.ADVICE
        return CardFooter(severity, problem.message, problem.fix.label if problem.fix is not None else "")
    if is_unchecked:
        return CardFooter(FooterSeverity.UNCHECKED, _("Cannot be checked yet: no schema attached"))
    return None
