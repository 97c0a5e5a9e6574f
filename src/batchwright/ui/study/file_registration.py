"""The register as a file that people keep or send: every id at every connection (design.md D16)."""

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


async def export_register(frame: StageContext, register: IdRegistry, dialogs: FileChooser) -> None:
    """Write every id that was made or seen to a file that the person chooses.

    Raises:
        OSError: it cannot be written.
    """
    proposed = Path(_("Batchwright register.json"))
    path = await dialogs.file_to_save(_("Export the register"), (_(_FILE),), proposed)
    if path is None:
        return
    count = await asyncio.to_thread(_write, register, path)
    said = ngettext("Register exported: {count} id", "Register exported: {count} ids", count)
    frame.toasts.show_toast(Toast(ToastSeverity.DONE, said.format(count=count), str(path)))


def _write(register: IdRegistry, path: Path) -> int:
    known = register.exported()
    write_atomically(path, f"{to_json(known, indent=1)}\n".encode())
    return len(known)
