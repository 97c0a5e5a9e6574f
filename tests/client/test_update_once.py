"""An update is sent once and overwrites nothing, also if its response is lost."""

import asyncio
from collections.abc import Callable

import pytest

from batchwright.api.http.errors import ApiError, OutcomeUnknown
from batchwright.client.errors import ChangedMeanwhile
from batchwright.client.published_content import PublishedContent
from batchwright.client.update_once import update_once

BEFORE, MINE, THEIRS = (
    PublishedContent(name, ("", "", ""), (), "[]") for name in ("before", "mine", "theirs")
)


class Resource:
    """A resource at a service; `on_send` runs when the first update arrives, and its response is lost."""

    def __init__(
        self, content: PublishedContent, on_send: "Callable[[Resource], None] | None" = None
    ) -> None:
        self.content, self.sent = content, 0
        self._on_send = on_send

    async def fetch(self) -> PublishedContent:
        return self.content

    async def send(self, _current: PublishedContent) -> PublishedContent:
        self.sent += 1
        if self._on_send is not None and self.sent == 1:
            self._on_send(self)
            raise OutcomeUnknown("PUT", ApiError("PUT", "timed out"))
        self.content = MINE
        return self.content

    def update(self) -> PublishedContent:
        changed = ChangedMeanwhile("changed")
        return asyncio.run(
            update_once(
                self.fetch, self.send, lambda content: content, BEFORE, MINE, changed, lambda _text: None
            )
        )


def set_content(content: PublishedContent) -> Callable[[Resource], None]:
    return lambda resource: setattr(resource, "content", content)


def test_an_update_is_sent_once() -> None:
    resource = Resource(BEFORE)
    assert (resource.update(), resource.sent) == (MINE, 1)
    assert (resource.update(), resource.sent) == (MINE, 1)


@pytest.mark.parametrize(("arrived", "requests"), [(MINE, 1), (BEFORE, 2)])
def test_an_update_whose_response_was_lost_is_sent_again_unless_it_was_saved(
    arrived: PublishedContent, requests: int
) -> None:
    resource = Resource(BEFORE, set_content(arrived))
    assert (resource.update(), resource.sent) == (MINE, requests)


@pytest.mark.parametrize("resource", [Resource(THEIRS), Resource(BEFORE, set_content(THEIRS))])
def test_changes_of_others_are_not_overwritten(resource: Resource) -> None:
    with pytest.raises(ChangedMeanwhile):
        resource.update()
    assert resource.content == THEIRS
