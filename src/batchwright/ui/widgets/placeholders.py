"""Placeholders for empty and loading content, and the banner for an offline service."""

from typing import Protocol

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.help_button import HelpButton, set_help_address
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

_MAX_TEXT_WIDTH = 420
_MIN_WIDTH = 170
_MARGIN = 16
_ICON = 32
_GAP = 6
_LOADING_DELAY_MS = 200


class EmptyState(QWidget):
    """Explains what will be here and how to get it, with up to two buttons; no icon if space is short."""

    def __init__(
        self,
        glyph: str,
        title: str,
        description: str,
        *buttons: Button,
        tone: str = "text3",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(sanitize_line(title))
        self._icon = Glyph(glyph, tone, _ICON)
        title_label = Label(title, TextRole.SECTION, wraps=True)
        description_label = Label(description, TextRole.SMALL, "text2", wraps=True)
        self._texts = (title_label, description_label)
        for text in self._texts:
            text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._update_text_widths(theme().px(_MAX_TEXT_WIDTH))
        button_row = row(None, *buttons, None) if buttons else None
        lines = column(gap=_GAP)
        lines.add(
            row(None, self._icon, None), 4, row(None, title_label, None), row(None, description_label, None)
        )
        if button_row is not None:
            lines.add(8, button_row)
        column(None, lines, None, margins=_MARGIN, parent=self)

    def _update_text_widths(self, available_width: int) -> None:
        """Set each text to its natural width, or to the available one."""
        for text in self._texts:
            full_width = text.fontMetrics().horizontalAdvance(text.text()) + theme().px(4)
            text.setFixedWidth(min(available_width, full_width))

    @override
    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        icon_height = 0 if self._icon.isHidden() else self._icon_height
        return QSize(min(least.width(), theme().px(_MIN_WIDTH)), least.height() - icon_height)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        available_width = self.width() - 2 * theme().px(_MARGIN)
        self._update_text_widths(max(1, min(theme().px(_MAX_TEXT_WIDTH), available_width)))
        height = self.heightForWidth(self.width()) + (self._icon_height if self._icon.isHidden() else 0)
        self._icon.setVisible(height <= self.height())

    @property
    def _icon_height(self) -> int:
        return theme().px(_ICON) + theme().px(_GAP)


class Failure(Protocol):
    """What failed, what to do, and where the help explains it."""

    @property
    def what(self) -> str:
        """What happened, in one sentence."""

    @property
    def remedy(self) -> str:
        """What the user can do about it."""

    @property
    def help_address(self) -> str:
        """Where the help explains it; empty if it does not."""


class ErrorState(EmptyState):
    """Says what failed and what to do, with buttons; one opens what the help says about it."""

    def __init__(self, failure: Failure, *buttons: Button, parent: QWidget | None = None) -> None:
        explained = (HelpButton(failure.what),) if failure.help_address else ()
        super().__init__(
            "warning-circle-fill",
            failure.what,
            failure.remedy,
            *buttons,
            *explained,
            tone="err",
            parent=parent,
        )
        set_help_address(self, failure.help_address)


class LoadingState(QWidget):
    """Skeleton rows, shown if loading takes longer than 200 ms."""

    def __init__(self, row_height: int = 54, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Loading"))
        self._row_height = row_height
        self._is_due = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_LOADING_DELAY_MS)
        self._timer.timeout.connect(self.show_now)
        self._timer.start()

    def show_now(self) -> None:
        """Show the skeleton without waiting."""
        self._is_due = True
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_due:
            return
        painter, px, fill = QPainter(self), theme().px, theme().tokens.sunken
        for number, fraction in enumerate((0.62, 0.48, 0.55)):
            top = px(16) + number * px(self._row_height)
            draw_rounded(painter, QRectF(px(16), top, px(32), px(32)), px(6), fill)
            width = max(0.0, (self.width() - px(80)) * fraction)
            draw_rounded(painter, QRectF(px(60), top + px(3), width, px(10)), px(5), fill)
            draw_rounded(painter, QRectF(px(60), top + px(20), width * 0.6, px(8)), px(4), fill)


class OfflineBanner(Surface):
    """The banner above outdated content while the service is unreachable, with a refresh button."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("warn_soft", parent=parent)
        self._text = ElidedLabel("", TextRole.SMALL, "warn", tabular=True)
        self.retry_button = Button(
            _("Refresh"), ButtonKind.QUIET, glyph="arrow-clockwise", height=ButtonSize.SMALL
        )
        title = row(Glyph("wifi-slash", "warn", 16), margins=(24, 5, 20, 5), parent=self)
        title.addWidget(self._text, 1)
        title.add(self.retry_button)

    def show_error(self, cause: str, fetched_at: str) -> None:
        """Show the cause and the time of the last refresh."""
        text = _("Last updated at {time}. Nothing is lost.").format(time=fetched_at)
        self._text.setText(f"{cause} {text}")
        self._text.setAccessibleName(self._text.text())
