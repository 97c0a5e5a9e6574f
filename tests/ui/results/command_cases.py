"""The operations of the Results stage, with scripted workflows."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from batchwright.client.remote_study import remote_batch
from batchwright.local.projects import Project, RemoteBinding
from batchwright.ui.results.state import ResultsState
from batchwright.ui.study import downloads
from batchwright.ui.study.downloads import DownloadContext, DownloadKind, DownloadOperation
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.notices import Notice, NoticeManager, NoticeSeverity
from batchwright.workflows.answers.download_verified import VerifiedDownload
from tests.ui.core.operation_fixtures import Command, Fixture, ScriptedWork
from tests.ui.window_fixtures import FakeFileDialogs

PATH = Path("answers.zip")


def download(workflow: str, kind: DownloadKind) -> Callable[[Fixture, pytest.MonkeyPatch], Command]:
    """The case of one kind of file, which the workflow of this name downloads."""

    def case(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
        study, notices = Study(), list[Notice]()
        study.open(Project("Cats", remotes={"Lab": RemoteBinding("w1", batch_id="b")}), None)
        state = ResultsState(study, at.session, at.tasks, at.tasks)
        context = DownloadContext(
            state.operations,
            cast("NoticeManager", SimpleNamespace(show_notice=notices.append)),
            FakeFileDialogs(),
            SaveLocationMemory(study),
        )
        work = ScriptedWork(VerifiedDownload(PATH, 0))
        monkeypatch.setattr(downloads, workflow, work)
        operation = DownloadOperation(
            "download", "Download", shows_error=True, kind=kind, path=PATH, of=remote_batch("b")
        )
        return Command(
            state.operations,
            work,
            lambda: downloads.start_download(context, operation),
            lambda: [notice.severity for notice in notices] == [NoticeSeverity.SUCCESS],
            lambda: study.open(Project("Dogs"), None),
            shows_error=True,
            belongs_to_window=True,
        )

    case.__name__ = f"download_{kind.name.lower()}"
    return case


RESULTS_COMMANDS = (
    download("download_verified_report", DownloadKind.REPORT),
    download("download_safe_report", DownloadKind.SAFE_REPORT),
    download("download_verified_export", DownloadKind.EXPORT),
    download("download_verified_answers", DownloadKind.ANSWERS),
)
"""Each makes a command, given the session and a monkeypatch."""
