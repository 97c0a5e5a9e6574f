"""A collection is created from a study, replaced with its ids, copied, and opened as a study."""

import json
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TypeVar
from zipfile import ZipFile

import pytest
from typing_extensions import override

from batchwright.analysis.store.answer_query import AnswerQuery
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.base.json_values import Json
from batchwright.client.collection_content import DesiredCollection, desired_collection
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import ChangedMeanwhile
from batchwright.client.published_content import ContentComparison
from batchwright.client.remote_study import remote_collection
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.client.resource_content import compare
from batchwright.layout.collection_pages import items_of, layout_from_collection
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import Node
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import StudyKind
from batchwright.service.process import ServiceAddress
from batchwright.wire.collections import Collection, CollectionCreate
from batchwright.workflows.answers.download_verified import (
    download_verified_answers,
    download_verified_export,
)
from batchwright.workflows.answers.update_answers import update_answers
from batchwright.workflows.publishing import publish_collection
from batchwright.workflows.publishing.open_as_study import study_from_collection
from batchwright.workflows.publishing.publish_collection import (
    copy_collection,
    create_collection,
    create_or_replace_collection,
    fetch_with_answer_count,
)
from batchwright.workflows.publishing.published import Published
from batchwright.workflows.rehearsal.simulate import SimulatedParticipants
from batchwright.workflows.verification.verify_export import verify_export_file
from tests.api.studies import DETAILS
from tests.fakes.failing_server import FailingServer
from tests.fakes.faulty_proxy import RESETS, Fault, FaultyProxy
from tests.fakes.raw_http import FakeResponse, Head
from tests.workflows.contexts import ScriptedReplies, context_at

T = TypeVar("T")

TEXT: Json = {"type": "rich_text", "content": "**Your** kitchen", "content_format": "markdown"}
COOKING: Json = {"type": "free_text", "description": "What do you cook most?"}
STOVE: Json = {
    "type": "multiple_choice",
    "description": "Gas or electric?",
    "answer_limit": 1,
    "options": [{"label": "Gas", "value": "gas"}, {"label": "Electric", "value": "electric"}],
}
PUT = "PUT /api/v1/data-collection/collections"


@pytest.fixture
def desired() -> DesiredCollection:
    pages: list[Json] = [{"page_items": [TEXT, COOKING]}, {"page_items": [STOVE]}]
    return DesiredCollection("Kitchen", DETAILS, layout_from_collection(pages, random_keys()))


