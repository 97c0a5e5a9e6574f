"""The state of a stage that shows batches or collections: those of the workspace, and that of the study."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.client.published_content import ContentComparison, is_untitled, task_details
from batchwright.client.resource_content import compare, item_count
from batchwright.local.projects import Project, RemoteBinding, study_name
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import Operation, OperationRunner
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.publishing.publishable import D, Publishable, R
from batchwright.ui.study.chosen_language import ChosenLanguage
from batchwright.ui.study.content_comparer import ContentComparer
from batchwright.ui.study.elsewhere import sent_elsewhere
from batchwright.ui.study.problem_counts import ProblemCounts, count_problems
from batchwright.ui.study.study_model import Study
from batchwright.wire.batches import TaskDetails


@dataclass(frozen=True)
class RemoteResources(Generic[R]):
    """The resources of the workspace as of the last fetch."""

    resources: Mapping[str, R] = field(default_factory=dict)
    """By id, in the order of the service's list: newest first. A list may lack parts of them."""
    lost_id: str = ""
    """The id of the study's resource, if the service has it no more."""


L = TypeVar("L", bound=RemoteResources[Any])


@dataclass(frozen=True)
class ResourceChange(Operation):
    """An operation that changes a resource; all are fetched again when it ends, even if it failed."""

    resource_id: str = field(default="", kw_only=True)
    """The resource that it changes; empty while it is being created."""


