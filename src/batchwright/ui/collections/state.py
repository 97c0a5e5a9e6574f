"""The state of the Collections stage: the collections of the workspace, and that of the study. No widgets."""

import asyncio

from PySide6.QtCore import QObject
from typing_extensions import override

from batchwright.client.collection_content import DesiredCollection, desired_collection
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import none_if_missing
from batchwright.client.published_content import ContentComparison
from batchwright.client.resource_content import item_count, layout_of
from batchwright.layout.ids import collect_ids
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Layout
from batchwright.ui.collections.publishable import COLLECTION
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import Operation, OperationRunner
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.publishing.state import PublishingState, RemoteResources, ResourceChange
from batchwright.ui.study.content_comparer import MAX_ITEMS_AT_ONCE
from batchwright.ui.study.study_model import Study
from batchwright.wire.collections import Collection
from batchwright.workflows.publishing.published import WithAnswerCount


class CollectionsState(PublishingState[Collection, DesiredCollection, RemoteResources[Collection]]):
    """The collections of the workspace.

    The complete collection shown, with its pages and the number of its answers, is fetched by itself, since a
    list may lack both.
    """

    def __init__(
        self, study: Study, session: ConnectionSession, tasks: Tasks, parent: QObject | None = None
    ) -> None:
        super().__init__(
            COLLECTION,
            "the collections",
            study,
            session,
            tasks,
            lambda: (study.opening if study.is_open else 0, session.connection.name),
            RemoteResources(),
            parent,
        )
        self.downloads = OperationRunner(Subject(lambda: "window", parent=self), session, tasks, self)
        """Exports: they belong to the window, regardless of the open study."""
        self._read: tuple[Collection, Layout] | None = None
        """The collection whose pages were read last, and the pages."""
        self.shown_subject = Subject(
            lambda: (session.connection.name, self.shown_id) if self.shown_id else None,
            self.changed,
            parent=self,
        )
        self.shown: RemoteState[WithAnswerCount[Collection]] = RemoteState(
            "the collection", self.shown_subject, self._fetch_shown, session, tasks, self
        )
        """The complete collection that is shown."""
        self.remote_list.changed.connect(self.changed)
        self.shown.changed.connect(self.changed)
        self.downloads.changed.connect(self.changed)
        study.changed.connect(self.changed)
        study.saved_changed.connect(self.changed)
        session.changed.connect(self.changed)

    @property
    def ids_in_file(self) -> frozenset[str]:
        """The ids that the file of the study contains: of the collection, its pages and items."""
        file = self.study.file
        id = file.around.get("id") if file is not None and file.around is not None else None
        return frozenset((*((id,) if isinstance(id, str) else ()), *collect_ids(self.study.layout)))

    @property
    def may_exist(self) -> bool:
        """Whether the study may have a collection that is not known here: its file cannot say so."""
        file = self.study.file
        return (file is not None and file.has_bindings_elsewhere) or bool(self.ids_in_file)

    @property
    def shows_draft(self) -> bool:
        """Whether the study is shown, which has no collection yet."""
        return self.has_own and not self.own_id and not self._chosen

    @property
    def answers(self) -> int | None:
        """Number of answers of the collection shown; None if it is unknown."""
        shown = self.shown.value
        return shown.answers if shown is not None and shown.resource.id == self.shown_id else None

    @property
    def shown_layout(self) -> Layout | None:
        """The pages of what is shown; None while they are unknown, or while a thread reads many of them."""
        if self.shows_draft:
            return self.study.layout
        chosen = self.chosen
        if chosen is None or chosen.collection_items is None:
            return None
        if self._read is None or self._read[0] is not chosen:
            if item_count(chosen) > MAX_ITEMS_AT_ONCE:
                self.tasks.start("read the pages of the collection", self._read_pages)
                return None
            self._read = chosen, _layout_of(chosen)
        return self._read[1]

    async def _read_pages(self) -> None:
        """Read the pages of the collection that is shown by then in a thread."""
        while (chosen := self.chosen) is not None and (self._read is None or self._read[0] is not chosen):
            self._read = chosen, await asyncio.to_thread(_layout_of, chosen)
        self.changed.emit()

    @property
    def is_downloading(self) -> bool:
        """Whether an export is being downloaded."""
        return self.downloads.current is not None

    @property
    @override
    def desired(self) -> DesiredCollection | None:
        return desired_collection(self.project, self.remote.ids) if self.has_own else None

    @property
    @override
    def comparison(self) -> ContentComparison | None:
        is_complete = self.own is not None and self.own.collection_items is not None
        return super().comparison if is_complete else ContentComparison.STUDY_CHANGED

    @override
    def refresh(self, *, may_prompt: bool = False) -> None:
        super().refresh(may_prompt=may_prompt)
        self.shown.refresh()

    @override
    def set_active(self, *, is_active: bool) -> None:
        super().set_active(is_active=is_active)
        self.shown.is_active = is_active

    @override
    def store(self, resource: Collection, answers: int | None = None) -> None:
        super().store(resource, answers)
        if resource.id == self.shown_id:
            known = self.answers if answers is None else answers
            self.shown.store(WithAnswerCount(resource, known))

    @override
    def _find(self, id: str) -> Collection | None:
        """A collection as last fetched, with its pages if they are known."""
        shown = None if self.shown.is_missing else self.shown.value
        return shown.resource if shown is not None and shown.resource.id == id else super()._find(id)

    @override
    async def _fetch(self, context: WorkflowContext) -> RemoteResources[Collection]:
        """Fetch the list, and that of the study if the list lacks it, because of another workspace, or its
        pages.
        """
        listed = (await context.service.collections.list(context.workspace_id)).results
        collections = {collection.id: collection for collection in listed}
        own_id = (self.remote.collection_id or "") if self.has_own else ""
        if own_id and (own_id not in collections or collections[own_id].collection_items is None):
            own = await none_if_missing(context.service.collections.get(own_id))
            if own is None:
                return RemoteResources(collections, own_id)
            collections = {own_id: own} | collections | {own_id: own}
        return RemoteResources(collections)

    async def _fetch_shown(self, context: WorkflowContext) -> WithAnswerCount[Collection]:
        return await self.publishable.fetch(context, self.shown_id)

    @override
    def _on_operation_finished(self, operation: Operation) -> None:
        super()._on_operation_finished(operation)
        if isinstance(operation, ResourceChange):
            self.shown.invalidate()


def _layout_of(collection: Collection) -> Layout:
    """The pages of a collection; their items are counted, which the panel shows."""
    layout = layout_of(collection)
    layout.count(Item)
    return layout
