"""How the records of a study are made from a source; recorded in the study, and repeated when it changes."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import NoneType
from typing import cast

from batchwright.base.json_values import Json, JsonObject, is_object
from batchwright.base.local_media import MediaFolder
from batchwright.data_files.conversion.edit_list import Edit, read_edits, write_edits
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.sources.source import OptionValue, SourceOptions

_TWO_ROWS = 2
CONVERTED = Format(FormatKind.JSONL)
"""The format of a converted file."""


@dataclass(frozen=True)
class Conversion:
    """How a source is read. With the same source, it always has the same result."""

    options: SourceOptions = field(default_factory=SourceOptions)
    edits: tuple[Edit, ...] = ()
    """Values that were mended and columns that were changed, in the order in which that is applied."""
    text_format: Format | None = None
    """The format of a CSV or JSONL file that is converted only because of its edits or two header rows."""

    @property
    def is_needed(self) -> bool:
        """Whether the file cannot be read as it is."""
        return self.text_format is None or bool(self.edits) or self.options.header_rows == _TWO_ROWS

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
    return written


def read_conversion(stored: Mapping[str, Json]) -> Conversion:
    """The conversion that is stored in a study; what cannot be used is replaced by the default."""
    usable = {
        name: cast("OptionValue", stored[name])
        for name, types in _TYPES.items()
        if name in stored and isinstance(stored[name], types) and not isinstance(stored[name], bool)
    }
    edits = read_edits(stored.get("edits"))
    return Conversion(SourceOptions().with_values(usable), edits, _read_format(stored.get("text_format")))


def _read_format(stored: Json) -> Format | None:
    """A format that is stored in a study; None if it cannot be used."""
    if not is_object(stored):
        return None
    try:
        texts = {name: str(stored[name]) for name in ("encoding", "delimiter", "quote")}
        return Format(FormatKind(str(stored["kind"])), **texts, header=bool(stored["header"]))
    except (KeyError, ValueError):
        return None
