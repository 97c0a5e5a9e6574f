"""The page of Home on the first run."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.home.connection_cards import TOKEN_IN_ENVIRONMENT
from batchwright.ui.home.service_error_banner import ServiceErrorBanner
from batchwright.ui.home.service_status_text import ServiceStatusText
from batchwright.ui.home.template_cards import TemplateGrid
from batchwright.ui.home.welcome import WelcomePanel
from batchwright.ui.study.templates import TEMPLATES
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind
from batchwright.ui.widgets.headings import SectionHeading
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.text import Label
from batchwright.ui.window_controller import WindowController

_WIDTH = 1108
_NARROW_BELOW = 860


class FirstRunPage(VerticalScrollArea):
    """Shown while there are no recent studies."""

    def __init__(self, controller: WindowController) -> None:
        self._welcome = welcome = WelcomePanel()
        welcome.sample_button.clicked.connect(lambda: controller.run_action("try_sample"))
        welcome.data_button.clicked.connect(lambda: controller.run_action("open_data"))
        add = Button(_("Add a connection"), ButtonKind.LINK)
        add.clicked.connect(controller.add_connection)
        self._controller = controller
        self._account = Label("", TextRole.SMALL, "text2")
        self.show_connections()
        account = row(Glyph("link", "text2", 16), self._account, add, None, gap=8)
        heading = SectionHeading(_("Or start from a template"), _("Each comes with sample data"))
        templates = TemplateGrid(TEMPLATES, 4, controller.open_template)
        self._inside = QWidget()
        self._service_error = ServiceErrorBanner()
        self._service_error.restart_requested.connect(controller.restart_service)
        below = column(self._service_error, welcome, gap=16)
        column(below, 36, heading, 12, templates, None, 24, account, gap=0, parent=self._inside)
        content = QWidget()
        layout = row(margins=(24, 28, 24, 20), parent=content)
        layout.addStretch(1)
        layout.addWidget(self._inside, 1000)
        layout.addStretch(1)
        super().__init__(content)
        self._update_geometry()
        theme().on_changed(self._update_geometry)

    def show_connections(self) -> None:
        """Show the connected account, or offer to add the first connection."""
        hosted = [connection for connection in self._controller.connections.all if not connection.is_local]
        if hosted:
            self._account.setText(_("Connected to {name}").format(name=hosted[0].title))
        else:
            is_found = self._controller.connections.environment_credentials is not None
            self._account.setText(_(TOKEN_IN_ENVIRONMENT) if is_found else _("Have an account?"))

    def show_service(self, status: ServiceStatusText) -> None:
        """Show the status of the local service."""
        self._service_error.show_service(status)

    def _update_geometry(self) -> None:
        self._inside.setMaximumWidth(theme().px(_WIDTH))
        self._welcome.set_narrow(is_narrow=self.width() < theme().px(_NARROW_BELOW))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_geometry()
