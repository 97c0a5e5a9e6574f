"""Long-running operations: the behaviour of the runner, and that every command uses the runner."""

import re

import pytest

from batchwright.client.context import WorkflowContext
from batchwright.client.resilient_run import run_resiliently
from batchwright.local.connections import THIS_COMPUTER
from batchwright.ui.core.activity import ActivityStatus
from batchwright.ui.core.operations import Operation, OperationRun, OperationState
from batchwright.ui.shell.state import ShellState
from tests.call_counts import count_calls
from tests.ui.collections.command_cases import COLLECTIONS_COMMANDS
from tests.ui.conftest import REHEARSAL, until
from tests.ui.core.operation_fixtures import OFFLINE, REJECTED, Command, Fixture, Work, at
from tests.ui.data.command_cases import DATA_COMMANDS
from tests.ui.feedback.command_cases import FEEDBACK_COMMANDS
from tests.ui.results.command_cases import RESULTS_COMMANDS
from tests.ui.run.command_cases import RUN_COMMANDS

pytestmark = pytest.mark.gui

__all__ = ["at"]

COUNT = Operation("count", "Counting")


async def test_an_operation_returns_its_result_and_shows_its_progress(at: Fixture) -> None:
    results: list[object] = []
    ended: list[Operation] = []
    at.runner.finished.connect(ended.append)
    work = Work([3])
    at.runner.start(COUNT, work, results.append)
    assert at.state() is OperationState.RUNNING
    await until(lambda: bool(work.runs))
    work.runs[0].update(fraction=0.5, text="Half")
    shown = at.runner.current
    assert shown is not None
    assert (shown.fraction, shown.message, shown.connection) == (0.5, "Half", "Lab")
    work.may_end.set()
    await at.settled()
    assert results == [3]
    assert [entry.state for entry in ended] == [OperationState.SUCCEEDED]
    assert at.runner.current is None
    work.runs[0].update(fraction=0.9)
    assert at.state() is OperationState.SUCCEEDED


async def test_the_start_and_outcome_of_operations_are_logged(
    at: Fixture, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "batchwright.ui.core.operations")
    at.runner.start(COUNT, Work.to(1))
    await at.settled()
    at.runner.start(Operation("answer", "Answering for Anna"), Work([1]))
    at.runner.cancel("answer")
    await at.settled()
    lines = [re.sub(r"\d+\.\d s", "N s", line) for line in caplog.messages]
    assert lines == [
        "Operation “count” started",
        "Operation “count”: succeeded after N s",
        "Operation “answer” started",
        "Operation “answer”: cancelled after N s",
    ]


async def test_a_running_operation_is_not_started_again(at: Fixture) -> None:
    first, second = Work([1]), Work.to(2)
    at.runner.start(COUNT, first)
    at.runner.start(COUNT, second)
    first.may_end.set()
    await at.settled()
    assert (len(first.runs), len(second.runs)) == (1, 0)
    at.runner.start(COUNT, second)
    await at.settled()
    assert len(second.runs) == 1


@pytest.mark.parametrize("another", ["study", "connection"])
async def test_the_result_is_discarded_when_the_subject_has_changed(at: Fixture, another: str) -> None:
    results: list[object] = []
    ended: list[Operation] = []
    at.runner.finished.connect(ended.append)
    work = Work([1])
    at.runner.start(COUNT, work, results.append)
    await until(lambda: bool(work.runs))
    if another == "study":
        at.study.open_another()
    else:
        await at.session.select(THIS_COMPUTER.name)
    assert at.runner.all == ()
    work.may_end.set()
    await at.settled()
    assert results == []
    assert [entry.state for entry in ended] == [OperationState.SUCCEEDED]


async def test_an_operation_is_shown_again_when_its_connection_is_selected(at: Fixture) -> None:
    results: list[object] = []
    work = Work([1])
    at.runner.start(COUNT, work, results.append)
    await at.session.select(THIS_COMPUTER.name)
    await at.session.select("Lab")
    assert at.state() is OperationState.RUNNING
    work.may_end.set()
    await at.settled()
    assert results == [1]


async def test_leaving_the_study_cancels_an_operation_that_belongs_to_it(at: Fixture) -> None:
    ended: list[OperationState] = []
    at.runner.finished.connect(lambda operation: ended.append(operation.state))
    at.runner.start(Operation("answer", "Answering", cancels_on_leave=True), Work([1]))
    at.study.open_another()
    await at.settled()
    assert ended == [OperationState.CANCELLED]


