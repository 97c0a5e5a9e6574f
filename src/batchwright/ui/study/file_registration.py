"""The register as a file that people keep or send: every id at every connection (design.md D16)."""

import asyncio
from pathlib import Path

from batchwright.base.atomic_files import write_whole
from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import render
from batchwright.local.id_registry import Register
from batchwright.ui.shell.stages import Frame
from batchwright.ui.widgets.file_dialogs import AsksForFiles
from batchwright.ui.widgets.notices import Mood, Notice
from batchwright.ui.words import later

_FILE = later("Register (*.json)")


async def export_register(frame: Frame, register: Register, dialogs: AsksForFiles) -> None:
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
    frame.notices.tell(Notice(Mood.DONE, said.format(count=count), str(path)))


def _write(register: Register, path: Path) -> int:
    known = register.exported()
    write_whole(path, f"{render(known, indent=1)}\n".encode())
    return len(known)
