"""What the Data stage shows: the file, its schema, the check, the upload. It knows no widgets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchwright.local.projects import DataFile, Remote
from batchwright.records.schema import Field, FieldType, Schema
from batchwright.tables.checking import Rejection
from batchwright.tables.formats import Format
from batchwright.tables.looking import Facts
from batchwright.tables.splitting import original_record
from batchwright.ui.data.checks import Checks
from batchwright.ui.data.fields import with_label, with_type
from batchwright.ui.data.opened import OpenedFile, Stand
from batchwright.ui.data.uploads import Load, Uploads
from batchwright.ui.session import Session
from batchwright.ui.study import Study
from batchwright.ui.tasks import Message, Tasks
from batchwright.words import _


@dataclass(frozen=True)
class Part:
    """A column of the file, or a field that the file lacks: its type, None where it is left out."""

    name: str
    type: FieldType | None
    label: str
    facts: Facts | None
    reason: str
    can_be_field: bool = True


@dataclass(frozen=True)
class _Sent:
    """What a dataset was made of; data that differs must be uploaded anew."""

    path: Path
    size: int
    form: Format
    schema: Schema


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
        self._sent: dict[str, _Sent] = {}
        self._is_choosing = False
        self._chosen_early: set[str] = set()
        """Columns whose type was chosen before the file was looked through; others get what is proposed."""
        self._connect()
        self._take_data()

    def open_file(self, path: Path) -> None:
        """Take another data file; a schema that its columns do not fit is proposed anew."""
        self.uploads.forget()
        self._choose(path)

    def read_as(self, form: Format) -> None:
        """Read the file another way."""
        if self.file.path is not None and form != self.file.form:
            self._choose(self.file.path, form)

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

    def set_strict(self, *, is_strict: bool) -> None:
        """Whether every record must have every field."""
        if self.study.schema is not None:
            self.study.set_schema(replace(self.study.schema, strict=is_strict))

    def check(self) -> None:
        """Check every record again."""
        shown, schema = self.file.shown, self.study.schema
        if shown is not None and schema is not None and schema.fields:
            self.checks.start(shown.path, shown.form, schema)
        else:
            self.checks.forget()

    def upload(self) -> None:
        """Make a dataset of the good records."""
        load = self.load()
        if load is not None:
            self._sent.pop(self.session.connection.name, None)
            self.uploads.start(load)

    def load(self) -> Load | None:
        """What would be uploaded; None while nothing can be."""
        shown, schema, report = self.file.shown, self.study.schema, self.checks.report
        if shown is None or schema is None or report is None or not report.accepted:
            return None
        name = self.study.project.name or shown.path.stem
        whole = not report.rejected and shown.form.served
        return Load(name, shown.path, shown.form, schema, report.accepted, whole)

    @property
    def is_uploaded(self) -> bool:
        """Whether the dataset at the active connection holds just this data, whole."""
        here = self.session.connection.name
        sent, current = self._sent.get(here), self._current()
        return sent is not None and sent == current and bool(self.study.remote(here).import_id)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The columns in the order of the file, then the fields that it lacks."""
        columns = self._columns
        fields = self.study.schema.fields if self.study.schema else {}
        names = dict.fromkeys((*columns, *fields))
        return tuple(self._part(name, fields.get(name), name in columns) for name in names if name)

    @property
    def rejections(self) -> tuple[Rejection, ...]:
        """What the check found, or after an import what the service rejected, at the rows of the file."""
        imported = self._imported_rejections()
        if imported:
            return imported
        return self.checks.report.errors if self.checks.report else ()

    @property
    def bad_rows(self) -> Mapping[int, Rejection]:
        """The rejections by the index of their record."""
        imported = self._imported_rejections()
        return {one.record_index: one for one in imported} if imported else self.checks.bad

    def show_rejection(self, rejection: Rejection) -> None:
        """Go to the row of a rejection."""
        self.row_wanted.emit(rejection.record_index, rejection.field)

    def _connect(self) -> None:
        self.study.data_changed.connect(self._take_data)
        self.study.schema_changed.connect(self._take_schema)
        self.study.remote_changed.connect(self.changed)
        self.session.changed.connect(self.changed)
        self.file.changed.connect(self._take_file)
        self.file.looked_changed.connect(self._take_look)
        self.file.count_changed.connect(self.changed)
        self.checks.changed.connect(self._tell_check)
        self.uploads.changed.connect(self._tell_upload)
        self.uploads.made.connect(self._keep_remote)

    def _choose(self, path: Path, form: Format | None = None) -> None:
        self._is_choosing = True
        self._chosen_early.clear()
        self.checks.forget()
        self.file.read(path, form)

    def _waits_for_proposal(self) -> bool:
        """Whether the fields will be those that the columns of the file speak for."""
        schema = self.study.schema
        fits = schema is not None and set(schema.fields) <= set(self._columns)
        return schema is None or bool(self._chosen_early) or (self._is_choosing and not fits)

    def _with_chosen(self, proposed: Schema) -> Schema:
        """What is proposed, but for what was chosen before it was known."""
        own = self.study.schema
        if own is None or not self._chosen_early:
            return proposed
        schema = replace(proposed, strict=own.strict)
        for name in sorted(self._chosen_early):
            field = own.fields.get(name)
            schema = with_type(schema, self._columns, None, name, field.type if field else None)
            schema = with_label(schema, name, (field and field.label) or "")
        return schema

    def _take_data(self) -> None:
        """The study has another file: of another project, or the one that was just opened here."""
        data = self.study.data
        if data is None:
            self.uploads.forget()
            self.checks.forget()
            self.file.close()
        elif data.path != self.file.path:
            self.uploads.forget()
            self.checks.forget()
            self._sent.clear()
            self.file.read(data.path, data.form)

    def _take_file(self) -> None:
        shown = self.file.shown
        if self.file.stand is Stand.SHOWN and shown is not None:
            self.study.set_data(DataFile(shown.path, shown.size, shown.form))
        self.schema_changed.emit()
        self.changed.emit()

    def _take_look(self) -> None:
        looked = self.file.looked
        if looked is None or self.file.shown is None:
            return
        if self._waits_for_proposal():
            self.study.set_schema(self._with_chosen(looked.proposal.schema))
        self._is_choosing = False
        self._chosen_early.clear()
        self._remember_sent()
        if self.checks.report is None and not self.checks.is_running:
            self.check()
        self.schema_changed.emit()
        self.changed.emit()

    def _take_schema(self) -> None:
        self.schema_changed.emit()
        if self.file.looked is not None:
            self.check()
        self.changed.emit()

    def _tell_check(self) -> None:
        self.rejections_changed.emit()
        self.changed.emit()

    def _tell_upload(self) -> None:
        progress = self.uploads.progress
        current = self._current()
        if progress is not None and progress.is_complete and current is not None:
            self._sent[progress.connection] = current
        self.rejections_changed.emit()
        self.changed.emit()

    def _keep_remote(self, connection: str, workspace_id: str, dataset_id: str, import_id: str) -> None:
        old = self.study.remote(connection)
        kept = Remote(workspace_id, dataset_id, import_id or None, old.batch_id, old.ids)
        self.study.set_remote(connection, kept)

    def _remember_sent(self) -> None:
        """A project that was opened holds what it held when it was saved: that was uploaded, if anything."""
        current = self._current()
        for name, remote in self.study.project.remotes.items():
            if remote.dataset_id and remote.import_id and current is not None and not self.uploads.is_running:
                self._sent.setdefault(name, current)

    def _current(self) -> _Sent | None:
        data, schema = self.study.data, self.study.schema
        return None if data is None or schema is None else _Sent(data.path, data.size, data.form, schema)

    @property
    def _columns(self) -> tuple[str, ...]:
        return self.file.shown.columns if self.file.shown else ()

    def _proposed(self, name: str) -> Field | None:
        return self.file.looked.proposal.schema.fields.get(name) if self.file.looked else None

    def _part(self, name: str, field: Field | None, is_column: bool) -> Part:
        looked = self.file.looked
        facts = looked.facts.get(name) if looked and is_column else None
        refusal = looked.proposal.left_out.get(name, "") if looked else ""
        reason = refusal or (looked.proposal.reasons.get(name, "") if looked else "")
        label = (field and field.label) or ""
        return Part(name, field.type if field else None, label, facts, reason, not refusal)

    def _imported_rejections(self) -> tuple[Rejection, ...]:
        progress = self.uploads.progress
        if progress is None or progress.job is None or not progress.job.errors:
            return ()
        left_out = () if progress.load.is_whole else sorted(self.checks.bad)
        found = []
        for error in progress.job.errors:
            record = original_record(left_out, error.record_index or 0)
            line = self.file.line(record) or 0
            found.append(Rejection(line, record, error.field or "", error.reason or _("No reason given")))
        return tuple(found)
