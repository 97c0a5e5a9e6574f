"""The actions of the Results stage: one row for each command."""

from functools import partial
from typing import TYPE_CHECKING

from batchwright.base.i18n import N_, _
from batchwright.base.policy import computer_policy
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import ALWAYS, Action, Condition, Menu, MenuSection, Submenu, condition
from batchwright.ui.core.lazy_imports import LazyFunctions
from batchwright.ui.results.statistics.section_titles import ABOUT_RECORDS, SECTIONS, Section

if TYPE_CHECKING:  # imported when the stage is opened
    import batchwright.ui.results.commands as commands
    from batchwright.ui.results.commands import ResultsContext
else:
    commands = LazyFunctions("batchwright.ui.results.commands")


_FILE = MenuSection(Menu.FILE, 0)
_RESULTS = MenuSection(Menu.RUN, 39, Submenu.RESULTS)
_ANSWERS = MenuSection(Menu.RUN, 40, Submenu.RESULTS)
_STATISTICS = MenuSection(Menu.RUN, 42, Submenu.RESULTS)
_SECTIONS = MenuSection(Menu.RUN, 41, Submenu.RESULTS)


def answers_disabled_reason(context: "ResultsContext") -> str:
    """Why there are no answers to save or to compute results from."""
    state = context.state
    if state.source.file is not None:
        return _("The answers in this file are still being read")
    if state.source.remote_study is None:
        return _("Create the batch or collection first")
    if state.answers.needs_sign_in:
        return _("Sign in first")
    if state.answers.error is not None and not state.answers.has_answers:
        return _("The answers could not be loaded. Refresh them first.")
    if state.answers.awaits_first or state.answers.has_answers:
        return _("The answers are being loaded")
    return _("There are no answers yet")


def download_disabled_reason(context: "ResultsContext") -> str:
    """Why neither the report nor a file with all answers can be downloaded."""
    if reason := computer_policy().raw_answers_reason:
        return reason
    if context.state.is_downloading:
        return _("A download is running")
    if context.state.source.file is not None:
        return _("These answers are from a file. Close it to download from the service.")
    return answers_disabled_reason(context)


def report_disabled_reason(context: "ResultsContext") -> str:
    """Why the report cannot be downloaded."""
    if context.state.source.is_for_collection and context.state.source.file is None:
        return _("Collections have no report. Download the export instead.")
    return download_disabled_reason(context)


def export_disabled_reason(context: "ResultsContext") -> str:
    """Why the export cannot be downloaded: one without answers would be kept by the service."""
    state, reason = context.state, download_disabled_reason(context)
    if (
        computer_policy().raw_answers_reason
        or state.is_downloading
        or state.answers.awaits_first
        or state.source.remote_study is None
        or state.answers.error is not None
    ):
        return reason
    return _("There are no answers yet, and the service creates an export once and keeps it")


@condition(download_disabled_reason)
def can_download_answers(context: "ResultsContext") -> bool:
    """Whether answers are known that can be saved as the service has them."""
    state = context.state
    if computer_policy().raw_answers_reason:
        return False
    return state.answers.has_answers and state.source.file is None and not state.is_downloading


@condition(answers_disabled_reason)
def can_save_results(context: "ResultsContext") -> bool:
    """Whether there are answers whose results can be saved."""
    return context.state.answers.is_complete


@condition(report_disabled_reason)
def can_download_report(context: "ResultsContext") -> bool:
    """Whether the report can be downloaded; collections have none."""
    return can_download_answers(context) and not context.state.source.is_for_collection


@condition(export_disabled_reason)
def can_download_export(context: "ResultsContext") -> bool:
    """Whether the export can be downloaded; it may have answers that the service does not list."""
    has_unlisted = context.state.answers.lacks_list and not context.state.is_downloading
    has_unlisted = has_unlisted and not computer_policy().raw_answers_reason
    return can_download_answers(context) or has_unlisted


@condition(N_("Create the batch or collection first"))
def has_source(context: "ResultsContext") -> bool:
    """Whether there is a batch or collection whose answers can be fetched."""
    return context.state.source.remote_study is not None


@condition(N_("Select a participant in Results first"), in_stage_only=True)
def _has_participant(context: "ResultsContext") -> bool:
    return bool(context.analysis.selected_participant)


@condition(N_("Select an answer in Results first"), in_stage_only=True)
def _has_answer(context: "ResultsContext") -> bool:
    return context.state.grid.selected is not None


@condition(N_("Select an excluded answer in Results first"), in_stage_only=True)
def _has_excluded_answer(context: "ResultsContext") -> bool:
    answer = context.state.grid.selected
    return answer is not None and bool(answer.exclusion) and context.analysis.exclusions is not None


@condition(N_("Show answers in Results first"), in_stage_only=True)
def _shows_answers(context: "ResultsContext") -> bool:
    return context.analysis.is_active


