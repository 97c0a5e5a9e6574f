"""The fonts and text roles of the program."""

from enum import Enum

from PySide6.QtGui import QFont, QFontDatabase

from batchwright.base.resources import resource

FAMILY = "Inter"
_SHELL_FILES = ("Inter-Regular.ttf", "Inter-Medium.ttf", "Inter-SemiBold.ttf", "Inter-Bold.ttf")
_LATER_FILES = ("Inter-Italic.ttf",)
_DISPLAY_FROM = 18
_DISPLAY_SPACING = 98.6


class TextRole(Enum):
    """A text role: size in pixels at 100 %, weight, and optionally letter spacing in per cent."""

    WELCOME = (24, QFont.Weight.DemiBold)
    TITLE = (18, QFont.Weight.DemiBold)
    COMMAND_SEARCH = (18, QFont.Weight.Normal)
    PAGE_NAME = (16, QFont.Weight.Medium)
    PAGE = (16, QFont.Weight.Normal)
    SECTION = (15, QFont.Weight.DemiBold)
    LEAD = (15, QFont.Weight.Normal)
    STRONG = (14, QFont.Weight.DemiBold)
    NAME = (14, QFont.Weight.Medium)
    BODY = (14, QFont.Weight.Normal)
    SMALL_STRONG = (13, QFont.Weight.DemiBold)
    SMALL_NAME = (13, QFont.Weight.Medium)
    SMALL = (13, QFont.Weight.Normal)
    HEAD = (12, QFont.Weight.DemiBold)
    LABEL = (12, QFont.Weight.Medium)
    CAPTION = (12, QFont.Weight.Normal)
    BADGE = (12, QFont.Weight.Bold, 104)
    COUNTER = (11, QFont.Weight.Bold)

    @property
    def pixels(self) -> int:
        """The size at 100 %."""
        return int(self.value[0])

    def font(self, scale: float, *, tabular: bool = False) -> QFont:
        """The font of the role at a scale; `tabular` selects digits of equal width."""
        font = QFont(FAMILY)
        font.setPixelSize(max(1, round(self.pixels * scale)))
        font.setWeight(self.value[1])
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        if len(self.value) > 2:
            font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, float(self.value[2]))
        elif self.pixels >= _DISPLAY_FROM:
            font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, _DISPLAY_SPACING)
        if tabular:
            font.setFeature(QFont.Tag("tnum"), 1)
        return font


def load_shell_fonts() -> None:
    """Load the fonts that the first paint needs.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    _load(_SHELL_FILES)


def load_remaining_fonts() -> None:
    """Load the other fonts, after the first paint."""
    _load(_LATER_FILES)


def _load(names: tuple[str, ...]) -> None:
    for name in names:
        QFontDatabase.addApplicationFont(str(resource("fonts", name)))
