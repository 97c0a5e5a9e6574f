"""The worker is kept alive, whatever happens to it."""

from pathlib import Path

import pytest

from batchwright.service.worker_process import WorkerProcess
from tests.service.researcher import eventually


def test_a_worker_that_cannot_be_started_again_at_once_is_tried_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    workers = WorkerProcess(tmp_path, 0.0)
    workers.start()
    first, spawn = workers._process, workers._spawn
    assert first is not None
    refusals = iter([OSError("no process to be had")])

    def reluctantly() -> None:
        for refusal in refusals:
            raise refusal
        spawn()

    monkeypatch.setattr(workers, "_spawn", reluctantly)
    first.kill()
    second = eventually(lambda: workers._process, lambda process: process is not first)
    assert second is not None
    assert second.is_alive()
    workers.stop()
    assert "no process to be had" in capfd.readouterr().err
