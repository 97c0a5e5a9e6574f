"""`batchwright-cli analyse`: statistics, files and a report from saved answers."""

import argparse
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.charts import Chart
from batchwright.analysis.output.output_files import OutputChoices
from batchwright.analysis.output.output_kinds import OutputGroup, OutputKind
from batchwright.analysis.output.pair_fields import PairFields, TieRule
from batchwright.analysis.output.pseudonyms import KeyInFolder
from batchwright.analysis.output.tables import RESULTS, as_json
from batchwright.analysis.output.write_files import KeyChanged, ResultFiles, result_files
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.agreement.final_answers import read_final_answers
from batchwright.analysis.statistics.agreement.label_models import LabelModel
from batchwright.analysis.statistics.best_worst.set_fields import BestWorstFields
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.statistics.joined_wordings import joined_wordings
from batchwright.analysis.statistics.participants.repeated_answers import repeated_sentence
from batchwright.analysis.statistics.planning.needed_records import USUAL_WIDTH
from batchwright.analysis.statistics.roles.question_roles import role_problems
from batchwright.analysis.statistics.roles.role_files import read_roles
from batchwright.analysis.statistics.unit_conversion import read_conversions
from batchwright.analysis.store.answer_files import SavedAnswers, read_saved_answers
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.analysis.store.join_data_file import add_data_file
from batchwright.analysis.store.questions import (
    AnalysedQuestion,
    QuestionKind,
    questions_in,
    with_ids_of,
    with_ids_of_table,
)
from batchwright.analysis.store.sampling import Clusters
from batchwright.analysis.store.table_questions import proposal_text, unreadable_text
from batchwright.analysis.store.text_columns import UnusableField
from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json, is_array
from batchwright.base.local_formats import joined
from batchwright.base.policy import computer_policy
from batchwright.cli.console import print_json, print_message
from batchwright.cli.exclude_option import read_excluded
from batchwright.cli.input_files import InputError, read_collection, read_json, read_pages
from batchwright.cli.options_without_effect import options_without_effect
from batchwright.cli.output_files import require_other_files
from batchwright.cli.source_files import format_of
from batchwright.data_files.file_types import FileType, require_regular, type_of
from batchwright.data_files.rows import UnreadableFile
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys
from batchwright.prepare.columns import GOLD_ANSWER
from batchwright.prepare.description import description
from batchwright.prepare.preparation import read_steps
from batchwright.prepare.problems import InvalidSteps
from batchwright.schema.item_sets import SMALLEST_SET

T = TypeVar("T")


def run(options: argparse.Namespace) -> int:
    """Write all files to the folder `--out`; returns 2 if an input cannot be used."""
    try:
        table, saved_exclusions = read_table(options)
        settings = read_settings(options, saved_exclusions, table)
        require_usable_roles(options, table, settings)
        files = write_results(options, table, settings)
    except InputError as error:
        print_message(error)
        return 2
    if options.json:
        print_json(as_json(files.analysis), indent=1)
    print_message(summary(files.analysis, options.out))
    if repeated := repeated_sentence(files.analysis.repeated):
        print_message(repeated)
    for file in files.files:
        if file.note:
            print_message(f"{file.note} {file.name}")
    for id, sentence in files.analysis.proposals.items():
        print_message(
            _("{question}: {sentence} A file for --roles says so.").format(question=id, sentence=sentence)
        )
    if unused := options_without_effect(files.analysis, _kinds(options.kind), has_pairs=bool(options.pairs)):
        print_message(_("Without effect on these answers: {options}.").format(options=joined(unused)))
    return 0


def read_table(options: argparse.Namespace) -> tuple[AnswerTable, Exclusions]:
    """Read the answers with their exclusions, the layout and the data file.

    Raises:
        InputError: one of them cannot be used.
        OSError: one of them cannot be opened.
    """
    saved = _read_answers(options.answers, _kinds(options.kind))
    if options.layout is not None:
        questions = _questions(options.layout, saved)
        if saved.is_layout_derived:  # kinds of questions decide which rows are one answer
            saved.store.close()
            saved = _read_answers(options.answers, {question.id: question.kind for question in questions})
    elif saved.proposed:
        text = _("{proposal} To read one as something else, use --kind, such as --kind {id}=text.")
        id = saved.proposed[0].id
        print_message(text.format(proposal=proposal_text(saved.proposed), id=shlex.quote(id)))
    if saved.unreadable:
        print_message(unreadable_text(saved.unreadable))
    with closing(saved.store) as store:
        if options.layout is not None:
            store.set_questions(questions)
        elif not saved.layout.pages:
            raise InputError(_("The answers do not contain their questions. Give the layout with --layout."))
        if options.data is not None:
            _read_file(options.data, lambda: add_data_file(store, options.data, format_of(options.data)))
        return store.table(), store.saved_exclusions


