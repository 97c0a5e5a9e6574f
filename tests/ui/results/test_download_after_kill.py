"""A download continues after the service on this computer was killed."""

from pathlib import Path

import pytest

from batchwright.api.resources.exports import Exports
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.results.commands import download
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.study.downloads import DownloadKind
from batchwright.ui.widgets.notices import NoticeSeverity
from batchwright.wire.exports import ExportJob
from tests.ui.conftest import until
from tests.ui.results.conftest import settled
from tests.ui.separate_service import SeparateService

pytestmark = pytest.mark.gui


@pytest.fixture
def session(service: SeparateService) -> ConnectionSession:
    return service.session


async def test_a_download_continues_after_the_service_was_killed(
    stage: ResultsStage, service: SeparateService, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, tasks = Exports.start, stage.context.window.tasks

    async def start_and_die(self: Exports, batch_id: str) -> ExportJob:
        job = await real(self, batch_id)
        if service.starts == 1:
            service.kill()
        return job

    monkeypatch.setattr(Exports, "start", start_and_die)
    tasks.start("download", lambda: download(stage.context, DownloadKind.EXPORT))
    await until(lambda: place.exists(), 30)
    await settled(tasks)
    notice = stage.context.window.notices.cards[-1].notice
    assert notice.severity is NoticeSeverity.SUCCESS, notice.text
    assert service.starts == 2
