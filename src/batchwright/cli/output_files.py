"""Files that commands write."""

import argparse
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from batchwright.base.files.atomic_files import replace_atomically, sibling_temp_file
from batchwright.base.files.temporary_files import remove_leftovers, temporary_folder
from batchwright.base.i18n import _
from batchwright.cli.input_files import InputError

_STANDARD_OUTPUT = Path("-")


@contextmanager
def records_file(options: argparse.Namespace) -> Iterator[Path]:
    """A file for records, which replaces `--out` or is copied to standard output at the end of the block.

    Raises:
        InputError: `--out` exists, and is not to be replaced, or is an input.
        OSError: it cannot be written.
    """
    out: Path = options.out
    if out == _STANDARD_OUTPUT:
        with temporary_folder("records") as folder:
            written = folder / "records.jsonl"
            yield written
            sys.stdout.flush()
            with written.open("rb") as records:
                shutil.copyfileobj(records, sys.stdout.buffer)
        return
    if out.exists() and not options.overwrite:
        raise InputError(_("{path} exists. --overwrite replaces it.").format(path=out))
    require_other_files([out], options)
    with sibling_temp_file(out) as written:
        remove_leftovers(written.parent)
        yield written
        replace_atomically(written, out)


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
