"""Splitters with a thin line and a wider handle."""

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.theme import TEXT_SIZES, theme

_HANDLE_WIDTH = 5


class Splitter(QSplitter):
    """A splitter; `background` is the colour token around its line."""

    def __init__(
        self,
        orientation: Qt.Orientation,
        *panels: QWidget,
        name: str,
        background: str = "window",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(orientation, parent)
        self._surface = background
        self._state_with_all_panels = ""
        """The sizes to restore when all panels are visible again; empty while they are."""
        self.was_shown = False
        """Whether its sizes are valid, which they are not before it is shown."""
        self.setObjectName(name)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(_HANDLE_WIDTH)
        for panel in panels:
            self.addWidget(panel)
        self._text_size = theme().text_size
        """The text size that its sizes are for."""
        theme().on_changed(self._update_sizes)

    def _update_sizes(self) -> None:
        """After a change of the text size, change the sizes of the panels that do not stretch with it.

        Before it is first shown, it has no valid sizes that could be changed.
        """
        if not self.was_shown:
            return
        factor, self._text_size = theme().text_size / self._text_size, theme().text_size
        sizes = self.sizes()
        stretches = [self._stretches(place) for place in range(self.count())]
        if factor == 1 or sum(stretches) != 1:
            return
        scaled = [round(size * factor) for size in sizes]
        scaled[stretches.index(True)] += sum(sizes) - sum(scaled)
        self.setSizes([max(0, size) for size in scaled])

    def _stretches(self, place: int) -> bool:
        panel = self.widget(place)
        return panel is not None and panel.sizePolicy().horizontalStretch() > 0

    @override
    def createHandle(self) -> QSplitterHandle:
        return _Handle(self._surface, self.orientation(), self)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.was_shown = True
        self._update_sizes()

    def show_panel(self, panel: QWidget, *, is_shown: bool) -> None:
        """Show or hide a panel; when all are visible again, their previous sizes are restored."""
        if is_shown != panel.isHidden():
            return
        if not is_shown:
            self._state_with_all_panels = self.state_text()
        panel.setVisible(is_shown)
        panels = [self.widget(place) for place in range(self.count())]
        if is_shown and not any(
            panel_widget is not None and panel_widget.isHidden() for panel_widget in panels
        ):
            sizes, self._state_with_all_panels = self._state_with_all_panels, ""
            self.restore_text(sizes)

    def state_text(self) -> str:
        """The sizes of all panels, and the text size that they are for, as text for the settings."""
        state = bytes(self.saveState().toBase64().data()).decode()
        return self._state_with_all_panels or f"{state} {self._text_size}"

    def restore_text(self, text: str) -> None:
        """Restore sizes from the settings once all panels are visible; invalid text is ignored."""
        if self._state_with_all_panels:
            self._state_with_all_panels = text
            return
        state, _space, text_size = text.partition(" ")
        if self.restoreState(QByteArray.fromBase64(state.encode())):
            self._text_size = int(text_size) if text_size in map(str, TEXT_SIZES) else theme().text_size
            self._update_sizes()


class _Handle(QSplitterHandle):
    def __init__(self, background: str, orientation: Qt.Orientation, parent: QSplitter) -> None:
        super().__init__(orientation, parent)
        self._surface = background
        self.setAccessibleName(_("Divider"))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, box = QPainter(self), theme().tokens, self.rect()
        painter.fillRect(box, tokens.get(self._surface))
        if self.orientation() is Qt.Orientation.Horizontal:
            painter.fillRect(box.width() // 2, 0, 1, box.height(), tokens.border)
        else:
            painter.fillRect(0, box.height() // 2, box.width(), 1, tokens.border)