async def at(
    running: ServiceAddress, folder: Path, work: Callable[[WorkflowContext], Awaitable[T]], url: str = ""
) -> T:
    async with context_at(
        folder, url or running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        return await work(context)


async def published(
    running: ServiceAddress,
    folder: Path,
    desired: DesiredCollection,
    replaces: Collection | None,
    url: str = "",
) -> Published[Collection]:
    return await at(
        running, folder, lambda context: create_or_replace_collection(context, desired, replaces), url
    )


async def fetched(running: ServiceAddress, folder: Path, id: str) -> Collection:
    return await at(running, folder, lambda context: context.service.collections.get(id))


def item(desired: DesiredCollection, page: int, item: int) -> Node:
    node = desired.layout.pages[page]
    assert isinstance(node, Page)
    return items_of(node)[item]


def changed_question(desired: DesiredCollection) -> DesiredCollection:
    """With another question, and a page more."""
    layout = SetAttributes(item(desired, 0, 1).key, {"description": "What do you bake?"})(desired.layout)
    more = layout_from_collection([{"page_items": [COOKING]}], random_keys())
    return replace(desired, layout=Layout((*layout.pages, *more.pages)))


def ids_of(collection: Collection) -> list[str]:
    pages = collection.collection_items or ()
    return [id for page in pages for id in (page.id, *(item.id for item in page.page_items))]


@pytest.mark.spec("C-03")
async def test_a_new_collection_is_the_study_and_names_its_pages_and_items(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    created = await published(running, tmp_path, desired, None)
    pages_and_items = {
        node.key
        for page in desired.layout.pages
        if isinstance(page, Page)
        for node in (page, *items_of(page))
    }
    assert created.ids.keys() == pages_and_items
    assert compare(created.resource, desired, None) is ContentComparison.UP_TO_DATE
    assert compare(created.resource, desired, created.last_sent) is ContentComparison.UP_TO_DATE
    another = replace(desired, name="Another")
    assert compare(created.resource, another, created.last_sent) is ContentComparison.STUDY_CHANGED


async def test_two_items_in_one_column_are_compared_as_the_service_stores_them(
    running: ServiceAddress, tmp_path: Path
) -> None:
    page: Json = {"rows": [{"columns": [{"items": [TEXT, COOKING]}]}]}
    desired = DesiredCollection("Kitchen", DETAILS, read([page], random_keys()))
    created = await published(running, tmp_path, desired, None)
    assert compare(created.resource, desired, None) is ContentComparison.UP_TO_DATE


@pytest.mark.spec("C-05")
async def test_replacing_keeps_the_ids_and_sends_every_field(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    created = await published(running, tmp_path, desired, None)
    changed = replace(changed_question(desired), ids=created.ids)
    result = await published(running, tmp_path, changed, created.resource)
    assert result.resource.id == created.resource.id
    assert created.ids.items() <= result.ids.items()
    assert compare(result.resource, changed, None) is ContentComparison.UP_TO_DATE
    without_first = replace(changed, layout=Layout(changed.layout.pages[1:]), ids=result.ids)
    rest = await published(running, tmp_path, without_first, result.resource)
    assert ids_of(rest.resource) == ids_of(result.resource)[3:]
    assert rest.resource.name == "Kitchen"
    assert rest.resource.task_details is not None
    assert rest.resource.task_details.task_name == DETAILS.task_name


async def test_ids_that_the_collection_no_longer_has_are_not_sent(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    created = await published(running, tmp_path, desired, None)
    key = item(desired, 0, 1).key
    stale = {**created.ids, key: "0193a7c0-0001-7001-8a1b-4c5d6e7f0009"}
    changed = replace(changed_question(desired), ids=stale)
    result = await published(running, tmp_path, changed, created.resource)
    assert result.ids[key] not in stale.values()
    kept = item(desired, 1, 0).key
    assert result.ids[kept] == created.ids[kept]


async def test_a_collection_that_another_client_has_changed_is_not_overwritten(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    created = await published(running, tmp_path, desired, None)
    theirs = await published(running, tmp_path, changed_question(desired), created.resource)
    mine = replace(desired, name="Mine", ids=created.ids)
    with pytest.raises(ChangedMeanwhile):
        await published(running, tmp_path, mine, created.resource)
    current = await fetched(running, tmp_path, created.resource.id)
    assert ids_of(current) == ids_of(theirs.resource)
    assert compare(current, mine, created.last_sent) is ContentComparison.REMOTE_CHANGED


@pytest.mark.parametrize("error", RESETS)
async def test_a_request_without_response_is_repeated(
    error: Fault, running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    created = await published(running, tmp_path, desired, None)
    changed = replace(changed_question(desired), ids=created.ids)
    with FaultyProxy(running.url, error, 2) as proxy:
        result = await published(running, tmp_path, changed, created.resource, proxy.url)
        assert sum(call.startswith(PUT) for call in proxy.calls) == 2
    assert created.ids.items() <= result.ids.items()
    assert compare(result.resource, changed, None) is ContentComparison.UP_TO_DATE


async def test_an_interrupted_study_finds_the_collection_that_it_has_created(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    created = await published(running, tmp_path, desired, None)
    again = await published(running, tmp_path, desired, None)
    assert again == created
    later = await published(running, tmp_path, changed_question(desired), None)
    assert (later.resource.id, later.is_earlier) == (created.resource.id, True)
    other = layout_from_collection([{"page_items": [COOKING]}], random_keys())
    another_study = await published(running, tmp_path, replace(desired, layout=other), None)
    assert another_study.resource.id != created.resource.id


async def test_a_collection_whose_response_was_never_stored_is_not_created_again(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    created: list[Collection] = []

    async def killed(context: WorkflowContext, request: CollectionCreate) -> Collection:
        created.append(await create_collection(context, request))
        raise KeyboardInterrupt

    desired = replace(desired, name="Interrupted")
    with monkeypatch.context() as patched:
        patched.setattr(publish_collection, "create_collection", killed)
        with pytest.raises(KeyboardInterrupt):
            await published(running, tmp_path, desired, None)
    again = await published(running, tmp_path, desired, None)
    assert (again.resource.id, again.is_earlier) == (created[0].id, False)
    assert compare(again.resource, desired, again.last_sent) is ContentComparison.UP_TO_DATE


class LostResponse(FaultyProxy):
    """The response to the first POST is lost, and then there is no connection until `open` is called."""

    @override
    async def _forward(self, head: Head, body: bytes) -> bytes:
        response = await super()._forward(head, body)
        if head.line.startswith(b"POST") and not self.fault_count:
            self.fault_count += 1
            self.close()
            raise ConnectionResetError
        return response


async def resilient(
    running: ServiceAddress, folder: Path, work: Callable[[WorkflowContext, RecoveryHooks], Awaitable[T]]
) -> T:
    """The result of an operation whose first POST is followed by an outage, for which it waits."""

    async def no_token(_refused: WorkflowContext) -> WorkflowContext | None:
        return None

    with LostResponse(running.url) as proxy:
        hooks = RecoveryHooks(proxy.open, no_token)

        async def run(context: WorkflowContext) -> T:
            return await run_resiliently(context, lambda context: work(context, hooks), hooks)

        result = await at(running, folder, run, proxy.url)
        assert proxy.fault_count == 1
    return result


async def ids_named(running: ServiceAddress, folder: Path, name: str) -> list[str]:
    async def listed(context: WorkflowContext) -> list[str]:
        collections = (await context.service.collections.list(running.workspace_id)).results
        return [collection.id for collection in collections if collection.name == name]

    return await at(running, folder, listed)


async def test_a_collection_is_created_once_if_the_network_goes_down_before_the_response(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    desired = replace(desired, name="Created in an outage")
    created = await resilient(
        running, tmp_path, lambda context, _hooks: create_or_replace_collection(context, desired, None)
    )
    assert await ids_named(running, tmp_path, desired.name) == [created.resource.id]
    assert not created.is_earlier


async def test_a_collection_is_copied_once_if_the_network_goes_down_before_the_response(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    original, name = await published(running, tmp_path, desired, None), "Copied in an outage"
    copy = await resilient(
        running,
        tmp_path,
        lambda context, hooks: copy_collection(context, original.resource.id, name, hooks),
    )
    assert await ids_named(running, tmp_path, name) == [copy.id]
    assert copy.collection_items


async def test_a_copy_has_the_content_and_ids_of_its_own(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    created = await published(running, tmp_path, desired, None)
    copy = await at(
        running, tmp_path, lambda context: copy_collection(context, created.resource.id, "Kitchen (Copy)")
    )
    assert compare(copy, replace(desired, name="Kitchen (Copy)"), None) is ContentComparison.UP_TO_DATE
    assert not {copy.id, *ids_of(copy)} & {created.resource.id, *ids_of(created.resource)}


async def test_a_collection_is_opened_changed_and_sent_back(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    created = await published(running, tmp_path, desired, None)
    id = created.resource.id
    project = await at(running, tmp_path, lambda context: study_from_collection(context, id))
    remote = project.remotes["here"]
    assert (project.name, project.kind, project.details) == ("Kitchen", StudyKind.COLLECTION, DETAILS)
    assert (remote.collection_id, set(remote.ids.values())) == (id, set(ids_of(created.resource)))
    opened = desired_collection(project, remote.ids)
    assert compare(created.resource, opened, remote.last_sent) is ContentComparison.UP_TO_DATE
    changed = changed_question(opened)
    result = await published(running, tmp_path, changed, created.resource)
    assert remote.ids.items() <= result.ids.items()


async def test_answers_are_counted(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    created = await published(running, tmp_path, desired, None)
    found = await at(running, tmp_path, lambda context: fetch_with_answer_count(context, created.resource.id))
    assert (found.resource.id, found.answers) == (created.resource.id, 0)


async def answer(running: ServiceAddress, folder: Path, id: str, participants: int) -> None:
    """Let simulated participants answer a collection; those who did before do not answer again."""

    async def work(context: WorkflowContext) -> None:
        link = (await context.service.local.participation_in_collection(id)).url
        async for _number in SimulatedParticipants(link, 1, participants).run():
            pass

    await at(running, folder, work)


async def test_answers_keep_the_questions_of_the_collection_before_it_was_replaced(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    first = await published(running, tmp_path, desired, None)
    id = first.resource.id
    await answer(running, tmp_path, id, 1)
    known = replace(desired, ids=first.ids)
    again = SetAttributes(item(known, 0, 1).key, {"description": "What do you bake?"})(known.layout)
    await published(running, tmp_path, replace(known, layout=again), first.resource)
    await answer(running, tmp_path, id, 2)

    async def read_titles(context: WorkflowContext) -> list[str]:
        with closing(AnswerStore()) as store:
            await update_answers(context, remote_collection(id), store, only_newest=False)
            return sorted(row.question.title for row in store.query(AnswerQuery()).rows(0, 9))

    assert await at(running, tmp_path, read_titles) == [
        *["Gas or electric?"] * 3,
        *["What do you bake?"] * 2,
        "What do you cook most?",
    ]


@pytest.mark.spec("C-07")
async def test_the_export_of_a_collection_is_downloaded_and_verified(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    id = (await published(running, tmp_path, desired, None)).resource.id
    await answer(running, tmp_path, id, 3)
    archive, listed = tmp_path / "export.zip", tmp_path / "answers.json"
    study = remote_collection(id)
    download = await at(running, tmp_path, lambda context: download_verified_export(context, study, archive))
    assert (download.answers, download.passed, len(download.checks)) == (6, True, 3)
    with ZipFile(archive) as files:
        assert {"responses.jsonl", "collection.json"} <= set(files.namelist())
    await answer(running, tmp_path, id, 4)
    later = await at(running, tmp_path, lambda context: download_verified_export(context, study, archive))
    assert (later.passed, later.newer) == (True, 2)
    everything = await at(
        running, tmp_path, lambda context: download_verified_answers(context, study, listed)
    )
    assert everything.answers == len(json.loads(listed.read_text(encoding="utf-8"))) == 8


async def test_an_export_lacking_answers_fails_verification(
    running: ServiceAddress, tmp_path: Path, desired: DesiredCollection
) -> None:
    id = (await published(running, tmp_path, desired, None)).resource.id
    await answer(running, tmp_path, id, 2)
    archive = tmp_path / "export.zip"
    await at(
        running, tmp_path, lambda context: download_verified_export(context, remote_collection(id), archive)
    )
    with ZipFile(archive, "w") as files:
        files.writestr("responses.jsonl", "")
    records = await at(running, tmp_path, lambda context: remote_collection(id).responses(context.service))
    found = verify_export_file(archive, records, is_collection=True)
    assert [check.passed for check in found.checks] == [True, False, True]


async def test_a_service_without_a_list_of_answers_still_exports(tmp_path: Path) -> None:
    path = "/api/v1/data-collection/collections/c"
    archive = BytesIO()
    with ZipFile(archive, "w") as files:
        files.writestr("responses.jsonl", "")
    with FailingServer([], lambda request: lines(request)) as server:
        complete = FakeResponse.from_json({"status": "complete", "url": f"{server.url}/raw?sig=1"})
        lines = ScriptedReplies(
            {
                f"POST {path}/export": [complete],
                f"GET {path}/responses": [FakeResponse.from_json({"error": {"status": 404}}, 404)],
                "GET /raw": [FakeResponse(200, archive.getvalue())],
            }
        )
        async with context_at(tmp_path, server.url) as context:
            download = await download_verified_export(
                context, remote_collection("c"), tmp_path / "export.zip"
            )
    assert (download.answers, download.checks) == (None, ())
    assert (tmp_path / "export.zip").read_bytes() == archive.getvalue()
