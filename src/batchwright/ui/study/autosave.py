"""Keeps the copy of a study that a crash would need, and offers what an earlier crash has left."""

import asyncio
from datetime import datetime

from PySide6.QtCore import QObject, QTimer

from batchwright.base.i18n import _
from batchwright.local.autosave import AutosaveStore, RecoveredStudy
from batchwright.ui.core.formatting import clock, day, short_folder
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.file_commands import StudyFileCommands
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.notices import Toast, ToastSeverity

_DELAY_MS = 600
"""Milliseconds from a change to its copy: with the writing, a crash takes less than a second of work."""
_TASK = "keep a copy for recovery"


class Autosave(QObject):
    """Writes the copy soon after changes, off the loop; a study that is saved has none."""

    def __init__(
        self, frame: StageContext, study: Study, recovery: AutosaveStore, files: StudyFileCommands
    ) -> None:
        super().__init__(frame.window)
        self._context, self._study, self._store, self._files = frame, study, recovery, files
        self._name = recovery.new_name()
        self._has_copy = self._has_ended = False
        self._has_failed = False
        self._writing, self._opening = asyncio.Lock(), asyncio.Lock()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_timeout)
        study.changed.connect(self._save_soon)
        study.saved_changed.connect(self._save_soon)
        study.remote_changed.connect(self._save_now)

    async def end(self) -> None:
        """Throw the copy away: the window ends as it should."""
        self._study.changed.disconnect(self._save_soon)
        self._study.saved_changed.disconnect(self._save_soon)
        self._study.remote_changed.disconnect(self._save_now)
        self._timer.stop()
        self._has_ended = True  # a copy that is about to be written is not
        async with self._writing:  # a copy that is being written would come after it is thrown away
            await asyncio.to_thread(self._store.remove, self._name)

    async def offer(self) -> None:
        """Offer the studies that a crash has left, one notice each, the newest last."""
        for left in await asyncio.to_thread(lambda: list(self._store.recovered())):
            if left.name != self._name:
                self._offer(left)

    def _save_soon(self) -> None:
        if not self._timer.isActive() and (self._has_copy or not self._study.is_saved):
            self._timer.start(_DELAY_MS)

    def _save_now(self) -> None:
        """What was made at a service is nobody's typing: not even a second of it may be lost (promise 3)."""
        if self._has_copy or not self._study.is_saved:
            self._timer.start(0)

    def _on_timeout(self) -> None:
        if _TASK in self._context.tasks.running:
            self._timer.start(_DELAY_MS)
        else:
            self._context.tasks.start(_TASK, self._save)

    async def _save(self) -> None:
        study = self._study
        self._has_copy = not study.is_saved
        try:
            async with self._writing:
                if study.is_saved or self._has_ended:
                    await asyncio.to_thread(self._store.remove, self._name)
                else:
                    await asyncio.to_thread(self._store.save, self._name, study.project, study.file)
        except OSError as fault:
            # Each change tries again; a disk that stays full is told of once.
            if not self._has_failed:
                self._context.tasks.tell(_TASK, fault)
            self._has_failed = True
        else:
            self._has_failed = False

    def _offer(self, left: RecoveredStudy) -> None:
        self._context.toasts.show_toast(
            Toast(
                ToastSeverity.FAILED,  # stays until it is closed, as this must
                _("“{name}” was not saved when Batchwright ended").format(name=left.project.name),
                _description(left),
                _("Open"),
                lambda: self._context.tasks.start(f"open recovered {left.name}", lambda: self._open(left)),
                _("Discard"),
                lambda: self._context.tasks.start(f"discard {left.name}", lambda: self._discard(left)),
            )
        )

    async def _open(self, left: RecoveredStudy) -> None:
        """Open a recovered study as any other: what is open is left first, and asked about.

        Its copy becomes that of this window. It is never deleted before the study is saved or discarded here.
        """
        async with self._opening:  # two notices may have been pressed
            if not await self._replaces_study(left):
                self._offer(left)

    async def _replaces_study(self, left: RecoveredStudy) -> bool:
        if left.file is not None and self._files.show_elsewhere(left.file.path):
            title = _("“{name}” is open in another window").format(name=left.file.path.name)
            line = _("Close it there first, then open what was recovered.")
            self._context.toasts.show_toast(Toast(ToastSeverity.ADVICE, title, line))
            return False
        if not await self._files.may_leave():
            return False
        async with self._writing:
            mine, self._name = self._name, left.name
            self._has_copy = True
            self._study.open(left.project, left.file, is_saved=False, is_new=left.file is None)
            self._context.shell.set_stage("layout" if left.project.layout.pages else "data")
            await asyncio.to_thread(self._store.remove, mine)
        return True

    async def _discard(self, left: RecoveredStudy) -> None:
        """Delete a copy once the person has confirmed it."""
        title = _("Discard what was not saved of “{name}”?").format(name=left.project.name)
        sentence = _("It is deleted and cannot be brought back. {description}")
        dialog = Dialog(
            title, sentence.format(description=_description(left)), _("Discard"), ButtonKind.DESTROY
        )
        if await dialog.ask(self._context.window):
            await asyncio.to_thread(self._store.remove, left.name)
        else:
            self._offer(left)


def _description(left: RecoveredStudy) -> str:
    """Which file a recovered study belongs to, and when it was last changed."""
    changed = _("Last change: {time}.").format(time=_moment(left.at))
    if left.file is None:
        return _("It was never saved to a file. {changed}").format(changed=changed)
    return _("File: {file}. {changed}").format(file=short_folder(left.file.path), changed=changed)


def _moment(at: datetime) -> str:
    return _("{day}, {time}").format(day=day(at, with_year=False), time=clock(at))
