"""The banner of the first run when the local service does not run."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.home.service_status_text import ServiceStatusText
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import SunkenSurface
from batchwright.ui.widgets.text import Label


class ServiceErrorBanner(SunkenSurface):
    """Shows the error and a restart button; hidden while there is no error."""

    restart_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("err_soft", 10, parent)
        self._text = Label("", TextRole.SMALL_NAME, wraps=True)
        self._restart = Button(_("Start again"), glyph="arrow-clockwise")
        self._restart.clicked.connect(self.restart_requested)
        layout = row(Glyph("warning-circle-fill", "err"), gap=10, margins=(16, 10, 12, 10), parent=self)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._restart)
        self.hide()

    def show_service(self, status: ServiceStatusText) -> None:
        """Show the error, or hide the banner."""
        self._text.setText(status.text)
        self.setVisible(status.can_restart)
