"""`batchwright rehearse`: a complete rehearsal of a study without a window.

A window waits for the network; a command ends with an error instead, since no one could cancel it or sign in.
SIGTERM and Ctrl+C end a rehearsal in an orderly way, so that it can close its resources.
"""

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn, TypeVar

from batchwright.app.headless import headless_context, temporary_service, user_data_dir
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array
from batchwright.base.text import without_lone_surrogates
from batchwright.cli.console import print_message, print_result
from batchwright.cli.input_files import InputError, read_pages, read_schema_file
from batchwright.layout.model import Layout
from batchwright.layout.rules import Severity
from batchwright.layout.serialization import random_keys, read
from batchwright.layout.validator import check_json
from batchwright.schema.model import Schema
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import TaskDetails
from batchwright.workflows.messages import describe
from batchwright.workflows.rehearse import RehearsalInput, RehearsalOptions, RehearsalResult, rehearse
from batchwright.workflows.upload_dataset import ImportIncomplete

T = TypeVar("T")

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
"""The signals that end a command."""

_log = logging.getLogger(__name__)


def run(options: argparse.Namespace) -> int:
    """Run a rehearsal and print its result; returns 1 on an invalid layout or data, or a failed check."""
    try:
        with raise_on_signal():
            schema = read_schema_file(options.schema)
            layout = require_valid_layout(read_pages(options.layout), schema)
            if layout is None:
                return 1
            rehearsal = run_rehearsal(
                options, rehearsal_input_from_options(layout, schema, options.data, options.append)
            )
    except ImportIncomplete as error:
        print_message(describe(error))
        return 1
    except InputError as error:
        print_message(error)
        return 2
    except Terminated:
        print_message(_("The rehearsal was interrupted."))
        return 2
    except Exception as error:
        message = describe(error)
        if message.is_bug:
            _log.error("Unexpected error", exc_info=error)
        print_message(message)
        return 2
    report(rehearsal, options.out)
    return 0 if rehearsal.passed else 1


def run_rehearsal(options: argparse.Namespace, study: RehearsalInput) -> RehearsalResult:
    """Run a rehearsal on the service given in the options, or on a temporary local one.

    Raises:
        InputError: the options for the service are incomplete.
    """
    out: Path = options.out
    rehearsal_options = plan_of(options)
    address = None if options.url is None else service_from_options(options)
    out.mkdir(parents=True, exist_ok=True)
    if address:
        return asyncio.run(
            cancel_on_signal(on_service(address, user_data_dir(), study, rehearsal_options, out))
        )
    with temporary_service() as (running, data):
        return asyncio.run(cancel_on_signal(on_service(running, data, study, rehearsal_options, out)))


async def on_service(
    running: ServiceAddress, data: Path, study: RehearsalInput, rehearsal_options: RehearsalOptions, out: Path
) -> RehearsalResult:
    """Run a rehearsal on a running service; progress messages go to standard error."""
    async with headless_context(running, data, print_message) as context:
        return await rehearse(context, study, rehearsal_options, out)


def require_valid_layout(pages: Json, schema: Schema) -> Layout | None:
    """Return the layout if the rules find no error; otherwise print the errors."""
    errors = [problem for problem in check_json(pages, schema, None) if problem.severity is Severity.ERROR]
    for problem in errors:
        print_result(problem)
    return read(pages, random_keys()) if is_array(pages) and not errors else None


def rehearsal_input_from_options(
    layout: Layout, schema: Schema, data: Path, more: Path | None
) -> RehearsalInput:
    """Create the study to rehearse; its introduction for participants says that it is a rehearsal.

    Raises:
        InputError: a data file is missing.
    """
    for path in (data, more):
        if path is not None and not path.is_file():
            raise InputError(_("{path} is not a file.").format(path=path))
    name = _("Rehearsal of {name}").format(name=without_lone_surrogates(data.stem))
    details = TaskDetails(
        task_name=name,
        task_introduction=_("<p>This is a rehearsal: your answers are not sent to anyone.</p>"),
        task_steps=_("<ol><li>Read each page.</li><li>Answer every question.</li></ol>"),
    )
    return RehearsalInput(name, layout, schema, data, details, more)


def plan_of(options: argparse.Namespace) -> RehearsalOptions:
    """Return the options of the rehearsal; participants are simulated only on a temporary local service."""
    if options.url is not None and options.participants:
        print_message(_("Participants are simulated only on a service that the rehearsal starts itself."))
    return RehearsalOptions(
        tasks_per_group=options.tasks_per_group,
        annotators_per_task=options.annotators_per_task,
        participants=options.participants,
        seed=options.seed,
        simulated=options.url is None,
    )


def service_from_options(options: argparse.Namespace) -> ServiceAddress:
    """Return the address of the service given in the options.

    Raises:
        InputError: the options are incomplete, or the token cannot be read.
    """
    if not options.workspace or not options.token_file:
        raise InputError(_("--url requires --workspace and --token-file."))
    try:
        token = options.token_file.read_text(encoding="utf-8").strip()
    except OSError as error:
        text = _("{path} cannot be read: {reason}")
        raise InputError(text.format(path=options.token_file, reason=error.strerror)) from None
    except UnicodeDecodeError:
        raise InputError(_("{path} does not contain a token.").format(path=options.token_file)) from None
    return ServiceAddress(options.url, options.workspace, token)


def report(rehearsal: RehearsalResult, out: Path) -> None:
    """Print the results of the checks, and the folder with the results."""
    for check in rehearsal.checks:
        print_result(
            f"ok      {check.statement}" if check.passed else f"FAILED  {check.statement} ({check.actual})"
        )
    print_result(_("Results: {folder}").format(folder=out))


class Terminated(Exception):
    """The command was terminated by a signal before it was finished."""


@contextmanager
def raise_on_signal() -> Iterator[None]:
    """Raise `Terminated` at the current point of execution when the process receives a signal to end."""
    with _handlers_restored():
        for signal_number in _SIGNALS:
            signal.signal(signal_number, _end)
        yield


async def cancel_on_signal(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine, and cancel it when the process receives a signal to end.

    Raises:
        Terminated: it was cancelled.
    """
    task = asyncio.ensure_future(work)
    with _handlers_restored():
        if sys.platform != "win32":
            for signal_number in _SIGNALS:
                asyncio.get_running_loop().add_signal_handler(signal_number, task.cancel)
        try:
            return await task
        except asyncio.CancelledError:
            raise Terminated from None
        finally:
            if sys.platform != "win32":
                for signal_number in _SIGNALS:
                    asyncio.get_running_loop().remove_signal_handler(signal_number)


@contextmanager
def _handlers_restored() -> Iterator[None]:
    """Restore the previous signal handlers at the end of the block."""
    former = {signal_number: signal.getsignal(signal_number) for signal_number in _SIGNALS}
    try:
        yield
    finally:
        for signal_number, handler in former.items():
            signal.signal(signal_number, handler)


def _end(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Terminated
