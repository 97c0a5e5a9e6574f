"""`batchwright-cli check`: checks a layout or a collection against the rules."""

import argparse
from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain
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
    read_pages_and_study,
    read_schema_file,
)
from batchwright.data_files.file_types import FileType, type_of
from batchwright.layout.checking.translated_layouts import problems_of_translations
from batchwright.layout.checking.validator import LayoutChecker, check_json
from batchwright.layout.collection_pages import item_path, layout_from_collection
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import Fields, Problem, SchemaUnavailable, Severity
from batchwright.layout.serialization import sequential_keys
from batchwright.layout.translations import TranslationCounts, count_translations
from batchwright.local.projects import SUFFIX

Kind: TypeAlias = tuple[str, Severity]
"""The code of a rule, and the severity of its problem."""


def run(options: argparse.Namespace) -> int:
    """Print one line per problem, or a JSON array; returns 1 if there is an error, 2 on input errors."""
    try:
        problems = check(options.layout, options.schema, options.dataset, is_new=options.new)
        translations = check_translations(options.layout, options.schema, options.dataset)
    except InputError as error:
        print_message(error)
        return 2
    languages = {"": problems, **{one.language: one.problems for one in translations}}
    if options.json:
        print_json(
            [line for language, found in languages.items() for line in _json(language, found)], indent=2
        )
    else:
        for language, found in languages.items():
            _print_problems(language, found)
        print_message(summary(problems))
        for one in translations:
            print_message(one.summary)
    all_problems = chain.from_iterable(languages.values())
    return 1 if any(problem.severity is Severity.ERROR for problem in all_problems) else 0


def _print_problems(language: str, problems: list[Problem]) -> None:
    """Print a line for each problem; those of a translation start with its language."""
    listed, further = first_of_each_kind(problems)
    start = f"{language}: " if language else ""
    for problem in listed:
        print_result(f"{start}{problem}")
    for kind, count in further.items():
        print_result(f"{start}{kind[0]}: {_further_message(count)}")


def _json(language: str, problems: list[Problem]) -> list[JsonObject]:
    """The problems as JSON; those of a translation have its language."""
    listed, further = first_of_each_kind(problems)
    lines = [*map(as_json, listed), *map(further_as_json, further.items())]
    return [{**line, "language": language} for line in lines] if language else lines


@dataclass(frozen=True)
class CheckedTranslation:
    """A language of a study: problems that the study has only in it, and what is still to be translated."""

    language: str
    problems: list[Problem]
    counts: TranslationCounts

    @property
    def summary(self) -> str:
        """The numbers of problems and texts."""
        text = _(
            "{language}: {problems} Without a translation: {missing}. Translated from another text: {old}."
        )
        problems = summary(self.problems)
        return text.format(
            language=self.language, problems=problems, missing=self.counts.missing, old=self.counts.outdated
        )


def check_translations(layout: Path, schema: Path | None, dataset: str | None) -> list[CheckedTranslation]:
    """Check the translations of a study; there are none in other files.

    Raises:
        InputError: a file is missing or cannot be read.
    """
    if type_of(layout) is not FileType.STUDY and layout.suffix.lower() != SUFFIX:
        return []
    _pages, study = read_pages_and_study(layout)
    if study is None or not study.translations:
        return []
    texts, fields = study.participant_texts, _fields(schema, dataset)
    problems = problems_of_translations(texts, study.translations, fields)
    return [
        CheckedTranslation(language, problems[language], count_translations(texts.texts(), translated))
        for language, translated in study.translations.items()
    ]


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
    return check_json(read_pages(layout), _fields(schema, dataset), () if is_new else None)


def _fields(schema: Path | None, dataset: str | None) -> Fields:
    """The fields that a layout may show."""
    if schema:
        return read_schema_file(schema)
    return SchemaUnavailable.NONE if dataset else SchemaUnavailable.UNKNOWN


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
