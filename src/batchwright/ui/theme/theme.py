"""The look in force: colours, sizes and fonts, switchable while the program runs."""

from collections.abc import Callable
from enum import StrEnum
from itertools import count
from typing import Any
from weakref import ref

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from batchwright.ui.theme.palette import application_palette, item_view_palette
from batchwright.ui.theme.tokens import Scheme, Tokens
from batchwright.ui.theme.typography import TextRole, load_shell_fonts

TEXT_SIZES = (100, 115, 130, 150)
"""The text sizes a person may choose, in per cent."""


class ColorSchemePreference(StrEnum):
    """What a person asked for."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """Colours, sizes and fonts as they are now; `changed` says that they are others.

    Sizes are given in logical pixels at 100 % everywhere, and `px` makes them those of the chosen text size.
    """

    changed = Signal()
    animations_changed = Signal()
    """Whether things move has changed; nothing is drawn anew for it."""

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
        self._system_palette = QGuiApplication.palette()
        self.tokens = Tokens.of(Scheme.LIGHT)

    @property
    def color_scheme(self) -> ColorSchemePreference:
        """What was asked for."""
        return self._color_scheme

    @property
    def scheme(self) -> Scheme:
        """What is shown."""
        if self._color_scheme is not ColorSchemePreference.SYSTEM:
            return Scheme(self._color_scheme.value)
        dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return Scheme.DARK if dark else Scheme.LIGHT

    @property
    def is_dark(self) -> bool:
        """Whether the dark colours are shown."""
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
        """A size of look.md at the chosen text size."""
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
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system_scheme_changed)
        _Current.theme = self
        self._apply()

    def on_changed(self, slot: Callable[[], None]) -> None:
        """Call a method of a widget or layout whenever the look is another, for as long as that lives.

        A connection of `changed` does the same at six times the price, and a page of cards has hundreds.
        """
        owner, number = slot.__self__, next(self._listener_ids)  # type: ignore[attr-defined]  # bound to a widget
        listeners = self._listeners
        listeners[number] = (ref(owner, lambda _gone: listeners.pop(number, None)), slot.__name__)

    def set_color_scheme(self, scheme: ColorSchemePreference) -> None:
        """Show another look."""
        if scheme is not self._color_scheme:
            self._color_scheme = scheme
            self._apply()

    def set_text_size(self, per_cent: int) -> None:
        """Show everything in another size; one of `TEXT_SIZES`."""
        if per_cent != self._text_size:
            self._text_size = per_cent
            self._fonts.clear()
            self._apply()

    @property
    def animations_enabled(self) -> bool:
        """Whether things slide and fade: as a person asked, else as the system has it."""
        return (
            self._system_animations_enabled if self._animations_enabled is None else self._animations_enabled
        )

    @property
    def system_animations_enabled(self) -> bool:
        """Whether the system lets things slide and fade."""
        return self._system_animations_enabled

    def set_animations_enabled(self, enabled: bool | None) -> None:
        """Whether things may slide and fade; None for as the system has it."""
        self._animations_enabled = enabled
        self.animations_changed.emit()

    def set_system_animations_enabled(self, *, enabled: bool) -> None:
        """Take note of what the system says (`theme.motion`)."""
        if enabled != self._system_animations_enabled:
            self._system_animations_enabled = enabled
            self.animations_changed.emit()

    def _on_system_scheme_changed(self) -> None:
        if self._color_scheme is ColorSchemePreference.SYSTEM:
            self._apply()

    def _apply(self) -> None:
        app = _application()
        _set_system_color_scheme(self._color_scheme)
        self.tokens = Tokens.of(self.scheme)
        if _is_high_contrast():
            self.tokens = self.tokens.in_high_contrast(self._system_palette)
        app.setPalette(application_palette(self.tokens))
        app.setPalette(item_view_palette(self.tokens), "QAbstractItemView")  # type: ignore[arg-type]  # stub wants bytes, the call a string
        app.setFont(self.font(TextRole.BODY))
        for owner_ref, slot in tuple(self._listeners.values()):
            owner = owner_ref()
            if owner is not None and isValid(owner):
                getattr(owner, slot)()
        self.changed.emit()


class _Current:
    """The one theme of the program: there is one application, so there is one look."""

    theme: Theme | None = None


def theme() -> Theme:
    """The look in force.

    Raises:
        RuntimeError: none was installed yet.
    """
    if _Current.theme is None:
        raise RuntimeError("the theme is installed before the first widget is made")
    return _Current.theme


def _application() -> QApplication:
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError("the application comes before its theme")
    return app


def _set_system_color_scheme(scheme: ColorSchemePreference) -> None:
    """Let window frames and the system's own dialogs be of the same scheme."""
    hints = QGuiApplication.styleHints()
    if scheme is ColorSchemePreference.SYSTEM:
        hints.unsetColorScheme()
    else:
        dark = scheme is ColorSchemePreference.DARK
        hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)


def _is_high_contrast() -> bool:
    hints = QGuiApplication.styleHints()
    if not hasattr(hints, "accessibility"):  # Qt before 6.10 does not know
        return False
    return bool(hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast)


def _system_text_size() -> int:
    """The offered size nearest to the system's own font scale."""
    screen = QGuiApplication.primaryScreen()
    per_cent = 100 if screen is None else screen.logicalDotsPerInch() / 96 * 100
    return min(TEXT_SIZES, key=lambda size: abs(size - per_cent))
