"""A question about a file, in which another can be chosen or dropped."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.data.drag_drop import dropped_file
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.drops import accept_copy
from batchwright.ui.widgets.icon_tile import Glyph, IconTile
from batchwright.ui.widgets.surfaces import DropZone
from batchwright.ui.widgets.text import ElidedLabel, Label


class FileConfirmDialog(Dialog):
    """The file it is about, what is to be known of it, and the act.

    Args:
        title: the question.
        sentence: what is done with the file.
        act: what the button is called.
        file: its name and a few facts; None where there is none yet.
        notes: what is to be known, each a sentence.
        live: the service reached, where it is a live one.
    """

    def __init__(
        self,
        title: str,
        sentence: str,
        act: str,
        *,
        file: tuple[str, str] | None,
        notes: tuple[str, ...],
        live: str,
    ) -> None:
        super().__init__(title, sentence, act, ButtonKind.LIVE if live else ButtonKind.PRIMARY)
        self.dropped_path: Path | None = None
        """Another file that was dropped."""
        self.chooses_other = False
        """Whether another file is to be asked for."""
        choose = Button(_("Choose another file") if file else _("Choose a file"), height=ButtonSize.DIALOG)
        choose.clicked.connect(self._on_choose_clicked)
        self.put_aside(choose)
        self._zone = DropZone()
        self._zone.setAccessibleName(_("File"))
        line = row(IconTile("table", "content", 28), gap=12, margins=(16, 14, 16, 14), parent=self._zone)
        line.addLayout(_about(file), 1)
        self.put(self._zone, *map(info_line, notes))
        if live:
            self.warn(_("This reaches {service}. It cannot be undone.").format(service=live), is_live=True)
        self.setAcceptDrops(True)

    def _on_choose_clicked(self) -> None:
        self.chooses_other = True
        self.reject()

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if isinstance(dropped_file(event.mimeData(), busy=None), Path):
            accept_copy(event)
            self._zone.show_target(is_target=True)

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._zone.show_target(is_target=False)

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        path = dropped_file(event.mimeData(), busy=None)
        if isinstance(path, Path):
            accept_copy(event)
            self.dropped_path = path
            self.reject()


def info_line(sentence: str) -> ScaledBoxLayout:
    """A sentence that is good to know."""
    line = row(gap=8)
    line.addWidget(Glyph("info", "text2", 16), 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(Label(sentence, TextRole.SMALL, "text2", wraps=True), 1)
    return line


def _about(file: tuple[str, str] | None) -> ScaledBoxLayout:
    if file is None:
        return column(Label(_("Drop a file here, or choose one"), TextRole.NAME))
    name, facts = file
    return column(
        ElidedLabel(name, TextRole.NAME), Label(facts, TextRole.SMALL, "text2", tabular=True), gap=1
    )
