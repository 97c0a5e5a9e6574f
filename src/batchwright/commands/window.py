"""`batchwright [FILE ...]`: the window."""

import argparse
import sys
from gettext import gettext as _

from batchwright.bootstrap.window import window


def run(options: argparse.Namespace) -> int:
    """Open a window for the files; 2 when the folders cannot be made, or another program does not answer."""
    try:
        return window(options.files)
    except OSError as fault:
        sentence = _("Batchwright cannot keep its data in {path}: {reason}")
        print(sentence.format(path=fault.filename, reason=fault.strerror), file=sys.stderr)
        return 2
