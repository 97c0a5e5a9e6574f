"""The sections of Results, with answers at a real service."""

import pytest

from batchwright.ui.results.participants_page import ParticipantsPage
from batchwright.ui.results.sections import Section
from batchwright.ui.results.stage import ResultsStage
from tests.ui.conftest import until
from tests.ui.results.test_stage import RunSteps, files, run_steps, settled

__all__ = ["files", "run_steps"]
pytestmark = pytest.mark.gui


async def shown(stage: ResultsStage, section: Section) -> None:
    """Show a section, and wait until its results are."""
    stage.show_section(section)
    await settled(stage._context.window.tasks)
    await until(lambda: stage.analysis.is_current)


def test_participants_are_described(run_steps: RunSteps) -> None:
    async def steps(stage: ResultsStage) -> None:
        await shown(stage, Section.PARTICIPANTS)
        page = stage.sections.currentWidget()
        assert isinstance(page, ParticipantsPage)
        table = page.people.table.model()
        assert [table.index(row, 1).data() for row in range(table.rowCount())] == ["6", "6"]

    run_steps(steps, 2)
