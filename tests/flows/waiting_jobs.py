"""Jobs that never end: imports that wait for files that are not sent."""

from batchwright.client.job_monitoring.status import JobKind
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.parsing import write_schema
from batchwright.ui.program.window_controller import WindowController
from batchwright.wire.datasets import DatasetCreate
from batchwright.workflows.data.create_dataset import get_or_create_dataset


async def monitor_waiting_jobs(controller: WindowController, count: int) -> None:
    """Let the program monitor `count` imports."""
    context = await controller.session.context()
    schema = Schema(strict=False, fields={"prompt": Field(FieldType.TEXT, "Prompt")})
    request = DatasetCreate(
        name="Waiting", workspace_id=context.workspace_id, schema=dict(write_schema(schema))
    )
    dataset = await get_or_create_dataset(context, context.checkpoint("waiting"), request)
    watched = []
    for number in range(count):
        address = await context.service.datasets.upload_url(dataset.id, f"{number}.csv")
        subject = {"dataset_id": dataset.id, "import_id": str(address.import_id)}
        watched.append(await context.jobs.start(JobKind.IMPORT, subject, f"{number}.csv"))
    (await controller.session.job_watcher()).monitor(watched)
