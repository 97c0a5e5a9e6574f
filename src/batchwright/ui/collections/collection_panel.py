"""The collection shown: name, id, numbers, task details and pages; or the study without one."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QStackedWidget, QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.base.policy import computer_policy
from batchwright.layout.collection_pages import items_of
from batchwright.layout.item_types.registry import Image, Item, RichText
from batchwright.layout.model import Layout, Page
from batchwright.ui.collections.state import CollectionsState
from batchwright.ui.core.formatting import number, short_datetime
from batchwright.ui.publishing.resource_panels import DetailsPanel, ProgressPanel, StatisticsPanel
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.headings import PanelHead, SectionHeading
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.statuses import DRAFT, StatusBadge
from batchwright.ui.widgets.surfaces import Panel, Separator, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

_MAX_PAGES, _MAX_ITEMS = 20, 12
"""Maximum numbers of pages, and of items of a page, that the preview lists."""

_MAX_TEXT_CHARS = 200


class CollectionPanel(Surface):
    """Shows a collection; task details can be edited if it is that of the study."""

    stop_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("window", parent=parent)
        self.setAccessibleName(_("Collection"))
        self.head, self.id = CollectionHead(), IdPanel()
        self.details = DetailsPanel()
        self._figures, self._preview, self._progress = (
            StatisticsPanel(),
            CollectionPagesPanel(),
            ProgressPanel(),
        )
        self._progress.stop_pressed.connect(self.stop_pressed)
        content = QWidget()
        column(
            self.head,
            4,
            self._progress,
            self._figures,
            self.id,
            self.details,
            self._preview,
            None,
            gap=12,
            margins=(24, 18, 24, 24),
            parent=content,
        )
        self._pages = QStackedWidget()
        self._pages.addWidget(VerticalScrollArea(content))
        self._pages.addWidget(
            EmptyState(
                "cards",
                _("No collection selected"),
                _("A collection has pages of content and questions, but no data."),
            )
        )
        column(self._pages, gap=0, parent=self)

    def show_collection(self, state: CollectionsState) -> None:
        """Show the selected collection, or the study."""
        collection, layout = state.chosen, state.shown_layout
        self._pages.setCurrentIndex(0 if collection is not None or state.shows_draft else 1)
        self.head.show_collection(state)
        self.id.show_collection(state)
        self._figures.show_figures(_figures(state, layout))
        theirs = collection.task_details if collection else None
        details = state.task_details if state.shows_own else theirs
        self.details.show_details(details, may_edit=state.shows_own)
        self._preview.setVisible(layout is not None and bool(layout.pages))
        if layout is not None:
            self._preview.show_pages(layout, is_draft=state.shows_draft)
        self._progress.show_operation(state.operation)


class CollectionHead(PanelHead):
    """Name and times on the left, buttons on the right; these show icons only if space is short."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._draft = ElidedLabel("", TextRole.TITLE), StatusBadge(DRAFT)
        self.open = Button(_("Open as a study"), glyph="pencil-simple")
        self.copy = Button(_("Make a copy"), ButtonKind.QUIET, glyph="copy")
        self.copy.setAccessibleName(_("Make a copy of the collection"))
        self.export = Button(_("Export…"), glyph="archive")
        self.back = Button(_("Back to the study"), ButtonKind.QUIET, glyph="arrow-left")
        self._buttons = (self.back, self.copy, self.export, self.open)
        self._times = Label("", TextRole.SMALL, "text2", tabular=True, wraps=True)
        line = self.head_row(self._name, self._draft, self._buttons)
        column(line, self._times, gap=2, parent=self)

    def show_collection(self, state: CollectionsState) -> None:
        """Show the name, when the collection was created and modified, and what can be done with it."""
        collection = state.chosen
        self._name.setText(collection.name if collection else state.name)
        self._draft.setVisible(state.shows_draft)
        times = []
        if collection is not None and collection.created_at is not None:
            times.append(_("Created {when}").format(when=short_datetime(collection.created_at)))
        if collection is not None and collection.last_modified_at is not None:
            times.append(_("modified {when}").format(when=short_datetime(collection.last_modified_at)))
        self._times.setText("  ·  ".join(times))
        self._times.setVisible(bool(times))
        for button in self._buttons:
            button.setVisible(collection is not None)
        self.open.setVisible(collection is not None and not state.shows_own)
        self.back.setVisible(state.has_own and not state.shows_own)
        busy = state.operation.title if state.operation else ""
        self.copy.set_disabled_reason(busy)
        self.open.set_disabled_reason(busy)
        running = _("A download is running") if state.is_downloading else ""
        self.export.set_disabled_reason(computer_policy().raw_answers_reason or running)


