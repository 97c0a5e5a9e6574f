"""Saves recovery copies of the study and offers those left by an earlier crash."""

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
"""Time from a change to its recovery copy; including the write, less than a second of work can be lost."""
_TASK = "keep a copy for recovery"


class Autosave(QObject):
    """Writes the recovery copy in a worker thread after changes; a saved study has none."""

    def __init__(
        self, context: StageContext, study: Study, store: AutosaveStore, files: StudyFileCommands
    ) -> None:
        super().__init__(context.window)
        self._context, self._study, self._store, self._files = context, study, store, files
        self._name = store.new_name()
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
        """Delete the recovery copy: the window is closed regularly."""
        self._study.changed.disconnect(self._save_soon)
        self._study.saved_changed.disconnect(self._save_soon)
        self._study.remote_changed.disconnect(self._save_now)
        self._timer.stop()
        self._has_ended = True  # a pending write is skipped
        async with self._writing:  # a running write would recreate it
            await asyncio.to_thread(self._store.remove, self._name)

    async def offer(self) -> None:
        """Show a notice for each study left by a crash, the newest last."""
        for recovered in await asyncio.to_thread(lambda: list(self._store.recovered())):
            if recovered.name != self._name:
                self._offer(recovered)

    def _save_soon(self) -> None:
        if not self._timer.isActive() and (self._has_copy or not self._study.is_saved):
            self._timer.start(_DELAY_MS)

    def _save_now(self) -> None:
        """Save ids from a service at once: losing them could create a batch or dataset twice."""
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
        except OSError as error:
            # Each change tries again; a persistent failure is reported once.
            if not self._has_failed:
                self._context.tasks.report(_TASK, error)
            self._has_failed = True
        else:
            self._has_failed = False

    def _offer(self, recovered: RecoveredStudy) -> None:
        self._context.toasts.show_toast(
            Toast(
                ToastSeverity.ERROR,  # an error stays until it is closed
                _("“{name}” was not saved when Batchwright closed").format(name=recovered.project.name),
                _description(recovered),
                _("Open"),
                lambda: self._context.tasks.start(
                    f"open recovered {recovered.name}", lambda: self._open(recovered)
                ),
                _("Discard"),
                lambda: self._context.tasks.start(
                    f"discard {recovered.name}", lambda: self._discard(recovered)
                ),
            )
        )

    async def _open(self, recovered: RecoveredStudy) -> None:
        """Open a recovered study, after asking about unsaved changes of the current one.

        Its copy becomes the recovery copy of this window and is kept until the study is saved or discarded.
        """
        async with self._opening:  # two notices may be clicked
            if not await self._replaces_study(recovered):
                self._offer(recovered)

    async def _replaces_study(self, recovered: RecoveredStudy) -> bool:
        if recovered.file is not None and self._files.show_elsewhere(recovered.file.path):
            title = _("“{name}” is open in another window").format(name=recovered.file.path.name)
            text = _("Close it there first, then open the recovered version.")
            self._context.toasts.show_toast(Toast(ToastSeverity.WARNING, title, text))
            return False
        if not await self._files.maybe_save():
            return False
        async with self._writing:
            previous_name, self._name = self._name, recovered.name
            self._has_copy = True
            self._study.open(recovered.project, recovered.file, is_saved=False, is_new=recovered.file is None)
            self._context.shell.set_stage("layout" if recovered.project.layout.pages else "data")
            await asyncio.to_thread(self._store.remove, previous_name)
        return True

    async def _discard(self, recovered: RecoveredStudy) -> None:
        """Delete a recovery copy after confirmation."""
        title = _("Discard the unsaved changes to “{name}”?").format(name=recovered.project.name)
        text = _("They are deleted and cannot be restored. {description}")
        dialog = Dialog(
            title, text.format(description=_description(recovered)), _("Discard"), ButtonKind.DESTROY
        )
        if await dialog.ask(self._context.window):
            await asyncio.to_thread(self._store.remove, recovered.name)
        else:
            self._offer(recovered)


def _description(recovered: RecoveredStudy) -> str:
    """The file of a recovered study and the time of its last change."""
    changed = _("Last change: {time}.").format(time=_moment(recovered.at))
    if recovered.file is None:
        return _("It was never saved to a file. {changed}").format(changed=changed)
    return _("File: {file}. {changed}").format(file=short_folder(recovered.file.path), changed=changed)


def _moment(at: datetime) -> str:
    return _("{day}, {time}").format(day=day(at, with_year=False), time=clock(at))
