"""Preview and participant page show one page with one record at a time."""

from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from batchwright.api.participant_client import OpenPage, ParticipantClient, SubmissionFinished
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchSetup
from batchwright.wire.local_routes import simulated_participant
from tests.api.requests import retries
from tests.api.studies import client_of, poll_until_settled
from tests.samples.each_type import FIELD, WHY
from tests.ui.editor.preview.test_preview import PreviewHarness, page
from tests.workflows.factories import unready_batch

pytestmark = pytest.mark.gui

ASKED = ("What is it?", "How is it?", "Why is it so?")
PAGES: list[Any] = [page(FIELD, {**WHY, "description": question}) for question in ASKED]
RECORDS = ({"prompt": "The first record"}, {"prompt": "The second record"})


@pytest.mark.spec("L-02", "L-09")
def test_the_preview_shows_one_page_with_one_record_at_a_time(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, *PAGES)
    harness.records.set_records(RECORDS)
    values = [record["prompt"] for record in RECORDS]
    for value in values:
        for shown, question in zip(harness.study.layout.pages, ASKED, strict=True):
            harness.preview.show_page(shown.key)
            texts = harness.texts()
            assert [entry for entry in ASKED if entry in texts] == [question]
            assert [value for value in values if value in texts] == [value]
        harness.records.step(1)


@pytest.mark.spec("L-02")
async def test_the_preview_has_the_page_order_of_participants(
    running: ServiceAddress, tmp_path: Path
) -> None:
    data = tmp_path / "prompts.csv"
    data.write_text("prompt\n" + "".join(f"{record['prompt']}\n" for record in RECORDS), encoding="utf-8")

    async with client_of(running) as service:
        batch = await unready_batch(service, running.workspace_id, data, PAGES)
        await service.batches.set_up(batch.id, BatchSetup(tasks_per_group=2))
        await poll_until_settled(lambda: service.batches.status(batch.id))
        link, browser_pages = (await service.local.participation(batch.id)).url, list[OpenPage]()
        async with ParticipantClient(retries()) as person:
            shown: Any = await person.start(link, simulated_participant(7, 0))
            while isinstance(shown, OpenPage):
                browser_pages.append(shown)
                shown = await person.answer(shown, [("i0", "Because")])
            assert isinstance(shown, SubmissionFinished)
    assert [(entry.step, entry.steps, entry.page) for entry in browser_pages] == [
        (n, 6, n % 3) for n in range(6)
    ]
    assert [[requests["description"] for requests in entry.instructions] for entry in browser_pages] == [
        [question] for question in ASKED * 2
    ]
    assert [entry.record == browser_pages[0].record for entry in browser_pages] == [True] * 3 + [False] * 3
