"""The view of a page: rows of columns of blocks, with the questions numbered and filled in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from batchwright.base.i18n import ngettext
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.item_types.base import Instruction, Item
from batchwright.layout.item_types.content_blocks import ContentBlock
from batchwright.layout.item_types.questions import Fields, Question, QuestionContext, UploadedFile
from batchwright.layout.model import Column, Page, Row
from batchwright.schema.model import Schema


def errors_heading(count: int) -> str:
    """The heading above the errors of a page: how many answers are not accepted yet."""
    return errors_heading_template(count).format(count=count)


def errors_heading_template(count: int) -> str:
    """The same with a placeholder for the number."""
    return ngettext("{count} answer needs another look", "{count} answers need another look", count)


@dataclass(frozen=True)
class PageValues:
    """The values of a page's questions: form fields; errors and uploaded files by instruction number."""

    fields: Fields = field(default_factory=dict)
    errors: Mapping[int, Sequence[str]] = field(default_factory=dict)
    uploaded: Mapping[int, Sequence[UploadedFile]] = field(default_factory=dict)


@dataclass(frozen=True)
class ColumnView:
    """Blocks one below the other."""

    blocks: tuple[ContentBlock | Question, ...]

    @property
    def is_static(self) -> bool:
        """Whether the column has no questions, so that it may be framed."""
        return not any(block.is_question for block in self.blocks)


@dataclass(frozen=True)
class RowView:
    """One column, or two side by side."""

    columns: tuple[ColumnView, ...]


@dataclass(frozen=True)
class PageView:
    """A page, ready for its template."""

    rows: tuple[RowView, ...]

    @property
    def questions(self) -> tuple[Question, ...]:
        """All questions, in order."""
        blocks = (block for row in self.rows for column in row.columns for block in column.blocks)
        return tuple(block for block in blocks if isinstance(block, Question))

    @property
    def invalid_questions(self) -> tuple[Question, ...]:
        """The questions with errors."""
        return tuple(question for question in self.questions if question.errors)


def instructions_of(page: Page) -> tuple[Instruction, ...]:
    """The instructions of a page in the order that numbers their form fields."""
    return tuple(item for _path, item in page.walk() if isinstance(item, Instruction))


def page_view(page: Page, record: Mapping[str, Json], schema: Schema | None, values: PageValues) -> PageView:
    """The view of a page, filled in with a record and the answers so far."""
    numbers = {id(item): number for number, item in enumerate(instructions_of(page))}

    def block(item: Item) -> ContentBlock | Question:
        if not isinstance(item, Instruction):
            return item.content_block(record, schema)
        number = numbers[id(item)]
        errors, uploaded = values.errors.get(number, ()), values.uploaded.get(number, ())
        return item.question(QuestionContext(number, values.fields, tuple(errors), tuple(uploaded)))

    def column(node: Column) -> ColumnView:
        return ColumnView(tuple(block(item) for item in node.items if isinstance(item, Item)))

    rows = (row for row in page.rows if isinstance(row, Row))
    return PageView(
        tuple(
            RowView(tuple(column(node) for node in row.columns if isinstance(node, Column))) for row in rows
        )
    )


def instructions_json(page: Page) -> list[JsonObject]:
    """The instructions of a page as JSON, for the page's own script and for simulated participants."""
    return [item.attributes for item in instructions_of(page)]
