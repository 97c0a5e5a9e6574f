"""Tasks and task groups of a batch's setups (specification, Batches rule 5)."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Group:
    """A task group; `key` is the value of the task group column, None for a random group."""

    number: int
    key: str | None
    task_count: int


@dataclass(frozen=True)
class Task:
    """A task: the datapoint at `position` of a dataset, in the group of that number."""

    number: int
    group: int
    dataset: int
    position: int


def insert_groups(connection: sqlite3.Connection, batch: int, setup: int, groups: Iterable[Group]) -> None:
    """Write task groups."""
    connection.executemany(
        "INSERT INTO task_group (batch, setup, number, key, task_count) VALUES (?, ?, ?, ?, ?)",
        ((batch, setup, group.number, group.key, group.task_count) for group in groups),
    )


def insert_tasks(
    connection: sqlite3.Connection,
    batch: int,
    setup: int,
    dataset: int,
    tasks: Iterable[tuple[int, int, int]],
) -> None:
    """Write tasks, each given as number, number of its group, and position of its datapoint."""
    connection.executemany(
        "INSERT INTO task (batch, setup, number, task_group, dataset, position) VALUES (?, ?, ?, ?, ?, ?)",
        ((batch, setup, number, group, dataset, position) for number, group, position in tasks),
    )


def increase_group_sizes(
    connection: sqlite3.Connection, batch: int, setup: int, added: Mapping[int, int]
) -> None:
    """Increase the task counts of existing groups."""
    connection.executemany(
        "UPDATE task_group SET task_count = task_count + ? WHERE batch = ? AND setup = ? AND number = ?",
        ((count, batch, setup, group) for group, count in added.items()),
    )


def free_places_in_last_group(connection: sqlite3.Connection, batch: int, setup: int, size: int) -> int:
    """How many tasks the last group lacks of `size`; 0 if it is started or is not a random group."""
    row = connection.execute(
        "SELECT number, key, task_count FROM task_group WHERE batch = :batch AND setup = :setup AND number ="
        " (SELECT max(number) FROM task_group WHERE batch = :batch AND setup = :setup)",
        {"batch": batch, "setup": setup},
    ).fetchone()
    if row is None or row["key"] is not None:
        return 0
    is_started = connection.execute(
        "SELECT 1 FROM submission WHERE batch = ? AND setup = ? AND task_group = ? LIMIT 1",
        (batch, setup, row["number"]),
    ).fetchone()
    return 0 if is_started else max(0, size - int(row["task_count"]))


def group_of_key(connection: sqlite3.Connection, batch: int, setup: int, key: str) -> int | None:
    """The group of a value of the task group column; None if there is none yet that tasks may be added to.

    Tasks added to a group that somebody has completed would be assigned to nobody.
    """
    row = connection.execute(
        "SELECT number FROM task_group WHERE batch = ? AND setup = ? AND key = ?"
        " AND NOT EXISTS (SELECT 1 FROM submission WHERE batch = task_group.batch"
        " AND setup = task_group.setup AND task_group = task_group.number AND completed_at IS NOT NULL)"
        " ORDER BY number DESC LIMIT 1",
        (batch, setup, key),
    ).fetchone()
    return int(row[0]) if row else None


def changed_group_count(
    connection: sqlite3.Connection, batch: int, setup: int, first_task: int, first_group: int
) -> int:
    """How many of the groups before `first_group` contain tasks from `first_task` on."""
    (count,) = connection.execute(
        "SELECT count(DISTINCT task_group) FROM task"
        " WHERE batch = ? AND setup = ? AND number >= ? AND task_group < ?",
        (batch, setup, first_task, first_group),
    ).fetchone()
    return int(count)


def clear_setup(connection: sqlite3.Connection, batch: int, setup: int, limit: int) -> int:
    """Delete at most `limit` tasks, then the groups, of a setup; how many rows were deleted."""
    deleted = connection.execute(
        "DELETE FROM task WHERE batch = :batch AND setup = :setup AND number IN"
        " (SELECT number FROM task WHERE batch = :batch AND setup = :setup LIMIT :limit)",
        {"batch": batch, "setup": setup, "limit": limit},
    ).rowcount
    if deleted:
        return deleted
    return connection.execute(
        "DELETE FROM task_group WHERE batch = :batch AND setup = :setup AND number IN"
        " (SELECT number FROM task_group WHERE batch = :batch AND setup = :setup LIMIT :limit)",
        {"batch": batch, "setup": setup, "limit": limit},
    ).rowcount


def groups_of(connection: sqlite3.Connection, batch: int, setup: int) -> Iterator[Group]:
    """All groups of a setup, in the order of their numbers."""
    for row in connection.execute(
        "SELECT number, key, task_count FROM task_group WHERE batch = ? AND setup = ? ORDER BY number",
        (batch, setup),
    ):
        yield Group(*row)


def of_setup(connection: sqlite3.Connection, batch: int, setup: int) -> Iterator[Task]:
    """All tasks of a setup, in the order of their numbers."""
    for row in connection.execute(
        "SELECT number, task_group, dataset, position FROM task"
        " WHERE batch = ? AND setup = ? ORDER BY number",
        (batch, setup),
    ):
        yield Task(*row)


def with_records(connection: sqlite3.Connection, batch: int, setup: int) -> Iterator[tuple[Task, str]]:
    """All tasks of a setup in the order of their numbers, each with its datapoint as JSON text."""
    for *task, record in connection.execute(
        "SELECT t.number, t.task_group, t.dataset, t.position, d.record FROM task t"
        " JOIN datapoint d ON d.dataset = t.dataset AND d.position = t.position"
        " WHERE t.batch = ? AND t.setup = ? ORDER BY t.number",
        (batch, setup),
    ):
        yield Task(*task), record


def dataset_of(connection: sqlite3.Connection, batch: int, setup: int) -> int | None:
    """The dataset whose datapoints the tasks of a setup show; None if there are no tasks."""
    row = connection.execute(
        "SELECT dataset FROM task WHERE batch = ? AND setup = ? LIMIT 1", (batch, setup)
    ).fetchone()
    return int(row[0]) if row else None
