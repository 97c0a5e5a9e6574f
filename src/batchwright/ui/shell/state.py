"""What the shell shows: the study, the connection, what runs, what is saved. It knows no widgets."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal


@dataclass(frozen=True)
class DocumentTitle:
    """The study that is open: its name, and its file once it has one."""

    name: str
    is_saved: bool = True
    path: Path | None = None
    """Absolute, without symbolic links: what tells whether two windows have the same file."""

    @property
    def title(self) -> str:
        """What people read: the file's name without its suffix, or the study's while it has no file."""
        return self.name if self.path is None else self.path.stem

    @property
    def suffix(self) -> str:
        """That of its file, which may be a plain layout."""
        return "" if self.path is None else self.path.suffix


@dataclass(frozen=True)
class ConnectionLabel:
    """Where requests go. Rehearsal and live can never be mixed up, so it always says which."""

    name: str
    is_live: bool
    workspace: str = ""
    title: str = ""
    """What people read, where it is not the name."""

    @property
    def text(self) -> str:
        """What people read."""
        return self.title or self.name


@dataclass(frozen=True)
class StatusMessage:
    """One thing that the status line tells, with a tone and a glyph where it is good or bad news."""

    text: str
    tone: str = "text2"
    glyph: str = ""


@dataclass(frozen=True)
class ActivityStatus:
    """What runs, for the right end of the status line; `delete` is from 0 to 1, None where nobody knows."""

    text: str
    fraction: float | None = None


THIS_COMPUTER = "This computer"


class ShellState(QObject):
    """Holds the values and tells of changes; each `set_...` is silent when nothing changes."""

    document_changed = Signal()
    connection_changed = Signal()
    status_changed = Signal()
    message_shown = Signal(str)
    """A sentence was told; who shows it lets it stand until it was read (`end_sentence`)."""
    activity_changed = Signal()
    job_count_changed = Signal()
    stage_changed = Signal()
    stage_entered = Signal()
    """The keyboard is to go into the stage."""
    files_dropped = Signal(tuple)
    """Files of this computer were dropped on the window, by their paths."""
    connection_requested = Signal(str)
    """Someone chose another connection, by its name."""
    new_connection_requested = Signal()
    """Someone wants to add a connection."""
    connection_change_requested = Signal()
    """Someone wants another workspace, address or token for the connection shown."""

    def __init__(self, connection: ConnectionLabel) -> None:
        super().__init__()
        self.document: DocumentTitle | None = None
        self.connection = connection
        self.connections: tuple[ConnectionLabel, ...] = (connection,)
        self.status_messages: tuple[StatusMessage, ...] = ()
        self.hint = ""
        self.message = ""
        """What was told last, while it stands."""
        self.activity: ActivityStatus | None = None
        self.job_count = 0
        self.stage = ""
        self.current_rule: Callable[[], str] = lambda: ""
        """The code of the rule that help is to open at; the stage that shows problems says so."""

    def set_document(self, document: DocumentTitle | None) -> None:
        """Show which study is open, and whether it is saved."""
        if document != self.document:
            self.document = document
            self.document_changed.emit()

    def set_connection(self, connection: ConnectionLabel) -> None:
        """Show where requests go from now on."""
        if connection != self.connection:
            self.connection = connection
            self.connection_changed.emit()

    def set_connections(self, connections: tuple[ConnectionLabel, ...]) -> None:
        """Offer these connections in the header's menu."""
        if connections != self.connections:
            self.connections = connections
            self.connection_changed.emit()

    def set_status_messages(self, *remarks: StatusMessage) -> None:
        """Tell these things at the left of the status line."""
        if remarks != self.status_messages:
            self.status_messages = remarks
            self.status_changed.emit()

    def set_hint(self, hint: str) -> None:
        """Tell one thing in place of the remarks, as what releasing a drag would do; empty to end it."""
        if hint != self.hint:
            self.hint = hint
            self.status_changed.emit()

    def show_message(self, sentence: str) -> None:
        """Tell what has just happened, in place of the remarks, until it was read or more is told."""
        self.message = sentence
        self.status_changed.emit()
        self.message_shown.emit(sentence)

    def clear_message(self) -> None:
        """Let the remarks stand again."""
        self.message = ""
        self.status_changed.emit()

    def set_activity(self, running: ActivityStatus | None) -> None:
        """Show what runs."""
        if running != self.activity:
            self.activity = running
            self.activity_changed.emit()

    def set_job_count(self, count: int) -> None:
        """Show how many jobs run."""
        if count != self.job_count:
            self.job_count = count
            self.job_count_changed.emit()

    def set_stage(self, id: str) -> None:
        """Show another stage."""
        if id != self.stage:
            self.stage = id
            self.stage_changed.emit()

    def enter_stage(self, id: str) -> None:
        """Show a stage, and go there with the keyboard."""
        self.set_stage(id)
        self.stage_entered.emit()
