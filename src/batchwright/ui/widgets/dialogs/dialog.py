"""The base of dialogs: title, text, content, and buttons named by their action."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QEvent, QRect, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize
from batchwright.ui.widgets.box_layouts import LayoutItem, ScaledBoxLayout, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs.overlays import MARGIN, ModalOverlay, OverlayPanel
from batchwright.ui.widgets.help_button import HelpButton, help_address_of, set_help_address
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import SunkenSurface
from batchwright.ui.widgets.text import Label

NARROW = 520
WIDE = 640
_MIN_SHRUNK = 120
"""Minimum height in pixels of a widget that shrinks."""
_RING = 4
"""Space for the focus ring around a control."""


class Dialog(OverlayPanel):
    """A modal dialog inside of a window.

    Enter presses the focused button, or else the accept button. It does nothing if that button destroys
    something or affects a live service: such buttons need a click or Space. With `cancels_by_default` Cancel
    has the focus first, and Enter presses only Cancel. Without a help address, it has that of its class.
    """

    def __init__(
        self,
        title: str,
        text: str,
        accept_text: str,
        kind: ButtonKind = ButtonKind.PRIMARY,
        *,
        width: int = NARROW,
        cancels_by_default: bool = False,
        help_address: str = "",
    ) -> None:
        super().__init__(title, width)
        self.setAccessibleDescription(sanitize(text))
        glyph = "broadcast" if kind is ButtonKind.LIVE else ""
        self.accept_button = Button(accept_text, kind, glyph=glyph, height=ButtonSize.DIALOG)
        self.cancel_button = Button(_("Cancel"), height=ButtonSize.DIALOG)
        self._cancels_by_default = cancels_by_default
        self._accepts_on_enter = kind not in {ButtonKind.LIVE, ButtonKind.DESTROY} and not cancels_by_default
        self.accept_button.clicked.connect(self.accept)
        self.cancel_button.clicked.connect(self.reject)
        self._attempt_requested: asyncio.Event | None = None
        """Set by the accept button while `ask_until` decides whether to close the dialog."""
        content = _Content(self)
        self._content = column(gap=14, margins=_RING, parent=content)
        self._scroll_area = VerticalScrollArea(content)
        self._widget_to_reveal: QWidget | None = None
        self._shrinking: tuple[QWidget, Callable[[], int]] | None = None
        self._side_buttons = row()
        if help_address:
            set_help_address(self, help_address)
        if help_address_of(self):
            self._side_buttons.add(HelpButton(title, height=ButtonSize.DIALOG))
        texts = (Label(title, TextRole.TITLE, wraps=True), Label(text, tone="text2", wraps=True))
        self._heading = column(*texts, gap=6, margins=(_RING, 0, _RING, 0))
        self._buttons = row(
            self._side_buttons, None, self.cancel_button, self.accept_button, margins=(_RING, 0, _RING, 0)
        )
        side = 28 - _RING
        self._outer_layout = column(gap=20 - _RING, margins=(side, 24, side, 24), parent=self)
        self._outer_layout.add(self._heading, self._scroll_area, self._buttons)

    def add(self, *items: LayoutItem) -> None:
        """Add content between text and buttons."""
        self._content.add(*items)

    @override
    def geometry_in(self, host: QRect) -> QRect:
        """Centered in the window; content that does not fit scrolls."""
        width = self.width_in(host)
        margins = self._outer_layout.contentsMargins()
        content = width - margins.left() - margins.right()
        chrome = margins.top() + margins.bottom() + 2 * self._outer_layout.spacing()
        chrome += _height(self._heading, content) + _height(self._buttons, content)
        available = host.height() - 2 * MARGIN - chrome
        needed = self._shrunk_content(content, available)
        self._scroll_area.setFixedHeight(max(0, min(needed, available)))
        # A scroll bar narrows the content, which may then need it: allow it only if the content does not fit.
        off, as_needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self._scroll_area.setVerticalScrollBarPolicy(off if needed <= available else as_needed)
        self._reveal_soon()
        return super().geometry_in(host)

    @override
    def _least_width(self) -> int:
        margins = self._outer_layout.contentsMargins()
        content = (
            self._content.minimumSize().width() + self._scroll_area.verticalScrollBar().sizeHint().width()
        )
        return max(content, self._buttons.minimumSize().width()) + margins.left() + margins.right()

    def _shrunk_content(self, width: int, available: int) -> int:
        """Shrink the widget that scrolls by itself as far as needed; return the height of the content."""
        needed = _height(self._content, width)
        if self._shrinking is None:
            return needed
        widget, preferred_height = self._shrinking
        others = needed - widget.maximumHeight()
        height = min(max(theme().px(_MIN_SHRUNK), available - others), preferred_height())
        if height != widget.maximumHeight():
            widget.setFixedHeight(height)
        return others + height

    def set_shrinking(self, widget: QWidget, preferred_height: Callable[[], int]) -> None:
        """Set the widget that becomes smaller in a small window, before the content scrolls.

        It scrolls by itself, and has the preferred height in pixels if there is enough space.
        """
        self._shrinking = widget, preferred_height

    def add_side_button(self, button: Button) -> None:
        """Add another button at the left."""
        button.set_kind(ButtonKind.QUIET)
        self._side_buttons.add(button)

    def add_warning(self, text: str, *, is_live: bool) -> None:
        """Add a warning about a live service or about data that is lost."""
        self.add(WarningBanner(text, is_live=is_live))

    def warn_if_live(self, service: str) -> None:
        """Warn that what is confirmed reaches a live service; `service` is its name, or empty for none."""
        if service:
            self.add(live_warning(service))

    def reveal(self, widget: QWidget) -> None:
        """Scroll to a widget of the content after the next layout."""
        self._widget_to_reveal = widget
        self._reveal_soon()

    def _reveal_soon(self) -> None:
        widget = self._widget_to_reveal
        if widget is not None and isValid(widget):
            QTimer.singleShot(0, widget, lambda: self._scroll_area.ensureWidgetVisible(widget))

    async def ask(self, host: QWidget) -> bool:
        """Show the dialog over a window and wait: True if accepted.

        `exec()` would block all asyncio tasks, so the result comes through a future.
        """
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def on_finished(code: int) -> None:
            if not answer.done():
                answer.set_result(code == int(Dialog.DialogCode.Accepted))

        self.finished.connect(on_finished)
        ModalOverlay(host, self)
        try:
            return await answer
        except asyncio.CancelledError:
            if isValid(self):  # it is deleted with its window
                self.reject()
            raise

    async def ask_until(self, host: QWidget, attempt: Callable[[], Coroutine[Any, Any, bool]]) -> bool:
        """Show the dialog over a window until an attempt succeeds: False if the user cancelled.

        The accept button runs `attempt` while the dialog stays open. A failing attempt shows its error in the
        dialog and returns False; cancelling the dialog cancels the running attempt.
        """
        requested = self._attempt_requested = asyncio.Event()
        answer = asyncio.create_task(self.ask(host))
        try:
            while await _result_unless_closed(answer, requested.wait()):
                requested.clear()
                if await _result_unless_closed(answer, attempt()):
                    self.done(int(Dialog.DialogCode.Accepted))
            return await answer
        finally:
            answer.cancel()
            await asyncio.gather(answer, return_exceptions=True)

    @override
    def accept(self) -> None:
        if self._attempt_requested is None:
            super().accept()
        else:
            self._attempt_requested.set()

    @override
    def set_initial_focus(self) -> None:
        """Focus the first field, or the button for Enter if there is none."""
        if self._cancels_by_default:
            self.cancel_button.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        content_stops = (stop for stop in self._tab_stops() if self._scroll_area.isAncestorOf(stop))
        button = (
            self.accept_button
            if self._accepts_on_enter and self.accept_button.isEnabled()
            else self.cancel_button
        )
        next(content_stops, button).setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def focusNextPrevChild(self, next: bool) -> bool:
        """Move the focus, and scroll to a control of the content that gets it from a button below."""
        is_handled = super().focusNextPrevChild(next)
        focused = QApplication.focusWidget()
        if focused is not None and self._scroll_area.isAncestorOf(focused):
            self._scroll_area.ensureWidgetVisible(focused)
        return is_handled

    @override
    def _tab_stops(self) -> list[QWidget]:
        """The content comes before the buttons, so that the first field has the focus."""
        return sorted(
            super()._tab_stops(),
            key=lambda stop: (stop is self.cancel_button) + 2 * (stop is self.accept_button),
        )

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            focused = self.focusWidget()
            pressed = focused if isinstance(focused, Button) else self.accept_button
            cancels = self._cancels_by_default and pressed is self.cancel_button
            if (self._accepts_on_enter or cancels) and pressed.isEnabled():
                pressed.click()
            return
        super().keyPressEvent(event)


class _Content(QWidget):
    """The content; updates the geometry of the dialog when its height changes."""

    def __init__(self, dialog: Dialog) -> None:
        super().__init__()
        self._dialog = dialog

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._dialog.updateGeometry()
        return super().event(event)


def _height(box: ScaledBoxLayout, width: int) -> int:
    """The height of a layout for a width."""
    return box.totalHeightForWidth(width) if box.hasHeightForWidth() else box.totalSizeHint().height()


async def _result_unless_closed(answer: asyncio.Task[bool], work: Coroutine[Any, Any, bool]) -> bool:
    """The result of an attempt; False, and the attempt is cancelled, if the dialog closes before."""
    working = asyncio.create_task(work)
    try:
        await asyncio.wait({answer, working}, return_when=asyncio.FIRST_COMPLETED)
        return not answer.done() and working.result()
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


def info_row(text: str | Label) -> ScaledBoxLayout:
    """A sentence with an information icon."""
    label = Label(text, TextRole.SMALL, "text2", wraps=True) if isinstance(text, str) else text
    line = row(gap=8)
    line.addWidget(Glyph("info", "text2", 16), 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(label, 1)
    return line


class WarningBanner(SunkenSurface):
    """A warning in the colour of live or error."""

    def __init__(self, text: str, *, is_live: bool, parent: QWidget | None = None) -> None:
        super().__init__("live_soft" if is_live else "err_soft", 8, parent)
        glyph = Glyph("broadcast-fill", "live") if is_live else Glyph("warning-circle-fill", "err")
        self._label = Label(text, TextRole.SMALL_NAME, wraps=True)
        layout = row(glyph, gap=10, margins=(14, 10, 14, 10), parent=self)
        layout.addWidget(self._label, 1)

    @property
    def text(self) -> str:
        """The text."""
        return self._label.text()

    def set_text(self, text: str) -> None:
        """Replace the text."""
        self._label.setText(text)


def live_warning(service: str) -> WarningBanner:
    """The warning that a request reaches a live service and cannot be undone."""
    text = _("This reaches {service}. It cannot be undone.").format(service=service)
    return WarningBanner(text, is_live=True)
