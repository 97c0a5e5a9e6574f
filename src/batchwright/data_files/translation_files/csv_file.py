"""CSV for translators: a row for each text, with its id, its place, its source and a column per language.

The file is safe to open in a spreadsheet program (`data_files.spreadsheet_cells`), and read with the
delimiter that such a program has written.
"""

import csv
import io
from collections.abc import Callable, Iterator, Sequence

from batchwright.base.i18n import _
from batchwright.data_files.file_types import DELIMITER_LINE
from batchwright.data_files.spreadsheet_cells import CsvWriter, original_cell
from batchwright.data_files.text_rows.csv_rows import MAX_CELL_CHARS
from batchwright.data_files.translation_files.exchanged_texts import (
    ExchangedText,
    InvalidTranslationFile,
    ReadTranslations,
    StudyLanguages,
    known_language,
    read_texts,
    text_id,
)
from batchwright.layout.translations import ParticipantText, Translations

_ID, _PLACE, _SOURCE = "id", "place", "source"
_DELIMITERS = ",;\t"


def csv_content(
    texts: Sequence[ParticipantText],
    translations: Translations,
    place_of: Callable[[ParticipantText], str],
) -> bytes:
    """The file with all languages of a study; `place_of` says for people where a text is."""
    file = io.StringIO(newline="")
    writer = CsvWriter(file, is_spreadsheet_safe=True)
    writer.writerow([_ID, _PLACE, _SOURCE, *translations])
    for text in texts:
        found = (texts.get(text.address) for texts in translations.values())
        translated = ["" if one is None else one.text for one in found]
        writer.writerow([text_id(text.address), place_of(text), text.text.text, *translated])
    return file.getvalue().encode("utf-8-sig", "replace")


def read_csv(content: bytes, texts: Sequence[ParticipantText], languages: StudyLanguages) -> ReadTranslations:
    """The translations in a file, for the texts of a study and its languages.

    Raises:
        InvalidTranslationFile: it is not a file of this form, or is damaged.
    """
    return read_texts(_rows(_decoded(content), languages), texts)


def _decoded(content: bytes) -> str:
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InvalidTranslationFile(_("This is not UTF-8. Save the file as “CSV UTF-8”."), line) from None


def _rows(text: str, languages: StudyLanguages) -> Iterator[ExchangedText]:
    named = DELIMITER_LINE.match(text)
    delimiter = _delimiter(text) if named is None else named[1]
    csv.field_size_limit(MAX_CELL_CHARS)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        if named is not None:
            next(reader)
        head = [cell.strip() for cell in next(reader, [])]
        by_column = _languages(head, languages)
        line = reader.line_num + 1
        for row in reader:
            yield from _texts_of_row(row, head, by_column, line)
            line = reader.line_num + 1
    except csv.Error as error:
        raise InvalidTranslationFile(str(error), reader.line_num) from None


def _delimiter(text: str) -> str:
    """The delimiter with which the first line has the columns of such a file, in whatever order."""
    line = text.partition("\n")[0].partition("\r")[0]
    return next((sign for sign in _DELIMITERS if {_ID, _SOURCE} <= _names(line, sign)), ",")


def _names(line: str, delimiter: str) -> set[str]:
    return {cell.strip(' "') for cell in line.split(delimiter)}


def _languages(head: Sequence[str], known: StudyLanguages) -> dict[int, str]:
    """The languages by column.

    Raises:
        InvalidTranslationFile: a column is missing, or is no language.
    """
    for name in (_ID, _SOURCE):
        if name not in head:
            raise InvalidTranslationFile(_("The column “{name}” is missing.").format(name=name), 1)
    others = (_ID, _PLACE, _SOURCE, "")
    return {column: known_language(name, known, 1) for column, name in enumerate(head) if name not in others}


def _texts_of_row(
    row: Sequence[str], head: Sequence[str], languages: dict[int, str], line: int
) -> Iterator[ExchangedText]:
    if not any(row):
        return
    if len(row) > len(head):
        raise InvalidTranslationFile(_("There are more cells than columns."), line)
    cells = [*map(original_cell, row), *[""] * (len(head) - len(row))]
    id, source = cells[head.index(_ID)], cells[head.index(_SOURCE)]
    for column, language in languages.items():
        yield ExchangedText(language, id, source, cells[column], line)
