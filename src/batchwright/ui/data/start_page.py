"""The page shown while there are no records: a drop zone, or the reason why the file cannot be read."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from batchwright.base.i18n import _
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.core.formatting import records
from batchwright.ui.data.data_file import FileState
from batchwright.ui.data.file_bar import EncodingButton
from batchwright.ui.data.operation_panel import OperationPanel
from batchwright.ui.data.remote_dataset import RemoteDataset
from batchwright.ui.data.state import DataState
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.placeholders import EmptyState, LoadingState
from batchwright.ui.widgets.surfaces import DropZone, Surface


class NoFilePage(Surface):
    """Shown while no file is open, while it is being read, and if it cannot be read."""

    choose_requested = Signal()
    sample_requested = Signal()
    existing_dataset_requested = Signal()
    new_field_requested = Signal()
    more_encodings_requested = Signal()

    def __init__(self, model: DataState, parent: QWidget | None = None) -> None:
        super().__init__("window", parent=parent)
        self.setAccessibleName(_("Data file"))
        self._model = model
        self._shown: object = None
        self._zone = DropZone()
        self._states = QStackedWidget()
        column(self._states, margins=4, parent=self._zone)
        self._operation = OperationPanel(model.dataset)
        around = column(self._zone, margins=(24, 24, 24, 24))
        layout = column(gap=0, parent=self)
        layout.addLayout(around, 1)
        layout.add(self._operation)
        model.file.changed.connect(self.show_state)
        model.dataset.remote.changed.connect(self._on_dataset_changed)
        model.study.remote_changed.connect(self._on_dataset_changed)
        model.study.schema_changed.connect(self._on_dataset_changed)
        self.show_state()

    def show_state(self) -> None:
        """Show the state of the file."""
        while (old := self._states.currentWidget()) is not None:
            self._states.removeWidget(old)
            old.deleteLater()
        state, remote = self._model.file.state, self._model.dataset.remote
        self._shown = self._content
        if state is FileState.READING:
            self._states.addWidget(LoadingState())
        elif state is FileState.UNREADABLE:
            self._states.addWidget(self._unreadable())
        elif state is FileState.NONE:
            self._states.addWidget(self._without_file(remote) if remote.binding.dataset_id else self._empty())

    def show_target(self, *, is_target: bool) -> None:
        """Highlight the drop zone while an acceptable file is over it."""
        self._zone.set_target(is_target=is_target)

    def _on_dataset_changed(self) -> None:
        """Rebuild the page only if its content changed: a button may have the focus or be pressed."""
        if self._model.file.state is FileState.NONE and self._content != self._shown:
            self.show_state()

    @property
    def _content(self) -> object:
        """The content of the page while there is no file."""
        model, remote = self._model, self._model.dataset.remote
        place = model.session.connection.title if remote.binding.dataset_id else None
        return place, model.shows_schema, remote.needs_sign_in, remote.error, _dataset_text(remote)

    def _empty(self) -> QWidget:
        choose = Button(_("Choose a file"), glyph="folder-open")
        choose.clicked.connect(self.choose_requested)
        sample = Button(_("Use the sample records"), ButtonKind.QUIET)
        sample.clicked.connect(self.sample_requested)
        line = _("Drop a CSV or JSONL file here")
        sentence = _(
            "Each record becomes one task. Encoding and delimiter are detected, a type is suggested for each "
            "column, and every record is checked before anything is sent."
        )
        dataset = Button(_("Use an existing dataset"), ButtonKind.QUIET)
        dataset.clicked.connect(self.existing_dataset_requested)
        start = EmptyState("table", line, sentence, choose, sample, dataset)
        if self._model.shows_schema:
            return start
        field = Button(_("No file yet? Add fields manually"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        field.clicked.connect(self.new_field_requested)
        page = QWidget()
        lines = column(gap=0, parent=page)
        lines.addWidget(start, 1)
        lines.add(row(None, field, None))
        return page

    def _without_file(self, remote: RemoteDataset) -> QWidget:
        choose = Button(_("Choose the file"), glyph="folder-open")
        choose.clicked.connect(self.choose_requested)
        use_other = Button(_("Use another dataset"), ButtonKind.QUIET)
        use_other.clicked.connect(self.existing_dataset_requested)
        buttons = [choose, use_other]
        at_connection = at_connection_phrase(self._model.session.connection.title)
        line = _("The study has a dataset {here}").format(here=at_connection)
        if remote.needs_sign_in:
            sentence = _("Sign in to see the dataset. The study has no data file.")
            sign_in = Button(_("Sign in"), glyph="lock-simple")
            sign_in.clicked.connect(remote.sign_in)
            buttons.insert(0, sign_in)
        elif remote.error is not None:
            sentence = f"{remote.error.what} {remote.error.remedy}".strip()
            again = Button(_("Retry"), glyph="arrow-clockwise")
            again.clicked.connect(remote.refresh)
            buttons.insert(0, again)
        else:
            sentence = _dataset_text(remote)
        return EmptyState("stack", line, sentence, *buttons)

    def _unreadable(self) -> QWidget:
        error = self._model.file.error
        again = Button(_("Retry"), glyph="arrow-clockwise")
        again.clicked.connect(self._model.file.retry)
        choose_other = Button(_("Choose another file"), ButtonKind.QUIET)
        choose_other.clicked.connect(self.choose_requested)
        what, remedy = (error.what, error.remedy) if error else ("", "")
        buttons = [again, choose_other]
        if (file_format := self._model.file.format) is not None:
            encoding = EncodingButton(self._model.read_as)
            encoding.more_requested.connect(self.more_encodings_requested)
            encoding.show_format(file_format)
            buttons.insert(1, encoding)
        return EmptyState("warning-circle-fill", what, remedy, *buttons, tone="err")


def _dataset_text(remote: RemoteDataset) -> str:
    """A description of the dataset, and the reason to open a file."""
    dataset = remote.dataset
    if dataset is None:
        return _("The study has no data file.")
    if not dataset.total_datapoint_count:
        text = _("“{name}” has no records. Choose a data file to continue.")
        return text.format(name=dataset.name)
    text = _(
        "“{name}” has {records}. Nothing else is needed to lay out pages and run them. Choose the file "
        "that it was created from to see the records here."
    )
    return text.format(name=dataset.name, records=records(dataset.total_datapoint_count))
