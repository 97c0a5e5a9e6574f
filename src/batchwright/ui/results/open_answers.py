"""The command “Open answers from a file”: reads a file, and asks for the layout if nothing else has it."""

import asyncio
from enum import Enum, auto
from pathlib import Path
from threading import Event

from batchwright.base.i18n import _
from batchwright.local.projects import Project
from batchwright.ui.results.answer_file_types import FILTER, LAYOUT_FILTER
from batchwright.ui.results.state import ResultsState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.shell.state import ActivityStatus
from batchwright.ui.study.answers_source import AnswersFile
from batchwright.ui.widgets.choice_dialog import ChoiceDialog
from batchwright.ui.widgets.file_dialogs import FileChooser
from batchwright.workflows.open_answers import OpenedAnswers, open_answers, use_layout


class _ReadingStopped(Exception):
    """The user has stopped opening the file."""


class LayoutChoice(Enum):
    """Where the questions come from."""

    FILE = auto()
    NONE = auto()


class LayoutDialog(ChoiceDialog[LayoutChoice]):
    """Asks for the layout of answers that name their questions by id only."""

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


async def choose_and_open(window: StageContext, files: FileChooser, state: ResultsState) -> None:
    """Ask for a file with answers, and show them."""
    path = await files.file_to_open(_("Open answers from a file"), (_(FILTER),))
    if path is not None:
        await show_file(window, files, state, path)


async def show_file(window: StageContext, files: FileChooser, state: ResultsState, path: Path) -> None:
    """Read a file with answers, and show them in Results as soon as the first ones are read.

    Raises:
        UnreadableFile: it has no answers, or is damaged.
        OSError: it cannot be opened.
    """
    shell = window.shell
    shell.set_activity(ActivityStatus(_("Reading {name}").format(name=path.name), None))
    first = asyncio.get_running_loop().create_future()
    reading = asyncio.create_task(_read(path, state.study.project, first))
    try:
        await asyncio.wait({first, reading}, return_when=asyncio.FIRST_COMPLETED)
        opened: OpenedAnswers | None = first.result() if first.done() else await reading
        if opened is not None and not opened.has_questions:
            opened = await _with_layout(window, files, opened)
        if opened is not None:
            file = AnswersFile(path, opened.store, opened.layout, reading)
            state.source.selection.show_file(file)
            shell.set_stage("results")
            await asyncio.wait({reading})
            _close_if_damaged(state, file)
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        shell.set_activity(None)


async def _read(path: Path, study: Project, first: "asyncio.Future[OpenedAnswers]") -> OpenedAnswers:
    """Read a file in a worker thread until the task is cancelled; `first` gets the first answers."""
    loop, stopped = asyncio.get_running_loop(), Event()

    def on_page(opened: OpenedAnswers) -> None:
        if stopped.is_set():
            raise _ReadingStopped
        loop.call_soon_threadsafe(set_first, opened)

    def set_first(opened: OpenedAnswers) -> None:
        if not first.done():
            first.set_result(opened)

    try:
        return await asyncio.to_thread(open_answers, path, study, on_page)
    finally:
        stopped.set()


def _close_if_damaged(state: ResultsState, file: AnswersFile) -> None:
    """Show other answers again, and raise the error, if a file could not be read to its end."""
    if not file.reading.cancelled() and file.reading.exception() is not None:
        if state.source.file is file:
            state.source.show_own()
        file.reading.result()


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
