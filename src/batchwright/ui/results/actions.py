"""The actions of the Results stage: one row for each command."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from batchwright.base.i18n import N_, _
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.core.lazy_imports import LazyFunctions
from batchwright.ui.results.section_titles import SECTIONS, Section

if TYPE_CHECKING:  # imported when the stage is opened
    import batchwright.ui.results.commands as commands
    from batchwright.ui.results.commands import ResultsContext
else:
    commands = LazyFunctions("batchwright.ui.results.commands")


def can_download_answers(context: "ResultsContext") -> bool:
    """Whether answers are known that can be saved."""
    state = context.state
    return state.answers.has_answers and state.source.file is None and not state.is_downloading


def can_save_results(context: "ResultsContext") -> bool:
    """Whether there are answers whose results can be saved."""
    return context.state.answers.is_complete


def can_download_report(context: "ResultsContext") -> bool:
    """Whether the report can be downloaded; collections have none."""
    return can_download_answers(context) and not context.state.source.is_for_collection


def can_download_export(context: "ResultsContext") -> bool:
    """Whether the export can be downloaded; it may have answers that the service does not list."""
    has_unlisted = context.state.remote.lacks_list and not context.state.is_downloading
    return can_download_answers(context) or has_unlisted


def answers_disabled_reason(context: "ResultsContext") -> str:
    """Why there are no answers to save or to compute results from."""
    state = context.state
    if state.source.file is not None:
        return _("The answers in this file are still being read")
    if state.source.of is None:
        return _("Create the batch or collection first")
    if state.remote.needs_sign_in:
        return _("Sign in first")
    if state.remote.error is not None and not state.answers.has_answers:
        return _("The answers could not be loaded. Refresh them first.")
    if state.is_loading or state.answers.has_answers:
        return _("The answers are being loaded")
    return _("There are no answers yet")


def download_disabled_reason(context: "ResultsContext") -> str:
    """Why neither the report nor a file with all answers can be downloaded."""
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
    if state.is_downloading or state.is_loading or state.source.of is None or state.remote.error is not None:
        return reason
    return _("There are no answers yet, and the service creates an export once and keeps it")


def _has_source(context: "ResultsContext") -> bool:
    return context.state.source.of is not None


def _has_participant(context: "ResultsContext") -> bool:
    return bool(context.analysis.selected_participant)


def _has_answer(context: "ResultsContext") -> bool:
    return context.state.list.selected is not None


def _has_excluded_answer(context: "ResultsContext") -> bool:
    answer = context.state.list.selected
    return answer is not None and bool(answer.exclusion) and context.analysis.exclusions is not None


def _in_section(section: Section) -> "Callable[[ResultsContext], bool]":
    return lambda context: context.analysis.section is section and context.analysis.is_active


def _has_selected(context: "ResultsContext") -> bool:
    return context.window.shell.stage == "results" and context.state.list.selected is not None


def _has_new(context: "ResultsContext") -> bool:
    return context.state.new.count > 0


def _is_about_records(context: "ResultsContext") -> bool:
    return not context.state.answers.overview.is_survey


def _always(_context: "ResultsContext") -> bool:
    return True


def _has_versions(context: "ResultsContext") -> bool:
    return context.state.answers.overview.layout_use.differing > 0


ACTIONS: tuple["Action[ResultsContext]", ...] = (
    Action(
        ActionId.RESULTS_OPEN,
        N_("Open answers from a file…"),
        "",
        commands.open_answers,
        Menu.FILE,
        glyph="folder-open",
        group=0,
    ),
    Action(
        ActionId.RESULTS_SAVE,
        N_("Save results…"),
        "",
        commands.save_results,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        enabled=can_save_results,
        disabled_reason=answers_disabled_reason,
        glyph="download-simple",
        group=39,
    ),
    Action(
        ActionId.RESULTS_REPORT,
        N_("Download report…"),
        "Ctrl+Shift+R",
        commands.download_report,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        enabled=can_download_report,
        disabled_reason=report_disabled_reason,
        glyph="file-text",
        group=40,
    ),
    Action(
        ActionId.RESULTS_EXPORT,
        N_("Download export…"),
        "Ctrl+Shift+E",
        commands.download_export,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        enabled=can_download_export,
        disabled_reason=export_disabled_reason,
        glyph="archive",
        group=40,
    ),
    Action(
        ActionId.RESULTS_ANSWERS,
        N_("Save all answers…"),
        "",
        commands.download_answers,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        enabled=can_download_answers,
        disabled_reason=download_disabled_reason,
        glyph="download-simple",
        group=40,
    ),
    Action(
        ActionId.RESULTS_RECORD,
        N_("Show record as participants saw it"),
        "F4",
        commands.show_record,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        in_stage_only=True,
        enabled=_has_selected,
        disabled_reason=N_("Select an answer in Results first"),
        glyph="eye",
        group=40,
    ),
    Action(
        ActionId.RESULTS_SEEN,
        N_("Mark all answers as seen"),
        "",
        commands.mark_all_seen,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        in_stage_only=True,
        enabled=_has_new,
        disabled_reason=N_("No answers are new"),
        glyph="eye",
        group=40,
    ),
    Action(
        ActionId.RESULTS_REFRESH,
        N_("Refresh answers"),
        "",
        commands.refresh,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        enabled=_has_source,
        disabled_reason=N_("Create the batch or collection first"),
        glyph="arrow-clockwise",
        group=40,
    ),
    Action(
        ActionId.RESULTS_SPLIT_VERSIONS,
        N_("Split or join versions of the layout"),
        "",
        commands.split_versions,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        in_stage_only=True,
        enabled=_has_versions,
        disabled_reason=N_("All answers were given to the same questions"),
        glyph="clock-counter-clockwise",
        group=42,
    ),
    Action(
        ActionId.RESULTS_OUTCOMES,
        N_("Meaning of options…"),
        "",
        commands.choose_outcomes,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        in_stage_only=True,
        enabled=_in_section(Section.COMPARISONS),
        disabled_reason=N_("Show the comparisons in Results first"),
        glyph="tag",
        group=42,
    ),
    Action(
        ActionId.RESULTS_UNITS,
        N_("Convert units…"),
        "",
        commands.convert_units,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        in_stage_only=True,
        enabled=_in_section(Section.QUESTIONS),
        disabled_reason=N_("Show the results by question first"),
        glyph="ruler",
        group=42,
    ),
    Action(
        ActionId.RESULTS_EXCLUDE_ANSWERS,
        N_("Exclude answers…"),
        "",
        commands.exclude_answers,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        in_stage_only=True,
        enabled=_has_answer,
        disabled_reason=N_("Select an answer in Results first"),
        glyph="prohibit",
        group=42,
    ),
    Action(
        ActionId.RESULTS_INCLUDE_ANSWERS,
        N_("Include answers again"),
        "",
        commands.include_answers,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        in_stage_only=True,
        enabled=_has_excluded_answer,
        disabled_reason=N_("Select an excluded answer in Results first"),
        glyph="arrow-u-up-left",
        group=42,
    ),
    Action(
        ActionId.RESULTS_EXCLUDE_PARTICIPANT,
        N_("Exclude participant…"),
        "",
        commands.exclude_participant,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        in_stage_only=True,
        enabled=_has_participant,
        disabled_reason=N_("Select a participant in Results first"),
        glyph="prohibit",
        group=42,
    ),
    *(
        Action(
            f"results.show_{section}",
            info.action,
            "",
            partial(commands.show_section, section=section),
            Menu.RUN,
            submenu=Submenu.RESULTS,
            enabled=_is_about_records if section is Section.AGREEMENT else _always,
            disabled_reason=N_("The answers to a collection are about no records"),
            glyph=info.glyph,
            group=41,
        )
        for section, info in SECTIONS.items()
    ),
)
"""The actions of the stage."""
