"""The colour tokens of the program, each with a light and a dark value.

No other module contains colour values.
"""

from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import Annotated, get_type_hints

from PySide6.QtGui import QColor, QPalette


class Scheme(Enum):
    """The colour scheme."""

    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True)
class Tokens:
    """The colours of a scheme; the annotations contain the light and the dark value."""

    window: Annotated[QColor, "#F5F5F2", "#17181B"]
    rail: Annotated[QColor, "#ECECE8", "#121315"]
    surface: Annotated[QColor, "#FFFFFF", "#1F2124"]
    page: Annotated[QColor, "#FFFFFF", "#25272B"]
    sunken: Annotated[QColor, "#EFEFEB", "#1A1B1E"]
    choice: Annotated[QColor, "#EFEFEB", "#2C2F34"]
    input: Annotated[QColor, "#FFFFFF", "#1A1B1E"]
    button: Annotated[QColor, "#FFFFFF", "#2A2C30"]
    chosen_tile: Annotated[QColor, "#FFFFFF", "#2A2C30"]
    chosen_segment: Annotated[QColor, "#FFFFFF", "#3D4046"]
    row_hover: Annotated[QColor, "#F3F3F0", "#26282C"]
    hover: Annotated[QColor, "#E7E7E2", "#2A2C30"]
    pressed: Annotated[QColor, "#DCDCD6", "#33363B"]
    track: Annotated[QColor, "#DCDCD6", "#3A3D43"]
    scroll: Annotated[QColor, "#C9C9C3", "#45484E"]
    border: Annotated[QColor, "#DEDED8", "#34373C"]
    border_field: Annotated[QColor, "#90928D", "#6C7179"]
    border_button: Annotated[QColor, "#CFCFC8", "#3D4046"]
    border_strong: Annotated[QColor, "#80827C", "#7E848C"]
    text: Annotated[QColor, "#1C1E21", "#E9EAEC"]
    text2: Annotated[QColor, "#52555B", "#B4B8BE"]
    text3: Annotated[QColor, "#62656A", "#969BA3"]
    disabled: Annotated[QColor, "#A3A5A6", "#6A6E75"]
    accent: Annotated[QColor, "#3A56C5", "#4B69DB"]
    accent_hover: Annotated[QColor, "#2F48AC", "#4562D2"]
    accent_press: Annotated[QColor, "#263B90", "#3F5AC2"]
    on_accent: Annotated[QColor, "#FFFFFF", "#FFFFFF"]
    accent_text: Annotated[QColor, "#3350BC", "#A3B5FA"]
    accent_soft: Annotated[QColor, "#E9EDFB", "#262D4A"]
    select: Annotated[QColor, "#F1F4FE", "#222840"]
    accent_border: Annotated[QColor, "#AEBBEF", "#4A5FB5"]
    field: Annotated[QColor, "#7A3E9D", "#CFA3EA"]
    field_soft: Annotated[QColor, "#F3EAF8", "#35283F"]
    content: Annotated[QColor, "#4E5A66", "#B3BECA"]
    content_soft: Annotated[QColor, "#E9EDF0", "#2C3138"]
    question: Annotated[QColor, "#3350BC", "#A3B5FA"]
    question_soft: Annotated[QColor, "#E9EDFB", "#262D4A"]
    ok: Annotated[QColor, "#1B7046", "#74CC9B"]
    ok_soft: Annotated[QColor, "#E3F3E9", "#1C3427"]
    warn: Annotated[QColor, "#8A5300", "#E9B661"]
    warn_soft: Annotated[QColor, "#FCF0D8", "#392E18"]
    err: Annotated[QColor, "#B3261E", "#F4948B"]
    err_soft: Annotated[QColor, "#FBE9E7", "#40211F"]
    neutral: Annotated[QColor, "#52555B", "#B4B8BE"]
    neutral_soft: Annotated[QColor, "#EAEAE6", "#2E3136"]
    danger_border: Annotated[QColor, "#E3B3AF", "#6B3A36"]
    danger_fill: Annotated[QColor, "#B3261E", "#B3261E"]
    danger_hover: Annotated[QColor, "#97201A", "#97201A"]
    on_danger: Annotated[QColor, "#FFFFFF", "#FFFFFF"]
    reh: Annotated[QColor, "#0E6A66", "#6FCBC2"]
    reh_soft: Annotated[QColor, "#DFF1EF", "#17332F"]
    reh_border: Annotated[QColor, "#5FB0A9", "#3B8C84"]
    live: Annotated[QColor, "#B93A0C", "#F0733F"]
    live_hover: Annotated[QColor, "#A0320A", "#F38559"]
    live_press: Annotated[QColor, "#8A2B09", "#DB6231"]
    on_live: Annotated[QColor, "#FFFFFF", "#1B0D05"]
    live_soft: Annotated[QColor, "#FBEAE2", "#3C2318"]
    c1: Annotated[QColor, "#3A56C5", "#7F97F2"]
    c2: Annotated[QColor, "#C7791A", "#DE9A45"]
    c3: Annotated[QColor, "#7C8794", "#98A2AE"]
    c4: Annotated[QColor, "#54206F", "#E8C9FF"]
    backdrop: Annotated[QColor, "#4214161A", "#8214161A"]
    shadow: Annotated[QColor, "#14161A", "#000000"]

    @classmethod
    def of(cls, scheme: Scheme) -> "Tokens":
        """The tokens of a scheme."""
        column = list(Scheme).index(scheme)
        hints = get_type_hints(cls, include_extras=True)
        return cls(**{token.name: QColor(hints[token.name].__metadata__[column]) for token in fields(cls)})

    def get(self, name: str) -> QColor:
        """The colour of a token by name.

        Raises:
            AttributeError: there is no such token.
        """
        colour: QColor = getattr(self, name)
        return colour

    @classmethod
    def in_high_contrast(cls, palette: QPalette) -> "Tokens":
        """The tokens with the high-contrast colours of the system.

        Tinted fills become the background and borders the text colour, so that no meaning depends on a tint.
        Of other colours, those are used that are legible on this background: of the light or the dark scheme,
        with as much of the text colour as that needs.
        """
        background, text = palette.window().color(), palette.windowText().color()
        tokens = cls.of(scheme_of(palette))
        marks = {name: _legible(tokens.get(name), background, text) for name in (*SOFT, *_SERIES)}
        accent = _legible(palette.highlight().color(), background, text)
        on_highlight = palette.highlightedText().color()
        return replace(
            tokens,
            **dict.fromkeys((*_BACKGROUNDS, *SOFT.values()), background),
            **dict.fromkeys(_LINES, text),
            **dict.fromkeys(_ACCENTS, accent),
            **marks,
            on_accent=on_highlight if contrast(on_highlight, accent) >= TEXT_CONTRAST else background,
        )


