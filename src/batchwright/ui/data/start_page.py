"""What stands in the place of the records while none are shown: a place for a file, or why there is none."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from batchwright.base.i18n import _
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.core.formatting import records
from batchwright.ui.data.data_file import FileState
from batchwright.ui.data.file_bar import FormatButton, format_choices
from batchwright.ui.data.labels import encoding_name
from batchwright.ui.data.operation_panel import OperationPanel
from batchwright.ui.data.remote_dataset import RemoteDataset
from batchwright.ui.data.state import DataState
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.placeholders import EmptyState, LoadingState
from batchwright.ui.widgets.surfaces import DropZone, Surface


class NoFilePage(Surface):
    """There is no file to show: none was chosen, it is being read, or it cannot be."""

    choose_pressed = Signal()
    sample_pressed = Signal()
    dataset_pressed = Signal()
    field_pressed = Signal()

    def __init__(self, model: DataState, parent: QWidget | None = None) -> None:
        super().__init__("window", parent=parent)
        self.setAccessibleName(_("Data file"))
        self._model = model
        self._shown: object = None
        self._zone = DropZone()
        self._states = QStackedWidget()
        column(self._states, margins=4, parent=self._zone)
        self._deed = OperationPanel(model.dataset.deeds)
        around = column(self._zone, margins=(24, 24, 24, 24))
        whole = column(gap=0, parent=self)
        whole.addLayout(around, 1)
        whole.put(self._deed)
        model.file.changed.connect(self.show_stand)
        model.dataset.held.changed.connect(self._show_without_file)
        model.study.remote_changed.connect(self._show_without_file)
        model.study.schema_changed.connect(self._show_without_file)
        self.show_stand()

    def show_stand(self) -> None:
        """Show how it stands with the file."""
        while (old := self._states.currentWidget()) is not None:
            self._states.removeWidget(old)
            old.deleteLater()
        stand, held = self._model.file.stand, self._model.dataset.held
        self._shown = self._known
        if stand is FileState.READING:
            self._states.addWidget(LoadingState())
        elif stand is FileState.UNREADABLE:
            self._states.addWidget(self._unreadable())
        elif stand is FileState.NONE:
            self._states.addWidget(self._without_file(held) if held.remote.dataset_id else self._empty())

    def show_target(self, *, is_target: bool) -> None:
        """Whether a file that would be taken is over it."""
        self._zone.show_target(is_target=is_target)

    def _show_without_file(self) -> None:
        """Show it anew where it has changed: what is shown may have the keyboard, or be pressed just now."""
        if self._model.file.stand is FileState.NONE and self._known != self._shown:
            self.show_stand()

    @property
    def _known(self) -> object:
        """All that is told while there is no file."""
        model, held = self._model, self._model.dataset.held
        place = model.session.connection.title if held.remote.dataset_id else None
        return place, model.has_schema_to_show, held.needs_token, held.fault, _held_words(held)

    def _empty(self) -> QWidget:
        choose = Button(_("Choose a file"), glyph="folder-open")
        choose.clicked.connect(self.choose_pressed)
        sample = Button(_("Use the sample records"), ButtonKind.QUIET)
        sample.clicked.connect(self.sample_pressed)
        line = _("Drop a CSV or JSONL file here")
        sentence = _(
            "Each record becomes one task. How the file is written is found out, a type is proposed for each "
            "column, and every record is checked before anything is sent."
        )
        dataset = Button(_("Use a dataset that is there"), ButtonKind.QUIET)
        dataset.clicked.connect(self.dataset_pressed)
        start = EmptyState("table", line, sentence, choose, sample, dataset)
        if self._model.has_schema_to_show:
            return start
        field = Button(_("No file yet? Add fields by hand"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        field.clicked.connect(self.field_pressed)
        whole = QWidget()
        lines = column(gap=0, parent=whole)
        lines.addWidget(start, 1)
        lines.put(row(None, field, None))
        return whole

    def _without_file(self, held: RemoteDataset) -> QWidget:
        choose = Button(_("Choose the file"), glyph="folder-open")
        choose.clicked.connect(self.choose_pressed)
        other = Button(_("Use another dataset"), ButtonKind.QUIET)
        other.clicked.connect(self.dataset_pressed)
        ways = [choose, other]
        here = at_connection_phrase(self._model.session.connection.title)
        line = _("The study has a dataset {here}").format(here=here)
        if held.needs_token:
            sentence = _("Sign in to see the dataset. The study has no file of it.")
            sign_in = Button(_("Sign in"), glyph="lock-simple")
            sign_in.clicked.connect(held.sign_in)
            ways.insert(0, sign_in)
        elif held.fault is not None:
            sentence = f"{held.fault.what} {held.fault.remedy}".strip()
            again = Button(_("Retry"), glyph="arrow-clockwise")
            again.clicked.connect(held.look_again)
            ways.insert(0, again)
        else:
            sentence = _held_words(held)
        return EmptyState("stack", line, sentence, *ways)

    def _unreadable(self) -> QWidget:
        fault = self._model.file.fault
        again = Button(_("Retry"), glyph="arrow-clockwise")
        again.clicked.connect(self._model.file.try_again)
        other = Button(_("Choose another file"), ButtonKind.QUIET)
        other.clicked.connect(self.choose_pressed)
        what, remedy = (fault.what, fault.remedy) if fault else ("", "")
        ways = [again, other]
        if (form := self._model.file.form) is not None:
            encoding = FormatButton(_("Encoding"), self._model.read_as)
            encoding.show_choices(encoding_name(form.encoding), form, *format_choices(form))
            ways.insert(1, encoding)
        return EmptyState("warning-circle-fill", what, remedy, *ways, tone="err")


def _held_words(held: RemoteDataset) -> str:
    """What the dataset holds, and what a file would be good for."""
    dataset = held.dataset
    if dataset is None:
        return _("The study has no file of it.")
    if not dataset.total_datapoint_count:
        said = _("“{name}” holds no records that are known here. Choose a file of records to go on.")
        return said.format(name=dataset.name)
    said = _(
        "“{name}” holds {records}. Nothing more is needed to lay out pages and run them. Choose the file "
        "that the records came from to see them here."
    )
    return said.format(name=dataset.name, records=records(dataset.total_datapoint_count))
