"""Creating, reading and replacing collections (wire reference, 10)."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from pydantic import ValidationError

from batchwright.api.client import ApiClient
from batchwright.api.http.errors import BadRequest, NotFound
from batchwright.api.participant_client import OpenPage, ParticipantClient, SubmissionFinished
from batchwright.service.process import ServiceAddress
from batchwright.wire.base import to_payload
from batchwright.wire.collections import (
    Collection,
    CollectionCreate,
    CollectionPage,
    CollectionReplace,
    PageItem,
    sorted_by_order,
)
from batchwright.wire.local_routes import simulated_participant
from tests.api.error_responses import UNKNOWN_ID, rejection_message
from tests.api.requests import retries
from tests.api.studies import DETAILS, client_of
from tests.samples.each_type import BETTER, DURATION, IMAGE, INVALID_VALUES, UPLOAD, WHY
from tests.service.api_helpers import Researcher
from tests.service.collections_helpers import link_of

HELLO = {"type": "rich_text", "content": "<p>Hello.</p>"}
PAGES: list[dict[str, Any]] = [
    {"page_items": [HELLO, {**IMAGE, "order": 1}, {**WHY, "order": 2}]},
    {
        "page_items": [
            {**item, "order": n} for n, item in enumerate((BETTER, INVALID_VALUES, DURATION, UPLOAD))
        ]
    },
]
"""Every type of item that a collection may have, on two pages."""


async def create_collection(service: ApiClient, workspace_id: str, pages: Any = PAGES) -> Collection:
    """A new collection."""
    request = {
        "name": "Survey",
        "workspace_id": workspace_id,
        "task_details": DETAILS,
        "collection_items": pages,
    }
    return await service.collections.create(CollectionCreate.model_validate(request))


def replacement(collection: Collection, **changes: Any) -> CollectionReplace:
    """A request that replaces a collection: everything as it was read, ids included, except for `changes`."""
    return CollectionReplace.model_validate({**to_payload(collection), **changes})


def entries(collection: Collection) -> Iterator[CollectionPage | PageItem]:
    """Every page and item."""
    for page in collection.collection_items or ():
        yield page
        yield from page.page_items


@pytest.mark.spec("C-03", "C-05", "C-08")
async def test_a_collection_is_returned_as_sent_with_an_id_for_every_page_and_item(
    running: ServiceAddress,
) -> None:
    async with client_of(running) as service:
        collection = await create_collection(service, running.workspace_id)
        assert (collection.name, collection.workspace_id) == ("Survey", running.workspace_id)
        assert collection.task_details is not None
        assert to_payload(collection.task_details) == to_payload(DETAILS)
        pages = sorted_by_order(collection.collection_items or ())
        for sent, page in zip(PAGES, pages, strict=True):
            for requested, item in zip(sent["page_items"], sorted_by_order(page.page_items), strict=True):
                assert to_payload(item).items() >= requested.items()
        ids = [entry.id for entry in entries(collection)]
        assert all(ids)
        assert len(set(ids)) == len(ids) == 9
        assert await service.collections.get(collection.id) == collection


@pytest.mark.spec("C-01")
async def test_only_the_collections_of_a_workspace_are_listed(
    running: ServiceAddress, other_account: ServiceAddress
) -> None:
    async def ids_at(account: ServiceAddress) -> list[str]:
        async with client_of(account) as service:
            listing = await service.collections.list(account.workspace_id)
        return [item.id for item in listing.results]

    async with client_of(running) as service:
        mine = await create_collection(service, running.workspace_id)
    async with client_of(other_account) as service:
        hers = await create_collection(service, other_account.workspace_id)
    assert (await ids_at(running))[0] == mine.id
    assert (await ids_at(other_account))[0] == hers.id
    assert not set(await ids_at(running)) & set(await ids_at(other_account))


@pytest.mark.spec("C-06", "C-08", "C-09")
async def test_pages_and_items_sent_with_their_id_keep_it(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        before = await create_collection(service, running.workspace_id)
        pages: Any = [to_payload(page) for page in before.collection_items or ()]
        first, second = pages
        deleted, image, why = first["page_items"]
        first["page_items"] = [image, {**why, "description": "What for?"}, {**WHY, "order": 3}]
        reordered = [{**second, "order": 0}, {**first, "order": 1}]
        after = await service.collections.replace(
            before.id, replacement(before, name="Renamed", collection_items=reordered)
        )
        assert (after.id, after.name, after.page_count) == (before.id, "Renamed", 2)
        first_after, second_after = after.collection_items or ()
        assert [first_after.id, second_after.id] == [second["id"], first["id"]]
        assert [item.id for item in first_after.page_items] == [item["id"] for item in second["page_items"]]
        assert [item.id for item in second_after.page_items[:2]] == [image["id"], why["id"]]
        assert to_payload(second_after.page_items[1])["description"] == "What for?"
        old_ids = {entry.id for entry in entries(before)}
        assert {entry.id for entry in entries(after)} - old_ids == {second_after.page_items[2].id}
        assert old_ids - {entry.id for entry in entries(after)} == {deleted["id"]}
        assert await service.collections.get(before.id) == after


@pytest.mark.spec("C-07")
@pytest.mark.parametrize("omitted", ["name", "task_details", "collection_items"])
async def test_an_incomplete_replacement_of_a_collection_is_rejected(
    running: ServiceAddress, omitted: str
) -> None:
    """The client's model requires every field; a service rejects an incomplete request."""

    async with client_of(running) as service:
        before = await create_collection(service, running.workspace_id)
        complete = replacement(before)
        assert to_payload(complete).keys() >= {"name", "task_details", "collection_items"}
        incomplete: dict[str, Any] = {
            name: value for name, value in to_payload(complete).items() if name != omitted
        }
        with pytest.raises(ValidationError, match=omitted):
            CollectionReplace.model_validate(incomplete)
        unchecked = CollectionReplace.model_construct(_fields_set=set(incomplete), **incomplete)
        messages = await rejection_message(service.collections.replace(before.id, unchecked), BadRequest, 400)
        assert omitted in messages
        assert await service.collections.get(before.id) == before


@pytest.mark.spec("C-13", "C-21")
async def test_a_new_collection_can_be_answered_without_a_dataset_or_a_setup(running: ServiceAddress) -> None:
    pages = [{"page_items": [HELLO, {**WHY, "order": 1}]}]

    async with client_of(running) as service:
        collection = await create_collection(service, running.workspace_id, pages)
        assert list(await service.collections.responses(collection.id)) == []
        (_hello, question) = sorted_by_order((collection.collection_items or ())[0].page_items)
        with closing(Researcher(running)) as owner:
            link = link_of(owner, to_payload(collection))
        async with ParticipantClient(retries()) as participant:
            page = await participant.start(link, simulated_participant(7, 0))
            assert isinstance(page, OpenPage)
            assert isinstance(await participant.answer(page, [("i0", "Because")]), SubmissionFinished)
        (answer,) = await service.collections.responses(collection.id)
        assert (answer.collection_id, answer.response.instruction_id) == (collection.id, question.id)
        assert answer.response.answer == ({"value": "Because"},)


@pytest.mark.spec("C-05")
async def test_a_collection_that_does_not_exist_is_not_found(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        for task in (service.collections.get(UNKNOWN_ID), service.collections.responses(UNKNOWN_ID)):
            messages = await rejection_message(task, NotFound, 400)
            assert messages == f"There is no collection {UNKNOWN_ID} for this token."
