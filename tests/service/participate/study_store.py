"""Studies for the tests of participant pages, and a participant who answers over plain HTTP."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import TracebackType
from typing import Any, Self
from xml.etree.ElementTree import Element

import httpx

from batchwright.base.database import Database
from batchwright.base.json_values import Json
from batchwright.schema.parsing import read_schema
from batchwright.service.blobs import Blobs
from batchwright.service.participate.addresses import Addresses
from batchwright.service.store import batches, datasets, ids, previews, responses, submissions, tasks
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.responses import StoredResponse
from batchwright.service.store.submissions import GroupCount
from tests.service.participate.markup import read_html, text_of
from tests.service.trust import TRUST

START = 1_770_000_000_000
SCHEMA: Json = {"strict": False, "fields": {"prompt": {"type": "text", "label": "Prompt"}}}


@dataclass(frozen=True)
class Study:
    """A batch that is set up, and its link."""

    batch: StoredBatch
    link: str


class StudyStore:
    """The store of the running service, and its clock."""

    def __init__(self, database: Database, blobs: Blobs, base_url: str) -> None:
        self.database = database
        self.blobs = blobs
        self.base_url = base_url
        self.now = START

    def reset_clock(self) -> None:
        self.now = START

    def study(
        self,
        layout: Sequence[Json],
        records: Sequence[Mapping[str, Json]] = ({"prompt": "Why is the sky red at sunset?"},),
        *,
        schema: Json = SCHEMA,
        group_size: int = 1,
        annotators: int = 1,
        details: Mapping[str, Json] | None = None,
    ) -> Study:
        """A batch set up with these records, in groups of `group_size` tasks in the order of the records."""
        with self.database.write() as connection:
            dataset = datasets.add(
                connection,
                workspace_id="w",
                name="records",
                schema=read_schema(schema),
                created_by="owner",
                now=self.now,
            )
            datasets.insert_datapoints(connection, dataset.row_id, 0, records, 1)
            batch = batches.add(
                connection,
                workspace_id="w",
                name="Preference study",
                created_by="owner",
                now=self.now,
                task_details=details
                or {
                    "task_name": "Which answer is better?",
                    "task_introduction": "<p>You will read <b>two answers</b> to one question.</p>",
                    "task_steps": "<ol><li>Read both answers</li><li>Say which one is better</li></ol>",
                },
                dataset=dataset.row_id,
                batch_items=json.dumps(with_ids(layout)),
            )
            self._set_up(connection, batch, dataset.row_id, len(records), group_size)
            batches.set_annotators_per_task(connection, batch.row_id, annotators)
            batch = batches.get(connection, batch.row_id)
        link = Addresses(self.base_url).study(batch.id, batch.participation_key)
        return Study(batch, self.base_url + link)

    def set_up_again(self, study: Study, records: int = 1) -> None:
        """Set a study up again."""
        with self.database.write() as connection:
            batch = batches.get(connection, study.batch.row_id)
            assert batch.dataset is not None
            self._set_up(connection, batch, batch.dataset, records, 1)

    def preview(self, content: Mapping[str, Json]) -> str:
        """The URL of a new preview."""
        with self.database.write() as connection:
            preview = previews.add(connection, content, self.now)
        return self.base_url + Addresses(self.base_url).preview(preview.id)

    def responses(self, study: Study) -> list[StoredResponse]:
        """The answers of a study, newest first."""
        with self.database.read() as connection:
            return list(responses.records_of(connection, study.batch.row_id))

    def progress(self, study: Study) -> list[GroupCount]:
        """The progress of its task groups."""
        with self.database.read() as connection:
            batch = batches.get(connection, study.batch.row_id)
            return submissions.progress(connection, batch, self.now)

    @staticmethod
    def _set_up(connection: Any, batch: StoredBatch, dataset: int, records: int, group_size: int) -> None:
        setup = batch.setup + 1
        numbered = [(number, number // group_size, number) for number in range(records)]
        sizes = [
            sum(group == group_number for _n, group, _p in numbered)
            for group_number in sorted({g for _n, g, _p in numbered})
        ]
        tasks.insert_groups(
            connection, batch.row_id, setup, [tasks.Group(n, None, size) for n, size in enumerate(sizes)]
        )
        tasks.insert_tasks(connection, batch.row_id, setup, dataset, numbered)
        batches.finish_setup(
            connection,
            batch.row_id,
            live_items=batch.batch_items,
            live_version=1,
            tasks=records,
            groups=len(sizes),
        )


@dataclass
class Participant:
    """A participant whose browser runs no scripts."""

    link: str
    client: httpx.Client = field(
        default_factory=lambda: httpx.Client(follow_redirects=True, timeout=20, verify=TRUST)
    )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()

    def open(self) -> "PageResponse":
        return PageResponse(self.client.get(self.link))

    def start(self) -> "PageResponse":
        return self.send(self.open())

    def get(self, address: str) -> "PageResponse":
        return PageResponse(self.client.get(address))

    def send(
        self,
        page: "PageResponse",
        fields: Mapping[str, str | list[str]] | None = None,
        files: Sequence[tuple[str, tuple[str, bytes, str]]] = (),
    ) -> "PageResponse":
        """Send the form of a page with its hidden fields, and follow the redirect to the next page."""
        values: dict[str, str | list[str]] = {**page.hidden, **(fields or {})}
        parts: list[tuple[str, Any]] = []
        for name, value in values.items():
            parts += [
                (name, (None, item.encode())) for item in (value if isinstance(value, list) else [value])
            ]
        address = page.response.url.join(page.form.attrib["action"])
        if page.form.attrib.get("enctype") != "multipart/form-data":
            return PageResponse(self.client.post(address, data=page.hidden))
        return PageResponse(self.client.post(address, files=[*parts, *files]))


@dataclass
class PageResponse:
    """The response with a page."""

    response: httpx.Response

    @property
    def address(self) -> str:
        """The URL without the step, which opens the page that the participant has reached."""
        return str(self.response.url.copy_with(query=None))

    @property
    def status(self) -> int:
        return self.response.status_code

    @cached_property
    def tree(self) -> Element:
        return read_html(self.response.text)

    def find(self, path: str) -> list[Element]:
        return self.tree.findall(path)

    def element(self, path: str) -> Element:
        (element,) = self.find(path)
        return element

    @property
    def state(self) -> str:
        return self.element(".//main").attrib["data-state"]

    @property
    def data(self) -> Any:
        return json.loads(self.element(".//*[@id='page-data']").text or "")

    @property
    def form(self) -> Element:
        return self.element(".//form")

    @property
    def text(self) -> str:
        return text_of(self.element(".//main"))

    @property
    def progress(self) -> str:
        return text_of(self.element(".//*[@id='progress-text']"))

    @property
    def errors(self) -> list[str]:
        return [text_of(link) for link in self.find(".//*[@id='faults']//a")]

    def errors_at(self, number: int) -> list[str]:
        return [text_of(paragraph) for paragraph in self.find(f".//*[@id='i{number}-fault']/p")]

    @property
    def hidden(self) -> dict[str, str]:
        """The hidden fields of the form."""
        inputs = self.form.iterfind(".//input[@type='hidden']")
        return {field.attrib["name"]: field.attrib["value"] for field in inputs}


def with_ids(layout: Sequence[Json]) -> Any:
    """A layout with an id on every page, row, column and item, as the service returns it."""

    def walk(value: Any) -> Any:
        if isinstance(value, list):
            return [walk(child) for child in value]
        if not isinstance(value, dict):
            return value
        inner = {
            key: walk(child) if key in ("rows", "columns", "items") else child for key, child in value.items()
        }
        return {"id": ids.new_id(), **inner}

    return walk(list(layout))


def page(*rows: Sequence[Json] | tuple[Sequence[Json], Sequence[Json]], **attributes: Json) -> dict[str, Any]:
    """A page; a list of items is a row with one column, a pair of lists a row with two."""
    return {
        **attributes,
        "rows": [
            {"columns": [{"items": list(column)} for column in (row if isinstance(row, tuple) else (row,))]}
            for row in rows
        ],
    }


def shows(field: str) -> dict[str, Json]:
    return {"type": "dataset_field", "field": field}


def rich(content: str, written_as: str = "html") -> dict[str, Json]:
    return {"type": "rich_text", "content": content, "content_format": written_as}


def choice(*labels: str, limit: int = 1, **more: Json) -> dict[str, Json]:
    options: list[Json] = [{"label": label, "value": label.lower()} for label in labels]
    return {
        "type": "multiple_choice",
        "description": "Which answer is better?",
        "answer_limit": limit,
        "options": options,
        **more,
    }


def explained(*labels: str, limit: int = 1, **more: Json) -> dict[str, Json]:
    options: list[Json] = [
        {"label": label, "value": label.lower(), "heading": f"Why {label}?"} for label in labels
    ]
    return choice(limit=limit, **{"options": options, **more}) | {"type": "multiple_choice_with_free_text"}


def free_text(**more: Json) -> dict[str, Json]:
    return {"type": "free_text", "description": "What made the difference?", **more}


def with_unit(**more: Json) -> dict[str, Json]:
    return {
        "type": "free_text_with_unit",
        "description": "How long did you read?",
        "unit_options": [{"label": "minutes", "value": "min"}, {"label": "hours", "value": "h"}],
        "unit_position": "suffix",
        **more,
    }


def files(**more: Json) -> dict[str, Json]:
    return {"type": "file_upload", "description": "Add a photo of your own dish.", **more}


def stored_values(responses: Sequence[StoredResponse]) -> Iterator[Json]:
    """The stored answers, oldest first."""
    return (response.answer for response in reversed(responses))
