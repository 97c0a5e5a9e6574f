"""The control with which files are chosen in the preview."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeDatabase, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.answers import FileEntry
from batchwright.layout.item_types.file_upload import FilesQuestion
from batchwright.ui.editor.preview.answer_inputs import Control
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.drops import accept_copy, dropped_paths
from batchwright.ui.widgets.file_dialogs import choose_files
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import DropZone
from batchwright.ui.widgets.text import Label


class FilesControl(Control):
    """Files to send; the preview looks at their names and sizes, and sends nothing."""

    def __init__(self, model: PreviewState, question: FilesQuestion) -> None:
        super().__init__(model, question)
        self._types = question.accept.split(",")
        self._many = question.multiple
        zone = _Zone()
        zone.dropped.connect(self._take_files)
        choose = Button(_("Choose files") if question.multiple else _("Choose a file"), glyph="paperclip")
        choose.clicked.connect(self._ask)
        says = Label(_("or drop them here"), TextRole.BODY, "text2")
        row(choose, says, None, gap=14, margins=(16, 14, 16, 14), parent=zone)
        lines = column(gap=8, parent=self)
        for file in question.kept:
            lines.put(row(Glyph("file", "text2", 18), Label(file.name), Label(file.size, tone="text3"), None))
        lines.put(zone)
        self.inputs.append(choose)

    def _ask(self) -> None:
        endings = " ".join(f"*{ending}" for ending in self._types)
        kinds = (_("Accepted files ({endings})").format(endings=endings),)
        choose_files(self, _("Choose files"), kinds, many=self._many, chosen=self._take_files)

    def _take_files(self, paths: Sequence[Path]) -> None:
        if paths:
            self.model.put_files(self.asked.number, [_entry(path) for path in paths])


class _Zone(DropZone):
    """Where files are dropped."""

    dropped = Signal(tuple)

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event.mimeData()):
            accept_copy(event)
            self.show_target(is_target=True)

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self.show_target(is_target=False)
        paths = dropped_paths(event.mimeData())
        if paths:
            accept_copy(event)
            self.dropped.emit(paths)


def _entry(path: Path) -> FileEntry:
    """A file as an answer names it; one that is gone by now counts as empty."""
    size = path.stat().st_size if path.is_file() else 0
    # By its name, as browsers do: reading what was chosen, such as a pipe, may never end.
    by_name = QMimeDatabase.MatchMode.MatchExtension
    return FileEntry("preview", path.name, size, QMimeDatabase().mimeTypeForFile(path.name, by_name).name())
