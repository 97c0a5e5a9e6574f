"""Tables that were pasted or dragged from other programs, as files in the program's data folder.

They stay there, so that a study with such a table can be saved and opened again.
"""

from datetime import datetime
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.text import without_lone_surrogates
from batchwright.data_files.file_types import json_extension
from batchwright.data_files.sources.clipboard_tables import clipboard_table
from batchwright.data_files.spreadsheet_cells import CsvWriter

FOLDER = "tables"
"""The folder in that of the program's data."""


def save_pasted_table(folder: Path, html: str | None, text: str, now: datetime) -> Path:
    """Write the table in what was copied as HTML, as text, or as both, to a new file named by the time.

    A table in JSON or JSON Lines stays as it is; any other is written as CSV.

    Raises:
        UnreadableFile: there is no table, or it is too large.
        OSError: the file cannot be written.
    """
    text = without_lone_surrogates(text)
    extension = json_extension(text)
    table = None if extension else clipboard_table(html, text)
    folder.mkdir(parents=True, exist_ok=True)
    name = _("Pasted table {time}").format(time=now.strftime("%Y-%m-%d %H.%M"))
    names = (name, *(f"{name} ({number})" for number in range(2, 100)))
    for candidate in names:
        try:
            file = (folder / f"{candidate}{extension or '.csv'}").open("x", encoding="utf-8", newline="")
        except FileExistsError:
            continue
        with file:
            if table is None:
                file.write(text)
            else:
                CsvWriter(file, is_spreadsheet_safe=False).writerows((table.columns, *table.rows))
        return Path(file.name)
    raise FileExistsError(folder / f"{name}.csv")
