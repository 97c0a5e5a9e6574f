"""The Collections stage: studies without data, whose pages any number of participants answer."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.base.i18n import N_, _, ngettext
from batchwright.ui.collections.actions import (
    ACTIONS,
    can_participate,
    can_simulate,
    has_shown,
)
from batchwright.ui.collections.collection_panel import CollectionPanel
from batchwright.ui.collections.commands import CollectionsContext
from batchwright.ui.collections.next_step import next_step
from batchwright.ui.collections.state import CollectionsState
from batchwright.ui.content.resource_list import ListTexts, ResourceList, resource_row
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.desktop import open_url
from batchwright.ui.core.formatting import name_order, number, short_datetime
from batchwright.ui.core.next_step import NextStep, show_next_step
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.publishing.context import OpenStudy
from batchwright.ui.publishing.stage import PublishingStage
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.answers_source import AnswersSource
from batchwright.ui.study.collection_selection import CollectionSelection
from batchwright.ui.study.download_banners import DownloadBanner
from batchwright.ui.study.downloads import DownloadContext, notify_failed, running_download
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.dialogs.file_dialogs import FileChooser, FileDialogs
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.rows.values import ListRow, RowText
from batchwright.ui.widgets.splitters import Splitter
from batchwright.wire.collections import Collection

_SIZES = (296, 864)
_LIST_LEAST = 170


def build_collections(
    stage_context: StageContext,
    study: Study,
    session: ConnectionSession,
    open_study: OpenStudy,
    answers: AnswersSource,
    selection: CollectionSelection,
) -> QWidget:
    """Build the stage for one window."""
    state = CollectionsState(study, session, stage_context.tasks)
    stage = CollectionsStage(
        stage_context, state, open_study, FileDialogs(stage_context.window), answers=answers
    )
    selection.changed.connect(lambda: state.choose(selection.id))
    state.choose(selection.id)
    return stage


class CollectionsStage(PublishingStage):
    """The header; below it the list of collections and the one shown, or a page with the reason for none."""

    def __init__(
        self,
        stage_context: StageContext,
        state: CollectionsState,
        open_study: OpenStudy,
        files: FileChooser,
        open_in_browser: Callable[[str], object] | None = None,
        answers: AnswersSource | None = None,
    ) -> None:
        super().__init__(stage_context, state, "collections", _("Collections"), answers)
        self.state = state
        state.downloads.show_in(stage_context.shell)
        self.context = CollectionsContext(
            state,
            stage_context.window,
            open_study,
            open_in_browser or partial(open_url, stage_context.notices),
            stage_context.actions.run,
            self.show_answers,
            DownloadContext(state.downloads, stage_context.notices, files, SaveLocationMemory(state.study)),
        )
        self._answers = Button(_("See answers"), glyph="chart-bar", height=ButtonSize.STAGE)
        self.header.add_buttons(self._answers, self._simulate, self._participate)
        self._list, self._panel = CollectionList(), CollectionPanel()
        self._panels = Splitter(Qt.Orientation.Horizontal, self._list, self._panel, name="collections-panels")
        self._panels.setSizes([theme().px(size) for size in _SIZES])
        self._panels.setStretchFactor(1, 1)
        self._pages.addWidget(self._panels)
        self._pages.addWidget(self._unavailable)
        self._download_banner = DownloadBanner()
        layout = column(
            *(self.header, self._download_banner, self._offline, self.languages), gap=0, parent=self
        )
        layout.addWidget(self._pages, 1)
        self._connect()
        stage_context.actions.add(self.context, ACTIONS, state.changed)
        self.show_state()

    def regions(self) -> Sequence[QWidget]:
        """The regions that F6 cycles through."""
        return self.header, self._list, self._panel

    @override
    def show_state(self) -> None:
        """Update everything shown, if the stage is visible."""
        if not self.isVisible():
            return
        state, step = self.state, self.next_step()
        self.languages.show_state()
        show_next_step(self.header, step)
        context = self.context
        self._participate.setVisible(
            can_participate(context) and step.action is not ActionId.COLLECTIONS_PARTICIPATE
        )
        self._simulate.setVisible(can_participate(context))
        self._simulate.setEnabled(can_simulate(context))
        self._answers.setVisible(has_shown(context) and step.action is not ActionId.COLLECTIONS_ANSWERS)
        self._list.show_resources(state.resources, state.shown_id, state.own_id, is_loading=state.is_loading)
        self._panel.show_collection(state)
        self._download_banner.show_download(running_download(state.downloads))
        self.show_page(self._panels)

    @override
    def next_step(self) -> NextStep[ActionId]:
        return next_step(self.state)

    @override
    def sign_in_text(self) -> str:
        return _("Sign in to see the collections")

    def _connect(self) -> None:
        state = self.state
        state.downloads.finished.connect(lambda operation: notify_failed(self.context.downloads, operation))
        self._list.chosen.connect(state.choose)
        self._panel.stop_pressed.connect(self.stop_operation)
        self._panel.head.back.clicked.connect(state.choose_own)
        self._download_banner.stop_requested.connect(lambda: state.downloads.cancel("download"))
        self.run_actions(
            (self._participate.clicked, ActionId.COLLECTIONS_PARTICIPATE),
            (self._simulate.clicked, ActionId.COLLECTIONS_SIMULATE),
            (self._answers.clicked, ActionId.COLLECTIONS_ANSWERS),
            (self._panel.head.open.clicked, ActionId.COLLECTIONS_OPEN),
            (self._panel.head.copy.clicked, ActionId.COLLECTIONS_COPY),
            (self._panel.head.export.clicked, ActionId.COLLECTIONS_EXPORT),
            (self._panel.id.copy.clicked, ActionId.COLLECTIONS_COPY_ID),
            (self._panel.details.edit.clicked, ActionId.COLLECTIONS_DETAILS),
            (self._unavailable.refresh_pressed, ActionId.COLLECTIONS_REFRESH),
            (self._offline.retry_button.clicked, ActionId.COLLECTIONS_REFRESH),
        )

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width, px = event.size().width(), theme().px
        most = max(px(_LIST_LEAST), width // 3)
        if self._list.width() > most:
            self._panels.setSizes([most, width - most])


class CollectionOrder(Enum):
    """The order of the list."""

    NEWEST = N_("Newest first")
    MODIFIED = N_("Last modified first")
    NAME = N_("By name")


_KEYS: dict[CollectionOrder, Callable[[Collection], object]] = {
    CollectionOrder.NEWEST: lambda collection: _time(collection, is_modified=False),
    CollectionOrder.MODIFIED: lambda collection: _time(collection, is_modified=True),
    CollectionOrder.NAME: lambda collection: name_order(collection.name),
}


class CollectionList(ResourceList[Collection]):
    """The collections of the workspace, that of the study first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        texts = ListTexts(
            _("Collections"),
            _("Search collections"),
            _("Sort collections"),
            _("No collection has this name"),
            _count_text,
        )
        empty = EmptyState("cards", _("No collections yet"), _("Collections of the workspace appear here."))
        self._own_id = ""
        super().__init__(texts, _KEYS, self._row, empty, parent)

    @override
    def show_resources(
        self, resources: Sequence[Collection], chosen: str, own: str, *, is_loading: bool
    ) -> None:
        self._own_id = own
        super().show_resources(resources, chosen, own, is_loading=is_loading)

    def _row(self, collection: Collection) -> ListRow:
        return resource_row(collection.name, [RowText(self._details(collection), tone="text2")])

    def _details(self, collection: Collection) -> str:
        """Whether it belongs to the study, its number of pages, and when it was changed."""
        texts = [_("This study")] if collection.id == self._own_id else []
        count = collection.page_count
        if count is not None:
            texts.append(ngettext("{count} page", "{count} pages", count).format(count=number(count)))
        changed = collection.last_modified_at or collection.created_at
        if changed is not None:
            texts.append(short_datetime(changed))
        return "  ·  ".join(texts)


def _time(collection: Collection, *, is_modified: bool) -> float:
    """A sort key: the latest first."""
    moment = (collection.last_modified_at if is_modified else None) or collection.created_at
    return -moment.timestamp() if moment else 0.0


def _count_text(found: int, count: int) -> str:
    text = ngettext("{count} collection", "{count} collections", count).format(count=number(count))
    if found == count:
        return text
    return _("{found} of {collections}").format(found=number(found), collections=text)
