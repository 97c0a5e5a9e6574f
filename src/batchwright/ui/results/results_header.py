"""The header of Results: what is shown, what was received of it, and the buttons of the stage."""

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import joined
from batchwright.base.policy import computer_policy
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.formatting import number, short_datetime
from batchwright.ui.results.actions import (
    can_download_export,
    can_download_report,
    can_save_results,
    has_source,
)
from batchwright.ui.results.commands import ResultsContext
from batchwright.ui.results.state import ResultsState
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.headings import StageHeader


class ResultsHeader(StageHeader):
    """Title, subtitle and buttons for a batch, a collection or a file."""

    def __init__(self, context: ResultsContext, parent: QWidget | None = None) -> None:
        super().__init__(_("Results"), parent)
        self._context, self._state = context, context.state
        self._refresh_button = Button(
            _("Refresh"), ButtonKind.QUIET, glyph="arrow-clockwise", height=ButtonSize.STAGE
        )
        self.report_button = Button(_("Report CSV"), glyph="file-text", height=ButtonSize.STAGE)
        self._back = Button("", glyph="arrow-left", height=ButtonSize.STAGE)
        self.save_button = Button(_("Save results…"), glyph="download-simple", height=ButtonSize.STAGE)
        self.add_buttons(self._back, self._refresh_button, self.report_button, self.save_button)
        self._back.clicked.connect(self._on_back_clicked)
        self.primary.clicked.connect(self._on_primary_clicked)
        for button, action in (
            (self._refresh_button, ActionId.RESULTS_REFRESH),
            (self.report_button, ActionId.RESULTS_REPORT),
            (self.save_button, ActionId.RESULTS_SAVE),
        ):
            button.clicked.connect(lambda _on, action=action: context.window.actions.run(action))

    def show_state(self) -> None:
        """Update the texts and the buttons."""
        state, source = self._state, self._state.source
        is_file = source.file is not None
        self.show_title(_title(state))
        self.show_subtitle(_subtitle(state))
        self._back.setVisible(is_file or source.other is not None)
        self._back.setText(_back_text(state))
        if self._saves_results:
            reason = "" if is_file else can_save_results.disabled_reason(self._context)
            self.show_primary(_("Save results…"), glyph="download-simple", disabled_reason=reason)
        else:
            reason = can_download_export.disabled_reason(self._context)
            self.show_primary(_("Download export"), glyph="archive", disabled_reason=reason)
        self.save_button.setVisible(not self._saves_results)
        self.report_button.setVisible(not is_file and not source.is_for_collection)
        self.report_button.set_disabled_reason(can_download_report.disabled_reason(self._context))
        self.save_button.set_disabled_reason(can_save_results.disabled_reason(self._context))
        self._refresh_button.setVisible(not is_file)
        self._refresh_button.set_disabled_reason(has_source.disabled_reason(self._context))

    @property
    def _saves_results(self) -> bool:
        """Whether the first button saves results, because nothing can or may be downloaded."""
        return self._state.source.file is not None or bool(computer_policy().raw_answers_reason)

    def _on_primary_clicked(self) -> None:
        action = ActionId.RESULTS_SAVE if self._saves_results else ActionId.RESULTS_EXPORT
        self._context.window.actions.run(action)

    def _on_back_clicked(self) -> None:
        """Show the answers of the study; without any, return to the batch in Run or to Collections."""
        source = self._state.source
        if source.own is None and source.file is None:
            self._context.window.shell.set_stage(source.stage)
        source.show_own()


def _title(state: ResultsState) -> str:
    if state.source.file is not None:
        return state.source.file.path.name
    return state.source.other.name if state.source.other else _("Results")


def _back_text(state: ResultsState) -> str:
    if state.source.own is not None:
        return _("Back to the study")
    if state.source.file is not None:
        return _("Close the file")
    return _("Back to Collections") if state.source.is_for_collection else _("Back to Run")


def _subtitle(state: ResultsState) -> str:
    overview = state.answers.overview
    answers = overview.summary
    if not state.answers.has_answers:
        return _without_answers(state)
    text = (
        ngettext("{count} answer received", "{count} answers received", answers.answers)
        if state.source.file is None
        else ngettext("{count} answer in this file", "{count} answers in this file", answers.answers)
    )
    text = text.format(count=number(answers.answers))
    tasks = state.answers.total_tasks
    if tasks and (overview.layout_use.versions or answers.tasks > tasks):
        text += ", " + _("some of them to tasks of an earlier setup")
    elif tasks:
        answered = ngettext("from {done} of {count} task", "from {done} of {count} tasks", tasks)
        text += ", " + answered.format(done=number(answers.tasks), count=number(tasks))
    if languages := state.source.joined:
        text += ", " + _("in {languages}").format(languages=joined(one.language for one in languages))
    template = _("{answers}.") if answers.newest is None else _("{answers}. Latest: {time}.")
    return template.format(answers=text, time=short_datetime(answers.newest))


def _without_answers(state: ResultsState) -> str:
    source = state.source
    if source.file is not None:
        return _("Loading answers.")
    if source.remote_study is None and not state.study.is_open:
        return _("No study is open. Next: select a batch under Run.")
    if elsewhere := source.sent_elsewhere:
        return _("{elsewhere} Its answers are there, not here.").format(elsewhere=elsewhere)
    if source.remote_study is None and source.is_for_collection:
        return _("Next: create the collection under Collections.")
    if source.remote_study is None:
        return _("Next: create the batch under Run.")
    if state.answers.needs_sign_in:
        return _("Next: sign in.")
    if state.answers.error is not None:
        return _("The answers could not be loaded.")
    if state.answers.lacks_list:
        return _("This service does not list the answers to collections. Next: download the export.")
    return _("Loading answers.") if state.answers.awaits_first else _("No answers yet.")
