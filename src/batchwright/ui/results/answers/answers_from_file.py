"""Shows the answers in a file while it is being read, and asks for the layout if nothing else has it."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum, auto
from pathlib import Path
from threading import Event

from batchwright.analysis.store.questions import QuestionKind
from batchwright.analysis.store.table_questions import ProposedQuestion, proposal_text, unreadable_text
from batchwright.base.i18n import _
from batchwright.local.projects import Project
from batchwright.ui.core.activity import ActivityStatus
from batchwright.ui.results.answers.answer_file_types import LAYOUT_FILTER
from batchwright.ui.results.state import ResultsState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.shell.state import ShellState
from batchwright.ui.study.answers_source import AnswersFile
from batchwright.ui.widgets.dialogs.choice_dialog import ChoiceDialog
from batchwright.ui.widgets.dialogs.file_dialogs import FileChooser
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.workflows.answers.open_answers import OpenedAnswers, open_answers, use_layout


class _ReadingStopped(Exception):
    """The user has stopped opening the file."""


class LayoutChoice(Enum):
    """Where the questions come from."""

    FILE = auto()
    NONE = auto()


class LayoutDialog(ChoiceDialog[LayoutChoice]):
    """Asks for the layout of answers that name their questions by id only."""

    help_address = "results.md#answers-from-a-file"

    def __init__(self, name: str) -> None:
        super().__init__(
            _("Which layout do these answers belong to?"),
            _(
                "“{name}” contains no questions, and the answers do not belong to the open study. Choose the "
                "layout, the collection or the study. Without it, you see ids instead of questions, and "
                "values instead of options."
            ).format(name=name),
            (_("Choose a file…"), LayoutChoice.FILE),
            [(_("Continue without"), LayoutChoice.NONE)],
        )


class ProposalDialog(ChoiceDialog[QuestionKind]):
    """Asks whether the values of questions that repeat are options."""

    help_address = "results.md#answers-from-a-file"

    def __init__(self, proposed: Sequence[ProposedQuestion]) -> None:
        super().__init__(
            _("Are these values options?"),
            proposal_text(proposed),
            (_("Use as options"), QuestionKind.CHOICE),
            [(_("Use as texts"), QuestionKind.TEXT)],
        )


async def show_file(window: StageContext, files: FileChooser, state: ResultsState, path: Path) -> None:
    """Read a file with answers, and show it in Results as soon as the first ones are read.

    The other answers are read afterwards, in a task of their own, unless the user shows something else. Until
    then, a file that is shown already remains, and is read on.

    Raises:
        UnreadableFile: it has no answers, or is damaged.
        OSError: it cannot be opened.
    """
    first, reading = _start_reading(path, state.study.project, {})
    file: AnswersFile | None = None
    try:
        with _activity(window.shell, path):
            await asyncio.wait({first, reading}, return_when=asyncio.FIRST_COMPLETED)
            opened: OpenedAnswers | None = first.result() if first.done() else await reading
            if opened is not None and opened.proposed:
                choice = await ProposalDialog(opened.proposed).choose(window.window)
                if choice is None:
                    return
                if choice is QuestionKind.TEXT:
                    kinds = {question.id: QuestionKind.TEXT for question in opened.proposed}
                    first, reading = _start_reading(path, state.study.project, kinds)
                    opened = await reading
            if opened is not None and not opened.has_questions:
                opened = await _with_layout(window, files, opened)
        if opened is not None:
            file = AnswersFile(path, opened.digest, opened.store, opened.layout, reading)
            state.source.selection.show_file(file)
            window.shell.set_stage("results")
            _show_unreadable(window, opened)
            window.tasks.start(f"read answers {id(file)}", lambda: _read_to_end(window.shell, state, file))
    finally:
        if file is None:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)


def _show_unreadable(window: StageContext, opened: OpenedAnswers) -> None:
    """Show what statistics leave out of a file, in place of what they left out of an earlier one."""
    topic = "unreadable values"
    window.notices.dismiss((topic,))
    if opened.unreadable:
        text = unreadable_text(opened.unreadable)
        window.notices.show_notice(
            Notice(NoticeSeverity.WARNING, _("Some values cannot be used"), text, topic=topic)
        )


async def _read_to_end(shell: ShellState, state: ResultsState, file: AnswersFile) -> None:
    """Wait until a file is read or no longer shown; a damaged one is closed.

    Raises:
        UnreadableFile: it is damaged.
        OSError: it cannot be read any more.
    """
    try:
        with _activity(shell, file.path):
            await asyncio.wait({file.reading})
    finally:
        file.reading.cancel()
    if not file.reading.cancelled() and file.reading.exception() is not None:
        if state.source.file is file:
            state.source.show_own()
        file.reading.result()


@contextmanager
def _activity(shell: ShellState, path: Path) -> Iterator[None]:
    """Show that a file is being read, unless another activity is shown meanwhile."""
    activity = ActivityStatus(_("Reading {name}").format(name=path.name), None)
    shell.set_activity(activity)
    try:
        yield
    finally:
        if shell.activity is activity:
            shell.set_activity(None)


def _start_reading(
    path: Path, study: Project, kinds: Mapping[str, QuestionKind]
) -> "tuple[asyncio.Future[OpenedAnswers], asyncio.Task[OpenedAnswers]]":
    """Start to read a file; the first result is that of the first answers."""
    first = asyncio.get_running_loop().create_future()
    return first, asyncio.create_task(_read(path, study, kinds, first))


async def _read(
    path: Path,
    study: Project,
    kinds: Mapping[str, QuestionKind],
    first: "asyncio.Future[OpenedAnswers]",
) -> OpenedAnswers:
    """Read a file in a worker thread until the task is cancelled; `first` gets the first answers."""
    loop, stopped = asyncio.get_running_loop(), Event()

    def on_page(opened: OpenedAnswers | None) -> None:
        if stopped.is_set():
            raise _ReadingStopped
        if opened is not None:
            loop.call_soon_threadsafe(set_first, opened)

    def set_first(opened: OpenedAnswers) -> None:
        if not first.done():
            first.set_result(opened)

    try:
        return await asyncio.to_thread(open_answers, path, study, on_page, kinds)
    finally:
        stopped.set()


async def _with_layout(
    window: StageContext, files: FileChooser, opened: OpenedAnswers
) -> OpenedAnswers | None:
    """Ask for the layout until it fits; None if the user cancelled."""
    while True:
        choice = await LayoutDialog(opened.path.name).choose(window.window)
        if choice is not LayoutChoice.FILE:
            return None if choice is None else opened
        title = _("Choose the layout of the answers")
        path = await files.file_to_open(title, (_(LAYOUT_FILTER),))
        if path is not None:
            with window.tasks.reporting("use a layout"):
                return await asyncio.to_thread(use_layout, opened, path)
