"""How the records of a study are made from a source; recorded in the study, and repeated when it changes."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import NoneType
from typing import NamedTuple, cast

from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.base.local_media import MediaFolder
from batchwright.data_files.conversion.edit_list import Edit, read_edits, write_edits
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.sources.source import OptionValue, SourceOptions

_TWO_ROWS = 2
CONVERTED = Format(FormatKind.JSONL)
"""The format of a converted file."""


class Changes(NamedTuple):
    """What a study makes of the records of its file, which stays as it is: the edits, and then the steps."""

    edits: tuple[Edit, ...] = ()
    steps: tuple[JsonObject, ...] = ()


@dataclass(frozen=True)
class Conversion:
    """How a source is read. With the same source, it always has the same result."""

    options: SourceOptions = field(default_factory=SourceOptions)
    edits: tuple[Edit, ...] = ()
    """Values and columns that were changed, in the order in which that is applied."""
    text_format: Format | None = None
    """The format of a CSV or JSONL file that is converted because it is changed or has two header rows."""
    steps: tuple[JsonObject, ...] = ()
    """The steps of the preparation, made after the edits, as `prepare.preparation` reads them."""

    @property
    def is_needed(self) -> bool:
        """Whether the file cannot be read as it is."""
        is_changed = bool(self.edits or self.steps)
        return self.text_format is None or is_changed or self.options.header_rows == _TWO_ROWS

    @property
    def changes(self) -> Changes:
        """What is made of the records that are read."""
        return Changes(self.edits, self.steps)

    def with_option(self, option: str, value: OptionValue) -> "Conversion":
        """The same with another value of an option; options that depend on it are proposed again."""
        dependent = {name: _DEFAULTS[name] for name in _DEPENDENT.get(option, ())}
        return replace(self, options=self.options.with_values({**dependent, option: value}))

    def media(self, source: Path) -> MediaFolder | None:
        """The media files that were read with these options; None if the source is no folder of media."""
        options = self.options
        return MediaFolder(source, tuple(options.files.splitlines())) if options.medium else None


_DEFAULTS: Mapping[str, OptionValue] = asdict(SourceOptions())
_TYPES = {name: (int, NoneType) if value is None else type(value) for name, value in _DEFAULTS.items()}
_DEPENDENT = {
    "member": ("sheet", "header_row", "header_rows", "array", "flatten", "encoding", "delimiter"),
    "sheet": ("header_row", "header_rows"),
    "header_row": ("header_rows",),
    "array": ("header_row", "flatten"),
}
"""The options whose values make sense for one value of another option only."""


def write_conversion(conversion: Conversion) -> JsonObject:
    """The conversion as it is stored in a study: its options, except for defaults."""
    options = asdict(conversion.options)
    written: dict[str, Json] = {
        name: value for name, value in sorted(options.items()) if value != _DEFAULTS[name]
    }
    if conversion.edits:
        written["edits"] = write_edits(conversion.edits)
    if conversion.text_format is not None:
        written["text_format"] = asdict(conversion.text_format)
    if conversion.steps:
        written["steps"] = list(conversion.steps)
    return written


def read_conversion(stored: Mapping[str, Json]) -> Conversion:
    """The conversion that is stored in a study; what cannot be used is replaced by the default."""
    usable = {
        name: cast("OptionValue", stored[name])
        for name, types in _TYPES.items()
        if name in stored and isinstance(stored[name], types) and not isinstance(stored[name], bool)
    }
    steps = stored.get("steps")
    return Conversion(
        SourceOptions().with_values(usable),
        read_edits(stored.get("edits")),
        _read_format(stored.get("text_format")),
        tuple(filter(is_object, steps)) if is_array(steps) else (),
    )


def _read_format(stored: Json) -> Format | None:
    """A format that is stored in a study; None if it cannot be used."""
    if not is_object(stored):
        return None
    try:
        texts = {name: str(stored[name]) for name in ("encoding", "delimiter", "quote")}
        return Format(FormatKind(str(stored["kind"])), **texts, header=bool(stored["header"]))
    except (KeyError, ValueError):
        return None
