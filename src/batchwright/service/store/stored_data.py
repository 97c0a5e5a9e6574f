"""What a data folder stores, and deleting it: studies with their data, and the data of a participant.

A study that is being deleted belongs to no workspace, so that nobody finds it; its rows are deleted in
slices, also after an interruption (`delete_next`). Deleting leaves copies in free space, which
`erase_is_due` remembers until the database was compacted.
"""

import secrets
import sqlite3
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass

from batchwright.service.store import batches, exports, jobs, previews

_NOWHERE = ""
"""The workspace of what is being deleted."""
_ERASE = "erase_is_due"


@dataclass(frozen=True)
class StudyUse:
    """A batch or collection, and how much it stores. Times are milliseconds since 1970."""

    row_id: int
    id: str
    is_collection: bool
    name: str
    created_at: int
    last_used_at: int
    records: int
    participants: int
    answers: int


@dataclass(frozen=True)
class Deleted:
    """How much was deleted, and the names of stored files that no row refers to any more."""

    studies: int = 0
    participants: int = 0
    answers: int = 0
    files: int = 0
    unused: int = 0
    """Datasets without a study, and feedback files."""
    blobs: tuple[str, ...] = ()

    def __add__(self, other: "Deleted") -> "Deleted":
        return Deleted(*(getattr(self, name) + getattr(other, name) for name in vars(self)))


@dataclass(frozen=True)
class DeletionRecord:
    """A record of a deletion."""

    digest: str | None
    study_id: str | None
    deleted_at: int
    studies: int
    participants: int
    answers: int
    files: int


def studies_of(connection: sqlite3.Connection, workspaces: Collection[str]) -> list[StudyUse]:
    """The studies of some workspaces, the newest first; what was done to their datasets is their use, too."""
    uses = {number: used_at for number, _workspace, used_at in _last_uses_of_datasets(connection)}
    datasets = _datasets_by_study(connection)
    rows = connection.execute(
        "SELECT b.number, b.id, b.is_collection, b.name, b.created_at, max(b.created_at, b.used_at,"
        " coalesce((SELECT max(touched_at) FROM submission WHERE batch = b.number), 0),"
        " coalesce((SELECT max(updated_at) FROM sync WHERE batch = b.number), 0),"
        " coalesce((SELECT max(updated_at) FROM export WHERE batch = b.number), 0)),"
        " coalesce((SELECT datapoint_count FROM dataset WHERE number = b.dataset), 0),"
        " (SELECT count(DISTINCT participant_id) FROM submission WHERE batch = b.number),"
        " (SELECT count(*) FROM response WHERE batch = b.number), b.workspace_id"
        " FROM batch b ORDER BY b.number DESC"
    )
    return [
        StudyUse(
            row_id,
            id,
            bool(is_collection),
            name,
            created_at,
            max([used_at, *(uses.get(dataset, 0) for dataset in datasets[row_id])]),
            *counts,
        )
        for row_id, id, is_collection, name, created_at, used_at, *counts, workspace in rows
        if workspace in workspaces
    ]


def _is_busy(connection: sqlite3.Connection, study: int, datasets: Collection[int], busy: Set[str]) -> bool:
    """Whether a job of a study, or of a dataset that it uses, has not ended; `busy` are lanes with jobs."""
    lanes = [jobs.batch_lane(study), *map(jobs.dataset_lane, datasets)]
    lanes += [
        jobs.export_lane(number)
        for (number,) in connection.execute("SELECT number FROM export WHERE batch = ?", (study,))
    ]
    return not busy.isdisjoint(lanes)


def _start_deletion(
    connection: sqlite3.Connection, study: StudyUse, datasets: Collection[int], users: Mapping[int, set[int]]
) -> Deleted:
    """Remove a study from its workspace, and its datasets that no other study uses; `delete_next` goes on.

    It is removed from the `users` of its datasets, too.
    """
    (files,) = connection.execute(
        "SELECT count(*) FROM submission s JOIN participant_file f ON f.submission = s.id WHERE s.batch = ?",
        (study.row_id,),
    ).fetchone()
    connection.execute(
        "UPDATE batch SET workspace_id = ?, participation_key = ?, name = '', live_items = NULL,"
        " batch_items = NULL, auto_sync_enabled = 0 WHERE number = ?",
        (_NOWHERE, secrets.token_urlsafe(18), study.row_id),
    )
    for dataset in datasets:
        users[dataset].discard(study.row_id)
        if not users[dataset]:
            connection.execute("UPDATE dataset SET workspace_id = ? WHERE number = ?", (_NOWHERE, dataset))
    _set_erase(connection)
    return Deleted(1, study.participants, study.answers, files)


