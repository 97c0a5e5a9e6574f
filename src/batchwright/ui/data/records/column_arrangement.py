"""How the user has arranged the columns of a data file, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from batchwright.base.json_values import Json, JsonObject, is_array, is_object


@dataclass(frozen=True)
class ColumnArrangement:
    """What differs from the order of the file with all columns shown; columns are known by name."""

    order: tuple[str, ...] = ()
    """All columns in the order in which they are shown; empty for the order of the file."""
    hidden: tuple[str, ...] = ()
    widths: Mapping[str, int] = field(default_factory=dict)
    """In pixels at 100 %; empty while the columns share the width."""

    def to_json(self) -> JsonObject:
        """The arrangement as it is stored."""
        return {"order": list(self.order), "hidden": list(self.hidden), "widths": dict(self.widths)}

    @classmethod
    def from_json(cls, value: Json) -> "ColumnArrangement":
        """Read an arrangement; what is invalid in it is ignored."""
        content = value if is_object(value) else {}
        widths = content.get("widths")
        pairs = widths.items() if is_object(widths) else ()
        return cls(
            _texts(content.get("order")),
            _texts(content.get("hidden")),
            {name: width for name, width in pairs if type(width) is int and width > 0},
        )


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(text for text in value if isinstance(text, str)) if is_array(value) else ()
