"""Home: the first run, every later one, and the templates."""

import asyncio
import csv
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.recents import Recent, Recents
from batchwright.records.checking import Fault, RecordChecker
from batchwright.ui.home.recent_list import RecentTable
from batchwright.ui.home.stage import HomeStage, build_home
from batchwright.ui.home.templates import TEMPLATES, Template, study_of
from batchwright.ui.home.view_model import HomeViewModel
from batchwright.ui.home.welcome import WelcomePanel
from batchwright.ui.shell.stages import Stage
from tests.ui.desks import Standing, on_desk, press

pytestmark = pytest.mark.gui

Loop = asyncio.AbstractEventLoop
NOW = datetime(2026, 11, 20, 14, 0, tzinfo=UTC).astimezone()


def home(at: Standing) -> HomeStage:
    frame = at.window.frame_with(at.tasks)
    stage = Stage("home", "Home", "house", lambda frame: build_home(frame, at.desk))
    at.window._stack._stages["home"] = stage
    at.window.open_with(frame)
    at.model.set_stage("home")
    (found,) = at.window.findChildren(HomeStage)
    return found


def test_the_first_run_leads_to_the_sample_study(loop: Loop, tmp_path: Path) -> None:
    async def steps(at: Standing) -> None:
        stage = home(at)
        assert stage.findChildren(WelcomePanel)[0].isVisible()
        press(at.window, "Try the sample study")
        await at.settled()
        assert at.desk.study.is_open

    on_desk(loop, tmp_path, steps)


def test_a_template_is_chosen_by_its_card(loop: Loop, tmp_path: Path) -> None:
    async def steps(at: Standing) -> None:
        home(at)
        press(at.window, "Single rating")
        await at.settled()
        assert at.desk.study.project.name == "Single rating"

    on_desk(loop, tmp_path, steps)


def test_recent_studies_open_by_keys_and_leave_the_list(loop: Loop, tmp_path: Path) -> None:
    async def steps(at: Standing) -> None:
        at.desk.try_sample()
        await at.settled()
        at.dialogs.path = tmp_path / "mine.batchwright"
        at.desk.save()
        await at.settled()
        at.desk.close()
        await at.settled()
        stage = home(at)
        (table,) = stage.findChildren(RecentTable)
        assert table.isVisible()
        table.selectRow(0)
        QTest.keyClick(table, Qt.Key.Key_Return)
        await at.settled()
        assert at.desk.study.path == at.dialogs.path
        at.model.set_stage("home")
        table.selectRow(0)
        QTest.keyClick(table, Qt.Key.Key_Delete)
        await at.settled()
        assert not table.isVisible()

    on_desk(loop, tmp_path, steps)


def test_a_recent_study_is_told_in_words() -> None:
    recents = (
        Recent(Path.home() / "studies" / "a.batchwright", "A", NOW, errors=2),
        Recent(Path("/data/b.batchwright"), "B", NOW - timedelta(days=1), batch_at="Lab"),
        Recent(Path("/data/c.batchwright"), "C", NOW - timedelta(days=16)),
    )
    model = HomeViewModel(lambda: NOW)
    model.show(recents, (THIS_COMPUTER,))
    assert [line.folder for line in model.lines] == ["~/studies", str(Path("/data")), str(Path("/data"))]
    assert [line.stands for line in model.lines] == ["Layout has 2 errors", "Batch on Lab", "No problems"]
    assert [line.is_draft for line in model.lines] == [True, False, True]
    assert model.lines[0].opened.startswith("Today, ")
    assert [line.opened for line in model.lines[1:]] == ["Yesterday", "4 Nov"]
    assert model.sentence.endswith("2 studies are drafts.")


def test_studies_whose_files_are_gone_are_not_listed(tmp_path: Path) -> None:
    here, gone = tmp_path / "here.batchwright", tmp_path / "gone.batchwright"
    here.touch()
    recents = Recents(tmp_path)
    for path in (gone, here):
        recents.keep(Recent(path, path.stem, NOW))
    assert [recent.path for recent in recents.all()] == [here]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_a_template_is_sound(template: Template) -> None:
    from batchwright.layout.checking import LayoutChecker

    project = asyncio.run(study_of(template))
    assert project.schema is not None
    assert project.data is not None
    assert LayoutChecker(project.schema).check(project.layout) == []
    with project.data.path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    check = RecordChecker(project.schema).cells(header)
    assert len(rows) >= 6
    assert not any(isinstance(check(row), Fault) for row in rows)
