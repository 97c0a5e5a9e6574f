"""`batchwright [FILE ...]`: opens the window."""

import argparse

from batchwright.app.window import run_program
from batchwright.base.i18n import _
from batchwright.cli.console import print_message
from batchwright.cli.display import has_screen
from batchwright.ui.core.single_instance import NoResponse
from batchwright.ui.program.start_error import show_start_error


def run(options: argparse.Namespace) -> int:
    """Open a window for the files.

    Returns 2 without a screen, if the folders cannot be created or written to, and if another running
    instance does not respond.
    """
    if not has_screen():
        print_message(_("No display was found. Start Batchwright on a desktop."))
        return 2
    try:
        return run_program(options.files)
    except NoResponse:
        return _not_started(
            _("Batchwright is already running, but does not respond. Wait or end it, then try again.")
        )
    except OSError as error:
        text = _("Batchwright cannot store its data in {path}: {reason}")
        return _not_started(text.format(path=error.filename, reason=error.strerror))


def _not_started(text: str) -> int:
    print_message(text)
    show_start_error(text)
    return 2
