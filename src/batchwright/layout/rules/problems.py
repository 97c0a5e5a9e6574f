"""What the rules say of a layout: problems, where they are, and how they can be mended."""

import dataclasses
from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple, TypeAlias

from batchwright.base.text import truncate
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.schema.model import Schema

_LONGEST_VALUE = 200
"""How many characters of anything that stands in a layout are quoted in a sentence about it."""


class SchemaUnavailable(Enum):
    """Why there is no schema to check field references against."""

    UNKNOWN = "unknown"
    """It is not known yet which dataset will be attached: references are not held against anything."""
    NONE = "none"
    """No dataset with a schema is attached: references are refused."""


Fields: TypeAlias = Schema | SchemaUnavailable
"""What field references are checked against."""


class Severity(Enum):
    """How bad a problem is."""

    ERROR = "error"
    """The service refuses the layout."""
    UNFILLED = "unfilled"
    """An error, shown as something still to do: a field of something new that nobody has filled in yet."""
    ADVICE = "advice"
    """The service takes it, but it is probably not meant."""


class RejectionStatus(Enum):
    """How the service refuses a layout: the status of its answer (wire reference, section 2.3)."""

    ITEM = 422
    """As an issue of one item."""
    SHAPE = 400
    """As a fault of the request, because no item can be named or an id is wrong."""


@dataclasses.dataclass(frozen=True)
class Fix:
    """An edit that mends a problem, and what a button for it says. It is an edit itself, of that name.

    One that is not `sure` is offered only where it has been seen to make no other error.
    """

    label: str
    edit: Callable[[Layout], Layout]
    is_safe: bool = True

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        return self.edit(layout)


class AttributePath(NamedTuple):
    """An attribute of an entry; in a list also the number of one of its entries, and the attribute in that.

    An empty name stands for the entry as a whole.
    """

    name: str = ""
    entry: int | None = None
    inner: str = ""


WHOLE_NODE = AttributePath()


@dataclasses.dataclass(frozen=True)
class Problem:
    """One thing that a rule found; `sentence` says what is wrong and what to do.

    `item_type` is the type of the item at fault, if one is; `field` the dataset field that a
    `dataset_field` item names. `attribute` is what has to be changed in the entry at the place;
    `is_unfilled` says that it is only missing or empty.
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

    @property
    def message(self) -> str:
        """The template with its values filled in, each short enough to be read and sent."""
        return self.template.format_map({name: _shown(value) for name, value in self.values.items()})

    def on_page(self, page: int) -> "Problem":
        """The same problem, found on the page with this number."""
        return dataclasses.replace(self, path=self.path._replace(page=page))


def _shown(value: object) -> str:
    return truncate(str(value), _LONGEST_VALUE)
