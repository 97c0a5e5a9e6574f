"""Confirmation dialogs about a data file, in which another file can be chosen or dropped."""

from pathlib import Path

from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import number, records, size
from batchwright.ui.data.dataset.dataset_operations import RecordsToAppend, is_v3_file
from batchwright.ui.data.file.drag_drop import dropped_files
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import Dialog, info_row
from batchwright.ui.widgets.drops import accept_copy
from batchwright.ui.widgets.icon_tile import IconTile
from batchwright.ui.widgets.surfaces import DropZone
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.wire.datapoints import MAX_RECORDS
from batchwright.wire.datasets import Dataset


class FileConfirmDialog(Dialog):
    """Shows the file and what happens to it.

    Args:
        title: title of the dialog.
        text: what will happen to the file.
        act: text of the button.
        file: its name and some properties; None if no file is chosen.
        notes: further information, each a sentence.
        live: name of the live service; empty for the service on this computer.
    """

    help_address = "data.md#upload"

    def __init__(
        self,
        title: str,
        text: str,
        act: str,
        *,
        file: tuple[str, str] | None,
        notes: tuple[str, ...],
        live: str,
    ) -> None:
        super().__init__(title, text, act, ButtonKind.LIVE if live else ButtonKind.PRIMARY)
        self.dropped_path: Path | None = None
        """Another file, dropped on the dialog."""
        self.wants_another_file = False
        """Whether the dialog was closed to choose another file."""
        choose = Button(_("Choose another file") if file else _("Choose a file"), height=ButtonSize.DIALOG)
        choose.clicked.connect(self._on_choose_clicked)
        self.add_side_button(choose)
        self._zone = DropZone()
        self._zone.setAccessibleName(_("File"))
        line = row(IconTile("table", "content", 28), gap=12, margins=(16, 14, 16, 14), parent=self._zone)
        line.addLayout(_about(file), 1)
        self.add(self._zone, *map(info_row, notes))
        self.warn_if_live(live)
        self.setAcceptDrops(True)

    def _on_choose_clicked(self) -> None:
        self.wants_another_file = True
        self.reject()

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped_file(event) is not None:
            accept_copy(event)
            self._zone.set_target(is_target=True)

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._zone.set_target(is_target=False)

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        path = _dropped_file(event)
        if path is not None:
            accept_copy(event)
            self.dropped_path = path
            self.reject()


def _dropped_file(event: QDropEvent) -> Path | None:
    """The only file that is dropped."""
    paths = dropped_files(event.mimeData(), busy=None)
    return paths[0] if isinstance(paths, tuple) and len(paths) == 1 else None


class AppendDialog(FileConfirmDialog):
    """Confirms appending the records of a file to a dataset.

    Args:
        dataset: the dataset to append to.
        source: the records; None if there is no file, or no records in it.
        notes: further information, each a sentence.
        live: name of the live service; empty for the service on this computer.
    """

    def __init__(
        self, dataset: Dataset, source: RecordsToAppend | None, notes: tuple[str, ...], live: str
    ) -> None:
        text = _(
            "The dataset “{name}” has {records}. New ones are added at the end, up to {most} per request."
        )
        super().__init__(
            _("Append records"),
            text.format(
                name=dataset.name, records=records(dataset.total_datapoint_count), most=number(MAX_RECORDS)
            ),
            _("Append {records}").format(records=records(source.records)) if source else _("Append"),
            file=(source.path.name, f"{records(source.records)}  ·  {size(source.stamp[0])}")
            if source
            else None,
            notes=notes,
            live=live,
        )
        self.accept_button.set_disabled_reason("" if source else _("Choose a file with records first"))


class V3Dialog(FileConfirmDialog):
    """Confirms uploading a file as a V3 dataset.

    Args:
        file: the file and its size in bytes; None if no file is chosen.
        is_v4_disabled: whether the workspace is known to have no V4 datasets.
        live: name of the live service; empty for the service on this computer.
    """

    def __init__(self, file: tuple[Path, int] | None, *, is_v4_disabled: bool, live: str) -> None:
        off = _("This workspace has no V4 datasets. A V3 dataset accepts a CSV file, also in a ZIP archive.")
        on = _("A V3 dataset accepts a CSV file, also in a ZIP archive. It is sent unchanged.")
        super().__init__(
            _("Send as a V3 dataset"),
            off if is_v4_disabled else on,
            _("Send {name}").format(name=file[0].name) if file else _("Send"),
            file=(file[0].name, size(file[1])) if file else None,
            notes=(
                _("V3 has no schema: records are not checked, and a layout cannot show dataset fields."),
                _(
                    "Participants see its columns in a batch with instructions, which you create in the menu "
                    "Run: all but those that start with META_. META_TASK_GROUP_ID groups rows."
                ),
                _("Records cannot be appended to it later."),
            ),
            live=live,
        )
        error = _("Choose a .csv or .zip file first")
        self.accept_button.set_disabled_reason("" if file and is_v3_file(file[0]) else error)
        if file and not is_v3_file(file[0]):
            self.add_warning(_("V3 accepts only .csv and .zip files. Choose another file."), is_live=False)


def _about(file: tuple[str, str] | None) -> ScaledBoxLayout:
    if file is None:
        return column(Label(_("Drop a file here, or choose one"), TextRole.NAME))
    name, facts = file
    return column(
        ElidedLabel(name, TextRole.NAME), Label(facts, TextRole.SMALL, "text2", tabular=True), gap=1
    )
