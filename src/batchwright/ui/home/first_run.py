"""Home for those who start Batchwright for the first time (look.md, home-first-run)."""

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
    """What is shown while there is nothing to come back to."""

    def __init__(self, desk: WindowController) -> None:
        self._welcome = welcome = WelcomePanel()
        welcome.sample_button.clicked.connect(lambda: desk.run_action("try_sample"))
        welcome.data_button.clicked.connect(lambda: desk.run_action("open_data"))
        add = Button(_("Add a connection"), ButtonKind.LINK)
        add.clicked.connect(desk.add_connection)
        self._window = desk
        self._account = Label("", TextRole.SMALL, "text2")
        self.show_connections()
        account = row(Glyph("link", "text2", 16), self._account, add, None, gap=8)
        heading = SectionHeading(_("Or start from a template"), _("Each comes with sample data"))
        templates = TemplateGrid(TEMPLATES, 4, desk.open_template)
        self._inside = QWidget()
        self._service_error = ServiceErrorBanner()
        self._service_error.restart_requested.connect(desk.restart_service)
        below = column(self._service_error, welcome, gap=16)
        column(below, 36, heading, 12, templates, None, 24, account, gap=0, parent=self._inside)
        ground = QWidget()
        line = row(margins=(24, 28, 24, 20), parent=ground)
        line.addStretch(1)
        line.addWidget(self._inside, 1000)
        line.addStretch(1)
        super().__init__(ground)
        self._update_geometry()
        theme().on_changed(self._update_geometry)

    def show_connections(self) -> None:
        """Offer what is missing: a first connection, with the token that was found, or another one."""
        hosted = [one for one in self._window.connections.all if not one.is_local]
        if hosted:
            self._account.setText(_("Connected to {name}").format(name=hosted[0].title))
        else:
            is_found = self._window.connections.environment_credentials is not None
            self._account.setText(_(TOKEN_IN_ENVIRONMENT) if is_found else _("Have an account?"))

    def show_service(self, words: ServiceStatusText) -> None:
        """Show how the service of this computer stands."""
        self._service_error.show_service(words)

    def _update_geometry(self) -> None:
        self._inside.setMaximumWidth(theme().px(_WIDTH))
        self._welcome.set_narrow(is_narrow=self.width() < theme().px(_NARROW_BELOW))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_geometry()
