"""A stack of pages that keeps the keyboard focus."""

from PySide6.QtWidgets import QStackedWidget, QWidget
from shiboken6 import isValid

from batchwright.ui.shell.focus_regions import focus_region


class PageStack(QStackedWidget):
    """Shows one page at a time; whatever had the focus in a page gets it again when the page returns.

    While the page has nothing to focus, as one that says that something is loading, the stack has the focus.
    Qt would give it to that page and lose it on the way back.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._focused: dict[QWidget, QWidget] = {}
        """The widget that had the focus last, by page."""

    def show_page(self, page: QWidget) -> None:
        """Show a page; if the other one has the focus, it gets it."""
        before, focused = self.currentWidget(), self.window().focusWidget()
        if page is before:
            return
        has_focus = focused is not None and (focused is self or self.isAncestorOf(focused))
        if has_focus and focused is not None and focused is not self and before is not None:
            self._focused[before] = focused
        if has_focus:
            self.setFocus()
        self.setCurrentWidget(page)
        if has_focus:
            self.focus_page()

    def focus_page(self) -> None:
        """Give the focus to the page, or keep it."""
        page = self.currentWidget()
        focused = None if page is None else self._focused.get(page)
        if focused is None or not (isValid(focused) and focused.isVisible() and focused.isEnabled()):
            focused = None
        if isinstance(focused, PageStack):
            focused.focus_page()
        elif focused is not None:
            focused.setFocus()
        elif page is None or not focus_region(page):
            self.setFocus()

    def forget_page(self, page: QWidget) -> None:
        """Remove a page."""
        self._focused.pop(page, None)
        self.removeWidget(page)
