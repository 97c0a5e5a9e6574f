"""`batchwright-cli prepare`: makes the steps of a preparation with a data file, and writes the result."""

import argparse
from contextlib import nullcontext

from batchwright.base.files.temporary_files import temporary_folder
from batchwright.base.i18n import _, ngettext
from batchwright.cli.console import print_message, print_result
from batchwright.cli.input_files import InputError, read_json
from batchwright.cli.output_files import records_file
from batchwright.cli.source_files import convert_with_options
from batchwright.data_files.index import IndexChunk
from batchwright.data_files.rows import UnreadableFile
from batchwright.prepare.description import description
from batchwright.prepare.preparation import read_steps, results, write_records
from batchwright.prepare.problems import InvalidSteps, StepProblem
from batchwright.prepare.steps.step import Step
from batchwright.prepare.tables import PreparedTable, records_table


def run(options: argparse.Namespace) -> int:
    """Write the file, or only the balance table with --check; returns 2 on errors."""
    try:
        steps = read_steps(read_json(options.steps))
        if options.out is None and not options.check:
            raise InputError(_("Say where the records are written with --out FILE, or use --check."))
        output = nullcontext() if options.out is None else records_file(options)
        with output as out, temporary_folder("conversion") as folder:
            index, target = IndexChunk(), folder / "records.jsonl"
            converted = convert_with_options(options.file, options, target, index)
            for note in converted.notes:
                print_message(note)
            with records_table(target, index.offsets, converted.columns) as records:
                if left_out := len(index) - records.length:
                    text = ngettext(
                        "{count} line that is no record is left out.",
                        "{count} lines that are no records are left out.",
                        left_out,
                    )
                    print_message(text.format(count=left_out))
                table = _prepared(records, steps, is_checked=options.check)
                if out is not None:
                    with out.open("wb") as file:
                        write_records(table, file)
    except (InputError, InvalidSteps, StepProblem, UnreadableFile) as error:
        print_message(error)
        return 2
    return 0


def _prepared(table: PreparedTable, steps: tuple[Step, ...], *, is_checked: bool) -> PreparedTable:
    """Make the steps; print what they say, and the balance table as lines with tabs if it is asked for.

    Last comes the paragraph that describes the design.
    """
    counts = list[int]()
    for number, (step, result) in enumerate(zip(steps, results(table, steps), strict=True), 1):
        text = ngettext("{count} row", "{count} rows", result.table.length).format(count=result.table.length)
        print_message(f"{number}. {_(step.label)}: {text}")
        for note in result.notes:
            print_message(f"   {note}")
        if is_checked:
            for row in result.balance:
                print_result(f"{number}\t{row.subject}\t{row.name}\t{row.count}")
        table = result.table
        counts.append(table.length)
    if design := description(steps, counts):
        print_message(design)
    return table
