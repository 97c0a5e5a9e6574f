"""What Results shows the answers of: the batch or collection of the study, another one, or a file."""

from PySide6.QtCore import QObject

from batchwright.client.remote_study import RemoteStudy
from batchwright.local.analysis_settings import AnswersKey
from batchwright.local.projects import RemoteBinding, StudyKind
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.study.answers_source import AnswersFile, AnswersSource, OtherSource
from batchwright.ui.study.elsewhere import sent_elsewhere
from batchwright.ui.study.study_model import Study


class ShownSource(QObject):
    """Where the answers come from at the current connection.

    Args:
        study: the open study; its answers are shown unless something else was selected.
        selection: what was selected, in one of several stages.
    """

    def __init__(
        self, study: Study, session: ConnectionSession, selection: AnswersSource, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._study, self._session, self.selection = study, session, selection
        self._opening = study.opening
        study.saved_changed.connect(self._on_study_opened)
        signals = session.changed, study.changed, study.saved_changed, selection.changed
        self.subject = Subject(lambda: self.file or self._find_remote(), *signals, parent=self)
        """The file, or the batch or collection at its connection; None while there is neither."""
        self.remote_subject = Subject(self._find_remote, *signals, parent=self)
        """The batch or collection at its connection; None while a file is shown."""

    @property
    def file(self) -> AnswersFile | None:
        """The file that is shown instead of a batch or collection."""
        return self.selection.file

    @property
    def other(self) -> OtherSource | None:
        """The batch or collection shown if it is not that of the study."""
        other = self.selection.other
        return other if other is not None and other.connection == self._session.connection.name else None

    @property
    def own(self) -> RemoteStudy | None:
        """The batch or collection of the study at the current connection."""
        id = self._id_in(self._study.remote(self._session.connection.name))
        return RemoteStudy(self._study.project.kind, id) if id is not None else None

    @property
    def sent_elsewhere(self) -> str:
        """Says that the batch or collection of the study is not here; empty if it is, or if there is none."""
        return "" if self.of is not None else sent_elsewhere(self._study, self._id_in)

    @property
    def of(self) -> RemoteStudy | None:
        """The batch or collection whose answers are shown: another one of the workspace, or the study's.

        None while a file is shown.
        """
        if self.file is not None:
            return None
        return self.other.of if self.other is not None else self.own

    @property
    def is_for_collection(self) -> bool:
        """Whether answers of a collection are shown, or would be."""
        if self.of is not None:
            return self.of.is_collection
        return self._study.is_open and self._study.project.kind is StudyKind.COLLECTION

    @property
    def stage(self) -> str:
        """The id of the stage of the batch or collection."""
        return "collections" if self.is_for_collection else "run"

    @property
    def key(self) -> AnswersKey | None:
        """What the answers belong to, by which settings are stored; None while there are none."""
        if self.file is not None:
            return AnswersKey("", f"file:{self.file.path}")
        if self.of is None:
            return None
        kind = "collection" if self.of.is_collection else "batch"
        return AnswersKey(self._session.connection.name, f"{kind}:{self.of.id}")

    def show_own(self) -> None:
        """Show the answers of the study."""
        self.selection.show(None)

    def _id_in(self, remote: RemoteBinding) -> str | None:
        is_collection = self._study.project.kind is StudyKind.COLLECTION
        return remote.collection_id if is_collection else remote.batch_id

    def _find_remote(self) -> tuple[str, RemoteStudy] | None:
        return (self._session.connection.name, self.of) if self.of is not None else None

    def _on_study_opened(self) -> None:
        """Show the answers of a study that was just opened."""
        if self._study.opening != self._opening:
            self._opening = self._study.opening
            self.show_own()