def _in_section(section: Section, reason: str) -> "Condition[ResultsContext]":
    def is_shown(context: "ResultsContext") -> bool:
        return context.analysis.section is section and context.analysis.is_active

    return Condition(is_shown, reason, in_stage_only=True)


@condition(N_("Select an answer in Results first"), in_stage_only=True)
def _has_selected(context: "ResultsContext") -> bool:
    return context.window.shell.stage == "results" and context.state.grid.selected is not None


@condition(N_("No answers are new"), in_stage_only=True)
def _has_new(context: "ResultsContext") -> bool:
    return context.state.grid.new_answers > 0


@condition(N_("The answers to a collection are about no records"))
def _is_about_records(context: "ResultsContext") -> bool:
    return not context.state.answers.overview.is_survey


@condition(N_("All answers were given to the same questions"), in_stage_only=True)
def _has_versions(context: "ResultsContext") -> bool:
    return context.state.answers.overview.layout_use.differing > 0


ACTIONS: tuple["Action[ResultsContext]", ...] = (
    Action(
        ActionId.RESULTS_OPEN, N_("Open answers from a file…"), commands.open_answers, _FILE, "folder-open"
    ),
    Action(
        ActionId.RESULTS_SAVE,
        N_("Save results…"),
        commands.save_results,
        _RESULTS,
        "download-simple",
        can_save_results,
    ),
    Action(
        ActionId.RESULTS_REPORT,
        N_("Download report…"),
        commands.download_report,
        _ANSWERS,
        "file-text",
        can_download_report,
        "Ctrl+Shift+R",
    ),
    Action(
        ActionId.RESULTS_EXPORT,
        N_("Download export…"),
        commands.download_export,
        _ANSWERS,
        "archive",
        can_download_export,
        "Ctrl+Shift+E",
    ),
    Action(
        ActionId.RESULTS_ANSWERS,
        N_("Save all answers…"),
        commands.download_answers,
        _ANSWERS,
        "download-simple",
        can_download_answers,
    ),
    Action(
        ActionId.RESULTS_RECORD,
        N_("Show record as participants saw it"),
        commands.show_record,
        _ANSWERS,
        "eye",
        _has_selected,
        "F4",
    ),
    Action(
        ActionId.RESULTS_SEEN,
        N_("Mark all answers as seen"),
        commands.mark_all_seen,
        _ANSWERS,
        "eye",
        _has_new,
    ),
    Action(
        ActionId.RESULTS_REFRESH,
        N_("Refresh answers"),
        commands.refresh,
        _ANSWERS,
        "arrow-clockwise",
        has_source,
    ),
    Action(
        ActionId.RESULTS_SPLIT_VERSIONS,
        N_("Split or join versions of the layout"),
        commands.split_versions,
        _STATISTICS,
        "clock-counter-clockwise",
        _has_versions,
    ),
    Action(
        ActionId.RESULTS_PLAN,
        N_("Plan a study from these answers…"),
        commands.plan_from_answers,
        _STATISTICS,
        "ruler",
        can_save_results,
    ),
    Action(
        ActionId.RESULTS_ROLES,
        N_("Roles of questions and options…"),
        commands.choose_roles,
        _STATISTICS,
        "tag",
        _shows_answers,
    ),
    Action(
        ActionId.RESULTS_UNITS,
        N_("Convert units…"),
        commands.convert_units,
        _STATISTICS,
        "ruler",
        _in_section(Section.QUESTIONS, N_("Show the results by question first")),
    ),
    Action(
        ActionId.RESULTS_EXCLUDE_ANSWERS,
        N_("Exclude answers…"),
        commands.exclude_answers,
        _STATISTICS,
        "prohibit",
        _has_answer,
    ),
    Action(
        ActionId.RESULTS_INCLUDE_ANSWERS,
        N_("Include answers again"),
        commands.include_answers,
        _STATISTICS,
        "arrow-u-up-left",
        _has_excluded_answer,
    ),
    Action(
        ActionId.RESULTS_EXCLUDE_PARTICIPANT,
        N_("Exclude participant…"),
        commands.exclude_participant,
        _STATISTICS,
        "prohibit",
        _has_participant,
    ),
    Action(
        ActionId.RESULTS_EXCLUDE_BY_RULE,
        N_("Exclude by rule…"),
        commands.exclude_by_rule,
        _STATISTICS,
        "prohibit",
        _shows_answers,
    ),
    *(
        Action(
            f"results.show_{section}",
            info.action,
            partial(commands.show_section, section=section),
            _SECTIONS,
            info.glyph,
            _is_about_records if section in ABOUT_RECORDS else ALWAYS,
        )
        for section, info in SECTIONS.items()
    ),
)
"""The actions of the stage."""
