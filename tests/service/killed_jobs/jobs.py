"""What the worker does with records: files taken in, tasks made, schemas changed."""

from pathlib import Path

from tests.service import v3_helpers
from tests.service.api_helpers import PROMPTS, QUESTION, eventually, jsonl, page
from tests.service.kill_helpers import Lives, number_in, progress_of_imports, rows_in
from tests.service.killed_jobs.operations import Deed

COUNT = 21_000
"""Records: several transactions of the worker's."""

NAMES = [f"p{number}" for number in range(COUNT)]
CSV = b"prompt,META_TASK_GROUP_ID\n" + b"".join(b"p%d,g%d\n" % (n, n % 7) for n in range(COUNT))
JSONL = jsonl(*({"prompt": name} for name in NAMES))


class Importing(Deed):
    """A file of a V4 dataset is taken in; its last line is no record."""

    whole = COUNT

    def __init__(self, filename: str, content: bytes) -> None:
        self._filename, self._content = filename, content

    def begin(self, lives: Lives) -> None:
        someone = lives.now.researcher
        self._dataset = someone.dataset()["id"]
        self._import = someone.upload(self._dataset, self._filename, self._content)

    def progress(self, folder: Path) -> int:
        return progress_of_imports(folder)

    def check(self, lives: Lives) -> None:
        someone = lives.now.researcher
        job = someone.settled(self._dataset, self._import)
        assert (job["status"], job["accepted_count"], job["rejected_count"]) == ("partial", COUNT, 1)
        assert [error["record_index"] for error in job["errors"]] == [COUNT]
        assert someone.prompts_of(self._dataset) == NAMES
        assert rows_in(lives.folder, "datapoint") == COUNT


class ImportingV3(Deed):
    """A file of a V3 dataset is read."""

    whole = COUNT

    def __init__(self, filename: str, content: bytes) -> None:
        self._filename, self._content = filename, content

    def begin(self, lives: Lives) -> None:
        self._dataset = v3_helpers.v3_dataset(lives.now.researcher)
        v3_helpers.send(lives.now.researcher, self._dataset, self._content, self._filename)

    def progress(self, folder: Path) -> int:
        return progress_of_imports(folder)

    def check(self, lives: Lives) -> None:
        someone = lives.now.researcher
        assert v3_helpers.settled(someone, self._dataset) == {"status": "READY"}
        assert v3_helpers.record_of(someone, self._dataset)["total_datapoint_count"] == COUNT
        assert [row["prompt"] for row in v3_helpers.datapoints(someone, self._dataset)] == NAMES
        assert (rows_in(lives.folder, "datapoint"), rows_in(lives.folder, "dataset_schema")) == (COUNT, 1)


class ReadingFaulty(Deed):
    """A V3 file turns out faulty at its end; what was there before stays."""

    whole = COUNT

    def begin(self, lives: Lives) -> None:
        someone = lives.now.researcher
        self._dataset = v3_helpers.filled(someone, b"prompt\nfirst\n")
        v3_helpers.send(someone, self._dataset, CSV + b"too,many,cells\n", "second.csv")

    def progress(self, folder: Path) -> int:
        return progress_of_imports(folder)

    def check(self, lives: Lives) -> None:
        someone = lives.now.researcher
        said = v3_helpers.settled(someone, self._dataset)
        assert (said["status"], f"Line {COUNT + 2}" in said["reason"]) == ("ERROR", True)
        assert v3_helpers.datapoints(someone, self._dataset) == [{"prompt": "first"}]
        assert rows_in(lives.folder, "datapoint") == 1


