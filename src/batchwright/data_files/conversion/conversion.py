"""How the records of a study are made from a source; recorded in the study, and repeated when it changes."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

from batchwright.base.json_values import Json, JsonObject
from batchwright.data_files.sources.source import OptionValue, SourceOptions


@dataclass(frozen=True)
class Conversion:
    """How a source is read. With the same source, it always has the same result."""

    options: SourceOptions = field(default_factory=SourceOptions)

    def with_option(self, option: str, value: OptionValue) -> "Conversion":
        """The same with another value of an option; options that depend on it are proposed again."""
        dependent: dict[str, OptionValue] = {"header_row": None} if option == "sheet" else {}
        return replace(self, options=self.options.with_values({**dependent, option: value}))


def write_conversion(conversion: Conversion) -> JsonObject:
    """The conversion as it is stored in a study."""
    return dict(sorted(asdict(conversion.options).items()))


def read_conversion(stored: Mapping[str, Json]) -> Conversion:
    """The conversion that is stored in a study; what cannot be used is replaced by the default."""
    sheet, header_row = stored.get("sheet"), stored.get("header_row")
    return Conversion(
        SourceOptions(
            sheet=sheet if isinstance(sheet, str) else "",
            header_row=header_row if isinstance(header_row, int) else None,
        )
    )
