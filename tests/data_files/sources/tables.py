"""What the tests of sources share: a table read as records, as its conversion writes them."""

from pathlib import Path
from typing import cast

from batchwright.base.json_values import JsonObject
from batchwright.data_files.conversion.conversion import CONVERTED, Conversion
from batchwright.data_files.conversion.convert import ConversionStart, Converted, convert
from batchwright.data_files.reader import rows
from batchwright.data_files.sources.source import SourceOptions


def converted(source: Path, options: SourceOptions | None = None) -> tuple[list[JsonObject], Converted]:
    """The records that a source is converted to, and the result of the conversion."""
    target = source.with_name(f"{source.name} converted")
    result = convert(source, Conversion(options or SourceOptions()), target, lambda _message: None)
    return [cast("JsonObject", entry.content) for entry in rows(target, CONVERTED)], result


def records(source: Path, options: SourceOptions | None = None) -> list[JsonObject]:
    """The records that a source is converted to."""
    return converted(source, options)[0]


def choices(source: Path, options: SourceOptions | None = None) -> dict[str, list[object]]:
    """The values that are offered for each option of a source, the current one first."""
    starts: list[ConversionStart] = []

    def add(message: object) -> None:
        if isinstance(message, ConversionStart):
            starts.append(message)

    convert(source, Conversion(options or SourceOptions()), source.with_name("converted"), add)
    return {
        choice.option: [choice.current, *(value for value, _text in choice.values if value != choice.current)]
        for choice in starts[0].choices
    }
