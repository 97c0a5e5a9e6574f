"""Section headings, stage headers, and heads of panels."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.help_button import HelpButton, set_help_address
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.ui.widgets.wrapping_row import WrappingRow

_HEIGHT, _MIN_TEXT_WIDTH = 64, 300
_TWO_LINES = 40
"""More than the height of two lines of a subtitle, and less than that of three."""
_MIN_NAME_WIDTH, _GAP = 160, 10
_MARGINS_AND_GAPS = 60
"""Width of margins and gaps around the texts."""


class SectionHeading(WrappingRow):
    """The title of a section with an optional text or widget at the right, or below if space is short.

    With a help address, or `has_help` if what it is in has one, a button beside the title opens the help.
    """

    def __init__(
        self,
        title: str,
        side: QWidget | str = "",
        *,
        role: TextRole = TextRole.SECTION,
        has_help: bool = False,
        help_address: str = "",
        parent: QWidget | None = None,
    ) -> None:
        beside = Label(side, TextRole.SMALL, "text2") if isinstance(side, str) else side
        explained = (HelpButton(title),) if has_help or help_address else ()
        super().__init__(Label(title, role), *explained, *((None, beside) if side else ()), parent=parent)
        set_help_address(self, help_address)


class StageHeader(Surface):
    """The header of a stage: title, subtitle and buttons.

    The last button is the primary one: the next step, set by `show_primary`. A long subtitle wraps; if it
    needs more than two lines, the other buttons show icons only.
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__("window", Edge.BOTTOM, parent)
        self.title = ElidedLabel(title, TextRole.TITLE)
        self.subtitle = Label("", TextRole.SMALL, "text2", wraps=True, tabular=True)
        self.primary = Button("", ButtonKind.PRIMARY, height=ButtonSize.STAGE)
        self.primary.hide()
        self._buttons, self._secondary = row(gap=8), list[Button]()
        texts = column(None, row(self.title, HelpButton(title), None, gap=4), self.subtitle, None, gap=0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        layout = row(gap=8, margins=(24, 0, 20, 0), parent=self)
        layout.addLayout(texts, 1)
        layout.addLayout(self._buttons)
        layout.addWidget(self.primary)
        self._update_geometry()
        theme().on_changed(self._update_geometry)

    def add_buttons(self, *buttons: QWidget) -> None:
        """Add buttons before the primary one."""
        self._buttons.add(*buttons)
        self._secondary += [button for button in buttons if isinstance(button, Button)]

    def show_title(self, title: str) -> None:
        """Set the title."""
        self.title.setText(title)

    def show_subtitle(self, text: str) -> None:
        """Set the subtitle: the state and the next step."""
        self.subtitle.setText(text)
        texts = (self.title.text(), sanitize_line(text))
        self.setAccessibleName(". ".join(text for text in texts if text))

    def show_primary(self, text: str, *, glyph: str = "", keys: str = "", disabled_reason: str = "") -> None:
        """Set the primary button; a reason disables it and should also be in the subtitle."""
        had_keyboard = self.primary.hasFocus() or self.hasFocus()
        self.primary.setText(text)
        self.primary.set_glyph(glyph)
        self.primary.set_keys(keys)
        self.primary.set_disabled_reason(disabled_reason)
        self.primary.setVisible(bool(text))
        if had_keyboard:
            self._restore_focus()

    def _restore_focus(self) -> None:
        """Focus the primary button, or the header while the button is disabled.

        Otherwise Qt would move the focus to the next widget.
        """
        can_press = self.primary.isEnabled() and not self.primary.isHidden()
        (self.primary if can_press else self).setFocus(Qt.FocusReason.OtherFocusReason)

    def _update_collapsed(self) -> None:
        """Collapse the other buttons to icons if the texts need the width."""
        buttons = [button for button in self._secondary if not button.isHidden()]
        used_width = sum(button.full_width + theme().px(8) for button in buttons)
        used_width += 0 if self.primary.isHidden() else self.primary.full_width
        available_width = self.width() - used_width - theme().px(_MARGINS_AND_GAPS)
        is_narrow = self.width() - used_width < theme().px(_MIN_TEXT_WIDTH) or self.subtitle.heightForWidth(
            available_width
        ) > theme().px(_TWO_LINES)
        _set_collapsed(self, self._secondary, is_narrow=is_narrow)

    def _update_geometry(self) -> None:
        self.setMinimumHeight(theme().px(_HEIGHT))

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.Resize}:
            self._update_collapsed()
        return super().event(event)


class PanelHead(QWidget):
    """Name and badge on the left, buttons on the right.

    The buttons show icons only if space for the name is short.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._collapsible: Sequence[Button] = ()
        self._badge: QWidget | None = None

    def head_row(self, name: QWidget, badge: QWidget, buttons: Sequence[Button]) -> ScaledBoxLayout:
        """The row with the name, the badge, and the buttons."""
        self._badge, self._collapsible = badge, buttons
        return row(name, badge, None, *buttons, gap=_GAP)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.Resize}:
            self._collapse()
        return super().event(event)

    def _collapse(self) -> None:
        gap = theme().px(_GAP)
        used_width = sum(button.full_width + gap for button in self._collapsible if not button.isHidden())
        if self._badge is not None and not self._badge.isHidden():
            used_width += self._badge.sizeHint().width() + gap
        is_narrow = self.width() - used_width < theme().px(_MIN_NAME_WIDTH)
        _set_collapsed(self, self._collapsible, is_narrow=is_narrow)


def _set_collapsed(head: QWidget, buttons: Sequence[Button], *, is_narrow: bool) -> None:
    """Collapse or expand buttons, and give them their new widths: another request for that may get lost."""
    for button in buttons:
        button.set_collapsed(is_collapsed=is_narrow)
    layout = head.layout()
    if layout is not None:
        layout.activate()
