"""The command line: the window, serve, check, check-data, convert, plan, rehearse, analyse, self-test.

Without a command, or with files in its place, the window opens.
Results go to standard output, messages to standard error. The exit code is 0 on success, 1 if the checked
file has problems, and 2 for wrong arguments or if the command could not be completed.
Only what a command needs is imported, and `--version` and `check` never import Qt.
"""

import argparse
import errno
import gc
import io
import logging
import math
import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from batchwright.analysis.output.output_kinds import OutputGroup, OutputKind
from batchwright.base.environment import remove_tokens
from batchwright.base.i18n import _, is_language_tag
from batchwright.base.local_formats import joined
from batchwright.base.local_time import use_time_zone_of_system
from batchwright.base.logging import hide_in_log, start_logging
from batchwright.base.policy import computer_policy
from batchwright.cli.console import print_message

COMMANDS = frozenset(
    {
        *("window", "serve", "check", "check-data", "convert", "prepare", "plan"),
        *("rehearse", "analyse", "service-data", "self-test"),
    }
)
"""The names of the commands; anything else that looks like a file or folder is opened in the window."""
LOGS = {"window": "batchwright", "serve": "service"}
"""The log files of the commands; all others share one."""
_log = logging.getLogger("batchwright")
_LARGEST_COUNT = 1_000_000_000
_LARGEST_PORT = 65535
_SEEDS = 2**63
"""Limit of seeds on either side of zero: those that fit into the database of a service."""
_LONGEST_PAGE_S = 600
"""Maximum time of a simulated participant per page; after an hour, others would get the task group."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    multiprocessing.freeze_support()
    use_time_zone_of_system()
    for token in remove_tokens():
        hide_in_log(token)
    _escape_unsupported_characters()
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write(_("Interrupted.") + "\n")
    except OSError as error:
        if not _means_closed_pipe(error):
            raise
        # The reader has closed the pipe; flushing the remaining output at exit must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    finally:
        gc.unfreeze()  # what is frozen is not released at exit; DuckDB then reports a leak
    return 2


def _means_closed_pipe(error: OSError) -> bool:
    """Whether the reader has closed the output; on Windows, that error has no class of its own."""
    is_of_stream = sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None
    return isinstance(error, BrokenPipeError) or is_of_stream


def _run(arguments: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = command_line().parse_args(["window", *words] if names_files(words) else words)
    start_logging(LOGS.get(options.command, "cli"))
    is_logged = options.command in LOGS
    if is_logged:
        python = ".".join(map(str, sys.version_info[:3]))
        started = options.command, version("batchwright"), python, sys.platform
        _log.info("Start of %s: Batchwright %s, Python %s, %s", *started)
    if (notice := computer_policy().notice) and not getattr(options, "with_parent", False):
        print_message(notice)
    command = _import_command(options.command)
    code: int = command.run(options)
    if is_logged:
        _log.info("End of %s: exit code %d", options.command, code)
    if sys.stdout is not None:  # a windowed program has no console
        sys.stdout.flush()
    return code


def _import_command(name: str) -> Any:
    """Import the module of a command.

    The garbage collector would take a tenth of the time: it finds nothing in modules, now or later.
    """
    gc.disable()
    command = import_module(f"batchwright.cli.{name.replace('-', '_')}")
    gc.freeze()
    gc.enable()
    return command


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


def _escape_unsupported_characters() -> None:
    """Escape characters that the console or pipe cannot encode, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


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
    _serve(commands.add_parser("serve", help=_("run the service on this computer")))
    _check(commands.add_parser("check", help=_("check a layout file against the rules of the service")))
    _check_data(commands.add_parser("check-data", help=_("check every record of a data file")))
    _convert(commands.add_parser("convert", help=_("write the records of a data file as JSONL")))
    _prepare(commands.add_parser("prepare", help=_("make the pairs, samples or task groups of a study")))
    _plan(commands.add_parser("plan", help=_("say how many records and answers a study needs")))
    _rehearse(commands.add_parser("rehearse", help=_("run a complete study without a window")))
    _analyse(commands.add_parser("analyse", help=_("write statistics and a report from saved answers")))
    _service_data(
        commands.add_parser("service-data", help=_("list, delete or back up what the service stores"))
    )
    commands.add_parser("self-test", help=_("rehearse the sample study on a temporary profile"))
    return parser


