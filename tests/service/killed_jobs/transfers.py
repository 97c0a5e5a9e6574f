"""Transfers of large files: uploads to a dataset, and archives being written."""

import random
from contextlib import suppress
from functools import partial
from http.client import HTTPException
from pathlib import Path

from tests.service.api_helpers import JsonDict, jsonl
from tests.service.kill_helpers import ServiceRuns, rows_in
from tests.service.killed_jobs.operations import Operation, in_thread, link_to, study, unfinished
from tests.service.participate.study_store import Participant

LARGE = random.Random(0).randbytes(24 * 1024 * 1024)
"""An incompressible file that takes a while to copy."""


class Exporting(Operation):
    """The archive of a batch or collection with a large file is written."""

    total = len(LARGE)

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def start(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        created = study(researcher, self._kind, 10_000)
        self._study = f"/{self._kind}/{created['id']}"
        with Participant(link_to(researcher, self._kind, created) + f"&participant={1:024x}") as person:
            files = [("i1", ("large.png", LARGE, "image/png"))]
            person.send(person.start(), {"i0": "Because"}, files)
        export = researcher.request("POST", f"{self._study}/export", None, 202)["export_id"]
        self._export = f"{self._study}/export/{export}"

    def progress(self, folder: Path) -> int:
        return unfinished(folder)

    def check(self, runs: ServiceRuns) -> None:
        with runs.now.researcher.archive(self._export) as archive:
            assert archive.testzip() is None
            assert [archive.read(name) for name in archive.namelist() if "files/" in name] == [LARGE]
        assert rows_in(runs.folder, "export") == 1


class Uploading(Operation):
    """A file is uploaded, repeatedly until the upload gets a response."""

    total = len(LARGE)
    _records = 48

    def start(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        self._dataset = researcher.dataset()["id"]
        upload = researcher.upload_url(self._dataset, "a.jsonl")
        self._import, address = upload["import_id"], upload["upload_url"].removeprefix(runs.now.running.url)
        letters = LARGE.hex()[: len(LARGE)]
        size = len(letters) // self._records
        self._values = [letters[n * size : (n + 1) * size] for n in range(self._records)]
        content = jsonl(*({"prompt": value} for value in self._values))
        self._sending = in_thread(partial(self._send, runs, {**upload, "upload_url": address}, content))

    def _send(self, runs: ServiceRuns, upload: JsonDict, content: bytes) -> None:
        while True:
            run = runs.now
            with suppress(OSError, HTTPException):
                run.researcher.put({**upload, "upload_url": run.running.url + upload["upload_url"]}, content)
                return

    def progress(self, folder: Path) -> int:
        return unfinished(folder)

    def has_ended(self, folder: Path) -> bool:
        return self._sending.done() and super().has_ended(folder)

    def check(self, runs: ServiceRuns) -> None:
        self._sending.result(60)
        researcher = runs.now.researcher
        job = researcher.settled(self._dataset, self._import)
        assert (job["status"], job["accepted_count"]) == ("complete", self._records)
        assert researcher.prompts_of(self._dataset) == self._values
        assert rows_in(runs.folder, "datapoint") == self._records
