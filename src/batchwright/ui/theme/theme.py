"""The current theme: colours, sizes, fonts and `QPalette`, which can change at run time."""

from collections.abc import Callable
from enum import StrEnum
from itertools import count
from typing import Any
from weakref import ref

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette, QStyleHints
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from batchwright.ui.theme.tokens import Scheme, Tokens, scheme_of
from batchwright.ui.theme.typography import TextRole, load_shell_fonts

TEXT_SIZES = (100, 115, 130, 150)
"""The available text sizes in per cent."""


class ColorSchemePreference(StrEnum):
    """The preferred colour scheme."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """The current colours, sizes and fonts; `changed` is emitted when they change.

    Sizes in the program are logical pixels at 100 %; `px` scales them to the current text size.
    """

    changed = Signal()
    animations_changed = Signal()
    """`animations_enabled` has changed; needs no repaint."""

    def __init__(
        self,
        color_scheme: ColorSchemePreference = ColorSchemePreference.SYSTEM,
        text_size: int | None = None,
        *,
        animations_enabled: bool | None = None,
    ) -> None:
        super().__init__()
        self._color_scheme = color_scheme
        self._text_size = text_size or _system_text_size()
        self._animations_enabled, self._system_animations_enabled = animations_enabled, True
        self._fonts: dict[tuple[TextRole, bool], QFont] = {}
        self._listeners: dict[int, tuple[ref[Any], str]] = {}
        self._listener_ids = count()
        self._system_palette = QPalette()
        """The colours of the system, which are read if it has high-contrast colours."""
        self.tokens = Tokens.of(Scheme.LIGHT)

    @property
    def color_scheme(self) -> ColorSchemePreference:
        """The preferred colour scheme."""
        return self._color_scheme

    @property
    def scheme(self) -> Scheme:
        """The displayed colour scheme."""
        if is_high_contrast():
            return scheme_of(self._system_palette)
        if self._color_scheme is not ColorSchemePreference.SYSTEM:
            return Scheme(self._color_scheme.value)
        dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return Scheme.DARK if dark else Scheme.LIGHT

    @property
    def is_dark(self) -> bool:
        """Whether the dark scheme is displayed."""
        return self.scheme is Scheme.DARK

    @property
    def text_size(self) -> int:
        """The text size in per cent."""
        return self._text_size

    @property
    def scale(self) -> float:
        """What every size is multiplied by."""
        return self._text_size / 100

    def px(self, size: float) -> int:
        """A size in pixels, given for the default text size, at the chosen text size."""
        return round(size * self.scale)

    def ms(self, milliseconds: int) -> int:
        """How long a motion takes; none takes any time where motion is reduced."""
        return milliseconds if self.animations_enabled else 0

    def font(self, role: TextRole, *, tabular: bool = False) -> QFont:
        """The font of a role at the chosen text size."""
        key = (role, tabular)
        if key not in self._fonts:
            self._fonts[key] = role.font(self.scale, tabular=tabular)
        return self._fonts[key]

    def start(self) -> None:
        """Give the application these colours and fonts, and follow the system from now on."""
        load_shell_fonts()
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._on_system_scheme_changed)
        if _HAS_CONTRAST:
            hints.accessibility().contrastPreferenceChanged.connect(self._apply)
        _Current.theme = self
        self._apply()

    def on_changed(self, slot: Callable[[], None]) -> None:
        """Call a bound method of a widget or layout after each change, until the object is deleted.

        Connecting `changed` takes six times as long, and a page of cards has hundreds of widgets.
        """
        owner, number = slot.__self__, next(self._listener_ids)  # type: ignore[attr-defined]  # bound to a widget
        listeners = self._listeners
        listeners[number] = (ref(owner, lambda _gone: listeners.pop(number, None)), slot.__name__)

    def set_color_scheme(self, scheme: ColorSchemePreference) -> None:
        """Set the colour scheme."""
        if scheme is not self._color_scheme:
            self._color_scheme = scheme
            self._apply()

    def set_text_size(self, per_cent: int) -> None:
        """Set the text size; one of `TEXT_SIZES`."""
        if per_cent != self._text_size:
            self._text_size = per_cent
            self._fonts.clear()
            self._apply()

    @property
    def animations_enabled(self) -> bool:
        """Whether animations are enabled, by the user or else by the system."""
        return (
            self._system_animations_enabled if self._animations_enabled is None else self._animations_enabled
        )

    @property
    def system_animations_enabled(self) -> bool:
        """Whether animations are enabled in the system."""
        return self._system_animations_enabled

    def set_animations_enabled(self, enabled: bool | None) -> None:
        """Enable or disable animations; None follows the system."""
        self._animations_enabled = enabled
        self.animations_changed.emit()

    def set_system_animations_enabled(self, *, enabled: bool) -> None:
        """Set the setting of the system (`theme.motion`)."""
        if enabled != self._system_animations_enabled:
            self._system_animations_enabled = enabled
            self.animations_changed.emit()

    def _on_system_scheme_changed(self) -> None:
        if self._color_scheme is ColorSchemePreference.SYSTEM or is_high_contrast():
            self._apply()

    def _apply(self) -> None:
        app = _application()
        _set_system_color_scheme(self._color_scheme)
        if is_high_contrast():
            self._system_palette = system_palette()
            self.tokens = Tokens.in_high_contrast(self._system_palette)
        else:
            self.tokens = Tokens.of(self.scheme)
        app.setPalette(application_palette(self.tokens))
        app.setPalette(item_view_palette(self.tokens), "QAbstractItemView")  # type: ignore[arg-type]  # the stub expects bytes, the call a string
        app.setFont(self.font(TextRole.BODY))
        for owner_ref, slot in tuple(self._listeners.values()):
            owner = owner_ref()
            if owner is not None and isValid(owner):
                getattr(owner, slot)()
        self.changed.emit()


class _Current:
    """Holds the theme of the application."""

    theme: Theme | None = None


def theme() -> Theme:
    """The current theme.

    Raises:
        RuntimeError: none is installed yet.
    """
    if _Current.theme is None:
        raise RuntimeError("install the theme before creating widgets")
    return _Current.theme


def _application() -> QApplication:
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError("create the application before the theme")
    return app


def _set_system_color_scheme(scheme: ColorSchemePreference) -> None:
    """Set the colour scheme of window frames and system dialogs."""
    hints = QGuiApplication.styleHints()
    if scheme is ColorSchemePreference.SYSTEM:
        hints.unsetColorScheme()
    else:
        dark = scheme is ColorSchemePreference.DARK
        hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)


_HAS_CONTRAST = hasattr(QStyleHints, "accessibility")
"""Whether this Qt knows the contrast that the system prefers: since 6.10."""


def is_high_contrast() -> bool:
    """Whether the system has high-contrast colours."""
    if not _HAS_CONTRAST:
        return False
    hints = QGuiApplication.styleHints()  # PySide deletes what it returns when this is deleted
    return bool(hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast)


def system_palette() -> QPalette:
    """The colours of the system. They become the palette of the application: Qt reads them only then."""
    _application().setPalette(QPalette())
    return QGuiApplication.palette()


def _system_text_size() -> int:
    """The available size nearest to the font scale of the system."""
    screen = QGuiApplication.primaryScreen()
    per_cent = 100 if screen is None else screen.logicalDotsPerInch() / 96 * 100
    return min(TEXT_SIZES, key=lambda size: abs(size - per_cent))


Role = QPalette.ColorRole

_ROLES = {
    Role.Window: "window",
    Role.WindowText: "text",
    Role.Base: "input",
    Role.AlternateBase: "row_hover",
    Role.Text: "text",
    Role.Button: "button",
    Role.ButtonText: "text",
    Role.BrightText: "on_accent",
    Role.Light: "surface",
    Role.Midlight: "hover",
    Role.Mid: "border",
    Role.Dark: "border_field",
    Role.Shadow: "shadow",
    Role.Highlight: "accent",
    Role.HighlightedText: "on_accent",
    Role.Link: "accent_text",
    Role.LinkVisited: "field",
    Role.ToolTipBase: "surface",
    Role.ToolTipText: "text",
    Role.PlaceholderText: "text3",
    Role.Accent: "accent",
}
_DISABLED = {
    Role.WindowText: "disabled",
    Role.Text: "disabled",
    Role.ButtonText: "disabled",
    Role.PlaceholderText: "disabled",
    Role.HighlightedText: "disabled",
    Role.Base: "sunken",
    Role.Highlight: "hover",
}


def application_palette(tokens: Tokens) -> QPalette:
    """The palette of the application."""
    palette = QPalette()
    for role, name in _ROLES.items():
        palette.setColor(role, _solid(tokens.get(name)))
    for role, name in _DISABLED.items():
        palette.setColor(QPalette.ColorGroup.Disabled, role, _solid(tokens.get(name)))
    return palette


def item_view_palette(tokens: Tokens) -> QPalette:
    """The palette of item views: selected rows are tinted and keep their text colour."""
    palette = application_palette(tokens)
    palette.setColor(Role.Base, tokens.surface)
    palette.setColor(Role.Highlight, tokens.accent_soft)
    palette.setColor(Role.HighlightedText, tokens.text)
    return palette


def _solid(colour: QColor) -> QColor:
    solid = QColor(colour)
    solid.setAlpha(255)
    return solid
