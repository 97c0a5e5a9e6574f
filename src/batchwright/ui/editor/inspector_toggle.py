"""Where the panels do not fit side by side, the inspector is shown in place of palette and page list."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.widgets.buttons import ButtonSize, IconButton


class InspectorToggle(QObject):
    """Folds the inspector away in a narrow window, or in large text; it opens beside the canvas alone.

    So the item stays in view while its form is filled in, which a drawer over the canvas would hide.
    """

    shown_changed = Signal()
    """Something is shown, or hidden, that was not before."""

    def __init__(self, inspector: QWidget, *others: QWidget) -> None:
        """Fold `inspector`; `others` make room for it."""
        super().__init__(inspector)
        self._inspector, self._others = inspector, others
        self._is_open = False
        self.is_tight = False
        self.button = IconButton("pencil-simple", _("Form of what is selected"), height=ButtonSize.STAGE)
        self.button.setCheckable(True)
        self.button.clicked.connect(self.toggle)
        self.button.hide()

    @property
    def is_overlay(self) -> bool:
        """Whether the inspector stands in place of the others."""
        return self.is_tight and self._is_open

    def update_layout(self, *, is_tight: bool) -> None:
        """Learn whether there is room for both; with room, both are shown."""
        if is_tight != self.is_tight:
            self.is_tight, self._is_open = is_tight, False
            self._refresh()

    def open(self) -> None:
        """Show the inspector, wherever there is room for it."""
        self._is_open = True
        self._refresh()

    def close(self) -> None:
        """Show the others again."""
        if self._is_open:
            self._is_open = False
            self._refresh()

    def toggle(self) -> None:
        """Show the one that is folded away."""
        self._is_open = not self._is_open
        self._refresh()

    def _refresh(self) -> None:
        self._inspector.setVisible(not self.is_tight or self._is_open)
        for panel in self._others:
            panel.setVisible(not self.is_overlay)
        self.button.setVisible(self.is_tight)
        self.button.setChecked(self.is_overlay)
        self.shown_changed.emit()
