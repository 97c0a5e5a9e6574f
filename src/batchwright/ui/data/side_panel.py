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

SCHEMA, PREPARE = "schema", "prepare"


class SidePanel(Surface):
    """Shows the schema or the steps of the preparation."""

    def __init__(self, state: DataState, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        self.schema, self.prepare = SchemaPanel(state), PreparePanel(state)
        self._choice = SegmentedControl(_("Beside the records"), self.choices())
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

    @staticmethod
    def choices() -> list[tuple[str, str, str]]:
        """What can be shown, as segments of a control."""
        return [(SCHEMA, _("Schema"), ""), (PREPARE, _("Prepare"), "")]

    def choose(self, id: str) -> None:
        """Show one of the choices, by its id."""
        self._choice.choose(id)

    def show_choice(self, *, is_shown: bool) -> None:
        """Show or hide the control above the panels; without it, another one chooses."""
        self._head.setVisible(is_shown)

    def _on_chosen(self, id: str) -> None:
        self._panels.setCurrentWidget(self.prepare if id == PREPARE else self.schema)
