"""Data files of commands: those that the service does not take are converted to a temporary file."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from batchwright.base.files.temporary_files import temporary_folder
from batchwright.base.i18n import _
from batchwright.base.local_formats import joined
from batchwright.base.local_media import MediaFolder
from batchwright.base.urls import is_base_url, is_https_url
from batchwright.cli.console import print_message
from batchwright.cli.input_files import InputError
from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.conversion.convert import ConversionStart, Converted, convert
from batchwright.data_files.file_types import SOURCES, FileType, type_of
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.index import IndexChunk, record_lines
from batchwright.data_files.sources.source import SourceChoice, SourceOptions
from batchwright.data_files.text_rows.sniffing import sniff
from batchwright.local.projects import Project
from batchwright.local.study_files.project_migrations import InvalidProjectFile
from batchwright.local.study_files.study_file import read_study

_OPTIONS = (
    "sheet",
    "header_row",
    "header_rows",
    "merged",
    "array",
    "flatten",
    "member",
    "encoding",
    "delimiter",
    "codes",
    "base_address",
)
"""The options of commands, which are attributes of `SourceOptions`."""


@dataclass(frozen=True)
class ReadableFile:
    """A CSV or JSONL file with the records of a data file."""

    path: Path
    rows: Sequence[int] | None = None
    """The row in the source of each record; None if the file itself is read."""
    media: MediaFolder | None = None
    """The media files of this computer that the records are about, if they are not on the web."""

    def lines(self) -> Sequence[int]:
        """The line of each record in the file, or its row in the source."""
        return record_lines(self.path, format_of(self.path)) if self.rows is None else self.rows


def format_of(path: Path) -> Format:
    """The format that the service uses for the file extension; for other extensions, detect it."""
    kind = FormatKind.of(path.name)
    return Format(kind) if kind else sniff(path)


def study_of(path: Path) -> Project | None:
    """The study in a file; None if it is a data file.

    Raises:
        InputError: the study cannot be read.
        OSError: the file cannot be read.
    """
    if type_of(path) is not FileType.STUDY:
        return None
    try:
        return read_study(path)[0]
    except InvalidProjectFile as error:
        raise InputError(str(error)) from None


@contextmanager
def readable_file(
    path: Path, options: argparse.Namespace, *, is_hosted: bool = False
) -> Iterator[ReadableFile]:
    """The file itself, or what it is converted to, which is removed at the end of the block.

    A CSV or JSONL file is converted if an option is given, and the data file of a study as the study says.

    `is_hosted`: whether the records are for a service that cannot show files of this computer.

    Raises:
        UnreadableFile: the file cannot be converted.
        InputError: an option does not fit the file.
        OSError: the file cannot be read.
    """
    study = study_of(path)
    if study is None and type_of(path) not in SOURCES and not _given(options):
        yield ReadableFile(path)
        return
    with temporary_folder("conversion") as folder:
        target = folder / f"{path.stem}.jsonl"
        index = IndexChunk()
        converted = convert_with_options(path, options, target, index, is_hosted=is_hosted)
        for note in converted.notes:
            print_message(note)
        is_local = type_of(path) is FileType.MEDIA_FOLDER and options.base_address is None
        media = MediaFolder(path) if is_local else None
        if study is not None and study.data is not None and not is_hosted:
            media = study.data.media
        yield ReadableFile(target, index.lines, media)


def convert_with_options(
    path: Path,
    options: argparse.Namespace,
    target: Path,
    index: IndexChunk | None = None,
    *,
    is_hosted: bool = True,
) -> Converted:
    """Convert a data file with the options of the command; `index` is extended with its records.

    Raises:
        UnreadableFile, InputError, OSError: as `readable_file`.
    """
    given = _given(options)
    study = study_of(path)
    if study is not None:
        _require_used(given, (), path)
        return _convert_study(path, study, target, index, is_hosted=is_hosted)
    if type_of(path) is FileType.MEDIA_FOLDER and (is_hosted or "base_address" in given):
        given["base_address"] = _base_address(given.get("base_address"))

    def on_message(message: object) -> None:
        if isinstance(message, ConversionStart):
            _require_used(given, message.choices, path)
        elif isinstance(message, IndexChunk) and index is not None:
            index.extend(message)

    return convert(path, Conversion(SourceOptions().with_values(given)), target, on_message)


def _convert_study(
    path: Path, study: Project, target: Path, index: IndexChunk | None, *, is_hosted: bool
) -> Converted:
    """Convert the data file of a study as the study says, with what was changed beside it."""
    data = study.data
    if data is None:
        raise InputError(_("{path} is a study without a data file.").format(path=path))
    if is_hosted and data.media is not None:
        raise InputError(_("The files of a folder must be on the web: set their address in the study."))

    def on_message(message: object) -> None:
        if isinstance(message, IndexChunk) and index is not None:
            index.extend(message)

    conversion = data.conversion or Conversion(text_format=data.format)
    if not conversion.steps:
        return convert(data.path, conversion, target, on_message)
    from batchwright.prepare.prepared_file import (  # noqa: PLC0415
        convert_and_prepare,  # loaded for prepared studies only
    )

    return convert_and_prepare(data.path, conversion, target, on_message)


def _given(options: argparse.Namespace) -> dict[str, str | int]:
    """The options of `_OPTIONS` that the command was given; the self-test gives none."""
    arguments = vars(options)
    return {name: arguments[name] for name in _OPTIONS if arguments.get(name) is not None}


def _base_address(url: object) -> str:
    """The address of the files of a folder, which a service does not take itself, with a slash at its end."""
    if url is None:
        raise InputError(_("The files of a folder must be on the web: say where with --base-address URL."))
    if not (isinstance(url, str) and is_https_url(url) and is_base_url(url)):
        raise InputError(_("--base-address must be an https URL without a query."))
    return url.rstrip("/") + "/"


def _require_used(given: Mapping[str, object], choices: Sequence[SourceChoice], path: Path) -> None:
    """Require that each option is one of the file, and has one of its values."""
    offered = {choice.option: choice for choice in choices}
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        if name == "base_address" and type_of(path) is FileType.MEDIA_FOLDER:
            continue
        if name not in offered:
            raise InputError(_("{option} has no effect on {path}.").format(option=option, path=path))
        if offered[name].current != value:
            values = joined(str(value) for value, _text in offered[name].values)
            text = _("{path} does not have {option} {value}; it has: {values}")
            raise InputError(text.format(path=path, option=option, value=value, values=values))
