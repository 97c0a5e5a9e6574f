"""The state of the Collections stage: the collections of the workspace, and that of the study. No widgets."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import _
from batchwright.client.collection_content import (
    DesiredCollection,
    compare,
    desired_collection,
    item_count,
    pages_of,
)
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import none_if_missing
from batchwright.client.published_content import ContentComparison, is_untitled, study_name, task_details
from batchwright.layout.collection_pages import layout_from_collection
from batchwright.layout.ids import collect_ids
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Layout
from batchwright.layout.serialization import sequential_keys
from batchwright.local.projects import RemoteBinding, StudyKind
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import Operation, OperationRunner
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.study.content_comparer import MAX_ITEMS_AT_ONCE, ContentComparer
from batchwright.ui.study.elsewhere import sent_elsewhere
from batchwright.ui.study.problem_counts import ProblemCounts, count_problems
from batchwright.ui.study.study_model import Study
from batchwright.wire.batches import TaskDetails
from batchwright.wire.collections import Collection
from batchwright.workflows.publish_collection import CollectionWithAnswerCount, fetch_with_answer_count


@dataclass(frozen=True)
class RemoteCollections:
    """The collections as of the last fetch."""

    collections: Mapping[str, Collection] = field(default_factory=dict)
    """By id, in the order of the service's list: newest first. Their pages may be missing."""
    lost_id: str = ""
    """The id of the study's collection, if the service has it no more."""


@dataclass(frozen=True)
class CollectionChange(Operation):
    """An operation that changes collections or their answers; they are fetched again when it ends."""


