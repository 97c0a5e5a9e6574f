"""The actions of the View and Help menus of every window."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from batchwright.base.i18n import N_, _
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Condition, Menu, MenuSection
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import ShellState
from batchwright.ui.theme import TEXT_SIZES, ColorSchemePreference, Theme

_STAGES = MenuSection(Menu.VIEW, 10)
_COLOURS = MenuSection(Menu.VIEW, 80)
_TEXT_SIZE = MenuSection(Menu.VIEW, 81)
_MOTION = MenuSection(Menu.VIEW, 82)
_PANES = MenuSection(Menu.VIEW, 95)
_HELP = MenuSection(Menu.HELP)
_WINDOW = MenuSection(Menu.FILE, 99)


@dataclass(frozen=True)
class AppearanceSettings:
    """The theme together with the settings that store it."""

    theme: Theme
    settings: Settings

    def set_color_scheme(self, scheme: ColorSchemePreference) -> None:
        """Apply and store a colour scheme."""
        self.settings.color_scheme = scheme
        self.theme.set_color_scheme(scheme)

    def change_text_size(self, steps: int) -> None:
        """Change and store the text size by steps; 0 resets it to 100 %."""
        at = TEXT_SIZES.index(self.theme.text_size) + steps if steps else 0
        self.set_text_size(TEXT_SIZES[max(0, min(at, len(TEXT_SIZES) - 1))])

    def set_text_size(self, per_cent: int) -> None:
        """Change and store the text size; one of `TEXT_SIZES`."""
        self.settings.text_size = per_cent
        self.theme.set_text_size(per_cent)

    def toggle_animations(self) -> None:
        """Toggle animations; stored only if it differs from the system setting."""
        enabled = not self.theme.animations_enabled
        self.settings.animations_enabled = (
            None if enabled == self.theme.system_animations_enabled else enabled
        )
        self.theme.set_animations_enabled(self.settings.animations_enabled)


class WindowLike(Protocol):
    """The methods of a window that actions use."""

    def open_command_palette(self) -> None:
        """Show the command palette."""

    def focus_next_region(self, *, forward: bool) -> None:
        """Focus the next region."""

    def open_menu_bar(self) -> None:
        """Open the first menu of the menu bar."""

    def close(self) -> bool:
        """Close the window, after asking."""


def _color_scheme(scheme: ColorSchemePreference, text: str, glyph: str) -> Action[AppearanceSettings]:
    return Action(
        f"color_scheme_{scheme.value}",
        text,
        lambda subject: subject.set_color_scheme(scheme),
        _COLOURS,
        glyph,
        checked=lambda subject: subject.theme.color_scheme is scheme,
    )


APPEARANCE: tuple[Action[AppearanceSettings], ...] = (
    _color_scheme(ColorSchemePreference.SYSTEM, N_("System theme"), "circle-half"),
    _color_scheme(ColorSchemePreference.LIGHT, N_("Light theme"), "sun"),
    _color_scheme(ColorSchemePreference.DARK, N_("Dark theme"), "moon"),
    Action[AppearanceSettings](
        ActionId.TEXT_LARGER,
        N_("Larger text"),
        lambda subject: subject.change_text_size(1),
        _TEXT_SIZE,
        "text-aa",
        Condition(
            lambda subject: subject.theme.text_size < TEXT_SIZES[-1], N_("The text is at its largest size")
        ),
        "Ctrl++",
    ),
    Action[AppearanceSettings](
        ActionId.TEXT_SMALLER,
        N_("Smaller text"),
        lambda subject: subject.change_text_size(-1),
        _TEXT_SIZE,
        "text-aa",
        Condition(
            lambda subject: subject.theme.text_size > TEXT_SIZES[0], N_("The text is at its smallest size")
        ),
        "Ctrl+-",
    ),
    Action[AppearanceSettings](
        ActionId.TEXT_USUAL,
        N_("Default text size"),
        lambda subject: subject.change_text_size(0),
        _TEXT_SIZE,
        "text-aa",
        shortcut="Ctrl+0",
    ),
    Action[AppearanceSettings](
        ActionId.REDUCE_MOTION,
        N_("Reduce motion"),
        AppearanceSettings.toggle_animations,
        _MOTION,
        checked=lambda subject: not subject.theme.animations_enabled,
    ),
)

WINDOW: tuple[Action[WindowLike], ...] = (
    Action[WindowLike](
        ActionId.FIND,
        N_("Find anything"),
        lambda window: window.open_command_palette(),
        _HELP,
        "magnifying-glass",
        shortcut="Ctrl+K",
    ),
    Action[WindowLike](
        ActionId.NEXT_REGION,
        N_("Next pane"),
        lambda window: window.focus_next_region(forward=True),
        _PANES,
        shortcut="F6",
    ),
    Action[WindowLike](
        ActionId.PREVIOUS_REGION,
        N_("Previous pane"),
        lambda window: window.focus_next_region(forward=False),
        _PANES,
        shortcut="Shift+F6",
    ),
    Action[WindowLike](
        ActionId.MENU_BAR, N_("Menu bar"), lambda window: window.open_menu_bar(), _HELP, shortcut="F10"
    ),
    Action[WindowLike](
        ActionId.CLOSE_WINDOW,
        N_("Close window"),
        lambda window: window.close(),
        _WINDOW,
        "x",
        shortcut="Ctrl+W",
    ),
)


def stage_actions(stages: Sequence[Stage]) -> tuple[Action[ShellState], ...]:
    """An action for each stage; the shortcuts start at Ctrl+1."""
    return tuple(_stage_action(number, stage) for number, stage in enumerate(stages, start=1))


def _stage_action(number: int, stage: Stage) -> Action[ShellState]:
    needed = N_("Open or create a batch first") if stage.needs_data else N_("Open or create a study first")
    return Action(
        f"go_{stage.id}",
        lambda _state: _("Go to {stage}").format(stage=stage.title),
        lambda state: state.enter_stage(stage.id),
        _STAGES,
        stage.glyph,
        Condition(lambda state: not stage.disabled_reason(state.document), needed),
        f"Ctrl+{number}" if number < 10 else "",
    )
