"""Inter, and the roles that text plays."""

from enum import Enum

from PySide6.QtGui import QFont, QFontDatabase

from batchwright.base.resources import resource

FAMILY = "Inter"
_SHELL_FILES = ("Inter-Regular.ttf", "Inter-Medium.ttf", "Inter-SemiBold.ttf", "Inter-Bold.ttf")
_LATER_FILES = ("Inter-Italic.ttf",)
_DISPLAY_FROM = 18
_DISPLAY_SPACING = 98.6


class TextRole(Enum):
    """What a text is: its size in pixels at 100 %, its weight, and its letter spacing in per cent."""

    STATISTIC = (28, QFont.Weight.DemiBold)
    WELCOME = (24, QFont.Weight.DemiBold)
    TITLE = (18, QFont.Weight.DemiBold)
    FINDER = (18, QFont.Weight.Normal)
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
        """The font of this role at a text size; `tabular` makes all figures equally wide."""
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
    """Load the weights that the shell is painted with.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    _load(_SHELL_FILES)


def load_remaining_fonts() -> None:
    """Load what the shell can be painted without; for after the first paint."""
    _load(_LATER_FILES)


def _load(names: tuple[str, ...]) -> None:
    for name in names:
        QFontDatabase.addApplicationFont(str(resource("fonts", name)))
