"""`batchwright-cli check`: checks a layout or a collection against the rules."""

import argparse
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import JsonObject, is_array
from batchwright.base.like_errors import MAX_LIKE_ERRORS, LikeErrors
from batchwright.base.limits import MAX_ITEMS
from batchwright.cli.collection_requests import request_problems
from batchwright.cli.console import print_json, print_message, print_result
from batchwright.cli.input_files import (
    InputError,
    read_collection,
    read_collection_items,
    read_pages,
    read_schema_file,
)
from batchwright.data_files.file_types import FileType, type_of
from batchwright.layout.checking.validator import LayoutChecker, check_json
from batchwright.layout.collection_pages import item_path, layout_from_collection
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import Fields, Problem, SchemaUnavailable, Severity
from batchwright.layout.serialization import sequential_keys

Kind: TypeAlias = tuple[str, Severity]
"""The code of a rule, and the severity of its problem."""


def run(options: argparse.Namespace) -> int:
    """Print one line per problem, or a JSON array; returns 1 if there is an error, 2 on input errors."""
    try:
        problems = check(options.layout, options.schema, options.dataset, is_new=options.new)
    except InputError as error:
        print_message(error)
        return 2
    listed, further = first_of_each_kind(problems)
    if options.json:
        print_json([*map(as_json, listed), *map(further_as_json, further.items())], indent=2)
    else:
        for problem in listed:
            print_result(problem)
        for kind, count in further.items():
            print_result(f"{kind[0]}: {_further_message(count)}")
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
        items = read_collection_items(layout)
        if is_array(items) and len(items) > MAX_ITEMS:
            items = items[: MAX_ITEMS + 1]  # like `check_json`
            pages = layout_from_collection(items, sequential_keys())
        else:
            pages = read_collection(layout).layout
        problems = LayoutChecker(SchemaUnavailable.COLLECTION).check(pages)
        shown = [replace(problem, path=item_path(problem.path, pages)) for problem in problems]
        return [*shown, *request_problems(items, is_new=is_new)]
    fields: Fields = SchemaUnavailable.NONE if dataset else SchemaUnavailable.UNKNOWN
    if schema:
        fields = read_schema_file(schema)
    return check_json(read_pages(layout), fields, () if is_new else None)


def first_of_each_kind(problems: list[Problem]) -> tuple[list[Problem], Counter[Kind]]:
    """The problems to list: the first thousand of each rule, and the numbers of the others."""
    like_errors = LikeErrors[Kind](MAX_LIKE_ERRORS, len(problems))
    listed = [problem for problem in problems if like_errors.is_listed((problem.code, problem.severity))]
    return listed, Counter({kind: count for kind, count in like_errors.further.items() if kind})


def further_as_json(further: tuple[Kind, int]) -> JsonObject:
    """Convert the number of problems that are not listed to JSON, as a problem without a place."""
    (code, severity), count = further
    message = _further_message(count)
    return {**_head(code, severity), **dict.fromkeys(NodePath._fields), "message": message, "further": count}


def _further_message(count: int) -> str:
    text = ngettext(
        "{count} more problem like those above.", "{count} more problems like those above.", count
    )
    return text.format(count=count)


def as_json(problem: Problem) -> JsonObject:
    """Convert a problem to JSON; positions count from 0 and are null at levels that do not apply."""
    return {
        **_head(problem.code, problem.severity),
        **problem.path._asdict(),
        "message": problem.message,
    }


def _head(code: str, severity: Severity) -> JsonObject:
    return {"code": code, "severity": "error" if severity is Severity.ERROR else "advice"}


def summary(problems: list[Problem]) -> str:
    """The numbers of errors and hints as text."""
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    hints = len(problems) - errors
    if not problems:
        return _("No problems.")
    return _("Errors: {errors}. Hints: {hints}.").format(errors=errors, hints=hints)
