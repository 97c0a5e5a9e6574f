"""`batchwright check`: checks a layout or a collection against the rules."""

import argparse
from dataclasses import replace
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject, to_json
from batchwright.cli.console import print_message, print_result
from batchwright.cli.input_files import InputError, read_collection, read_pages, read_schema_file
from batchwright.data_files.file_types import FileType, type_of
from batchwright.layout.collection_pages import item_path
from batchwright.layout.rules import Fields, Problem, SchemaUnavailable, Severity
from batchwright.layout.validator import LayoutChecker, check_json


def run(options: argparse.Namespace) -> int:
    """Print one line per problem, or a JSON array; returns 1 if there is an error, 2 on input errors."""
    try:
        problems = check(options.layout, options.schema)
    except InputError as error:
        print_message(error)
        return 2
    if options.json:
        print_result(to_json([as_json(problem) for problem in problems], indent=2))
    else:
        for problem in problems:
            print_result(problem)
        print_message(summary(problems))
    return 1 if any(problem.severity is Severity.ERROR for problem in problems) else 0


def check(layout: Path, schema: Path | None) -> list[Problem]:
    """Check a layout or a collection; references to fields are checked, too, if there is a schema file.

    Problems of a collection have paths without rows and columns.

    Raises:
        InputError: a file is missing or cannot be read, or a schema was given for a collection.
    """
    if layout.is_file() and type_of(layout) is FileType.COLLECTION:
        if schema:
            raise InputError(_("A collection has no data, so there is no schema to check."))
        pages = read_collection(layout).layout
        problems = LayoutChecker(SchemaUnavailable.COLLECTION).check(pages)
        return [replace(problem, path=item_path(problem.path, pages)) for problem in problems]
    fields: Fields = read_schema_file(schema) if schema else SchemaUnavailable.UNKNOWN
    return check_json(read_pages(layout), fields, None)


def as_json(problem: Problem) -> JsonObject:
    """Convert a problem to JSON; positions count from 0 and are null at levels that do not apply."""
    return {
        "code": problem.code,
        "severity": "error" if problem.severity is Severity.ERROR else "advice",
        **problem.path._asdict(),
        "message": problem.message,
    }


def summary(problems: list[Problem]) -> str:
    """Return the numbers of errors and hints as text."""
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    hints = len(problems) - errors
    if not problems:
        return _("No problems.")
    return _("Errors: {errors}. Hints: {hints}.").format(errors=errors, hints=hints)
