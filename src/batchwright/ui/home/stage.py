"""Home: the first run, and every later one (look.md, home)."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedLayout, QWidget

from batchwright.ui.desk import Desk
from batchwright.ui.home.connection_cards import ConnectionList
from batchwright.ui.home.recent_list import RecentPanel
from batchwright.ui.home.template_cards import TemplateGrid
from batchwright.ui.home.templates import TEMPLATES
from batchwright.ui.home.view_model import HomeViewModel
from batchwright.ui.home.welcome import WelcomePanel
from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.buttons import Button, Height, Kind
from batchwright.ui.kit.headings import SectionHeading, StageHeader
from batchwright.ui.kit.scrolling import Scrolled
from batchwright.ui.kit.text import Text
from batchwright.ui.kit.tiles import Glyph
from batchwright.ui.shell.stages import Frame
from batchwright.ui.theme import Role, theme
from batchwright.words import _

_WELCOME_WIDTH = 1108
_SIDE_WIDTH = 290


def build_home(frame: Frame, desk: Desk) -> QWidget:
    """The stage of one window."""
    return HomeStage(frame, desk, HomeViewModel(lambda: datetime.now().astimezone()))


class HomeStage(QWidget):
    """Shows the welcome while there is nothing to come back to, and the studies afterwards."""

    def __init__(self, frame: Frame, desk: Desk, model: HomeViewModel) -> None:
        super().__init__()
        self._desk, self._model = desk, model
        model.setParent(self)
        self._header = StageHeader(_("Home"))
        self._recent, self._connections = RecentPanel(), ConnectionList()
        self._pages = QStackedLayout(self)
        self._welcome, self._returning = self._first(), self._later()
        self._pages.addWidget(self._welcome)
        self._pages.addWidget(self._returning)
        self._connect()
        model.changed.connect(self.show_home)
        self._look()

    def regions(self) -> Sequence[QWidget]:
        """The parts that F6 walks through."""
        if self._model.is_first_run:
            return [self._welcome]
        return [self._header, self._recent, self._connections]

    def show_home(self) -> None:
        """Draw everything anew."""
        model = self._model
        self._header.show_sentence(model.sentence)
        self._recent.table.show_lines(model.lines)
        self._connections.show_connections(model.connections, self._desk.session.connection)
        self._pages.setCurrentWidget(self._welcome if model.is_first_run else self._returning)

    def _look(self) -> None:
        self._model.show(self._desk.files.recents, self._desk.connecting.all)

    def _connect(self) -> None:
        desk = self._desk
        desk.files.recents_changed.connect(self._look)
        desk.connecting.changed.connect(self._look)
        desk.session.changed.connect(self._look)
        self._header.show_primary(_("New study"), glyph="plus")
        self._header.primary.clicked.connect(desk.new)
        self._recent.table.opened.connect(lambda recent: desk.open_path(recent.path))
        self._recent.table.forgotten.connect(desk.files.forget)
        self._connections.add.clicked.connect(desk.add_connection)
        self._connections.chosen.connect(desk.choose_connection)
        self._connections.removed.connect(desk.remove_connection)

    def _fit(self) -> None:
        self._inside.setMaximumWidth(theme().px(_WELCOME_WIDTH))

    def _first(self) -> QWidget:
        welcome = WelcomePanel()
        welcome.sample.clicked.connect(self._desk.try_sample)
        welcome.data.clicked.connect(self._desk.open_data)
        add = Button(_("Add a connection"), Kind.LINK)
        add.clicked.connect(self._desk.add_connection)
        account = row(
            Glyph("link", "text2", 16), Text(_("Have an account?"), Role.SMALL, "text2"), add, None, gap=8
        )
        heading = SectionHeading(_("Or start from a template"), _("Each comes with sample data"))
        inside = QWidget()
        column(
            welcome,
            36,
            heading,
            12,
            TemplateGrid(TEMPLATES, 4, self._desk.begin_with),
            None,
            24,
            account,
            gap=0,
            parent=inside,
        )
        self._inside = inside
        self._fit()
        theme().follow(self._fit)
        ground = QWidget()
        line = row(margins=(24, 28, 24, 20), parent=ground)
        line.addStretch(1)
        line.addWidget(inside, 1000)
        line.addStretch(1)
        return Scrolled(ground)

    def _later(self) -> QWidget:
        open_study = Button(_("Open project"), glyph="folder-open", height=Height.STAGE)
        open_study.clicked.connect(self._desk.open)
        self._header.add(open_study)
        main = column(gap=0)
        main.put(
            SectionHeading(_("Recent projects")),
            10,
            self._recent,
            24,
            SectionHeading(_("Templates"), _("Each comes with sample data")),
            12,
            TemplateGrid(TEMPLATES, 3, self._desk.begin_with),
            None,
        )
        self._connections.setFixedWidth(theme().px(_SIDE_WIDTH))
        ground = QWidget()
        line = row(gap=28, margins=(24, 18, 24, 20), parent=ground)
        line.addLayout(main, 1)
        line.addWidget(self._connections, 0, Qt.AlignmentFlag.AlignTop)
        page = QWidget()
        whole = column(self._header, gap=0, parent=page)
        whole.addWidget(Scrolled(ground), 1)
        return page