class IdPanel(Panel):
    """The complete id with a button that copies it, and what it is for."""

    help_address = "collections.md#create-one"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.copy = Button(_("Copy"), glyph="copy", height=ButtonSize.SMALL)
        self.copy.setAccessibleName(_("Copy the id of the collection"))
        self._id = Label("", TextRole.BODY, tabular=True, wraps=True)
        self._id.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._use = Label("", TextRole.SMALL, "text2", wraps=True)
        heading = SectionHeading(_("Id of the collection"), self.copy, has_help=True)
        column(heading, self._id, self._use, gap=4, margins=(20, 12, 20, 16), parent=self)

    def show_collection(self, state: CollectionsState) -> None:
        """Show the id; hidden while there is no collection."""
        collection = state.chosen
        self.setVisible(collection is not None)
        if collection is None:
            return
        self._id.setText(collection.id)
        self._id.setAccessibleName(_("Id of the collection: {id}").format(id=collection.id))
        self._use.setText(
            _(
                "Next on the platform: create a study, choose this collection as its task by its id, and "
                "publish it. The collection needs no setup."
            )
            if state.session.is_live
            else _("On this computer, participants answer it in the browser. It needs no setup.")
        )


class CollectionPagesPanel(Panel):
    """The items of each page, one per line."""

    help_address = "collections.md#create-one"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._shown: Layout | None = None
        self._lines = column(gap=6)
        self._title = Label("", TextRole.SECTION)
        column(self._title, self._lines, gap=10, margins=(20, 14, 20, 16), parent=self)

    def show_pages(self, layout: Layout, *, is_draft: bool) -> None:
        """Show the pages of the study while it has no collection, or those that the service has."""
        self._title.setText(_("Pages") if is_draft else _("Pages at the service"))
        if layout == self._shown:
            return
        self._shown = layout
        clear(self._lines)
        pages = [page for page in layout.pages if isinstance(page, Page)]
        for index, page in enumerate(pages[:_MAX_PAGES]):
            if index:
                self._lines.add(Separator())
            self._lines.add(Label(_("Page {number}").format(number=number(index + 1)), TextRole.SMALL_NAME))
            items = items_of(page)
            for item in items[:_MAX_ITEMS]:
                if isinstance(item, Item):
                    self._lines.add(_ItemLine(item))
            self._add_rest(len(items) - _MAX_ITEMS)
        rest = len(pages) - _MAX_PAGES
        if rest > 0:
            text = ngettext("{count} more page", "{count} more pages", rest).format(count=number(rest))
            self._lines.add(Label(text, TextRole.SMALL, "text2"))

    def _add_rest(self, rest: int) -> None:
        if rest > 0:
            text = ngettext("{count} more item", "{count} more items", rest).format(count=number(rest))
            self._lines.add(Label(text, TextRole.SMALL, "text2"))


class _ItemLine(QWidget):
    """Icon, text and type of an item."""

    def __init__(self, item: Item) -> None:
        super().__init__()
        kind = _(item.title) if item.title else item.kind or ""
        glyph = Glyph("question" if item.is_instruction else "article", "text2", 16)
        line = row(glyph, gap=8, parent=self)
        line.addWidget(ElidedLabel(_text_of(item) or kind, TextRole.BODY), 1)
        line.add(Label(kind, TextRole.SMALL, "text2"))


def _text_of(item: Item) -> str:
    """The text by which an item is recognised, on one line."""
    if isinstance(item, RichText):
        content, document = item.text("content")[: 20 * _MAX_TEXT_CHARS], QTextDocument()
        if item.format == "markdown":
            document.setMarkdown(content)
        else:
            document.setHtml(content)
        text = document.toPlainText()
    else:
        text = item.text("alt_text" if isinstance(item, Image) else "description")
    return " ".join(text.split())[:_MAX_TEXT_CHARS]


def _figures(state: CollectionsState, layout: Layout | None) -> tuple[tuple[str, str], ...]:
    collection = state.chosen
    if layout is None:
        pages = collection.page_count if collection else None
        counted = ("–" if pages is None else number(pages), ngettext("page", "pages", pages or 0))
        return (counted,)
    pages, items = len(layout.pages), layout.count(Item)
    figures = [
        (number(pages), ngettext("page", "pages", pages)),
        (number(items), ngettext("item", "items", items)),
    ]
    if collection is not None:
        answers = state.answers
        noun = ngettext("answer", "answers", answers or 0)
        figures.append(("–" if answers is None else number(answers), noun))
    return tuple(figures)
