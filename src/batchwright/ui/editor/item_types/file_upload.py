"""`file_upload` in the editor."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeDatabase, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject
from batchwright.base.local_formats import joined
from batchwright.layout.answers import FileEntry
from batchwright.layout.attributes import Attribute
from batchwright.layout.item_types.file_upload import FilesQuestion
from batchwright.layout.item_types.registry import FileUpload
from batchwright.schema.model import Schema
from batchwright.ui.editor.inspector.fields import NumberField, TextListField
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.inspector.presets import file_presets
from batchwright.ui.editor.item_types.base import (
    CardBody,
    ItemEditor,
    description_field,
    helper_text_field,
    question_labels,
)
from batchwright.ui.editor.preview.answer_inputs import Control
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.dialogs.file_dialogs import choose_files
from batchwright.ui.widgets.drops import accept_copy, dropped_paths
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import DropZone
from batchwright.ui.widgets.text import Label


class FilesControl(Control):
    """Selection of files to upload. The preview reads only names and sizes, and sends nothing."""

    def __init__(self, state: PreviewState, question: FilesQuestion, *, is_narrow: bool = False) -> None:
        super().__init__(state, question, is_narrow=is_narrow)
        self._types = question.accept.split(",")
        self._many = question.multiple
        zone = _FileDropZone()
        zone.dropped.connect(self._on_files_chosen)
        choose = Button(_("Choose files") if question.multiple else _("Choose a file"), glyph="paperclip")
        choose.clicked.connect(self._choose_files)
        hint = Label(_("or drop them here"), TextRole.BODY, "text2")
        row(choose, hint, None, gap=14, margins=(16, 14, 16, 14), parent=zone)
        lines = column(gap=8, parent=self)
        for file in question.uploaded:
            lines.add(row(Glyph("file", "text2", 18), Label(file.name), Label(file.size, tone="text3"), None))
        lines.add(zone)
        self.inputs.append(choose)

    def _choose_files(self) -> None:
        endings = " ".join(f"*{ending}" for ending in self._types)
        kinds = (_("Accepted files ({endings})").format(endings=endings),)
        choose_files(
            self, _("Choose files"), kinds, allow_multiple=self._many, on_chosen=self._on_files_chosen
        )

    def _on_files_chosen(self, paths: Sequence[Path]) -> None:
        if paths:
            self.state.set_files(self.question.number, [_file_entry(path) for path in paths])


class _FileDropZone(DropZone):
    """The drop zone for files."""

    dropped = Signal(tuple)

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event.mimeData()):
            accept_copy(event)
            self.set_target(is_target=True)

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self.set_target(is_target=False)
        paths = dropped_paths(event.mimeData())
        if paths:
            accept_copy(event)
            self.dropped.emit(paths)


def _file_entry(path: Path) -> FileEntry:
    """The description of a file as it appears in an answer; a file that no longer exists has size 0."""
    size = path.stat().st_size if path.is_file() else 0
    # The type is inferred from the name, as in browsers: reading a special file such as a pipe may block.
    by_name = QMimeDatabase.MatchMode.MatchExtension
    return FileEntry("preview", path.name, size, QMimeDatabase().mimeTypeForFile(path.name, by_name).name())


def _card_body(item: FileUpload, _schema: Schema | None, _record: JsonObject | None) -> CardBody:
    header = row(Glyph("paperclip", "question", 16), gap=8)
    header.addWidget(Label(_limits_text(item), TextRole.SMALL, "text2", wraps=True), 1)
    return [*question_labels(item), header]


def _limits_text(item: FileUpload) -> str:
    """The limits as text, such as `1 to 3 files, .png or .jpg, 25 MB each`."""
    min_count, max_count = item.value_or_default("min_file_count"), item.value_or_default("max_file_count")
    count = (
        _("{count} files").format(count=max_count)
        if min_count == max_count != 1
        else _("1 file")
        if min_count == max_count
        else _("{least} to {most} files").format(least=min_count, most=max_count)
    )
    accepted_types = item.value_or_default("accepted_file_types") or ()
    extensions = (
        [file_type for file_type in accepted_types if isinstance(file_type, str)]
        if isinstance(accepted_types, (list, tuple))
        else []
    )
    types_text = (
        _(" or ").join((joined(extensions[:-1]), extensions[-1]))
        if len(extensions) > 1
        else "".join(extensions)
    )
    size = _("{size} MB each").format(size=item.value_or_default("max_file_size_mb"))
    return joined(part for part in (count, types_text, size) if part)


def _types_field(form: NodeForm, attribute: Attribute) -> QWidget:
    return TextListField(
        form, attribute, hint=_("File endings with a dot, with commas between them."), presets=file_presets()
    )


def _size_field(form: NodeForm, attribute: Attribute) -> QWidget:
    return NumberField(form, attribute, hint=_("For each file."))


EDITOR = ItemEditor(
    FileUpload,
    glyph="paperclip",
    family="question",
    card_body=_card_body,
    fields={
        "description": description_field,
        "helper_text": helper_text_field,
        "accepted_file_types": _types_field,
        "max_file_size_mb": _size_field,
        "min_file_count": NumberField,
        "max_file_count": NumberField,
    },
    controls={FilesQuestion: FilesControl},
)
