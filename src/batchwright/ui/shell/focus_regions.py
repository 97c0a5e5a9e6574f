"""Walking through the regions of the window with F6 (look.md 13)."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget


def focus_next_region(regions: Sequence[QWidget], *, forward: bool = True) -> QWidget | None:
    """Give the keyboard to the region after the one that has it; None when none takes it."""
    shown = [region for region in regions if region.isVisible()]
    focused = QApplication.focusWidget()
    holding = [
        number
        for number, region in enumerate(shown)
        if focused is not None and (region is focused or region.isAncestorOf(focused))
    ]
    step = 1 if forward else -1
    start = holding[-1] if holding else (-1 if forward else 0)
    for away in range(1, len(shown) + 1):
        region = shown[(start + step * away) % len(shown)]
        if focus_region(region):
            return region
    return None


@runtime_checkable
class HasMainWidget(Protocol):
    """A region, or a stage, that knows where in it the keyboard belongs when somebody comes."""

    def main_widget(self) -> QWidget | None:
        """Where the keyboard goes; None for the first thing that takes it."""


def focus_region(region: QWidget, but: Sequence[QWidget] = ()) -> bool:
    """Give the keyboard to a region: to its main widget, else to what is chosen in it, else to the first.

    What is in one of `but` is left out.
    """
    main = region.main_widget() if isinstance(region, HasMainWidget) else None
    if main is not None:
        main.setFocus(Qt.FocusReason.TabFocusReason)
        return True
    stops = [
        widget
        for widget in (region, *region.findChildren(QWidget))
        if _is_tab_stop(widget) and not any(one is widget or one.isAncestorOf(widget) for one in but)
    ]
    if not stops:
        return False
    chosen = [widget for widget in stops if widget.property("checked")]
    (chosen or stops)[0].setFocus(Qt.FocusReason.TabFocusReason)
    return True


def _is_tab_stop(widget: QWidget) -> bool:
    by_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    return bool(by_tab) and widget.isVisible() and widget.isEnabled()
