"""What Results shows the answers of: the batch or collection of the study, another one, or a file."""

from dataclasses import replace

from batchwright.base.i18n import program_language
from batchwright.client.remote_study import RemoteStudy
from batchwright.local.analysis_settings import AnswersKey
from batchwright.local.projects import DataFile, StudyKind
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.study.answers_source import AnswersFile, AnswersSource, OtherSource
from batchwright.ui.study.data_fingerprint import current_data
from batchwright.ui.study.elsewhere import sent_elsewhere
from batchwright.ui.study.study_model import Study
from batchwright.workflows.answers.joined_languages import JoinedLanguage, joined_languages


class ShownSource:
    """Where the answers come from at the current connection.

    Args:
        study: the open study; its answers are shown unless something else was selected.
        selection: what was selected, in one of several stages.
    """

    def __init__(self, study: Study, session: ConnectionSession, selection: AnswersSource) -> None:
        self.study, self.session, self.selection = study, session, selection

    @property
    def file(self) -> AnswersFile | None:
        """The file that is shown instead of a batch or collection."""
        return self.selection.file

    @property
    def other(self) -> OtherSource | None:
        """The batch or collection shown if it is not that of the study."""
        other = self.selection.other
        return other if other is not None and other.connection == self.session.connection.name else None

    @property
    def own(self) -> RemoteStudy | None:
        """The batch or collection of the study at the current connection; without one, that of a language."""
        kind = self.study.project.kind
        id = self.study.remote(self.session.connection.name).id_of(kind)
        if id is not None:
            return RemoteStudy(kind, id)
        return next((one.remote_study for one in self._languages), None)

    @property
    def joined(self) -> tuple[JoinedLanguage, ...]:
        """The batches of the study in several languages, whose answers are shown together; else empty."""
        languages = self._languages if self.other is None and self.file is None else ()
        return languages if len(languages) > 1 else ()

    @property
    def _languages(self) -> tuple[JoinedLanguage, ...]:
        project = self.study.project
        if not project.translations:
            return ()
        return joined_languages(
            project, self.session.connection.name, project.language or program_language().tag
        )

    def remote_study_of(self, language: str | None) -> RemoteStudy | None:
        """The batch or collection that answers in a language were given to; None while a file is shown."""
        found = (one.remote_study for one in self.joined if one.language == language)
        return next(found, self.remote_study)

    @property
    def remote_study(self) -> RemoteStudy | None:
        """The batch or collection whose answers are shown: another one of the workspace, or the study's.

        None while a file is shown.
        """
        if self.file is not None:
            return None
        return self.other.remote_study if self.other is not None else self.own

    @property
    def at_connection(self) -> tuple[str, RemoteStudy] | None:
        """The batch or collection at its connection; None while a file is shown."""
        remote_study = self.remote_study
        return None if remote_study is None else (self.session.connection.name, remote_study)

    @property
    def all_at_connection(self) -> tuple[str, tuple[RemoteStudy, ...]] | None:
        """All batches or collections whose answers are shown; None while a file is shown."""
        remote_study = self.remote_study
        others = (one.remote_study for one in self.joined[1:])
        return None if remote_study is None else (self.session.connection.name, (remote_study, *others))

    @property
    def data(self) -> DataFile | None:
        """The data file that the answered tasks were created from, as far as that is known.

        None if the data of the study was changed since; its SHA-256 is None if it is not known.
        """
        data, content = self.study.data, current_data(self.study)
        if self.other is not None or data is None:
            return None
        remote = self.study.remote(self.session.connection.name)
        if content is None or not remote.delivered:
            return replace(data, sha256=None)
        delivered = content.delivered(remote)
        return None if delivered is None else replace(data, sha256=delivered.sha256)

    @property
    def sent_elsewhere(self) -> str:
        """Says that the batch or collection of the study is not here; empty if it is, or if there is none."""
        if self.remote_study is not None:
            return ""
        return sent_elsewhere(self.study, lambda remote: remote.id_of(self.study.project.kind))

    @property
    def is_for_collection(self) -> bool:
        """Whether answers of a collection are shown, or would be."""
        if self.remote_study is not None:
            return self.remote_study.is_collection
        return self.study.is_open and self.study.project.kind is StudyKind.COLLECTION

    @property
    def stage(self) -> str:
        """The id of the stage of the batch or collection."""
        return "collections" if self.is_for_collection else "run"

    @property
    def key(self) -> AnswersKey | None:
        """What the answers belong to, by which settings are stored; None while there are none.

        The ids of answers in a file may be those of other answers once it was written again.
        """
        if self.file is not None:
            return AnswersKey("", f"file:{self.file.digest}")
        if self.remote_study is None:
            return None
        kind = "collection" if self.remote_study.is_collection else "batch"
        return AnswersKey(self.session.connection.name, f"{kind}:{self.remote_study.id}")

    def show_own(self) -> None:
        """Show the answers of the study."""
        self.selection.show(None)
