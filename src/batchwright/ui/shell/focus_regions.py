"""Moving the focus between the regions of a window with F6."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget


def focus_next_region(regions: Sequence[QWidget], *, forward: bool = True) -> QWidget | None:
    """Focus the region after the focused one; None if no region accepts the focus."""
    shown = [region for region in regions if region.isVisible()]
    focused = QApplication.focusWidget()
    focused_regions = [
        number
        for number, region in enumerate(shown)
        if focused is not None and (region is focused or region.isAncestorOf(focused))
    ]
    step = 1 if forward else -1
    start = focused_regions[-1] if focused_regions else (-1 if forward else 0)
    for offset in range(1, len(shown) + 1):
        region = shown[(start + step * offset) % len(shown)]
        if focus_region(region):
            return region
    return None


@runtime_checkable
class HasMainWidget(Protocol):
    """A region or stage with a preferred widget for the focus."""

    def main_widget(self) -> QWidget | None:
        """The widget to focus; None for the first tab stop."""


def focus_region(region: QWidget, excluded: Sequence[QWidget] = ()) -> bool:
    """Give the keyboard to a region: to its main widget, else to what is chosen in it, else to the first.

    Widgets inside of `excluded` are skipped.
    """
    main = region.main_widget() if isinstance(region, HasMainWidget) else None
    if main is not None:
        main.setFocus(Qt.FocusReason.TabFocusReason)
        return True
    tab_stops = [
        widget
        for widget in (region, *region.findChildren(QWidget))
        if _is_tab_stop(widget)
        and not any(ancestor is widget or ancestor.isAncestorOf(widget) for ancestor in excluded)
    ]
    if not tab_stops:
        return False
    chosen = [widget for widget in tab_stops if widget.property("checked")]
    (chosen or tab_stops)[0].setFocus(Qt.FocusReason.TabFocusReason)
    return True


def _is_tab_stop(widget: QWidget) -> bool:
    by_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    return bool(by_tab) and widget.isVisible() and widget.isEnabled()
