"""The statistical methods: assumptions, sources and measured coverage (Help menu)."""

from PySide6.QtWidgets import QWidget

from batchwright.analysis.statistics.method_chapters import MethodChapter, as_html, chapters
from batchwright.base.i18n import _
from batchwright.ui.shell.chapter_page import ChapterPage
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay
from batchwright.ui.widgets.rows.values import ListRow, RowText


class MethodsPage(ChapterPage[MethodChapter]):
    """A list of the methods, and the chapter of the selected one."""

    help_address = "statistics.md"

    def __init__(self) -> None:
        super().__init__(
            _("Statistical methods"),
            chapters(),
            _row,
            lambda chapter: f"{_(chapter.method.name)} {chapter.method.reference}",
            as_html,
            (
                _("Find a method"),
                _("Methods"),
                _("No matching methods. Try another search term."),
                _("The method"),
            ),
        )


def _row(chapter: MethodChapter) -> ListRow:
    """The name without what explains it after a colon."""
    return ListRow((RowText(_(chapter.method.name).partition(":")[0], TextRole.BODY),))


def open_methods(host: QWidget) -> ModalOverlay:
    """Show the methods over a window."""
    return ModalOverlay(host, MethodsPage())
