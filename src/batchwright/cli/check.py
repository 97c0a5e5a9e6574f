"""`batchwright check`: the rules on a layout file."""

import argparse
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject, to_json
from batchwright.cli.console import put, say
from batchwright.cli.input_files import InputError, read_pages, read_schema_file
from batchwright.layout.rules import Fields, Problem, SchemaUnavailable, Severity
from batchwright.layout.validator import check_json


def run(options: argparse.Namespace) -> int:
    """One line for each problem, or a JSON array; 1 when there is one of error level."""
    try:
        problems = check(options.layout, options.schema)
    except InputError as fault:
        say(fault)
        return 2
    if options.json:
        put(to_json([as_json(problem) for problem in problems], indent=2))
    else:
        for problem in problems:
            put(as_line(problem))
        say(summary(problems))
    return 1 if any(problem.severity is Severity.ERROR for problem in problems) else 0


def check(layout: Path, schema: Path | None) -> list[Problem]:
    """What the rules say of a layout file, references too when a schema file is given.

    Raises:
        Unusable: a file is missing or cannot be read.
    """
    fields: Fields = read_schema_file(schema) if schema else SchemaUnavailable.UNKNOWN
    return check_json(read_pages(layout), fields, None)


def as_line(problem: Problem) -> str:
    """`CODE page N, row N, column N, item N: sentence`, counted from 1."""
    place = problem.path.label
    return f"{problem.code} {place}: {problem.message}" if place else f"{problem.code}: {problem.message}"


def as_json(problem: Problem) -> JsonObject:
    """The problem for machines; places count from 0 and are null where a level does not apply."""
    return {
        "code": problem.code,
        "severity": "error" if problem.severity is Severity.ERROR else "advice",
        **problem.path._asdict(),
        "message": problem.message,
    }


def summary(problems: list[Problem]) -> str:
    """How many there are of each kind."""
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    advice = len(problems) - errors
    if not problems:
        return _("No problems.")
    return _("Errors: {errors}. Advice: {advice}.").format(errors=errors, advice=advice)
