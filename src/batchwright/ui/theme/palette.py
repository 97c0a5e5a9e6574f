"""The `QPalette` for everything that Qt paints itself, derived from the colour tokens."""

from PySide6.QtGui import QColor, QPalette

from batchwright.ui.theme.tokens import Tokens

Role = QPalette.ColorRole

_ROLES = {
    Role.Window: "window",
    Role.WindowText: "text",
    Role.Base: "input",
    Role.AlternateBase: "row_hover",
    Role.Text: "text",
    Role.Button: "button",
    Role.ButtonText: "text",
    Role.BrightText: "on_accent",
    Role.Light: "surface",
    Role.Midlight: "hover",
    Role.Mid: "border",
    Role.Dark: "border_field",
    Role.Shadow: "shadow",
    Role.Highlight: "accent",
    Role.HighlightedText: "on_accent",
    Role.Link: "accent_text",
    Role.LinkVisited: "field",
    Role.ToolTipBase: "surface",
    Role.ToolTipText: "text",
    Role.PlaceholderText: "text3",
    Role.Accent: "accent",
}
_DISABLED = {
    Role.WindowText: "disabled",
    Role.Text: "disabled",
    Role.ButtonText: "disabled",
    Role.PlaceholderText: "disabled",
    Role.HighlightedText: "disabled",
    Role.Base: "sunken",
    Role.Highlight: "hover",
}


def application_palette(tokens: Tokens) -> QPalette:
    """The palette of the application."""
    palette = QPalette()
    for role, name in _ROLES.items():
        palette.setColor(role, _solid(tokens.get(name)))
    for role, name in _DISABLED.items():
        palette.setColor(QPalette.ColorGroup.Disabled, role, _solid(tokens.get(name)))
    return palette


def item_view_palette(tokens: Tokens) -> QPalette:
    """The palette of item views: selected rows are tinted and keep their text colour."""
    palette = application_palette(tokens)
    palette.setColor(Role.Base, tokens.surface)
    palette.setColor(Role.Highlight, tokens.accent_soft)
    palette.setColor(Role.HighlightedText, tokens.text)
    return palette


def _solid(colour: QColor) -> QColor:
    solid = QColor(colour)
    solid.setAlpha(255)
    return solid
