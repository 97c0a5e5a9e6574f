"""Buttons in their kinds. The style paints them; they only say what they are."""

from enum import StrEnum

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyleOptionButton, QWidget
from typing_extensions import override

from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.buttons import GLYPH, GLYPH_SIZE, HEIGHT, KEYS, KIND
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.text import show_literal


class ButtonKind(StrEnum):
    """What a button is for; there is one primary on a stage, and a live one only in a confirmation."""

    PRIMARY = "primary"
    SECONDARY = "secondary"
    QUIET = "quiet"
    LINK = "link"
    DANGER = "danger"
    DESTROY = "destroy"
    LIVE = "live"


class ButtonSize(StrEnum):
    """How tall a button is, by where it stands."""

    TINY = "24"
    SMALL = "28"
    NOTICE = "30"
    DEFAULT = "32"
    STAGE = "34"
    DIALOG = "36"
    WELCOME = "38"


class Button(QPushButton):
    """A button with a word, and with a glyph or a shortcut where that helps."""

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
    def setText(self, text: str) -> None:
        """Say something else; a name in it may hold `&`, which marks no key."""
        show_literal(self, text)

    @property
    def kind(self) -> ButtonKind:
        """What it is for."""
        return ButtonKind(self.property(KIND))

    def set_kind(self, kind: ButtonKind) -> None:
        """Look as another kind."""
        self.setProperty(KIND, kind.value)
        self.update()

    def set_glyph(self, glyph: str) -> None:
        """Show another glyph before the word, or none."""
        self.setProperty(GLYPH, glyph)
        self.updateGeometry()
        self.update()

    def set_keys(self, keys: str) -> None:
        """Show another shortcut after the word, or none."""
        self.setProperty(KEYS, keys)
        self.updateGeometry()
        self.update()

    def set_disabled_reason(self, reason: str = "") -> None:
        """Enable the button, or disable it and say in the tooltip why."""
        self.setEnabled(not reason)
        self.setToolTip(tooltip_text(reason) or (self.text() if self._is_collapsed else ""))

    @property
    def full_width(self) -> int:
        """How wide it is with its word."""
        is_collapsed, self._is_collapsed = self._is_collapsed, False
        width = super().sizeHint().width()
        self._is_collapsed = is_collapsed
        return width

    @property
    def collapsed_width(self) -> int:
        """How wide it is without its word; with it, where it has no glyph."""
        return theme().px(int(self._height)) if self.property(GLYPH) else self.full_width

    def set_collapsed(self, *, is_collapsed: bool) -> None:
        """Show the glyph alone for want of room, and the word in the tooltip; one without a glyph stays."""
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


class IconButton(Button):
    """A square button of a glyph alone; its name is in the tooltip, with the shortcut."""

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
        """What it does, for tooltip and screen reader."""
        self.setAccessibleName(sanitize_line(name))
        self.setToolTip(tooltip_text(f"{name}  {keys}" if keys else name))

    @override
    def sizeHint(self) -> QSize:
        side = theme().px(int(self._height))
        return QSize(side, side)