async def test_an_outage_is_shown_at_once_and_the_operation_is_retried(at: Fixture) -> None:
    states: list[OperationState | None] = []
    at.runner.changed.connect(lambda: states.append(at.state()))
    messages: list[str] = []
    at.runner.changed.connect(lambda: messages.extend(entry.message for entry in at.runner.all))
    work = Work.to(OFFLINE, OFFLINE, 1)
    at.runner.start(COUNT, work)
    await at.settled()
    assert OperationState.OFFLINE in states
    assert any("is not answering" in message for message in messages)
    assert (at.state(), len(work.runs), at.failed) == (OperationState.SUCCEEDED, 3, [])


async def test_progress_ends_the_offline_state(at: Fixture) -> None:
    async def step(context: WorkflowContext) -> None:
        if not states:
            states.append(OperationState.OFFLINE)
            raise OFFLINE
        operation.update(fraction=0.5)
        states.append(operation.operation.state)

    states: list[OperationState] = []
    operation: OperationRun

    async def work(run: OperationRun) -> None:
        nonlocal operation
        operation = run
        await run_resiliently(run.context, step, run.hooks)

    at.runner.start(COUNT, work)
    await at.settled()
    assert states == [OperationState.OFFLINE, OperationState.RUNNING]


@pytest.mark.parametrize("is_missing", [True, False], ids=["missing", "rejected"])
async def test_operations_that_need_a_token_share_one_prompt(at: Fixture, *, is_missing: bool) -> None:
    at.pool.has_token = not is_missing
    for key in ("one", "two"):
        at.runner.start(Operation(key, key), Work.to(1) if is_missing else Work.to(REJECTED, 1))
    await at.settled()
    assert [at.state(key) for key in ("one", "two")] == [OperationState.SUCCEEDED] * 2
    assert at.prompts == ["Lab"]


async def test_without_a_token_running_and_queued_operations_need_sign_in(at: Fixture) -> None:
    at.pool.has_token = at.gives_token = False
    at.runner = at.runner_for(at_once=1)
    for key in ("one", "two"):
        at.runner.start(Operation(key, key), Work.to(1))
    assert at.state("two") is OperationState.QUEUED
    await at.settled()
    assert [at.state(key) for key in ("one", "two")] == [OperationState.NEEDS_SIGN_IN] * 2
    assert at.prompts == ["Lab"]


async def test_operations_beyond_the_limit_are_queued(at: Fixture) -> None:
    at.runner = at.runner_for(at_once=1)
    first = Work([1])
    at.runner.start(Operation("one", "One"), first)
    at.runner.start(Operation("two", "Two"), Work.to(2))
    await until(lambda: bool(first.runs))
    assert at.state("two") is OperationState.QUEUED
    at.runner.cancel("one")
    await at.settled()
    assert (at.state("one"), at.state("two")) == (OperationState.CANCELLED, OperationState.SUCCEEDED)


async def test_the_steps_to_end_an_operation_are_proportional_to_the_number_of_operations(
    at: Fixture,
) -> None:
    def steps(count: int) -> int:
        runner = at.runner_for(at_once=1)
        *others, last = map(str, range(count))
        for key in (*others, last):
            runner.start(Operation(key, key), Work.to(1))
        for key in others:
            runner.cancel(key)
        return count_calls(lambda: runner.cancel(last))

    assert steps(80) < 3 * steps(40)


@pytest.mark.parametrize("has_started", [True, False])
async def test_a_cancelled_operation_ends_at_once(at: Fixture, *, has_started: bool) -> None:
    closed: list[str] = []
    work = Work([1])
    at.runner.start(COUNT, work)
    if has_started:
        await until(lambda: bool(work.runs))
        work.runs[0].resources.callback(closed.append, "closed")
    at.runner.cancel("count")
    assert at.state() is OperationState.CANCELLED
    await at.settled()
    assert closed == ["closed"] * has_started
    assert at.failed == []
    at.runner.remove("count")
    assert at.state() is None


@pytest.mark.parametrize("shows_error", [True, False])
async def test_an_error_is_shown_in_one_place(at: Fixture, *, shows_error: bool) -> None:
    operation = Operation("count", "Counting", shows_error=shows_error)
    at.runner.start(operation, Work.to(OSError(28, "No space left on device")))
    await at.settled()
    shown = at.runner.get("count")
    assert shown is not None
    assert shown.error is not None
    assert shown.state is OperationState.FAILED
    assert at.failed == ([] if shows_error else [shown.error.what])


