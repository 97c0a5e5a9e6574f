"""A rehearsal sends the same requests as a live study, except for host, token and ids."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from batchwright.client.batch_content import DesiredBatch
from batchwright.client.context import WorkflowContext
from batchwright.data_files.formats import Format, FormatKind
from batchwright.layout.edits import SetAttributes
from batchwright.layout.nodes import NodePath
from batchwright.layout.serialization import random_keys, read
from batchwright.local.project_parser import read_project
from batchwright.local.projects import DataFile, Project, RemoteBinding, project_content
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress, ServiceProcess
from batchwright.workflows.publish_batch import create_or_update_batch
from batchwright.workflows.set_up import set_up
from batchwright.workflows.upload_dataset import upload_dataset
from tests.api.studies import CSV, DETAILS, LAYOUT, SCHEMA
from tests.fakes.faulty_proxy import FaultyProxy
from tests.fakes.raw_http import RawRequest
from tests.workflows.contexts import run_with_context

HERE, LIVE = "This computer", "Live"
IDS = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{24}\b")
SIGNED = re.compile(rb"(/storage/[^ ?]+)\?[^ ]*")


@pytest.fixture
def live(tmp_path: Path) -> Iterator[ServiceAddress]:
    """Another service, with another token and workspace."""
    with ServiceProcess(tmp_path / "live") as running:
        yield running


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A study that has been nowhere yet."""
    data = tmp_path / "prompts.csv"
    data.write_text(CSV, encoding="utf-8")
    return Project(
        "Study",
        read(LAYOUT, random_keys()),
        schema=read_schema(SCHEMA),
        details=DETAILS,
        data=DataFile(data, data.stat().st_size, Format(FormatKind.CSV)),
        tasks_per_group=2,
    )


def sent(
    project: Project, connection: str, running: ServiceAddress, folder: Path
) -> tuple[Project, list[bytes]]:
    """Send a study to a service; what it knows after that, and what was sent, with ids blotted out."""

    async def work(context: WorkflowContext) -> Project:
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
        await set_up(context, created.batch.id, project.name, project.tasks_per_group, created.batch.status)
        remote = RemoteBinding(
            context.workspace_id,
            upload.dataset.id,
            upload.job.import_id,
            created.batch.id,
            ids=created.ids,
        )
        return replace(project, remotes={**project.remotes, connection: remote})

    folder.mkdir(exist_ok=True)
    with FaultyProxy(running.url) as proxy:
        after = run_with_context(folder, proxy.url, work, token=running.token, workspace=running.workspace_id)
        return after, list(blotted(proxy.requests, proxy.url, running))


def blotted(requests: list[RawRequest], url: str, running: ServiceAddress) -> Iterator[bytes]:
    """Each request as it travelled: host, token and signature blotted out, each id a number.

    Of looks at a job that follow each other one is left: their number is up to the service.
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


def test_a_rehearsed_study_is_sent_live_by_the_same_requests(
    project: Project, running: ServiceAddress, live: ServiceAddress, tmp_path: Path
) -> None:
    rehearsed, here = sent(project, HERE, running, tmp_path / "a")
    opened_again = read_project(project_content(rehearsed))
    after, there = sent(opened_again, LIVE, live, tmp_path / "b")
    assert here == there
    assert [request.split(b" ", 1)[0] for request in here[:3]] == [b"POST", b"GET", b"PUT"]
    assert any(b"<token>" in request for request in here)
    assert after.remotes.keys() == {HERE, LIVE}
    assert after.remotes[HERE] == rehearsed.remotes[HERE]


def test_a_study_changed_after_its_rehearsal_is_sent_live_as_if_it_had_never_been_rehearsed(
    project: Project, running: ServiceAddress, live: ServiceAddress, tmp_path: Path
) -> None:
    rehearsed, _first = sent(project, HERE, running, tmp_path / "a")
    _after, there = sent(changed(rehearsed), LIVE, live, tmp_path / "b")
    _fresh, never_rehearsed = sent(changed(project), HERE, running, tmp_path / "c")
    assert there == never_rehearsed


def test_an_update_is_the_same_request_in_a_rehearsal_and_live(
    project: Project, running: ServiceAddress, live: ServiceAddress, tmp_path: Path
) -> None:
    rehearsed, _first = sent(project, HERE, running, tmp_path / "a")
    both, _first = sent(rehearsed, LIVE, live, tmp_path / "b")
    (tmp_path / "prompts.csv").write_text(CSV + "Third\n", encoding="utf-8")
    _after, here = sent(changed(both), HERE, running, tmp_path / "c")
    _after, there = sent(changed(both), LIVE, live, tmp_path / "d")
    assert here == there
    assert any(request.startswith(b"PATCH") for request in here)
