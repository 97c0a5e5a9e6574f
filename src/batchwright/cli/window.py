"""`batchwright [FILE ...]`: the window."""

import argparse

from batchwright.app.window import window
from batchwright.base.i18n import _
from batchwright.cli.console import say
from batchwright.cli.display import has_screen


def run(options: argparse.Namespace) -> int:
    """Open a window for the files.

    Ends with 2 without a screen, when the folders cannot be made, and when another program does not answer.
    """
    if not has_screen():
        say(_("There is no screen to show a window on. Start Batchwright on a desktop."))
        return 2
    try:
        return window(options.files)
    except OSError as fault:
        sentence = _("Batchwright cannot keep its data in {path}: {reason}")
        say(sentence.format(path=fault.filename, reason=fault.strerror))
        return 2