class CollectionsState(QObject):
    """Combines the study, the fetched collections and the operations; `changed` is emitted for every change.

    The complete collection shown, with its pages and the number of its answers, is fetched by itself, since a
    list may lack both.
    """

    changed = Signal()
    notified = Signal(str, str)
    """An operation has succeeded: title and text of the notification."""
    existing_collection_found = Signal(str)
    """A collection was found that had been created from an earlier version of the study: its name."""

    def __init__(
        self, study: Study, session: ConnectionSession, tasks: Tasks, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.study, self.session = study, session
        self.subject = Subject(
            lambda: (study.opening if study.is_open else 0, session.connection.name),
            study.saved_changed,
            study.changed,
            session.changed,
            parent=self,
        )
        self.remote_collections: RemoteState[RemoteCollections] = RemoteState(
            "the collections", self.subject, self._fetch, session, tasks, self
        )
        self.operations = OperationRunner(self.subject, session, tasks, self)
        self.downloads = OperationRunner(Subject(lambda: "window", parent=self), session, tasks, self)
        """Exports: they belong to the window, regardless of the open study."""
        self._tasks = tasks
        self._read: tuple[Collection, Layout] | None = None
        """The collection whose pages were read last, and the pages."""
        self._chosen = ""
        self.shown_subject = Subject(
            lambda: (session.connection.name, self.shown_id) if self.shown_id else None,
            self.changed,
            parent=self,
        )
        self.shown: RemoteState[CollectionWithAnswerCount] = RemoteState(
            "the collection", self.shown_subject, self._fetch_shown, session, tasks, self
        )
        """The complete collection that is shown."""
        self._comparer = ContentComparer("compare the collection", compare, item_count, tasks, self)
        self.subject.changed.connect(self._on_subject_changed)
        self.remote_collections.changed.connect(self.changed)
        self.shown.changed.connect(self.changed)
        self.operations.changed.connect(self.changed)
        self._comparer.changed.connect(self.changed)
        self.operations.finished.connect(self._on_operation_finished)
        self.downloads.changed.connect(self.changed)
        study.changed.connect(self.changed)
        study.saved_changed.connect(self.changed)
        session.changed.connect(self.changed)

    @property
    def remote(self) -> RemoteBinding:
        """The ids that the study has at the current connection."""
        return self.study.remote(self.session.connection.name)

    @property
    def is_for_study(self) -> bool:
        """Whether the open study is a collection."""
        return self.study.is_open and self.study.project.kind is StudyKind.COLLECTION

    @property
    def collections(self) -> tuple[Collection, ...]:
        """The collections of the workspace, newest first."""
        return tuple(self._fetched.collections.values())

    @property
    def own_id(self) -> str:
        """The id of the study's collection; empty if it has none, or if that does not exist any more."""
        id = (self.remote.collection_id or "") if self.is_for_study else ""
        return "" if id == self._fetched.lost_id else id

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
    def own(self) -> Collection | None:
        """The collection of the study, with its pages if they were fetched."""
        return self._complete(self.own_id)

    @property
    def is_unfetched(self) -> bool:
        """Whether the study has a collection that was not fetched yet."""
        return bool(self.own_id) and self.own is None

    @property
    def is_lost(self) -> bool:
        """Whether the study's collection does not exist any more."""
        return bool(self._fetched.lost_id) and self._fetched.lost_id == self.remote.collection_id

    @property
    def sent_elsewhere(self) -> str:
        """Says that the study has a collection, which is not here; empty if it has one here, or none."""
        if self.is_lost:
            at_connection = at_connection_phrase(self.session.connection.title)
            return _("The collection of this study is not {here}.").format(here=at_connection)
        if self.remote.collection_id is not None:
            return ""
        return sent_elsewhere(self.study, lambda remote: remote.collection_id)

    @property
    def shows_draft(self) -> bool:
        """Whether the study is shown, which has no collection yet."""
        return self.is_for_study and not self.own_id and not self._chosen

    @property
    def shown_id(self) -> str:
        """The id of the collection shown: the one selected, that of the study, or the newest one."""
        newest = next(iter(self._fetched.collections), "")
        return self._chosen or self.own_id or ("" if self.is_for_study else newest)

    @property
    def shows_own(self) -> bool:
        """Whether the study or its collection is shown."""
        return self.shows_draft or (bool(self.own_id) and self.shown_id == self.own_id)

    @property
    def chosen(self) -> Collection | None:
        """The collection shown; None for the study while it has none, or if there are no collections."""
        return self._complete(self.shown_id)

    @property
    def answers(self) -> int | None:
        """Number of answers of the collection shown; None if it is unknown."""
        shown = self.shown.value
        return shown.answers if shown is not None and shown.collection.id == self.shown_id else None

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
                self._tasks.start("read the pages of the collection", self._read_pages)
                return None
            self._read = chosen, _layout_of(chosen)
        return self._read[1]

    async def _read_pages(self) -> None:
        """Read the pages of the collection that is shown by then in a thread."""
        while (chosen := self.chosen) is not None and (self._read is None or self._read[0] is not chosen):
            self._read = chosen, await asyncio.to_thread(_layout_of, chosen)
        self.changed.emit()

    @property
    def is_loading(self) -> bool:
        """Whether the first fetch of the collections is running or about to start."""
        remote = self.remote_collections
        is_new = remote.fetched_at is None and remote.error is None
        return not self.collections and (remote.is_loading or is_new)

    @property
    def operation(self) -> Operation | None:
        """The operation that is running for the study at this connection."""
        return self.operations.current

    @property
    def is_downloading(self) -> bool:
        """Whether an export is being downloaded."""
        return self.downloads.current is not None

    @property
    def problem_counts(self) -> ProblemCounts:
        """The problems of the pages because of which a service would reject them."""
        return count_problems(self.study.problems)

    @property
    def is_untitled(self) -> bool:
        """Whether the study has no title yet that participants could read."""
        return is_untitled(self.study.project)

    @property
    def name(self) -> str:
        """The name of the study's collection."""
        return study_name(self.study.project)

    @property
    def details(self) -> TaskDetails:
        """The task details of the study; a task without a name gets the name of the study."""
        return task_details(self.study.project)

    @property
    def desired_collection(self) -> DesiredCollection:
        """The content that the study's collection should have."""
        return desired_collection(self.study.project, self.remote.ids)

    @property
    def comparison(self) -> ContentComparison | None:
        """How the collection and the study differ; None while that is being determined."""
        own = self.own
        if own is None or own.collection_items is None:
            return ContentComparison.STUDY_CHANGED
        return self._comparer.comparison(own, self.desired_collection, self.remote.last_sent)

    def choose(self, id: str) -> None:
        """Show another collection."""
        if id != self.shown_id:
            self._chosen = id
            self.changed.emit()

    def choose_own(self) -> None:
        """Show the study, or its collection."""
        self._chosen = ""
        self.changed.emit()

    def store_collection(self, collection: Collection, answers: int | None) -> None:
        """Set a collection to its current state without fetching it; a new one comes first."""
        collections = {collection.id: collection, **self._fetched.collections, collection.id: collection}
        self.remote_collections.store(replace(self._fetched, collections=collections))
        if collection.id == self.shown_id:
            self.shown.store(CollectionWithAnswerCount(collection, answers))

    @property
    def _fetched(self) -> RemoteCollections:
        return self.remote_collections.value or RemoteCollections()

    def _complete(self, id: str) -> Collection | None:
        """A collection as last fetched, with its pages if they are known."""
        shown = self.shown.value
        if shown is not None and shown.collection.id == id:
            return shown.collection
        return self._fetched.collections.get(id)

    async def _fetch(self, context: WorkflowContext) -> RemoteCollections:
        """Fetch the list; that of the study is added if it lacks it because of another workspace."""
        listed = (await context.service.collections.list(context.workspace_id)).results
        collections = {collection.id: collection for collection in listed}
        own_id = (self.remote.collection_id or "") if self.is_for_study else ""
        if own_id and own_id not in collections:
            own = await none_if_missing(context.service.collections.get(own_id))
            if own is None:
                return RemoteCollections(collections, own_id)
            collections = {own_id: own, **collections}
        return RemoteCollections(collections)

    async def _fetch_shown(self, context: WorkflowContext) -> CollectionWithAnswerCount:
        return await fetch_with_answer_count(context, self.shown_id)

    def _on_operation_finished(self, operation: Operation) -> None:
        if isinstance(operation, CollectionChange) and self.operations.get(operation.key) is operation:
            self.remote_collections.invalidate()
            self.shown.invalidate()

    def _on_subject_changed(self) -> None:
        self._chosen = ""


def _layout_of(collection: Collection) -> Layout:
    """The pages of a collection; their items are counted, which the panel shows."""
    layout = layout_from_collection(pages_of(collection), sequential_keys())
    layout.count(Item)
    return layout
