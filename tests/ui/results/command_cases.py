"""The operations of the Results stage, with the workflow of each replaced by one that the tests script."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from batchwright.local.projects import Project, RemoteBinding
from batchwright.ui.results import commands
from batchwright.ui.results.commands import ResultsContext
from batchwright.ui.results.downloads import DownloadKind, DownloadOperation
from batchwright.ui.results.state import ResultsState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.notices import Toast, ToastSeverity
from batchwright.workflows.download_verified import VerifiedDownload
from tests.ui.core.operation_fixtures import Command, Fixture, ScriptedWork
from tests.ui.window_fixtures import AnswersForFiles

PATH = Path("answers.zip")


def download(workflow: str, kind: DownloadKind) -> Callable[[Fixture, pytest.MonkeyPatch], Command]:
    """The case of one kind of file, which is downloaded by the workflow of this name."""

    def case(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
        study, toasts = Study(), list[Toast]()
        study.open(Project("Cats", remotes={"Lab": RemoteBinding("w1", batch_id="b")}), None)
        state = ResultsState(study, at.session, at.tasks)
        window = SimpleNamespace(toasts=SimpleNamespace(show_toast=toasts.append))
        context = ResultsContext(
            cast("StageContext", window), state, AnswersForFiles(), SaveLocationMemory(study)
        )
        work = ScriptedWork(VerifiedDownload(PATH, 0))
        monkeypatch.setattr(commands, workflow, work)
        operation = DownloadOperation(
            "download", "Download", shows_error=True, kind=kind, path=PATH, batch_id="b"
        )
        return Command(
            state.operations,
            work,
            lambda: commands.start_download(context, operation),
            lambda: [toast.severity for toast in toasts] == [ToastSeverity.SUCCESS],
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
