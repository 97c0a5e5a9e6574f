"""A large editor for one text, shown over the window; for rich text, with a preview beside it."""

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.inspector.text_binding import ChunkNavigator, TextBinding
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.tips import shortcut_text
from batchwright.ui.widgets.box_layouts import LayoutItem, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton
from batchwright.ui.widgets.dialogs.overlays import MARGIN, ModalOverlay, OverlayPanel
from batchwright.ui.widgets.fields import TextArea
from batchwright.ui.widgets.text import Label

EXPAND_KEYS = "Ctrl+Return"
"""Opens the large editor from its field, and closes it."""

_PLAIN_SIZE, _PREVIEW_SIZE = (640, 460), (1080, 720)
"""Preferred width and height in pixels: of a text alone, and of a text with a preview beside it."""


class LargeEditor(OverlayPanel):
    """An overlay that edits one text attribute. Typing changes the study immediately, as in its field.

    `side_widget` is placed to the right of the text, `toolbar` above it.
    """

    help_address = "layout.md#texts"

    def __init__(
        self,
        form: NodeForm,
        title: str,
        area: TextArea,
        binding: TextBinding,
        *,
        toolbar: LayoutItem = 0,
        side_widget: QWidget | None = None,
    ) -> None:
        width, self._height = _PLAIN_SIZE if side_widget is None else _PREVIEW_SIZE
        super().__init__(title, width)
        self.setAccessibleDescription(_("Changes are saved immediately."))
        self._form = form
        self.area, self._binding = area, binding
        area.setAccessibleName(title)
        area.setFont(theme().font(TextRole.PAGE))
        area.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._length_label = Label("", TextRole.CAPTION, "text2", tabular=True)
        done_button = Button(_("Done"), ButtonKind.PRIMARY, height=ButtonSize.DIALOG)
        done_button.setToolTip(_("Done  {keys}").format(keys=shortcut_text("Ctrl+Enter")))
        done_button.clicked.connect(self.accept)
        text = row(gap=16)
        text.addWidget(area, 1)
        if side_widget is not None:
            text.addWidget(_scrolled(side_widget), 1)
        lines = column(Label(title, TextRole.TITLE), toolbar, gap=12, margins=(28, 24, 28, 24), parent=self)
        lines.addLayout(text, 1)
        lines.add(ChunkNavigator(binding))
        lines.add(row(self._length_label, None, done_button))
        QShortcut(QKeySequence(EXPAND_KEYS), self, self.accept)
        # The window's actions are disabled while the overlay is open; undo must still work.
        QShortcut(QKeySequence("Ctrl+Z"), self, form.study.undo)
        QShortcut(QKeySequence("Ctrl+Shift+Z"), self, form.study.redo)
        form.destroyed.connect(self.reject)
        area.textChanged.connect(self.refresh_length)
        self.refresh_length()

    def refresh_length(self) -> None:
        """Update the label with the number of characters."""
        count = len(self._binding.text)
        text = ngettext("{count} character", "{count} characters", count).format(count=count)
        self._length_label.setText(text)

    @override
    def set_initial_focus(self) -> None:
        """Give the text the keyboard focus."""
        self.area.moveCursor(QTextCursor.MoveOperation.End)
        self.area.setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def done(self, code: int) -> None:
        self._form.end_typing()
        super().done(code)

    @override
    def geometry_in(self, host: QRect) -> QRect:
        """The preferred size, limited to what the window has space for."""
        width = min(theme().px(self.panel_width), host.width() - 2 * MARGIN)
        height = min(theme().px(self._height), host.height() - 2 * MARGIN)
        return QRect((host.width() - width) // 2, (host.height() - height) // 2, width, height)


class TextEditor(LargeEditor):
    """The large editor of a plain text."""

    def __init__(
        self, form: NodeForm, name: str, title: str, value_of: Callable[[str], Json], example: str = ""
    ) -> None:
        area = TextArea(8)
        area.setPlaceholderText(example)
        self._text_binding = TextBinding(
            area, lambda text: form.set(name, value_of(text), typing=name), form.end_typing
        )
        super().__init__(form, title, area, self._text_binding)
        self._name = name
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current text."""
        self._text_binding.show_text(self._form.text(self._name))
        self.refresh_length()


def expand_button(control: QWidget, open_editor: Callable[[], object], name: str = "") -> IconButton:
    """Create the button that opens the large editor of a field, and a shortcut for it on the field."""
    text = name or _("Large editor")
    button = IconButton("arrows-out-simple", text, keys="Ctrl+Enter", glyph_size=16, height=ButtonSize.TINY)
    button.clicked.connect(open_editor)
    shortcut = QShortcut(QKeySequence(EXPAND_KEYS), control, open_editor)
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    return button


def show_large(field: QWidget, editor: LargeEditor) -> None:
    """Show the editor over the window that contains `field`."""
    ModalOverlay(field.window(), editor)


def _scrolled(content: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.viewport().setAutoFillBackground(False)
    area.setWidget(content)
    return area
