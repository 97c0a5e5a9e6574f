"""Verifying an export: it has every answer that existed when it was created, and every uploaded file.

A service creates the export of a batch once, and returns the same one whatever answers arrive later.
"""

import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from batchwright.api.http.limits import HIGHEST_RATIO, RATIO_FROM
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array, is_object
from batchwright.wire.base import to_payload
from batchwright.wire.collections import AnswerRecord
from batchwright.workflows.verification.checks import Check, count_check, multiset_check

_MAX_LINE_BYTES = 64 << 20
"""Maximum bytes of one line, which has the answers of one submission or to one task."""
_UNREADABLE = (
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    LookupError,
    TypeError,
    zlib.error,
    zipfile.BadZipFile,
)
"""The exceptions raised for an archive that is truncated, damaged, encrypted, or has unexpected content."""


@dataclass(frozen=True)
class ExportVerification:
    """The results of the checks of an export, and its age."""

    checks: tuple[Check, ...] = ()
    until: datetime | None = None
    """When the newest answer in it was given; None if it has none of the current answers."""
    newer: int = 0
    """How many answers were given later, and are therefore not in it."""
    changed: int = 0
    """How many answers in it are other ones now, since participants can change theirs."""


def verify_export_file(
    path: Path,
    responses: Iterable[AnswerRecord],
    *,
    may_be_older: bool = False,
    is_collection: bool = False,
) -> ExportVerification:
    """Check that an archive is intact and has all files and all answers.

    The archive of a batch has all answers by submission and by task, that of a collection by submission
    (wire reference, section 8).

    Args:
        path: the archive.
        responses: all current answers, iterated over once.
        may_be_older: whether answers may be missing that are newer than all answers in the archive, and
            others may have been changed since.
        is_collection: whether it is the archive of a collection.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            damaged_member = archive.testzip()
            names = set(archive.namelist())
            by_submission = Counter(
                _answers_in(archive, f"responses{'' if is_collection else '-by-submission'}.jsonl")
            )
            by_task = None if is_collection else Counter(_answers_in(archive, "responses-by-task.jsonl"))
    except _UNREADABLE as error:
        return ExportVerification(
            (Check(_("The export is a valid archive."), passed=False, actual=str(error)),)
        )
    expected = _ExpectedAnswers(by_submission)
    for response in responses:
        expected.remove(response)
    changed = expected.replace_changed() if may_be_older else 0
    newer = expected.remove_newer() if may_be_older else 0
    files = [name for name in names if name.startswith("files/") and not name.endswith("/")]
    checks = [
        Check(_("The export is a valid archive."), damaged_member is None, damaged_member or ""),
        multiset_check(
            _("The export has every answer once, by submission."), expected.answers, by_submission
        ),
    ]
    if by_task is not None:
        text = _("The export has every answer once, by task.")
        checks.append(multiset_check(text, expected.answers, by_task))
    found = _count_found(expected.files, files)
    checks.append(count_check(_("The export has every uploaded file."), len(expected.files), found))
    return ExportVerification(tuple(checks), expected.until, newer, changed)


class _ExpectedAnswers:
    """The current answers, which the archive should have, and the keys of their files."""

    def __init__(self, archived: Collection[str]) -> None:
        self._archived = archived
        self._missing: list[AnswerRecord] = []
        self.answers: Counter[str] = Counter()
        self.files: set[str] = set()
        self.until: datetime | None = None
        """When the newest answer that the archive has was given."""

    def remove(self, response: AnswerRecord) -> None:
        payload, answered_at = to_payload(response), response.created_at
        answer = _answer(payload)
        self.answers[answer] += 1
        self.files |= _file_keys(payload["response"])
        if answer not in self._archived:
            self._missing.append(response)
        else:
            self._update_until(answered_at)

    def _update_until(self, answered_at: datetime | None) -> None:
        if answered_at is not None and (self.until is None or answered_at > self.until):
            self.until = answered_at

    def replace_changed(self) -> int:
        """Expect the archived answers that have the id and participant of missing ones, and count them."""
        missing, self._missing = self._missing, []
        archived = {_key(*json.loads(text)[:2]): text for text in (self._archived if missing else ())}
        for response in missing:
            before = archived.get(_key(response.id, response.participant_id))
            if before is None:
                self._missing.append(response)
                continue
            payload = to_payload(response)
            self.answers[_answer(payload)] -= 1
            self.answers[before] += 1
            self.files -= _file_keys(payload["response"])
            self.files |= _file_keys(json.loads(before)[2])
            self._update_until(response.created_at)
        return len(missing) - len(self._missing)

    def remove_newer(self) -> int:
        """Remove the answers that are newer than everything in the archive, and return their number."""
        newer = [entry for entry in self._missing if self._is_newer(entry)]
        for response in newer:
            payload = to_payload(response)
            self.answers[_answer(payload)] -= 1
            self.files -= _file_keys(payload["response"])
        return len(newer)

    def _is_newer(self, response: AnswerRecord) -> bool:
        if self.until is None:
            return len(self._missing) == self.answers.total()
        return response.created_at is not None and response.created_at > self.until


def _file_keys(response: Json) -> set[str]:
    """The keys of the files in an answer."""
    if not is_object(response) or response.get("type") != "file_upload":
        return set()
    answer = response.get("answer")
    entries = answer if is_array(answer) else ()
    return {str(entry.get("file_key")) for entry in entries if is_object(entry)}


def _count_found(keys: Set[str], files: Sequence[str]) -> int:
    """How many files of answers an archive has; others may belong to answers that were not sent.

    Each file is in a folder with its key (wire reference, 8); if none is, all files are counted.
    """
    found = keys & {name.removeprefix("files/").rpartition("/")[0] for name in files}
    return len(found) if found or not keys else len(files)


def _key(id: Json, participant: Json) -> str:
    """What identifies an answer that its participant may have changed, as text."""
    return json.dumps([id, participant])


def _answers_in(archive: zipfile.ZipFile, name: str) -> Iterator[str]:
    packed = archive.getinfo(name)
    if packed.file_size > max(RATIO_FROM, HIGHEST_RATIO * packed.compress_size):
        raise ValueError(_("{name} decompresses to far too much data").format(name=name))
    with archive.open(name) as lines:
        while line := lines.readline(_MAX_LINE_BYTES + 1):
            if len(line) > _MAX_LINE_BYTES:
                raise ValueError(_("a line of {name} is too long").format(name=name))
            for response in json.loads(line)["responses"]:
                yield _answer(response)


def _answer(record: Mapping[str, Any]) -> str:
    """An answer with its id and participant as text that can be compared."""
    return json.dumps([record["id"], record["participant_id"], record["response"]], sort_keys=True)
