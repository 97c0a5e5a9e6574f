"""`batchwright [FILE ...]`: opens the window."""

import argparse

from batchwright.app.window import run_program
from batchwright.base.i18n import _
from batchwright.cli.console import print_message
from batchwright.cli.display import has_screen


def run(options: argparse.Namespace) -> int:
    """Open a window for the files.

    Returns 2 without a screen, if the folders cannot be created, and if another running instance does not
    respond.
    """
    if not has_screen():
        print_message(_("No display was found. Start Batchwright on a desktop."))
        return 2
    try:
        return run_program(options.files)
    except OSError as error:
        text = _("Batchwright cannot store its data in {path}: {reason}")
        print_message(text.format(path=error.filename, reason=error.strerror))
        return 2
