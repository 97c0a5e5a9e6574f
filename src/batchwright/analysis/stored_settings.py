"""The settings of an analysis as JSON, as they are stored between two runs of the program."""

from pydantic import TypeAdapter, ValidationError

from batchwright.analysis.analyse import AnalysisSettings

_SETTINGS = TypeAdapter(AnalysisSettings)


def to_stored(settings: AnalysisSettings) -> str:
    """Return settings as JSON."""
    return _SETTINGS.dump_json(settings).decode()


def from_stored(content: str) -> AnalysisSettings:
    """Return settings from JSON; the default ones if it is empty or cannot be used."""
    try:
        return _SETTINGS.validate_json(content) if content else AnalysisSettings()
    except ValidationError:
        return AnalysisSettings()
