"""Asking before a file is sent as a V3 dataset, and saying what such a dataset cannot do."""

from pathlib import Path

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import size
from batchwright.ui.data.file_dialog import FileConfirmDialog
from batchwright.ui.data.upload_v3 import is_v3_file


class V3Dialog(FileConfirmDialog):
    """The file, and what V3 makes of it.

    Args:
        file: the file and its size in bytes; None where none was chosen.
        v4_is_off: whether the workspace is known to have no V4 datasets.
        live: the service reached, where it is a live one.
    """

    def __init__(self, file: tuple[Path, int] | None, *, v4_is_off: bool, live: str) -> None:
        off = _("This workspace has no V4 datasets. A V3 dataset takes a CSV file, or one in a ZIP archive.")
        on = _("A V3 dataset takes a CSV file, or one in a ZIP archive, as it is.")
        super().__init__(
            _("Send as a V3 dataset"),
            off if v4_is_off else on,
            _("Send {name}").format(name=file[0].name) if file else _("Send"),
            file=(file[0].name, size(file[1])) if file else None,
            notes=(
                _("V3 has no schema: records are not checked, and a layout cannot show dataset fields."),
                _("People see every column but those that begin with META_. META_TASK_GROUP_ID groups rows."),
                _("Nothing can be appended to it later."),
            ),
            live=live,
        )
        refusal = _("Choose a .csv or .zip file first")
        self.act.allow("" if file and is_v3_file(file[0]) else refusal)
        if file and not is_v3_file(file[0]):
            self.warn(_("V3 takes .csv and .zip files only. Choose another file."), is_live=False)
