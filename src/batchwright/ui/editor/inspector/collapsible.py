"""A collapsible section for attributes that are rarely needed."""

from collections.abc import Callable, Collection, Mapping

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAccessible, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.rules.problems import AttributePath
from batchwright.ui.editor.inspector.attribute_focus import FocusableAttribute, focus_attribute
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_text
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.widgets.accessibility.accessible_interfaces import (
    Accessible,
    accessible_with,
    emit_state_changed,
)
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.surfaces import Separator
from batchwright.ui.widgets.text import show_literal


class CollapsibleSection(QWidget):
    """A header that shows and hides the widgets below it, with a summary at the right end of the header."""

    def __init__(self, summary: str, *fields: QWidget, is_open: bool = False) -> None:
        super().__init__()
        self.header = CollapsibleHeader(_("More"), summary)
        self.header.setChecked(is_open)
        self._fields = fields
        self._content = QWidget()
        column(*fields, gap=14, margins=(0, 6, 0, 0), parent=self._content)
        column(Separator(), self.header, self._content, gap=4, parent=self)
        self._content.setVisible(is_open)  # a visible widget without a parent would be a window
        self.header.toggled.connect(self._content.setVisible)

    @property
    def attribute_names(self) -> Collection[str]:
        """The attributes of all fields in the section."""
        return [
            name
            for field in self._fields
            if isinstance(field, FocusableAttribute)
            for name in field.attribute_names
        ]

    def focus_attribute(self, path: AttributePath) -> None:
        """Open the section and focus the field that edits the attribute at `path`."""
        self.header.setChecked(True)
        focus_attribute(self._fields, path)


class _HeaderAccessible(Accessible):
    """The accessible interface of the header: reports whether the section is open."""

    role_of_class = QAccessible.Role.Button

    @override
    def update_state(self, state: QAccessible.State) -> None:
        head = self.widget()
        is_open = isinstance(head, CollapsibleHeader) and head.isChecked()
        state.expandable = True
        state.expanded, state.collapsed = is_open, not is_open

    @override
    def actions(self) -> Mapping[str, Callable[[], object]]:
        head = self.widget()
        if not isinstance(head, CollapsibleHeader):
            return {}
        return {_("Close") if head.isChecked() else _("Open"): head.click}

    @override
    def text(self, what: QAccessible.Text) -> str:
        head = self.widget()
        if what is QAccessible.Text.Name and isinstance(head, CollapsibleHeader):
            return head.text()
        return super().text(what)


@accessible_with(_HeaderAccessible)
class CollapsibleHeader(QAbstractButton):
    """The header of a collapsible section, with a caret that points down while the section is open."""

    def __init__(self, text: str, summary: str = "") -> None:
        super().__init__()
        show_literal(self, text)
        self.set_summary(summary)
        self.setCheckable(True)
        self.toggled.connect(self._announce_state)
        self.setProperty(RING, 5)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().on_changed(self.updateGeometry)

    def _announce_state(self) -> None:
        emit_state_changed(self, "expanded", "collapsed")

    def set_summary(self, summary: str) -> None:
        """Set the text at the right end of the header."""
        self._summary = summary
        self.setAccessibleDescription(summary)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(120), theme().px(34))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px, box = QPainter(self), theme().tokens, theme().px, self.rect()
        glyph = "caret-down-bold" if self.isChecked() else "caret-right-bold"
        draw_glyph(painter, glyph, QRect(0, 0, px(14), box.height()), tokens.text2, px(12))
        font = theme().font(TextRole.SMALL_STRONG)
        draw_text(painter, box.adjusted(px(22), 0, 0, 0), self.text(), font, tokens.text)
        if not self._summary:
            return
        width = QFontMetrics(font).horizontalAdvance(self.text())
        right = box.adjusted(px(40) + width, 0, 0, 0)
        draw_text(
            painter,
            right,
            self._summary,
            theme().font(TextRole.CAPTION),
            tokens.text2,
            Qt.AlignmentFlag.AlignRight,
        )
