"""An unchanged study is up to date with its batch, whichever process opens it again."""

from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.base.resources import resource
from batchwright.client.batch_content import desired_batch
from batchwright.client.context import WorkflowContext
from batchwright.client.published_content import ContentComparison
from batchwright.client.resource_content import compare, content_of
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.item_types.registry import RichText
from batchwright.local.projects import Project, RemoteBinding, project_content
from batchwright.local.study_files.project_parser import read_project
from batchwright.service.process import ServiceAddress
from batchwright.ui.study.templates import TEMPLATES, Template, study_from_template
from batchwright.wire.batches import Batch, BatchUpdate
from batchwright.workflows.data.upload_dataset import upload_dataset
from batchwright.workflows.publishing.publish_batch import create_or_update_batch
from batchwright.workflows.publishing.set_up import set_up
from batchwright.workflows.rehearsal.simulate import SimulatedParticipants
from tests.workflows.contexts import context_at

CONNECTION = "here"
SAMPLE = TEMPLATES[0]


class Computer:
    """A computer with a study file; each operation uses new objects, as another process would."""

    def __init__(self, running: ServiceAddress, folder: Path) -> None:
        self.running, self.folder = running, folder

    def context(self) -> AbstractAsyncContextManager[WorkflowContext]:
        """A new context of workflows."""
        running = self.running
        return context_at(self.folder, running.url, token=running.token, workspace=running.workspace_id)

    def save(self, project: Project) -> None:
        (self.folder / "study.batchwright").write_bytes(project_content(project))

    def open(self) -> Project:
        return read_project((self.folder / "study.batchwright").read_bytes())

    async def create_study(self, template: Template) -> None:
        """Create a study from a template, and upload its data."""
        project = await study_from_template(template)
        assert project.schema is not None
        assert project.data is not None
        async with self.context() as context:
            upload = await upload_dataset(
                context, context.checkpoint("data"), project.name, project.schema, project.data.path
            )
        remote = RemoteBinding(context.workspace_id, upload.dataset.id, upload.job.import_id)
        self.save(replace(project, remotes={CONNECTION: remote}))

    async def publish(self) -> Project:
        """Create the batch of the saved study; the study with its new binding."""
        project = self.open()
        remote = project.remotes[CONNECTION]
        async with self.context() as context:
            created = await create_or_update_batch(
                context, desired_batch(project, remote.dataset_id or "", remote.ids), None
            )
        published = replace(
            remote, batch_id=created.resource.id, ids=created.ids, last_sent=created.last_sent
        )
        return replace(project, remotes={CONNECTION: published})

    async def answer(self) -> None:
        """Set up the batch, and have a simulated participant answer."""
        batch_id = self.open().remotes[CONNECTION].batch_id or ""
        async with self.context() as context:
            await set_up(context, batch_id, "Study", 2)
            link = (await context.service.local.participation(batch_id)).url
            assert [number async for number in SimulatedParticipants(link, 1, 1).run()]

    async def batch(self) -> Batch:
        batch_id = self.open().remotes[CONNECTION].batch_id or ""
        async with self.context() as context:
            return await context.service.batches.get(batch_id)

    async def batches(self) -> list[str]:
        """The ids of the batches of the study's dataset."""
        dataset_id = self.open().remotes[CONNECTION].dataset_id
        async with self.context() as context:
            listed = (await context.service.batches.list(context.workspace_id)).results
        return [batch.id for batch in listed if [item.id for item in batch.datasets] == [dataset_id]]

    async def comparison(self) -> ContentComparison:
        project = self.open()
        remote = project.remotes[CONNECTION]
        return compare(await self.batch(), desired_batch(project, remote.dataset_id or ""), remote.last_sent)


@pytest.fixture
def computer(running: ServiceAddress, tmp_path: Path) -> Computer:
    return Computer(running, tmp_path)


async def rewrite_html(computer: Computer) -> None:
    """Make the service store different HTML for the same Markdown, as a hosted one may."""
    batch = await computer.batch()

    def wrapped(value: object) -> object:
        if isinstance(value, dict):
            return {
                key: f"<div>{inner}</div>" if key == "content" else wrapped(inner)
                for key, inner in value.items()
            }
        return [wrapped(inner) for inner in value] if isinstance(value, list) else value

    changed = BatchUpdate.model_validate({"batch_items": wrapped(batch.batch_items)})
    async with computer.context() as context:
        await context.service.batches.update(batch.id, changed)


BATCH_TEMPLATES = [
    template for template in TEMPLATES if (resource(*template.folder) / "layout.json").is_file()
]


@pytest.mark.parametrize("template", BATCH_TEMPLATES, ids=lambda template: template.folder[-1])
async def test_a_study_from_any_template_is_up_to_date_when_it_is_reopened(
    template: Template, computer: Computer
) -> None:
    await computer.create_study(template)
    not_saved = await computer.publish()
    published = await computer.publish()
    assert published.remotes[CONNECTION].batch_id == not_saved.remotes[CONNECTION].batch_id
    computer.save(published)
    await computer.answer()
    assert await computer.comparison() is ContentComparison.UP_TO_DATE
    assert len(await computer.batches()) == 1
    older_file = replace(published.remotes[CONNECTION], last_sent=None)
    computer.save(replace(published, remotes={CONNECTION: older_file}))
    assert await computer.comparison() is ContentComparison.UP_TO_DATE


async def test_a_study_is_up_to_date_although_the_service_renders_markdown_differently(
    computer: Computer,
) -> None:
    await computer.create_study(SAMPLE)
    published = await computer.publish()
    computer.save(published)
    await rewrite_html(computer)
    returned = content_of(await computer.batch()).digest
    remote = published.remotes[CONNECTION]
    assert remote.last_sent is not None
    last_sent = replace(remote.last_sent, returned=returned)
    computer.save(replace(published, remotes={CONNECTION: replace(remote, last_sent=last_sent)}))
    assert await computer.comparison() is ContentComparison.UP_TO_DATE
    project = computer.open()
    text = next(node for node in project.layout.walk_all() if isinstance(node, RichText))
    changed = SetAttributes(text.key, {"content": "Something else"})(project.layout)
    computer.save(replace(project, layout=changed))
    assert await computer.comparison() is ContentComparison.STUDY_CHANGED


async def test_a_change_by_someone_else_is_distinguished_from_a_change_of_the_study(
    computer: Computer,
) -> None:
    await computer.create_study(SAMPLE)
    computer.save(await computer.publish())
    await rewrite_html(computer)
    assert await computer.comparison() is ContentComparison.REMOTE_CHANGED
