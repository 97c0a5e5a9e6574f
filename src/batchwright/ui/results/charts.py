"""Bar charts of the questions that have options, with a description for screen readers."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.results.option_counts import Count, OptionCounts
from batchwright.ui.core.formatting import number
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.progress import per_cent
from batchwright.ui.widgets.surfaces import Panel
from batchwright.ui.widgets.text import ElidedLabel, Label

MOST_BARS = 8
_BAR, _EVERY, _RADIUS = 16, 52, 4
_GAP, _TWO_ABREAST = 14, 640
_SERIES = ("c1", "c2", "c3", "c4")


def series_token(number: int | None) -> str:
    """The colour token of an option by its position; from the fifth on, all have the same neutral colour."""
    return _SERIES[number] if number is not None and number < len(_SERIES) else "text3"


class ChartPanel(Panel):
    """The chart of one question."""

    def __init__(self, counts: OptionCounts, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        text = ngettext("{count} answer", "{count} answers", counts.answers)
        title = ElidedLabel(counts.question.title or _("Untitled question"), TextRole.SECTION)
        head = row(gap=16)
        head.addWidget(title, 1)
        head.add(Label(text.format(count=number(counts.answers)), TextRole.SMALL, "text2", tabular=True))
        column(
            head, BarChart(counts.condensed(MOST_BARS)), None, gap=12, margins=(20, 16, 20, 14), parent=self
        )


class BarChart(QWidget):
    """A bar for each option, with its label above on the left, and count and percentage on the right."""

    def __init__(self, counts: OptionCounts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = counts
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(sanitize_line(counts.question.title))
        descriptions = (
            f"{count.label}: {count.count}, {per_cent(counts.share(count))}" for count in counts.counts
        )
        self.setAccessibleDescription(sanitize("; ".join(descriptions)))
        theme().on_changed(self.updateGeometry)

    @override
    def sizeHint(self) -> QSize:
        px = theme().px
        return QSize(px(280), max(1, len(self._counts.counts)) * px(_EVERY) - px(12))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(180), self.sizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, px = QPainter(self), theme().px
        for place, count in enumerate(self._counts.counts):
            top = place * px(_EVERY)
            self._paint_text(painter, QRect(0, top, self.width(), px(18)), count)
            self._paint_bar(painter, QRect(0, top + px(22), self.width(), px(_BAR)), count)

    def _paint_text(self, painter: QPainter, box: QRect, count: Count) -> None:
        tokens, px = theme().tokens, theme().px
        font = theme().font(TextRole.SMALL_NAME, tabular=True)
        right = Qt.AlignmentFlag.AlignRight
        share = per_cent(self._counts.share(count))
        draw_text(painter, box, share, font, tokens.text, right)
        counted = number(count.count)
        left_of_share = box.adjusted(0, 0, -px(46), 0)
        draw_text(painter, left_of_share, counted, font, tokens.text, right)
        reserved = px(46) + QFontMetrics(font).horizontalAdvance(counted) + px(16)
        draw_text(
            painter, box.adjusted(0, 0, -reserved, 0), count.label, theme().font(TextRole.SMALL), tokens.text
        )

    def _paint_bar(self, painter: QPainter, box: QRect, count: Count) -> None:
        tokens, radius = theme().tokens, theme().px(_RADIUS)
        draw_rounded(painter, box, radius, tokens.sunken)
        width = round(box.width() * min(1.0, self._counts.share(count)))
        if width:
            filled = QRect(box.x(), box.y(), max(width, 2 * radius), box.height())
            draw_rounded(painter, filled, radius, tokens.get(series_token(count.series)))


class Charts(QWidget):
    """The charts of all questions, in two columns if wide enough; `height_changed` is emitted on changes."""

    height_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._shown: tuple[OptionCounts, ...] = ()
        self._panels: list[ChartPanel] = []

    def show_counts(self, option_counts: Sequence[OptionCounts]) -> None:
        """Show the charts of these questions."""
        if tuple(option_counts) == self._shown:
            return
        self._shown = tuple(option_counts)
        for panel in self._panels:
            self._grid.removeWidget(panel)
            panel.hide()
            panel.deleteLater()
        self._panels = [ChartPanel(counts) for counts in option_counts]
        self._arrange()

    def _arrange(self) -> None:
        is_wide = self.width() >= theme().px(_TWO_ABREAST)
        columns = 2 if len(self._panels) > 1 and is_wide else 1
        self._grid.setSpacing(theme().px(_GAP))
        for place, panel in enumerate(self._panels):
            self._grid.addWidget(panel, *divmod(place, columns))
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 1 if columns == 2 else 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @override
    def event(self, event: QEvent) -> bool:
        is_handled = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self.height_changed.emit()
        return is_handled
