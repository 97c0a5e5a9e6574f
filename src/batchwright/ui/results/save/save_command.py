"""The command “Save results”: asks what to write, writes it in a worker thread, and says where it is."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

from PySide6.QtGui import QImage

from batchwright.analysis.charts import Chart
from batchwright.analysis.output.pair_fields import PairFields, suggested_pair_fields
from batchwright.analysis.output.write_files import KeyChanged, ResultFiles, result_files
from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.comparisons.system_results import comparison_questions
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.text_columns import UnusableField, number_of_different
from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import JsonObject
from batchwright.base.policy import PSEUDONYMS, computer_policy
from batchwright.prepare.description import description
from batchwright.prepare.preparation import read_steps
from batchwright.prepare.problems import InvalidSteps
from batchwright.ui.content.charts.chart_painter import chart_image, png
from batchwright.ui.core.desktop import open_file
from batchwright.ui.core.formatting import number
from batchwright.ui.results.save.save_dialog import AnswersSummary, SaveDialog
from batchwright.ui.results.save.save_options import SaveOptions, from_stored, to_stored
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.widgets.dialogs.file_dialogs import FolderChooser
from batchwright.ui.widgets.notices import Notice, NoticeSeverity


@dataclass(frozen=True)
class SaveContext:
    """What is saved, and the dependencies of the command."""

    window: StageContext
    files: FolderChooser
    read_table: Callable[[], AnswerTable]
    """Returns all answers; called in a worker thread."""
    settings: AnalysisSettings
    study: str
    """What the answers are about."""
    steps: Sequence[JsonObject]
    """The steps of the preparation of the records, as they are stored; empty if they are not known."""
    proposed: Path
    """The proposed folder. The key of the pseudonyms is proposed beside it."""
    has_other_data: bool = False
    """Whether the dataset was created from other data than the study has now, perhaps by other steps."""


_PAINT_TIMEOUT_S = 30.0
"""Seconds after which a thread no longer waits for the window, which may have been closed."""


class _Stopped(Exception):
    """The dialog was closed while files were being written."""


async def save(context: SaveContext) -> None:
    """Ask what to save and where, and save it; the choices are stored for the next time."""
    table, summary = await asyncio.to_thread(_summary, context.read_table, context.settings)
    has_pseudonyms = computer_policy().preset(PSEUDONYMS) or False
    stored = from_stored(context.window.settings.save_options, SaveOptions(has_pseudonyms=has_pseudonyms))
    options = _proposed(stored, context.proposed, summary)
    dialog = SaveDialog(summary, options, context.files, context.window.tasks)
    saving = _Saving(dialog, table, context)
    if await dialog.ask_until(context.window.window, saving.attempt) and saving.results is not None:
        _notify(context, saving.results)


def _design(steps: Sequence[JsonObject], *, has_other_data: bool) -> str:
    """How the records were prepared; empty if steps are not valid, as those of a newer version may be."""
    try:
        design = description(read_steps([*steps]))
    except InvalidSteps:
        return ""
    if not (design and has_other_data):
        return design
    changed = _("The data of the study has changed since the dataset was created; these are its steps now.")
    return f"{design} {changed}"


class _Saving:
    """The attempts to save; an analysis is used again if the choices have not changed."""

    def __init__(self, dialog: SaveDialog, table: AnswerTable, context: SaveContext) -> None:
        self._dialog, self._table, self._context = dialog, table, context
        self._loop = asyncio.get_running_loop()
        self._options: SaveOptions | None = None
        self._stopped = Event()
        """Set when the dialog is closed; ends the work of the thread."""
        dialog.rejected.connect(self._stopped.set)
        self.results: ResultFiles | None = None
        """What was analysed last."""
        self._writing, self._fraction, self._rows = "", 0.0, 0
        """The text about the file being written, the fraction of complete files, and the rows of the file."""

    async def attempt(self) -> bool:
        """Save with the options of the dialog; False if it shows a question or an error."""
        try:
            return await self._save(self._dialog.options)
        except Exception as error:
            self._options = None
            self._dialog.show_error(self._message(error))
            return False

    async def _save(self, options: SaveOptions) -> bool:
        if self.results is None or self._options != options:
            self._dialog.show_progress(_("Computing results"), None)
            self.results, self._options = await asyncio.to_thread(self._analyse, options), options
        existing = await asyncio.to_thread(self.results.existing)
        if not self._dialog.confirm_replacing(existing):
            return False
        try:
            await asyncio.to_thread(self.results.write, self._on_file)
        except KeyChanged:
            self.results = None
            return await self._save(options)
        self._context.window.settings.save_options = to_stored(options)
        return True

    def _on_file(self, done: int, name: str) -> None:
        """Show which file is being written; called in a worker thread."""
        self._fraction = done / (1 + (len(self.results.files) if self.results is not None else 0))
        self._writing, self._rows = _("Writing {name}").format(name=name), 0
        self._show_soon(self._writing if name else _("Moving the files into the folder"))

    def _on_rows(self, count: int) -> None:
        """Show how many rows of the file are written; called in a worker thread."""
        self._rows += count
        rows = ngettext("{file}: {count} row", "{file}: {count} rows", self._rows)
        text = rows.format(file=self._writing, count=number(self._rows))
        self._show_soon(text if self._rows else self._writing)

    def _show_soon(self, text: str) -> None:
        if self._stopped.is_set():
            raise _Stopped
        self._loop.call_soon_threadsafe(self._show, text, self._fraction)

    def _message(self, error: Exception) -> str:
        if isinstance(error, UnusableField):
            text = _("“{field}” cannot be used for this. Change the settings of the analysis.")
            return error.reason or text.format(field=error)
        message = self._context.window.tasks.message(error)
        if message.is_bug:
            self._context.window.tasks.report("save results", error)
        return f"{message.what} {message.remedy}"

    def _show(self, text: str, fraction: float) -> None:
        if not self._stopped.is_set():
            self._dialog.show_progress(text, fraction)

    def _analyse(self, options: SaveOptions) -> ResultFiles:
        key = Path(options.key) if options.has_pseudonyms else None
        folder = Path(options.folder)
        design = _design(self._context.steps, has_other_data=self._context.has_other_data)
        choices = options.choices(self._context.study, design, self._picture)
        return result_files(self._table, self._context.settings, choices, folder, key, self._on_rows)

    def _picture(self, chart: Chart) -> bytes:
        """Paint a chart on the thread of the window, whose fonts it uses, and encode it in this one."""
        painted = Future[QImage]()
        self._loop.call_soon_threadsafe(self._paint, chart, painted)
        return png(painted.result(_PAINT_TIMEOUT_S))

    def _paint(self, chart: Chart, painted: "Future[QImage]") -> None:
        try:
            painted.set_result(chart_image(chart))
        except Exception as error:
            painted.set_exception(error)


def _summary(
    read_table: Callable[[], AnswerTable], settings: AnalysisSettings
) -> tuple[AnswerTable, AnswersSummary]:
    """Read the answers, and count what the dialog states."""
    table = read_table()
    prepared = prepare(table, settings)
    excluded, compares = prepared.excluded.answers, bool(comparison_questions(prepared.all))
    people = number_of_different(table.participants.codes)
    fields, pair_fields = tuple(table.fields), suggested_pair_fields(table)
    return table, AnswersSummary(len(table), people, excluded, fields, compares, pair_fields)


def _proposed(stored: SaveOptions, proposed: Path, summary: AnswersSummary) -> SaveOptions:
    """The options of last time, in a folder for these answers beside the last one."""
    parent = Path(stored.folder).parent if stored.folder else proposed.parent
    key = parent / _("{name} - key of the pseudonyms.csv").format(name=proposed.name)
    fields = stored.pair_fields
    if not {fields.prompt, fields.left, fields.right} <= set(summary.fields):
        fields = summary.pair_fields or PairFields("", "", "")
    return replace(stored, folder=str(parent / proposed.name), key=str(key), pair_fields=fields)


def _notify(context: SaveContext, results: ResultFiles) -> None:
    """Say what was saved, with a button that opens the folder."""
    notices, excluded = context.window.notices, len(results.analysis.table) - results.analysis.included
    text = ngettext("{count} file in {folder}.", "{count} files in {folder}.", len(results.files))
    text = text.format(count=number(len(results.files)), folder=results.folder.name)
    if excluded:
        more = ngettext("{count} answer is excluded.", "{count} answers are excluded.", excluded)
        text = f"{text} {more.format(count=number(excluded))}"
    text = " ".join([text, *(file.note for file in results.files if file.note)])

    def open_folder() -> None:
        open_file(notices, results.folder)

    notices.show_notice(
        Notice(NoticeSeverity.SUCCESS, _("Results saved"), text, _("Open folder"), open_folder)
    )
