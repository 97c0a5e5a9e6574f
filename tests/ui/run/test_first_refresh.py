"""During the first refresh, unknown values are not shown."""

import asyncio
from dataclasses import replace

import pytest

from batchwright.api.resources.batches import Batches
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.run.actions import ACTIONS
from batchwright.ui.run.stage import RunStage
from batchwright.ui.widgets.placeholders import LoadingState
from batchwright.ui.widgets.statuses import StatusBadge
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.wire.batches import Batch
from batchwright.wire.pagination import Listing
from tests.ui.conftest import until
from tests.ui.run.conftest import find_in_window, ready, settled

pytestmark = pytest.mark.gui


def texts(stage: RunStage) -> list[str]:
    labels = [*stage.findChildren(Label), *stage.findChildren(ElidedLabel)]
    return [label.text() for label in labels if label.isVisible()]


async def test_a_loading_batch_is_not_shown_as_an_empty_draft(
    stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, has_started, may_go_on = Batches.list, asyncio.Event(), asyncio.Event()

    async def list_slowly(self: Batches, workspace_id: str) -> Listing[Batch]:
        has_started.set()
        await may_go_on.wait()
        return await real(self, workspace_id)

    await ready(stage)
    study = stage.state.study
    project = study.project
    monkeypatch.setattr(Batches, "list", list_slowly)
    study.close()
    study.open(project, None, is_saved=False)
    for _moment in ("before it is looked for", "while it is looked for"):
        assert not find_in_window(stage, StatusBadge).isVisible()
        assert find_in_window(stage, LoadingState).isVisible()
        assert not {"0", "Draft", "not yet", "no answers yet"} & set(texts(stage))
        await asyncio.wait_for(has_started.wait(), 30)
    await until(lambda: "–" in texts(stage))
    may_go_on.set()
    await settled(stage)
    await until(find_in_window(stage, StatusBadge).isVisible)
    assert "2" in texts(stage)


async def test_a_draft_without_uploaded_data_shows_no_record_count(stage: RunStage) -> None:
    await ready(stage)
    study = stage.state.study
    project = replace(study.project, remotes={})
    study.close()
    study.open(project, None, is_saved=False)
    await settled(stage)
    await until(lambda: "records, not uploaded yet" in texts(stage))
    assert "0" not in texts(stage)


def test_the_update_command_does_not_have_the_plus_icon() -> None:
    (publish,) = [action for action in ACTIONS if action.id == ActionId.RUN_PUBLISH]
    assert publish.glyph != "plus"
