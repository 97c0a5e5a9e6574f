"""`batchwright-cli plan`: how many records and answers a study needs, or how precise a budget makes it."""

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from batchwright.analysis.pilot_answers import pilot_answers
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.statistics.planning.assumptions import (
    Assumptions,
    StudyMeasure,
    Target,
    UnusableAssumption,
)
from batchwright.analysis.statistics.planning.pilot import Pilot, UnusablePilot, pilot_of
from batchwright.analysis.statistics.planning.plan_texts import (
    PayRate,
    assumption_texts,
    measure_sentence,
    pilot_sentence,
    plan_columns,
    plan_note,
    target_sentence,
)
from batchwright.analysis.statistics.planning.plans import (
    PlanRow,
    afforded,
    least_answers,
    needed,
    usual_answers,
)
from batchwright.analysis.statistics.planning.simulated_studies import Simulation
from batchwright.analysis.store.sampling import Clusters
from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject
from batchwright.cli.analyse import read_table
from batchwright.cli.console import print_json, print_message, print_result
from batchwright.cli.input_files import InputError
from batchwright.layout.working_time import WorkingTime


def run(options: argparse.Namespace) -> int:
    """Print a row for each number of answers about a record; returns 2 on errors, 1 if there is no plan."""
    try:
        start = _assumptions(options, Assumptions.of(StudyMeasure(options.measure)))
        pilot = _pilot(options, start) if options.answers is not None else None
        assumptions = _assumptions(options, pilot.assumptions if pilot else start)
        if pilot is not None:
            print_message(pilot_sentence(pilot))
        rows = list(_rows(options, assumptions))
    except (InputError, UnusableAssumption, UnusablePilot) as error:
        print_message(error)
        return 2
    _print(options, assumptions, rows, _time(options, pilot))
    return 0 if any(row.is_possible for row in rows) else 1


def _assumptions(options: argparse.Namespace, start: Assumptions) -> Assumptions:
    """The assumptions with what the options say."""
    return start.with_changes(
        expected=options.expected,
        deviation=options.deviation,
        correlation=options.same_record,
        of_participants=options.same_participant,
        ties=options.ties,
        systems=options.systems,
        part_of_pairs=options.part_of_pairs,
        options=options.options,
        largest_share=options.largest_share,
        metric=None if options.compared_as is None else Metric(options.compared_as),
        relative_deviation=options.relative_deviation,
        reference=options.against,
        tasks_per_participant=options.tasks_per_participant,
        clusters=None if options.intervals_about is None else Clusters(options.intervals_about),
    )


def _pilot(options: argparse.Namespace, start: Assumptions) -> Pilot:
    """What the answers of the pilot tell, without excluded ones.

    Raises:
        InputError: the answers cannot be read.
        UnusablePilot: they say nothing about the measure.
        OSError: a file cannot be opened.
    """
    table, exclusions = read_table(options)
    systems = SystemFields(*options.fields) if options.fields else None
    answers = pilot_answers(table, AnalysisSettings(exclusions, systems=systems))
    return pilot_of(answers, start, options.question)


def _rows(options: argparse.Namespace, assumptions: Assumptions) -> Iterator[PlanRow]:
    """The studies, one for each number of answers about a record.

    Raises:
        UnusableAssumption: the assumptions exclude each other.
        InputError: options exclude each other.
    """
    how = Simulation(options.seed, options.runs)
    answers = usual_answers(assumptions.measure)
    if options.answers_per_record is not None:
        answers = [options.answers_per_record]
    if answers[0] < least_answers(assumptions.measure):
        raise InputError(_("Agreement needs at least two answers about each record."))
    if options.budget is not None:
        return afforded(assumptions, options.budget, answers, how)
    target = _target(options, assumptions)
    print_message(target_sentence(assumptions, target))
    return needed(assumptions, target, answers, how)


def _target(options: argparse.Namespace, assumptions: Assumptions) -> Target:
    if (
        options.power is not None
        and assumptions.reference is None
        and assumptions.measure is not StudyMeasure.ORDER
    ):
        raise InputError(_("--power needs --against, the value from which the figure is to be told apart."))
    if options.half_width is None and options.power is None:
        return assumptions.usual_target
    half_width = math.inf if options.half_width is None else options.half_width
    return Target(half_width, options.power or 0.0)


def _time(options: argparse.Namespace, pilot: Pilot | None) -> WorkingTime | None:
    """The working time that the options say, or else the pilot; None if neither does."""
    seconds = options.seconds_per_task
    if seconds is None and pilot is not None and math.isfinite(pilot.seconds):
        seconds = pilot.seconds
    return None if seconds is None else WorkingTime(options.seconds_once, seconds)


def _print(
    options: argparse.Namespace, assumptions: Assumptions, rows: Sequence[PlanRow], time: WorkingTime | None
) -> None:
    if options.json:
        print_json(list(map(_json, rows)), indent=1)
        return
    print_message(measure_sentence(assumptions.measure))
    for text in assumption_texts(assumptions):
        print_message(text)
    columns = plan_columns(assumptions, rows, time, PayRate(options.pay_per_hour, options.fee))
    widths = [max(map(len, (column.title, *column.texts))) for column in columns]
    lines = zip(*((column.title, *column.texts) for column in columns), strict=True)
    for line in lines:
        print_result("  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)))
    print_message(plan_note(assumptions))
    if not all(row.is_possible for row in rows):
        print_message(_("–: this cannot be reached, or is more than can be planned."))


def _json(row: PlanRow) -> JsonObject:
    """A row for programs; what is not known, and the size of a study that there is not, is null."""
    cells = {name: value if math.isfinite(value) else None for name, value in asdict(row).items()}
    return cells if row.is_possible else cells | dict.fromkeys(("records", "answers", "participants"))
