"""What takes a service a while, so that it can be killed meanwhile (specification, Rules)."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import TypeVar

import httpx

from tests.service import v3
from tests.service.lives import Lives, number_in, progress_of_imports, rows_in
from tests.service.participate.world import Participant
from tests.service.researcher import PROMPTS, QUESTION, Answer, Researcher, eventually, jsonl, page
from tests.service.surveys import FILE, WHY, link_of

T = TypeVar("T")

COUNT = 21_000
"""Records: several transactions of the worker's."""

NAMES = [f"p{number}" for number in range(COUNT)]
CSV = b"prompt,META_TASK_GROUP_ID\n" + b"".join(b"p%d,g%d\n" % (n, n % 7) for n in range(COUNT))
JSONL = jsonl(*({"prompt": name} for name in NAMES))
LARGE = random.Random(0).randbytes(24 * 1024 * 1024)
"""A file that takes its time to be copied; nothing packs it."""


class Deed(ABC):
    """One thing to do at a service, from its start to what must be there in the end."""

    whole: int
    """What `progress` comes to."""

    @abstractmethod
    def begin(self, lives: Lives) -> None:
        """Prepare it, then ask for it; what is asked for runs on when this returns."""

    @abstractmethod
    def progress(self, folder: Path) -> int:
        """How far it has come."""

    def has_ended(self, folder: Path) -> bool:
        """Whether there is nothing left to interrupt."""
        return not rows_in(folder, "job")

    @abstractmethod
    def check(self, lives: Lives) -> None:
        """Wait for its end; everything is there, and once."""


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
        self._dataset = v3.v3_dataset(lives.now.researcher)
        v3.send(lives.now.researcher, self._dataset, self._content, self._filename)

    def progress(self, folder: Path) -> int:
        return progress_of_imports(folder)

    def check(self, lives: Lives) -> None:
        someone = lives.now.researcher
        assert v3.settled(someone, self._dataset) == {"status": "READY"}
        assert v3.record_of(someone, self._dataset)["total_datapoint_count"] == COUNT
        assert [row["prompt"] for row in v3.datapoints(someone, self._dataset)] == NAMES
        assert (rows_in(lives.folder, "datapoint"), rows_in(lives.folder, "dataset_schema")) == (COUNT, 1)


class ReadingFaulty(Deed):
    """A V3 file turns out faulty at its end; what was there before stays."""

    whole = COUNT

    def begin(self, lives: Lives) -> None:
        someone = lives.now.researcher
        self._dataset = v3.filled(someone, b"prompt\nfirst\n")
        v3.send(someone, self._dataset, CSV + b"too,many,cells\n", "second.csv")

    def progress(self, folder: Path) -> int:
        return progress_of_imports(folder)

    def check(self, lives: Lives) -> None:
        someone = lives.now.researcher
        said = v3.settled(someone, self._dataset)
        assert (said["status"], f"Line {COUNT + 2}" in said["reason"]) == ("ERROR", True)
        assert v3.datapoints(someone, self._dataset) == [{"prompt": "first"}]
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


class Exporting(Deed):
    """The archive of a batch or collection is written, with a large file that somebody sent."""

    whole = len(LARGE)

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def begin(self, lives: Lives) -> None:
        someone = lives.now.researcher
        made = _study(someone, self._kind, 10_000, WHY, FILE)
        self._study = f"/{self._kind}/{made['id']}"
        with Participant(_link(someone, self._kind, made) + f"&participant={1:024x}") as person:
            files = [("i1", ("large.png", LARGE, "image/png"))]
            person.send(person.start(), {"i0": "Because"}, files)
        export = someone.ask("POST", f"{self._study}/export", None, 202)["export_id"]
        self._export = f"{self._study}/export/{export}"

    def progress(self, folder: Path) -> int:
        return _unfinished(folder)

    def check(self, lives: Lives) -> None:
        with lives.now.researcher.archive(self._export) as archive:
            assert archive.testzip() is None
            assert [archive.read(name) for name in archive.namelist() if "files/" in name] == [LARGE]
        assert rows_in(lives.folder, "export") == 1


class Uploading(Deed):
    """A file is sent, and sent again if no answer comes."""

    whole = len(LARGE)
    _records = 48

    def begin(self, lives: Lives) -> None:
        someone = lives.now.researcher
        self._dataset = someone.dataset()["id"]
        given = someone.upload_url(self._dataset, "a.jsonl")
        self._import, address = given["import_id"], given["upload_url"].removeprefix(lives.now.running.url)
        letters = LARGE.hex()[: len(LARGE)]
        size = len(letters) // self._records
        self._values = [letters[n * size : (n + 1) * size] for n in range(self._records)]
        content = jsonl(*({"prompt": value} for value in self._values))
        self._sending = _in_thread(partial(self._send, lives, {**given, "upload_url": address}, content))

    def _send(self, lives: Lives, given: Answer, content: bytes) -> None:
        while True:
            life = lives.now
            with suppress(OSError, HTTPException):
                life.researcher.put({**given, "upload_url": life.running.url + given["upload_url"]}, content)
                return

    def progress(self, folder: Path) -> int:
        return _unfinished(folder)

    def has_ended(self, folder: Path) -> bool:
        return self._sending.done() and super().has_ended(folder)

    def check(self, lives: Lives) -> None:
        self._sending.result(60)
        someone = lives.now.researcher
        job = someone.settled(self._dataset, self._import)
        assert (job["status"], job["accepted_count"]) == ("complete", self._records)
        assert someone.prompts_of(self._dataset) == self._values
        assert rows_in(lives.folder, "datapoint") == self._records


