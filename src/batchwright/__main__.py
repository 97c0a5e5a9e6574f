"""The command line: serve, check, check-data, rehearse, self-test.

Results go to standard output, words for people to standard error. The exit code is 0 when all is
fine, 1 when the thing checked has problems, 2 for wrong use or when something cannot be done.
Only what a command needs is imported, and `--version` and `check` never import Qt.
"""

import argparse
import multiprocessing
import sys
from collections.abc import Sequence
from gettext import gettext as _
from importlib import import_module
from importlib.metadata import version
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    multiprocessing.freeze_support()
    options = command_line().parse_args(arguments)
    if options.command is None:
        command_line().print_help(sys.stderr)
        return 2
    command = import_module(f"batchwright.commands.{options.command.replace('-', '_')}")
    code: int = command.run(options)
    return code


def command_line() -> argparse.ArgumentParser:
    """Every command with its options (design of the command line: README)."""
    parser = argparse.ArgumentParser(
        prog="batchwright",
        description=_("Design, check, run and harvest annotation tasks."),
    )
    parser.add_argument("--version", action="version", version=f"batchwright {version('batchwright')}")
    commands = parser.add_subparsers(dest="command", metavar=_("COMMAND"))
    _serve(commands.add_parser("serve", help=_("the service, on this computer")))
    _check(commands.add_parser("check", help=_("check a layout file by the rules of the service")))
    _check_data(commands.add_parser("check-data", help=_("check every record of a CSV or JSONL file")))
    _rehearse(commands.add_parser("rehearse", help=_("run a whole study here, without a window")))
    commands.add_parser("self-test", help=_("rehearse the sample study on a temporary profile"))
    return parser


def _serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help=_("0 takes a free one"))
    parser.add_argument("--data-dir", type=Path, help=_("where the service keeps its data"))
    parser.add_argument("--token-file", type=Path, help=_("made on first start when it is missing"))
    parser.add_argument("--base-url", help=_("the address that others reach the service by"))
    parser.add_argument("--tls-cert", type=Path)
    parser.add_argument("--tls-key", type=Path)
    parser.add_argument("--job-delay", type=float, default=0.0, metavar="SECONDS", help=_("slow jobs down"))
    parser.add_argument("--with-parent", action="store_true", help=_("end when standard input closes"))


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("layout", type=Path)
    parser.add_argument("--schema", type=Path, help=_("without it, field references are not checked"))
    parser.add_argument("--json", action="store_true")


def _check_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    parser.add_argument("--schema", type=Path, required=True)
    parser.add_argument("--json", action="store_true")


def _rehearse(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--layout", type=Path, required=True)
    parser.add_argument("--schema", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tasks-per-group", type=_positive, default=1, metavar="N")
    parser.add_argument("--annotators-per-task", type=_positive, default=1, metavar="N")
    parser.add_argument("--participants", type=_count, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--out", type=Path, default=Path("rehearsal"), metavar="DIR")
    parser.add_argument("--url", help=_("a service that runs already; then without participants"))
    parser.add_argument("--workspace", metavar="ID")
    parser.add_argument("--token-file", type=Path, metavar="FILE")


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(_("must not be below 0"))
    return number


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(_("must be 1 or more"))
    return number


if __name__ == "__main__":
    sys.exit(main())
