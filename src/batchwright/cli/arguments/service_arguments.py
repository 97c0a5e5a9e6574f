"""The arguments of the service and of the data that it stores."""

import argparse
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.cli.arguments.values import id_text, integer, seconds

_LARGEST_PORT = 65535


def add_serve(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `serve`."""
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument(
        "--port",
        type=integer(0, _LARGEST_PORT),
        default=0,
        help=_("port to listen on; 0 selects the one of the last start, or another if that is not free"),
    )
    parser.add_argument("--data-dir", type=Path, help=_("data folder of the service"))
    parser.add_argument(
        "--token-file", type=Path, help=_("file with the token; created on the first start if it is missing")
    )
    parser.add_argument("--base-url", help=_("the URL at which others reach the service"))
    parser.add_argument("--tls-cert", type=Path)
    parser.add_argument("--tls-key", type=Path)
    parser.add_argument(
        "--tls-self-signed", action="store_true", help=_("serve https with a self-signed certificate")
    )
    parser.add_argument(
        "--job-delay",
        type=seconds,
        default=0.0,
        metavar="SECONDS",
        help=_("delay jobs by this many seconds"),
    )
    parser.add_argument("--with-parent", action="store_true", help=_("end when standard input closes"))


def add_service_data(parser: argparse.ArgumentParser) -> None:
    """Add the actions of `service-data` with their arguments."""
    actions = parser.add_subparsers(dest="action", metavar=_("ACTION"), required=True)
    listing = actions.add_parser("list", help=_("list the studies with what they store, and the size"))
    listing.add_argument("--json", action="store_true")
    studies = actions.add_parser("delete", help=_("delete batches and collections with their data"))
    studies.add_argument("studies", nargs="+", metavar="ID")
    older = actions.add_parser("delete-older", help=_("delete what was not used for some days"))
    older.add_argument("days", type=integer(1, 36_500), metavar="DAYS")
    participant = actions.add_parser("delete-participant", help=_("delete everything of a participant"))
    participant.add_argument("participant", type=id_text, metavar="ID")
    participant.add_argument("--study", metavar="ID", help=_("only in this batch or collection"))
    records = actions.add_parser("deletions", help=_("list what was deleted, and when"))
    records.add_argument("--participant", metavar="ID", help=_("only the records about this participant"))
    records.add_argument("--json", action="store_true")
    saving = actions.add_parser("back-up", help=_("save everything to one file"))
    restoring = actions.add_parser("restore", help=_("replace everything by a backup"))
    for action in (saving, restoring):
        action.add_argument("file", type=Path, metavar="FILE")
    for deleting in (studies, older, participant, restoring):
        deleting.add_argument("--yes", action="store_true", help=_("delete without asking"))
    for action in (listing, studies, older, participant, records, saving, restoring):
        service = action.add_mutually_exclusive_group()
        service.add_argument("--data-dir", type=Path, metavar="DIR", help=_("the data folder of the service"))
        service.add_argument("--url", help=_("URL of a running service"))
        add_account(action)


def add_account(parser: argparse.ArgumentParser) -> None:
    """Add what a service at `--url` is reached with."""
    parser.add_argument("--workspace", metavar="ID")
    parser.add_argument("--token-file", type=Path, metavar="FILE")
    parser.add_argument(
        "--ca-file",
        type=Path,
        metavar="FILE",
        help=_("certificates to trust besides the usual ones, for --url with https"),
    )
