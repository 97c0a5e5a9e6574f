"""`batchwright-cli convert`: writes the records of a data file as JSONL, as they would be uploaded."""

import argparse
import shutil
import sys
from pathlib import Path

from batchwright.base.files.atomic_files import replace_atomically, sibling_temp_path
from batchwright.base.files.temporary_files import temporary_folder
from batchwright.base.i18n import _, ngettext
from batchwright.cli.console import print_message
from batchwright.cli.input_files import InputError
from batchwright.cli.source_files import convert_with_options
from batchwright.data_files.conversion.convert import Converted
from batchwright.data_files.rows import UnreadableFile

_STANDARD_OUTPUT = Path("-")


def run(options: argparse.Namespace) -> int:
    """Write the file, and notes and the number of records to standard error; returns 2 on errors."""
    try:
        converted = _written(options)
    except (InputError, UnreadableFile) as error:
        print_message(error)
        return 2
    except OSError as error:
        text = _("{path} cannot be read or written: {reason}")
        print_message(text.format(path=error.filename or options.file, reason=error.strerror))
        return 2
    for note in converted.notes:
        print_message(note)
    text = ngettext("{count} record was written.", "{count} records were written.", converted.records)
    print_message(text.format(count=converted.records))
    return 0


def _written(options: argparse.Namespace) -> Converted:
    out: Path = options.out
    if out == _STANDARD_OUTPUT:
        with temporary_folder("conversion") as folder:
            target = folder / "records.jsonl"
            converted = convert_with_options(options.file, options, target)
            with target.open("rb") as records:
                shutil.copyfileobj(records, sys.stdout.buffer)
            return converted
    if out.exists() and not options.overwrite:
        raise InputError(_("{path} exists. --overwrite replaces it.").format(path=out))
    target = sibling_temp_path(out)
    try:
        converted = convert_with_options(options.file, options, target)
        replace_atomically(target, out)
    finally:
        target.unlink(missing_ok=True)
    return converted
