"""Frequently used option scales, units and file types, in the language of the user interface."""

from collections.abc import Mapping
from dataclasses import dataclass

from batchwright.base.i18n import _, pgettext
from batchwright.base.json_values import Json
from batchwright.layout.item_types.file_upload import DEFAULT_FILE_TYPES


@dataclass(frozen=True)
class Preset:
    """A named list of options or units: labels with their values."""

    title: str
    options: tuple[tuple[str, Json], ...]


def _scale(*labels: str) -> tuple[tuple[str, Json], ...]:
    return tuple((label, number) for number, label in enumerate(labels, 1))


def option_presets() -> tuple[Preset, ...]:
    """The presets for options, translated."""
    disagree, agree, neither = _("Disagree"), _("Agree"), _("Neither agree nor disagree")
    strongly_not, strongly = _("Strongly disagree"), _("Strongly agree")
    five = _scale(strongly_not, disagree, neither, agree, strongly)
    seven = _scale(
        strongly_not, disagree, _("Somewhat disagree"), neither, _("Somewhat agree"), agree, strongly
    )
    return (
        Preset(_("Agree or disagree, 5 steps"), five),
        Preset(_("Agree or disagree, 7 steps"), seven),
        Preset(_("Yes or no"), ((_("Yes"), True), (_("No"), False))),
        Preset(_("A, B or the same"), ((_("A"), "a"), (_("B"), "b"), (_("About the same"), "same"))),
    )


def unit_presets() -> tuple[Preset, ...]:
    """The presets for units of common measurements."""
    return (
        Preset(pgettext("duration", "Time"), ((_("seconds"), "s"), (_("minutes"), "min"), (_("hours"), "h"))),
        Preset(_("Length"), ((_("mm"), "mm"), (_("cm"), "cm"), (_("m"), "m"))),
        Preset(_("Weight"), ((_("g"), "g"), (_("kg"), "kg"))),
        Preset(_("Temperature"), ((_("°C"), "celsius"), (_("°F"), "fahrenheit"))),
        Preset(_("Money"), (("€", "EUR"), ("$", "USD"), ("£", "GBP"))),
    )


def file_presets() -> Mapping[str, tuple[str, ...]]:
    """File extensions by kind of file."""
    return {
        _("Images"): DEFAULT_FILE_TYPES,
        _("Documents"): (".pdf", ".docx", ".odt", ".txt"),
        _("Tables"): (".csv", ".xlsx", ".ods"),
        _("Audio"): (".mp3", ".m4a", ".wav", ".ogg"),
        _("Video"): (".mp4", ".mov", ".webm"),
    }