class Answering(Deed):
    """Several people at once answer pages with a text and a file; who gets no answer loads the page again."""

    _people, _pages = 4, 8
    whole = 2 * _people * _pages

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def begin(self, lives: Lives) -> None:
        someone = lives.now.researcher
        made = _study(someone, self._kind, self._people * self._pages, WHY, FILE, pages=self._pages)
        self._study = f"/{self._kind}/{made['id']}"
        link = _link(someone, self._kind, made).removeprefix(lives.now.running.url)
        people = [Person(link, number) for number in range(self._people)]
        self._answering = [_in_thread(partial(person.take_part, lives)) for person in people]

    def progress(self, folder: Path) -> int:
        return rows_in(folder, "response")

    def has_ended(self, folder: Path) -> bool:
        return all(one.done() for one in self._answering)

    def check(self, lives: Lives) -> None:
        submissions = [one.result(60) for one in self._answering]
        said = lives.now.researcher.ask("GET", f"{self._study}/responses?limit=1000", None, 200)["results"]
        texts = [
            (one["participant_id"], one["response"]["answer"][0]["value"])
            for one in said
            if one["response"]["type"] == "free_text"
        ]
        steps = [(number, step) for number in range(self._people) for step in range(self._pages)]
        assert sorted(texts) == sorted((_named(number), _text(number, step)) for number, step in steps)
        assert {one["submission_id"] for one in said if "submission_id" in one} <= set(submissions)
        keys = [
            one["response"]["answer"][0]["file_key"]
            for one in said
            if one["response"]["type"] == "file_upload"
        ]
        with lives.now.researcher.exported(self._study.rpartition("/")[2], self._kind) as archive:
            files = {name: archive.read(name) for name in archive.namelist() if "files/" in name}
        assert sorted(files) == sorted(f"files/{key}/photo.png" for key in keys)
        assert sorted(files.values()) == sorted(_photo(number, step) for number, step in steps)
        assert rows_in(lives.folder, "submission") == self._people


class Person:
    """One of those who answer."""

    def __init__(self, link: str, number: int) -> None:
        self._link, self._number = link, number
        self._place = ""
        self._accepted = 0

    def take_part(self, lives: Lives) -> str:
        """Go to the end; the id of the submission."""
        while True:
            with suppress(httpx.TransportError):
                self._go_on(lives.now.running.url)
                return self._place.rpartition("/")[2]

    def _go_on(self, base: str) -> None:
        with Participant(f"{base}{self._link}&participant={_named(self._number)}") as person:
            seen = person.get(base + self._place) if self._place else person.start()
            self._place = seen.answer.url.path
            while seen.state == "page":
                step = seen.data["step"]
                assert step >= self._accepted, f"{self._number} is back at {step} after {self._accepted}"
                files = [("i1", ("photo.png", _photo(self._number, step), "image/png"))]
                seen = person.send(seen, {"i0": _text(self._number, step)}, files)
                self._accepted = step + 1
            assert seen.state == "finished", seen.text


def _named(number: int) -> str:
    return f"{number:024x}"


def _text(number: int, step: int) -> str:
    return f"person {number} at step {step}"


def _photo(number: int, step: int) -> bytes:
    return _text(number, step).encode() * 10_000


def _study(someone: Researcher, kind: str, tasks: int, *items: Answer, pages: int = 1) -> Answer:
    """A batch of so many tasks in groups of `pages`, or a collection of so many pages."""
    asked = [{key: value for key, value in item.items() if key != "order"} for item in items]
    if kind == "collections":
        entries = [{"page_items": [dict(item) for item in items]} for _page in range(pages)]
        return someone.collection(collection_items=entries)
    made = someone.batch(dataset_id=someone.filled_dataset(tasks), batch_items=[page(*asked)])
    someone.set_up(made["id"], tasks_per_group=pages)
    return made


def _link(someone: Researcher, kind: str, study: Answer) -> str:
    if kind == "collections":
        return link_of(someone, study)
    return str(someone.ask("GET", f"/local/v1/batches/{study['id']}/participation", None, 200)["url"])


def _unfinished(folder: Path) -> int:
    """The size of what is being received or written."""
    sizes = [0]
    for file in (folder / "blobs" / "unfinished").iterdir():
        with suppress(FileNotFoundError):
            sizes.append(file.stat().st_size)
    return max(sizes)


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


def _in_thread(work: Callable[[], T]) -> Future[T]:
    threads = ThreadPoolExecutor(1)
    begun = threads.submit(work)
    threads.shutdown(wait=False)
    return begun


DEEDS: Mapping[str, Callable[[], Deed]] = {
    "upload": Uploading,
    "import CSV": lambda: Importing(
        "a.csv", CSV.replace(b",META_TASK_GROUP_ID", b",other") + b"one,two,three\n"
    ),
    "import JSONL": lambda: Importing("a.jsonl", JSONL + b"no json\n"),
    "import V3 CSV": lambda: ImportingV3("a.csv", CSV),
    "import V3 ZIP": lambda: ImportingV3("a.zip", v3.zipped(("a.csv", CSV))),
    "read a faulty V3 file": ReadingFaulty,
    "setup": SettingUp,
    "sync": Syncing,
    "migration": Migrating,
    "export of a batch": lambda: Exporting("batches"),
    "export of a collection": lambda: Exporting("collections"),
    "answers to a batch": lambda: Answering("batches"),
    "answers to a collection": lambda: Answering("collections"),
}
