"""The page of Home on the first run: welcome, connections and templates, and service errors."""

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.home.connection_cards import TOKEN_IN_ENVIRONMENT
from batchwright.ui.home.service_status_text import ServiceStatusText
from batchwright.ui.home.template_cards import OwnTemplates, template_grid
from batchwright.ui.program.window_controller import WindowController
from batchwright.ui.shell.callouts import CalloutId, new_callout
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_circle, draw_rounded, draw_text
from batchwright.ui.theme.shadows import Elevation, draw_shadow
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.callout import Callout
from batchwright.ui.widgets.headings import SectionHeading
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Panel, SunkenSurface
from batchwright.ui.widgets.text import Label

_GAP, _SIDE = 32, 32
"""Pixels between the texts and the illustration of the welcome, and beside both."""


class WelcomePanel(Panel):
    """The panel at the top of Home on the first run."""

    help_address = "getting-started.md"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(14, parent=parent)
        self.sample_button = Button(
            _("Try the sample study"), ButtonKind.PRIMARY, glyph="play-circle", height=ButtonSize.WELCOME
        )
        self.data_button = Button(_("Open a data file"), glyph="folder-open", height=ButtonSize.WELCOME)
        texts = column(gap=0)
        texts.add(
            Label(_("Have people judge your data"), TextRole.WELCOME),
            14,
            Label(
                _("Try the whole study on this computer first. No account, no cost, and no data leaves it."),
                TextRole.LEAD,
                "text2",
                wraps=True,
            ),
            26,
            _step(
                "1", _("Start with a table"), _("A spreadsheet, CSV or JSON, one row for each item to judge")
            ),
            8,
            _step("2", _("Lay out the page"), _("Drag fields and questions onto the page")),
            8,
            _step("3", _("Rehearse, then run"), _("Answer it yourself in the browser, then publish it")),
            24,
            row(self.sample_button, self.data_button, None, gap=10),
        )
        self._texts = texts
        layout = row(gap=_GAP, margins=(_SIDE, 28, _SIDE, 28), parent=self)
        layout.addLayout(texts, 1)
        self._illustration = Illustration()
        layout.addWidget(self._illustration)

    @property
    def full_width(self) -> int:
        """The width that texts and illustration need beside each other; the texts differ by language."""
        both = self._texts.totalMinimumSize().width() + self._illustration.sizeHint().width()
        return both + theme().px(_GAP + 2 * _SIDE)

    def add_callout(self, callout: Callout) -> None:
        """Show a callout below the buttons."""
        self._texts.addWidget(callout)
        callout.show()

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Hide the illustration in a narrow window."""
        self._illustration.setVisible(not is_narrow)


class StepNumber(QWidget):
    """The number of a step in a tinted circle."""

    def __init__(self, number: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = number
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(26), theme().px(26))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens = QPainter(self), theme().tokens
        draw_circle(painter, QPointF(QRectF(self.rect()).center()), self.width() / 2, tokens.accent_soft)
        font, middle = theme().font(TextRole.SMALL_STRONG), Qt.AlignmentFlag.AlignHCenter
        draw_text(painter, self.rect(), self._number, font, tokens.accent_text, middle)


def _step(number: str, title: str, description: str) -> ScaledBoxLayout:
    step = row(StepNumber(number), gap=12)
    texts = (Label(title, TextRole.NAME), Label(description, TextRole.SMALL, "text2", wraps=True))
    step.addLayout(column(*texts, gap=1), 1)
    return step


class Illustration(QWidget):
    """A painted participant page; decorative, so it has no accessible text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(380), theme().px(300))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        draw_rounded(painter, self.rect(), px(12), tokens.sunken)
        sheet = QRect(0, 0, px(320), px(222))
        sheet.moveCenter(self.rect().center())
        draw_shadow(painter, sheet, Elevation.LIFTED, tokens.shadow, is_dark=theme().is_dark)
        draw_rounded(painter, sheet, px(9), tokens.page, tokens.border)
        inside = sheet.adjusted(px(16), px(16), -px(16), -px(14))
        strong = theme().font(TextRole.HEAD)
        for number, text in enumerate(
            (_("Explain to a curious ten-year-old why the sky"), _("turns red at sunset."))
        ):
            text_box = QRect(inside.x(), inside.y() + px(15) * number, inside.width(), px(15))
            draw_text(painter, text_box, text, strong, tokens.text)
        half = (inside.width() - px(8)) // 2
        for number, text in enumerate((_("Answer A"), _("Answer B"))):
            left = inside.x() + number * (half + px(8))
            self._paint_answer(painter, QRect(left, inside.y() + px(41), half, px(86)), text)
        question = QRect(inside.x(), inside.y() + px(140), inside.width(), px(16))
        draw_text(painter, question, _("Which answer is better?"), strong, tokens.text)
        third = (inside.width() - 2 * px(8)) // 3
        for number, text in enumerate((_("A"), _("B"), _("Same"))):
            left = inside.x() + number * (third + px(8))
            box = QRect(left, inside.y() + px(163), third, px(28))
            self._paint_choice(painter, box, text, is_chosen=number == 0)

    def _paint_answer(self, painter: QPainter, box: QRect, text: str) -> None:
        tokens, px = theme().tokens, theme().px
        draw_rounded(painter, box, px(4), tokens.field_soft)
        title = box.adjusted(px(10), px(6), 0, 0)
        title.setHeight(px(18))
        draw_text(painter, title, text, theme().font(TextRole.HEAD), tokens.field)
        painter.setOpacity(0.3)
        for number, fraction in enumerate((1.0, 0.9, 0.96, 0.56)):
            width = round((box.width() - px(28)) * fraction)
            bar = QRect(box.x() + px(10), box.y() + px(32) + number * px(11), width, px(4))
            draw_rounded(painter, bar, px(2), tokens.field)
        painter.setOpacity(1.0)

    def _paint_choice(self, painter: QPainter, box: QRect, text: str, *, is_chosen: bool) -> None:
        tokens, px = theme().tokens, theme().px
        fill, border = (tokens.accent_soft, tokens.accent_border) if is_chosen else (tokens.choice, None)
        draw_rounded(painter, box, px(4), fill, border)
        centre = QPointF(box.x() + px(16), QRectF(box).center().y())
        if is_chosen:
            draw_circle(painter, centre, px(8), tokens.accent)
            draw_circle(painter, centre, px(3), tokens.on_accent)
        else:
            draw_circle(painter, centre, px(8), tokens.input, tokens.border_strong, 1.5)
        draw_text(painter, box.adjusted(px(32), 0, 0, 0), text, theme().font(TextRole.LABEL), tokens.text)


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


