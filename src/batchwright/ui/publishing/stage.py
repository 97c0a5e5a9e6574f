"""What stages of batches and of collections show in the same way: notices, errors, and when they fetch."""

from typing import Any

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.connections.signed_out import SignInPlaceholder
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.background_tasks import TaskMessage
from batchwright.ui.core.formatting import short_datetime
from batchwright.ui.core.next_step import NextStep
from batchwright.ui.publishing.language_bar import LanguageBar
from batchwright.ui.publishing.state import PublishingState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.answers_source import AnswersSource, OtherSource
from batchwright.ui.widgets.box_layouts import clear, column
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.ui.widgets.placeholders import EmptyState, ErrorState, OfflineBanner
from batchwright.ui.widgets.surfaces import Surface


class PublishingStage(Surface):
    """A stage whose resources are batches or collections; the subclass adds its panels.

    Args:
        stage_context: the objects of the window.
        state: the state of the stage.
        id: the id of the stage, which notices open.
        title: the title of the stage.
        answers: what Results shows.
    """

    def __init__(
        self,
        stage_context: StageContext,
        state: PublishingState[Any, Any, Any],
        id: str,
        title: str,
        answers: AnswersSource | None,
    ) -> None:
        super().__init__("window")
        self.window_context = stage_context
        """The objects of the window that all stages share."""
        self._publishing, self._id = state, id
        self.answers_source = answers or AnswersSource(self)
        state.setParent(self)
        state.operations.show_in(stage_context.shell)
        self.header = StageHeader(title)
        self._participate = Button(
            _("Open as participant"), glyph="arrow-square-out", height=ButtonSize.STAGE
        )
        self._simulate = Button(_("Simulated participants"), glyph="users", height=ButtonSize.STAGE)
        self._pages, self._unavailable, self._offline = QStackedWidget(), UnavailablePage(), OfflineBanner()
        self._offline.hide()
        self.languages = LanguageBar(state)
        self._unavailable.home_pressed.connect(lambda: stage_context.shell.set_stage("home"))
        self.header.primary.clicked.connect(self._on_primary_clicked)
        state.changed.connect(self.show_state)
        state.notified.connect(self._notify)
        state.existing_found.connect(self._notify_existing)

    def show_state(self) -> None:
        """Update everything shown, if the stage is visible."""
        raise NotImplementedError

    def next_step(self) -> NextStep[ActionId]:
        """What the header says and offers."""
        raise NotImplementedError

    def sign_in_text(self) -> str:
        """The title of the page that asks to sign in."""
        raise NotImplementedError

    def run_actions(self, *pairs: tuple[SignalInstance, ActionId]) -> None:
        """Run an action after each of some signals."""
        for signal, action in pairs:
            signal.connect(lambda *_of, action=action: self.window_context.actions.run(action))

    def show_page(self, panels: QWidget) -> None:
        """Show the panels, or the error of the last fetch if there is nothing to be shown in them."""
        remote, has_resources = self._publishing.remote_list, bool(self._publishing.resources)
        self._offline.setVisible(remote.error is not None and has_resources)
        if remote.error is not None:
            self._offline.show_error(remote.error.what, short_datetime(remote.fetched_at))
        if remote.error is None or has_resources:
            self._pages.setCurrentWidget(panels)
        else:
            sign_in = self.sign_in_text() if remote.needs_sign_in else ""
            self._unavailable.show_error(remote.error, sign_in)
            self._pages.setCurrentWidget(self._unavailable)

    def stop_operation(self) -> None:
        """Cancel the running operation."""
        operation = self._publishing.operation
        if operation is not None:
            self._publishing.operations.cancel(operation.key)

    def show_answers(self, other: OtherSource | None) -> None:
        """Show the answers of another resource in Results, or with None those of the study."""
        self.answers_source.show(other)
        self.window_context.shell.set_stage("results")

    def _on_primary_clicked(self) -> None:
        step = self.next_step()
        if step.stage:
            self.window_context.shell.set_stage(step.stage)
        if step.action is ActionId.LAYOUT_NEXT_PROBLEM:
            self._publishing.study.show_unfilled_as_errors()
        if step.action is not None:
            self.window_context.actions.run(step.action)

    def _notify(self, title: str, line: str) -> None:
        """Show a notice, unless the stage is visible."""
        if not self.isVisible():
            self.window_context.notices.show_notice(
                Notice(NoticeSeverity.SUCCESS, title, line, _("Open"), self._open)
            )

    def _notify_existing(self, name: str) -> None:
        """Show a notice that the resource of the study existed already, and what to do."""
        texts = self._publishing.publishable.texts
        line = _(texts.send_changes).format(name=name)
        self.window_context.notices.show_notice(Notice(NoticeSeverity.INFO, _(texts.exists), line))

    def _open(self) -> None:
        self.window_context.shell.set_stage(self._id)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._publishing.set_active(is_active=True)
        self.show_state()
        self._publishing.refresh()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._publishing.set_active(is_active=False)


class UnavailablePage(QWidget):
    """Why there is nothing to be shown, what to do about it, and buttons."""

    refresh_pressed = Signal()
    home_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[TaskMessage, str] | None = None
        self._place = column(gap=0, parent=self)

    def show_error(self, error: TaskMessage, sign_in: str) -> None:
        """Show the error of the last fetch; `sign_in` is the title if the user has to sign in, else empty."""
        if (error, sign_in) != self._shown:
            self._shown = error, sign_in
            clear(self._place)
            self._place.add(self._sign_in(error, sign_in) if sign_in else self._failed(error))

    def _sign_in(self, error: TaskMessage, title: str) -> EmptyState:
        signed_out = SignInPlaceholder(title, error.what)
        signed_out.sign_in_button.clicked.connect(self.refresh_pressed)
        signed_out.home_button.clicked.connect(self.home_pressed)
        return signed_out

    def _failed(self, error: TaskMessage) -> EmptyState:
        again, home = Button(_("Refresh"), glyph="arrow-clockwise"), Button(_("Go to connections"))
        again.clicked.connect(self.refresh_pressed)
        home.clicked.connect(self.home_pressed)
        return ErrorState(error, again, home)
