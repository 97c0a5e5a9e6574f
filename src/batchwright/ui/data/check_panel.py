"""The result of checking the data file: counts, the list of rejections, and buttons to save both groups
of records.
"""

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.data_files.checking import Report
from batchwright.ui.core.formatting import number
from batchwright.ui.data.rejections import ROW, RejectionsModel, RejectionsTable
from batchwright.ui.data.state import DataState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.progress import ProgressBar, per_cent
from batchwright.ui.widgets.statuses import Status, StatusBadge
from batchwright.ui.widgets.surfaces import Separator, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

_HEADER_HEIGHT = 46
_FULL_LABELS_WIDTH = 720
"""Width in pixels at 100 % below which shorter labels are used."""
_TALL_WINDOW = 680
"""Window height in pixels at 100 % from which two rejections are always visible; below it, one."""
_NO_LIMIT = (1 << 24) - 1
"""QWIDGETSIZE_MAX of Qt."""
_MAX_ROWS = 5
"""Rejections shown without scrolling, at most."""


class CheckPanel(Surface):
    """A header with counts; below it the list of records that would be rejected."""

    save_accepted_requested = Signal()
    save_rejected_requested = Signal()
    row_focus_requested = Signal()

    def __init__(self, model: DataState, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        self.setAccessibleName(_("Check"))
        self._model = model
        self._rejections = RejectionsModel(self)
        self.list = RejectionsTable(self._rejections)
        self.list.chosen.connect(model.show_rejection)
        self.list.row_focus_requested.connect(self.row_focus_requested)
        self.list.setMinimumHeight(1)  # in a low window, the header takes precedence
        self._head = QWidget()
        self._build_head()
        self._line = Separator()
        whole = column(self._head, self._line, gap=0, parent=self)
        whole.addWidget(self.list, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        model.rejections_changed.connect(self.show_check)
        theme().on_changed(self.show_check)
        self.show_check()

    def show_check(self) -> None:
        """Show the progress of the check, and its result."""
        checks, rejections = self._model.validation, self._model.rejections
        report = checks.report
        self._show_progress(is_going=checks.is_running, done=checks.fraction)
        imported = bool(self._model.import_rejections)
        self._title.setText(_("Rejected by the service") if imported else _("Check"))
        self._show_counts(None if imported else report)
        self._rejections.show_rejections(rejections)
        self.list.setVisible(bool(rejections))
        self._line.setVisible(bool(rejections))
        self._text.setText("" if imported else self._status_text(report, len(rejections)))
        self._text.setVisible(bool(self._text.text()))
        self._head.setFixedHeight(theme().px(_HEADER_HEIGHT))
        self.setMaximumHeight(_NO_LIMIT if rejections else theme().px(_HEADER_HEIGHT) + 1)
        self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        shown = min(_MAX_ROWS, self._rejections.rowCount())
        return QSize(
            theme().px(400), theme().px(_HEADER_HEIGHT) + 1 + shown * theme().px(ROW) + (4 if shown else 0)
        )

    @override
    def minimumSizeHint(self) -> QSize:
        is_low = self.window().height() < theme().px(_TALL_WINDOW)
        shown = min(1 if is_low else 2, self._rejections.rowCount())
        return QSize(theme().px(300), theme().px(_HEADER_HEIGHT) + 1 + shown * theme().px(ROW))

    def _build_head(self) -> None:
        self._accepted = StatusBadge(Status("ok", "check-circle-fill", ""))
        self._rejected = StatusBadge(Status("err", "x-circle-fill", ""))
        self._text = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._bar = ProgressBar(_("Check"))
        self._bar.setFixedWidth(theme().px(160))
        self._percent = Label("", TextRole.SMALL_NAME, tabular=True)
        self._save_accepted = Button("", ButtonKind.QUIET, glyph="download-simple", height=ButtonSize.NOTICE)
        self._save_rejected = Button("", ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._save_accepted.clicked.connect(self.save_accepted_requested)
        self._save_rejected.clicked.connect(self.save_rejected_requested)
        line = row(gap=8, margins=(24, 0, 12, 0), parent=self._head)
        self._title = Label(_("Check"), TextRole.SECTION)
        line.add(self._title, 0, self._accepted, self._rejected, self._text)
        line.add(self._bar, self._percent, None, self._save_accepted, self._save_rejected)

    def _show_progress(self, *, is_going: bool, done: float) -> None:
        self._bar.setVisible(is_going)
        self._percent.setVisible(is_going)
        self._percent.setText(per_cent(done))
        self._bar.show_fraction(done)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._show_counts(None if self._model.import_rejections else self._model.validation.report)

    def _show_counts(self, report: Report | None) -> None:
        accepted, rejected = (report.accepted, report.rejected) if report else (0, 0)
        for pill, count in ((self._accepted, accepted), (self._rejected, rejected)):
            pill.setVisible(bool(count))
        is_narrow = self.width() < theme().px(_FULL_LABELS_WIDTH)
        would = _("{count} accepted") if is_narrow else _("{count} would be accepted")
        self._accepted.show_status(Status("ok", "check-circle-fill", would.format(count=number(accepted))))
        would = _("{count} rejected") if is_narrow else _("{count} would be rejected")
        self._rejected.show_status(Status("err", "x-circle-fill", would.format(count=number(rejected))))
        self._save_accepted.setVisible(bool(accepted and rejected))
        self._save_rejected.setVisible(bool(rejected))
        good = _("Save accepted") if is_narrow else _("Save {count} accepted")
        bad = _("Save rejected") if is_narrow else _("Save {count} rejected")
        self._save_accepted.setText(good.format(count=number(accepted)))
        self._save_rejected.setText(bad.format(count=number(rejected)))

    def _status_text(self, report: Report | None, listed: int) -> str:
        checks = self._model.validation
        if checks.is_running:
            return _("Reading every record")
        if checks.error is not None:
            return checks.error.what
        if report is None:
            return _("Not checked yet.")
        if not report.records:
            return _("There are no records to check.")
        if report.rejected > listed > 0:
            return _("The first {count} are listed.").format(count=number(listed))
        return ""