def _kinds(given: Sequence[str]) -> dict[str, QuestionKind]:
    """The kinds of questions by id, from texts such as `q1=choice`."""
    kinds = {}
    for text in given:
        id, _equals, kind = text.rpartition("=")
        if not id or kind not in [*QuestionKind]:
            message = _("--kind {text}: write the id of a question, “=” and one of {kinds}.")
            raise InputError(message.format(text=text, kinds=joined(QuestionKind)))
        kinds[id] = QuestionKind(kind)
    return kinds


def _read_answers(path: Path, kinds: Mapping[str, QuestionKind]) -> SavedAnswers:
    return _read_file(path, lambda: read_saved_answers(path, kinds=kinds))


def require_usable_roles(options: argparse.Namespace, table: AnswerTable, settings: AnalysisSettings) -> None:
    """Check that the roles fit the questions.

    Raises:
        InputError: they do not; the message names the place.
    """
    if problems := list(role_problems(joined_wordings(table).questions, settings.roles)):
        text = _("{path} does not fit the answers: {problems}")
        raise InputError(text.format(path=options.roles, problems=" ".join(problems)))


def explain_fields(table: AnswerTable, compute: Callable[[], T]) -> T:
    """Compute something, with a message for people if a field cannot be used.

    Raises:
        InputError: a field is missing, or does not name systems.
    """
    try:
        return compute()
    except UnusableField as error:
        if error.reason:
            raise InputError(error.reason) from None
        names = joined(table.fields) or "–"
        text = _("“{field}” is not a field that can be used for this. Known fields: {fields}.")
        raise InputError(text.format(field=error, fields=names)) from None


def write_results(options: argparse.Namespace, table: AnswerTable, settings: AnalysisSettings) -> ResultFiles:
    """Analyse the answers and write the files, again if another command has changed the key meanwhile.

    Raises:
        InputError: a field, the key of the pseudonyms or the steps of the preparation cannot be used.
        OSError: a file cannot be read or written.
    """
    while True:
        files = explain_fields(table, lambda: create_files(options, table, settings))
        require_usable_folder(files, options)
        with suppress(KeyChanged):
            if options.pseudonyms is None:
                files.write()
            else:
                _read_file(options.pseudonyms, files.write)
            return files


def create_files(options: argparse.Namespace, table: AnswerTable, settings: AnalysisSettings) -> ResultFiles:
    """Analyse the answers; the files are not written yet.

    Raises:
        UnusableField: a field is missing, or does not name systems.
        InputError: the key of the pseudonyms cannot be used, is missing although the policy requires it, or
            is in the folder of the results, or the steps of the preparation are not valid.
        OSError: it cannot be read.
    """
    choices, out, key = read_choices(options), options.out, options.pseudonyms
    if key is None and (reason := computer_policy().pseudonyms_reason):
        raise InputError(_("--pseudonyms FILE is required. {reason}.").format(reason=reason))
    if key is None:
        return result_files(table, settings, choices, out)
    try:
        return _read_file(key, lambda: result_files(table, settings, choices, out, key))
    except KeyInFolder:
        text = _("Store the key of the pseudonyms outside of the folder with the results.")
        raise InputError(text) from None


def require_usable_folder(files: ResultFiles, options: argparse.Namespace) -> None:
    """Check that only results of an earlier analysis are replaced, or other files if that is asked for.

    Raises:
        InputError: a file is an input of the command, or was not written by an analysis.
        OSError: a file cannot be accessed.
    """
    existing = files.existing()
    require_other_files([files.folder / name for name in existing], options)
    if existing and RESULTS not in existing and not options.overwrite:
        text = _("{path} exists. --overwrite replaces it.")
        raise InputError(text.format(path=files.folder / existing[0]))


