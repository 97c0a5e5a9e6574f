"""The commands of the Results stage: each is one function here and one row in `ui.results.actions`."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit
from typing_extensions import override

from batchwright.analysis.store.answer_query import AnswerEntry
from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import JsonObject
from batchwright.local.projects import study_name
from batchwright.ui.core.activity import ActivityStatus
from batchwright.ui.core.formatting import abbreviated_id, number
from batchwright.ui.core.lazy_imports import import_incrementally
from batchwright.ui.planning.plan_study import plan_study
from batchwright.ui.results.answers.answer_file_types import FILTER
from batchwright.ui.results.state import ResultsState
from batchwright.ui.results.statistics.analysis_state import AnalysisState, Undo
from batchwright.ui.results.statistics.section_titles import Section
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.data_fingerprint import has_other_data
from batchwright.ui.study.downloads import (
    DownloadContext,
    DownloadKind,
    download_file,
    file_to_save,
    notify_downloaded,
)
from batchwright.ui.study.downloads import download as start_download
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.dialogs.file_dialogs import FolderChooser
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch
from batchwright.workflows.answers.download_answer_file import extract_answer_file
from batchwright.workflows.answers.download_verified import VerifiedDownload

if TYPE_CHECKING:  # imported in a worker thread
    from batchwright.analysis.statistics.planning.pilot import PilotAnswers


class SaveReportDialog(Dialog):
    """Offers a report that is safe to open in a spreadsheet program, or exactly that of the service."""

    help_address = "results.md#save"

    def __init__(self) -> None:
        super().__init__(
            _("Save the report"),
            _("One row for each record and question."),
            _("Choose where to save…"),
        )
        self.kind = DownloadKind.SAFE_REPORT
        """The kind of report selected."""
        switch = Switch(_("Safe for spreadsheets"))
        switch.setChecked(True)
        switch.toggled.connect(self._on_toggled)
        explanation = _(
            "Participants may have typed formulas. Texts that start with = + - @, a tab or a line break get "
            "an apostrophe (') in front, so that no spreadsheet runs them. Numbers stay numbers. Switch this "
            "off for the file exactly as the service provides it."
        )
        switch.setAccessibleDescription(explanation)
        self.add(column(switch, Label(explanation, TextRole.SMALL, "text2", wraps=True), gap=6))

    def _on_toggled(self, is_safe: bool) -> None:
        self.kind = DownloadKind.SAFE_REPORT if is_safe else DownloadKind.REPORT

    def set_initial_focus(self) -> None:
        """Focus the Save button, so that Enter saves the safe report; Shift+Tab leads to the switch."""
        self.accept_button.setFocus()


class ExclusionDialog(Dialog):
    """Asks for the reason of an exclusion."""

    help_address = "results.md#exclusions"

    def __init__(self, title: str) -> None:
        text = _(
            "Results are computed without these answers, and state that. Nothing is deleted: files with "
            "answers contain them, with the reason."
        )
        super().__init__(title, text, _("Exclude"))
        self._reason = QLineEdit()
        self._field = InputField(_("Reason"), self._reason, required=True)
        self.reason = ""
        """The reason, once the dialog is accepted."""
        self.add(self._field)

    @override
    def accept(self) -> None:
        self.reason = self._reason.text().strip()
        if self.reason:
            super().accept()
        else:
            self._field.show_error(_("Enter a reason."))
            self._reason.setFocus()


@dataclass(frozen=True)
class ResultsContext:
    """The dependencies of the commands of the Results stage."""

    window: StageContext
    state: ResultsState
    downloads: DownloadContext
    analysis: AnalysisState
    show_section: Callable[[Section], None]
    selected_ids: Callable[[], Awaitable[list[str]]]
    """Reads the ids of the answers that are selected."""
    show_record: Callable[[], None]
    """Shows the record of the selected answer as the participant saw it, or the grid again."""
    files: FolderChooser


def refresh(context: ResultsContext) -> None:
    """Fetch the answers, and ask for a token if one is missing."""
    context.state.answers.refresh(may_prompt=True)


async def save_results(context: ResultsContext) -> None:
    """Ask what to save of the results and where, and save it."""
    await import_incrementally("batchwright.ui.results.save.save_command")
    from batchwright.ui.results.save.save_command import SaveContext, save

    await _wait_for_records(context)
    await context.analysis.load_settings()
    settings = context.analysis.settings
    proposed = await context.downloads.save_locations.proposed("", _("results"), _name(context.state))
    if settings is not None:
        study = _name(context.state) or study_name(context.state.study.project)
        read_table = context.state.answers.read_table
        sources = context.window, context.files, read_table
        connection = context.state.session.connection.name
        is_other = await asyncio.to_thread(has_other_data, context.state.study, connection)
        await save(SaveContext(*sources, settings, study, _steps(context.state), proposed, is_other))


async def _wait_for_records(context: ResultsContext) -> None:
    """Wait until the records of the answers are known as far as they can be: files have their fields."""
    shell, records = context.window.shell, context.state.records
    if not records.is_searching:
        return
    activity = ActivityStatus(_("Loading the records"))
    shell.set_activity(activity)
    try:
        await records.wait()
    finally:
        if shell.activity is activity:
            shell.set_activity(None)


def _steps(state: ResultsState) -> Sequence[JsonObject]:
    """The steps of the preparation of the study, if the answers are those to its own batch."""
    data = state.study.project.data
    is_own = state.source.file is None and state.source.other is None
    return data.changes.steps if is_own and data is not None else ()


def _name(state: ResultsState) -> str:
    """What files are named after; empty for the study."""
    if state.source.file is not None:
        return state.source.file.path.stem
    return state.source.other.name if state.source.other is not None else ""


async def plan_from_answers(context: ResultsContext) -> None:
    """Show the planner with what the answers tell, without excluded ones."""
    await context.analysis.load_settings()
    settings, read_table = context.analysis.settings, context.state.answers.read_table
    if settings is None:
        return
    chosen = settings

    def read_pilot() -> "PilotAnswers":
        from batchwright.analysis.pilot_answers import pilot_answers

        return pilot_answers(read_table(), chosen)

    window = context.window
    await plan_study(window.tasks, window.window, context.state.study, context.files, read_pilot)


async def open_answers(context: ResultsContext) -> None:
    """Ask for a file with answers, and show them."""
    path = await context.files.file_to_open(_("Open answers from a file"), (_(FILTER),))
    if path is not None:
        open_answers_in(context, path)


def open_answers_in(context: ResultsContext, path: Path) -> None:
    """Show the answers in a file, instead of those in another one that is being opened."""
    context.window.tasks.restart("open answers", lambda: _show_file(context, path))


async def _show_file(context: ResultsContext, path: Path) -> None:
    await import_incrementally("batchwright.ui.results.answers.answers_from_file")
    from batchwright.ui.results.answers.answers_from_file import show_file

    await show_file(context.window, context.files, context.state, path)


def show_section(context: ResultsContext, section: Section) -> None:
    """Show a section of Results."""
    context.window.shell.set_stage("results")
    context.show_section(section)


async def exclude_participant(context: ResultsContext) -> None:
    """Ask why, and exclude the selected participant."""
    id = context.analysis.selected_participant
    dialog = ExclusionDialog(_("Exclude the participant {id}").format(id=abbreviated_id(id)))
    if await dialog.ask(context.window.window):
        undo = context.analysis.exclude_participants({id: dialog.reason})
        title = _("The participant {id} is excluded").format(id=abbreviated_id(id))
        _notify_changed(context, title, dialog.reason, undo)


async def exclude_answers(context: ResultsContext) -> None:
    """Ask why, and exclude the selected answers."""
    ids = await context.selected_ids()
    count = len(ids)
    title = ngettext("Exclude {count} answer", "Exclude {count} answers", count)
    dialog = ExclusionDialog(title.format(count=number(count)))
    if ids and await dialog.ask(context.window.window):
        await context.analysis.load_settings()
        undo = context.analysis.exclude_answers(dict.fromkeys(ids, dialog.reason))
        title = ngettext("{count} answer is excluded", "{count} answers are excluded", count)
        _notify_changed(context, title.format(count=number(count)), dialog.reason, undo)


async def exclude_by_rule(context: ResultsContext) -> None:
    """Ask for a rule, and exclude what it finds."""
    from batchwright.ui.results.statistics.exclusion_rule_dialog import ExclusionRuleDialog

    await context.analysis.load_settings()
    settings = await context.analysis.find_settings_in_use()
    dialog = ExclusionRuleDialog(has_gold=settings is not None and bool(settings.gold_field))
    if await dialog.ask(context.window.window) and dialog.rule is not None:
        undo = context.analysis.exclude_by_rule(dialog.rule)
        text = _("The list of exclusions has the rule with its count.")
        _notify_changed(context, _("Excluded by a rule"), text, undo)


async def include_answers(context: ResultsContext) -> None:
    """Include the selected answers again; all answers of the participant, if that one is excluded."""
    answer, exclusions = context.state.grid.selected, context.analysis.exclusions
    ids = await context.selected_ids()
    if answer is None or exclusions is None:
        return
    if any(rule.text in answer.exclusion for rule in exclusions.rules):
        context.show_section(Section.PARTICIPANTS)
        title = _("These answers are excluded by a rule")
        text = _("Remove the rule from the list of exclusions to include them again.")
        context.window.notices.show_notice(Notice(NoticeSeverity.INFO, title, text))
        return
    reason = exclusions.participants.get(answer.participant)
    if reason is None and answer.id not in exclusions.answers:
        title = _("The participant answered again later")
        text = _("Of repeated answers, the last one counts. If this one is to count, exclude the later ones.")
        context.window.notices.show_notice(Notice(NoticeSeverity.INFO, title, text))
        return
    if reason is None:
        context.analysis.include(*ids)
        return
    undo = context.analysis.include(answer.participant, *ids)
    title = _("The participant {id} is included again").format(id=abbreviated_id(answer.participant))
    _notify_changed(context, title, _("All answers of the participant count again."), undo)


async def split_versions(context: ResultsContext) -> None:
    """Split questions that versions of the layout ask differently, or count them together again."""
    await context.analysis.load_settings()
    settings = context.analysis.settings
    if settings is not None:
        context.analysis.change(splits_versions=not settings.splits_versions)


async def choose_roles(context: ResultsContext) -> None:
    """Ask for the roles of questions and options, in Comparisons first for the question that is compared."""
    from batchwright.ui.results.statistics.roles_dialog import RolesDialog

    choices, settings = await context.analysis.find_roles(), context.analysis.settings
    if choices is not None and settings is not None and choices.questions:
        is_comparing = context.analysis.section is Section.COMPARISONS
        compared = [question.id for question in choices.questions if question.is_comparison]
        first = compared[0] if compared and is_comparing else ""
        dialog = RolesDialog(choices, settings.roles, first)

        async def read_file() -> None:
            path = await context.files.file_to_open(_("Read roles from a file"), (_("Roles (*.json)"),))
            if path is not None:
                await dialog.read_file(path)

        dialog.file_button.clicked.connect(
            lambda: context.window.tasks.start("results roles file", read_file)
        )
        if await dialog.ask(context.window.window):
            context.analysis.change(roles=dialog.roles)


async def convert_units(context: ResultsContext) -> None:
    """Ask how numbers are converted to other units."""
    from batchwright.analysis.sections import QuestionsResult
    from batchwright.ui.results.statistics.settings_dialogs import UnitsDialog

    result, settings = context.analysis.result(QuestionsResult), context.analysis.settings
    if result is not None and settings is not None and result.units:
        dialog = UnitsDialog(result.units, settings.units)
        if await dialog.ask(context.window.window):
            context.analysis.change(units=dialog.conversions)


def _notify_changed(context: ResultsContext, title: str, text: str, undo: Undo) -> None:
    context.window.notices.show_notice(Notice(NoticeSeverity.SUCCESS, title, text, _("Undo"), undo))


def show_record(context: ResultsContext) -> None:
    """Show the record of the selected answer as the participant saw it."""
    context.show_record()


def mark_all_seen(context: ResultsContext) -> None:
    """Mark all answers as seen."""
    context.state.grid.mark_all_seen()


async def download_answer_file(context: ResultsContext, entry: AnswerEntry) -> None:
    """Ask where to save a file that a participant uploaded, and download it or extract it."""
    state, file, key = context.state, context.state.source.file, entry.file_key
    if key is None:
        return
    selected = state.grid.selected
    language = None if selected is None else state.answers.languages.get(selected.task)
    of = state.source.remote_study_of(language)
    name = entry.file_name or key
    if of is not None:
        await download_file(context.downloads, of, key, name)
    elif file is not None and (path := await file_to_save(context.downloads, name)) is not None:
        await asyncio.to_thread(extract_answer_file, file.path, key, path)
        notify_downloaded(context.downloads, DownloadKind.FILE, VerifiedDownload(path, None))


async def download_report(context: ResultsContext) -> None:
    """Ask how and where to save the report, and download it."""
    dialog = SaveReportDialog()
    if await dialog.ask(context.window.window):
        await download(context, dialog.kind)


async def download_export(context: ResultsContext) -> None:
    """Ask where to save the export, and download it."""
    await download(context, DownloadKind.EXPORT)


async def download_answers(context: ResultsContext) -> None:
    """Ask where to save all answers, and download them."""
    await download(context, DownloadKind.ANSWERS)


async def download(context: ResultsContext, kind: DownloadKind) -> None:
    """Ask where to save a file, and download it."""
    of, other = context.state.source.remote_study, context.state.source.other
    if of is not None:
        await start_download(context.downloads, kind, of, other.name if other is not None else "")
