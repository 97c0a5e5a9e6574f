"""The arguments of `rehearse`."""

import argparse
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.cli.arguments.data_arguments import add_source_options
from batchwright.cli.arguments.service_arguments import add_account
from batchwright.cli.arguments.values import LARGEST_COUNT, SEEDS, integer, language_tag, number

_LONGEST_PAGE_S = 600
"""Maximum time of a simulated participant per page; after an hour, others would get the task group."""


def add_rehearse(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `rehearse`."""
    study = parser.add_mutually_exclusive_group(required=True)
    study.add_argument("--layout", type=Path, help=_("a layout, to be shown with --schema and --data"))
    study.add_argument("--collection", type=Path, metavar="FILE", help=_("a collection, which has no data"))
    parser.add_argument("--schema", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument(
        "--append", type=Path, metavar="FILE", help=_("records to append after setup, then synced")
    )
    add_source_options(parser)
    parser.add_argument(
        "--language",
        type=language_tag,
        metavar="TAG",
        help=_(
            "the language of the participants, such as de or pt-BR; a study that is translated to it has its "
            "texts"
        ),
    )
    parser.add_argument("--tasks-per-group", type=integer(1, LARGEST_COUNT), default=1, metavar="N")
    parser.add_argument("--annotators-per-task", type=integer(1, LARGEST_COUNT), default=1, metavar="N")
    parser.add_argument("--participants", type=integer(0, LARGEST_COUNT), default=0, metavar="N")
    parser.add_argument("--seed", type=integer(-SEEDS, SEEDS - 1), default=0, metavar="N")
    parser.add_argument(
        "--random-share",
        type=number(0, 1),
        default=0.2,
        metavar="SHARE",
        help=_(
            "fraction of answers that simulated participants draw at random; otherwise they agree on choices "
            "and numbers (0.2 without it)"
        ),
    )
    parser.add_argument(
        "--first-option-share",
        type=number(0, 1),
        default=0.0,
        metavar="SHARE",
        help=_("fraction of choices of the first option, whatever the record is (0 without it)"),
    )
    parser.add_argument(
        "--seconds-per-page",
        type=number(0, _LONGEST_PAGE_S),
        default=0.0,
        metavar="SECONDS",
        help=_("how long each simulated participant stays on a page; all take part at the same time"),
    )
    parser.add_argument("--out", type=Path, default=Path("rehearsal"), metavar="DIR")
    parser.add_argument(
        "--url", help=_("URL of a running service; participants are not simulated there then")
    )
    add_account(parser)
