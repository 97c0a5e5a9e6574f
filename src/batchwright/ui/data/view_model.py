"""What the Data stage shows: the file, its schema, the check, the upload. It knows no widgets."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchwright.local.projects import DataFile, Remote
from batchwright.records.schema import Field, FieldType, Schema
from batchwright.tables.checking import Rejection
from batchwright.tables.formats import Format
from batchwright.ui.data.appending import Rows, appended_rejections
from batchwright.ui.data.checks import Checks
from batchwright.ui.data.dataset_work import DatasetWork
from batchwright.ui.data.deeds import Pace
from batchwright.ui.data.delivered import Delivered
from batchwright.ui.data.dropping import Refusal, uploading, working
from batchwright.ui.data.fields import with_chosen, with_label, with_type
from batchwright.ui.data.imported import NOWHERE, imported_rejections
from batchwright.ui.data.opened import OpenedFile, Stand
from batchwright.ui.data.parts import Part, parts_of
from batchwright.ui.data.taking import Found, attach
from batchwright.ui.data.uploads import Load, Uploads
from batchwright.ui.session import Session
from batchwright.ui.study import Study
from batchwright.ui.tasks import Message, Tasks


class DataViewModel(QObject):
    """Ties the study to its file: whatever of both changes is looked through and checked again by itself."""

    changed = Signal()
    """Anything that the header tells."""
    schema_changed = Signal()
    """The schema, or what is known of the columns."""
    rejections_changed = Signal()
    row_wanted = Signal(int, str)
    """A record is to be shown, and the field in it."""

    def __init__(
        self,
        study: Study,
        session: Session,
        tasks: Tasks,
        describe: Callable[[BaseException], Message],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.study, self.session = study, session
        self.file = OpenedFile(tasks, describe, self)
        self.checks = Checks(tasks, describe, self)
        self.uploads = Uploads(session, tasks, describe, self)
        self.dataset = DatasetWork(study, session, tasks, describe, self)
        self._delivered = Delivered(study)
        self._is_choosing = False
        self.imported: tuple[Rejection, ...] = ()
        """What the service rejected of the latest upload or append, at the rows of the file."""
        self._chosen_early: set[str] = set()
        """Columns whose type was chosen before the file was looked through; others get what is proposed."""
        self._connect()
        self._take_data()

    def open_file(self, path: Path) -> None:
        """Take another data file; a schema that its columns do not fit is proposed anew."""
        self._forget_deeds()
        self._choose(path)

    def read_as(self, form: Format) -> None:
        """Read the file another way."""
        if self.file.path is not None and form != self.file.form:
            self._choose(self.file.path, form)

    def look_again(self) -> None:
        """See whether the file has changed on the disk; not while something is done with it."""
        if self.busy is None:
            self.file.look_again()

    def propose(self) -> None:
        """Take the schema proposed for the file."""
        if self.file.looked is not None:
            self.study.set_schema(self.file.looked.proposal.schema)

    def set_type(self, name: str, type: FieldType | None) -> None:
        """Give a column a type, or leave it out; there is one task group at most."""
        if self.file.looked is None and self._waits_for_proposal():
            self._chosen_early.add(name)
        self.study.set_schema(with_type(self.study.schema, self._columns, self._proposed(name), name, type))

    def set_label(self, name: str, label: str) -> None:
        """Call a field something else where participants read it; empty for its name."""
        if self.study.schema is not None:
            self.study.set_schema(with_label(self.study.schema, name, label))

    def set_schema(self, schema: Schema) -> None:
        """Take a schema from elsewhere."""
        self.study.set_schema(schema)

    def take_schema(self) -> None:
        """Take over the schema of the study's dataset."""
        if self.dataset.held.schema is not None:
            self.set_schema(self.dataset.held.schema)

    def set_strict(self, *, is_strict: bool) -> None:
        """Whether every record must have every field."""
        if self.study.schema is not None:
            self.study.set_schema(replace(self.study.schema, strict=is_strict))

    def check(self) -> None:
        """Check every record again, of the file as it is now."""
        self.look_again()
        shown, schema = self.file.shown, self.study.schema
        if shown is not None and schema is not None and schema.fields:
            self.checks.start(shown.path, shown.form, schema)
        else:
            self.checks.forget()

    def upload(self) -> None:
        """Make a dataset of the good records."""
        load = self.load()
        if load is not None and self.busy is None:
            self._delivered.begin(self.session.connection.name)
            self.uploads.start(load)

    def load(self) -> Load | None:
        """What would be uploaded; None while nothing can be."""
        shown, schema, report = self.file.shown, self.study.schema, self.checks.report
        if shown is None or schema is None or report is None or not report.accepted:
            return None
        name = self.study.project.name or shown.path.stem
        whole = not report.rejected and shown.form.served
        remote = self.study.remote(self.session.connection.name)
        begun = None if remote.import_id else remote.dataset_id
        return Load(name, shown.path, shown.stamp, shown.form, schema, report.accepted, whole, begun)

    def append(self) -> None:
        """Append every record of the file to the study's dataset."""
        rows = self.rows()
        if rows is not None and self.busy is None:
            self.uploads.forget()
            self.dataset.append(rows)

    def take(self, found: Found, *, takes_schema: bool) -> None:
        """Let a dataset that is there be the study's; what was uploaded before stays where it is."""
        if self.busy is None:
            self._forget_deeds()
            here = self.session.connection.name
            attach(self.study, here, found, takes_schema=takes_schema)
            self._hold(here)
            self.dataset.held.keep(found.dataset)

    def send_v3(self, path: Path) -> None:
        """Make a V3 dataset of a file."""
        if self.busy is None:
            self.uploads.forget()
            self.dataset.send_v3(self.study.project.name or path.stem, path)

    def change_schema(self) -> None:
        """Give the study's dataset the schema in view."""
        if self.busy is None:
            self.uploads.forget()
            self.dataset.change_schema()

    def rows(self) -> Rows | None:
        """What would be appended; None while nothing can be."""
        shown = self.file.shown
        if shown is None or not shown.is_counted or not shown.records:
            return None
        return Rows(shown.path, shown.stamp, shown.form, shown.records)

    @property
    def busy(self) -> Refusal | None:
        """Why another file cannot be taken now, nor anything else be done with the dataset."""
        if self.uploads.is_running:
            return uploading()
        return working() if self.dataset.deeds.is_running else None

    @property
    def is_looking(self) -> bool:
        """Whether the file is still being read, counted or checked."""
        shown = self.file.shown
        if self.file.stand is Stand.READING:
            return True
        return shown is not None and (not shown.is_counted or self.checks.is_running)

    @property
    def is_uploaded(self) -> bool:
        """Whether the dataset at the active connection is the one for just this data."""
        return self._delivered.holds(self.session.connection.name)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The columns in the order of the file, then the fields that it lacks."""
        return parts_of(self._columns, self.study.schema, self.file.looked)

    @property
    def rejections(self) -> tuple[Rejection, ...]:
        """What the check found, or what the service rejected, at the rows of the file."""
        if self.imported:
            return self.imported
        return self.checks.report.errors if self.checks.report else ()

    @property
    def bad_rows(self) -> Mapping[int, Rejection]:
        """The rejections by the index of their record."""
        return {one.record_index: one for one in self.imported} if self.imported else self.checks.bad

    def show_rejection(self, rejection: Rejection) -> None:
        """Go to the row of a rejection."""
        if rejection.record_index != NOWHERE:
            self.row_wanted.emit(rejection.record_index, rejection.field)

    def _connect(self) -> None:
        self.study.data_changed.connect(self._take_data)
        self.study.schema_changed.connect(self._take_schema)
        self.study.remote_changed.connect(self.changed)
        self.session.changed.connect(self.changed)
        self.file.changed.connect(self._take_file)
        self.file.looked_changed.connect(self._take_look)
        self.file.count_changed.connect(self.changed)
        self.file.read_again.connect(self._delivered.forget)
        self.checks.changed.connect(self._tell_check)
        self.uploads.changed.connect(self._tell_upload)
        self.uploads.made.connect(self._keep_remote)
        self.uploads.ended.connect(self.look_again)
        self.dataset.changed.connect(self.changed)
        self.dataset.made.connect(self._keep_v3)
        self.dataset.deeds.changed.connect(self._tell_deed)
        self.dataset.deeds.ended.connect(self.look_again)

    def _choose(self, path: Path, form: Format | None = None) -> None:
        self._is_choosing = True
        self._chosen_early.clear()
        self.file.read(path, form)

    def _waits_for_proposal(self) -> bool:
        """Whether the fields will be those that the columns of the file speak for."""
        schema = self.study.schema
        fits = schema is not None and set(schema.fields) <= set(self._columns)
        return schema is None or bool(self._chosen_early) or (self._is_choosing and not fits)

    def _take_data(self) -> None:
        """The study has another file: of another project, or the one that was just opened here."""
        data = self.study.data
        if data is None:
            self._forget_deeds()
            self.file.close()
        elif data.path != self.file.path:
            self._forget_deeds()
            self._delivered.forget()
            self._delivered.recall()
            self.file.read(data.path, data.form)

    def _take_file(self) -> None:
        shown, self.imported = self.file.shown, ()
        if shown is None:
            self.checks.forget()
        if self.file.stand is Stand.SHOWN and shown is not None:
            self.study.set_data(DataFile(shown.path, shown.size, shown.form))
        self.schema_changed.emit()
        self.changed.emit()

    def _take_look(self) -> None:
        looked = self.file.looked
        if looked is None or self.file.shown is None:
            return
        if self._waits_for_proposal():
            own, proposed = self.study.schema, looked.proposal.schema
            if own is not None and self._chosen_early:
                proposed = with_chosen(proposed, own, self._columns, self._chosen_early)
            self.study.set_schema(proposed)
        self._is_choosing = False
        self._chosen_early.clear()
        if self.checks.report is None and not self.checks.is_running:
            self.check()
        self.schema_changed.emit()
        self.changed.emit()

    def _take_schema(self) -> None:
        self.imported = ()
        self.schema_changed.emit()
        if self.file.looked is not None:
            self.check()
        self.changed.emit()

    def _tell_check(self) -> None:
        self.rejections_changed.emit()
        self.changed.emit()

    def _tell_upload(self) -> None:
        progress = self.uploads.progress
        if progress is not None and progress.is_complete:
            self._delivered.arrive(progress.connection)
        self.imported = imported_rejections(progress, self.checks.bad, self.file.line)
        self.rejections_changed.emit()
        self.changed.emit()

    def _tell_deed(self) -> None:
        appending, changing, shown = self.dataset.appending, self.dataset.changing, self.file.shown
        if changing is not None and changing.keeps_all:
            self._delivered.reshape(changing.connection)
        if appending is None or appending.load is None or shown is None or appending.is_running:
            return
        if appending.load.path == shown.path and appending.pace is Pace.ENDED:
            self.imported = appended_rejections(appending, self.file.line)
            if not appending.rejected and self.dataset.held.is_as_in_view:
                self._hold(appending.connection)
            self.rejections_changed.emit()
            self.changed.emit()

    def _hold(self, connection: str) -> None:
        """What the study has now is what it has there."""
        self._delivered.begin(connection)
        self._delivered.arrive(connection)

    def _keep_v3(self, connection: str, workspace_id: str, dataset_id: str) -> None:
        old = self.study.remote(connection)
        kept = Remote(workspace_id, dataset_id, None, old.batch_id, old.ids, is_filled=True)
        self.study.set_remote(connection, kept)
        self._hold(connection)

    def _forget_deeds(self) -> None:
        self.uploads.forget()
        self.dataset.deeds.forget()

    def _keep_remote(self, connection: str, workspace_id: str, dataset_id: str, import_id: str) -> None:
        old = self.study.remote(connection)
        kept = Remote(workspace_id, dataset_id, import_id or None, old.batch_id, old.ids)
        self.study.set_remote(connection, kept)
        if import_id:
            self.dataset.held.look_again()

    @property
    def _columns(self) -> tuple[str, ...]:
        return self.file.shown.columns if self.file.shown else ()

    def _proposed(self, name: str) -> Field | None:
        return self.file.looked.proposal.schema.fields.get(name) if self.file.looked else None
