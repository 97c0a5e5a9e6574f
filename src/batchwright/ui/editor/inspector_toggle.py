"""In narrow windows, shows the inspector in place of the palette and the page list."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.widgets.buttons import ButtonSize, IconButton


class InspectorToggle(QObject):
    """Hides the inspector in a narrow window or with large text, and opens it beside the canvas.

    So the item remains visible while its form is filled in; an overlay would cover the canvas.
    """

    shown_changed = Signal()
    """The inspector was shown or hidden."""

    def __init__(self, inspector: QWidget, *others: QWidget) -> None:
        """Toggle between `inspector` and `others`."""
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
        """Whether the inspector replaces the others."""
        return self.is_tight and self._is_open

    def update_layout(self, *, is_tight: bool) -> None:
        """Show both if the window is wide enough."""
        if is_tight != self.is_tight:
            self.is_tight, self._is_open = is_tight, False
            self._refresh()

    def open(self) -> None:
        """Show the inspector."""
        self._is_open = True
        self._refresh()

    def close(self) -> None:
        """Show the others again."""
        if self._is_open:
            self._is_open = False
            self._refresh()

    def toggle(self) -> None:
        """Show whichever of the two is hidden."""
        self._is_open = not self._is_open
        self._refresh()

    def _refresh(self) -> None:
        self._inspector.setVisible(not self.is_tight or self._is_open)
        for panel in self._others:
            panel.setVisible(not self.is_overlay)
        self.button.setVisible(self.is_tight)
        self.button.setChecked(self.is_overlay)
        self.shown_changed.emit()
