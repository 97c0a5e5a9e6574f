"""The state of the window's shell: study, connection, activity and messages. Contains no widgets."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Signal

from batchwright.base.i18n import _
from batchwright.ui.core.activity import ActivityStatus
from batchwright.ui.widgets.drops import dropped_paths


@dataclass(frozen=True)
class DocumentTitle:
    """The name and file of the open study."""

    name: str
    is_saved: bool = True
    path: Path | None = None
    """Absolute and without symbolic links, to compare the files of two windows."""
    is_collection: bool = False

    @property
    def title(self) -> str:
        """The file name without suffix, or the name of the study if it has no file."""
        return self.name if self.path is None else self.path.stem

    @property
    def saved_text(self) -> str:
        """Whether the study is saved, as text; one that has a file was saved before."""
        if self.is_saved:
            return _("Saved")
        return _("Not saved yet") if self.path is None else _("Unsaved changes")

    @property
    def suffix(self) -> str:
        """The suffix of the file, which may be a plain layout."""
        return "" if self.path is None else self.path.suffix


@dataclass(frozen=True)
class ConnectionLabel:
    """The displayed connection; it always says whether it is live."""

    name: str
    is_live: bool
    workspace: str = ""
    title: str = ""
    """The displayed text, if it is not the name."""

    @property
    def text(self) -> str:
        """The displayed text."""
        return self.title or self.name


@dataclass(frozen=True)
class StatusMessage:
    """A message of the status bar, with a colour token and an optional icon."""

    text: str
    tone: str = "text2"
    glyph: str = ""


THIS_COMPUTER = "This computer"


class ShellState(QObject):
    """Holds the values and emits signals; a setter emits none if the value is the same."""

    document_changed = Signal()
    connection_changed = Signal()
    status_changed = Signal()
    message_shown = Signal(str)
    """A message was shown. The status bar shows it until it is cleared (`clear_message`)."""
    activity_changed = Signal()
    job_count_changed = Signal()
    stage_changed = Signal()
    stage_entered = Signal()
    """The stage should get the focus."""
    stage_needed = Signal(str)
    """The stage with this id is to be built, also if it is not shown."""
    files_dropped = Signal(tuple)
    """The paths of files dropped on the window."""
    table_pasted = Signal(str, str)
    """What was pasted or dropped from another program: as HTML, and as text; one may be empty."""
    connection_requested = Signal(str)
    """Someone chose another connection, by its name."""
    new_connection_requested = Signal()
    """A connection is to be added."""
    connection_change_requested = Signal()
    """The current connection is to be changed."""

    def __init__(self, connection: ConnectionLabel) -> None:
        super().__init__()
        self.document: DocumentTitle | None = None
        self.connection = connection
        self.connections: tuple[ConnectionLabel, ...] = (connection,)
        self.status_messages: tuple[StatusMessage, ...] = ()
        self.hint = ""
        self.message = ""
        """The current message."""
        self.activity: ActivityStatus | None = None
        self.job_count = 0
        self.stage = ""
        self.current_rule: Callable[[], str] = lambda: ""
        """Returns the code of the rule at which help opens; set by the stage that shows problems."""
        self.help_address = ""
        """Where the help is opened next, such as `data.md#checks`; empty for the page of the stage."""

    def open_content(self, mime: QMimeData) -> None:
        """Request to open what was pasted or dropped: files, or a table of another program."""
        if paths := dropped_paths(mime):
            self.files_dropped.emit(paths)
        else:
            self.table_pasted.emit(mime.html(), mime.text())

    def set_document(self, document: DocumentTitle | None) -> None:
        """Set the open study."""
        if document != self.document:
            self.document = document
            self.document_changed.emit()

    def set_connection(self, connection: ConnectionLabel) -> None:
        """Set the current connection."""
        if connection != self.connection:
            self.connection = connection
            self.connection_changed.emit()

    def set_connections(self, connections: tuple[ConnectionLabel, ...]) -> None:
        """Set the connections of the header's menu."""
        if connections != self.connections:
            self.connections = connections
            self.connection_changed.emit()

    def set_status_messages(self, *messages: StatusMessage) -> None:
        """Set the messages at the left of the status bar."""
        if messages != self.status_messages:
            self.status_messages = messages
            self.status_changed.emit()

    def set_hint(self, hint: str) -> None:
        """Show a hint instead of the messages, for example during a drag; an empty one ends it."""
        if hint != self.hint:
            self.hint = hint
            self.status_changed.emit()

    def show_message(self, text: str) -> None:
        """Show a message instead of the others, until it was read or replaced."""
        self.message = text
        self.status_changed.emit()
        self.message_shown.emit(text)

    def clear_message(self) -> None:
        """Show the regular messages again."""
        self.message = ""
        self.status_changed.emit()

    def set_activity(self, activity: ActivityStatus | None) -> None:
        """Set the running operation."""
        if activity != self.activity:
            self.activity = activity
            self.activity_changed.emit()

    def set_job_count(self, count: int) -> None:
        """Set the number of running jobs."""
        if count != self.job_count:
            self.job_count = count
            self.job_count_changed.emit()

    def set_stage(self, id: str) -> None:
        """Set the current stage."""
        if id != self.stage:
            self.stage = id
            self.stage_changed.emit()

    def enter_stage(self, id: str) -> None:
        """Set the current stage and move the focus there."""
        self.set_stage(id)
        self.stage_entered.emit()
