"""`batchwright-cli rehearse`: a complete rehearsal of a study without a window.

A window waits for the network; a command ends with an error instead, since no one could cancel it or sign in.
SIGTERM and Ctrl+C end a rehearsal in an orderly way, so that it can close its resources.
"""

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn, Protocol, TypeVar

from batchwright.app.headless import headless_context, temporary_service, user_data_dir
from batchwright.base.files.temporary_files import remove_leftovers
from batchwright.base.i18n import _
from batchwright.base.json_values import is_array
from batchwright.base.local_formats import joined
from batchwright.base.policy import CERTIFICATES, computer_policy
from batchwright.base.text import without_lone_surrogates
from batchwright.cli.console import print_message, print_result
from batchwright.cli.input_files import InputError, read_collection, read_pages_and_study, read_schema_file
from batchwright.cli.output_files import require_other_files
from batchwright.cli.source_files import ReadableFile, readable_file
from batchwright.client.context import WorkflowContext
from batchwright.data_files.file_types import FileType, type_of
from batchwright.layout.checking.validator import LayoutChecker, check_json
from batchwright.layout.model import Layout
from batchwright.layout.rules import Problem, SchemaUnavailable, Severity
from batchwright.layout.serialization import random_keys, read, write
from batchwright.local.projects import Project
from batchwright.schema.model import Schema
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import TaskDetails
from batchwright.workflows.data.upload_dataset import ImportIncomplete
from batchwright.workflows.messages import describe
from batchwright.workflows.rehearsal.rehearse import (
    RESULT_FILES,
    RehearsalInput,
    RehearsalOptions,
    rehearse,
)
from batchwright.workflows.rehearsal.rehearse_collection import rehearse_collection
from batchwright.workflows.rehearsal.simulate import Behaviour
from batchwright.workflows.verification.checks import Check

T = TypeVar("T")

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
"""The signals that end a command."""

_log = logging.getLogger(__name__)


def run(options: argparse.Namespace, *, keeps_results: bool = True) -> int:
    """Run a rehearsal and print its checks, and the folder with its results if the caller keeps them.

    Returns 1 on an invalid layout or data, or a failed check.
    """
    try:
        with raise_on_signal(), ExitStack() as files:
            run_on = collection_work(options) if options.collection else batch_work(options, files)
            rehearsal = None if run_on is None else run_rehearsal(options, run_on)
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
    if rehearsal is None:
        return 1
    report(rehearsal)
    if keeps_results:
        print_result(_("Results: {folder}").format(folder=options.out))
    return 0 if rehearsal.passed else 1


class Rehearsal(Protocol):
    """The result of rehearsing a batch or a collection."""

    @property
    def checks(self) -> Sequence[Check]:
        """The results of the checks."""

    @property
    def passed(self) -> bool:
        """Whether all checks passed."""


Work = Callable[[WorkflowContext], Awaitable[Rehearsal]]
"""Rehearses a study at a connection."""


def batch_work(options: argparse.Namespace, files: ExitStack) -> Work | None:
    """The rehearsal of a layout with data; None if it has errors, which are printed.

    Data files that the service does not take are converted to temporary files until `files` is closed.

    Raises:
        InputError: a file is missing or cannot be read.
        UnreadableFile: a data file cannot be converted.
    """
    for name in ("schema", "data"):
        if getattr(options, name) is None:
            raise InputError(_("--layout requires --{name}.").format(name=name))
    schema = read_schema_file(options.schema)
    pages, study = read_pages_and_study(options.layout)
    language = options.language or ""
    if study is not None:
        study = in_language(study, language)
        pages, language = write(study.layout), study.language
    if has_errors(check_json(pages, schema, None)) or not is_array(pages):
        return None
    layout = read(pages, random_keys())
    data = files.enter_context(_readable(options.data, options))
    more = None if options.append is None else files.enter_context(_readable(options.append, options))
    rehearsed = replace(rehearsal_input_from_options(layout, schema, data, more), language=language)
    plan = plan_of(options)
    return lambda context: rehearse(context, rehearsed, plan, options.out)


def in_language(study: Project, language: str) -> Project:
    """A study in a language that it is translated to, or in its own; one without translations is not changed.

    Raises:
        InputError: it has translations, but none to this language.
    """
    if language in study.translations:
        return study.in_language(language)
    if study.translations and language not in ("", study.language):
        text = _("The study has no translation to “{language}”, only to: {languages}.")
        raise InputError(text.format(language=language, languages=joined(study.translations)))
    return replace(study, language=language or study.language)


def _readable(path: Path, options: argparse.Namespace) -> AbstractContextManager[ReadableFile]:
    """A data file as the service takes it.

    Raises:
        InputError: it is missing.
    """
    is_media = path.is_dir() and type_of(path) is FileType.MEDIA_FOLDER
    if not path.is_file() and not is_media:
        raise InputError(_("{path} is not a file.").format(path=path))
    return readable_file(path, options, is_hosted=options.url is not None)


