"""Watching jobs: which look belongs to which kind, and monitors made anew from their rows after a restart."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

from batchwright.api.client import ApiClient
from batchwright.api.errors import (
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
from batchwright.api.retry import retries_reported, retry_after_seconds
from batchwright.base.database import StorageUnavailable
from batchwright.base.json_values import JsonObject
from batchwright.client.job_monitoring.backoff import backoff
from batchwright.client.job_monitoring.job_watcher import JobWatcher, WatchedJob
from batchwright.client.job_monitoring.monitors import JobPoller, PollDecision, PollFailure
from batchwright.client.job_monitoring.starting import StartLimits, StartWatch
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
from batchwright.client.local_job import LocalJob
from batchwright.local.job_table import JobRow

_AFTER_A_REFUSAL = 60.0
"""Seconds until the next look at the least: what refuses seldom changes its mind soon."""


class JobUnreachable(Exception):
    """A job goes on at the service, but cannot be seen at the moment; its row is kept."""

    def __init__(self, weather: PollFailure) -> None:
        super().__init__(weather.name)
        self.weather = weather


class NotStarted(Exception):
    """The service accepted a job and never started it; asking again makes nothing twice."""

    def __init__(self, kind: JobKind, title: str) -> None:
        super().__init__(title)
        self.kind = kind


class ConnectionJobs:
    """The jobs of one connection: each has a row before it is looked at for the first time."""

    def __init__(
        self,
        service: ApiClient,
        watch: JobWatcher,
        connection: str,
        pauses: Callable[[], Iterable[float]] = backoff,
        limits: StartLimits = StartLimits(),  # noqa: B008 - frozen
    ) -> None:
        self._service = service
        self._limits = limits
        self._watch, self._rows = watch, watch.rows
        self._connection = connection
        self._heir: ConnectionJobs | None = self
        """Who takes up what is lost sight of."""
        self.pauses = pauses
        """Makes the pauses between two looks, in seconds and without end."""

    async def begin(self, kind: JobKind, subject: Mapping[str, str], title: str) -> WatchedJob:
        """Keep a new job, and watch it.

        Args:
            kind: what it is.
            subject: the ids that a look at it needs.
            title: what people know it by.
        """
        return self._watched(await asyncio.to_thread(self._rows.add, self._connection, kind, subject, title))

    async def begun(self, kind: JobKind, subject: Mapping[str, str]) -> list[JobRow]:
        """The jobs about something, in the order in which they were begun."""
        return await asyncio.to_thread(self._rows.matching, self._connection, kind, subject)

    async def has_seen_end(self, kind: JobKind, subject: Mapping[str, str]) -> bool:
        """Whether a job was watched to its end, by whomever; only for things that are done once.

        One that had not started may do so later.
        """
        return any(
            row.ending not in (None, JobOutcome.NOT_STARTED) for row in await self.begun(kind, subject)
        )

    async def join(self, kind: JobKind, subject: Mapping[str, str], title: str) -> None:
        """Watch a job that was begun elsewhere, unless one about the same is kept and has not ended."""
        if all(row.ending is not None for row in await self.begun(kind, subject)):
            self._watch.take_up([await self.begin(kind, subject, title)])

    async def turned_out(self, row: JobRow, seen: JobStatus) -> None:
        """Keep how a job that is kept already came out when it was begun again, and was over at once."""
        await asyncio.to_thread(self._rows.resume, row.number)
        await _Notes(self._watch, row.number).saw(seen)

    async def resume(self) -> list[WatchedJob]:
        """Every job of the service that had not ended when it was last looked at."""
        open_rows = await asyncio.to_thread(self._rows.open, self._connection)
        return [self._watched(row) for row in open_rows if not JobKind(row.kind).is_done_here]

    @asynccontextmanager
    async def doing(self, kind: JobKind, subject: Mapping[str, str], title: str) -> AsyncIterator[LocalJob]:
        """Keep something that this program does itself, from its beginning to how it ends.

        Args:
            kind: what it is.
            subject: the ids that it is about.
            title: what people know it by.
        """
        row = await asyncio.to_thread(self._rows.add, self._connection, kind, subject, title)
        async with self._watch.do(row.number, LocalJob()) as doing:
            yield doing

    async def look_through_weather(self) -> None:
        """Look now at whatever nobody watches, or could not be seen the last time."""
        for watched in await self.resume():
            monitor = self._watch.monitor(watched.row.number)
            if monitor is None or monitor.weather is not None:
                self._watch.look_now(watched)

    def hand_over(self, heir: "ConnectionJobs | None") -> None:
        """Take nothing up any more: another one does, or nobody until there is a token again."""
        self._heir = heir

    async def leave_off(self) -> None:
        """Look at nothing any more; the rows stay as they are, to be taken up again."""
        self.hand_over(None)
        for row in await asyncio.to_thread(self._rows.open, self._connection):
            self._watch.leave_off(row.number)

    async def look_again(self, row: JobRow) -> None:
        """Look now at a job that is kept already, and watch it from now on."""
        await asyncio.to_thread(self._rows.resume, row.number)
        self._watch.look_now(self._watched(row))

    async def sights(
        self, kind: JobKind, subject: Mapping[str, str], title: str
    ) -> AsyncGenerator[JobStatus]:
        """Begin a job, or take up one that is watched after a restart; every change of it up to its end.

        Raises:
            JobUnreachable: the service cannot be reached, or no longer accepts the token; polling continues.
        """
        left = [row for row in await self.begun(kind, subject) if self._is_left(row)]
        watched = self._watched(left[-1]) if left else await self.begin(kind, subject, title)
        async with aclosing(self._watch.sights(watched)) as sights:
            async for seen in sights:
                if isinstance(seen, PollFailure):
                    break
                yield seen
            else:
                return
        self.take_up(watched.row)
        raise JobUnreachable(seen)

    async def started(
        self, kind: JobKind, subject: Mapping[str, str], title: str
    ) -> AsyncIterator[JobStatus]:
        """As `sights`, for a job that a service has to start.

        Raises:
            NotStarted: the service did not start it in the time allowed (`StartLimits`).
            JobUnreachable: as `sights` does.
        """
        async with aclosing(self.sights(kind, subject, title)) as sights:
            async for seen in sights:
                yield seen
                if seen.ending is JobOutcome.NOT_STARTED:
                    raise NotStarted(kind, title)

    def take_up(self, row: JobRow) -> None:
        """Have a job watched, by whatever has taken the place of this, unless nobody has."""
        if self._heir is self:
            self._watch.take_up([self._watched(row)])
        elif self._heir is not None:
            self._heir.take_up(row)

    def _is_left(self, row: JobRow) -> bool:
        """Whether a job goes on, and nobody waits for its end."""
        return row.ending is None and row.is_watched and not self._watch.is_waited_for(row.number)

    def _watched(self, row: JobRow) -> WatchedJob:
        kind, notes = JobKind(row.kind), _Notes(self._watch, row.number)
        poll = StartWatch(kind, lambda: _LOOKS[kind](self._service, row.subject), self._limits).look

        def show(weather: PollFailure | None) -> None:
            monitor.weather = weather
            self._watch.tell()

        def on_retry(error: ApiError) -> None:
            if (verdict := classify_poll_failure(error)) is not None:
                show(verdict.weather)

        async def reported_poll() -> JobStatus:
            with retries_reported(on_retry, lambda: show(None)):
                return await poll()

        monitor = JobPoller(reported_poll, notes, classify_poll_failure, self.pauses)
        return WatchedJob(row, monitor)


def classify_poll_failure(error: Exception) -> PollDecision | None:
    """What a failed look means for a job; None for what waiting does not mend."""
    match error:
        case Unauthorized() | ClientClosed():
            return PollDecision(PollFailure.SIGNED_OUT)
        case NotFound():
            return PollDecision(PollFailure.GONE)
        case StorageUnavailable():
            return PollDecision(PollFailure.CANNOT_KEEP)
        case RateLimited():
            return PollDecision(PollFailure.TOLD_TO_WAIT, retry_after_seconds(error))
        case Unreachable() | ServerError() | UnexpectedResponse():
            return PollDecision(PollFailure.OFFLINE, retry_after_seconds(error))
        case ErrorResponse():
            # Whoever it was, a proxy of a hotel perhaps: the job goes on.
            return PollDecision(PollFailure.REFUSED, _AFTER_A_REFUSAL)
    return None


@dataclass(frozen=True)
class _Notes:
    """The row of one job, written off the event loop; then everybody is told."""

    watch: JobWatcher
    number: int

    async def saw(self, sight: JobStatus) -> None:
        rows = self.watch.rows
        await asyncio.to_thread(rows.record, self.number, sight.state, sight.detail, sight.ending)
        self.watch.tell()

    async def missed(self, weather: PollFailure, reason: str) -> None:
        await asyncio.to_thread(self.watch.rows.record_failure, self.number, reason)
        self.watch.tell()


async def _look_at_processing(service: ApiClient, subject: JsonObject) -> JobStatus:
    return processing_job_status(await service.datasets.status(str(subject["dataset_id"])))


async def _look_at_import(service: ApiClient, subject: JsonObject) -> JobStatus:
    job = await service.datasets.import_job(str(subject["dataset_id"]), str(subject["import_id"]))
    records = subject.get("records")
    return import_job_status(job, None if records is None else int(str(records)))


async def _look_at_setup(service: ApiClient, subject: JsonObject) -> JobStatus:
    return setup_job_status(await service.batches.status(str(subject["batch_id"])))


async def _look_at_sync(service: ApiClient, subject: JsonObject) -> JobStatus:
    return sync_job_status(await service.batches.sync_job(str(subject["batch_id"]), str(subject["sync_id"])))


async def _look_at_migration(service: ApiClient, subject: JsonObject) -> JobStatus:
    job = await service.datasets.migration(str(subject["dataset_id"]), str(subject["job_id"]))
    return migration_job_status(job)


async def _look_at_export(service: ApiClient, subject: JsonObject) -> JobStatus:
    return export_job_status(await service.exports.get(str(subject["batch_id"]), str(subject["export_id"])))


async def _look_at_collection_export(service: ApiClient, subject: JsonObject) -> JobStatus:
    collection_id, export_id = str(subject["collection_id"]), str(subject["export_id"])
    return export_job_status(await service.exports.get_of_collection(collection_id, export_id))


_LOOKS: Mapping[JobKind, Callable[[ApiClient, JsonObject], Awaitable[JobStatus]]] = {
    JobKind.PROCESSING: _look_at_processing,
    JobKind.IMPORT: _look_at_import,
    JobKind.SETUP: _look_at_setup,
    JobKind.SYNC: _look_at_sync,
    JobKind.MIGRATION: _look_at_migration,
    JobKind.EXPORT: _look_at_export,
    JobKind.COLLECTION_EXPORT: _look_at_collection_export,
}
