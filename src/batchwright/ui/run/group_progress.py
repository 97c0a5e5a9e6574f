"""The progress of the task groups in a rehearsal: a bar, and a small square for each group."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number, tasks
from batchwright.ui.run.places import places_text, unanswered_count
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.help_button import HelpButton
from batchwright.ui.widgets.progress import ProgressRow
from batchwright.ui.widgets.surfaces import Panel
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.wire.local_routes import GroupProgress, Progress

_SIDE, _GAP = 14, 4
_MOST = 2000
"""Maximum number of squares; with more groups, only the bar is shown."""


class GroupsPanel(Panel):
    """A bar for all groups, and a square for each."""

    help_address = "run.md#take-part"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._bar, self._squares = ProgressRow(_("Groups answered")), GroupProgressGrid()
        self._legend = ElidedLabel(_("A full square is a group that is answered."), TextRole.CAPTION, "text3")
        self._legend.setAlignment(Qt.AlignmentFlag.AlignRight)
        heading = row(Label(_("Groups"), TextRole.SECTION), HelpButton(_("Groups")))
        heading.addWidget(self._legend, 1)
        self._places = Label("", TextRole.SMALL, "text2", wraps=True)
        self.release = Button(_("Free places"), ButtonKind.QUIET, height=ButtonSize.SMALL)
        self.release.setAccessibleName(_("Free places without an answer"))
        self.timeout = Button(_("Change time"), ButtonKind.QUIET, height=ButtonSize.SMALL)
        self.timeout.setAccessibleName(_("Change the time until a place is free"))
        places = column(self._places, row(None, self.release, self.timeout, gap=4), gap=4)
        column(heading, self._bar, self._squares, places, gap=12, margins=(20, 14, 20, 14), parent=self)

    def show_progress(self, progress: Progress) -> None:
        """Show the progress of the groups, and when places are free."""
        groups = progress.groups
        self._places.setText(places_text(progress))
        self.release.setVisible(unanswered_count(progress) > 0)
        total = sum(group.annotators_per_task for group in groups)
        done = sum(group.completed for group in groups)
        started = sum(group.in_progress for group in groups)
        text = _("{done} of {total} answered").format(done=number(done), total=number(total))
        if started:
            started_text = ngettext("{count} started", "{count} started", started)
            text += "  ·  " + started_text.format(count=number(started))
        self._bar.show_progress(text, done / total if total else 0.0)
        self._squares.show_groups(groups[:_MOST])


class GroupProgressGrid(QWidget):
    """A square for each group, filled from below as its tasks are answered."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.groups: tuple[GroupProgress, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)
        self.setAccessibleName(_("Progress of the groups"))
        theme().on_changed(self._fit)

    def show_groups(self, groups: Sequence[GroupProgress]) -> None:
        """Show these groups."""
        if tuple(groups) != self.groups:
            self.groups = tuple(groups)
            self._fit()
            self.update()

    def _fit(self) -> None:
        rows = -(-len(self.groups) // self._in_a_row)
        self.setFixedHeight(max(1, rows * theme().px(_SIDE + _GAP)))

    @property
    def _in_a_row(self) -> int:
        return max(1, (self.width() + theme().px(_GAP)) // theme().px(_SIDE + _GAP))

    def _box(self, number: int) -> QRect:
        step, side = theme().px(_SIDE + _GAP), theme().px(_SIDE)
        down, along = divmod(number, self._in_a_row)
        return QRect(along * step, down * step, side, side)

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(300), self.height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            hovered = next(
                (group for index, group in enumerate(self.groups) if self._box(index).contains(event.pos())),
                None,
            )
            QToolTip.showText(event.globalPos(), _group_tooltip(hovered) if hovered else "", self)
            return True
        return super().event(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, radius = QPainter(self), theme().tokens, theme().px(3)
        for place, group in enumerate(self.groups):
            box = self._box(place)
            fraction = min(1.0, group.completed / max(1, group.annotators_per_task))
            draw_rounded(painter, box, radius, tokens.track)
            if fraction >= 1:
                draw_rounded(painter, box, radius, tokens.ok)
            elif fraction > 0:
                height = box.height() * fraction
                filled = QRectF(box.x(), box.bottom() + 1 - height, box.width(), height)
                draw_rounded(painter, filled, min(radius, height / 2), tokens.ok)
            elif group.in_progress:
                draw_rounded(painter, box, radius, None, tokens.accent_text, 2)


def _group_tooltip(group: GroupProgress) -> str:
    text = _("{tasks}: answered {done} of {total} times")
    return text.format(tasks=tasks(group.task_count), done=group.completed, total=group.annotators_per_task)
