"""The page that says why there are no answers, and what to do."""

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.connections.signed_out import SignInPlaceholder
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.background_tasks import TaskMessage
from batchwright.ui.results.commands import ResultsContext, refresh
from batchwright.ui.shell.page_stack import PageStack
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.placeholders import EmptyState, ErrorState


class NoAnswersPage(PageStack):
    """Shows the reason in a page that is replaced when the reason changes."""

    def __init__(self, context: ResultsContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._state = context, context.state
        self._shown: object = None
        """What the page depends on."""

    def show_reason(self) -> None:
        """Update the page."""
        error, source = self._state.answers.error, self._state.source
        reason = (
            (error.what, error.remedy)
            if error is not None
            else (source.remote_study, source.is_for_collection, self._state.answers.lacks_list)
        )
        if reason != self._shown or not self.count():
            self._shown = reason
            before, page = self.currentWidget(), self._create_page()
            self.addWidget(page)
            self.show_page(page)
            if before is not None:
                self.forget_page(before)
                before.deleteLater()

    def _create_page(self) -> EmptyState:
        remote = self._state.answers
        if remote.error is not None:
            return self._signed_out(remote.error) if remote.needs_sign_in else self._failed(remote.error)
        return self._without_list() if remote.lacks_list else self._without_answers()

    def _signed_out(self, error: TaskMessage) -> EmptyState:
        page = SignInPlaceholder(_("Sign in to see the answers"), error.what)
        page.sign_in_button.clicked.connect(lambda: refresh(self._context))
        page.home_button.clicked.connect(lambda: self._context.window.shell.set_stage("home"))
        return page

    def _failed(self, error: TaskMessage) -> EmptyState:
        refresh_button = Button(_("Refresh"), glyph="arrow-clockwise")
        refresh_button.clicked.connect(lambda: refresh(self._context))
        return ErrorState(error, refresh_button)

    def _without_list(self) -> EmptyState:
        """For a service that does not offer the answers of collections as a list."""
        export = Button(_("Download export"), glyph="archive")
        export.clicked.connect(lambda: self._context.window.actions.run(ActionId.RESULTS_EXPORT))
        text = _(
            "This service does not list the answers to collections yet. The export contains all of them."
        )
        return EmptyState("archive", _("The answers are in the export"), text, export)

    def _without_answers(self) -> EmptyState:
        source = self._state.source
        is_for_collection, stage = source.is_for_collection, source.stage
        go_button = (
            Button(_("Go to Collections"), glyph="cards")
            if is_for_collection
            else Button(_("Go to Run"), glyph="play-circle")
        )
        go_button.clicked.connect(lambda: self._context.window.shell.set_stage(stage))
        text = _("They appear here as participants submit them.")
        if source.remote_study is None and not self._state.study.is_open:
            text = _("Select a batch in Run to see its answers, or open a study.")
        elif source.sent_elsewhere:
            text = _("Its answers are where it was sent. Export them there, and open the file here.")
        elif source.remote_study is None:
            text = (
                _("Create the collection first; then answers appear here as participants submit them.")
                if is_for_collection
                else _(
                    "Create the batch and its tasks first; then answers appear here as participants submit "
                    "them."
                )
            )
        open_file = Button(_("Open answers from a file…"), glyph="folder-open")
        open_file.clicked.connect(lambda: self._context.window.actions.run(ActionId.RESULTS_OPEN))
        return EmptyState("chart-bar", _("No answers yet"), text, go_button, open_file)
