"""All commands with their arguments, and whether files are given in place of a command."""

import argparse
import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.cli.arguments.analyse_arguments import add_analyse
from batchwright.cli.arguments.data_arguments import add_check, add_check_data, add_convert, add_prepare
from batchwright.cli.arguments.plan_arguments import add_plan
from batchwright.cli.arguments.rehearse_arguments import add_rehearse
from batchwright.cli.arguments.service_arguments import add_serve, add_service_data

COMMANDS = frozenset(
    {
        *("window", "serve", "check", "check-data", "convert", "prepare", "plan"),
        *("rehearse", "analyse", "service-data", "self-test"),
    }
)
"""The names of the commands; anything else that looks like a file or folder is opened in the window."""


def names_files(arguments: Sequence[str]) -> bool:
    """Whether files or folders are given in place of a command, or nothing at all.

    A command has precedence over a file of the same name. A missing file counts as a file if its name looks
    like a path: the window then reports that it is missing. A mistyped command remains a usage error.
    """
    if not arguments:
        return True
    first = arguments[0]
    if first.startswith("-") or first in COMMANDS:
        return False
    looks_like_path = Path(first).suffix or len(Path(first).parts) > 1
    return bool(looks_like_path) or os.path.lexists(first)


def command_line() -> argparse.ArgumentParser:
    """The parser of all commands and their options; the README describes them."""
    parser = argparse.ArgumentParser(
        prog="batchwright",
        description=_("Design, check and run annotation tasks, and collect their results."),
    )
    parser.add_argument("--version", action="version", version=f"batchwright {version('batchwright')}")
    commands = parser.add_subparsers(dest="command", metavar=_("COMMAND"), required=True)
    window = commands.add_parser("window", help=_("open the window; also the default without a command"))
    files_help = _("studies, layouts, data files or folders to open")
    window.add_argument("files", type=Path, nargs="*", help=files_help)
    add_serve(commands.add_parser("serve", help=_("run the service on this computer")))
    add_check(commands.add_parser("check", help=_("check a layout file against the rules of the service")))
    add_check_data(commands.add_parser("check-data", help=_("check every record of a data file")))
    add_convert(commands.add_parser("convert", help=_("write the records of a data file as JSONL")))
    add_prepare(commands.add_parser("prepare", help=_("make the pairs, samples or task groups of a study")))
    add_plan(commands.add_parser("plan", help=_("say how many records and answers a study needs")))
    add_rehearse(commands.add_parser("rehearse", help=_("run a complete study without a window")))
    add_analyse(commands.add_parser("analyse", help=_("write statistics and a report from saved answers")))
    add_service_data(
        commands.add_parser("service-data", help=_("list, delete or back up what the service stores"))
    )
    commands.add_parser("self-test", help=_("rehearse the sample study on a temporary profile"))
    return parser
