"""The user's own templates and blocks: their list, and commands to save, rename, remove and share them."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLineEdit

from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.files.temporary_files import temporary_folder
from batchwright.base.i18n import N_, _
from batchwright.layout.editing.clipboard import ClipboardNodes
from batchwright.local.library import (
    MAX_DESCRIPTION_CHARS,
    Library,
    LibraryEntry,
    LibraryKind,
    block_of,
    entry_content,
    name_error,
    read_entry,
    study_from_template,
    template_of,
)
from batchwright.local.projects import Project, study_name
from batchwright.local.study_files.study_archive import templates_in
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.theme.foreign import MAX_LAYOUT_CHARACTERS
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.dialogs.file_dialogs import FileChooser
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.notices import Notice, NoticeSeverity


class LibraryEntryDialog(Dialog):
    """Asks for a name and a description. The name of another entry can be used too: that one is replaced.

    Args:
        title: title of the dialog.
        text: what is saved.
        accept: text of the button.
        existing: the files of the other entries by name, with case folded.
        description_hint: where the description is shown.
    """

    help_address = "layout.md#templates-and-blocks"

    def __init__(
        self, title: str, text: str, accept: str, existing: Mapping[str, Path], description_hint: str
    ) -> None:
        super().__init__(title, text, accept)
        self._existing, self._accept_text = existing, accept
        self.name = self.description = ""
        """The texts entered, without white space around them."""
        self.replaced_path = Path()
        """The file to be replaced; `Path()` for a new one."""
        self._name, self._description = QLineEdit(), QLineEdit()
        self._description.setMaxLength(MAX_DESCRIPTION_CHARS)
        self._name_field = InputField(_("Name"), self._name)
        self.add(
            self._name_field,
            InputField(_("Description"), self._description, hint=description_hint),
        )
        self._name.textChanged.connect(self._validate)
        self._description.textChanged.connect(self._validate)
        self._validate()

    def fill(self, name: str, description: str = "") -> None:
        """Set the proposed texts."""
        self._name.setText(name[:MAX_LAYOUT_CHARACTERS])
        self._name.selectAll()
        self._description.setText(description)

    def _validate(self) -> None:
        self.name, self.description = self._name.text().strip(), self._description.text().strip()
        error = name_error(self.name)
        self.replaced_path = self._existing.get(self.name.casefold(), Path())
        is_replaced = self.replaced_path != Path()
        if error and self.name:
            self._name_field.show_error(error)
        elif is_replaced:
            self._name_field.show_advice(_("There is one of this name already. It will be replaced."))
        else:
            self._name_field.show_error("")
        self.accept_button.setText(_("Replace") if is_replaced else self._accept_text)
        self.accept_button.set_disabled_reason(error)


LIBRARY_FILTER = N_("Templates and blocks (*.batchwright-template *.batchwright-block)")

OpenNew = Callable[[Project, str], Coroutine[Any, Any, None]]
"""Opens a study that has no file on a stage of the window."""


class LibraryCommands(QObject):
    """The templates and blocks of the user in one window; all windows share their files."""

    changed = Signal()
    """The list has changed."""
    saved = Signal()
    """This window has written or removed a file."""

    def __init__(
        self, context: StageContext, library: Library, dialogs: FileChooser, open_new: OpenNew
    ) -> None:
        super().__init__(context.window)
        self._context, self._library, self._dialogs, self._open_new = context, library, dialogs, open_new
        self._entries: tuple[LibraryEntry, ...] = ()

    @property
    def templates(self) -> tuple[LibraryEntry, ...]:
        """The templates by name, including damaged ones."""
        return tuple(entry for entry in self._entries if entry.kind is LibraryKind.TEMPLATE)

    @property
    def blocks(self) -> tuple[LibraryEntry, ...]:
        """The blocks by name, including damaged ones."""
        return tuple(entry for entry in self._entries if entry.kind is LibraryKind.BLOCK)

    async def refresh(self) -> None:
        """Read the list again.

        Raises:
            OSError: the folder cannot be read.
        """
        self._entries = tuple(await asyncio.to_thread(self._library.entries))
        self.changed.emit()

    def refresh_soon(self) -> None:
        """Read the list again in the background."""
        self._context.tasks.start("read templates and blocks", self.refresh)

    def open_template(self, entry: LibraryEntry) -> None:
        """Create a study from a template."""

        async def create() -> None:
            await self._open_new(await asyncio.to_thread(study_from_template, entry), "layout")

        self._context.tasks.start("create from own template", create)

    async def save_template(self, project: Project) -> None:
        """Ask for a name and save a study as a template."""
        text = _(
            "Saves the layout with its page names, the schema and the task details. The data file and what "
            "exists at a service are not part of a template."
        )
        dialog = self._dialog(LibraryKind.TEMPLATE, _("Save as a template"), text, _("Save template"))
        dialog.fill(study_name(project))
        if await dialog.ask(self._context.window):
            entry = template_of(project, dialog.name, dialog.description)
            await self._save(replace(entry, path=dialog.replaced_path), _("Template “{name}” saved"))

    async def save_block(self, nodes: ClipboardNodes, name: str, page_names: Mapping[str, str]) -> None:
        """Ask for a name and save nodes as a block.

        Args:
            nodes: the nodes.
            name: the name that is proposed.
            page_names: the names of the pages of the study, by key.
        """
        text = _("The block appears in the list of items and can be added to any study.")
        dialog = self._dialog(LibraryKind.BLOCK, _("Save as a block"), text, _("Save block"))
        dialog.fill(name)
        if await dialog.ask(self._context.window):
            entry = replace(block_of(nodes, dialog.name, page_names), description=dialog.description)
            await self._save(replace(entry, path=dialog.replaced_path), _("Block “{name}” saved"))

    async def rename(self, entry: LibraryEntry) -> None:
        """Ask for another name and description."""
        dialog = self._dialog(
            entry.kind, _("Rename “{name}”").format(name=entry.name), "", _("Rename"), except_for=entry
        )
        dialog.fill(entry.name, entry.description)
        if not await dialog.ask(self._context.window):
            return
        renamed = replace(entry, name=dialog.name, description=dialog.description)
        replaced = next((other for other in self._entries if other.path == dialog.replaced_path), None)
        await self._save(renamed, _("“{name}” saved"))
        if replaced is not None:
            await self.remove(replaced)

    async def remove(self, entry: LibraryEntry) -> None:
        """Remove a template or block; a notice offers to undo it."""
        content = await asyncio.to_thread(self._library.remove, entry)
        await self._refresh_all()

        async def restore() -> None:
            await asyncio.to_thread(self._library.restore, entry, content)
            await self._refresh_all()

        self._context.notices.show_notice(
            Notice(
                NoticeSeverity.SUCCESS,
                _("“{name}” was removed").format(name=entry.name),
                "",
                _("Undo"),
                lambda: self._context.tasks.start(f"restore {entry.path.name}", restore),
            )
        )

    async def export(self, entry: LibraryEntry) -> None:
        """Ask for a file and write a template or block to it."""
        proposed = Path(f"{_file_name(entry.name)}{entry.kind.suffix}")
        target = await self._dialogs.file_to_save(
            _("Export “{name}”").format(name=entry.name), (_(LIBRARY_FILTER),), proposed
        )
        if target is not None:
            await asyncio.to_thread(lambda: write_atomically(target, entry_content(entry)))
            self._notify(_("“{name}” exported").format(name=entry.name), str(target))

    async def choose_and_import(self) -> None:
        """Ask for a file and import it."""
        path = await self._dialogs.file_to_open(_("Import a template or block"), (_(LIBRARY_FILTER),))
        if path is not None:
            await self.import_file(path)

    async def import_file(self, path: Path) -> None:
        """Add the template or block of a file; asks for another name if there is one of that name.

        Raises:
            InvalidLibraryFile: the file is not a template or block, or is damaged.
            OSError: it cannot be read or written.
        """
        entry = await asyncio.to_thread(read_entry, path)
        if self._find(entry.kind, entry.name) is not None:
            title = _("There is a “{name}” already").format(name=entry.name)
            text = _("Give the imported one another name, or replace the existing one.")
            dialog = self._dialog(entry.kind, title, text, _("Import"))
            dialog.fill(entry.name, entry.description)
            if not await dialog.ask(self._context.window):
                return
            entry = replace(
                entry, name=dialog.name, description=dialog.description, path=dialog.replaced_path
            )
        await self._save(entry, _("“{name}” imported"))

    async def import_archived(self, path: Path) -> None:
        """Add the templates and blocks in the file of a study that was saved with its data.

        Raises:
            InvalidLibraryFile: one is not a template or block, or is damaged.
            OSError: one cannot be read or written.
        """
        for file in await asyncio.to_thread(templates_in, path):
            with temporary_folder("template") as folder:
                extracted = folder / file.name
                await asyncio.to_thread(extracted.write_bytes, file.content)
                await self.import_file(extracted)

    def run(self, command: Callable[[LibraryEntry], Coroutine[Any, Any, None]], entry: LibraryEntry) -> None:
        """Run a command for an entry in the background; its errors are shown."""
        self._context.tasks.start(f"{command.__name__} {entry.path.name}", lambda: command(entry))

    def _dialog(
        self,
        kind: LibraryKind,
        title: str,
        text: str,
        accept: str,
        *,
        except_for: LibraryEntry | None = None,
    ) -> LibraryEntryDialog:
        existing = {
            entry.name.casefold(): entry.path
            for entry in self._entries
            if entry.kind is kind and entry is not except_for and not entry.error
        }
        hint = (
            _("Shown below the name on Home. Optional.")
            if kind is LibraryKind.TEMPLATE
            else _("Shown when the pointer is on the block. Optional.")
        )
        return LibraryEntryDialog(title, text, accept, existing, hint)

    def _find(self, kind: LibraryKind, name: str) -> LibraryEntry | None:
        return next(
            (
                entry
                for entry in self._entries
                if entry.kind is kind and not entry.error and entry.name.casefold() == name.casefold()
            ),
            None,
        )

    async def _save(self, entry: LibraryEntry, message: str) -> None:
        await asyncio.to_thread(self._library.save, entry)
        await self._refresh_all()
        where = (
            _("It is on Home, below the templates.")
            if entry.kind is LibraryKind.TEMPLATE
            else _("It is in the list of items, below “My blocks”.")
        )
        self._notify(message.format(name=entry.name), where)

    async def _refresh_all(self) -> None:
        await self.refresh()
        self.saved.emit()

    def _notify(self, title: str, text: str) -> None:
        self._context.notices.show_notice(Notice(NoticeSeverity.SUCCESS, title, text))


def _file_name(name: str) -> str:
    """A name without the characters that file systems reserve."""
    return (
        "".join("-" if character in '<>:"/\\|?*' else character for character in name).strip(". ") or "block"
    )