TEXT_CONTRAST = 4.5
"""The contrast ratio that text has at least."""

SOFT = {
    "field": "field_soft",
    "content": "content_soft",
    "question": "question_soft",
    "ok": "ok_soft",
    "warn": "warn_soft",
    "err": "err_soft",
    "neutral": "neutral_soft",
    "reh": "reh_soft",
    "live": "live_soft",
}
"""The tinted background of a colour token."""

_SERIES = ("c1", "c2", "c3", "c4")
_BACKGROUNDS = (
    *("window", "rail", "surface", "page", "sunken", "choice", "input", "button", "chosen_tile"),
    *("chosen_segment", "accent_soft", "select", "row_hover", "hover", "pressed", "track"),
)
_LINES = (
    *("border", "border_field", "border_button", "border_strong"),
    *("text", "text2", "text3", "scroll"),
)
_ACCENTS = ("accent", "accent_hover", "accent_press", "accent_text", "accent_border")
_MIDDLE = 0.5
_MIXTURES = 20
"""Into how many steps the way from a colour to the text colour is divided."""


def scheme_of(palette: QPalette) -> Scheme:
    """The colour scheme with a background like that of a palette."""
    return Scheme.DARK if palette.window().color().lightnessF() < _MIDDLE else Scheme.LIGHT


def contrast(first: QColor, second: QColor) -> float:
    """The contrast ratio (WCAG 2)."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: QColor) -> float:
    """The relative luminance (WCAG 2)."""
    channels = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _legible(colour: QColor, background: QColor, text: QColor) -> QColor:
    """A colour with no more of the text colour than makes it legible on a background."""
    mixtures = (_mixed(colour, text, step / _MIXTURES) for step in range(_MIXTURES))
    return next((mixed for mixed in mixtures if contrast(mixed, background) >= TEXT_CONTRAST), text)


def _mixed(first: QColor, second: QColor, fraction: float) -> QColor:
    """A colour between two, `fraction` of the way to the second."""
    channels = (
        (first.redF(), second.redF()),
        (first.greenF(), second.greenF()),
        (first.blueF(), second.blueF()),
    )
    return QColor.fromRgbF(*(one + (other - one) * fraction for one, other in channels))
