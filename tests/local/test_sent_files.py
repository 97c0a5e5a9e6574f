"""Feedback files in the queue and the history of the program's database."""

import os
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from batchwright.base.text import without_lone_surrogates
from batchwright.local import sent_files
from batchwright.local.database import open_database
from batchwright.local.sent_files import SentFile, SentFiles


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are always valid Unicode")
def test_a_file_with_invalid_unicode_in_its_name_is_queued_and_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.csv")
    with closing(open_database(tmp_path)) as database:
        files = SentFiles(database)
        files.enqueue([("here", path, 3)])
        monkeypatch.setattr(sent_files, "_RUN", "another run")
        (queued,) = files.claim_interrupted()
        assert queued.path == path
        name = without_lone_surrogates(queued.path.name)
        files.add(SentFile(name, 3, "here", "w", datetime.now(UTC)), queued.row_id)
        assert [sent.name for sent in files.latest()] == ["caf\N{REPLACEMENT CHARACTER}.csv"]


def test_all_files_that_were_sent_are_listed(tmp_path: Path) -> None:
    """A file that is not in the list would seem never to have been sent."""
    names = [f"{number}.csv" for number in range(250)]
    with closing(open_database(tmp_path)) as database:
        files = SentFiles(database)
        for name in names:
            files.add(SentFile(name, 3, "here", "w", datetime.now(UTC)))
        assert [sent.name for sent in files.latest()] == names[::-1]
