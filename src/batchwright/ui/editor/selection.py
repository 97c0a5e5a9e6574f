"""The selection and the page in view, shared by all panels of the layout editor."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal


class SelectionModel(QObject):
    """The keys of the selected nodes, of one level and on one page, and the key of the page in view.

    With nothing selected on it, what is shown or changed is the page itself, with the pages that are selected
    together with it. Keys are not looked up here: the view-model drops those that are gone from the layout.
    """

    changed = Signal()
    """The selected nodes or the page in view changed."""
    edit_requested = Signal()
    """Enter or a double click: focus the inspector."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: tuple[str, ...] = ()
        self._pages: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The selected nodes, in the order in which they were selected."""
        return self._keys

    @property
    def page(self) -> str | None:
        """The page in view; None when there is none."""
        return self._pages[-1] if self._pages else None

    @property
    def pages(self) -> tuple[str, ...]:
        """The pages selected together, the one in view last; alone while something on it is selected."""
        return self._pages

    @property
    def targets(self) -> tuple[str, ...]:
        """What commands apply to: the selection, or else the selected pages."""
        return self._keys or self._pages

    def select(self, keys: Iterable[str], page: str | None = None) -> None:
        """Select these nodes and no others; they stand on `page`, or on the page in view."""
        self._set_keys(tuple(dict.fromkeys(keys)), self._pages[-1:] if page is None else (page,))

    def select_pages(self, keys: Iterable[str]) -> None:
        """Select these pages, with nothing on them, and bring the last one into view."""
        self._set_keys((), tuple(dict.fromkeys(keys)))

    def show_page(self, key: str | None) -> None:
        """Show another page, with nothing selected on it."""
        if key != self.page:
            self._set_keys((), () if key is None else (key,))

    def edit(self) -> None:
        """Request the focus for the form of the selection."""
        self.edit_requested.emit()

    def _set_keys(self, keys: tuple[str, ...], pages: tuple[str, ...]) -> None:
        if (keys, pages) != (self._keys, self._pages):
            self._keys, self._pages = keys, pages
            self.changed.emit()
