"""Files that commands write."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.cli.input_files import InputError


def require_other_files(outputs: Iterable[Path], options: argparse.Namespace) -> None:
    """Check that none of the files to write is one that the command reads, also under another name.

    Raises:
        InputError: one is; the message names it.
        OSError: a file cannot be accessed.
    """
    given = {name: value for name, value in vars(options).items() if name != "out"}
    paths = [value for value in given.values() if isinstance(value, Path)]
    paths += map(Path, given.get("exclude", ()))
    inputs = [path for path in paths if path.is_file()]
    for output in outputs:
        if output.is_file() and any(map(output.samefile, inputs)):
            text = _("{path} is read by this command, which cannot replace it. Choose another --out.")
            raise InputError(text.format(path=output))