def start_deletions(
    connection: sqlite3.Connection, selected: Sequence[StudyUse], now: int
) -> tuple[Deleted, int]:
    """Start to delete studies, with a record that it was done, and count those that are left in use."""
    busy = jobs.lanes(connection)
    datasets = _datasets_by_study(connection)
    unused = [
        study for study in selected if not _is_busy(connection, study.row_id, datasets[study.row_id], busy)
    ]
    users: dict[int, set[int]] = {}
    for number, used in datasets.items():
        for dataset in used:
            users.setdefault(dataset, set()).add(number)
    deleted = Deleted()
    for study in unused:
        deleted += _start_deletion(connection, study, datasets[study.row_id], users)
    if unused:
        previews.delete_all(connection)
        record(connection, deleted, now, digest=None, study_id=unused[0].id if len(unused) == 1 else None)
    return deleted, len(selected) - len(unused)


def start_deletion_of_older(
    connection: sqlite3.Connection, workspaces: Collection[str], before: int, now: int
) -> tuple[Deleted, int]:
    """Start to delete what was not used since a moment, and count the studies that are left, being in use."""
    unused = _start_deletion_of_unused(connection, workspaces, before)
    older = [study for study in studies_of(connection, workspaces) if study.last_used_at < before]
    deleted, in_use = start_deletions(connection, older, now)
    return deleted + Deleted(unused=unused), in_use


def _start_deletion_of_unused(
    connection: sqlite3.Connection, workspaces: Collection[str], before: int
) -> int:
    """Remove the datasets without a study, and the feedback files, that were not changed since a moment.

    Returns:
        how many.
    """
    count = 0
    used = set().union(*_datasets_by_study(connection).values())
    busy = jobs.lanes(connection)
    for dataset, workspace, used_at in _last_uses_of_datasets(connection):
        is_used = used_at >= before or dataset in used or jobs.dataset_lane(dataset) in busy
        if workspace in workspaces and not is_used:
            count += 1
            connection.execute("UPDATE dataset SET workspace_id = ? WHERE number = ?", (_NOWHERE, dataset))
            previews.delete_all(connection)
            _set_erase(connection)
    for number, workspace in connection.execute(
        "SELECT number, workspace_id FROM feedback WHERE updated_at < ?", (before,)
    ).fetchall():
        if workspace in workspaces:
            count += 1
            connection.execute("UPDATE feedback SET workspace_id = ? WHERE number = ?", (_NOWHERE, number))
            _set_erase(connection)
    return count


def unused_of(connection: sqlite3.Connection, workspaces: Collection[str]) -> int:
    """How many datasets without a study, and feedback files, some workspaces have."""
    used = set().union(*_datasets_by_study(connection).values())
    datasets = _last_uses_of_datasets(connection)
    owners = [workspace for number, workspace, _used_at in datasets if number not in used]
    owners += [workspace for (workspace,) in connection.execute("SELECT workspace_id FROM feedback")]
    return sum(workspace in workspaces for workspace in owners)


def _last_uses_of_datasets(connection: sqlite3.Connection) -> list[tuple[int, str, int]]:
    """The datasets with their workspaces, and when they were created or last changed."""
    rows = connection.execute(
        "SELECT number, workspace_id, max(created_at, used_at,"
        " coalesce((SELECT max(updated_at) FROM import WHERE dataset = d.number), 0)) FROM dataset d"
    )
    return [(number, workspace, used_at) for number, workspace, used_at in rows]