def _serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument(
        "--port",
        type=_integer(0, _LARGEST_PORT),
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
        type=_seconds,
        default=0.0,
        metavar="SECONDS",
        help=_("delay jobs by this many seconds"),
    )
    parser.add_argument("--with-parent", action="store_true", help=_("end when standard input closes"))


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("layout", type=Path)
    dataset = parser.add_mutually_exclusive_group()
    dataset.add_argument("--schema", type=Path, help=_("schema of the dataset that the layout shows"))
    dataset.add_argument(
        "--dataset",
        choices=("none", "v3", "v4-without-schema"),
        help=_("dataset without a schema; without this and --schema, field references are not checked"),
    )
    parser.add_argument(
        "--new",
        action="store_true",
        help=_("it will be created: ids, which only an update keeps, are errors"),
    )
    parser.add_argument("--json", action="store_true")


def _check_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    parser.add_argument("--schema", type=Path, help=_("the schema; that of the study if FILE is one"))
    parser.add_argument("--json", action="store_true")
    _source_options(parser)


def _convert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="SOURCE")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help=_("the JSONL file; - is standard output")
    )
    parser.add_argument("--overwrite", action="store_true", help=_("replace the file if it exists"))
    _source_options(parser)


def _prepare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("steps", type=Path, metavar="STEPS.json")
    parser.add_argument("file", type=Path, metavar="DATA")
    parser.add_argument("--out", type=Path, metavar="FILE", help=_("the JSONL file for the records"))
    parser.add_argument("--overwrite", action="store_true", help=_("replace the file if it exists"))
    parser.add_argument("--check", action="store_true", help=_("print how balanced the result is"))
    _source_options(parser)


def _plan(parser: argparse.ArgumentParser) -> None:
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
        type=_number(0, _LARGEST_COUNT),
        metavar="VALUE",
        help=_("how far the true value may be from the result; 0.05 is 5 points of a share"),
    )
    wanted.add_argument(
        "--power",
        type=_number(0, 1),
        metavar="SHARE",
        help=_("how often the difference from --against, or the order, is to be found; usually 0.8"),
    )
    wanted.add_argument(
        "--against",
        type=_number(-_LARGEST_COUNT, _LARGEST_COUNT),
        metavar="VALUE",
        help=_("the value from which the result is to be told apart (0.5 for a win rate)"),
    )
    wanted.add_argument(
        "--budget",
        type=_integer(1, _LARGEST_COUNT),
        metavar="ANSWERS",
        help=_("a number of answers: how exact they make the result"),
    )
    wanted.add_argument(
        "--answers-per-record",
        type=_integer(1, 1000),
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
        action=_OneOrTwoValues,
        nargs="+",
        default=(),
        metavar="FIELD",
        help=_("field with the left system, and field with the right one"),
    )
    cost = parser.add_argument_group(_("time and pay"))
    cost.add_argument(
        "--seconds-per-task",
        type=_seconds,
        metavar="S",
        help=_("seconds for a task; else those of the pilot"),
    )
    cost.add_argument(
        "--seconds-once", type=_seconds, default=0.0, metavar="S", help=_("seconds for what is shown once")
    )
    cost.add_argument("--pay-per-hour", type=_number(0, _LARGEST_COUNT), default=0.0, metavar="PAY")
    cost.add_argument(
        "--fee",
        type=_number(0, 10),
        default=0.0,
        metavar="SHARE",
        help=_("what the platform charges, as a part of the pay; 0.25 is a quarter"),
    )
    parser.add_argument(
        "--seed",
        type=_integer(0, _SEEDS - 1),
        default=0,
        metavar="N",
        help=_("seed of simulated studies (agreement and order)"),
    )
    parser.add_argument(
        "--runs",
        type=_integer(20, 10_000),
        default=200,
        metavar="N",
        help=_("number of studies that are simulated for each size (agreement and order; 200 without it)"),
    )
    parser.add_argument("--json", action="store_true")


