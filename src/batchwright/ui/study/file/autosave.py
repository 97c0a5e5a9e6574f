"""Saves recovery copies of the study and offers those left by an earlier crash."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import joined
from batchwright.base.text import truncate
from batchwright.local.autosave import AutosaveStore, RecoveredStudy, RecoveryCopy, UnreadableCopy
from batchwright.ui.core.formatting import number
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.file.file_commands import StudyFileCommands
from batchwright.ui.study.file.recovery_dialog import (
    RecoveryDialog,
    copy_title,
    description,
    several_studies_title,
)
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

_DELAY_MS = 600
"""Time from a change to its recovery copy; including the write, less than a second of work can be lost."""
_TASK = "keep a copy for recovery"
_TOPIC = "recovery"
_MAX_TITLE_CHARS = 40
Command = Callable[[], Coroutine[Any, Any, None]]


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
        self._offered: dict[str, RecoveryCopy] = {}
        """The copies left by a crash that were neither opened nor discarded, by name."""
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
        """Show a notice about the studies left by a crash."""
        copies = await asyncio.to_thread(lambda: list(self._store.copies()))
        self._offered = {copy.name: copy for copy in copies if copy.name != self._name}
        self._show_offer()

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

    def _show_offer(self) -> None:
        """Show one notice, however many studies there are, in place of an earlier one."""
        self._context.notices.dismiss((_TOPIC,))
        if len(self._offered) > 1:
            self._show_notice(
                several_studies_title(len(self._offered)),
                _titles(self._offered.values()),
                (_("Show…"), self._choose),
                (_("Discard all…"), self._discard_all),
            )
        for copy in self._offered.values() if len(self._offered) == 1 else ():
            label, run = self._use(copy)
            discard = partial(self._discard, copy)
            self._show_notice(copy_title(copy), description(copy), (label, run), (_("Discard"), discard))

    def _show_notice(self, title: str, text: str, *buttons: tuple[str, Command]) -> None:
        (label, action), (second_label, second_action) = (
            (label, partial(self._context.tasks.start, f"recovery {label}", run)) for label, run in buttons
        )
        self._context.notices.show_notice(
            Notice(
                NoticeSeverity.WARNING,
                title,
                text,
                label,
                action,
                second_label,
                second_action,
                topic=_TOPIC,
                stays=True,
            )
        )

    def _use(self, copy: RecoveryCopy) -> tuple[str, Command]:
        """What can be done with a copy besides discarding it, and its label."""
        if isinstance(copy, RecoveredStudy):
            return _("Open"), partial(self._open, copy)
        return _("Save elsewhere…"), partial(self._save_elsewhere, copy)

    async def _choose(self) -> None:
        """List the studies; what is chosen for one of them is done."""
        dialog = RecoveryDialog(tuple((copy, self._use(copy)[0]) for copy in self._offered.values()))
        if not await dialog.ask(self._context.window):
            self._show_offer()
        elif dialog.used is not None:
            await self._use(dialog.used)[1]()
        elif dialog.discarded is not None:
            await self._discard(dialog.discarded)
        else:
            await self._discard_all()

    async def _open(self, recovered: RecoveredStudy) -> None:
        """Open a recovered study, after asking about unsaved changes of the current one.

        Its copy becomes the recovery copy of this window and is kept until the study is saved or discarded.
        """
        async with self._opening:  # two buttons may be clicked
            if recovered.name in self._offered and await self._replaces_study(recovered):
                del self._offered[recovered.name]
            self._show_offer()

    async def _save_elsewhere(self, copy: UnreadableCopy) -> None:
        """Ask for a file and move a copy that cannot be read there."""
        try:
            target = await self._files.choose_file_for_copy(copy.title)
            if target is not None:
                await asyncio.to_thread(self._store.export, copy, target)
                self._offered.pop(copy.name, None)
        finally:
            self._show_offer()

    async def _replaces_study(self, recovered: RecoveredStudy) -> bool:
        if recovered.file is not None and self._files.show_elsewhere(recovered.file.path):
            title = _("“{name}” is open in another window").format(name=recovered.file.path.name)
            text = _("Close it there first, then open the recovered version.")
            self._context.notices.show_notice(Notice(NoticeSeverity.WARNING, title, text))
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

    async def _discard(self, copy: RecoveryCopy) -> None:
        """Delete a recovery copy after confirmation."""
        title = _("Discard the unsaved changes to “{name}”?").format(name=copy.title)
        text = _("They are deleted and cannot be restored. {description}")
        dialog = Dialog(
            title,
            text.format(description=description(copy)),
            _("Discard"),
            ButtonKind.DESTROY,
            help_address="home.md#open-a-study",
        )
        await self._remove_if_confirmed(dialog, [copy])

    async def _discard_all(self) -> None:
        """Delete all recovery copies that are offered, after confirmation."""
        copies = list(self._offered.values())
        title = ngettext(
            "Discard the unsaved changes to {count} study?",
            "Discard the unsaved changes to {count} studies?",
            len(copies),
        ).format(count=number(len(copies)))
        text = _("They are deleted and cannot be restored: {names}.")
        dialog = Dialog(
            title,
            text.format(names=_titles(copies)),
            _("Discard all"),
            ButtonKind.DESTROY,
            help_address="home.md#open-a-study",
        )
        await self._remove_if_confirmed(dialog, copies)

    async def _remove_if_confirmed(self, dialog: Dialog, copies: Sequence[RecoveryCopy]) -> None:
        try:
            if await dialog.ask(self._context.window):
                for copy in copies:
                    await asyncio.to_thread(self._store.remove, copy.name)
                    self._offered.pop(copy.name, None)
        finally:
            self._show_offer()


def _titles(copies: Iterable[RecoveryCopy]) -> str:
    return joined(truncate(copy.title, _MAX_TITLE_CHARS) for copy in copies)
