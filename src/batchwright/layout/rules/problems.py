"""Problems that the rules find in a layout: where they are, how severe, and their quick fix.

A problem names the invalid attribute (`AttributePath`), so that the editor can focus its field.
"""

import dataclasses
from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple, TypeAlias

from batchwright.base.text import truncate
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.schema.model import Schema

_LONGEST_VALUE = 200
"""Values are quoted in messages up to this many characters."""


class SchemaUnavailable(Enum):
    """Why there is no schema to check field references against."""

    UNKNOWN = "unknown"
    """The dataset is not known yet: references are not checked."""
    NONE = "none"
    """No dataset with a schema is attached: all references are errors."""
    COLLECTION = "collection"
    """The layout is a collection: it has no dataset, and its pages have one column."""


Fields: TypeAlias = Schema | SchemaUnavailable
"""What field references are checked against."""


class Severity(Enum):
    """The severity of a problem."""

    ERROR = "error"
    """The service rejects the layout."""
    UNFILLED = "unfilled"
    """An error in a new item that is shown as still to be filled in."""
    ADVICE = "advice"
    """Accepted by the service, but probably not intended."""


class RejectionStatus(Enum):
    """The status with which the service rejects a layout (wire reference, section 2.3)."""

    ITEM = 422
    """The response names the item."""
    SHAPE = 400
    """The request as a whole is invalid, because no item can be named or an id is invalid."""


@dataclasses.dataclass(frozen=True)
class Fix:
    """An edit that fixes a problem, with the label of its button. A fix is an edit itself.

    A fix that is not `is_safe` is tried on its page first, and offered only if it causes no other error. So
    "Fix" and "Fix all" never make a layout worse.
    """

    label: str
    edit: Callable[[Layout], Layout]
    is_safe: bool = True
    schema_edit: Callable[[Schema], Schema] | None = None
    """What it changes in the schema of the study, beside the layout."""

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        return self.edit(layout)


class AttributePath(NamedTuple):
    """The path of an attribute in a node: its name; in a list also the index and the name in the entry.

    An empty name means the node as a whole.
    """

    name: str = ""
    entry: int | None = None
    inner: str = ""


WHOLE_NODE = AttributePath()


@dataclasses.dataclass(frozen=True)
class Problem:
    """A problem that a rule found; `message` says what is wrong and what to do.

    `item_type` is the type of the item, if it is about one; `field` the dataset field of a
    `dataset_field` item. `attribute` is the attribute to change in the node at `path`;
    `is_unfilled` means that it is only missing or empty.
    """

    code: str
    path: NodePath
    severity: Severity
    rejection: RejectionStatus | None
    template: str
    values: Mapping[str, object] = dataclasses.field(default_factory=dict, hash=False)
    item_type: str | None = None
    field: str | None = None
    fix: Fix | None = dataclasses.field(default=None, hash=False)
    attribute: AttributePath = WHOLE_NODE
    is_unfilled: bool = False

    def __str__(self) -> str:
        """`CODE page N, row N, column N, item N: message`, counted from 1."""
        place = self.path.label
        return f"{self.code} {place}: {self.message}" if place else f"{self.code}: {self.message}"

    @property
    def message(self) -> str:
        """The template with its values filled in, each shortened."""
        return self.template.format_map({name: _shown(value) for name, value in self.values.items()})

    def on_page(self, page: int) -> "Problem":
        """The same problem on the page with this number."""
        return dataclasses.replace(self, path=self.path._replace(page=page))


def _shown(value: object) -> str:
    return truncate(str(value), _LONGEST_VALUE)
