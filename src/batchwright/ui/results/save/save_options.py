"""What the user chooses in the dialog “Save results”; stored for the next time."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pydantic import TypeAdapter, ValidationError

from batchwright.analysis.charts import Chart
from batchwright.analysis.output.output_files import OutputChoices
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.pair_fields import PairFields, TieRule

_DEFAULT_KINDS = frozenset(
    {OutputKind.REPORT, OutputKind.TABLES, OutputKind.FIGURES, OutputKind.CODEBOOK, OutputKind.CSV}
)


@dataclass(frozen=True)
class SaveOptions:
    """The choices; empty paths and fields are not chosen yet."""

    kinds: frozenset[OutputKind] = _DEFAULT_KINDS
    pair_fields: PairFields = field(default_factory=lambda: PairFields("", "", ""))
    tie_rule: TieRule = TieRule.DROP
    is_spreadsheet_safe: bool = True
    has_pseudonyms: bool = False
    folder: str = ""
    key: str = ""
    """The file with the key of the pseudonyms."""

    def choices(self, study: str, design: str, picture: Callable[[Chart], bytes]) -> OutputChoices:
        """What is written about a study with a design; `picture` paints a figure as PNG."""
        options = self.kinds, self.pair_fields, self.tie_rule, self.is_spreadsheet_safe
        return OutputChoices(*options, study, design, picture)


_OPTIONS = TypeAdapter(SaveOptions)
_DEFAULT = SaveOptions()


def to_stored(options: SaveOptions) -> str:
    """Options as JSON."""
    return _OPTIONS.dump_json(options).decode()


def from_stored(content: str, default: SaveOptions = _DEFAULT) -> SaveOptions:
    """Options from JSON; the default ones if it is empty or cannot be used."""
    try:
        return _OPTIONS.validate_json(content) if content else default
    except ValidationError:
        return default