def collection_work(options: argparse.Namespace) -> Work | None:
    """The rehearsal of a collection; None if it has errors, which are printed.

    Raises:
        InputError: the file cannot be read, or there are options for a batch.
    """
    for name in ("schema", "data", "append"):
        if getattr(options, name) is not None:
            raise InputError(_("--{name} cannot be used with --collection.").format(name=name))
    study = in_language(read_collection(options.collection), options.language or "")
    if has_errors(LayoutChecker(SchemaUnavailable.COLLECTION).check(study.layout)):
        return None
    plan = plan_of(options)
    participants = plan.participants if plan.simulated else 0
    return lambda context: rehearse_collection(
        context,
        study,
        options.out,
        participants=participants,
        seed=plan.seed,
        behaviour=plan.behaviour,
    )


def has_errors(problems: Iterable[Problem]) -> bool:
    """Print the errors among some problems, and return whether there are any."""
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    for problem in errors:
        print_result(problem)
    return bool(errors)


def require_usable_account(options: argparse.Namespace) -> None:
    """Check that what a service is reached with is used if it is given.

    Raises:
        InputError: there is no URL to use it for, or the policy locks the certificates.
    """
    for name in ("workspace", "token_file", "ca_file"):
        if options.url is None and getattr(options, name) is not None:
            raise InputError(_("--{name} requires --url.").format(name=name.replace("_", "-")))
    if options.ca_file is not None and (reason := computer_policy().lock_reason(CERTIFICATES)):
        raise InputError(_("--ca-file cannot be used. {reason}.").format(reason=reason))


def run_rehearsal(options: argparse.Namespace, work: Work) -> Rehearsal:
    """Run a rehearsal on the service given in the options, or on a temporary local one.

    Raises:
        InputError: the options for the service are incomplete, the policy locks one, or a result would
            replace an input.
    """
    out: Path = options.out
    require_other_files([out / name for name in RESULT_FILES], options)
    address = None if options.url is None else service_from_options(options)
    require_usable_account(options)
    out.mkdir(parents=True, exist_ok=True)
    remove_leftovers(out)
    if address:
        return asyncio.run(cancel_on_signal(on_service(address, user_data_dir(), work, options.ca_file)))
    with temporary_service() as (running, data):
        return asyncio.run(cancel_on_signal(on_service(running, data, work)))


async def on_service(
    running: ServiceAddress, data: Path, work: Work, certificates: Path | None = None
) -> Rehearsal:
    """Run a rehearsal on a running service; progress messages go to standard error."""
    async with headless_context(running, data, print_message, certificates) as context:
        return await work(context)


def rehearsal_input_from_options(
    layout: Layout, schema: Schema, data: ReadableFile, more: ReadableFile | None
) -> RehearsalInput:
    """Create the study to rehearse; its introduction for participants says that it is a rehearsal."""
    name = _("Rehearsal of {name}").format(name=without_lone_surrogates(data.path.stem))
    details = TaskDetails(
        task_name=name,
        task_introduction=_("<p>This is a rehearsal: your answers are not sent to anyone.</p>"),
        task_steps=_("<ol><li>Read each page.</li><li>Answer every question.</li></ol>"),
    )
    media = [file.media for file in (data, more) if file is not None and file.media is not None]
    more_path = None if more is None else more.path
    lines = {file.path: file.lines for file in (data, more) if file is not None}
    return RehearsalInput(
        name, layout, schema, data.path, details, more_path, media, lambda path: lines[path]()
    )


def plan_of(options: argparse.Namespace) -> RehearsalOptions:
    """The options of the rehearsal; participants are simulated only on a temporary local service."""
    if options.url is not None and options.participants:
        print_message(_("Participants are simulated only on a service that the rehearsal starts itself."))
    return RehearsalOptions(
        tasks_per_group=options.tasks_per_group,
        annotators_per_task=options.annotators_per_task,
        participants=options.participants,
        seed=options.seed,
        behaviour=Behaviour(options.random_share, options.first_option_share, options.seconds_per_page),
        simulated=options.url is None,
    )


def service_from_options(options: argparse.Namespace) -> ServiceAddress:
    """The address of the service given in the options.

    Raises:
        InputError: the options are incomplete, or the token cannot be read.
    """
    if not options.workspace or not options.token_file:
        raise InputError(_("--url requires --workspace and --token-file."))
    try:
        token = options.token_file.read_text(encoding="utf-8-sig").strip()
    except OSError as error:
        text = _("{path} cannot be read: {reason}")
        raise InputError(text.format(path=options.token_file, reason=error.strerror)) from None
    except UnicodeDecodeError:
        raise InputError(_("{path} does not contain a token.").format(path=options.token_file)) from None
    return ServiceAddress(options.url, options.workspace, token)


def report(rehearsal: Rehearsal) -> None:
    """Print the results of the checks."""
    for check in rehearsal.checks:
        print_result(
            f"ok      {check.statement}" if check.passed else f"FAILED  {check.statement} ({check.actual})"
        )


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
    task, loop = asyncio.ensure_future(work), asyncio.get_running_loop()

    def cancel(_number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(task.cancel)

    with _handlers_restored():
        for signal_number in _SIGNALS:
            if sys.platform == "win32":  # there, the loop has no handlers of signals
                signal.signal(signal_number, cancel)
            else:
                loop.add_signal_handler(signal_number, task.cancel)
        try:
            return await task
        except asyncio.CancelledError:
            raise Terminated from None
        finally:
            if sys.platform != "win32":
                for signal_number in _SIGNALS:
                    loop.remove_signal_handler(signal_number)


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