def _assumption_options(group: argparse._ArgumentGroup) -> None:
    """Add the options with the attributes of `Assumptions`."""
    group.add_argument(
        "--expected",
        type=_number(-_LARGEST_COUNT, _LARGEST_COUNT),
        metavar="VALUE",
        help=_("the expected share, mean, win rate or alpha; for the order, how often each beats the next"),
    )
    group.add_argument(
        "--deviation",
        type=_number(0, _LARGEST_COUNT),
        metavar="VALUE",
        help=_("the standard deviation: how far numbers usually are from their mean (1 without it)"),
    )
    group.add_argument(
        "--same-record",
        type=_number(0, 1),
        metavar="VALUE",
        help=_("how alike answers about a record are: 0 like any others, 1 always the same (0.3 without it)"),
    )
    group.add_argument(
        "--same-participant",
        type=_number(0, 1),
        metavar="VALUE",
        help=_(
            "how alike the answers of a participant are, if intervals are about further participants (0.1 "
            "without it)"
        ),
    )
    group.add_argument("--ties", type=_number(0, 1), metavar="SHARE", help=_("the share of ties"))
    group.add_argument("--systems", type=_integer(2, 50), metavar="N", help=_("the number of systems"))
    group.add_argument(
        "--part-of-pairs",
        type=_number(0, 1),
        metavar="SHARE",
        help=_("how many of all pairs of systems are compared for each prompt (1 without it)"),
    )
    group.add_argument(
        "--options", type=_integer(2, 50), metavar="N", help=_("the number of options, for agreement")
    )
    group.add_argument(
        "--largest-share",
        type=_number(0, 1),
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
        type=_number(0, 10),
        metavar="SHARE",
        help=_("the standard deviation of numbers as a part of their mean, for agreement by ratios"),
    )
    group.add_argument(
        "--tasks-per-participant",
        type=_integer(1, _LARGEST_COUNT),
        metavar="N",
        help=_("tasks in the group that each participant works on (10 without it)"),
    )
    group.add_argument(
        "--intervals-about",
        choices=("records", "participants", "both"),
        help=_("what intervals are about: further records, further participants, or both"),
    )


