"""The layouts of all setups of a batch are stored, and equal ones once."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from batchwright.base.database import Database
from batchwright.base.json_values import Json
from batchwright.local.analysis_settings import AnswersKey
from batchwright.local.database import open_database
from batchwright.local.task_layouts import TaskLayout, TaskLayoutTable

KEY = AnswersKey("Lab", "batch:b")
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(open_database(tmp_path)) as database:
        yield database


def _layout(text: str, hours: int = 0, *, is_assumed: bool = False) -> TaskLayout:
    pages: list[Json] = [{"id": "p", "rows": [], "text": text, "number": 1.0}]
    return TaskLayout(NOON + timedelta(hours=hours), pages, ("d",), is_assumed)


def test_all_setups_are_returned_oldest_first_and_the_last_one_alone(database: Database) -> None:
    table = TaskLayoutTable(database)
    setups = [_layout("a", is_assumed=True), _layout("b", 1), _layout("a", 2)]
    for setup in setups:
        table.add(KEY, setup)
    assert (table.all(KEY), table.last(KEY)) == (setups, setups[-1])
    with database.read() as connection:
        (contents,) = connection.execute("SELECT count(*) FROM task_layout_content").fetchone()
    assert contents == 2


def test_setups_belong_to_a_batch_at_a_connection(database: Database) -> None:
    table = TaskLayoutTable(database)
    table.add(KEY, _layout("a"))
    for other in (KEY._replace(connection="Home"), KEY._replace(source="batch:c")):
        assert (table.all(other), table.last(other)) == ([], None)
