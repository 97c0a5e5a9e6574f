"""The arguments of `plan`."""

import argparse
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.cli.arguments.values import LARGEST_COUNT, SEEDS, OneOrTwoValues, integer, number, seconds


def add_plan(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plan`."""
    parser.add_argument(
        "measure",
        choices=("share", "mean", "win-rate", "agreement", "order"),
        help=_(
            "what the study is about: the share of an option, the mean of a number, the win rate of a system "
            "against another one, the agreement of participants, or the order of several systems"
        ),
    )
    wanted = parser.add_argument_group(_("what is wanted, or what you can afford"))
    wanted.add_argument(
        "--half-width",
        type=number(0, LARGEST_COUNT),
        metavar="VALUE",
        help=_("how far the true value may be from the result; 0.05 is 5 points of a share"),
    )
    wanted.add_argument(
        "--power",
        type=number(0, 1),
        metavar="SHARE",
        help=_("how often the difference from --against, or the order, is to be found; usually 0.8"),
    )
    wanted.add_argument(
        "--against",
        type=number(-LARGEST_COUNT, LARGEST_COUNT),
        metavar="VALUE",
        help=_("the value from which the result is to be told apart (0.5 for a win rate)"),
    )
    wanted.add_argument(
        "--budget",
        type=integer(1, LARGEST_COUNT),
        metavar="ANSWERS",
        help=_("a number of answers: how exact they make the result"),
    )
    wanted.add_argument(
        "--answers-per-record",
        type=integer(1, 1000),
        metavar="N",
        help=_("answers about each record; without it, 1, 2, 3, 5 and 10 are compared"),
    )
    _assumption_options(parser.add_argument_group(_("what is assumed about the answers")))
    pilot = parser.add_argument_group(_("answers of a pilot, from which this is estimated"))
    pilot.add_argument(
        "--pilot",
        dest="answers",
        type=Path,
        metavar="ANSWERS",
        help=_("an export, answers as JSON or JSONL, or a table"),
    )
    pilot.add_argument(
        "--question", default="", metavar="ID", help=_("the question; else the first that fits")
    )
    pilot.add_argument("--layout", type=Path, help=_("the layout with the questions"))
    pilot.add_argument(
        "--kind", action="append", default=[], metavar="QUESTION=KIND", help=_("the kind of a question")
    )
    pilot.add_argument("--data", type=Path, help=_("the data file, to add its fields to the answers"))
    pilot.add_argument(
        "--fields",
        action=OneOrTwoValues,
        nargs="+",
        default=(),
        metavar="FIELD",
        help=_("field with the left system, and field with the right one"),
    )
    cost = parser.add_argument_group(_("time and pay"))
    cost.add_argument(
        "--seconds-per-task",
        type=seconds,
        metavar="S",
        help=_("seconds for a task; else those of the pilot"),
    )
    cost.add_argument(
        "--seconds-once", type=seconds, default=0.0, metavar="S", help=_("seconds for what is shown once")
    )
    cost.add_argument("--pay-per-hour", type=number(0, LARGEST_COUNT), default=0.0, metavar="PAY")
    cost.add_argument(
        "--fee",
        type=number(0, 10),
        default=0.0,
        metavar="SHARE",
        help=_("what the platform charges, as a part of the pay; 0.25 is a quarter"),
    )
    parser.add_argument(
        "--seed",
        type=integer(0, SEEDS - 1),
        default=0,
        metavar="N",
        help=_("seed of simulated studies (agreement and order)"),
    )
    parser.add_argument(
        "--runs",
        type=integer(20, 10_000),
        default=200,
        metavar="N",
        help=_("number of studies that are simulated for each size (agreement and order; 200 without it)"),
    )
    parser.add_argument("--json", action="store_true")


def _assumption_options(group: argparse._ArgumentGroup) -> None:
    """Add the options with the attributes of `Assumptions`."""
    group.add_argument(
        "--expected",
        type=number(-LARGEST_COUNT, LARGEST_COUNT),
        metavar="VALUE",
        help=_("the expected share, mean, win rate or alpha; for the order, how often each beats the next"),
    )
    group.add_argument(
        "--deviation",
        type=number(0, LARGEST_COUNT),
        metavar="VALUE",
        help=_("the standard deviation: how far numbers usually are from their mean (1 without it)"),
    )
    group.add_argument(
        "--same-record",
        type=number(0, 1),
        metavar="VALUE",
        help=_("how alike answers about a record are: 0 like any others, 1 always the same (0.3 without it)"),
    )
    group.add_argument(
        "--same-participant",
        type=number(0, 1),
        metavar="VALUE",
        help=_(
            "how alike the answers of a participant are, if intervals are about further participants (0.1 "
            "without it)"
        ),
    )
    group.add_argument("--ties", type=number(0, 1), metavar="SHARE", help=_("the share of ties"))
    group.add_argument("--systems", type=integer(2, 50), metavar="N", help=_("the number of systems"))
    group.add_argument(
        "--part-of-pairs",
        type=number(0, 1),
        metavar="SHARE",
        help=_("how many of all pairs of systems are compared for each prompt (1 without it)"),
    )
    group.add_argument(
        "--options", type=integer(2, 50), metavar="N", help=_("the number of options, for agreement")
    )
    group.add_argument(
        "--largest-share",
        type=number(0, 1),
        metavar="SHARE",
        help=_("the share of the most frequent option, for agreement; all are as frequent without it"),
    )
    group.add_argument(
        "--compared-as",
        choices=("nominal", "ordinal", "interval", "ratio"),
        help=_(
            "how answers are compared, for agreement: as options in no order (without it) or in order, or as "
            "numbers by their differences or ratios"
        ),
    )
    group.add_argument(
        "--relative-deviation",
        type=number(0, 10),
        metavar="SHARE",
        help=_("the standard deviation of numbers as a part of their mean, for agreement by ratios"),
    )
    group.add_argument(
        "--tasks-per-participant",
        type=integer(1, LARGEST_COUNT),
        metavar="N",
        help=_("tasks in the group that each participant works on (10 without it)"),
    )
    group.add_argument(
        "--intervals-about",
        choices=("records", "participants", "both"),
        help=_("what intervals are about: further records, further participants, or both"),
    )