def delete_next(connection: sqlite3.Connection, limit: int) -> Deleted | None:
    """Delete at most about `limit` rows of what is being deleted; None if there are none left."""
    row = connection.execute(
        "SELECT number, dataset FROM batch WHERE workspace_id = ? LIMIT 1", (_NOWHERE,)
    ).fetchone()
    if row is not None:
        return _delete_of_study(connection, row[0], limit)
    row = connection.execute(
        "SELECT number FROM dataset WHERE workspace_id = ? LIMIT 1", (_NOWHERE,)
    ).fetchone()
    if row is not None:
        return _delete_of_dataset(connection, row[0], limit)
    rows = connection.execute("SELECT number, blob FROM feedback WHERE workspace_id = ?", (_NOWHERE,))
    files = rows.fetchall()
    if not files:
        return None
    connection.execute("DELETE FROM feedback WHERE workspace_id = ?", (_NOWHERE,))
    return Deleted(blobs=tuple(blob for _number, blob in files if blob))


def delete_participant(
    connection: sqlite3.Connection, participant: str, studies: Collection[int], now: int
) -> Deleted:
    """Delete everything of a participant in some studies, and the archives that contain it.

    Archives that are being written are written again.
    """
    rows = connection.execute(
        "SELECT id, batch FROM submission WHERE participant_id = ?", (participant,)
    ).fetchall()
    concerned = {batch for _id, batch in rows if batch in studies}
    if not concerned:
        return Deleted()
    submissions = [_delete_submission(connection, id) for id, batch in rows if batch in concerned]
    blobs = [blob for submission in submissions for blob in submission.blobs]
    for batch in concerned:
        blobs += exports.delete_of_batch(connection, batch, now)
        batches.record_use(connection, batch, now)
    _set_erase(connection)
    return Deleted(
        studies=len(concerned),
        participants=1,
        answers=sum(submission.answers for submission in submissions),
        files=sum(submission.files for submission in submissions),
        blobs=tuple(blobs),
    )


def delete_test_participant(
    connection: sqlite3.Connection, participant: str, researcher: str | None = None
) -> bool:
    """Delete the account of a test participant, of one researcher or of any; whether there was one."""
    count = connection.execute(
        "DELETE FROM test_participant WHERE id = ? AND researcher = coalesce(?, researcher)",
        (participant, researcher),
    ).rowcount
    if count:
        _set_erase(connection)
    return count > 0


def record(
    connection: sqlite3.Connection, deleted: Deleted, now: int, *, digest: str | None, study_id: str | None
) -> None:
    """Record what was deleted."""
    connection.execute(
        "INSERT INTO deletion (digest, study_id, deleted_at, studies, participants, answers, files)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (digest, study_id, now, deleted.studies, deleted.participants, deleted.answers, deleted.files),
    )


def records(connection: sqlite3.Connection) -> list[DeletionRecord]:
    """The records of deletions, the newest first."""
    rows = connection.execute(
        "SELECT digest, study_id, deleted_at, studies, participants, answers, files FROM deletion"
        " ORDER BY number DESC"
    )
    return [DeletionRecord(*row) for row in rows]


def add_records(connection: sqlite3.Connection, records: Sequence[DeletionRecord]) -> None:
    """Add records of another copy of the database."""
    connection.executemany(
        "INSERT INTO deletion (digest, study_id, deleted_at, studies, participants, answers, files)"
        " VALUES (:digest, :study_id, :deleted_at, :studies, :participants, :answers, :files)",
        [vars(record) for record in records],
    )


def last_deletion(connection: sqlite3.Connection) -> int:
    """The number of the last record; 0 if there is none."""
    (number,) = connection.execute("SELECT coalesce(max(number), 0) FROM deletion").fetchone()
    return int(number)


def erase_is_due(connection: sqlite3.Connection) -> bool:
    """Whether something was deleted since the database was compacted."""
    return connection.execute("SELECT 1 FROM setting WHERE name = ?", (_ERASE,)).fetchone() is not None


def mark_erased(connection: sqlite3.Connection) -> None:
    """Record that the database was compacted."""
    connection.execute("DELETE FROM setting WHERE name = ?", (_ERASE,))


