"""An export is created once: a banner shows its age, and all answers can be downloaded instead."""

import json
from pathlib import Path

import pytest

from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.run.commands import start_simulation
from batchwright.ui.run.state import RunState
from batchwright.ui.study.download_banners import StaleExportBanner
from batchwright.ui.study.downloads import DownloadKind
from batchwright.ui.widgets.notices import NoticeSeverity
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.ui.results.conftest import settled
from tests.ui.results.test_downloads import card, fetch
from tests.ui.window_fixtures import FakeFileDialogs, press

pytestmark = pytest.mark.gui


async def add_answers(stage: ResultsStage) -> None:
    """Let another participant answer every task."""
    tasks, state = stage.context.window.tasks, stage.state
    run = RunState(state.study, state.session, tasks)
    await run.remote_list.fetch_now()
    start_simulation(run, SimulationOptions(1, 2, seed=9))
    await settled(tasks)


def banner_text(stage: ResultsStage) -> StaleExportBanner:
    """The banner about an older export."""
    return stage.findChildren(StaleExportBanner)[0]


async def test_an_outdated_export_shows_its_age_and_offers_all_answers(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    files.path = tmp_path / "cats.zip"
    await fetch(stage, DownloadKind.EXPORT)
    assert card(stage).notice.severity is NoticeSeverity.SUCCESS, card(stage).notice.text
    assert not banner_text(stage).isVisible()
    await add_answers(stage)
    await fetch(stage, DownloadKind.EXPORT)
    assert card(stage).notice.severity is NoticeSeverity.WARNING
    assert "cats.zip: 6 answers, verified. This export ends at " in card(stage).notice.text
    assert "6 newer answers are missing" in card(stage).notice.text
    assert banner_text(stage).isVisible()
    files.path = tmp_path / "cats.json"
    press(banner_text(stage), "Save all answers")
    await settled(stage.context.window.tasks)
    assert card(stage).notice.text == "cats.json: 12 answers"
    assert not banner_text(stage).isVisible()
    answers = json.loads((tmp_path / "cats.json").read_text(encoding="utf-8"))
    assert len({answer["id"] for answer in answers}) == 12
