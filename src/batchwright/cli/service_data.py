"""`batchwright-cli service-data`: what the service on this computer stores; deleting and backing it up."""

import argparse
import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from batchwright.app.headless import headless_context, user_data_dir
from batchwright.base.i18n import _
from batchwright.base.local_formats import decimal_text
from batchwright.base.local_time import local_time
from batchwright.cli.console import print_json, print_message, print_result
from batchwright.cli.input_files import InputError
from batchwright.cli.rehearse import (
    Terminated,
    cancel_on_signal,
    require_usable_account,
    service_from_options,
)
from batchwright.client.context import WorkflowContext
from batchwright.local.paths import default_paths
from batchwright.service.process import ServiceAddress, ServiceProcess
from batchwright.service.store.database import FILE_NAME
from batchwright.wire.base import to_payload
from batchwright.wire.ids import Timestamp
from batchwright.wire.participant_digests import participant_digest
from batchwright.wire.service_data import DeletedData, ServiceData, StoredStudy
from batchwright.wire.timestamps import read_timestamp
from batchwright.workflows.messages import describe
from batchwright.workflows.service_data import (
    back_up,
    delete_older_than,
    delete_participant,
    delete_studies,
    fetch_stored_data,
    restore,
)

Action = Callable[[WorkflowContext], Awaitable[int]]

_PROGRESS_S = 2.0
"""Seconds between two lines about progress."""

_log = logging.getLogger(__name__)


def run(options: argparse.Namespace) -> int:
    """Do what the options say; returns 1 if there was nothing to do, or it was not confirmed."""
    try:
        require_usable_account(options)
        if options.action == "restore" and not options.file.is_file():
            raise InputError(_("{path} is not a file.").format(path=options.file))
        data = user_data_dir()
        if options.url is not None:
            return asyncio.run(cancel_on_signal(_run_on(service_from_options(options), data, options)))
        service = ServiceProcess(_data_folder(options))
        try:
            return asyncio.run(cancel_on_signal(_run_on(service.start(), data, options)))
        finally:
            service.stop()
    except InputError as error:
        print_message(error)
    except Terminated:
        print_message(_("The command was interrupted. What is being deleted is deleted all the same."))
    except Exception as error:
        message = describe(error)
        if message.is_bug:
            _log.error("Unexpected error", exc_info=error)
        print_message(message)
    return 2


def _data_folder(options: argparse.Namespace) -> Path:
    """The data folder of the service on this computer.

    Raises:
        InputError: it contains no data, which only a backup can be restored to, or the backup would be in it.
    """
    if options.data_dir is None:
        folder = default_paths().service
    elif options.action == "restore" or (options.data_dir / FILE_NAME).is_file():
        folder = options.data_dir
    else:
        raise InputError(_("{folder} contains no data of the service.").format(folder=options.data_dir))
    if options.action == "back-up" and options.file.resolve().is_relative_to(folder.resolve()):
        raise InputError(_("{path} is in the data folder of the service.").format(path=options.file))
    return folder


async def _run_on(address: ServiceAddress, data: Path, options: argparse.Namespace) -> int:
    async with headless_context(address, data, print_message, options.ca_file) as context:
        stored = await fetch_stored_data(context)
        match options.action:
            case "list":
                return _list(stored, options)
            case "deletions":
                return _deletions(stored, options)
            case "delete":
                return await _delete(context, stored, options)
            case "delete-older":
                return await _delete_older(context, options)
            case "back-up":
                return await _back_up(context, options)
            case "restore":
                return await _restore(context, stored, options)
            case _participant:
                return await _delete_participant(context, options)


def _list(stored: ServiceData, options: argparse.Namespace) -> int:
    if options.json:
        print_json(to_payload(stored), indent=1)
        return 0
    print_message(_("Size: {size} MB.").format(size=decimal_text(stored.size / 1_000_000, 1)))
    for line in _lines(stored):
        print_result(line)
    return 0


def _lines(stored: ServiceData) -> list[str]:
    """What is stored: a line for each study, and one for what belongs to none."""
    lines = [_line(study) for study in stored.studies]
    if stored.unused:
        lines.append(_("Datasets without a study, and feedback files: {count}.").format(count=stored.unused))
    return lines


def _line(study: StoredStudy) -> str:
    text = _("{id}  {name}; records: {records}; answers: {answers}; last used: {date}")
    return text.format(
        id=study.id,
        name=study.name,
        records=study.records,
        answers=study.answers,
        date=_local(study.last_used_at)[:10],
    )


