"""Records appended request by request, while a batch syncs automatically."""

from contextlib import suppress
from functools import partial
from pathlib import Path

import httpx

from tests.service.api_helpers import QUESTION, eventually, jsonl, page
from tests.service.kill_helpers import ServiceRuns, rows_in
from tests.service.killed_jobs.operations import Operation, in_thread


class Appending(Operation):
    """Append requests, each repeated until it gets a response."""

    _before, _requests, _each = 10, 20, 400
    total = _requests * _each

    def start(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        self._dataset = researcher.filled_dataset(self._before)
        created = researcher.batch(
            dataset_id=self._dataset, batch_items=[page(QUESTION)], auto_sync_enabled=True
        )
        self._batch = created["id"]
        researcher.set_up(self._batch, tasks_per_group=5)
        self._sending = in_thread(partial(self._send, runs))

    def _send(self, runs: ServiceRuns) -> None:
        for number in range(self._requests):
            while not self._is_answered(runs, number):
                continue

    def _is_answered(self, runs: ServiceRuns, number: int) -> bool:
        running = runs.now.running
        headers = {"Authorization": f"Token {running.token}", "Content-Type": "application/x-ndjson"}
        address = f"{running.url}/api/v1/data-collection/datasets/{self._dataset}/datapoints"
        with suppress(httpx.TransportError):
            content = jsonl(*({"prompt": prompt} for prompt in self._prompts(number)))
            response = httpx.post(address, content=content, headers=headers, timeout=60, trust_env=False)
            assert (response.status_code, response.json()["accepted"]) == (200, self._each)
            return True
        return False

    def _prompts(self, number: int) -> list[str]:
        return [f"request {number}, record {record}" for record in range(self._each)]

    def progress(self, folder: Path) -> int:
        return rows_in(folder, "datapoint") - self._before

    def has_ended(self, folder: Path) -> bool:
        return self._sending.done() and super().has_ended(folder)

    def check(self, runs: ServiceRuns) -> None:
        self._sending.result(60)
        researcher = runs.now.researcher
        first = [f"p{number}" for number in range(self._before)]
        appended = [prompt for number in range(self._requests) for prompt in self._prompts(number)]
        assert researcher.prompts_of(self._dataset) == first + appended
        eventually(lambda: rows_in(runs.folder, "job"), lambda count: not count)
        assert researcher.get_batch(self._batch)["total_task_count"] == len(first + appended)
        assert rows_in(runs.folder, "task") == len(first + appended)