class SettingUp(Deed):
    """The tasks of a batch are made, for the second time."""

    whole = 2 * COUNT

    def begin(self, lives: Lives) -> None:
        someone = lives.now.researcher
        self._batch = someone.batch(dataset_id=someone.filled_dataset(COUNT), batch_items=[page(QUESTION)])[
            "id"
        ]
        someone.set_up(self._batch, tasks_per_group=100)
        someone.ask("POST", f"/batches/{self._batch}/setup", {"tasks_per_group": 4}, 202)

    def progress(self, folder: Path) -> int:
        return rows_in(folder, "task")

    def check(self, lives: Lives) -> None:
        ready = lives.now.researcher.ready(self._batch)
        assert (ready["total_task_count"], ready["total_task_groups"]) == (COUNT, COUNT // 4)
        assert _setups(lives.folder) == {1: (COUNT, COUNT // 100), 2: (COUNT, COUNT // 4)}


class SettingUpTwice(Deed):
    """While the tasks of a batch are created, another setup is accepted, of another dataset."""

    whole = COUNT

    def begin(self, lives: Lives) -> None:
        someone = lives.now.researcher
        first = someone.filled_dataset(COUNT // 2)
        self._last = someone.filled_dataset(COUNT)
        self._batch = someone.batch(dataset_id=first, batch_items=[page(QUESTION)])["id"]
        setup = f"/batches/{self._batch}/setup"
        someone.ask("POST", setup, {"tasks_per_group": 100}, 202)
        eventually(lambda: rows_in(lives.folder, "task"), bool)
        someone.ask("POST", setup, {"tasks_per_group": 4, "dataset_id": self._last}, 202)

    def progress(self, folder: Path) -> int:
        return rows_in(folder, "task")

    def check(self, lives: Lives) -> None:
        ready = lives.now.researcher.ready(self._batch)
        assert ready["datasets"][0]["id"] == self._last
        assert (ready["total_task_count"], ready["tasks_per_group"]) == (COUNT, 4)
        last = max(_setups(lives.folder))
        assert _setups(lives.folder)[last] == (COUNT, COUNT // 4)
        shown = f"SELECT count(DISTINCT dataset) FROM task WHERE setup = {last}"
        assert number_in(lives.folder, shown) == 1


class Syncing(Deed):
    """A batch gets tasks for records that came after its setup."""

    whole = COUNT + 10

    def begin(self, lives: Lives) -> None:
        someone = lives.now.researcher
        dataset = someone.filled_dataset(10)
        self._batch = someone.batch(dataset_id=dataset, batch_items=[page(QUESTION)])["id"]
        someone.set_up(self._batch, tasks_per_group=5)
        assert someone.imported(dataset, "more.jsonl", JSONL)["status"] == "complete"
        self._sync = someone.ask("POST", f"/batches/{self._batch}/sync", None, 202)["sync_id"]

    def progress(self, folder: Path) -> int:
        return rows_in(folder, "task")

    def check(self, lives: Lives) -> None:
        someone = lives.now.researcher
        ended = someone.sync_ended(self._batch, self._sync)
        assert (ended["status"], ended["tasks_created"], ended["groups_created"]) == (
            "complete",
            COUNT,
            COUNT // 5,
        )
        assert someone.get_batch(self._batch)["total_task_count"] == self.whole
        assert _setups(lives.folder) == {1: (self.whole, self.whole // 5)}


class Migrating(Deed):
    """A schema under which only every third value stays."""

    whole = COUNT

    def begin(self, lives: Lives) -> None:
        someone = lives.now.researcher
        self._dataset = someone.dataset()["id"]
        self._values = [f"https://x.example/{name}" if n % 3 == 0 else name for n, name in enumerate(NAMES)]
        content = jsonl(*({"prompt": value} for value in self._values))
        assert someone.imported(self._dataset, "a.jsonl", content)["status"] == "complete"
        schema = {**PROMPTS, "fields": {"prompt": {"type": "image_url"}}}
        changed = someone.ask("PATCH", f"/datasets/{self._dataset}", {"schema": schema}, 200)
        self._look = f"/datasets/{self._dataset}/schema-migrations/{changed['migration_job_id']}"

    def progress(self, folder: Path) -> int:
        return number_in(folder, "SELECT coalesce(sum(position), 0) FROM migration")

    def check(self, lives: Lives) -> None:
        someone = lives.now.researcher
        ended = eventually(
            lambda: someone.ask("GET", self._look, None, 200), lambda seen: seen["status"] != "processing"
        )
        failed = COUNT - COUNT // 3
        assert (ended["status"], ended["reprocessed_count"], ended["failed_count"]) == (
            "partial",
            COUNT // 3,
            failed,
        )
        kept = [value if value.startswith("https") else "" for value in self._values]
        assert someone.prompts_of(self._dataset) == kept
        assert (rows_in(lives.folder, "datapoint"), rows_in(lives.folder, "datapoint_before")) == (
            COUNT,
            failed,
        )


def _setups(folder: Path) -> dict[int, tuple[int, int]]:
    """How many tasks and groups each setup of the only batch has."""
    last = number_in(folder, "SELECT max(setup) FROM task")
    return {
        setup: (
            number_in(folder, f"SELECT count(*) FROM task WHERE setup = {setup}"),
            number_in(folder, f"SELECT count(*) FROM task_group WHERE setup = {setup}"),
        )
        for setup in range(1, last + 1)
    }
