"""Operations of the worker: imports, setups, syncs, schema migrations."""

from pathlib import Path

from tests.service import v3_helpers
from tests.service.api_helpers import PROMPTS, QUESTION, eventually, jsonl, page
from tests.service.kill_helpers import ServiceRuns, number_in, progress_of_imports, rows_in
from tests.service.killed_jobs.operations import Operation

COUNT = 21_000
"""Number of records; the worker needs several transactions for them."""

NAMES = [f"p{number}" for number in range(COUNT)]
CSV = b"prompt,META_TASK_GROUP_ID\n" + b"".join(b"p%d,g%d\n" % (n, n % 7) for n in range(COUNT))
JSONL = jsonl(*({"prompt": name} for name in NAMES))


class Importing(Operation):
    """A file of a V4 dataset is imported; its last line is not a valid record."""

    total = COUNT

    def __init__(self, filename: str, content: bytes) -> None:
        self._filename, self._content = filename, content

    def start(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        self._dataset = researcher.dataset()["id"]
        self._import = researcher.upload(self._dataset, self._filename, self._content)

    def progress(self, folder: Path) -> int:
        return progress_of_imports(folder)

    def check(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        job = researcher.settled(self._dataset, self._import)
        assert (job["status"], job["accepted_count"], job["rejected_count"]) == ("partial", COUNT, 1)
        assert [error["record_index"] for error in job["errors"]] == [COUNT]
        assert researcher.prompts_of(self._dataset) == NAMES
        assert rows_in(runs.folder, "datapoint") == COUNT


class ImportingV3(Operation):
    """A file of a V3 dataset is imported."""

    total = COUNT

    def __init__(self, filename: str, content: bytes) -> None:
        self._filename, self._content = filename, content

    def start(self, runs: ServiceRuns) -> None:
        self._dataset = v3_helpers.v3_dataset(runs.now.researcher)
        v3_helpers.send(runs.now.researcher, self._dataset, self._content, self._filename)

    def progress(self, folder: Path) -> int:
        return progress_of_imports(folder)

    def check(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        assert v3_helpers.settled(researcher, self._dataset) == {"status": "READY"}
        assert v3_helpers.record_of(researcher, self._dataset)["total_datapoint_count"] == COUNT
        assert [row["prompt"] for row in v3_helpers.datapoints(researcher, self._dataset)] == NAMES
        assert (rows_in(runs.folder, "datapoint"), rows_in(runs.folder, "dataset_schema")) == (COUNT, 1)


class ReadingFaulty(Operation):
    """A V3 file turns out to be invalid at its end; the previous data remain."""

    total = COUNT

    def start(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        self._dataset = v3_helpers.filled(researcher, b"prompt\nfirst\n")
        v3_helpers.send(researcher, self._dataset, CSV + b"too,many,cells\n", "second.csv")

    def progress(self, folder: Path) -> int:
        return progress_of_imports(folder)

    def check(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        status = v3_helpers.settled(researcher, self._dataset)
        assert (status["status"], f"Line {COUNT + 2}" in status["reason"]) == ("ERROR", True)
        assert v3_helpers.datapoints(researcher, self._dataset) == [{"prompt": "first"}]
        assert rows_in(runs.folder, "datapoint") == 1


class SettingUp(Operation):
    """The tasks of a batch are created a second time."""

    total = 2 * COUNT

    def start(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        self._batch = researcher.batch(
            dataset_id=researcher.filled_dataset(COUNT), batch_items=[page(QUESTION)]
        )["id"]
        researcher.set_up(self._batch, tasks_per_group=100)
        researcher.request("POST", f"/batches/{self._batch}/setup", {"tasks_per_group": 4}, 202)

    def progress(self, folder: Path) -> int:
        return rows_in(folder, "task")

    def check(self, runs: ServiceRuns) -> None:
        ready = runs.now.researcher.ready(self._batch)
        assert (ready["total_task_count"], ready["total_task_groups"]) == (COUNT, COUNT // 4)
        assert _setups(runs.folder) == {1: (COUNT, COUNT // 100), 2: (COUNT, COUNT // 4)}


class SettingUpTwice(Operation):
    """While the tasks of a batch are created, another setup with another dataset is accepted."""

    total = COUNT

    def start(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        first = researcher.filled_dataset(COUNT // 2)
        self._last = researcher.filled_dataset(COUNT)
        self._batch = researcher.batch(dataset_id=first, batch_items=[page(QUESTION)])["id"]
        setup = f"/batches/{self._batch}/setup"
        researcher.request("POST", setup, {"tasks_per_group": 100}, 202)
        eventually(lambda: rows_in(runs.folder, "task"), bool)
        researcher.request("POST", setup, {"tasks_per_group": 4, "dataset_id": self._last}, 202)

    def progress(self, folder: Path) -> int:
        return rows_in(folder, "task")

    def check(self, runs: ServiceRuns) -> None:
        ready = runs.now.researcher.ready(self._batch)
        assert ready["datasets"][0]["id"] == self._last
        assert (ready["total_task_count"], ready["tasks_per_group"]) == (COUNT, 4)
        last = max(_setups(runs.folder))
        assert _setups(runs.folder)[last] == (COUNT, COUNT // 4)
        query = f"SELECT count(DISTINCT dataset) FROM task WHERE setup = {last}"
        assert number_in(runs.folder, query) == 1


class Syncing(Operation):
    """A batch gets tasks for records that were added after its setup."""

    total = COUNT + 10

    def start(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        dataset = researcher.filled_dataset(10)
        self._batch = researcher.batch(dataset_id=dataset, batch_items=[page(QUESTION)])["id"]
        researcher.set_up(self._batch, tasks_per_group=5)
        assert researcher.imported(dataset, "more.jsonl", JSONL)["status"] == "complete"
        self._sync = researcher.request("POST", f"/batches/{self._batch}/sync", None, 202)["sync_id"]

    def progress(self, folder: Path) -> int:
        return rows_in(folder, "task")

    def check(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        ended = researcher.sync_ended(self._batch, self._sync)
        assert (ended["status"], ended["tasks_created"], ended["groups_created"]) == (
            "complete",
            COUNT,
            COUNT // 5,
        )
        assert researcher.get_batch(self._batch)["total_task_count"] == self.total
        assert _setups(runs.folder) == {1: (self.total, self.total // 5)}


class Migrating(Operation):
    """A schema update after which only every third value is valid."""

    total = COUNT

    def start(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        self._dataset = researcher.dataset()["id"]
        self._values = [f"https://x.example/{name}" if n % 3 == 0 else name for n, name in enumerate(NAMES)]
        content = jsonl(*({"prompt": value} for value in self._values))
        assert researcher.imported(self._dataset, "a.jsonl", content)["status"] == "complete"
        schema = {**PROMPTS, "fields": {"prompt": {"type": "image_url"}}}
        changed = researcher.request("PATCH", f"/datasets/{self._dataset}", {"schema": schema}, 200)
        self._job_path = f"/datasets/{self._dataset}/schema-migrations/{changed['migration_job_id']}"

    def progress(self, folder: Path) -> int:
        return number_in(folder, "SELECT coalesce(sum(position), 0) FROM migration")

    def check(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        ended = eventually(
            lambda: researcher.request("GET", self._job_path, None, 200),
            lambda job: job["status"] != "processing",
        )
        failed = COUNT - COUNT // 3
        assert (ended["status"], ended["reprocessed_count"], ended["failed_count"]) == (
            "partial",
            COUNT // 3,
            failed,
        )
        expected = [value if value.startswith("https") else "" for value in self._values]
        assert researcher.prompts_of(self._dataset) == expected
        assert (rows_in(runs.folder, "datapoint"), rows_in(runs.folder, "datapoint_before")) == (
            COUNT,
            failed,
        )


def _setups(folder: Path) -> dict[int, tuple[int, int]]:
    """The number of tasks and groups of each setup of the only batch."""
    last = number_in(folder, "SELECT max(setup) FROM task")
    return {
        setup: (
            number_in(folder, f"SELECT count(*) FROM task WHERE setup = {setup}"),
            number_in(folder, f"SELECT count(*) FROM task_group WHERE setup = {setup}"),
        )
        for setup in range(1, last + 1)
    }
