"""The panel beside the records: the schema, or the steps of the preparation."""

from collections.abc import Sequence

from PySide6.QtWidgets import QStackedWidget, QWidget

from batchwright.base.i18n import _
from batchwright.ui.data.prepare.prepare_panel import PreparePanel
from batchwright.ui.data.schema_panel import SchemaPanel
from batchwright.ui.data.state import DataState
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.toggles import SegmentedControl

_SCHEMA, _PREPARE = "schema", "prepare"


class SidePanel(Surface):
    """Shows the schema or the steps; a study whose file cannot be read because of a step shows the steps."""

    def __init__(self, state: DataState, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        self.schema, self.prepare = SchemaPanel(state), PreparePanel(state)
        self._choice = SegmentedControl(
            _("Beside the records"), [(_SCHEMA, _("Schema"), ""), (_PREPARE, _("Prepare"), "")]
        )
        self._choice.chosen.connect(self._on_chosen)
        self._head = Surface("surface", Edge.BOTTOM)
        row(self._choice, None, margins=(12, 4, 12, 4), parent=self._head)
        self._panels = QStackedWidget()
        for panel in (self.schema, self.prepare):
            self._panels.addWidget(panel)
        column(self._head, gap=0, parent=self).addWidget(self._panels, 1)

    def regions(self) -> Sequence[QWidget]:
        """The regions that F6 cycles through."""
        return (self._head, self.schema, self.prepare)

    def show_prepare(self) -> None:
        """Show the steps."""
        self._choice.choose(_PREPARE)

    def _on_chosen(self, id: str) -> None:
        self._panels.setCurrentWidget(self.prepare if id == _PREPARE else self.schema)
