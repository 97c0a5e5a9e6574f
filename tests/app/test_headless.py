"""The workflow context of commands without a window: what it monitors ends with it."""

import asyncio
from dataclasses import replace
from pathlib import Path

from batchwright.app.headless import headless_context
from batchwright.client.job_monitoring.status import JobKind
from batchwright.service.process import ServiceAddress
from tests.api.files.test_transfers import UNUSED_SERVICE_URL


async def test_polling_ends_when_the_context_is_closed(running: ServiceAddress, tmp_path: Path) -> None:
    """A monitor that continued would connect with a closed client and leave its connection open."""

    nowhere = replace(running, url=UNUSED_SERVICE_URL)
    async with headless_context(nowhere, tmp_path, lambda _sentence: None) as context:
        await context.jobs.monitor_unless_open(
            JobKind.IMPORT, {"dataset_id": "d", "import_id": "i"}, "data.csv"
        )
        assert len(asyncio.all_tasks()) > 1
    assert asyncio.all_tasks() == {asyncio.current_task()}