class PublishingState(QObject, Generic[R, D, L]):
    """Combines the study, the fetched resources and the operations; `changed` is emitted for every change.

    A study of the kind of the stage has a resource of its own, created from here.

    Args:
        publishable: the kind of resource.
        name: the name of the task that fetches the resources.
        find_subject: returns what the operations belong to.
        nothing: what is known before the first fetch.
    """

    changed = Signal()
    notified = Signal(str, str)
    """An operation has succeeded: title and text of the notice."""
    existing_found = Signal(str)
    """A resource was found that had been created from an earlier version of the study: its name."""

    def __init__(
        self,
        publishable: Publishable[R, D],
        name: str,
        study: Study,
        session: ConnectionSession,
        tasks: Tasks,
        find_subject: Callable[[], Hashable],
        nothing: L,
        parent: QObject | None,
    ) -> None:
        super().__init__(parent)
        self.publishable: Publishable[R, D] = publishable
        self.study, self.session, self.tasks, self._nothing = study, session, tasks, nothing
        self._chosen, self._language = "", ChosenLanguage(study)
        self._newest = ""
        """The id of the resource that was the newest when the user requested a fetch, or at the first one;
        without a study, it stays shown.
        """
        self.subject = Subject(find_subject, study.saved_changed, study.changed, session.changed, parent=self)
        self.remote_list: RemoteState[L] = RemoteState(name, self.subject, self._fetch, session, tasks, self)
        self.operations = OperationRunner(self.subject, session, tasks, self)
        self._comparer: ContentComparer[R, D] = ContentComparer(
            f"compare with {name}", compare, item_count, tasks, self
        )
        self.subject.changed.connect(self._on_subject_changed)
        self.remote_list.fetched.connect(self._on_list_fetched)
        self.operations.changed.connect(self.changed)
        self._comparer.changed.connect(self.changed)
        self.operations.finished.connect(self._on_operation_finished)

    @property
    def has_own(self) -> bool:
        """Whether a study of this kind is open."""
        return self.study.is_open and self.study.project.kind is self.publishable.kind

    @property
    def language(self) -> str:
        """The language whose batch or collection is meant; empty for that of the study itself."""
        return self._language.tag

    def choose_language(self, language: str) -> None:
        """Show the batch or collection in a language of the study."""
        if language != self.language:
            self._language.tag, self._chosen = language, ""
            self.study.show_server_problems(())
            self.changed.emit()
            self.refresh()

    @property
    def project(self) -> Project:
        """The study in the chosen language."""
        return self._language.project

    @property
    def remote(self) -> RemoteBinding:
        """The study's ids in the chosen language at the current connection; empty without such a study."""
        return self.binding(self.language) if self.has_own else RemoteBinding()

    def binding(self, language: str) -> RemoteBinding:
        """The study's ids in a language at the current connection."""
        return self.study.remote(self.session.connection.name).in_language(language)

    def bind(self, connection: str, language: str, binding: RemoteBinding) -> None:
        """Set the study's ids in a language at a connection."""
        remote = self.study.remote(connection)
        self.study.set_remote(connection, remote.with_language(language, binding))

    @property
    def live(self) -> str:
        """The title of the current connection if it is to a live service; empty in a rehearsal."""
        return self.session.connection.title if self.session.is_live else ""

    @property
    def fetched(self) -> L:
        """The resources as last fetched; empty before the first fetch."""
        return self.remote_list.value or self._nothing

    @property
    def resources(self) -> tuple[R, ...]:
        """The resources of the workspace, newest first."""
        return tuple(self.fetched.resources.values())

    @property
    def _bound_id(self) -> str | None:
        """The id that the study has for its resource at the current connection."""
        return self.remote.id_of(self.publishable.kind)

    @property
    def own_id(self) -> str:
        """The id of the study's resource; empty if it has none, or if that does not exist any more."""
        id = self._bound_id or ""
        return "" if id == self.fetched.lost_id else id

    @property
    def own(self) -> R | None:
        """The resource of the study, as last fetched."""
        return self._find(self.own_id)

    @property
    def is_lost(self) -> bool:
        """Whether the study's resource does not exist any more."""
        lost_id = self.fetched.lost_id
        return bool(lost_id) and lost_id == self._bound_id

    @property
    def is_unfetched(self) -> bool:
        """Whether the study has a resource that was not fetched yet."""
        return bool(self.own_id) and self.own is None

    @property
    def elsewhere(self) -> str:
        """Says that the study has a resource, which is not here; empty if it has one here, or none at all."""
        if self.is_lost:
            at_connection = at_connection_phrase(self.session.connection.title)
            return _(self.publishable.texts.not_here).format(here=at_connection)
        if self._bound_id is not None or not self.has_own:
            return ""
        kind, language = self.publishable.kind, self.language
        return sent_elsewhere(self.study, lambda remote: remote.in_language(language).id_of(kind))

    @property
    def shown_id(self) -> str:
        """The id of the resource shown; empty for that of the study while it was not created."""
        if self._chosen or self.has_own:
            return self._chosen or self.own_id
        resources = self.fetched.resources
        return self._newest if self._newest in resources else next(iter(resources), "")

    @property
    def chosen(self) -> R | None:
        """The resource shown; None for that of the study while it was not created, or if there are none."""
        return self._find(self.shown_id)

    @property
    def shows_own(self) -> bool:
        """Whether the study or its resource is shown."""
        return self.has_own and self.shown_id == self.own_id

    @property
    def is_loading(self) -> bool:
        """Whether the first fetch of the resources is running or about to start."""
        remote = self.remote_list
        is_new = remote.fetched_at is None and remote.error is None
        return not self.fetched.resources and (remote.is_loading or is_new)

    @property
    def operation(self) -> Operation | None:
        """The operation that is running for the study at this connection."""
        return self.operations.current

    @property
    def problem_counts(self) -> ProblemCounts:
        """The problems of the layout because of which a service would reject it."""
        return count_problems(self.study.problems)

    @property
    def task_details(self) -> TaskDetails:
        """The task details of the study; a task without a name gets the name of the study."""
        return task_details(self.project)

    @property
    def is_untitled(self) -> bool:
        """Whether the study has no title yet that participants could read."""
        return is_untitled(self.study.project)

    @property
    def name(self) -> str:
        """The name of the study's resource."""
        return study_name(self.project)

    @property
    def desired(self) -> D | None:
        """The content that the study's resource should have; None without a study of this kind."""
        raise NotImplementedError

    @property
    def comparison(self) -> ContentComparison | None:
        """How the study and its resource differ; None while that is being determined."""
        own, desired = self.own, self.desired
        if own is None or desired is None:
            return ContentComparison.STUDY_CHANGED
        return self._comparer.comparison(own, desired, self.remote.last_sent)

    def refresh(self, *, may_prompt: bool = False) -> None:
        """Fetch what the stage shows; with `may_prompt`, at the user's request."""
        if may_prompt:
            self._newest = ""
        self.remote_list.refresh(may_prompt=may_prompt)

    def set_active(self, *, is_active: bool) -> None:
        """Set whether what the stage shows is fetched when it may have changed."""
        self.remote_list.is_active = is_active

    def choose(self, id: str) -> None:
        """Show another resource."""
        if id != self.shown_id:
            self._chosen = "" if self.has_own and id == self.own_id else id
            self.changed.emit()

    def choose_own(self) -> None:
        """Show the study, or its resource."""
        self.choose(self.own_id)

    def store(self, resource: R, answers: int | None = None) -> None:
        """Set a resource to its current state without fetching it; a new one comes first.

        Args:
            resource: the resource.
            answers: the number of its answers, for a stage that shows it; None if it is unknown.
        """
        resources = {resource.id: resource, **self.fetched.resources, resource.id: resource}
        self.remote_list.store(replace(self.fetched, resources=resources))

    def _find(self, id: str) -> R | None:
        """A resource as last fetched."""
        found: R | None = self.fetched.resources.get(id)
        return found

    async def _fetch(self, context: WorkflowContext) -> L:
        """Fetch the resources."""
        raise NotImplementedError

    def _on_subject_changed(self) -> None:
        self._chosen = self._newest = self._language.tag = ""

    def _on_list_fetched(self) -> None:
        if self._newest not in self.fetched.resources:
            self._newest = next(iter(self.fetched.resources), "")

    def _on_operation_finished(self, operation: Operation) -> None:
        if isinstance(operation, ResourceChange) and self.operations.get(operation.key) is operation:
            self.remote_list.invalidate()
