"""Export of the id registry: every id at every connection, as a JSON file."""

import asyncio
from pathlib import Path

from batchwright.base.atomic_files import write_atomically
from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.json_values import to_json
from batchwright.local.id_registry import IdRegistry
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.widgets.file_dialogs import FileChooser
from batchwright.ui.widgets.notices import Toast, ToastSeverity

_FILE = N_("Register (*.json)")


async def export_register(context: StageContext, register: IdRegistry, dialogs: FileChooser) -> None:
    """Ask for a file and write every recorded id to it.

    Raises:
        OSError: it cannot be written.
    """
    proposed = Path(_("Batchwright register.json"))
    path = await dialogs.file_to_save(_("Export the register"), (_(_FILE),), proposed)
    if path is None:
        return
    count = await asyncio.to_thread(_write, register, path)
    title = ngettext("Register exported: {count} id", "Register exported: {count} ids", count)
    context.toasts.show_toast(Toast(ToastSeverity.SUCCESS, title.format(count=count), str(path)))


def _write(register: IdRegistry, path: Path) -> int:
    entries = register.exported()
    write_atomically(path, f"{to_json(entries, indent=1)}\n".encode())
    return len(entries)
