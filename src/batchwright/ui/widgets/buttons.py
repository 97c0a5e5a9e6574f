"""Buttons of several kinds, which the style paints (`theme.buttons`)."""

from enum import StrEnum

from PySide6.QtCore import QSize
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyleOptionButton, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.buttons import GLYPH, GLYPH_SIZE, HEIGHT, KEYS, KIND
from batchwright.ui.theme.focus import click_processed
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.tips import shortcut_text, tooltip_text
from batchwright.ui.widgets.text import show_literal


class ButtonKind(StrEnum):
    """The kind of a button. A stage has one primary button; live ones are only in confirmations."""

    PRIMARY = "primary"
    SECONDARY = "secondary"
    QUIET = "quiet"
    LINK = "link"
    DANGER = "danger"
    DESTROY = "destroy"
    LIVE = "live"


class ButtonSize(StrEnum):
    """The height of a button by its place, in pixels at 100 %."""

    TINY = "24"
    SMALL = "28"
    NOTICE = "30"
    DEFAULT = "32"
    STAGE = "34"
    DIALOG = "36"
    WELCOME = "38"


class Button(QPushButton):
    """A button with a text and an optional icon and shortcut."""

    def __init__(
        self,
        text: str,
        kind: ButtonKind = ButtonKind.SECONDARY,
        *,
        glyph: str = "",
        keys: str = "",
        height: ButtonSize = ButtonSize.DEFAULT,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setText(text)
        self._height = height
        self._is_collapsed = False
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setProperty(KIND, kind.value)
        self.setProperty(GLYPH, glyph)
        self.setProperty(KEYS, keys)
        self.setProperty(HEIGHT, int(height))
        self._apply_style()
        theme().on_changed(self._apply_style)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        with click_processed(self):
            super().mouseReleaseEvent(event)

    @override
    def setText(self, text: str) -> None:
        """Set the text; a `&` in it is literal."""
        show_literal(self, text)

    @property
    def kind(self) -> ButtonKind:
        """The kind of the button."""
        return ButtonKind(self.property(KIND))

    def set_kind(self, kind: ButtonKind) -> None:
        """Set the kind."""
        self.setProperty(KIND, kind.value)
        self.update()

    def set_glyph(self, glyph: str) -> None:
        """Set the icon before the text."""
        self.setProperty(GLYPH, glyph)
        self.updateGeometry()
        self.update()

    def set_keys(self, keys: str) -> None:
        """Set the shortcut after the text."""
        self.setProperty(KEYS, keys)
        self.updateGeometry()
        self.update()

    def set_disabled_reason(self, reason: str = "") -> None:
        """Enable the button, or disable it with a reason in the tooltip."""
        self.setEnabled(not reason)
        self.setToolTip(tooltip_text(reason) or (self.text() if self._is_collapsed else ""))

    @property
    def full_width(self) -> int:
        """The width with text."""
        is_collapsed, self._is_collapsed = self._is_collapsed, False
        width = super().sizeHint().width()
        self._is_collapsed = is_collapsed
        return width

    def set_collapsed(self, *, is_collapsed: bool) -> None:
        """Show only the icon, with the text in the tooltip. No effect without an icon."""
        is_collapsed = is_collapsed and bool(self.property(GLYPH))
        if is_collapsed == self._is_collapsed:
            return
        self._is_collapsed = is_collapsed
        if self.toolTip() in {"", self.text()}:
            self.setToolTip(self.text() if is_collapsed else "")
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        if not self._is_collapsed:
            return super().sizeHint()
        side = theme().px(int(self._height))
        return QSize(side, side)

    @override
    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        if self._is_collapsed:
            option.text = ""

    def _apply_style(self) -> None:
        small = self._height in {ButtonSize.SMALL, ButtonSize.NOTICE}
        self.setFont(theme().font(TextRole.SMALL_NAME if small else TextRole.NAME))
        self.updateGeometry()


def browser_button(name: str) -> Button:
    """Create a link that opens the URL of something with this name in the browser."""
    button = Button(_("Open in browser"), ButtonKind.LINK, glyph="arrow-square-out", height=ButtonSize.SMALL)
    button.setAccessibleName(_("Open {field} in browser").format(field=sanitize_line(name)))
    return button


class IconButton(Button):
    """A square button with only an icon; name and shortcut are in the tooltip."""

    def __init__(
        self,
        glyph: str,
        name: str,
        *,
        kind: ButtonKind = ButtonKind.QUIET,
        keys: str = "",
        height: ButtonSize = ButtonSize.SMALL,
        glyph_size: int = 18,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("", kind, glyph=glyph, height=height, parent=parent)
        self.setProperty(GLYPH_SIZE, glyph_size)
        self.set_name(name, keys)

    def set_name(self, name: str, keys: str = "") -> None:
        """Set the name for tooltip and screen readers."""
        self.setAccessibleName(sanitize_line(name))
        self.setToolTip(tooltip_text(f"{name}  {shortcut_text(keys)}" if keys else name))

    @override
    def sizeHint(self) -> QSize:
        side = theme().px(int(self._height))
        return QSize(side, side)
