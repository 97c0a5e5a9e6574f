"""Participants who answer, and reload a page when its response is lost."""

from contextlib import suppress
from functools import partial
from pathlib import Path

import httpx

from tests.service.kill_helpers import ServiceRuns, rows_in
from tests.service.killed_jobs.operations import Operation, in_thread, link_to, study
from tests.service.participate.study_store import Participant


class Answering(Operation):
    """Several participants answer pages with a text and a file at once, and reload a page when its response
    is lost.
    """

    _people, _pages = 4, 8
    total = 2 * _people * _pages

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def start(self, runs: ServiceRuns) -> None:
        researcher = runs.now.researcher
        created = study(researcher, self._kind, self._people * self._pages, self._pages)
        self._study = f"/{self._kind}/{created['id']}"
        link = link_to(researcher, self._kind, created).removeprefix(runs.now.running.url)
        people = [RepeatingParticipant(link, number) for number in range(self._people)]
        self._answering = [in_thread(partial(participant.answer_all, runs)) for participant in people]

    def progress(self, folder: Path) -> int:
        return rows_in(folder, "response")

    def has_ended(self, folder: Path) -> bool:
        return all(future.done() for future in self._answering)

    def check(self, runs: ServiceRuns) -> None:
        for record in self._answering:
            record.result(60)
        records = runs.now.researcher.request("GET", f"{self._study}/responses?limit=1000", None, 200)[
            "results"
        ]
        texts = [
            (record["participant_id"], record["response"]["answer"][0]["value"])
            for record in records
            if record["response"]["type"] == "free_text"
        ]
        steps = [(number, step) for number in range(self._people) for step in range(self._pages)]
        assert sorted(texts) == sorted((_id_of(number), _text(number, step)) for number, step in steps)
        keys = [
            record["response"]["answer"][0]["file_key"]
            for record in records
            if record["response"]["type"] == "file_upload"
        ]
        with runs.now.researcher.exported(self._study.rpartition("/")[2], self._kind) as archive:
            files = {name: archive.read(name) for name in archive.namelist() if "files/" in name}
        assert sorted(files) == sorted(f"files/{key}/photo.png" for key in keys)
        assert sorted(files.values()) == sorted(_photo(number, step) for number, step in steps)
        assert rows_in(runs.folder, "submission") == self._people


class RepeatingParticipant:
    """A participant who reloads the page after every lost response."""

    def __init__(self, link: str, number: int) -> None:
        self._link, self._number = link, number
        self._path = ""
        self._accepted = 0

    def answer_all(self, runs: ServiceRuns) -> None:
        """Answer all pages."""
        while True:
            with suppress(httpx.TransportError):
                self._resume(runs.now.running.url)
                return

    def _resume(self, base: str) -> None:
        with Participant(f"{base}{self._link}&participant={_id_of(self._number)}") as participant:
            response = participant.get(base + self._path) if self._path else participant.start()
            self._path = response.response.url.path
            while response.state == "page":
                step = response.data["step"]
                assert step >= self._accepted, f"{self._number} is back at {step} after {self._accepted}"
                files = [("i1", ("photo.png", _photo(self._number, step), "image/png"))]
                response = participant.send(response, {"i0": _text(self._number, step)}, files)
                self._accepted = step + 1
            assert response.state == "finished", response.text


def _id_of(number: int) -> str:
    return f"{number:024x}"


def _text(number: int, step: int) -> str:
    return f"person {number} at step {step}"


def _photo(number: int, step: int) -> bytes:
    return _text(number, step).encode() * 10_000
