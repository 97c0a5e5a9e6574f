"""Every colour of the program, each with its light and its dark value (look.md 2).

Nothing else in the program names a colour by its value.
"""

from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any

from PySide6.QtGui import QColor, QPalette


class Scheme(Enum):
    """Which of the two values of each colour is shown."""

    LIGHT = "light"
    DARK = "dark"


def _token(light: str, dark: str) -> Any:
    """One row of the table; `Any` because a dataclass reads the field's type from its annotation."""
    return field(metadata={Scheme.LIGHT: light, Scheme.DARK: dark})


@dataclass(frozen=True)
class Tokens:
    """The colours of one scheme; what each is for stands in look.md 2 and 8."""

    window: QColor = _token("#F5F5F2", "#17181B")
    rail: QColor = _token("#ECECE8", "#121315")
    surface: QColor = _token("#FFFFFF", "#1F2124")
    page: QColor = _token("#FFFFFF", "#25272B")
    sunken: QColor = _token("#EFEFEB", "#1A1B1E")
    choice: QColor = _token("#EFEFEB", "#2C2F34")
    input: QColor = _token("#FFFFFF", "#1A1B1E")
    button: QColor = _token("#FFFFFF", "#2A2C30")
    chosen_tile: QColor = _token("#FFFFFF", "#2A2C30")
    row_hover: QColor = _token("#F3F3F0", "#26282C")
    hover: QColor = _token("#E7E7E2", "#2A2C30")
    pressed: QColor = _token("#DCDCD6", "#33363B")
    track: QColor = _token("#DCDCD6", "#3A3D43")
    scroll: QColor = _token("#C9C9C3", "#45484E")
    border: QColor = _token("#DEDED8", "#34373C")
    border_field: QColor = _token("#90928D", "#6C7179")
    border_button: QColor = _token("#CFCFC8", "#3D4046")
    border_strong: QColor = _token("#80827C", "#7E848C")
    text: QColor = _token("#1C1E21", "#E9EAEC")
    text2: QColor = _token("#52555B", "#B4B8BE")
    text3: QColor = _token("#62656A", "#969BA3")
    disabled: QColor = _token("#A3A5A6", "#6A6E75")
    accent: QColor = _token("#3A56C5", "#4B69DB")
    accent_hover: QColor = _token("#2F48AC", "#4562D2")
    accent_press: QColor = _token("#263B90", "#3F5AC2")
    on_accent: QColor = _token("#FFFFFF", "#FFFFFF")
    accent_text: QColor = _token("#3350BC", "#A3B5FA")
    accent_soft: QColor = _token("#E9EDFB", "#262D4A")
    select: QColor = _token("#F1F4FE", "#222840")
    accent_line: QColor = _token("#AEBBEF", "#4A5FB5")
    field: QColor = _token("#7A3E9D", "#CFA3EA")
    field_soft: QColor = _token("#F3EAF8", "#35283F")
    content: QColor = _token("#4E5A66", "#B3BECA")
    content_soft: QColor = _token("#E9EDF0", "#2C3138")
    question: QColor = _token("#3350BC", "#A3B5FA")
    question_soft: QColor = _token("#E9EDFB", "#262D4A")
    ok: QColor = _token("#1B7046", "#74CC9B")
    ok_soft: QColor = _token("#E3F3E9", "#1C3427")
    warn: QColor = _token("#8A5300", "#E9B661")
    warn_soft: QColor = _token("#FCF0D8", "#392E18")
    err: QColor = _token("#B3261E", "#F4948B")
    err_soft: QColor = _token("#FBE9E7", "#40211F")
    neutral: QColor = _token("#52555B", "#B4B8BE")
    neutral_soft: QColor = _token("#EAEAE6", "#2E3136")
    danger_line: QColor = _token("#E3B3AF", "#6B3A36")
    danger_fill: QColor = _token("#B3261E", "#B3261E")
    danger_hover: QColor = _token("#97201A", "#97201A")
    on_danger: QColor = _token("#FFFFFF", "#FFFFFF")
    reh: QColor = _token("#0E6A66", "#6FCBC2")
    reh_soft: QColor = _token("#DFF1EF", "#17332F")
    reh_line: QColor = _token("#5FB0A9", "#3B8C84")
    live: QColor = _token("#B93A0C", "#F0733F")
    live_hover: QColor = _token("#A0320A", "#F38559")
    live_press: QColor = _token("#8A2B09", "#DB6231")
    on_live: QColor = _token("#FFFFFF", "#1B0D05")
    live_soft: QColor = _token("#FBEAE2", "#3C2318")
    c1: QColor = _token("#3A56C5", "#7F97F2")
    c2: QColor = _token("#C7791A", "#DE9A45")
    c3: QColor = _token("#7C8794", "#98A2AE")
    c4: QColor = _token("#7A3E9D", "#C193E0")
    backdrop: QColor = _token("#4214161A", "#8214161A")
    shadow: QColor = _token("#14161A", "#000000")

    @classmethod
    def of(cls, scheme: Scheme) -> "Tokens":
        """The colours of a scheme."""
        return cls(**{token.name: QColor(token.metadata[scheme]) for token in fields(cls)})

    def get(self, name: str) -> QColor:
        """A colour by its token's name, for tables that name tokens.

        Raises:
            AttributeError: there is no such token.
        """
        colour: QColor = getattr(self, name)
        return colour

    def in_high_contrast(self, palette: QPalette) -> "Tokens":
        """These colours with all that carries text or shape taken from the system (look.md 13).

        Soft fills become the background and every line becomes text, so that nothing is told by tint alone.
        """
        ground, ink = palette.window().color(), palette.windowText().color()
        highlight, on_highlight = palette.highlight().color(), palette.highlightedText().color()
        grounds = ("window", "rail", "surface", "page", "sunken", "choice", "input", "button", "chosen_tile")
        softs = [token.name for token in fields(self) if token.name.endswith("_soft")]
        lines = ("border", "border_field", "border_button", "border_strong", "text", "text2", "text3", "scroll")
        marks = ("accent", "accent_hover", "accent_press", "accent_text", "accent_line")
        return replace(
            self,
            **dict.fromkeys((*grounds, *softs, "select", "row_hover", "hover", "pressed", "track"), ground),
            **dict.fromkeys(lines, ink),
            **dict.fromkeys(marks, highlight),
            on_accent=on_highlight,
        )


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
"""The soft ground that belongs to a tone."""
