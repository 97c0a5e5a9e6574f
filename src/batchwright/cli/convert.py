"""`batchwright-cli convert`: writes the records of a data file as JSONL, as they would be uploaded."""

import argparse

from batchwright.base.i18n import ngettext
from batchwright.cli.console import print_message
from batchwright.cli.input_files import InputError
from batchwright.cli.output_files import records_file
from batchwright.cli.source_files import convert_with_options
from batchwright.data_files.rows import UnreadableFile


def run(options: argparse.Namespace) -> int:
    """Write the file, and notes and the number of records to standard error; returns 2 on errors."""
    try:
        with records_file(options) as target:
            converted = convert_with_options(options.file, options, target)
    except (InputError, UnreadableFile) as error:
        print_message(error)
        return 2
    for note in converted.notes:
        print_message(note)
    text = ngettext("{count} record was written.", "{count} records were written.", converted.records)
    print_message(text.format(count=converted.records))
    return 0
