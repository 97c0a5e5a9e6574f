"""Exports the texts of a study for translators, and imports what they send back."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.local_formats import joined
from batchwright.data_files.translation_files.csv_file import csv_content, read_csv
from batchwright.data_files.translation_files.exchanged_texts import ExchangedText, ReadTranslations
from batchwright.data_files.translation_files.xliff import read_xliff, xliff_content
from batchwright.layout.translations import ParticipantText
from batchwright.local.projects import Project
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
    project, texts = state.study.project, state.texts
    path = await locations.proposed(".csv", " ".join(state.languages))
    content = partial(csv_content, texts, project.translations, partial(_place, project))
    return await _export(content, path, _CSV, files, locations)


async def export_xliff(
    state: LanguagesState, language: str, files: FileChooser, locations: SaveLocationMemory
) -> str:
    """Ask for a file and write the texts in one language to it; returns what was done, empty for nothing.

    Raises:
        OSError: the file cannot be written.
    """
    project, texts, source_language = state.study.project, state.texts, state.source_language
    path = await locations.proposed(".xlf", language)
    translated = project.translations.get(language, {})
    content = partial(xliff_content, texts, source_language, language, translated, partial(_place, project))
    return await _export(content, path, _XLIFF, files, locations)


async def _export(
    content: Callable[[], bytes],
    proposed: Path,
    name_filter: str,
    files: FileChooser,
    locations: SaveLocationMemory,
) -> str:
    path = await files.file_to_save(_("Export for translators"), (_(name_filter),), proposed)
    if path is None:
        return ""
    await asyncio.to_thread(lambda: write_atomically(path, content()))
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
    result = await asyncio.to_thread(read, content, state.texts, state.study_languages)
    state.import_texts(result)
    return _result_text(result)


def _result_text(result: ReadTranslations) -> str:
    imported = ngettext("{count} text imported.", "{count} texts imported.", result.count)
    parts = [imported.format(count=number(result.count))]
    if result.unknown:
        lines, named = _lines(result.unknown)
        text = ngettext(
            "The study does not have the text of line {lines}.",
            "The study does not have the texts of {count} lines: {lines}.",
            lines,
        )
        parts.append(text.format(count=number(lines), lines=named))
    if result.incomplete:
        lines, named = _lines(result.incomplete)
        text = ngettext(
            "The translation of line {lines} is incomplete and was not imported.",
            "The translations of {count} lines are incomplete and were not imported: {lines}.",
            lines,
        )
        parts.append(text.format(count=number(lines), lines=named))
    return " ".join(parts)


def _lines(texts: Sequence[ExchangedText]) -> tuple[int, str]:
    """How many lines texts are in, and the numbers of the first ones."""
    lines = dict.fromkeys(text.line for text in texts)
    return len(lines), joined(map(str, lines), _MAX_NAMED)


def _place(project: Project, text: ParticipantText) -> str:
    return place_of(text.text, project.shown_path(text.text.path))