_WIDTH = 1108
_NARROW_BELOW = 860
_MARGIN = 24


class FirstRunPage(VerticalScrollArea):
    """Shown while there are no recent studies."""

    def __init__(self, controller: WindowController) -> None:
        self._welcome = welcome = WelcomePanel()
        welcome.sample_button.clicked.connect(lambda: controller.run_action(ActionId.TRY_SAMPLE))
        welcome.data_button.clicked.connect(lambda: controller.run_action(ActionId.OPEN_DATA))
        settings, shell = controller.context.settings, controller.context.shell
        callout = new_callout(CalloutId.HOME, settings, welcome.sample_button, margins=(0, 4, 0, 0))
        if callout is not None:
            welcome.add_callout(callout)
            shell.document_changed.connect(callout.dismiss)
        add = Button(_("Add a connection"), ButtonKind.LINK)
        add.clicked.connect(controller.add_connection)
        self._controller = controller
        self._account = Label("", TextRole.SMALL, "text2")
        self.show_connections()
        account = row(Glyph("link", "text2", 16), self._account, add, None, gap=8)
        heading = SectionHeading(
            _("Or start from a template"), _("Batches come with sample data"), help_address="templates.md"
        )
        templates = template_grid(4, controller.open_template)
        own = OwnTemplates(controller.library, 4)
        self._inside = QWidget()
        self._service_error = ServiceErrorBanner()
        self._service_error.restart_requested.connect(controller.restart_service)
        below = column(self._service_error, welcome, gap=16)
        column(below, 36, heading, 12, templates, own, None, 24, account, gap=0, parent=self._inside)
        content = QWidget()
        layout = row(margins=(_MARGIN, 28, _MARGIN, 20), parent=content)
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
            has_environment_token = self._controller.connections.environment_credentials is not None
            self._account.setText(_(TOKEN_IN_ENVIRONMENT) if has_environment_token else _("Have an account?"))

    def show_service(self, status: ServiceStatusText) -> None:
        """Show the status of the local service."""
        self._service_error.show_service(status)

    def _update_geometry(self) -> None:
        self._inside.setMaximumWidth(theme().px(_WIDTH))
        needed = max(theme().px(_NARROW_BELOW), self._welcome.full_width + theme().px(2 * _MARGIN))
        self._welcome.set_narrow(is_narrow=self.width() < needed)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_geometry()