def _local(moment: Timestamp | None) -> str:
    """A time in the time zone of the user, such as `2026-03-03 09:00:00+01:00`; empty if it is unknown."""
    return "" if moment is None else local_time(read_timestamp(str(moment))).isoformat(" ", "seconds")


def _deletions(stored: ServiceData, options: argparse.Namespace) -> int:
    """Print the records of deletions, or whether there is one of a participant."""
    found = stored.deletions
    if options.participant is not None:
        digest = participant_digest(options.participant)
        found = tuple(record for record in found if record.participant_digest == digest)
    if options.json:
        print_json([to_payload(record) for record in found], indent=1)
        return 0 if found else 1
    for record in found:
        text = _("{date}  {what}; answers: {answers}; files: {files}")
        what = _("participant {digest}").format(digest=str(record.participant_digest)[:12])
        if record.participant_digest is None:
            what = _("studies: {count}").format(count=record.studies)
        print_result(
            text.format(date=_local(record.deleted_at), what=what, answers=record.answers, files=record.files)
        )
    if not found:
        print_message(_("There is no record of this."))
    return 0 if found else 1


async def _delete(context: WorkflowContext, stored: ServiceData, options: argparse.Namespace) -> int:
    by_id = {study.id: study for study in stored.studies}
    unknown = [id for id in options.studies if id.lower() not in by_id]
    if unknown:
        raise InputError(_("The service has no study {id}.").format(id=unknown[0]))
    selected = [by_id[id] for id in dict.fromkeys(map(str.lower, options.studies))]
    if not _is_confirmed(options, map(_line, selected)):
        return 1
    return _report(await delete_studies(context, [study.id for study in selected]))


async def _delete_older(context: WorkflowContext, options: argparse.Namespace) -> int:
    text = _("Studies, datasets and feedback files; days without use: {days} or more.").format(
        days=options.days
    )
    if not _is_confirmed(options, [text]):
        return 1
    return _report(await delete_older_than(context, options.days))


async def _delete_participant(context: WorkflowContext, options: argparse.Namespace) -> int:
    text = _("All answers and files of participant {id}").format(id=options.participant)
    if not _is_confirmed(options, [text]):
        return 1
    return _report(await delete_participant(context, options.participant, options.study))


async def _back_up(context: WorkflowContext, options: argparse.Namespace) -> int:
    await back_up(context, options.file, _Progress(_("Saving the backup: {percent} %")).show)
    print_message(_("Saved: {path}").format(path=options.file))
    return 0


async def _restore(context: WorkflowContext, stored: ServiceData, options: argparse.Namespace) -> int:
    if (lost := _lines(stored)) and not _is_confirmed(options, lost):
        return 1
    restored = await restore(context, options.file, _Progress(_("Restoring the backup: {percent} %")).show)
    text = _("Restored. Studies: {studies}; answers: {answers}.")
    print_message(text.format(studies=restored.studies, answers=restored.answers))
    if restored.deleted_again:
        print_message(
            _("Participants who were deleted on request since then are deleted again: {count}.").format(
                count=restored.deleted_again
            )
        )
    return 0


class _Progress:
    """Prints every few seconds how much is done."""

    def __init__(self, text: str) -> None:
        self._text, self._printed_at = text, time.monotonic()

    def show(self, fraction: float | None) -> None:
        """Print a fraction, if it is known and the last line was some time ago."""
        if fraction is not None and (now := time.monotonic()) - self._printed_at >= _PROGRESS_S:
            self._printed_at = now
            print_message(self._text.format(percent=round(100 * fraction)))


def _is_confirmed(options: argparse.Namespace, lost: Iterable[str]) -> bool:
    """Whether it may be deleted; if not, print what would be lost."""
    if options.yes:
        return True
    print_message(_("This would be deleted, and could not be brought back. Add --yes to delete it:"))
    for line in lost:
        print_result(line)
    return False


def _report(deleted: DeletedData) -> int:
    text = _("Deleted. Studies: {studies}; participants: {participants}; answers: {answers}; files: {files}.")
    print_message(
        text.format(
            studies=deleted.studies,
            participants=deleted.participants,
            answers=deleted.answers,
            files=deleted.files,
        )
    )
    if deleted.unused:
        text = _("Deleted datasets without a study, and feedback files: {count}.")
        print_message(text.format(count=deleted.unused))
    if deleted.in_use:
        print_message(_("Left, because a job is running: {count}.").format(count=deleted.in_use))
    if not deleted.is_erased:
        print_message(_("Copies in free space of the database are erased when the service starts again."))
    return 0 if deleted.studies or deleted.participants or deleted.unused else 1
