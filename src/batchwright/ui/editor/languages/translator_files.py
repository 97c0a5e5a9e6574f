"""Exports the texts of a study for translators, and imports what they send back."""

import asyncio
from pathlib import Path

from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.local_formats import joined
from batchwright.data_files.translation_files.csv_file import csv_content, read_csv
from batchwright.data_files.translation_files.exchanged_texts import ReadTranslations
from batchwright.data_files.translation_files.xliff import read_xliff, xliff_content
from batchwright.layout.translations import ParticipantText
from batchwright.ui.core.formatting import number
from batchwright.ui.editor.find.match_rows import place_of
from batchwright.ui.editor.languages.state import LanguagesState
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.widgets.dialogs.file_dialogs import FileChooser

_CSV = N_("CSV files (*.csv)")
_XLIFF = N_("XLIFF files (*.xlf *.xliff)")
_ANY = N_("Files of translators (*.csv *.xlf *.xliff)")
_MAX_NAMED = 5
"""Lines that are named of those that could not be imported."""


async def export_csv(state: LanguagesState, files: FileChooser, locations: SaveLocationMemory) -> str:
    """Ask for a file and write the texts in all languages to it; returns what was done, empty for nothing.

    Raises:
        OSError: the file cannot be written.
    """
    content = csv_content(state.texts, state.study.project.translations, lambda text: _place(state, text))
    path = await locations.proposed(".csv", " ".join(state.languages))
    return await _export(content, path, _CSV, files, locations)


async def export_xliff(
    state: LanguagesState, language: str, files: FileChooser, locations: SaveLocationMemory
) -> str:
    """Ask for a file and write the texts in one language to it; returns what was done, empty for nothing.

    Raises:
        OSError: the file cannot be written.
    """
    translated = state.study.project.translations.get(language, {})
    content = xliff_content(
        state.texts, state.source_language, language, translated, lambda text: _place(state, text)
    )
    path = await locations.proposed(".xlf", language)
    return await _export(content, path, _XLIFF, files, locations)


async def _export(
    content: bytes, proposed: Path, name_filter: str, files: FileChooser, locations: SaveLocationMemory
) -> str:
    path = await files.file_to_save(_("Export for translators"), (_(name_filter),), proposed)
    if path is None:
        return ""
    await asyncio.to_thread(write_atomically, path, content)
    locations.record(path)
    return _("Exported to {path}.").format(path=path)


async def import_translations(state: LanguagesState, files: FileChooser) -> str:
    """Ask for a file and use its translations as one step; returns what was done, empty for nothing.

    Raises:
        InvalidTranslationFile: the file is not one for translators, or is damaged.
        OSError: it cannot be read.
    """
    path = await files.file_to_open(_("Import translations"), (_(_ANY),))
    if path is None:
        return ""
    content = await asyncio.to_thread(path.read_bytes)
    read = read_csv if path.suffix.lower() == ".csv" else read_xliff
    result = await asyncio.to_thread(read, content, state.texts, state.possible_languages)
    state.import_texts(result)
    return _result_text(result)


def _result_text(result: ReadTranslations) -> str:
    text = ngettext("{count} text imported.", "{count} texts imported.", result.count)
    text = text.format(count=number(result.count))
    lines = list(dict.fromkeys(one.line for one in result.unknown))
    if not lines:
        return text
    unknown = ngettext(
        "The study does not have the text of line {lines}.",
        "The study does not have the texts of {count} lines: {lines}.",
        len(lines),
    )
    named = joined(map(str, lines), _MAX_NAMED)
    return f"{text} {unknown.format(count=number(len(lines)), lines=named)}"


def _place(state: LanguagesState, text: ParticipantText) -> str:
    return place_of(text.text, state.study.shown_path(text.text.path))