async def test_the_status_bar_shows_the_operation_and_keeps_other_activities(at: Fixture) -> None:
    shell = ShellState(REHEARSAL)
    at.runner.show_in(shell)
    work = Work([1])
    at.runner.start(COUNT, work)
    assert shell.activity == ActivityStatus("Counting")
    at.study.open_another()
    is_shown = shell.activity is not None
    assert not is_shown
    shell.set_activity(ActivityStatus("Uploading"))
    work.may_end.set()
    await at.settled()
    assert shell.activity == ActivityStatus("Uploading")


COMMANDS = (
    *DATA_COMMANDS,
    *RUN_COMMANDS,
    *RESULTS_COMMANDS,
    *COLLECTIONS_COMMANDS,
    *FEEDBACK_COMMANDS,
)
"""Every command that starts an operation: each stage adds its own."""


@pytest.fixture(params=COMMANDS, ids=lambda command: command.__name__)
def command(request: pytest.FixtureRequest, at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Each command of a stage, with scripted work."""
    created: Command = request.param(at, monkeypatch)
    return created


async def test_every_command_shows_its_progress(at: Fixture, command: Command) -> None:
    shell = ShellState(REHEARSAL)
    command.operations.show_in(shell)
    command.start()
    await until(lambda: command.work.calls == 1)
    running = command.operations.current
    assert running is not None
    assert running.state is OperationState.RUNNING
    assert shell.activity == ActivityStatus(running.title, running.fraction)
    command.work.may_end.set()
    await at.settled()
    assert command.has_result()
    assert shell.activity is None or shell.activity.text != running.title
    assert at.failed == []


async def test_every_command_shows_an_outage_at_once_and_retries(at: Fixture, command: Command) -> None:
    messages: list[str] = []
    command.operations.changed.connect(
        lambda: messages.extend(
            entry.message for entry in command.operations.all if entry.state is OperationState.OFFLINE
        )
    )
    command.work.fails(OFFLINE)
    command.start()
    await at.settled()
    assert "is not answering" in messages[0]
    assert command.work.calls == 2
    assert command.has_result()
    assert at.failed == []


@pytest.mark.parametrize("is_missing", [True, False], ids=["missing", "rejected"])
async def test_every_command_prompts_once_for_a_token_and_resumes(
    at: Fixture, command: Command, *, is_missing: bool
) -> None:
    at.pool.has_token = not is_missing
    command.work.fails(*([] if is_missing else [REJECTED]))
    command.start()
    await at.settled()
    assert at.prompts == ["Lab"]
    assert command.has_result()
    assert at.failed == []


async def test_every_command_fails_without_a_token_and_reports_it_once(at: Fixture, command: Command) -> None:
    at.pool.has_token = at.gives_token = False
    ended: list[Operation] = []
    command.operations.finished.connect(ended.append)
    command.start()
    await at.settled()
    assert [entry.state for entry in ended] == [OperationState.NEEDS_SIGN_IN]
    assert (at.prompts, len(at.failed)) == (["Lab"], 0 if command.shows_error else 1)
    assert not command.has_result()


async def test_every_command_can_be_cancelled(at: Fixture, command: Command) -> None:
    ended: list[Operation] = []
    command.operations.finished.connect(ended.append)
    command.start()
    await until(lambda: command.work.calls == 1)
    running = command.operations.current
    assert running is not None
    command.operations.cancel(running.key)
    await at.settled()
    assert [entry.state for entry in ended] == [OperationState.CANCELLED]
    assert not command.has_result()
    assert at.failed == []


@pytest.mark.parametrize("another", ["study", "connection"])
async def test_no_command_applies_its_result_to_another_study_or_connection(
    at: Fixture, command: Command, another: str
) -> None:
    command.start()
    await until(lambda: command.work.calls == 1)
    if another == "study":
        command.open_another_study()
    else:
        await at.session.select(THIS_COMPUTER.name)
    is_kept = command.belongs_to_window or (command.keeps_connection and another == "connection")
    assert (command.operations.current is not None) == is_kept
    command.work.may_end.set()
    await at.settled()
    assert command.has_result() == is_kept
    assert at.failed == []
