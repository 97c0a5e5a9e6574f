"""The steps of a preparation as files, as the command line reads them."""

import asyncio
from pathlib import Path

from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.i18n import N_, _
from batchwright.base.json_values import JsonObject, is_array, is_object, parse, to_json
from batchwright.ui.data.context import DataContext
from batchwright.ui.widgets.notices import NoticeSeverity

_JSON = ("JSON (*.json)",)


async def open_steps(context: DataContext) -> None:
    """Use the steps of a file in place of those of the study, unless a dataset operation is running."""
    state = context.state
    if context.notify_if_busy():
        return
    opening = state.study.opening
    path = await context.files.file_to_open(_("Open steps"), _JSON, _folder(context))
    if path is None:
        return
    steps = await asyncio.to_thread(_read, path)
    if opening == state.study.opening:
        state.change_steps(steps, N_("Open steps"))


async def save_steps(context: DataContext) -> None:
    """Save the steps of the study as a JSON file."""
    steps, folder = context.state.steps, _folder(context)
    summary = context.state.file.summary
    stem = "steps" if summary is None else f"{summary.path.stem}-steps"
    target = await context.files.file_to_save(_("Save the steps"), _JSON, folder / f"{stem}.json")
    if target is not None:
        content = f"{to_json(list(steps), indent=2)}\n".encode()
        await asyncio.to_thread(write_atomically, target, content)
        context.notify(NoticeSeverity.SUCCESS, _("Steps saved"), str(target))


def _read(path: Path) -> tuple[JsonObject, ...]:
    """The steps in a file, as they are stored.

    Raises:
        InvalidSteps: they are not valid.
        InvalidJson: the file is not JSON.
        OSError: it cannot be read.
    """
    from batchwright.prepare.preparation import read_steps

    stored = parse(path.read_bytes())
    read_steps(stored)
    return tuple(filter(is_object, stored)) if is_array(stored) else ()


def _folder(context: DataContext) -> Path:
    path = context.state.file.path
    return Path.home() if path is None else path.parent
