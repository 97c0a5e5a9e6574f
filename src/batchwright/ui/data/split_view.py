"""The records and the schema side by side; in a narrow window one of them at a time."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.splitters import Splitter
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.toggles import SegmentedControl

_MIN_WIDTH_FOR_BOTH = 880
"""Minimum width for both, in pixels at 100 %."""
_SCHEMA, _SCHEMA_MIN = 378, 300
_RECORDS_ID, _SCHEMA_ID = "records", "schema"


class ResponsiveSplitView(QWidget):
    """A splitter; when it is narrow, a segmented control selects the panel shown."""

    def __init__(self, records: QWidget, schema: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._records, self._schema = records, schema
        self._has_schema = True
        self._choice = SegmentedControl(
            _("View"), [(_RECORDS_ID, _("Records"), ""), (_SCHEMA_ID, _("Schema"), "")]
        )
        self._choice.chosen.connect(self._update_layout)
        self._head = Surface("surface", Edge.BOTTOM)
        row(self._choice, None, margins=(24, 4, 24, 4), parent=self._head)
        across = self._across = Splitter(
            Qt.Orientation.Horizontal, records, schema, name="data/schema", background="surface"
        )
        across.setStretchFactor(0, 1)
        across.setStretchFactor(1, 0)
        across.setSizes([10 * _SCHEMA, theme().px(_SCHEMA)])
        column(self._head, gap=0, parent=self).addWidget(across, 1)
        theme().on_changed(self._update_layout)
        self._update_layout()

    def show_records(self) -> None:
        """Make the records visible."""
        self._choice.choose(_RECORDS_ID)

    def show_schema(self, *, is_there: bool) -> None:
        """Set whether there is a schema to show."""
        if is_there != self._has_schema:
            self._has_schema = is_there
            self._update_layout()

    def _update_layout(self, *_args: object) -> None:
        is_narrow, is_there = self.width() < theme().px(_MIN_WIDTH_FOR_BOTH), self._has_schema
        chosen = self._choice.current if is_there else _RECORDS_ID
        self._head.setVisible(is_narrow and is_there)
        self._across.show_panel(self._records, is_shown=not is_narrow or chosen == _RECORDS_ID)
        self._across.show_panel(self._schema, is_shown=is_there and (not is_narrow or chosen == _SCHEMA_ID))
        self._schema.setMinimumWidth(theme().px(_SCHEMA_MIN))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_layout()
