"""`batchwright-cli check-data`: checks every record of a data file against a schema."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import JsonObject
from batchwright.base.like_errors import MAX_LIKE_ERRORS
from batchwright.base.local_formats import quoted
from batchwright.base.text import truncate
from batchwright.cli.console import print_json, print_message, print_result
from batchwright.cli.input_files import InputError, read_schema_file
from batchwright.cli.source_files import format_of, readable_file, study_of
from batchwright.data_files.checking import Kind, Rejection, Report, check_file
from batchwright.data_files.column_names import NameProblem, listed, name_problems
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import columns
from batchwright.data_files.rows import UnreadableFile
from batchwright.schema.model import Schema


def run(options: argparse.Namespace) -> int:
    """Print one line per rejected record, or a JSON object; returns 1 if there is one, 2 on input errors."""
    try:
        schema = _schema(options)
        with readable_file(options.file, options) as file:
            form = format_of(file.path)
            report = check_file(file.path, form, schema, most_alike=MAX_LIKE_ERRORS)
            notes = excluded_column_messages(file.path, form, schema)
            if file.rows is not None:
                report = with_rows(report, file.rows)
    except (InputError, UnreadableFile) as error:
        print_message(error)
        return 2
    if options.json:
        print_json(as_json(report), indent=2)
    else:
        for rejection in report.errors:
            print_result(format_rejection(rejection))
        for kind, count in report.further.items():
            print_result(format_further(kind, count))
        for note in notes:
            print_message(note)
        print_message(summary(report))
    return 1 if report.rejected else 0


def _schema(options: argparse.Namespace) -> Schema:
    """The schema that is given, or else that of the study whose data is checked.

    Raises:
        InputError: there is none, or it cannot be read.
    """
    if options.schema is not None:
        return read_schema_file(options.schema)
    project = study_of(options.file)
    if project is None:
        raise InputError(_("Say with --schema what the records are checked against."))
    if project.schema is None:
        raise InputError(
            _("The study has no schema. Say with --schema what its records are checked against.")
        )
    return project.schema


def with_rows(report: Report, rows: Sequence[int]) -> Report:
    """The report on a converted file, with the rows of its source as lines."""
    errors = tuple(error._replace(line=rows[error.record_index]) for error in report.errors)
    return replace(report, errors=errors)


def excluded_column_messages(path: Path, form: Format, schema: Schema) -> list[str]:
    """A message for each group of CSV columns that cannot be fields because of their names."""
    if form.kind is not FormatKind.CSV:
        return []
    return [
        _("Not read: {columns}. {reason}").format(columns=_column_text(problem), reason=problem.reason)
        for problem in name_problems(columns(path, form))
        if problem.name not in schema.fields
    ]


def _column_text(problem: NameProblem) -> str:
    if problem.name:
        return quoted(truncate(problem.name))
    return _("column {positions}").format(positions=listed(problem.positions))


def format_rejection(rejection: Rejection) -> str:
    """Format a rejection as `line N, FIELD: reason`, counted from 1."""
    return _("line {line}, {field}: {reason}").format(**rejection._asdict())


def format_further(kind: Kind | None, count: int) -> str:
    """Say how many errors of a kind are not listed; None is every kind of which none is listed."""
    if kind is None:
        text = ngettext("{count} more error is not listed.", "{count} more errors are not listed.", count)
        return text.format(count=count)
    text = ngettext(
        "{count} more record like those above, {field}: {reason}",
        "{count} more records like those above, {field}: {reason}",
        count,
    )
    return text.format(count=count, field=kind[0], reason=kind[1])


def as_json(report: Report) -> JsonObject:
    """Convert the report to JSON; `record_index` counts from 0, `line` from 1.

    `further_errors` has the numbers of those that are not listed: of each kind, the first thousand are.
    """
    return {
        "records": report.records,
        "accepted": report.accepted,
        "rejected": report.rejected,
        "errors": [rejection._asdict() for rejection in report.errors],
        "further_errors": [
            {"count": count, "field": kind and kind[0], "reason": kind and kind[1]}
            for kind, count in report.further.items()
        ],
    }


def summary(report: Report) -> str:
    """The numbers of records and rejections as text."""
    text = ngettext(
        "{records} record: {accepted} accepted, {rejected} rejected.",
        "{records} records: {accepted} accepted, {rejected} rejected.",
        report.records,
    )
    return text.format(records=report.records, accepted=report.accepted, rejected=report.rejected)
