"""`batchwright check`: checks a layout or a collection against the rules."""

import argparse
from dataclasses import replace
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject, to_json
from batchwright.cli.collection_requests import request_problems
from batchwright.cli.console import print_message, print_result
from batchwright.cli.input_files import (
    InputError,
    read_collection,
    read_collection_items,
    read_pages,
    read_schema_file,
)
from batchwright.data_files.file_types import FileType, type_of
from batchwright.layout.collection_pages import item_path
from batchwright.layout.rules import Fields, Problem, SchemaUnavailable, Severity
from batchwright.layout.validator import LayoutChecker, check_json


def run(options: argparse.Namespace) -> int:
    """Print one line per problem, or a JSON array; returns 1 if there is an error, 2 on input errors."""
    try:
        problems = check(options.layout, options.schema, options.dataset, is_new=options.new)
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


def check(
    layout: Path, schema: Path | None, dataset: str | None = None, *, is_new: bool = False
) -> list[Problem]:
    """Check a layout or a collection; references to fields are checked, too, if the dataset is given.

    Problems of a collection have paths without rows and columns.

    Args:
        layout: the file.
        schema: the schema of the dataset.
        dataset: the kind of a dataset without a schema: none at all, V3, or V4 without one.
        is_new: whether it will be created, so that no id is accepted.

    Raises:
        InputError: a file is missing or cannot be read, or a dataset was given for a collection.
    """
    if layout.is_file() and type_of(layout) is FileType.COLLECTION:
        if schema or dataset:
            raise InputError(_("A collection has no data, so there is no schema to check."))
        pages = read_collection(layout).layout
        problems = LayoutChecker(SchemaUnavailable.COLLECTION).check(pages)
        shown = [replace(problem, path=item_path(problem.path, pages)) for problem in problems]
        return [*shown, *request_problems(read_collection_items(layout), is_new=is_new)]
    fields: Fields = SchemaUnavailable.NONE if dataset else SchemaUnavailable.UNKNOWN
    if schema:
        fields = read_schema_file(schema)
    return check_json(read_pages(layout), fields, () if is_new else None)


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
