"""The arguments of `analyse`."""

import argparse
from pathlib import Path

from batchwright.analysis.output.output_kinds import OutputGroup, OutputKind
from batchwright.base.i18n import _
from batchwright.cli.arguments.values import LARGEST_COUNT, SEEDS, OneOrTwoValues, formats, integer


def add_analyse(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `analyse`."""
    parser.add_argument("answers", type=Path, help=_("an export, answers as JSON or JSONL, or a table"))
    parser.add_argument(
        "--layout", type=Path, help=_("the layout with the questions; an archive or a table has them itself")
    )
    parser.add_argument(
        "--kind",
        action="append",
        default=[],
        metavar="QUESTION=KIND",
        help=_(
            "a question of a table is a choice, choices, number, text or file; can be given several times"
        ),
    )
    parser.add_argument("--data", type=Path, help=_("the data file, to add its fields to the answers"))
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help=_("the folder for the files; those of an earlier analysis are replaced"),
    )
    parser.add_argument(
        "--overwrite", action="store_true", help=_("also replace files that are not of an earlier analysis")
    )
    parser.add_argument("--title", default="", metavar="TEXT", help=_("title of the report"))
    parser.add_argument(
        "--steps",
        type=Path,
        metavar="STEPS.json",
        help=_("the steps of the preparation, which the report describes with their seeds"),
    )
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="WHAT",
        help=_(
            "a CSV file with kind, id and reason, an id, or a rule: seconds<3, median_seconds<5, gold<0.6, "
            "agreement<0.3, straight_lining>0.95, longest_run>20, answers<5; can be given several times"
        ),
    )
    parser.add_argument(
        "--units", type=Path, metavar="FILE", help=_("CSV with unit, to and factor, to convert numbers")
    )
    parser.add_argument(
        "--seed",
        type=integer(0, SEEDS - 1),
        default=0,
        metavar="N",
        help=_("seed of the random order of preference pairs with a tie"),
    )
    parser.add_argument(
        "--systems",
        action=OneOrTwoValues,
        nargs="+",
        default=(),
        metavar="FIELD",
        help=_("field with the left system, and field with the right one, unless there are only two systems"),
    )
    parser.add_argument(
        "--best-worst",
        nargs="+",
        default=(),
        metavar=("BEST WORST FIELD", "FIELD"),
        help=_("ids of the questions about the best and the worst item, and the fields that name the items"),
    )
    parser.add_argument(
        "--order-effect",
        action="store_true",
        help=_("account for an effect of the left side in the strengths of systems"),
    )
    parser.add_argument(
        "--intervals-about",
        choices=("records", "participants", "both"),
        default="records",
        help=_("what intervals are about: further records, further participants, or both"),
    )
    parser.add_argument(
        "--weights", default="", metavar="FIELD", help=_("field with the weight of each record")
    )
    parser.add_argument(
        "--regularised",
        action="store_true",
        help=_("add half a win and half a loss to each system, so that all have finite strengths"),
    )
    parser.add_argument(
        "--roles",
        type=Path,
        metavar="FILE",
        help=_("JSON with the levels of questions, and what their options mean (missing, left, right, tie)"),
    )
    parser.add_argument(
        "--final",
        type=Path,
        metavar="FILE",
        help=_(
            "CSV with question, task, final and note: final answers about records, as a column of their own"
        ),
    )
    parser.add_argument("--gold", default="", metavar="FIELD", help=_("field with the right answer"))
    parser.add_argument(
        "--further-answers",
        type=integer(0, LARGEST_COUNT),
        default=0,
        metavar="N",
        help=_("also compute how precise results are with so many more answers"),
    )
    parser.add_argument(
        "--width",
        type=integer(0, 99),
        metavar="PERCENT",
        help=_("width of intervals for which the needed records are computed; for means, of the deviation"),
    )
    parser.add_argument(
        "--gold-question",
        default="",
        metavar="ID",
        help=_("the question that it answers; otherwise all questions of which it names options"),
    )
    parser.add_argument(
        "--labels",
        choices=["majority", "one-coin", "dawid-skene"],
        default="majority",
        help=_(
            "also estimate labels with a model: one probability of a right answer per participant, or Dawid "
            "and Skene's, which needs 20 answers or more per participant"
        ),
    )
    parser.add_argument(
        "--formats",
        type=formats,
        default=OutputKind.of(OutputGroup.ANSWERS),
        metavar="LIST",
        help=_("formats of the files with answers, separated by commas; all without it"),
    )
    parser.add_argument("--png", action="store_true", help=_("also write the figures as PNG"))
    parser.add_argument(
        "--spreadsheet-safe",
        action=argparse.BooleanOptionalAction,
        default=True,
        help=_(
            "put an apostrophe before texts in CSV files that a spreadsheet program may run as a formula "
            "(on by default; --no-spreadsheet-safe writes them as they are)"
        ),
    )
    parser.add_argument(
        "--pairs",
        nargs=3,
        metavar=("PROMPT", "LEFT", "RIGHT"),
        help=_("also write preference pairs, from the fields with the prompt and both answers"),
    )
    parser.add_argument(
        "--ties",
        choices=("drop", "both", "random"),
        default="drop",
        help=_("preference pairs of records with a tie"),
    )
    parser.add_argument(
        "--pseudonyms",
        type=Path,
        metavar="FILE",
        help=_("replace the ids of participants, and store the key in this file"),
    )
    parser.add_argument("--json", action="store_true", help=_("also print all results"))
