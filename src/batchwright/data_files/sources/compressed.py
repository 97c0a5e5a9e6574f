"""Tables in compressed files (gzip, zstd, bzip2, xz) and ZIP archives: one of any other type of source.

Texts are decompressed while they are read; files of other types are first written to a temporary folder.
"""

import bz2
import gzip
import lzma
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from io import BufferedReader, RawIOBase
from pathlib import Path, PurePath
from typing import BinaryIO, TypeAlias, cast

from typing_extensions import Buffer, override

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from batchwright.base.files.temporary_files import temporary_folder
from batchwright.base.i18n import _
from batchwright.data_files.archive_members import likely_size, member_names, open_member
from batchwright.data_files.file_types import (
    BZIP2,
    GZIP,
    SAMPLE_BYTES,
    SOURCE_SUFFIXES,
    SOURCES,
    XZ,
    ZSTD,
    FileType,
    rejection,
    type_of,
)
from batchwright.data_files.rows import EmptyFile, UnreadableFile
from batchwright.data_files.sources import registry
from batchwright.data_files.sources.source import SourceChoice, SourceOptions, SourceTable
from batchwright.data_files.sources.text_tables import text_table
from batchwright.data_files.text_rows.sniffing import sniff

_BLOCK = 1 << 20
_TEXTS = frozenset({FileType.CSV, FileType.EXCEL_CSV, FileType.JSONL, FileType.NESTED_JSONL, FileType.TEXT})
"""Types that are read while they are decompressed; texts without an extension may be tables, too."""

_Open: TypeAlias = Callable[[], BinaryIO]
"""Opens a decompressed file at its beginning."""

_TEXT_SUFFIX = ".txt"


@contextmanager
def open_table(path: Path, options: SourceOptions) -> Iterator[SourceTable]:
    """Open the table in a file; of an archive, in the chosen member, or in the first table, texts last.

    Raises:
        UnreadableFile: when the block is entered or rows are read, the file is damaged, decompresses to far
            too much data, or has no table.
        OSError: it cannot be opened.
    """
    with _errors_as_unreadable(), ExitStack() as stack:
        if zipfile.is_zipfile(path):
            archive = stack.enter_context(zipfile.ZipFile(path))
            names = [name for name in member_names(path) if name.lower().endswith(SOURCE_SUFFIXES)]
            names.sort(
                key=lambda name: name.lower().endswith(_TEXT_SUFFIX)
            )  # often a read-me beside the table
            name = options.member if options.member in names else names[0]
            choice = SourceChoice("member", _("File"), tuple((name, name) for name in names), name)
            opening: _Open = lambda: cast("BinaryIO", open_member(archive, name))  # noqa: E731 - one of two
            table = stack.enter_context(_inner_table(PurePath(name).name, opening, options))
            table = replace(table, choices=(choice, *table.choices))
        else:
            table = stack.enter_context(_inner_table(path.stem, lambda: _decompressed(path), options))
        yield table


@contextmanager
def _inner_table(name: str, opening: _Open, options: SourceOptions) -> Iterator[SourceTable]:
    with temporary_folder("decompressed") as folder, opening() as stream:
        inner = folder / name
        beginning = stream.read(SAMPLE_BYTES)
        inner.write_bytes(beginning)
        type = type_of(inner)
        if type is FileType.EMPTY:
            raise EmptyFile
        if type in _TEXTS:
            with opening() as again:
                yield text_table(again, sniff(inner), options)
            return
        with inner.open("ab") as out:
            while block := stream.read(_BLOCK):
                out.write(block)
        type = type_of(inner)  # an archive is recognised by its end
        if type not in SOURCES or type is FileType.COMPRESSED:
            raise rejection(type, name)
        with registry.open_table(inner, options) as table:
            yield table


def _decompressed(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        start = file.read(6)
    openers: dict[bytes, Callable[[Path], object]] = {
        GZIP: gzip.open,
        BZIP2: bz2.open,
        XZ: lzma.open,
        ZSTD: zstd.open,
    }
    opening = next(opening for sign, opening in openers.items() if start.startswith(sign))
    stream = _BoundedStream(cast("BinaryIO", opening(path)), likely_size(path.stat().st_size))
    return cast("BinaryIO", BufferedReader(stream, _BLOCK))


class _BoundedStream(RawIOBase):
    """A decompressed stream that ends with an error after so many bytes."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self._stream, self._left = stream, most

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: Buffer, /) -> int:
        target = memoryview(buffer)
        content = self._stream.read(len(target))
        target[: len(content)] = content
        self._left -= len(content)
        if self._left < 0:
            raise RuntimeError(_("it decompresses to far too much data"))
        return len(content)

    @override
    def close(self) -> None:
        self._stream.close()
        super().close()


@contextmanager
def _errors_as_unreadable() -> Iterator[None]:
    try:
        yield
    except (
        *(EOFError, OSError, zlib.error, lzma.LZMAError, zstd.ZstdError, zipfile.BadZipFile),
        *(RuntimeError, NotImplementedError),
    ) as error:
        if isinstance(error, OSError) and error.errno is not None:  # gzip and bz2 have no number
            raise
        reason = str(error).rstrip(".")
        raise UnreadableFile(
            _("The compressed file is damaged or cannot be read: {reason}.").format(reason=reason),
            _("Compress it again, or unpack it and open the file in it."),
        ) from None
