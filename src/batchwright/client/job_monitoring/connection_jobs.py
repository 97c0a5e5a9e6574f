"""The jobs of one connection: how each kind of job is polled, and monitors restored from stored rows.

A request that fails does not end monitoring, except with 404: a proxy may have answered instead of the
service, and the job continues whether or not anyone polls it.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from batchwright.api.client import ApiClient
from batchwright.api.http.errors import (
    ApiError,
    ClientClosed,
    ErrorResponse,
    NotFound,
    RateLimited,
    ServerError,
    Unauthorized,
    UnexpectedResponse,
    Unreachable,
)
from batchwright.api.http.retry import retries_reported, retry_after_seconds
from batchwright.base.database import StorageUnavailable
from batchwright.base.json_values import JsonObject
from batchwright.client.job_monitoring.backoff import backoff
from batchwright.client.job_monitoring.job_watcher import JobWatcher, WatchedJob
from batchwright.client.job_monitoring.local_job import LocalJob
from batchwright.client.job_monitoring.monitors import (
    JobPoller,
    PollDecision,
    PollFailure,
    StartLimits,
    StartMonitor,
)
from batchwright.client.job_monitoring.status import (
    JobKind,
    JobOutcome,
    JobStatus,
    export_job_status,
    import_job_status,
    migration_job_status,
    processing_job_status,
    setup_job_status,
    sync_job_status,
)
from batchwright.local.job_table import JobRow
from batchwright.wire.timestamps import to_milliseconds

_REFUSED_RETRY_S = 60.0
"""Minimum seconds until the next poll after a rejection, which rarely changes soon."""


class JobUnreachable(Exception):
    """A job continues at the service, but cannot be polled at the moment; its row stays open."""

    def __init__(self, failure: PollFailure) -> None:
        super().__init__(failure.name)
        self.poll_failure = failure


class NotStarted(Exception):
    """The service accepted a job and never started it; requesting it again creates nothing twice."""

    def __init__(self, kind: JobKind, title: str) -> None:
        super().__init__(title)
        self.kind = kind


class ConnectionJobs:
    """The jobs of one connection. Each job is stored as a row before it is polled for the first time."""

    def __init__(
        self,
        service: ApiClient,
        watcher: JobWatcher,
        connection: str,
        poll_intervals: Callable[[], Iterable[float]] = backoff,
        limits: StartLimits = StartLimits(),  # noqa: B008 - frozen
    ) -> None:
        self._service = service
        self._limits = limits
        self._watcher, self._rows = watcher, watcher.rows
        self._connection = connection
        self._successor: ConnectionJobs | None = self
        """The instance that monitors jobs whose waiting caller is gone: this one, a newer one, or none."""
        self.poll_intervals = poll_intervals
        """Creates an endless iterable of the pauses between polls, in seconds."""

    def work_lock(self, about: str) -> asyncio.Lock:
        """The lock for work at this connection that no two windows may do at the same time."""
        return self._watcher.work_lock(f"{self._connection}: {about}")

    async def start(self, kind: JobKind, subject: Mapping[str, str], title: str) -> WatchedJob:
        """Store a new job, and return it with a monitor.

        Args:
            kind: the kind of job.
            subject: the ids that a poll needs.
            title: the name shown to the user.
        """
        return self._monitored(
            await asyncio.to_thread(self._rows.add, self._connection, kind, subject, title)
        )

    async def rows_for(self, kind: JobKind, subject: Mapping[str, str]) -> list[JobRow]:
        """The jobs of a kind with this subject, the oldest first."""
        return await asyncio.to_thread(self._rows.matching, self._connection, kind, subject)

    async def has_ended(self, kind: JobKind, subject: Mapping[str, str]) -> bool:
        """Whether a job with this subject has been monitored to its end.

        Use it only for jobs that run once per subject. A job recorded as not started or paused does not
        count: it may still start or continue.
        """
        unfinished = (None, JobOutcome.NOT_STARTED, JobOutcome.PAUSED)
        return any(row.outcome not in unfinished for row in await self.rows_for(kind, subject))

    async def monitor_unless_open(
        self, kind: JobKind, subject: Mapping[str, str], title: str, fetched_since: datetime | None = None
    ) -> None:
        """Monitor a job that was started elsewhere, unless a stored job with this subject is still open.

        A state that was fetched since a time may be that of a job that has ended since then.
        """
        async with self._watcher.start_lock:
            rows = await self.rows_for(kind, subject)
            if not any(_may_run(row, fetched_since) for row in rows):
                self._watcher.monitor([await self.start(kind, subject, title)])

    async def record_retried(self, row: JobRow, status: JobStatus) -> None:
        """Record the outcome of a stored job that was retried and ended immediately."""
        await asyncio.to_thread(self._rows.resume, row.row_id)
        await _RowRecorder(self._watcher, row).record_status(status)

    async def resume(self) -> list[WatchedJob]:
        """Every job of the service that may continue, each with a new monitor.

        These are the jobs that had not ended at their latest poll, and those that waited for the user: they
        continue by themselves once the user has acted, possibly elsewhere.
        """
        open_rows = await asyncio.to_thread(self._rows.open, self._connection)
        paused_rows = await asyncio.to_thread(self._rows.ended_as, self._connection, JobOutcome.PAUSED)
        return [self._monitored(row) for row in open_rows + paused_rows if not JobKind(row.kind).is_local]

    @asynccontextmanager
    async def local_job(
        self, kind: JobKind, subject: Mapping[str, str], title: str
    ) -> AsyncIterator[LocalJob]:
        """Store a job that the program performs itself, from its start to its outcome.

        Args:
            kind: the kind of job.
            subject: the ids of the resources concerned.
            title: the name shown to the user.
        """
        row = await asyncio.to_thread(self._rows.add, self._connection, kind, subject, title)
        async with self._watcher.run_local(row.row_id, LocalJob()) as local_job:
            yield local_job

    async def resume_polling(self) -> None:
        """Poll now every job that may continue and is not monitored, or whose latest poll failed."""
        for job in await self.resume():
            poller = self._watcher.poller(job.row.row_id)
            if poller is None or poller.poll_failure is not None:
                self._watcher.poll_now(job)

    def transfer_to(self, successor: "ConnectionJobs | None") -> None:
        """Leave the monitoring of jobs to another instance, or to none until there is a token again."""
        self._successor = successor

    async def pause(self) -> None:
        """Stop polling; the rows stay open, so that monitoring can be resumed with a new token."""
        self.transfer_to(None)
        for job in await self.resume():
            self._watcher.pause(job.row.row_id)

    async def poll_now(self, row: JobRow) -> None:
        """Poll a stored job now, and monitor it from now on, also if it had ended."""
        await asyncio.to_thread(self._rows.resume, row.row_id)
        self._watcher.poll_now(self._monitored(row))

    async def statuses(
        self, kind: JobKind, subject: Mapping[str, str], title: str
    ) -> AsyncGenerator[JobStatus]:
        """Start a job, or continue one that is monitored since a restart or paused; yield its changes.

        Raises:
            JobUnreachable: the service cannot be reached, or no longer accepts the token. Monitoring
                continues in the background.
        """
        async with self._watcher.start_lock:
            unattended = [row for row in await self.rows_for(kind, subject) if self._is_unattended(row)]
            job = self._monitored(unattended[-1]) if unattended else await self.start(kind, subject, title)
        async with aclosing(self._watcher.statuses(job)) as statuses:
            async for status in statuses:
                if isinstance(status, PollFailure):
                    break
                yield status
            else:
                return
        self.monitor(job.row)
        raise JobUnreachable(status)

    async def started_statuses(
        self, kind: JobKind, subject: Mapping[str, str], title: str
    ) -> AsyncIterator[JobStatus]:
        """Like `statuses`, for a job that the service starts some time after accepting it.

        Raises:
            NotStarted: the service did not start it within the time allowed (`StartLimits`).
            JobUnreachable: as in `statuses`.
        """
        async with aclosing(self.statuses(kind, subject, title)) as statuses:
            async for status in statuses:
                yield status
                if status.outcome is JobOutcome.NOT_STARTED:
                    raise NotStarted(kind, title)

    def monitor(self, row: JobRow) -> None:
        """Monitor a job in the background, on this instance or its successor; ignored if there is none."""
        if self._successor is self:
            self._watcher.monitor([self._monitored(row)])
        elif self._successor is not None:
            self._successor.monitor(row)

    def _is_unattended(self, row: JobRow) -> bool:
        """Whether a job may continue and is monitored, and no caller waits for its end."""
        may_continue = row.outcome in (None, JobOutcome.PAUSED)
        return may_continue and row.is_monitored and not self._watcher.is_waited_for(row.row_id)

    def _monitored(self, row: JobRow) -> WatchedJob:
        kind, recorder = JobKind(row.kind), _RowRecorder(self._watcher, row)
        poll = StartMonitor(kind, lambda: _FETCH_STATUS[kind](self._service, row.subject), self._limits).fetch

        def show(failure: PollFailure | None) -> None:
            poller.poll_failure = failure
            self._watcher.notify()

        def on_retry(error: ApiError) -> None:
            if (decision := classify_poll_failure(error)) is not None:
                show(decision.failure)

        async def reported_poll() -> JobStatus:
            with retries_reported(on_retry, lambda: show(None)):
                return await poll()

        poller = JobPoller(reported_poll, recorder, classify_poll_failure, self.poll_intervals)
        return WatchedJob(row, poller)


def _may_run(row: JobRow, since: datetime | None) -> bool:
    """Whether a job has not ended, or was running at a time or later."""
    if row.ended_at is None or since is None:
        return row.outcome is None
    return to_milliseconds(row.ended_at) >= to_milliseconds(since)


def classify_poll_failure(error: Exception) -> PollDecision | None:
    """What a failed poll means for a job; None for errors that waiting does not resolve."""
    match error:
        case Unauthorized() | ClientClosed():
            return PollDecision(PollFailure.SIGNED_OUT)
        case NotFound():
            return PollDecision(PollFailure.GONE)
        case StorageUnavailable():
            return PollDecision(PollFailure.NOT_STORED)
        case RateLimited():
            return PollDecision(PollFailure.RATE_LIMITED, retry_after_seconds(error))
        case Unreachable() | ServerError() | UnexpectedResponse():
            return PollDecision(PollFailure.OFFLINE, retry_after_seconds(error))
        case ErrorResponse():
            # A proxy may have sent this (in a hotel, for example); the job continues.
            return PollDecision(PollFailure.REFUSED, _REFUSED_RETRY_S)
    return None


@dataclass(frozen=True)
class _RowRecorder:
    """Writes the row of one job off the event loop, then notifies the listeners of the job watcher."""

    watcher: JobWatcher
    row: JobRow

    async def record_status(self, status: JobStatus) -> None:
        await asyncio.to_thread(self._record, status)
        self.watcher.notify()

    def _record(self, status: JobStatus) -> None:
        rows, row_id = self.watcher.rows, self.row.row_id
        if self.row.outcome == JobOutcome.PAUSED:
            rows.resume(row_id)
        rows.record(row_id, status.state, status.detail, status.outcome)

    async def record_failure(self, _failure: PollFailure, reason: str) -> None:
        await asyncio.to_thread(self.watcher.rows.record_failure, self.row.row_id, reason)
        self.watcher.notify()


async def _fetch_processing(service: ApiClient, subject: JsonObject) -> JobStatus:
    return processing_job_status(await service.datasets.status(str(subject["dataset_id"])))


async def _fetch_import(service: ApiClient, subject: JsonObject) -> JobStatus:
    job = await service.datasets.import_job(str(subject["dataset_id"]), str(subject["import_id"]))
    records = subject.get("records")
    return import_job_status(job, None if records is None else int(str(records)))


async def _fetch_setup(service: ApiClient, subject: JsonObject) -> JobStatus:
    return setup_job_status(await service.batches.status(str(subject["batch_id"])))


async def _fetch_sync(service: ApiClient, subject: JsonObject) -> JobStatus:
    return sync_job_status(await service.batches.sync_job(str(subject["batch_id"]), str(subject["sync_id"])))


async def _fetch_migration(service: ApiClient, subject: JsonObject) -> JobStatus:
    job = await service.datasets.migration(str(subject["dataset_id"]), str(subject["job_id"]))
    return migration_job_status(job)


async def _fetch_export(service: ApiClient, subject: JsonObject) -> JobStatus:
    return export_job_status(await service.exports.get(str(subject["batch_id"]), str(subject["export_id"])))


async def _fetch_collection_export(service: ApiClient, subject: JsonObject) -> JobStatus:
    collection_id, export_id = str(subject["collection_id"]), str(subject["export_id"])
    return export_job_status(await service.exports.get_of_collection(collection_id, export_id))


_FETCH_STATUS: Mapping[JobKind, Callable[[ApiClient, JsonObject], Awaitable[JobStatus]]] = {
    JobKind.PROCESSING: _fetch_processing,
    JobKind.IMPORT: _fetch_import,
    JobKind.SETUP: _fetch_setup,
    JobKind.SYNC: _fetch_sync,
    JobKind.MIGRATION: _fetch_migration,
    JobKind.EXPORT: _fetch_export,
    JobKind.COLLECTION_EXPORT: _fetch_collection_export,
}
