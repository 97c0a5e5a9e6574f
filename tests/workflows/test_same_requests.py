"""A rehearsal sends the same requests as a live study, except for host, token and ids."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from batchwright.client.batch_content import DesiredBatch
from batchwright.data_files.formats import Format, FormatKind
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.nodes import NodePath
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import DataFile, Project, RemoteBinding, project_content
from batchwright.local.study_files.project_parser import read_project
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress, ServiceProcess
from batchwright.workflows.data.upload_dataset import upload_dataset
from batchwright.workflows.publishing.publish_batch import create_or_update_batch
from batchwright.workflows.publishing.set_up import set_up
from tests.api.studies import CSV, DETAILS, LAYOUT, SCHEMA, prompts_file
from tests.fakes.faulty_proxy import FaultyProxy
from tests.fakes.raw_http import RawRequest
from tests.workflows.contexts import context_at

THIS_COMPUTER, LIVE = "This computer", "Live"
IDS = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{24}\b")
SIGNED = re.compile(rb"(/storage/[^ ?]+)\?[^ ]*")


@pytest.fixture
def live(tmp_path: Path) -> Iterator[ServiceAddress]:
    """Another service, with another token and workspace."""
    with ServiceProcess(tmp_path / "live") as running:
        yield running


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A study without a binding to any service."""
    data = prompts_file(tmp_path)
    return Project(
        "Study",
        read(LAYOUT, random_keys()),
        schema=read_schema(SCHEMA),
        details=DETAILS,
        data=DataFile(data, data.stat().st_size, Format(FormatKind.CSV)),
        tasks_per_group=2,
    )


async def publish(
    project: Project, connection: str, running: ServiceAddress, folder: Path
) -> tuple[Project, list[bytes]]:
    """Send a study to a service; the study with its new binding, and the requests, with ids replaced."""

    folder.mkdir(exist_ok=True)
    with FaultyProxy(running.url) as proxy:
        async with context_at(
            folder, proxy.url, token=running.token, workspace=running.workspace_id
        ) as context:
            assert project.schema is not None
            assert project.data is not None
            upload = await upload_dataset(
                context, context.checkpoint(connection), project.name, project.schema, project.data.path
            )
            registered = project.remotes.get(connection, RemoteBinding())
            expected = DesiredBatch(
                project.name, project.details, project.layout, upload.dataset.id, registered.ids
            )
            batch_id = registered.batch_id
            replaces = await context.service.batches.get(batch_id) if batch_id else None
            created = await create_or_update_batch(context, expected, replaces)
            await set_up(
                context, created.resource.id, project.name, project.tasks_per_group, created.resource.status
            )
            remote = RemoteBinding(
                context.workspace_id,
                upload.dataset.id,
                upload.job.import_id,
                created.resource.id,
                ids=created.ids,
            )
            after = replace(project, remotes={**project.remotes, connection: remote})
        return after, list(normalized(proxy.requests, proxy.url, running))


def normalized(requests: list[RawRequest], url: str, running: ServiceAddress) -> Iterator[bytes]:
    """Each request as it was sent, with host, token, signature and ids replaced by placeholders.

    Consecutive polls of a job count as one: their number depends on the service.
    """
    numbers: dict[bytes, bytes] = {}

    def number(actual: re.Match[bytes]) -> bytes:
        return numbers.setdefault(actual[0], b"<id %d>" % len(numbers))

    for line, alike in groupby(requests, key=lambda request: request.line):
        request = next(alike)
        headers = b"\r\n".join(b"%b: %b" % header for header in request.headers)
        complete = b"\r\n".join([SIGNED.sub(rb"\1?<signed>", line), headers, b"", request.body])
        for secret, name in ((url.removeprefix("http://"), b"<host>"), (running.token, b"<token>")):
            complete = complete.replace(secret.encode(), name)
        complete = complete.replace(running.workspace_id.encode(), b"<workspace>")
        yield IDS.sub(number, complete)


def changed(project: Project) -> Project:
    """The study with another question."""
    key = project.layout.at(NodePath(0, 0, 0, 1)).key
    return replace(project, layout=SetAttributes(key, {"description": "Why not?"})(project.layout))


async def test_a_live_study_sends_the_same_requests_as_its_rehearsal(
    project: Project, running: ServiceAddress, live: ServiceAddress, tmp_path: Path
) -> None:
    rehearsed, rehearsed_requests = await publish(project, THIS_COMPUTER, running, tmp_path / "a")
    opened_again = read_project(project_content(rehearsed))
    after, live_requests = await publish(opened_again, LIVE, live, tmp_path / "b")
    assert rehearsed_requests == live_requests
    assert [request.split(b" ", 1)[0] for request in rehearsed_requests[:3]] == [b"POST", b"GET", b"PUT"]
    assert any(b"<token>" in request for request in rehearsed_requests)
    assert after.remotes.keys() == {THIS_COMPUTER, LIVE}
    assert after.remotes[THIS_COMPUTER] == rehearsed.remotes[THIS_COMPUTER]


async def test_a_study_changed_after_its_rehearsal_sends_the_requests_of_a_new_study(
    project: Project, running: ServiceAddress, live: ServiceAddress, tmp_path: Path
) -> None:
    rehearsed, _first = await publish(project, THIS_COMPUTER, running, tmp_path / "a")
    _after, live_requests = await publish(changed(rehearsed), LIVE, live, tmp_path / "b")
    _fresh, never_rehearsed = await publish(changed(project), THIS_COMPUTER, running, tmp_path / "c")
    assert live_requests == never_rehearsed


async def test_an_update_sends_the_same_requests_in_a_rehearsal_and_live(
    project: Project, running: ServiceAddress, live: ServiceAddress, tmp_path: Path
) -> None:
    rehearsed, _first = await publish(project, THIS_COMPUTER, running, tmp_path / "a")
    both, _first = await publish(rehearsed, LIVE, live, tmp_path / "b")
    (tmp_path / "prompts.csv").write_text(CSV + "Third\n", encoding="utf-8")
    _after, rehearsed_requests = await publish(changed(both), THIS_COMPUTER, running, tmp_path / "c")
    _after, live_requests = await publish(changed(both), LIVE, live, tmp_path / "d")
    assert rehearsed_requests == live_requests
    assert any(request.startswith(b"PATCH") for request in rehearsed_requests)
