"""The commands of the Feedback stage: each is one function here and one row in `ui.feedback.actions`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from batchwright.base.i18n import _, ngettext
from batchwright.local.connections import Connection
from batchwright.ui.core.formatting import number, size
from batchwright.ui.feedback.state import FeedbackFile, FeedbackState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.dialogs.file_dialogs import FileDialogs
from batchwright.ui.widgets.text import Label

_SHOWN_NAMES = 8
"""Maximum number of file names listed in the confirmation."""


@dataclass(frozen=True)
class FeedbackContext:
    """The dependencies of the commands of the Feedback stage."""

    window: StageContext
    state: FeedbackState


async def choose_files(context: FeedbackContext) -> None:
    """Ask for files, and send them."""
    paths = await FileDialogs(context.window.window).files_to_open(
        _("Choose feedback files"), (_("Feedback files (*.csv *.xls *.xlsx *.json *.txt *.pdf)"),)
    )
    await send_files(context, paths)


async def send_files(context: FeedbackContext, paths: Sequence[Path]) -> None:
    """Check files and send those that can be sent; a live service needs a confirmation."""
    state = context.state
    numbers = await state.add(paths)
    if not numbers:
        return
    connection = state.session.connection
    if connection.is_local or await _confirm(context, numbers, connection):
        state.confirm(numbers, connection.name)
        await state.enqueue(numbers)
        state.send(numbers)
        return
    for file_number in numbers:
        state.remove(file_number)


async def _confirm(context: FeedbackContext, numbers: Sequence[int], connection: Connection) -> bool:
    chosen = [file for file in context.state.files if file.number in numbers]
    files = ngettext("{count} file", "{count} files", len(chosen)).format(count=number(len(chosen)))
    dialog = Dialog(
        _("Send {files} to {connection}?").format(files=files, connection=connection.title),
        _("{size} in total are sent to the workspace {workspace}.").format(
            size=size(sum(file.size for file in chosen)), workspace=connection.workspace_id
        ),
        _("Send {files}").format(files=files),
        ButtonKind.LIVE,
        help_address="feedback.md",
    )
    dialog.add(Label(_names(chosen), TextRole.SMALL, "text2", wraps=True))
    dialog.add_warning(_("This reaches the live service and cannot be undone."), is_live=True)
    return await dialog.ask(context.window.window)


def _names(files: Sequence[FeedbackFile]) -> str:
    """The names of files, a line for each; of many only the first."""
    lines = [file.path.name for file in files[:_SHOWN_NAMES]]
    left = len(files) - len(lines)
    more = ngettext("and {count} more", "and {count} more", left).format(count=number(left))
    return "\n".join([*lines, more] if left else lines)
