"""The arguments of the commands that check, convert and prepare files."""

import argparse
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.cli.arguments.values import LARGEST_COUNT, integer


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `check`."""
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


def add_check_data(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `check-data`."""
    parser.add_argument("file", type=Path)
    parser.add_argument("--schema", type=Path, help=_("the schema; that of the study if FILE is one"))
    parser.add_argument("--json", action="store_true")
    add_source_options(parser)


def add_convert(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `convert`."""
    parser.add_argument("file", type=Path, metavar="SOURCE")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help=_("the JSONL file; - is standard output")
    )
    parser.add_argument("--overwrite", action="store_true", help=_("replace the file if it exists"))
    add_source_options(parser)


def add_prepare(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `prepare`."""
    parser.add_argument("steps", type=Path, metavar="STEPS.json")
    parser.add_argument("file", type=Path, metavar="DATA")
    parser.add_argument("--out", type=Path, metavar="FILE", help=_("the JSONL file; - is standard output"))
    parser.add_argument("--overwrite", action="store_true", help=_("replace the file if it exists"))
    parser.add_argument("--check", action="store_true", help=_("print how balanced the result is"))
    add_source_options(parser)


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for reading data files that are converted: the attributes of `SourceOptions`."""
    group = parser.add_argument_group(_("options for spreadsheets, JSON and other files that are converted"))
    group.add_argument("--sheet", metavar="NAME", help=_("the sheet; the first visible one without it"))
    group.add_argument(
        "--header-row",
        type=integer(0, LARGEST_COUNT),
        metavar="N",
        help=_("the row with the names of the columns; 0 if there is none"),
    )
    group.add_argument(
        "--header-rows",
        type=integer(0, 2),
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