def _set_erase(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT OR REPLACE INTO setting (name, value) VALUES (?, '1')", (_ERASE,))


def _datasets_by_study(connection: sqlite3.Connection) -> dict[int, set[int]]:
    """By study that is not being deleted, the datasets that it uses.

    It is attached to them, the tasks of one of its setups show their records, or it was synced with them.
    """
    studies = connection.execute("SELECT number FROM batch WHERE workspace_id <> ?", (_NOWHERE,)).fetchall()
    found: dict[int, set[int]] = {number: set() for (number,) in studies}
    rows = connection.execute(
        "SELECT number, dataset FROM batch UNION SELECT batch, dataset FROM sync"
        " UNION SELECT number, (SELECT dataset FROM task WHERE batch = b.number LIMIT 1) FROM batch b"
        " UNION SELECT batch, (SELECT dataset FROM task WHERE batch = s.batch AND setup = s.setup LIMIT 1)"
        " FROM setup_layout s"
    )
    for number, dataset in rows:
        if dataset and number in found:
            found[number].add(dataset)
    return found


def _delete_submission(connection: sqlite3.Connection, id: str) -> Deleted:
    files = connection.execute("SELECT blob FROM participant_file WHERE submission = ?", (id,)).fetchall()
    connection.execute("DELETE FROM participant_file WHERE submission = ?", (id,))
    answers = connection.execute("DELETE FROM response WHERE submission = ?", (id,)).rowcount
    connection.execute("DELETE FROM submission WHERE id = ?", (id,))
    return Deleted(answers=answers, files=len(files), blobs=tuple(blob for (blob,) in files))


_OF_STUDY = (
    "response",
    "submission",
    "task",
    "task_group",
    "setup_layout",
    "instruction",
    "sync",
    "collection",
)
_OF_DATASET = (
    "datapoint",
    "datapoint_before",
    "datapoint_identity",
    "dataset_schema",
    "migration",
)


def _delete_of_study(connection: sqlite3.Connection, study: int, limit: int) -> Deleted:
    files = connection.execute(
        "SELECT file_key, blob FROM submission s JOIN participant_file f ON f.submission = s.id"
        " WHERE s.batch = ? LIMIT ?",
        (study, limit),
    ).fetchall()
    if files:
        keys = [(key,) for key, _blob in files]
        connection.executemany("DELETE FROM participant_file WHERE file_key = ?", keys)
        return Deleted(blobs=tuple(blob for _key, blob in files))
    if _delete_slice(connection, _OF_STUDY, "batch", study, limit):
        return Deleted()
    archives = connection.execute("SELECT blob FROM export WHERE batch = ? AND blob IS NOT NULL", (study,))
    blobs = tuple(blob for (blob,) in archives.fetchall())
    connection.execute("DELETE FROM export WHERE batch = ?", (study,))
    connection.execute("DELETE FROM batch WHERE number = ?", (study,))
    return Deleted(blobs=blobs)


def _delete_of_dataset(connection: sqlite3.Connection, dataset: int, limit: int) -> Deleted:
    jobs.delete_lane(connection, jobs.dataset_lane(dataset))  # of a file that was uploaded meanwhile
    if _delete_slice(connection, _OF_DATASET, "dataset", dataset, limit):
        return Deleted()
    uploads = connection.execute("SELECT blob FROM import WHERE dataset = ? AND blob IS NOT NULL", (dataset,))
    blobs = tuple(blob for (blob,) in uploads.fetchall())
    connection.execute("DELETE FROM import WHERE dataset = ?", (dataset,))
    connection.execute("DELETE FROM dataset WHERE number = ?", (dataset,))
    return Deleted(blobs=blobs)


def _delete_slice(
    connection: sqlite3.Connection, tables: Sequence[str], column: str, subject: int, limit: int
) -> int:
    """Delete at most `limit` rows of the first table that has some; how many."""
    for table in tables:
        keys = _KEYS.get(table, "rowid")
        deleted = connection.execute(
            f"DELETE FROM {table} WHERE ({keys}) IN"  # noqa: S608 - names of this module
            f" (SELECT {keys} FROM {table} WHERE {column} = ? LIMIT ?)",
            (subject, limit),
        ).rowcount
        if deleted:
            return deleted
    return 0


_KEYS = {
    "submission": "id",
    "task": "batch, setup, number",
    "task_group": "batch, setup, number",
    "setup_layout": "batch, setup",
    "instruction": "id",
    "datapoint": "dataset, position",
    "datapoint_before": "dataset, position, version",
    "datapoint_identity": "dataset, digest",
    "dataset_schema": "dataset, version",
}
"""The primary keys of tables without a row id."""
