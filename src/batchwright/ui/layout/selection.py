"""What is selected in the layout, and which page is in view: one value that all panels share."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal


class Selection(QObject):
    """The keys of the selected entries, of one level and on one page, and the key of the page in view.

    With nothing selected, what is shown or changed is the page itself. Keys are not looked up here: the
    view-model drops those that are gone from the layout.
    """

    changed = Signal()
    """Other keys, or another page."""
    edit_wanted = Signal()
    """Enter or a double click: the inspector is to take the keyboard."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: tuple[str, ...] = ()
        self._page: str | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The selected entries, in the order in which they were selected."""
        return self._keys

    @property
    def page(self) -> str | None:
        """The page in view; None when there is none."""
        return self._page

    def select(self, keys: Iterable[str], page: str | None = None) -> None:
        """Select these entries and no others; they stand on `page`, or on the page in view."""
        self._set(tuple(dict.fromkeys(keys)), self._page if page is None else page)

    def show_page(self, key: str | None) -> None:
        """Bring another page into view, with nothing selected on it."""
        if key != self._page:
            self._set((), key)

    def edit(self) -> None:
        """Ask for the form of what is selected."""
        self.edit_wanted.emit()

    def _set(self, keys: tuple[str, ...], page: str | None) -> None:
        if (keys, page) != (self._keys, self._page):
            self._keys, self._page = keys, page
            self.changed.emit()
