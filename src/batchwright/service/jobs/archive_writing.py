"""What the archives of batches and collections have in common (wire.md 8)."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import groupby
from operator import attrgetter
from shutil import copyfileobj
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from batchwright.base.database import Connection
from batchwright.service.blobs import PIECE, Blobs
from batchwright.service.file_names import safe
from batchwright.service.serializers.response import json_array, rendered
from batchwright.service.store import participant_files, responses
from batchwright.service.store.responses import StoredResponse
from batchwright.service.streaming import in_chunks


class ArchiveWriter:
    """Writes the parts of one archive, all dated the moment (milliseconds) it was asked for."""

    def __init__(self, archive: ZipFile, moment: int) -> None:
        self._archive = archive
        self._moment = time.gmtime(moment / 1000)[:6]

    def lines(self, name: str, lines: Iterable[str]) -> None:
        """A long text, while it is made."""
        with closing(self._archive.open(self._entry(name), "w", force_zip64=True)) as written:
            for piece in in_chunks(lines):
                written.write(piece)

    def text(self, name: str, text: str) -> None:
        """A short text."""
        self._archive.writestr(self._entry(name), text)

    def files(self, connection: Connection, study: int, blobs: Blobs) -> None:
        """What the participants of a batch or collection uploaded: `files/`, when there is any.

        Each file has a folder of its own, so that no two names can meet. Files stored by earlier versions
        may have names that cannot be unpacked.
        """
        for file in participant_files.of_batch(connection, study):
            with blobs.open(file.blob) as stored:
                entry = self._entry(f"files/{file.file_key}/{safe(file.file_name)}", ZIP_STORED)
                with self._archive.open(entry, "w", force_zip64=True) as written:
                    copyfileobj(stored, written, PIECE)

    def _entry(self, name: str, compression: int = ZIP_DEFLATED) -> ZipInfo:
        entry = ZipInfo(name, self._moment)
        entry.compress_type = compression
        entry.external_attr = 0o644 << 16
        return entry


def by_submission(
    connection: Connection, study: int, record: Callable[[StoredResponse], str]
) -> Iterator[str]:
    """One line per submission to a batch or collection, with all its answers."""
    found = responses.by_submission(connection, study)
    for submission_id, answers in groupby(found, key=attrgetter("submission_id")):
        listed = list(answers)
        participant, written = rendered(listed[0].participant_id), json_array(map(record, listed))
        yield (
            f'{{"submission_id": "{submission_id}", "participant_id": {participant},'
            f' "responses": {written}}}\n'
        )
