"""A chart with its title, a button that shows its table instead, and a button for its menu."""

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QWidget

from batchwright.analysis.charts import Drawing
from batchwright.base.i18n import _
from batchwright.ui.results.charts.chart_files import ChartFileContext
from batchwright.ui.results.charts.chart_view import ChartView
from batchwright.ui.results.statistics.section_pages import PageContext
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.text import Label


class TitledChart(QWidget):
    """A chart below its title; `activated` is emitted with the row of data that was chosen."""

    activated = Signal(int)

    def __init__(
        self, context: PageContext, title: str, *, is_clickable: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        files = ChartFileContext(
            context.window.tasks,
            context.window.notices,
            context.dialogs,
            context.save_locations,
            lambda: context.state.excluded_answers,
        )
        self.view = ChartView(files)
        self.view.set_clickable(is_clickable=is_clickable)
        self.view.activated.connect(self.activated)
        self._title = Label(title, TextRole.SMALL_NAME, "text2", wraps=True)
        self._as_table = IconButton("table", _("Show as table: {chart}").format(chart=title))
        self._as_table.setCheckable(True)
        self._as_table.toggled.connect(lambda is_on: self.view.set_shows_table(shows_table=is_on))
        self.view.table_toggled.connect(self._as_table.setChecked)
        self._menu = IconButton("dots-three-bold", _("Save or copy: {chart}").format(chart=title))
        self._menu.clicked.connect(self._show_menu)
        head = row(gap=8)
        head.addWidget(self._title, 1)
        head.add(self._as_table, self._menu)
        column(head, self.view, gap=4, parent=self)

    def show_drawing(self, title: str, drawing: Drawing) -> None:
        """Show a chart with a title."""
        self._title.setText(title)
        self._as_table.set_name(_("Show as table: {chart}").format(chart=title))
        self._menu.set_name(_("Save or copy: {chart}").format(chart=title))
        self.view.show_drawing(drawing)

    def _show_menu(self) -> None:
        self.view.menu().popup(self._menu.mapToGlobal(QPoint(0, self._menu.height())))