def read_choices(options: argparse.Namespace) -> OutputChoices:
    """What is written: everything but formats that were not asked for, and pairs without fields."""
    kinds = set(OutputKind) - set(OutputKind.of(OutputGroup.ANSWERS)) | set(options.formats)
    pairs = PairFields(*options.pairs) if options.pairs else None
    if pairs is None:
        kinds -= {OutputKind.PAIRS}
    picture = _painter() if options.png else None
    study = options.title or options.answers.stem
    how = pairs, TieRule(options.ties), options.spreadsheet_safe
    return OutputChoices(kinds, *how, study, _design(options.steps), picture)


def _design(path: Path | None) -> str:
    """How the records were prepared, given the file with the steps.

    Raises:
        InputError: the steps are not valid.
        OSError: the file cannot be opened.
    """
    try:
        return description(read_steps(read_json(path))) if path is not None else ""
    except InvalidSteps as error:
        raise InputError(str(error)) from None


def _painter() -> Callable[[Chart], bytes]:
    from batchwright.app.chart_images import ChartPainter  # imports Qt, which only PNG files need  # noqa: PLC0415

    return ChartPainter()


def read_settings(
    options: argparse.Namespace, saved_exclusions: Exclusions, table: AnswerTable
) -> AnalysisSettings:
    """Read the settings of the analysis; without a file with exclusions, those of the answers are used.

    Raises:
        InputError: the file with exclusions, units, roles or final answers cannot be used.
        OSError: it cannot be opened.
    """
    has_gold = bool(options.gold) or GOLD_ANSWER in table.fields
    exclusions = read_excluded(options.exclude, saved_exclusions, table, has_gold=has_gold)
    systems = SystemFields(*options.systems) if options.systems else None
    units = _read_file(options.units, lambda: read_conversions(options.units)) if options.units else ()
    finals = _read_file(options.final, lambda: read_final_answers(options.final)) if options.final else ()
    roles = _read_file(options.roles, lambda: read_roles(options.roles)) if options.roles else {}
    if options.best_worst and len(options.best_worst) < 2 + SMALLEST_SET:
        text = _("--best-worst needs two questions and a field for each item of a set, at least {least}.")
        raise InputError(text.format(least=SMALLEST_SET))
    best, worst, *items = options.best_worst or ("", "")
    best_worst = BestWorstFields(best, worst, tuple(items)) if items else None
    return AnalysisSettings(
        exclusions,
        options.seed,
        systems,
        options.gold,
        units,
        roles,
        finals,
        options.gold_question,
        options.further_answers,
        label_model=LabelModel(options.labels),
        has_order_effect=options.order_effect,
        is_regularised=options.regularised,
        weight_field=options.weights,
        wanted_width=USUAL_WIDTH if options.width is None else options.width,
        clusters=Clusters(options.intervals_about),
        best_worst=best_worst,
    )


def summary(analysis: Analysis, folder: Path) -> str:
    """What was analysed and where the files are."""
    excluded = analysis.excluded
    text = ngettext(
        "{count} answer analysed, {excluded} excluded. Files are in {folder}.",
        "{count} answers analysed, {excluded} excluded. Files are in {folder}.",
        analysis.included,
    )
    return text.format(count=analysis.included, excluded=excluded, folder=folder)


def _questions(path: Path, saved: SavedAnswers) -> tuple[AnalysedQuestion, ...]:
    """The questions of the layout, with the ids that the answers have."""
    is_collection = path.is_file() and type_of(path) is FileType.COLLECTION
    layout = read_collection(path).layout if is_collection else _layout(read_pages(path))
    questions = questions_in(layout)
    if saved.is_layout_derived:
        questions = with_ids_of_table(questions, questions_in(saved.layout))
        if not questions:
            raise InputError(
                _(
                    "The questions in {path} are not those of the table: neither their ids nor their texts "
                    "are in its column “question”, and there are more or fewer of them."
                ).format(path=path)
            )
    elif not all(question.id for question in questions):
        questions = with_ids_of(questions, questions_in(saved.layout))
    if not questions or not all(question.id for question in questions):
        raise InputError(
            _(
                "The questions in {path} have no ids, so answers cannot be assigned to them. "
                "Use the layout of the batch, or the ZIP archive of its export."
            ).format(path=path)
        )
    return questions


def _layout(pages: Json) -> Layout:
    return read(pages, sequential_keys()) if is_array(pages) else Layout()


def _read_file(path: Path, read: Callable[[], T]) -> T:
    try:
        require_regular(path)
        return read()
    except UnreadableFile as error:
        text = _("{path} cannot be read: {reason} {remedy}")
        raise InputError(text.format(path=path, reason=error.reason, remedy=error.remedy)) from None