def _source_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for reading data files that are converted: the attributes of `SourceOptions`."""
    group = parser.add_argument_group(_("options for spreadsheets, JSON and other files that are converted"))
    group.add_argument("--sheet", metavar="NAME", help=_("the sheet; the first visible one without it"))
    group.add_argument(
        "--header-row",
        type=_integer(0, _LARGEST_COUNT),
        metavar="N",
        help=_("the row with the names of the columns; 0 if there is none"),
    )
    group.add_argument(
        "--header-rows",
        type=_integer(0, 2),
        metavar="N",
        help=_("the number of rows with these names; 0 for a CSV file without any"),
    )
    group.add_argument(
        "--merged",
        choices=["first"],
        help=_("merged cells have their value in the first one only, instead of in all"),
    )
    group.add_argument("--array", metavar="PATH", help=_("the array in a JSON file, such as data.items"))
    group.add_argument(
        "--flatten",
        metavar="PATH",
        help=_("the list of which each element gets a row; without it, lists are joined"),
    )
    group.add_argument("--member", metavar="NAME", help=_("the file in a ZIP archive"))
    group.add_argument("--encoding", metavar="NAME", help=_("the encoding of a CSV file, such as cp1252"))
    group.add_argument("--delimiter", metavar="SIGN", help=_("the delimiter of a CSV file"))
    group.add_argument(
        "--codes",
        action="store_const",
        const="codes",
        help=_("the codes of an SPSS file instead of their labels"),
    )
    group.add_argument(
        "--base-address",
        metavar="URL",
        help=_("the https URL at which the files of a folder are on the web"),
    )


def _rehearse(parser: argparse.ArgumentParser) -> None:
    study = parser.add_mutually_exclusive_group(required=True)
    study.add_argument("--layout", type=Path, help=_("a layout, to be shown with --schema and --data"))
    study.add_argument("--collection", type=Path, metavar="FILE", help=_("a collection, which has no data"))
    parser.add_argument("--schema", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument(
        "--append", type=Path, metavar="FILE", help=_("records to append after setup, then synced")
    )
    _source_options(parser)
    parser.add_argument(
        "--language",
        type=_language_tag,
        metavar="TAG",
        help=_(
            "the language of the participants, such as de or pt-BR; a study that is translated to it has its "
            "texts"
        ),
    )
    parser.add_argument("--tasks-per-group", type=_integer(1, _LARGEST_COUNT), default=1, metavar="N")
    parser.add_argument("--annotators-per-task", type=_integer(1, _LARGEST_COUNT), default=1, metavar="N")
    parser.add_argument("--participants", type=_integer(0, _LARGEST_COUNT), default=0, metavar="N")
    parser.add_argument("--seed", type=_integer(-_SEEDS, _SEEDS - 1), default=0, metavar="N")
    parser.add_argument(
        "--random-share",
        type=_number(0, 1),
        default=0.2,
        metavar="SHARE",
        help=_(
            "fraction of answers that simulated participants draw at random; otherwise they agree on choices "
            "and numbers (0.2 without it)"
        ),
    )
    parser.add_argument(
        "--first-option-share",
        type=_number(0, 1),
        default=0.0,
        metavar="SHARE",
        help=_("fraction of choices of the first option, whatever the record is (0 without it)"),
    )
    parser.add_argument(
        "--seconds-per-page",
        type=_number(0, _LONGEST_PAGE_S),
        default=0.0,
        metavar="SECONDS",
        help=_("how long each simulated participant stays on a page; all take part at the same time"),
    )
    parser.add_argument("--out", type=Path, default=Path("rehearsal"), metavar="DIR")
    parser.add_argument(
        "--url", help=_("URL of a running service; participants are not simulated there then")
    )
    _add_account(parser)


def _add_account(parser: argparse.ArgumentParser) -> None:
    """Add what a service at `--url` is reached with."""
    parser.add_argument("--workspace", metavar="ID")
    parser.add_argument("--token-file", type=Path, metavar="FILE")
    parser.add_argument(
        "--ca-file",
        type=Path,
        metavar="FILE",
        help=_("certificates to trust besides the usual ones, for --url with https"),
    )


def _service_data(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar=_("ACTION"), required=True)
    listing = actions.add_parser("list", help=_("list the studies with what they store, and the size"))
    listing.add_argument("--json", action="store_true")
    studies = actions.add_parser("delete", help=_("delete batches and collections with their data"))
    studies.add_argument("studies", nargs="+", metavar="ID")
    older = actions.add_parser("delete-older", help=_("delete what was not used for some days"))
    older.add_argument("days", type=_integer(1, 36_500), metavar="DAYS")
    participant = actions.add_parser("delete-participant", help=_("delete everything of a participant"))
    participant.add_argument("participant", metavar="ID")
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
        action.add_argument("--data-dir", type=Path, metavar="DIR", help=_("the data folder of the service"))
        action.add_argument("--url", help=_("URL of a running service"))
        _add_account(action)


def _analyse(parser: argparse.ArgumentParser) -> None:
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
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
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
        type=_integer(0, _SEEDS - 1),
        default=0,
        metavar="N",
        help=_("seed of the random order of preference pairs with a tie"),
    )
    parser.add_argument(
        "--systems",
        action=_OneOrTwoValues,
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
        type=_integer(0, _LARGEST_COUNT),
        default=0,
        metavar="N",
        help=_("also compute how precise results are with so many more answers"),
    )
    parser.add_argument(
        "--width",
        type=_integer(0, 99),
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
        type=_formats,
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


class _OneOrTwoValues(argparse.Action):
    """Accepts one or two values."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        if values is None or len(values) not in (1, 2):
            parser.error(_("argument {option}: expected one or two values").format(option=option_string))
        setattr(namespace, self.dest, values)


def _formats(text: str) -> tuple[OutputKind, ...]:
    names, known = dict.fromkeys(name.strip() for name in text.split(",")), OutputKind.of(OutputGroup.ANSWERS)
    if not names.keys() <= set(known):
        message = _("must be some of {formats}, separated by commas").format(formats=joined(known))
        raise argparse.ArgumentTypeError(message)
    return tuple(kind for kind in known if kind in names)


def _language_tag(text: str) -> str:
    """A language tag as it is."""
    if not is_language_tag(text):
        raise argparse.ArgumentTypeError(_("must be the tag of a language, such as de or pt-BR"))
    return text


def _integer(least: int, most: int) -> Callable[[str], int]:
    """A parser for whole numbers from `least` to `most`."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or not least <= number <= most:
            template = _("must be a whole number from {least} to {most}")
            raise argparse.ArgumentTypeError(template.format(least=least, most=most))
        return number

    return read


def _number(least: int, most: int) -> Callable[[str], float]:
    """A parser for numbers from `least` to `most`."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            template = _("must be a number from {least} to {most}")
            raise argparse.ArgumentTypeError(template.format(least=least, most=most))
        return number

    return read


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise argparse.ArgumentTypeError(_("must be a number of seconds, 0 or more"))
    return seconds


if __name__ == "__main__":
    sys.exit(main())
